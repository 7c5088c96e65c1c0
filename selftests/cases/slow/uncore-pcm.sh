#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run Debian 13's pcm-memory over perf, on the PMUs of the kernel's driver and on ours:
# the bandwidth that it shows is the traffic of the memory controllers of each package in
# that time. Sapphire Rapids only: on Granite Rapids pcm 202502 needs PMUs that no driver
# has (m2m in place of b2cmi), and shows no bandwidth. Then run pcm-memory over registers,
# beside events of ours. It writes the controls of boxes that count, so counts may be wrong,
# but then must be reported as disturbed. Its own numbers are not compared then, because
# pcm needs more of a server than the emulated one has.
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/clients.sh"

clients=()
copy_clients || exit
# pcm-memory runs this program between its two readings.
cat >"$TMP/window.sh" <<'S'
uptime() { cut -d' ' -f1 /proc/uptime; }
hw truth reset
uptime >/tmp/times
sleep 10
hw truth >/tmp/truth
uptime >>/tmp/times
S
cat >"$TMP/pcm.sh" <<'S'
# byte NUMBER...: print bytes
byte() {
	for number; do
		# The guest's printf has octal escapes only.
		printf "\\$(printf %03o "$number")"
	done
}

# pcm looks for devices several times: it opens all 256 functions of each bus in the table
# MCFG, and throws an exception for each missing one. With 256 buses its first number would
# come after minutes. So leave only existing buses in the table.
shorten_mcfg() {
	table=/sys/firmware/acpi/tables/MCFG
	# shellcheck disable=SC2046 # words
	set -- $(cd /proc/bus/pci && echo [0-9a-f][0-9a-f])
	bytes=$((44 + 16 * $#))
	{
		head -c 4 $table
		byte $((bytes % 256)) $((bytes / 256)) 0 0
		tail -c +9 $table | head -c 36
		for bus; do
			tail -c +45 $table | head -c 8
			byte 0 0 0x$bus 0x$bus 0 0 0 0
		done
	} >/tmp/mcfg
	mount --bind /tmp/mcfg $table
}

# moved PACKAGE CONTROL: print MB/s of all channels while window.sh ran
moved() {
	awk -v units="unit=$1/6/" -v control="0000$2" '
		NR == FNR { seconds = NR == 1 ? -$1 : seconds + $1; next }
		index($1, units) == 1 && match($0, control " counted=[0-9]+") {
			split(substr($0, RSTART, RLENGTH), counted, "=")
			lines += counted[2]
		}
		END { printf "%.0f\n", lines * 64 / 1e6 / seconds }' /tmp/times /tmp/truth
}

# compared DRIVER WHAT FIELD PACKAGE CONTROL: compare a number of pcm-memory with the truth
compared() {
	shown=$(tail -n 1 /tmp/output | cut -d, -f"$3")
	moved=$(moved "$4" "$5")
	if awk -v shown="$shown" -v moved="$moved" 'BEGIN {
		exit !(moved > 0 && shown >= 0.95 * moved && shown <= 1.05 * moved) }'; then
		ok "$1: pcm-memory shows $2 of package $4 within 5 %"
	else
		not_ok "$1: pcm-memory shows $2 of package $4 within 5 %" "it shows '$shown' MB/s, moved: $moved
$(cat /tmp/output /tmp/errors)"
	fi
}

pcm='/root/ld-linux-x86-64.so.2 --library-path /root /root/pcm-memory -csv -nc'

# pcm_memory DRIVER: run pcm-memory over perf and compare its numbers
pcm_memory() {
	PCM_USE_UNCORE_PERF=1 PCM_NO_PERF=1 PCM_NO_RDT=1 \
		$pcm -- sh /root/window.sh >/tmp/output 2>/tmp/errors
	is $? 0 "$1: pcm-memory succeeds"
	# Fields: date and time, then five for each package.
	compared "$1" reads 3 0 cf05
	compared "$1" writes 4 0 f005
	compared "$1" reads 8 1 cf05
	compared "$1" writes 9 1 f005
}

# pcm_beside: count beside pcm-memory; check that each box is exact, or reported as disturbed
pcm_beside() {
	events=$(printf -- '-e uncore_imc_%d/event=0x33/ ' 0 1 2 3 4 5 6 7)
	hw truth reset
	# shellcheck disable=SC2086 # words
	perf stat -x'|' -a -A -o /tmp/stat $events -- env PCM_NO_RDT=1 \
		$pcm -- sleep 3 >/tmp/output 2>/tmp/errors
	is $? 0 'pcm-memory succeeds over registers beside our events'
	noticed=0 wrong=
	while IFS='|' read -r cpu count unit event rest; do
		case $cpu in CPU*) ;; *) continue ;; esac
		pmu=${event%%/*}
		package=$(cat /sys/devices/system/cpu/cpu${cpu#CPU}/topology/physical_package_id)
		if [ "$(hold_file_of $pmu disturbed $package)" != 0 ]; then
			noticed=$((noticed + 1))
			# The log has a line for each kind of box and package.
			[ -n "$(uncore_messages "pmon: uncore_imc_.*package $package .boxes of its kind")" ] ||
				wrong="$wrong $cpu $pmu: not a word;"
		elif [ "$count" != "$(uncore_controls_of $package/6/${pmu##*_} 33)" ]; then
			wrong="$wrong $cpu $pmu: $count, not disturbed;"
		fi
	done </tmp/stat
	is "$wrong" '' 'every box beside pcm-memory counts exactly or is logged as disturbed'
	isnt "$noticed" 0 "pcm-memory writes to boxes that count ($noticed)"
}

modprobe msr
shorten_mcfg
S

for k in $KERNELS; do
	in_vm "$k spr-2s" --kernel "$k" --machine spr-2s --drivers none "${clients[@]}" \
		--copy "$TMP/window.sh" --copy "$TMP/pcm.sh" <<-'S'
	. /root/pcm.sh
	# The driver of 6.12 does not unfreeze boxes that are frozen at power-on.
	hw global all =0
	modprobe intel_uncore
	pcm_memory intel_uncore
	uncore_adopts 'pmon_uncore loads instead of intel_uncore'
	pcm_memory pmon_uncore
	S

	# pcm-memory reads MSRs that this server lacks.
	in_vm "$k spr-2s, by registers" --kernel "$k" --machine spr-2s --drivers ours \
		--allow-illegal --timeout 900 "${clients[@]}" --copy "$TMP/pcm.sh" <<-'S'
	. /root/pcm.sh
	pcm_beside
	S
done
finish
