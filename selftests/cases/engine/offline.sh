#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A CPU goes offline on a server with 666 boxes. Without an event on the CPU the modules
# walk no list of PMUs, only the CPUs, to find a new designated CPU. ftrace counts the calls
# of the modules' functions, and of intel_uncore's for comparison. One open event adds a
# walk over the PMUs, and calls for the event's PMU.
# contract: offline
# kernels: 6.1 6.12 newest
# check: 6.1
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-full \
		--program hold --copy "$ROOT/selftests/cases/bench/offline" <<-'S'
	cpus=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | wc -l)
	# few NAME CPU CALLS EACH: take CPU offline; allow CALLS calls, EACH per function
	few() {
		few_calls=$(/root/offline "$2" $modules)
		note "$1: $few_calls calls, $(ls $PMUS | grep -c ^uncore_) PMUs, $cpus CPUs"
		[ "$few_calls" -le "$3" ] &&
			[ "$(awk 'NR == 1 { print $1 }' /tmp/called)" -le "$4" ] &&
			ok "$1" || not_ok "$1" "$(cat /tmp/called)"
	}
	modules='pmon pmon_uncore pmon_plr pmon_cxl pmon_r2pcie'
	serves() { engine_collector uncore_imc_0 1; }
	other=$(engine_cpus_of 1 | tail -n 1)
	isnt "$other" "$(serves)" 'some CPU is not the designated one'
	few \
		'a CPU that is not designated goes offline with few calls while no event is open' "$other" $((4 * cpus)) $((2 * cpus))
	few 'the designated CPU goes offline with few calls while no event is open' "$(serves)" $((4 * cpus)) $((2 * cpus))
	hw global all =0
	hold_start
	hold_run "open uncore_imc_0 $(serves) 0x21"
	few \
		'a CPU that is not designated goes offline with few calls beside an event' "$other" $((4 * cpus)) $((2 * cpus))
	few 'the designated CPU goes offline with few calls beside an event' "$(serves)" $((6 * cpus)) $((2 * cpus))
	hold_run disable
	uncore_agree 1/6/0 "$(hold_reading)" 0x21 'the event counts exactly while CPUs go offline'
	hold_end
	few \
		'the designated CPU goes offline with few calls after the last close' "$(serves)" $((4 * cpus)) $((2 * cpus))
	S
	[ -z "$short" ] || continue
	vm --kernel "$k" --machine gnr-full --drivers upstream \
		--copy "$ROOT/selftests/cases/bench/offline" -- \
		'/root/offline intel_uncore; cat /tmp/called' >"$TMP/out" 2>&1
	note "$k, intel_uncore: $(tr '\n' ';' <"$TMP/out")"
done
finish
