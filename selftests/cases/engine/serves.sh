#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The CPU that serves a package changes while events are opened: the isolated
# one that had to gives way to one with housekeeping to do as soon as that comes
# online, and takes over again when it goes. perf asks where an event belongs
# before it installs it, so some are installed on the CPU that served before.
# They follow, and none is lost when that CPU goes, on kernels, too, whose perf
# moves one of them each time that it is told to move all (7.2).
# kernels: 6.1 6.12 newest
# check: none
# SERVES_ROUNDS: how often
# contract: cpumask
. "$(dirname "$0")/../lib/tap.sh"

cat >"$TMP/common.sh" <<'S'
# Which of four events count when the CPU that they were opened on has gone.
still_counting() {	# CPU
	for n in 1 2 3 4; do echo "open uncore_imc_0 $1 $n"; done >/tmp/hold
	cat >>/tmp/hold <<-E
	! echo 0 >/sys/devices/system/cpu/cpu$1/online
	read 1
	! sleep 0.1
	read 2
	E
	/root/hold </tmp/hold >/tmp/held
	awk '$1 == 1 { before[i++] = $4 }
		$1 == 2 && $4 > before[n++] { print n - 1 }' /tmp/held
}
S

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --append isolcpus=8 --program serves \
		--program hold --set rounds="${SERVES_ROUNDS:-20}" <<'S'
for c in $(cpus_of 1); do
	case $c in 8 | 9) ;; *) cpu $c 0 ;; esac
done
is "$(collector uncore_imc_0 1)" 9 'a housekeeping CPU serves the package'
cpu 9 0
is "$(collector uncore_imc_0 1)" 8 'and where there is none, an isolated one'

runs 'no event is lost' /root/serves $rounds 8 9 8 \
	uncore_imc_0 uncore_cha_0 uncore_upi_0
note "$tap_out"
is "$(collector uncore_imc_0 1)" 8 'as before'

cpu 9 1
is "$(still_counting 9 | tr '\n' ' ')" '0 1 2 3 ' \
	'four events of a box count on after the CPU has gone'
runs 'the driver goes' rmmod pmon_uncore
S
	# Its own events are lost with perf that moves one of them only, which
	# 7.3 and the last 6.12 do not.
	case $("$ROOT/selftests/lib/build/kver" "$k") in 7.2.*) ;; *) continue ;; esac
	in_vm "$k: intel_uncore in the same place" --kernel "$k" \
		--machine spr-2s --drivers upstream --program hold \
		<<-'S'
	is "$(still_counting "$(collector uncore_imc_0 1)" | wc -l)" 1 \
		'of four events one counts on'
	S
done
finish
