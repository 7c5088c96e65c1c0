#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Schedule limits in the hardware: perf counts the times of the schedule, to within an
# interval per edge. Then test limits that stay, and hardware that fails: blocked writes,
# another agent, a mesh that never responds.
# contract: die agent
# all kernels: newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s --drivers none --allow-illegal \
	--timeout 400 <<'SCRIPT'
plr_load
dom=$PMON/pkg0-dom0
plr=$dom/plr
plr_quick
T=/sys/kernel/tracing

# ---- time in reasons
cat >/root/schedule <<'EOS'
plr 0/0/1 0x0000040000000004 300000000 1200000000
plr 0/0/1 0x0000000000000008 800000000 1700000000
plr 0/0/3 0x0000000000000004 500000000 520000000
plr 0/0/3 0x0000000000000004 1500000000 1900000000
plr 0/1/0 0x0000080000000004 100000000 2000000000
plr 1/1/1 0x0000000000000008 900000000 1000000000
EOS
is "$(plr_time 2.4 power=2 thermal=3 power_pkg_pl1_msr_tpmi=42 power_pkg_pl1_mmio=43)" \
	"48 7 8" "four reasons of 12 modules count as long as scheduled, with an interval per edge"

# ---- the tracepoint reports, in the next interval, another module with the same reason, a
# new fine bit under a coarse one, and a reason that ends and comes back
echo >$T/trace
echo 500 >$plr/interval_ms
echo 1 >$T/events/pmon/plr_reasons/enable
fine=0x0000040000000004 both="POWER POWER_PKG_PL1_MSR_TPMI"
# limit MODULE VALUE: begin a limit. now MODULE REASONS: wait until REASONS are active
limit() { echo "plr 0/0/$1 $2 0 600000000000" | hw plr schedule -; }
now() { becomes "[ \"\$(cat $plr/core$1/active)\" = '$2' ]"; }
limit 1 0x4
now 1 POWER
hw plr stop
now 1 none
limit 2 0x4
now 2 POWER
limit 2 $fine
now 2 "$both"
hw plr stop
now 2 none
limit 2 $fine
now 2 "$both"
hw plr stop
echo 0 >$T/events/pmon/plr_reasons/enable
echo 0 >$plr/interval_ms
grep -o 'scope=core.*' $T/trace | grep -v 'new_coarse=0x00000000 new_fine=0x00000000' |
	sed 's/.*module=\([0-9]*\).* new=\(.*\) ended=.*/\1 \2/' >/root/news
is "$(cat /root/news)" "1 POWER
2 POWER
2 POWER_PKG_PL1_MSR_TPMI
2 POWER POWER_PKG_PL1_MSR_TPMI" "the tracepoint has a second module, a new fine reason and one that came back"
echo all >$plr/core1/clear
echo all >$plr/core2/clear

# ---- a limit in force: after a clear, firmware sets its bit again before any read
hw plr step 500000
hw mailbox 0/0 slow 150000
echo "plr 0/0/1 0x0000040000000004 0 600000000000" | hw plr schedule -
cpu1=$(sed 's/[-,].*//' $plr/core1/cpus)
for n in 1 2 3 4 5 6 7 8; do
	plr_stat /root/run 0.3 -C "$cpu1" -e plr/power/,plr/observed/
	grep plr/power/ /root/run
done >/root/stat
is "$(awk -F, '$1 + 0 > 0' /root/stat | wc -l)" 8 "a limit in force is counted in 8 of 8 runs"
echo 20 >$plr/interval_ms
plr_watched $plr/core1/active >/dev/null
rest=0
for n in $(seq 100); do
	plr_error $plr/core1/active
	echo POWER >$plr/core1/clear || rest=$?
	sleep 0.02
done >/root/errors
is "$rest $(sort -u /root/errors)" "0 " "a limit in force stays watched, and clears give no error"
is "$(plr_watched $plr/core1/active)" "POWER POWER_PKG_PL1_MSR_TPMI" "a limit in force is active all the time"
is "$(dmesg | grep -c 'blocked by firmware')" 0 "the log has no line on blocked writes"
echo 0 >$plr/interval_ms
hw plr stop
hw plr step 1000000
hw mailbox 0/0 slow 0
echo all >$plr/core1/clear
echo all >$plr/die/clear

# ---- three kinds of die level: one collects reasons, one is computed from the modules, one
# latches reasons again while modules keep them
for kind in collects computed latches; do
	hw die 0/0 $kind
	hw plr 0/0/1 =0x4
	hw plr 0/0/2 =0x8
	sleep 0.05
	echo all >$plr/core1/clear
	is "$(cat $plr/core1/reasons) $(cat $plr/die/reasons)" "none POWER THERMAL" \
		"a die that $kind keeps a reason when its module is cleared"
	runs "a die that $kind can be cleared" sh -c "echo all >$plr/die/clear"
	sleep 0.05
	case $kind in collects) want=none ;; *) want=THERMAL ;; esac
	is "$(cat $plr/die/reasons)" $want "a die that $kind shows after a clear what its hardware has"
	echo 20 >$plr/interval_ms
	is "$(hw die 0/0) $(cat $plr/core2/reasons)" "0x00000000 THERMAL" \
		"a die that $kind is cleared in hardware when monitored"
	is "$(plr_watched $plr/core2/active) $(plr_watched $plr/die/active)" "none none" \
		"a die that $kind has no active reason from before monitoring"
	echo "plr 0/0/1 0x4 0 600000000000" | hw plr schedule -
	becomes '[ "$(cat $plr/core1/active) $(cat $plr/die/active)" = "POWER POWER" ]'
	is "$(cat $plr/core1/active) $(cat $plr/die/active)" "POWER POWER" \
		"a die that $kind is active with its module"
	# With this step firmware takes up to 5 ms to set bits again that a poll has cleared.
	hw plr step 5000000
	sleep 0.1
	line=$(awk '$1 == "POWER" { print $4 }' $plr/die/time_in_reason $plr/core1/time_in_reason)
	for n in $(seq 20); do echo 20 >$plr/interval_ms; done
	is "$(awk '$1 == "POWER" { print $4 }' $plr/die/time_in_reason $plr/core1/time_in_reason)" "$line" \
		"a die that $kind counts one onset over polls at request"
	hw plr step 1000000
	hw plr stop
	becomes '[ "$(cat $plr/core1/active) $(cat $plr/die/active)" = "none none" ]'
	is "$(cat $plr/core1/active) $(cat $plr/die/active)" "none none" \
		"a die that $kind is not active once its module is not"
	echo 0 >$plr/interval_ms
	for dir in core1 core2 die; do echo all >$plr/$dir/clear; done
	echo all >$plr/die/clear
	is "$(cat $plr/core1/reasons) $(cat $plr/die/reasons)" "none none" \
		"a die that $kind shows none after all clears"
done
hw die 0/0 collects

# ---- firmware blocks writes (mailbox.sh tests kernels without TPMI)
case $(uname -r) in
6.1.*) ;;
*)
	hw plr 0/0/1 =0x4
	hw plr 0/0/2 =0x8
	is "$(cat $plr/core1/reasons)" POWER "reasons are read while firmware permits writes"
	hw feature 0 0x0c write-blocked
	sleep 1.1
	is "$(plr_error $plr/core2/reasons)" "Operation not supported" \
		"a read of another module gives EOPNOTSUPP when firmware blocks writes"
	is "$(plr_error $plr/core1/reasons)" "Operation not supported" \
		"a read of the same module gives EOPNOTSUPP when firmware blocks writes"
	like "$(echo POWER | dd of=$plr/core1/clear 2>&1)" "not supported" \
		"a clear of a core gives EOPNOTSUPP when firmware blocks writes"
	like "$(echo POWER | dd of=$plr/die/clear 2>&1)" "not supported" \
		"a clear of the die gives EOPNOTSUPP when firmware blocks writes"
	is "$(cat $plr/die/reasons)" "POWER THERMAL" "the die keeps its reasons when firmware blocks writes"
	echo 20 >$plr/interval_ms
	is "$(plr_error $plr/core1/active)" "No data available" "active gives ENODATA when firmware blocks writes"
	perf stat -x, -C "$cpu1" -e plr/power/ -o /root/stat -- true
	like "$(cat /root/stat)" '<not counted>,ms,plr/power/' \
		"plr/power/ is <not counted> when firmware blocks writes"
	is "$(dmesg | grep -c 'pkg0-tpmi0: PLR: writes blocked by firmware')" 1 \
		"the log has one line on blocked writes"
	hw feature 0 0x0c ok
	becomes '[ -z "$(plr_error $plr/core1/active)" ]'
	hw feature 0 0x0c write-blocked
	becomes '[ "$(plr_error $plr/core1/active)" = "No data available" ]'
	is "$(plr_error $plr/core1/active)" "No data available" \
		"active gives ENODATA when firmware begins to block writes"
	hw feature 0 0x0c ok
	becomes '[ -z "$(plr_error $plr/core1/active)" ]'
	is "$(cat $plr/core1/active) $(hw plr 0/0/1)" "none 0x0000000000000000" \
		"monitoring goes on when firmware permits writes again"
	is "$(cat $plr/core1/reasons)" POWER "reasons from the time of blocked writes are on record"
	echo 0 >$plr/interval_ms
	# The control interface is stuck: nothing waits for it.
	hw control 0 stuck
	echo 20 >$plr/interval_ms
	is "$(plr_watched $plr/core1/active)" none "monitoring goes on while the control interface is stuck"
	hw plr 0/0/1 =0x4
	runs \
		"a clear takes less than 5 s while the control interface is stuck" timeout 5 sh -c "echo all >$plr/core1/clear"
	echo 0 >$plr/interval_ms
	hw control 0 grant 0
	hw control 0 run 0
	sleep 2
	;;
esac
for dir in core1 core2 die; do echo all >$plr/$dir/clear; done

# ---- another agent at the mailbox
hw plr 0/0/1 =0x4
hw plr 0/0/2 =0x8
hw mailbox 0/0 slow 0
hw mailbox 0/0 agent 2
is "$(cat $plr/core1/reasons) $(cat $plr/core2/reasons) $(cat $plr/core0/reasons)" \
	"POWER THERMAL none" "reasons are right with another agent at every second command"
hw mailbox 0/0 agent 1
is "$(plr_error $plr/core1/reasons)" "Device or resource busy" \
	"a read gives EBUSY with another agent at every command"
is "$(cat $PMON/pkg0-dom1/plr/core0/reasons)" POWER\ POWER_PKG_PL1_MMIO \
	"another domain is read while an agent uses the mailbox"
hw mailbox 0/0 ok
is "$(cat $plr/core1/reasons)" POWER "reasons are read once the agent is gone"

# ---- a mailbox that stops responding while watched
hw plr 0/0/2 =0
echo all >$plr/core2/clear
echo 20 >$plr/interval_ms
echo "plr 0/0/1 0x4 0 60000000000" | hw plr schedule -
becomes '[ "$(cat $plr/core1/active)" = POWER ]'
is "$(cat $plr/core1/active)" POWER "a limit is active before the mailbox is stuck"
hw mailbox 0/0 stuck
is "$(plr_unwatched $plr/core1/active)" "No data available" \
	"active of the limited core gives ENODATA when the mailbox is stuck"
is "$(plr_unwatched $plr/core2/active)" "No data available" \
	"active of another core gives ENODATA when the mailbox is stuck"
is "$(cat $plr/die/active)" POWER "active of the die stays readable when the mailbox is stuck"
perf stat -x, -C "$cpu1" -e plr/power/,plr/observed/ -o /root/stat -- sleep 0.3
is "$(grep -c '<not counted>' /root/stat)" 2 "two events are <not counted> when the mailbox is stuck"
echo 20 >$plr/interval_ms
hw mailbox 0/0 ok
is "$(plr_watched $plr/core2/active)" none "active is readable once the mailbox responds again"
echo 0 >$plr/interval_ms
hw plr stop
hw plr 0/0/1 =0x4
hw plr 0/0/2 =0x8

# ---- a long interval_ms does not delay other consumers: events, the tracepoint
clean() {
	hw plr 0/0/1 =0
	hw plr 0/0/2 =0
	for dir in core1 core2 die; do echo all >$plr/$dir/clear; done
}
clean
echo 60000 >$plr/interval_ms
hw plr 0/0/1 =0x4
sleep 0.5
plr_stat /root/stat 1.5 -C "$cpu1" -e plr/power/,plr/observed/
note "$(awk -F, '{ printf "%s %s; ", $3, $1 }' /root/stat)"
is "$(awk -F, '$3 == "plr/power/" { print $1 + 0 }' /root/stat)" 0 \
	"an event counts no time from before its open"
is "$(awk -F, '$3 == "plr/observed/" { print ($1 + 0 >= 100 && $1 + 0 < 10000) }' /root/stat)" 1 \
	"an event is polled at its own interval and not at interval_ms"
is "$(cat $plr/core1/active) $(cat $plr/core1/reasons)" "none POWER" \
	"a reason from before an event is on record and not active"
echo 1 >$T/events/pmon/plr_reasons/enable
hw plr 0/0/2 =0x8
becomes '[ "$(hw plr 0/0/2)" = 0x0000000000000000 ]'
is "$(hw plr 0/0/2)" 0x0000000000000000 "the tracepoint is polled at its own interval and not at interval_ms"
echo 0 >$T/events/pmon/plr_reasons/enable
echo 0 >$plr/interval_ms
clean
hw plr 0/0/1 =0x4
hw plr 0/0/2 =0x8

# ---- D3 while a domain is watched: one read detects it, and no access follows
echo 20 >$plr/interval_ms
hw d3 0 on
becomes '[ -n "$(plr_error $plr/core1/active)" ]'
is "$(plr_error $plr/core1/active)" "No data available" "active gives ENODATA when the device is in D3"
hw count reset
sleep 0.2
is "$(plr_total)" 0 "no register of the device in D3 is accessed"
hw d3 0 off
becomes '[ -z "$(plr_error $plr/core1/active)" ]'
is "$(cat $plr/core1/active) $(cat $plr/core1/reasons)" "none POWER" \
	"monitoring goes on when the device is back in D0"
hw feature 0 0x0c read-blocked
sleep 0.1
is "$(plr_error $plr/core1/reasons)" "Input/output error" "reasons give EIO when firmware blocks reads"
hw feature 0 0x0c ok
is "$(cat $plr/core1/reasons)" POWER "reasons are read when firmware permits reads again"
echo 0 >$plr/interval_ms
hw plr 0/0/1 =0x4
hw plr 0/0/2 =0x8

# ---- the mesh: read and watched with mesh=1 only
rmmod pmon_plr
modprobe pmon_plr mesh=1
is "$(cat $plr/mesh0/reasons)" none "a mesh is read with mesh=1"
is "$(plr_error $plr/mesh0/active)" "No data available" "active of a mesh gives ENODATA without monitoring"
hw mailbox 0/0 mesh ones
is "$(plr_error $plr/mesh0/reasons)" "Input/output error" "a mesh of all ones gives EIO"
hw mailbox 0/0 ok
is "$(cat $plr/mesh0/reasons)" none "a mesh is read once the hardware responds again"
hw mailbox 0/0 mesh busy
is "$(plr_error $plr/mesh0/reasons)" "Connection timed out" "a mesh whose command does not end gives ETIMEDOUT"
is "$(plr_error $plr/core1/reasons)" "Connection timed out" \
	"a core gives ETIMEDOUT while a command for the mesh runs"
hw mailbox 0/0 ok
is "$(cat $plr/core1/reasons) $(cat $plr/core2/reasons)" "POWER THERMAL" \
	"cores are read once the command for the mesh has ended"
SCRIPT
finish
