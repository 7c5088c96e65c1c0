#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test the PMU "plr_task": for how long a task ran on CPUs whose module was limited. The truth
# comes from the schedule of the emulated hardware and the CPU time and module of each task.
# contract: task
# all kernels: 6.1 6.12 newest
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --program tasks <<'SCRIPT'
plr_kernel
modprobe pmon gid=2000
modprobe pmon_plr
PMUS=/sys/bus/event_source/devices
events=plr_task/power/,plr_task/observed/,task-clock
mount -t tmpfs none /sys/fs/cgroup
mkdir /sys/fs/cgroup/perf_event
mount -t cgroup -o perf_event none /sys/fs/cgroup/perf_event

# first_cpu P/D/M: print the first CPU of a module
first_cpu() {
	sed 's/[,-].*//' "$PMON/pkg${1%%/*}-dom$(echo "$1" | cut -d/ -f2)/plr/core${1##*/}/cpus"
}
limited=$(first_cpu 0/0/0) free=$(first_cpu 0/0/3) far=$(first_cpu 1/0/1) die=$(first_cpu 0/1/0)
# arm MS: have all domains polled, and wait until all modules were read
arm() {
	for dir in $PMON/pkg*-dom*/plr; do echo "$1" >$dir/interval_ms; done
	[ "$1" = 0 ] || for dir in $PMON/pkg*-dom*/plr; do plr_watched $dir/die/active >/dev/null; done
	sleep 2
}
# value EVENT [FILE]: print the ms that perf stat counted
value() { awk -F, -v e="$1" '$3 == e { printf "%d\n", $1 }' "${2-/root/stat}"; }
# right NAME: power is the CPU time of all tasks on limited modules. Before a task spins it may
# have run on any CPU.
right() {
	set -- "$1" $(awk '{ t += $1; ran += $2 } END { printf "%d %d", t, ran }' truth)
	between $(($2 * 95 / 100)) "$(value plr_task/power/)" \
		$(($2 * 105 / 100 + $(value task-clock) - $3)) "$1" \
		"truth: $(cat truth), counted: $(grep , /root/stat)"
	rm truth
}
count() { perf stat -x, -o /root/stat -e $events "$@"; }
# polled: print begin and end in ms of each poll of the traced domain
polled() {
	awk -v work="$work" 'index($0, work) { t = $4 * 1000
		if (/execute_start/) from = t; else if (from) print from, t }' $tracing/trace
}

is "$(cd $PMUS/plr_task; diff -r events ../plr/events && ls | tr '\n' ' ')" \
	"events format perf_event_mux_interval_ms power subsystem type uevent " \
	"plr_task has the events of plr, and no file cpumask"

# ---- limits that begin and end: a limit counts from the second poll that finds it until the
# second that does not, so its error is that of these polls' times
tracing=/sys/kernel/tracing
mount -t tracefs tracefs $tracing 2>/dev/null
echo mono >$tracing/trace_clock
for e in start end; do echo 1 >$tracing/events/workqueue/workqueue_execute_$e/enable; done
echo 100 >$PMON/pkg0-dom0/plr/interval_ms
work=$(sed -n 's/.*work struct \([^:]*\): function plr_domain_work.*/\1/p' $tracing/trace | head -n 1)
arm 100
/root/tasks limit 5 400 900 0/0/0
/root/tasks edges 2 "$limited" >edges
echo 0 >$tracing/tracing_on
polled >polls
awk 'FNR == NR { from[++n] = $1; to[n] = $2; next }
	# Return the first poll that surely looks after a time, and print the bounds of the second.
	function second(at) {
		for (k = 1; k < n && from[k] < at; k++);
		early = from[k - (k > 1 && to[k - 1] > at) + 1]
		late = to[k + 1]
		for (i = k - 1; i < k + 2; i++) if (i > 1) {
			if (to[i] - from[i - 1] > longest) longest = to[i] - from[i - 1]
			if (from[i] - to[i - 1] < shortest) shortest = from[i] - to[i - 1]
		}
	}
	{ longest = 0; shortest = 1e9; second($1); begin = early; begun = late; second($2)
		# Other tasks may have run for $4 ms, at most.
		wrong += $3 + $4 < early - begun - 2 || $3 > late - begin + 2
		error = $3 - ($2 - $1)
		far += error > 2 * longest - shortest || error + $4 < shortest - 2 * longest }
	END { print FNR, wrong + 0, far + 0 }' polls edges >got
read -r limits wrong far <got
[ "$wrong" = 0 ] || sed 's/^/# /' edges polls
is "$limits $wrong" "5 0" "a limit counts from the second poll with it to the second without"
is "$far" 0 "each of the limits is right within the time between its polls"
is "$(grep -c back edges)" 0 "a count never goes back"
rm -f truth

# ---- tasks on modules that are limited all the time, so that no load of the host matters
/root/tasks limit 1 600000 1 0/0/0 1/0/1
becomes 'count /root/tasks run "$limited" 0.2; [ "$(value plr_task/power/)" -gt 180 ]'
rm truth
(perf stat -x, -o /root/second -e $events /root/tasks run $limited 1) &
count /root/tasks run "$limited" 1
wait
awk -F, '$1 + 0 > 0 { v[$3] += $1 } END { for (e in v) print v[e] ",," e }' /root/stat /root/second >/root/sum
mv /root/sum /root/stat
right "two tasks that share a limited CPU have the limited time once"
count /root/tasks run "$limited,$free,$far,$die" 2 130
right "a task that moves over modules, dies and packages counts on limited ones alone"
between 95 $((100 * $(value plr_task/observed/) / $(value task-clock))) 100 "nearly all of its time is observed"
count /root/tasks fork "$limited,$free" 1 50
right "children and their children count for the job"
/root/tasks run "$limited" 3 &
perf stat -x, -o /root/stat -e $events -p $! sleep 1
wait
rm truth
between $(($(value task-clock) * 95 / 100)) "$(value plr_task/power/)" $(($(value task-clock) * 105 / 100)) \
	"a running task can be counted by its PID" "$(cat /root/stat)"
count /root/tasks run "$free" 1
right "a task beside a limited module counts nothing"
perf stat -x, -a -A -o /root/stat -e plr_task/power/ sleep 1
is "$(awk -F, '/plr_task/ && $2 > 0 { print $1 }' /root/stat | tr '\n' ' ')" \
	"$(cat $PMON/pkg0-dom0/plr/core0/cpus $PMON/pkg1-dom0/plr/core1/cpus | tr ',-' '\n\n' | sed 's/^/CPU/' | tr '\n' ' ')" \
	"events of CPUs count on those of the limited modules"

# ---- cgroups: one on the limited module, one beside it. perf sees the cgroup of a task at a
# switch of tasks, so each task moves between the CPUs of its module.
both_cpus() { tr '-' ',' <"$PMON/pkg0-dom0/plr/$1/cpus"; }
for g in a b; do mkdir /sys/fs/cgroup/perf_event/$g; done
for run in "a core0" "b core3"; do
	sh -c "echo \$\$ >/sys/fs/cgroup/perf_event/${run% *}/cgroup.procs
		exec /root/tasks run $(both_cpus "${run#* }") 2.5 30" &
done
sleep 0.7
perf stat -x, -a -o /root/stat -e plr_task/power/,plr_task/power/ -G a,b sleep 1
wait
is "$(awk -F, '/plr_task/ { print $4, ($1 > 500 ? "limited" : $1 == "0.00" ? "free" : $1) }' /root/stat | tr '\n' ' ')" \
	"a limited b free " "the cgroup on the limited module has the time, another none"
/root/tasks limit 1 1 1 0/0/0

# ---- an event requests polls of all domains, an inherited one nothing
arm 0
becomes '[ "$(plr_unwatched $PMON/pkg1-dom1/plr/die/active)" = "No data available" ]'
count sh -c ". /lib/test/plr.sh; plr_watched $PMON/pkg1-dom1/plr/die/active" >/root/said
isnt "$(cat /root/said)" "No data available" "an open event has every domain polled"
is "$(plr_unwatched $PMON/pkg1-dom1/plr/die/active)" "No data available" "the last close ends the polls"
is "$(perf stat -e $events /root/tasks storm 300 "$limited,$free,$far" 2>/dev/null)" \
	"0 of 300 forks failed" "a task with events forks as without"

# ---- groups, and the registers that go
perf stat -x, -o /root/stat -e '{task-clock,plr_task/observed/,msr/tsc/}:D' sleep 0.1
unlike "$(cat /root/stat)" 'not ' "a group with events of the kernel counts, pinned"
perf record -q -o /root/data -e '{cpu-clock,plr_task/observed/}:S' /root/tasks run 0 0.5 2>/root/said
like "$(perf script -i /root/data -F event 2>/dev/null | sort | uniq -c)" 'plr_task/observed/' "perf record reads it with each sample"
rm -f truth
arm 100
/root/tasks run "$limited" 9 &
task=$!
(sleep 1; echo 0000:00:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind; sleep 1.5; plr_bind 0000:00:03.1) &
perf stat -x, -I 1000 -o /root/stat -e plr_task/observed/ -p $task sleep 5.5
wait
awk -F, '/plr_task/ { if ($2 !~ /^[0-9.]+$/) bad++; if ($2 < 100) still++; last = $2 }
	END { print bad + 0, (still > 0), (last > 100) }' /root/stat >/root/got
is "$(cat /root/got)" "0 1 1" "an event goes on without its registers, and nothing is observed"
rm -f truth
fails "a used module is not unloaded" sh -c 'perf stat -e plr_task/power/ rmmod pmon_plr'

# ---- rights
chmod 777 /root
echo 2 >/proc/sys/kernel/perf_event_paranoid
open_as() { /root/tasks as 1000 "$1" perf stat -x, -e "$2" true 2>&1; }
like "$(open_as 2000 plr_task/power/)" '^[0-9.]+,ms,plr_task/power/' "a member of the group counts its tasks while root has all domains polled"
unlike "$(open_as 1000 plr_task/power/)" '^[0-9.]+,' "another user does not"
unlike "$(open_as 2000 plr_task/frequency/)" '^[0-9.]+,' "a member does not count a reason outside the gate"
arm 0
unlike "$(open_as 2000 plr_task/power/)" '^[0-9.]+,' "a member does not count while root has no domain polled"
arm 1000
hw count reset
/root/tasks as 1000 2000 perf stat -o /dev/null -e plr_task/power/ sleep 2
with=$(plr_total)
hw count reset
sleep 2
# Polls for an event would be ten a second.
between -30 $((with - $(plr_total))) 30 "an event of a member requests no poll"
echo -1 >/proc/sys/kernel/perf_event_paranoid
for flag in u:0 H:0 k:1 h:1 G:1; do
	case ${flag#*:} in
	0) like "$(perf stat -x, -e plr_task/power/${flag%:*} true 2>&1)" '^[0-9.]+,ms' "the modifier ${flag%:*} is accepted" ;;
	1) unlike "$(perf stat -x, -e plr_task/power/${flag%:*} true 2>&1)" '^[0-9.]+,ms' "the modifier ${flag%:*} is refused" ;;
	esac
done
arm 0
plr_unload
SCRIPT
done
finish
