#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A server has one function with limits, which has a PCI error. perf's events wait
# for half a minute, though no domain is there meanwhile, and count on; those of a
# function that is not back by then end, and the PMU goes with the last of them.
# Nothing is waited for when no event counts, or when the function is lost.
# check: newest
# all kernels: 6.1 6.12 newest sanitizer
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	recovery=$("$ROOT/selftests/build/test-module" recovery "$k") || exit
	in_vm "$k" --kernel "$k" --machine srf-1s --drivers none --timeout 900 \
		--copy "$recovery" <<-'END'
	. /lib/test/guest.sh
	. /lib/test/plr.sh
	plr_load
	insmod /root/recovery.ko
	function=0000:00:03.1
	intel_vsec=/sys/bus/pci/drivers/intel_vsec
	pmu=/sys/bus/event_source/devices/plr
	back=slot_reset
	case $(uname -r) in
	6.1.*) back=old_slot_reset ;;
	esac
	step() { echo "$function $1" >/sys/module/recovery/parameters/step; }
	# The function's own driver makes nothing anew since 7.2; elsewhere the
	# registers are read again within a second.
	again() {
		case $(uname -r) in
		[1-6].*) ;;
		*)
			echo $function >$intel_vsec/unbind
			echo $function >$intel_vsec/bind
			;;
		esac
	}
	counts() { # OPTION...: perf's lines go to stat until there is a file stop
		rm -f /root/stop /root/stat
		perf stat "$@" -x, -C 2 -I 500 -e plr/observed/ -o /root/stat -- sh -c \
			'while [ ! -e /root/stop ]; do sleep 0.1; done' &
		perf_pid=$!
		until grep -q ',[1-9][0-9.]*,ms,plr/observed/' /root/stat 2>/dev/null; do
			sleep 0.1
		done
	}
	# counted: from the first count on; before it an event waits for its first look
	counted() { sed -n '/,[1-9][0-9.]*,ms,plr.observed.,/,$p' /root/stat; }
	ends() {
		: >/root/stop
		wait $perf_pid
	}

	# waited SECONDS: from the last count to the first line without, by perf's times
	waited() {
		counted | awk -F, -v least="$1" '
			/<not counted>/ && !gone { gone = $1 }
			$2 > 0 && !gone { last = $1 } END { print (gone - last >= least) }'
	}

	# ---- it comes back
	counts
	runs "an error" step frozen
	runs "its slot is reset" step reset
	runs "its driver brings it back" step $back
	# 6.1 has no devices for TPMI; the domains stay.
	case $(uname -r) in
	6.1.*) ;;
	*) is "$(ls -d $pmu)" $pmu "the PMU is there, with or without domains" ;;
	esac
	runs "and is told the end" step resume
	# The line after this one may still hold what was counted before the error.
	lines=$(($(wc -l </root/stat) + 1))
	again
	since() { tail -n +$((lines + 1)) /root/stat; }
	becomes "since | grep -q ',[1-9][0-9.]*,ms,plr/observed/'"
	ends
	unlike "$(counted)" "<not" "no event has ended"
	like "$(since)" ',[1-9][0-9.]*,ms,plr/observed/' \
		"they count on"

	# ---- nobody counts any more meanwhile
	waits() { # how often it is looked whether the function is late, in 3 s
		T=/sys/kernel/tracing
		echo >$T/trace
		echo 1 >$T/events/workqueue/workqueue_execute_start/enable
		sleep 3
		echo 0 >$T/events/workqueue/workqueue_execute_start/enable
		grep -c 'function plr_saved_look' $T/trace
	}
	mkfifo /root/control
	counts --control fifo:/root/control
	step frozen
	sleep 0.5
	like "$(waits)" '^[1-9]' "frozen: who counts waits for the function"
	echo disable >/root/control
	sleep 2
	is "$(waits)" 0 "who does not need not"
	ends
	step reset
	step $back
	step resume
	again
	until [ -e $PMON/pkg0-dom0 ]; do sleep 0.1; done

	# ---- it does not
	case $(uname -r) in
	6.1.*) ;;
	*)
		counts
		step frozen
		step reset
		# Before 7.2 there are new devices, that wait for the end of the
		# error and find the function asleep.
		step old_slot_reset
		hw d3 0 on
		step resume
		for n in $(seq 400); do
			! counted | grep -q '<not counted>' || break
			sleep 0.1
		done
		like "$(tail -n 1 /root/stat)" '<not counted>' "they end"
		ends
		is "$(waited 20)" 1 "after they have waited for twenty seconds"
		becomes '[ ! -e $pmu ]'
		is "$(ls -d $pmu 2>&1 | grep -c 'No such')" 1 \
			"and the PMU leaves with them"
		hw d3 0 off
		echo $function >$intel_vsec/unbind
		echo $function >$intel_vsec/bind
		counts
		ends
		unlike "$(counted)" "<not" "it is there when the function is"
		;;
	esac

	# ---- the error has no end: on kernels without TPMI nothing goes then
	case $(uname -r) in
	6.1.*)
		counts
		step frozen
		for n in $(seq 140); do
			! counted | grep -q '<not counted>' || break
			sleep 1
		done
		like "$(tail -n 1 /root/stat)" '<not counted>' "frozen: they end"
		ends
		is "$(waited 100)" 1 "after they have waited for a hundred seconds"
		is "$(ls -d $pmu)" $pmu "the PMU stays with its domains"
		step reset
		step old_slot_reset
		step resume
		counts
		ends
		unlike "$(counted)" "<not" "and counts when that has ended"
		;;
	esac

	# ---- unloaded while it is awaited
	step frozen
	step reset
	step $back
	runs "unloaded meanwhile" rmmod pmon_plr
	step resume
	again
	modprobe pmon_plr
	plr_stat /root/stat 1 -a -e plr/observed/
	like "$(cat /root/stat)" '^[1-9][0-9.]*,ms,plr/observed/' "and loaded"

	# ---- lost for good, as a look finds
	counts
	step lost
	sleep 0.5
	echo $function >$intel_vsec/unbind
	ends
	becomes '[ ! -e $pmu ]'
	is "$(ls -d $pmu 2>&1 | grep -c 'No such')" 1 "lost for good: the PMU leaves at once"
	plr_unload
	finish
	END
done
finish
