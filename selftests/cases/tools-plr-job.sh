#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# From work to reason: pmonctl plr -- ./job, --pid and --cgroup on emulated
# servers, with limits that come and go by a schedule while the work runs here
# and there. What the share of time must be follows from the schedule.
# kernels: 6.1 6.12 newest
# coverage: no, statistics of threads
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
plr_load

# busy SECONDS CPU...: on these CPUs, one after the other
cat >/root/busy <<'EOS'
seconds=$1
shift
for cpu; do
	taskset -p $(printf %x $((1 << cpu))) $$ >/dev/null
	end=$(($(cut -d. -f1 /proc/uptime) + seconds))
	while read -r up rest </proc/uptime && [ "${up%.*}" -lt $end ]; do :; done
done
EOS
# between LEAST MOST VALUE NAME
between() {
	if [ "${3:--1}" -ge "$1" ] && [ "$3" -le "$2" ]; then
		ok "$4: $3"
	else
		not_ok "$4" "got: $3
want: $1 to $2"
	fi
}
# share REASON: in /root/report, in percent; its CPUs
share() {
	awk -v r="$1" '$2 == "%" && $5 == r { print $1 }' /root/report
}
cpus() {
	awk -v r="$1" '$2 == "%" && $5 == r { print $6 }' /root/report
}
# ran PACKAGE NAME, limited PACKAGE NAME REASON: ms in /root/json
line() {
	grep "^{\"package\":$1,.*\"name\":\"$2\"" /root/json
}
ran() {
	line $1 $2 | sed 's/.*"ran_ms":\([0-9]*\).*/\1/'
}
limited() {
	line $1 $2 | sed -n "s/.*\"$3\",\"ms\":\([0-9]*\).*/\1/p"
}
always() {
	echo "plr $1 $2 0 600000000000" >/root/schedule
	hw plr schedule /root/schedule
}

# ---- a job on a module that is limited all the time
always 0/0/1 0x0000040000000004
# Its child begins where it is itself, and is seen there on a busy host.
exits 3 "a job" taskset 4 pmonctl plr -- sh -c 'sh /root/busy 3 2; exit 3'
echo "$out" >/root/report
like "$out" ' of CPU time on CPUs 2 .1 module' "where it ran"
between 80 100 "$(share POWER)" "limited all the time"
is "$(share POWER_PKG_PL1_MSR_TPMI)" "$(share POWER)" "the fine reason as long"
like "$(cpus POWER)" '^2$' "on that module's CPUs"
is "$(pmonctl plr -- echo said 2>/dev/null)" said "its output is its own"

# ---- a module that is not
exits 0 "a job elsewhere" taskset 10 pmonctl plr -- sh /root/busy 2 4
like "$out" '^Nothing limited it' "nothing limits it there"
like "$out" ' on CPUs 4 .1 module' "on one CPU"
hw plr stop

# ---- a part of the time, and a reason of its own for each module
cat >/root/half <<'EOS'
hw plr schedule /root/schedule
sh /root/busy 4 4 16
hw plr stop
EOS
cat >/root/schedule <<'EOS'
plr 0/0/2 0x0000000000000008 500000000 2500000000
plr 1/0/2 0x0000000000000010 0 60000000000
EOS
# A host that was too busy for these times has it run once more.
for try in 1 2 3 4 5; do
	status=0
	out=$(pmonctl plr --json -- taskset 10 sh /root/half 2>&1) || status=$?
	echo "$out" | tr -d ' \n' | sed 's/{"package":/\n&/g' >/root/json
	[ "$(ran 0 core2)" -gt 5500 ] || [ "$(ran 1 core2)" -gt 5500 ] ||
		[ "$(limited 0 core2 THERMAL)" -gt 2600 ] || break
done 2>/dev/null
is "$status" 0 "a job that moves"
between 2500 5500 "$(ran 0 core2)" "ms on the first module"
between 1500 2600 "$(limited 0 core2 THERMAL)" "of these limited, 2000 by the schedule"
is "$(limited 0 core2 PLATFORM)" "" "not by the other module's reason"
between 2500 5500 "$(ran 1 core2)" "ms on the second module"
between $(($(ran 1 core2) * 80 / 100)) "$(ran 1 core2)" "$(limited 1 core2 PLATFORM)" \
	"all of these limited"
is "$(limited 1 core2 THERMAL)" "" "not by the first module's reason"

# ---- a process, and a control group
always 0/0/1 0x0000000000000004
taskset 4 sh /root/busy 600 2 &
work=$!
exits 0 "a process" pmonctl plr --pid $work --for 2
echo "$out" >/root/report
like "$out" "^Process $work: .* on CPUs 2 .1 module" "its CPU"
between 80 100 "$(share POWER)" "limited all the time"
# Its device goes for a moment, and with it the event of its module.
vsec=/sys/bus/pci/drivers/intel_vsec
function=$(cd $vsec && ls -d 0000:* | head -n 1)
(
	sleep 1
	echo $function >$vsec/unbind
	echo $function >$vsec/bind
) &
exits 0 "a process, while a device goes and returns" pmonctl plr --pid $work --for 6
between 1 90 "$(echo "$out" | sed -n 's/^For \([0-9]*\) % of that time it is not known.*/\1/p')" \
	"for how much of the time it is not known, in percent"
mkdir -p /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
mkdir -p /sys/fs/cgroup/work/inner
echo $work >/sys/fs/cgroup/work/inner/cgroup.procs
exits 0 "a control group" pmonctl plr --cgroup work --for 2
echo "$out" >/root/report
like "$out" "^Group work: .* on CPUs 2 .1 module" "its CPU"
between 80 100 "$(share POWER)" "limited all the time"
taskset -p 100 $work >/dev/null
exits 0 "it moves" pmonctl plr --cgroup /sys/fs/cgroup/work/inner --for 2
like "$out" '^Nothing limited it' "nothing limits it there"
(
	sleep 1
	kill $work
) &
exits 0 "a process that ends" pmonctl plr --pid $work --for 60
kill -9 $work 2>/dev/null
wait $work 2>/dev/null
hw plr stop

# ---- what a job leaves behind is of it
exits 0 "a job that leaves its work to others" pmonctl plr -- \
	sh -c '(taskset 10 sh /root/busy 2 4 &) ; sleep 3'
like "$out" ' on CPUs ([0-9,-]*[,-])?4([,-]| )' "where they ran"

# ---- signals
pmonctl plr -- sleep 100 >/root/out 2>&1 &
wrapper=$!
becomes 'grep -qxs sleep /proc/[0-9]*/comm'
sleep 1
kill -TERM $wrapper
wait $wrapper
is $? 143 "a signal is handed on to the job"
like "$(cat /root/out)" '^sleep: ' "and the report comes all the same"

like "$(plr_unwatched $PMON/pkg0-dom0/plr/core1/active)" 'No data' "nobody watches after it"
rmmod pmon_plr
exits 2 "without limits no job is run" pmonctl plr -- touch /root/ran
fails "indeed" test -e /root/ran
finish
SCRIPT
done
finish
