#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Half a minute of random events, reads and writes, by root and by nobody, while
# modules, CPUs, devices and the hardware come and go: nothing hangs, the kernel
# says nothing, nobody gets what he has no right to. Then every PMU opens and
# counts, and all modules unload and come back.
#
# A mailbox that never ends a command is written over after a second, which the
# bench calls illegal; here mailboxes do that all the time.
#
# FUZZ_SEED, FUZZ_SECONDS; FUZZ_WITHOUT: what is not done, see
# selftests/kunit/fuzz/perf; FUZZ_ALLOW: options for the guest.
# all kernels: 6.12
# check: sanitizer
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

seed=${FUZZ_SEED:-3}
seconds=${FUZZ_SECONDS:-30}
# A device that falls asleep behind its driver's back is accessed until that is
# seen: the bench would call that illegal.
without=${FUZZ_WITHOUT-d3}
fuzz=$("$ROOT/selftests/lib/build/fuzz-perf")
# One of each kind in two packages: loading takes a moment only.
machine=$(machine gnr-2s '
m["cpu"].update(cores=4, threads=1, cpus_per_module=1)
package = m["packages"][0]
for unit in package["discovery"]["units"]:
    unit["count"] = min(unit.get("count", 1), 2)
package["discovery"]["free_running"][0]["count"] = 2
package["tpmi"]["plr"][0]["modules"] = 2
')

for k in $KERNELS; do
	# A slow worker is not stuck.
	case $k in
	sanitizer) patience=180 more=1500 ;;
	*) patience=60 more=300 ;;
	esac
	cat >"$TMP/options" <<-S
		seconds=$((seconds + more))
		options="--time $seconds --seed $seed --patience $patience \
			${without:+--without $without}"
	S
	# shellcheck disable=SC2086 # options
	in_vm "$k" --kernel "$k" --machine "$machine" --copy "$fuzz/fuzz" --program rights \
		--module power --copy "$TMP/options" --timeout $((seconds + more)) \
		${FUZZ_ALLOW---allow-illegal} <<-'S'
	. /root/options
	insmod /root/power.ko

	# pmus: each, with the CPUs that serve it
	pmus() { grep . $PMUS/uncore_*/cpumask $PMUS/plr/cpumask 2>/dev/null; }

	# all_count: what does not count, or not all the time that it is open, which an
	# event of limits begins with its first look only; and how many PMUs there are
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

	# unload: which of our modules stay, and what is left; on 6.1 the engine stays
	unload() {
		case $(uname -r) in 6.1.*) core= ;; *) core=pmon ;; esac
		for module in pmon_plr pmon_uncore $core; do
			[ ! -e /sys/module/$module ] || becomes "rmmod $module 2>/tmp/why" ||
				echo "$(cat /tmp/why): $(cat /sys/module/$module/refcnt) users"
		done
		ls -d $PMUS/uncore_* $PMUS/plr $PMON/* 2>/dev/null
	}

	# refused LEVEL PMU...: of so many, how many refuse an event of who has no rights
	refused() {
		echo $1 >/proc/sys/kernel/perf_event_paranoid
		shift
		for pmu; do
			case $pmu in *free_running*) config=0x10ff ;; *) config=1 ;; esac
			echo "event $(cat $PMUS/$pmu/type) $config cpu=$(sed 's/[-,].*//' $PMUS/$pmu/cpumask)"
		done | /root/rights everybody | awk '/EACCES/ { n++ } END { print n + 0, NR }'
	}

	pmus >/tmp/pmus
	# Not into a pipe: who is stuck would keep it open.
	status=0
	/root/fuzz $options >/tmp/said || status=$?
	cat /tmp/said
	tap_n=$(grep -cE '^(not )?ok ' /tmp/said)
	if [ $status != 0 ]; then
		# What the kernel has said last, as of who waits, and what is there then
		note "$(dmesg | tail -n 1000)"
		note "$(ls -l /sys/bus/auxiliary/devices/*/driver /sys/bus/pci/drivers/intel_vsec
			grep . /sys/bus/pci/devices/0000:?0:03.1/resource \
				/sys/bus/pci/devices/0000:?0:03.1/power_state
			ls $PMON $PMUS
			grep . $PMON/pkg*-dom*/plr/cpus)"
		exit 1
	fi

	# Who hangs from here on is in the kernel's log before the guest is ended.
	(sleep $((seconds - 60)); echo w >/proc/sysrq-trigger) >/dev/null 2>&1 &
	watchdog=$!
	trace=/sys/kernel/tracing/events/pmon/plr_reasons
	for file in enable filter; do
		[ ! -e $trace ] || echo 0 >$trace/$file
	done
	# A trigger goes when it is written with "!" before it, as it was set.
	sed '/^#/d; s/\[.*//' $trace/trigger 2>/dev/null | while read -r set; do
		echo "!$set" >$trace/trigger
	done
	echo 1 >/sys/kernel/tracing/tracing_on

	n=$(pmus | wc -l)
	[ $n = 0 ] || is "$(all_count)" "$n PMUs" 'as it was left: every PMU opens and counts'
	is "$(unload)" '' 'as it was left: all modules unload, nothing is left'
	runs 'all modules load again' modprobe -a pmon_uncore pmon_plr
	becomes '[ "$(pmus)" = "$(cat /tmp/pmus)" ]'
	is "$(pmus)" "$(cat /tmp/pmus)" 'loaded again: every PMU is there'
	is "$(all_count)" "$(wc -l </tmp/pmus) PMUs" 'loaded again: every PMU opens and counts'
	is "$(all_units 0.2)" "all $(hw units | wc -l)" 'and every unit exactly'
	is "$(refused -1 plr)" '1 1' 'at -1: without rights the PMU of limits never opens'
	set -- $(cd $PMUS && ls -d uncore_* plr)
	is "$(refused 1 "$@")" "$# $#" 'at 1: without rights no PMU of ours opens'
	is "$(unload)" '' 'at the end: all modules unload, nothing is left'
	kill $watchdog
	S
done
finish
