#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check that a refused open has no effect on the machine, although perf calls the driver's
# event_init before it checks rights. A user without rights tries each of our PMUs and the
# tracepoint, in all ways, at every level that refuses: no register is accessed, no latched
# reason is lost, no module is held, nothing is logged, and no work is queued.
# contract: rights-cost commands
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine "$(machine_plr_lean)" --drivers none \
	--program rights <<'SCRIPT'
. /lib/test/plr.sh
. /lib/test/rights.sh
rights_load
pmus=/sys/bus/event_source/devices
id=$(cat /sys/kernel/tracing/events/pmon/plr_reasons/id)

# Print the events to try: each PMU, on a CPU and in a task, with kernel code and without.
ways_to_ask() {
	for pmu in $pmus/plr $pmus/uncore_*; do
		for where in cpu=$(cut -d, -f1 $pmu/cpumask | cut -d- -f1) task; do
			for code in '' ,user; do
				echo "event $(cat $pmu/type) 1 $where$code"
			done
		done
	done
}
ways_to_ask >/tmp/pmus
for where in cpu=0 task; do
	for how in '' ,user ,raw ,raw,user; do
		echo "event 2 $id $where$how"
	done
done >/tmp/tracepoint
served=$(ls -d $pmus/plr $pmus/uncore_* | wc -l)
is "$(wc -l </tmp/pmus) $(grep -c . /tmp/tracepoint)" "$((4 * served)) 8" \
	"the case has $((4 * served)) events of $served PMUs and 8 of the tracepoint"

# log_lines: print our log lines only; others, as of a slow clock, may come at any time
log_lines() { dmesg | grep pmon; }

# state: print all that must not change
state() {
	echo "reasons $(hw plr 0/0/1)"
	for module in pmon pmon_uncore pmon_plr; do
		echo "$module $(cat /sys/module/$module/refcnt)"
	done
	log_lines
}

# worked: count queued work items of our drivers, without the kernel's own
tracing=/sys/kernel/tracing
echo 1 >$tracing/events/workqueue/workqueue_queue_work/enable
worked() { grep -cE 'function=(pmon|plr|uncore|cxl|r2)_' $tracing/trace; }

hw plr 0/0/1 0x10
for level in 1 2 3 4; do
	echo $level >/proc/sys/kernel/perf_event_paranoid
	for what in pmus tracepoint; do
		before=$(state)
		hw count reset
		/root/rights everybody 3 </tmp/$what >/tmp/answers
		accessed=$(rights_accessed)
		is "$(grep ' yes$' /tmp/answers)" '' "$what, level $level: every open is refused"
		is "$accessed" '' "$what, level $level: a refused open accesses no register"
		is "$(worked)" 0 "$what, level $level: a refused open queues no work"
		is "$(state)" "$before" \
			"$what, level $level: a refused open changes no reason, reference or log"
		# Restore the value that a failed row may have cleared.
		hw plr 0/0/1 0x10
	done
done
is "$(cat $PMON/pkg0-dom0/plr/core1/reasons)" PLATFORM \
	'reasons of the core still show the latched PLATFORM'

echo 2 >/proc/sys/kernel/perf_event_paranoid

# Blocked writes are logged when monitoring starts.
hw feature 0 0x0c write-blocked
lines=$(log_lines | wc -l)
{
	echo "event $(cat $pmus/plr/type) 2 cpu=0,user"
	echo "event 2 $id task,user"
} | /root/rights everybody 20 >/tmp/answers
is "$(log_lines | tail -n +$((lines + 1)))" '' 'opens without rights log nothing'
hw feature 0 0x0c ok

# While a domain is monitored, readers without CAP_PERFMON get ten commands at once and 20
# a second. Beyond these a read returns no value from before a clear, and none that was
# read while writes were blocked.
core=$PMON/pkg0-dom0/plr/core1
echo all >$core/clear
echo 50 >$PMON/pkg0-dom0/plr/interval_ms
plr_watched $core/active >/dev/null
# Monitoring reads each module a second time half a second after the first.
sleep 1
# shows ACTOR TIMES: print the result of the last of TIMES reads
shows() {
	echo "show $core/reasons" | /root/rights $1 $2 | sed 's/^[^ ]* [^ ]* //'
}
commands() { hw count | sed -n 's/^class=mailbox .*writes=\([0-9]*\).*/\1/p'; }
# FREQUENCY is not in the gate, so hardware keeps it.
hw plr 0/0/1 =0x1
hw count reset
is "$(shows root 60)" FREQUENCY 'root reads FREQUENCY under monitoring'
is "$(($(commands) >= 60))" 1 "root's reads cost a command each"
# Wait, because root's commands have used up the common budget.
sleep 1
hw count reset
started=$(guest_ms)
is "$(shows group 60)" FREQUENCY 'a reader without CAP_PERFMON reads FREQUENCY under monitoring'
taken=$(commands)
allowed=$((10 + ($(guest_ms) - started) / 50 + 1))
is "$((taken <= allowed ? 0 : taken))" 0 \
	"a reader without CAP_PERFMON costs $taken commands in 60 reads, at most $allowed"
echo FREQUENCY >$core/clear
like "$(shows group 1)" '^(EBUSY|none)$' 'a reader without CAP_PERFMON sees no value from before a clear'
case $(uname -r) in
6.1.*) ;;
*)
	# The driver does not test for blocked writes while commands have an effect.
	hw mailbox 0/0 slow 100000
	hw plr 0/0/1 =0x1
	sleep 1.2
	is "$(shows group 60)" FREQUENCY 'a reader without CAP_PERFMON reads FREQUENCY again'
	hw feature 0 0x0c write-blocked
	# A clear tests for blocked writes first; a read of the module that was read
	# last may not.
	not_written 'Operation not supported' \
		'a clear gives EOPNOTSUPP when writes are blocked' $core/clear FREQUENCY
	is "$(shows root 1)" EOPNOTSUPP "root's read gives EOPNOTSUPP when writes are blocked"
	like "$(shows group 1)" '^(EBUSY|EOPNOTSUPP)$' \
		'a reader without CAP_PERFMON sees no value read under blocked writes'
	hw feature 0 0x0c ok
	;;
esac
echo 0 >$PMON/pkg0-dom0/plr/interval_ms

guest_goes_all 'pmon_plr and pmon_uncore unload' pmon_plr pmon_uncore
SCRIPT
finish
