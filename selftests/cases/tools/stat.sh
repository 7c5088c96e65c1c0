#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test `pmonctl stat`: it reports bandwidth and limits during a job. The job schedules limits
# on the emulated server, from which the expected times follow.
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s <<'SCRIPT'
. /lib/test/plr.sh

# in_range LEAST MOST VALUE NAME: check VALUE
in_range() {
	if awk "BEGIN { exit !(\"$3\" != \"\" && $1 <= ${3:-0} && ${3:-0} <= $2) }"; then
		ok "$4: $3"
	else
		not_ok "$4" "got: $3
want: $1 to $2"
	fi
}
# seconds REASON: print the seconds of a reason in /root/report
seconds() {
	awk -v r="$1" '$1 == r && NF == 5 { print $2 }' /root/report
}

cat >/root/job <<'EOS'
echo "plr 0/0/2 0x0000000000000008 0 2000000000
plr 1/0/2 0x0000080000000004 0 60000000000" | hw plr schedule -
read -r began _ </proc/uptime
sleep 4
read -r ended _ </proc/uptime
echo "$began $ended" >/root/took
echo of the job
exit 3
EOS
read -r before _ </proc/uptime
pmonctl stat -o /root/report sh /root/job >/root/out 2>/root/err
status=$?
read -r after _ </proc/uptime
is $status 3 "pmonctl stat exits with the job's status"
is "$(cat /root/out)" 'of the job' "pmonctl stat leaves the job's output alone"
note "$(cat /root/report)"
in_range 1.5 2.6 "$(seconds THERMAL)" 'pmonctl stat counts 1.5 to 2.6 s of a limit of 2 s on one module'
# POWER is in force during the whole job, but not counted before the first polls.
in_range "$(awk '{ print $2 - $1 - 0.6 }' /root/took)" \
	"$(awk "BEGIN { print $after - $before }")" \
	"$(seconds POWER)" 'pmonctl stat counts POWER during the whole job'
is "$(seconds POWER_PKG_PL1_MMIO)" "$(seconds POWER)" \
	'pmonctl stat counts the fine reason of POWER as long as POWER'
# The limit is in force throughout: one onset.
is "$(awk '$1 == "POWER" { print $4 }' /root/report)" 1 'pmonctl stat counts one onset of POWER'
# The job sets the limit after its start. This and a poll may take a tenth of its four seconds.
in_range 90 100 "$(awk '$1 == "POWER" { print 12 * $3 }' /root/report)" \
	'POWER on one of 12 modules has a share of a twelfth'
like "$(cat /root/report)" '^memory +0 +[1-9][0-9.]* +[1-9][0-9.]* +[1-9]' \
	'pmonctl stat prints totals and rates of memory'
hw plr stop

# FREQUENCY is normal on a busy host, so the driver reads it in rounds of 10 s. But `pmonctl stat`
# opens an event, which causes a read at once. So even a job of a second gets its time.
for p in 0 1; do
	for m in 0/0 0/1 0/2 0/3 1/0 1/1; do
		echo "plr $p/$m 0x0000000200000001 0 600000000000"
	done
done | hw plr schedule -
for d in $PMON/pkg*-dom*/plr; do
	echo 1000 >$d/interval_ms
done
becomes 'grep -q "^FREQUENCY .* [0-9]* [0-9]*\$" $PMON/pkg0-dom0/plr/core1/time_in_reason'
for job in 1 2 3; do
	pmonctl stat -o /root/report sleep 1
	in_range 50 100 "$(sed -n 's/^FREQUENCY  *[^ ]*  *>*\([^ ]*\) .*/\1/p' /root/report)" \
		'the share of FREQUENCY in a job of a second is 50 to 100 percent'
	is "$(awk '$1 == "FREQUENCY_CDYN1" { print $5 }' /root/report)" 12 \
		'pmonctl stat counts FREQUENCY_CDYN1 on 12 modules'
done
hw plr stop
for d in $PMON/pkg*-dom*/plr; do
	echo 0 >$d/interval_ms
done
pmonctl stat --json -- sh -c 'sleep 1' >/root/json 2>/root/err
like "$(tr -d ' \n' </root/json)" '"sockets":.*"limits":{"observed_ms":[1-9]' \
	'pmonctl stat --json prints limits with their observed time'

pmonctl stat -- sleep 100 >/root/out 2>&1 &
wrapper=$!
becomes 'grep -qxs sleep /proc/[0-9]*/comm'
sleep 1
kill -TERM $wrapper
wait $wrapper
is $? 143 'pmonctl stat hands a signal on to the job'
like "$(cat /root/out)" '^sleep: ' 'pmonctl stat prints its report after a signal'
rmmod pmon_plr
pmonctl stat true >/root/out 2>&1
is $? 0 'pmonctl stat runs a job without pmon_plr'
unlike "$(cat /root/out)" 'LIMITED' 'pmonctl stat prints no limits without pmon_plr'
SCRIPT
finish
