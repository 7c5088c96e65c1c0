#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run Debian 13's papi_command_line, which opens uncore events by libpfm's names without
# perf, on the PMUs of the kernel's driver and on ours. It finds the same events on
# both, and its counts are the hardware's, on each package. PAPI reads a counter before
# it stops that counter, so the hardware counts on for a moment.
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/clients.sh"

clients=()
copy_clients || exit
cat >"$TMP/papi.sh" <<'S'
# papi EVENT: print the count of EVENT, and keep all output in /tmp/output
papi() {
	/root/ld-linux-x86-64.so.2 --library-path /root /root/papi_command_line "$1" \
		>/tmp/output 2>&1
	sed -n "s/^$1 :[[:space:]]*\([0-9]*\) *$/\1/p" /tmp/output
}

# counted DRIVER EVENT UNIT CONTROL: compare the count on each package with the truth
counted() {
	for p in 0 1; do
		cpu=$(grep -lx $p /sys/devices/system/cpu/cpu*/topology/physical_package_id |
			sed -n '1s/.*cpu\([0-9]*\).*/\1/p')
		hw truth reset
		count=$(papi "$2:cpu=$cpu")
		truth=$(uncore_truth_of "$p/$3" "$4")
		if awk -v count="$count" -v truth="$truth" 'BEGIN {
			exit !(count > 0 && count <= truth && count >= 0.9 * truth) }'; then
			ok "$1: $2 counts as the hardware in package $p"
		else
			not_ok "$1: $2 counts as the hardware in package $p" "it shows '$count', counted: $truth
$(cat /tmp/output)"
		fi
	done
}

# both EVENT UNIT CONTROL...: count with the kernel's driver, then with openpmon
both() {
	# The driver of 6.12 does not unfreeze boxes that are frozen at power-on.
	hw global all =0
	modprobe intel_uncore
	set -- intel_uncore "$@"
	while :; do
		driver=$1
		shift
		for event; do
			# shellcheck disable=SC2086 # three words
			counted $driver $event
		done
		[ "$driver" = intel_uncore ] || break
		uncore_adopts 'pmon_uncore loads instead of intel_uncore'
		set -- pmon_uncore "$@"
	done
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon 'openpmon drives the boxes that PAPI counts on'
}
S

for k in $KERNELS; do
	in_vm "$k spr-2s" --kernel "$k" --machine spr-2s --drivers none "${clients[@]}" \
		--copy "$TMP/papi.sh" <<-'S'
	. /root/papi.sh
	both 'spr_unc_imc0::UNC_M_CAS_COUNT:ALL 6/0 0xff05' \
		'spr_unc_upi0::UNC_UPI_CLOCKTICKS 8/0 0x1' \
		'spr_unc_cha0::UNC_CHA_CLOCKTICKS 0/0 0x1'
	S

	in_vm "$k gnr-2s" --kernel "$k" --machine gnr-2s --drivers none "${clients[@]}" \
		--copy "$TMP/papi.sh" <<-'S'
	. /root/papi.sh
	both 'gnr_unc_imc0::UNC_M_CAS_COUNT_SCH0:ALL 6/0 0xff05' \
		'gnr_unc_imc1::UNC_M_CLOCKTICKS 6/1 0x1'
	S
done
finish
