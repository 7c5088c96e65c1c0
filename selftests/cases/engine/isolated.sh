#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A cpuset isolates the designated CPU of a package: within 30 s another CPU is designated
# and gets the open events, which lose no count. The look every 30 s finds it, so nothing
# does without an open event. Kernels before 6.7 do not report
# isolated CPUs.
# contract: cpumask
# kernels: 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Derive guest time from instructions, so that an idle minute takes no time on the host.
export OPENPMON_ICOUNT=1
each_vm --machine spr-2s <<'S'
mkdir -p /cgroup
mount -t cgroup2 none /cgroup
echo +cpuset >/cgroup/cgroup.subtree_control
mkdir /cgroup/kept

mkfifo /root/hold
is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'the first CPU of each package is designated before CPUs are isolated'
hw truth reset
perf stat -x'|' -o /root/stat -a --per-socket -e uncore_imc_0/event=0x33/ \
	-- cat /root/hold &
becomes 'hw truth 1/6/0 | grep -q "counted=[1-9]"'
echo 8-9 >/cgroup/kept/cpuset.cpus
echo isolated >/cgroup/kept/cpuset.cpus.partition
is "$(cat /cgroup/kept/cpuset.cpus.partition)" isolated 'the kernel isolates CPUs 8 and 9'
# Wait for 31 s of guest time at most, plus the time of the checks.
for n in $(seq 31); do
	[ "$(cat $PMUS/uncore_imc_0/cpumask)" = 0,8 ] || break
	sleep 1
done
is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,10 'within 31 s a CPU that is not isolated is designated'
is "$(engine_collector uncore_imc_0 1)" 10 'CPU 10 is the designated CPU of package 1'
polls() { awk '/^cpu: / { cpu = $2 } /pmon_timer_tick/ { printf "%s ", cpu }' /proc/timer_list; }
becomes '[ "$(polls)" = "0 10 " ]'
is "$(polls)" '0 10 ' 'the poll runs on the new designated CPU and not on the isolated one'
: >/root/hold
wait
while IFS='|' read -r socket cpus count rest; do
	case $socket in
	S?) uncore_agree "${socket#S}/6/0" "$count" 0x33 "$socket: an open event keeps an exact count" ;;
	esac
done </root/stat
is "$(grep -c '^S' /root/stat)" 2 'perf prints a count for each of two packages'

# Isolate all CPUs of the package, so that none is better than the designated one.
echo 8-15 >/cgroup/kept/cpuset.cpus
tracing=/sys/kernel/tracing
echo 1 >$tracing/events/workqueue/workqueue_execute_start/enable
looks() { grep -c ' workqueue_execute_start: .*function pmon_report_run' $tracing/trace; }
perf stat -a -e uncore_imc_0/event=0x33/ -- cat /root/hold 2>/dev/null &
sleep 65
is "$(($(looks) >= 2))" 1 'the driver looks twice a minute while an event is open'
is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,10 'the designated CPU stays when all CPUs of its package are isolated'
: >/root/hold
wait
# The last close is a look, too.
sleep 1
before=$(looks)
sleep 65
is "$(looks)" "$before" 'the driver does not look while no event is open'
runs 'the driver unloads while CPUs are isolated' rmmod pmon_uncore
S
finish
