#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check the register accesses of a group of four events, in order, for an MMIO and an
# MSR unit. A start takes six writes and no read. A reading takes four reads, a snapshot
# six accesses, and a stop a freeze and four reads. After more than a second of counting
# a stop also reads each control and the box control. A PCI unit has two reads for each
# counter. There are no other accesses, and none at all without events.
# contract: setup
# all kernels: 6.1 6.12 newest
# coverage: no, its kernel boots with one CPU, which is not isolated then
. "$(dirname "$0")/../lib/tap.sh"

guest() {
	cat <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh
	for pmu in uncore_imc_0 uncore_cha_0 uncore_upi_0; do
		for snapshot in 0 1; do
			group="{$pmu/event=1,snapshot=$snapshot/,$pmu/event=2/"
			group="$group,$pmu/event=4/,$pmu/event=5/}"
			hw log "$pmu $snapshot"
			perf stat -a -C 0 -I 100 -e "$group" -- sleep 1 \
				>/dev/null 2>&1
			hw log end
		done
	done
	perf stat -a -C 0 -e uncore_imc_0/event=1/ -- sleep 0.1 2>/dev/null
	hw count reset
	sleep 0.5
	echo "idle $(uncore_reads) $(uncore_writes)"
	echo "cpumask $(cat $PMUS/uncore_imc_0/cpumask)"
	echo "tickless $(cat /sys/devices/system/cpu/nohz_full 2>/dev/null)"
	S
}

# logged_accesses LOG MARK: print accesses after MARK (read/write): box R/W:VALUE, control r/E, counter C/w
logged_accesses() {
	awk -v from="$2" '
		$2 == "#" { sub(/^[0-9]+ # /, ""); on = $0 == from; next }
		on && $4 == "box-ctl" && $3 == "w" {
			sub(/^0x0*/, "", $NF)
			s = s " W:" ($NF == "" ? 0 : $NF)
		}
		on && $4 == "box-ctl" && $3 == "r" { s = s " R" }
		on && $4 == "event-ctl" { s = s ($3 == "w" ? " E" : " r") }
		on && $4 == "counter" { s = s ($3 == "r" ? " C" : " w") }
		END { print s }' "$1"
}

# stop COUNTERS: print the pattern of a stop: control reads, a freeze, the pattern COUNTERS
stop() {
	echo " R( r){4,8} W:1$1"
}

for k in $KERNELS; do
	guest >"$TMP/guest.sh"
	vm --kernel "$k" --machine spr-2s --append "isolcpus=0 nohz_full=1" \
		--log "$TMP/log" --copy "$TMP/guest.sh" -- \
		'. /root/guest.sh' >"$TMP/out" 2>&1 ||
		not_ok "$k: the guest script ends without an error" "$(tail -n 20 "$TMP/out")"
	for pmu in uncore_imc_0 uncore_cha_0; do
		like "$(logged_accesses "$TMP/log" "$pmu 0")" \
			"^ W:301 E E E E W:0( C C C C)+$(stop ' C C C C')\$" \
			"$k: $pmu: a start takes six writes, a reading four reads, a stop a freeze and four reads"
		like "$(logged_accesses "$TMP/log" "$pmu 1")" \
			"^ W:301 E E E E W:0( W:1 C C C C W:0)+$(stop ' C C C C')\$" \
			"$k: $pmu: a snapshot adds only the writes that freeze and unfreeze the box"
	done
	# A counter in configuration space takes two reads, or more near a carry.
	like "$(logged_accesses "$TMP/log" 'uncore_upi_0 1')" \
		"^ W:301 E E E E W:0( W:1( C){8,16} W:0)+$(stop '( C){8,16}')\$" \
		"$k: uncore_upi_0: a snapshot reads each PCI counter in two accesses or more"
	is "$(grep '^idle' "$TMP/out")" 'idle 0 0' "$k: no register is accessed while no event is open"
	# Sanitizer kernels have a tick on all CPUs.
	grep -q '^tickless 1$' "$TMP/out" && first=2 || first=1
	like "$(grep '^cpumask' "$TMP/out")" "^cpumask $first," \
		"$k: isolated and tickless CPUs are not designated"
	is "$(awk '$6 == "0x2ffe" { print $2 }' "$TMP/log" | sort -u | tr '\n' ' ')" \
		"$first 8 " "$k: loading reads MSRs on designated CPUs only"
done
finish
