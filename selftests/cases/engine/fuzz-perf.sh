#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run half a minute of random events, reads and writes, while modules, CPUs, devices
# and the hardware come and go: nothing hangs and the kernel logs no complaint. Then
# every PMU opens and counts, and all modules unload and load again.
#
# The emulated mailboxes often do not finish a command. After a second the driver writes
# over such a command, which the emulator counts as an illegal access.
#
# FUZZ_SEED: random seed; FUZZ_SECONDS: duration; FUZZ_WITHOUT: operations to leave out, see
# selftests/kunit/fuzz/perf; FUZZ_ALLOW: options of in_vm, instead of --allow-illegal.
# kernels: 6.12 newest sanitizer
# all kernels: 6.12
# check: sanitizer
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

seed=${FUZZ_SEED:-3}
seconds=${FUZZ_SECONDS:-30}
without=${FUZZ_WITHOUT-}
fuzz=$("$ROOT/selftests/lib/build/fuzz-perf")
# Two packages with few units of each type, so that modules load fast.
machine=$(machine gnr-2s '
m["cpu"].update(cores=4, threads=1, cpus_per_module=1)
package = m["packages"][0]
for unit in package["discovery"]["units"]:
    unit["count"] = min(unit.get("count", 1), 2)
package["discovery"]["free_running"][0]["count"] = 2
package["tpmi"]["plr"][0]["modules"] = 2
')

for k in $KERNELS; do
	case $k in
	sanitizer) patience=540 more=1500 ;;
	*) patience=180 more=300 ;;
	esac
	cat >"$TMP/options" <<-S
		seconds=$((seconds + more))
		options="--time $seconds --seed $seed --patience $patience \
			${without:+--without $without}"
	S
	# shellcheck disable=SC2086 # options
	in_vm "$k" --kernel "$k" --machine "$machine" --copy "$fuzz/fuzz" \
		--module power --copy "$TMP/options" --timeout $((seconds + more)) \
		${FUZZ_ALLOW---allow-illegal} <<-'S'
	. /root/options
	insmod /root/power.ko

	# pmus: list each PMU and its designated CPUs
	pmus() { grep . $PMUS/uncore_*/cpumask $PMUS/plr/cpumask 2>/dev/null; }

	# all_count: list events that do not count, or not all the time, and print the
	# number of PMUs. Try again, since an event of plr counts only after its first poll.
	all_count() {
		events=
		for pmu in $(cd $PMUS && ls -d uncore_* plr 2>/dev/null); do
			case $pmu in
			plr) event=observed ;;
			*free_running*) event=$(ls $PMUS/$pmu/events | grep -v '[.]' | head -n 1) ;;
			*) event=event=5,umask=0xcf ;;
			esac
			events="$events -e $pmu/$event/"
		done
		for try in 1 2 3 4 5; do
			perf stat -x'|' -a -A -o /tmp/stat $events -- sleep 2
			grep 'plr/' /tmp/stat | grep -q '<not' || break
		done
		awk -F'|' '$1 ~ /^CPU/ {
			if ($2 + 0 <= 0 || ($4 !~ /^plr/ && $6 != "100.00"))
				print
			seen[$4] = 1
		}
		END {
			for (event in seen) n++
			print n + 0, "PMUs"
		}' /tmp/stat
	}

	# state: list drivers, functions and PMUs
	state() {
		ls -l /sys/bus/auxiliary/devices/*/driver /sys/bus/pci/drivers/intel_vsec
		grep . /sys/bus/pci/devices/0000:?0:03.1/resource \
			/sys/bus/pci/devices/0000:?0:03.1/power_state
		ls $PMON $PMUS
		grep . $PMON/pkg*-dom*/plr/cpus
	}

	# unload: unload all modules; print modules and files that stay
	unload() {
		for module in pmon_plr pmon_uncore pmon; do
			[ ! -e /sys/module/$module ] || becomes "rmmod $module 2>/tmp/why" ||
				echo "$(cat /tmp/why): $(cat /sys/module/$module/refcnt) users"
		done
		ls -d $PMUS/uncore_* $PMUS/plr $PMON/* 2>/dev/null
	}

	pmus >/tmp/pmus
	# Write to a file, because a stuck process would keep a pipe open.
	status=0
	/root/fuzz $options >/tmp/said || status=$?
	cat /tmp/said
	tap_n=$(grep -cE '^(not )?ok ' /tmp/said)
	if [ $status != 0 ]; then
		# The log has the waiting tasks.
		note "$(dmesg | tail -n 1000)"
		note "$(state)"
		exit 1
	fi

	# Log waiting tasks before vm/run ends the guest, in case a task hangs from here on.
	(sleep $((seconds - 60)); echo w >/proc/sysrq-trigger) >/dev/null 2>&1 &
	watchdog=$!
	trace=/sys/kernel/tracing/events/pmon/plr_reasons
	for file in enable filter; do
		[ ! -e $trace ] || echo 0 >$trace/$file
	done
	# A write of "!TRIGGER" removes TRIGGER.
	sed '/^#/d; s/\[.*//' $trace/trigger 2>/dev/null | while read -r set; do
		echo "!$set" >$trace/trigger
	done
	echo 1 >/sys/kernel/tracing/tracing_on

	n=$(pmus | wc -l)
	[ $n = 0 ] || is "$(all_count)" "$n PMUs" 'after the fuzzer: every PMU opens and counts'
	is "$(unload)" '' 'after the fuzzer: all modules unload and leave no file'
	runs 'after the fuzzer: all modules load again' modprobe -a pmon_uncore pmon_plr
	becomes '[ "$(pmus)" = "$(cat /tmp/pmus)" ]'
	[ "$(pmus)" = "$(cat /tmp/pmus)" ] || note "$(state; dmesg | tail -n 200)"
	is "$(pmus)" "$(cat /tmp/pmus)" 'loaded again: every PMU is registered with its designated CPUs'
	is "$(all_count)" "$(wc -l </tmp/pmus) PMUs" 'loaded again: every PMU opens and counts'
	is "$(uncore_all_units 0.2)" "all $(hw units | wc -l)" 'loaded again: every unit counts exactly'
	is "$(unload)" '' 'at the end: all modules unload and leave no file'
	kill $watchdog
	S
done
finish
