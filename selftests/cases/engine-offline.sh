#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A CPU goes offline on a server with 666 boxes: as long as no event is open on
# it nothing walks over PMUs. The calls of functions of the modules are counted,
# by ftrace, and intel_uncore's beside. With one event open there is the work of
# one event.
# kernels: 6.1 6.12 newest
# check: 6.1
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/hang-host.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-full --drivers ours \
		--copy "$ATTACKS/hold" --copy "$ROOT/selftests/bench/offline" <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh
	. /lib/test/engine.sh
	. /lib/test/hold.sh

	# few NAME CPU MOST: that many calls, or fewer
	few() {
		few_calls=$(/root/offline "$2" $modules)
		note "$1: $few_calls calls, $(ls $PMUS | grep -c ^uncore_) PMUs"
		[ "$few_calls" -le "$3" ] && ok "$1" || not_ok "$1" "$(cat /tmp/called)"
	}
	modules='pmon pmon_uncore pmon_plr pmon_cxl pmon_r2pcie'
	serves() { collector uncore_imc_0 1; }
	other=$(cpus_of 1 | tail -n 1)
	isnt "$other" "$(serves)" 'there is a CPU that serves nothing'
	# The calls at most: those of a package, its die and their lists.
	few 'nothing open, a CPU that serves nothing' "$other" 24
	few 'nothing open, the CPU that serves the package' "$(serves)" 24
	hw global all =0
	holds
	say "open uncore_imc_0 $(serves) 0x21"
	few 'an event open, a CPU that serves nothing' "$other" 24
	few 'an event open, the CPU that serves it' "$(serves)" 200
	say disable
	agree 1/6/0 "$(reading)" 0x21 'it counted through it'
	releases
	few 'closed again, the CPU that serves the package' "$(serves)" 24
	finish
	S
	vm --kernel "$k" --machine gnr-full --drivers upstream \
		--copy "$ROOT/selftests/bench/offline" -- \
		'/root/offline intel_uncore; cat /tmp/called' >"$TMP/out" 2>&1
	note "$k, intel_uncore: $(tr '\n' ';' <"$TMP/out")"
done
finish
