#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A cpuset isolates the designated CPU of a package while the machine runs: within a
# minute another one serves it, with its open events, which lose no count. Who looks
# for that begins with the first event and ends with the last.
# Kernels before 6.7 tell nobody of such CPUs.
# contract: cpumask
# kernels: 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Guest time is instructions: a minute in which nothing runs takes none.
export OPENPMON_ICOUNT=1
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --drivers ours <<'S'
. /lib/test/guest.sh
. /lib/test/uncore.sh
. /lib/test/engine.sh

mkdir -p /cgroup
mount -t cgroup2 none /cgroup
echo +cpuset >/cgroup/cgroup.subtree_control
mkdir /cgroup/kept

mkfifo /root/hold
is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'the designated CPUs'
hw truth reset
perf stat -x'|' -o /root/stat -a --per-socket -e uncore_imc_0/event=0x33/ \
	-- cat /root/hold &
becomes 'hw truth 1/6/0 | grep -q "counted=[1-9]"'
echo 8-9 >/cgroup/kept/cpuset.cpus
echo isolated >/cgroup/kept/cpuset.cpus.partition
is "$(cat /cgroup/kept/cpuset.cpus.partition)" isolated 'two CPUs are isolated'
# A minute of the guest, which is longer for who looks.
for n in $(seq 60); do
	[ "$(cat $PMUS/uncore_imc_0/cpumask)" = 0,8 ] || break
	sleep 1
done
is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,10 'within a minute another CPU serves'
is "$(collector uncore_imc_0 1)" 10 'new events are opened there'
: >/root/hold
wait
while IFS='|' read -r socket cpus count rest; do
	case $socket in
	S?) agree "${socket#S}/6/0" "$count" 0x33 "$socket: an open event counts on" ;;
	esac
done </root/stat
is "$(grep -c '^S' /root/stat)" 2 'both packages count'

# Those of all its CPUs: there is no better one.
echo 8-15 >/cgroup/kept/cpuset.cpus
sleep 35
is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,10 'where all are isolated it stays'

tracing=/sys/kernel/tracing
for event in workqueue/workqueue_execute_start timer/timer_start timer/timer_cancel; do
	echo 1 >$tracing/events/$event/enable
done
looks() { grep -c ' workqueue_execute_start: .*function pmon_isolation_check' $tracing/trace; }
perf stat -a -e uncore_imc_0/event=0x33/ -- cat /root/hold 2>/dev/null &
becomes '[ "$(looks)" = 1 ]'
is "$(looks)" 1 'the first event that counts starts to look'
# The timer that is started next on that CPU is for the next time.
timer=$(awk '/ workqueue_execute_start: .*function pmon_isolation_check/ { cpu = $2 }
	cpu && $2 == cpu && / timer_start: .*function=delayed_work_timer_fn/ {
		sub(/.*timer=/, ""); print $1; exit }' $tracing/trace)
: >/root/hold
wait
is "$(grep -c " timer_cancel: timer=$timer\$" $tracing/trace)" 1 'the last one ends that'
sleep 35
is "$(looks)" 1 'nobody looks any more'
runs 'the driver goes' rmmod pmon_uncore
finish
S
done
finish
