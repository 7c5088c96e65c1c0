#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test the software log and monitoring: reasons are cleared by name while others stay,
# polls have the expected cost and lose nothing, changes are notified and traced.
# contract: asleep reasons notified gate-others log
# all kernels: 6.1 6.12 newest sanitizer 6.1-rt
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --program await \
		--module power <<'SCRIPT'
plr_load mesh=1
dom=$PMON/pkg0-dom0
plr=$dom/plr
plr_quick
modules=$(plr_modules pkg0-dom0 | wc -l)

# until_is TEXT COMMAND...: wait until a command prints TEXT; print its next output
until_is() {
	want=$1
	shift
	becomes "[ \"\$($*)\" = '$want' ]"
	"$@"
}

# ---- clear by name
hw plr 0/0/1 =0x000004000000000c
echo POWER >$plr/core1/clear
is "$(cat $plr/core1/reasons)" THERMAL "a clear of a coarse name clears its fine names, and no others"
is "$(hw plr 0/0/1)" 0x0000000000000000 "a clear leaves no bit in hardware"
hw plr 0/0/1 0x0000060000000014
is "$(cat $plr/core1/reasons)" \
	"POWER THERMAL PLATFORM POWER_FAST_RAPL POWER_PKG_PL1_MSR_TPMI" \
	"reasons are those of log and hardware together"
echo POWER_FAST_RAPL >$plr/core1/clear
is "$(cat $plr/core1/reasons)" "POWER THERMAL PLATFORM POWER_PKG_PL1_MSR_TPMI" \
	"a clear of a fine name leaves its coarse name, and other fine names"
echo "THERMAL PLATFORM" >$plr/core1/clear
is "$(cat $plr/core1/reasons)" "POWER POWER_PKG_PL1_MSR_TPMI" "a clear of two names leaves the others"
echo all >$plr/core1/clear
is "$(cat $plr/core1/reasons) $(cat $plr/core1/raw)" "none 0x0000000000000000" "a clear of all leaves none"
not_written "Invalid argument" "a clear of an unknown name is refused" $plr/core1/clear Power
not_written "Invalid argument" "a clear of no name is refused" $plr/core1/clear ""
is "$(cat $plr/die/reasons)" "POWER THERMAL PLATFORM" "the die keeps reasons that were cleared in a core"
echo "POWER" >$plr/die/clear
is "$(cat $plr/die/reasons) $(hw die 0/0)" "THERMAL PLATFORM 0x00000000" \
	"a clear of one name of the die leaves the others"
echo all >$plr/die/clear
hw mesh 0/0/0 =0xc
echo THERMAL >$plr/mesh0/clear
is "$(cat $plr/mesh0/reasons)" POWER "a clear of one name of the mesh leaves the other"
echo all >$plr/mesh0/clear
echo all >$plr/die/clear
is "$(cat $plr/die/reasons)" none "a clear of all of the die leaves none"

# Clear every bit by its name, while others are set, in all three kinds of log. A coarse
# name clears its fine names, which begin with it.
plr_names >/root/names
plr_bench
clear_each() { # DIR, HW COMMAND, PLACE, FIRST BITS
	while read -r bit name; do
		[ "$bit" -lt "$4" ] || continue
		# Set half of the bits, because all ones would mean a removed device.
		value=0x5555555555555555
		[ $((value >> bit & 1)) = 1 ] || value=$((~value))
		[ "$4" = 64 ] || value=$((value & 0xffffffff))
		plr_set "$2" "$3" $((value))
		echo "$name" >$plr/$1/clear
		read -r got <$plr/$1/raw
		mask=$((1 << bit))
		while read -r other of; do
			case $of in "$name"_*) mask=$((mask | 1 << other)) ;; esac
		done </root/names
		want=$(printf '0x%016x' $((value & ~mask)))
		[ "$got" = "$want" ] || echo "$bit: $got, not $want"
		echo all >$plr/$1/clear
	done </root/names
	cat $plr/$1/reasons
}
is "$(clear_each core2 plr 0/0/2 64)" none "each of 64 bits of a core is cleared by its name"
is "$(clear_each mesh0 mesh 0/0/0 64)" none "each of 64 bits of the mesh is cleared by its name"
echo all >$plr/die/clear
is "$(clear_each die die 0/0 32)" none "each of 32 bits of the die is cleared alone by its name"
plr_bench_ends

# ---- watching
is "$(cat $plr/interval_ms)" 0 "interval_ms is 0 after loading"
is "$(plr_error $plr/core1/active)" "No data available" "active gives ENODATA without monitoring"
hw count reset
sleep 0.3
is "$(plr_total)" 0 "no register is read without monitoring"
not_written "Numerical result out of range" "interval_ms refuses an interval below a tick" $plr/interval_ms 1
not_written "Numerical result out of range" "interval_ms refuses an interval above a minute" $plr/interval_ms 60001
not_written "Invalid argument" "interval_ms refuses a text that is no number" $plr/interval_ms 1s
hw plr 0/0/1 =0x4
echo 50 >$plr/interval_ms
is "$(hw plr 0/0/1) $(hw die 0/0)" "0x0000000000000000 0x00000000" "monitoring clears the hardware"
is "$(cat $plr/core1/reasons)" POWER "a reason from before monitoring stays on record"
is "$(plr_watched $plr/core1/active)" none "a reason from before monitoring is not active"
# Monitoring reads all modules a second time half a second after the first.
sleep 1

# Count intervals in guest time, because a slow guest sleeps longer and polls late.
for try in 1 2 3 4 5; do
	started=$(guest_ms)
	hw count reset
	sleep 1
	total=$(plr_total)
	intervals=$((($(guest_ms) - started) / 50))
	[ "$total" -lt 10 ] || [ "$(plr_accesses mailbox)" != 0 ] || break
done
is "$(plr_accesses mailbox plr-data)" 0 \
	"polls without a limit read the die alone ($total reads in $intervals intervals)"
is "$((total >= 10 && total <= intervals + 2))" 1 "polls without a limit read the die once per interval"

# FREQUENCY is outside the gate, so only the scan every ten seconds reads modules.
echo "plr 0/0/1 0x1 0 600000000000" | hw plr schedule -
is "$(until_is FREQUENCY cat $plr/die/active)" FREQUENCY "FREQUENCY is active at the die"
is "$(cat $plr/gate)" "$(plr_names | awk '$1 > 0 && $1 < 10 { printf "%s%s", s, $2; s = " " }')" \
	"gate has the coarse names of this processor without FREQUENCY"
hw plr stop
not_written "Invalid argument" "gate refuses fine reasons" $plr/gate POWER_FAST_RAPL
echo none >$plr/gate
is "$(cat $plr/gate)" none "gate takes none"
echo POWER >$plr/gate
is "$(cat $plr/gate)" POWER "gate takes a single reason"
echo all >$plr/gate
is "$(until_is none cat $plr/die/active)" none "the end of FREQUENCY in gate is seen at the die"
is "$(cat $plr/core1/reasons)" "FREQUENCY POWER" "a module has FREQUENCY on record once in gate"
echo all >$plr/core1/clear
echo "CURRENT POWER THERMAL PLATFORM MISC" >$plr/gate

# A process that polls a file is woken by news in this file alone; if the file is `active`,
# also by the end of a reason.
chmod +x /root/await
echo 400 >$plr/interval_ms
# awaits FILE TIMES: run await on a file; its output is in /root/await.FILE
awaits() {
	/root/await $plr/$1 5000 $2 >/root/await.${1#*/} &
	becomes "grep -q ready /root/await.${1#*/}"
}
awaits core1/reasons 1
awaits core1/active 2
/root/await $plr/core2/reasons 3000 >/root/await.quiet &
hw plr 0/0/1 0x4
wait
is "$(cat /root/await.reasons /root/await.active)" "ready
POWER
ready
POWER
none" "polls of reasons and active are woken by a reason and of active by its end"
is "$(cat /root/await.quiet)" "ready
quiet" "a poll of another module is not woken"
echo all >$plr/core1/clear

# Let hardware set the bits of a limit again and again.
echo "plr 0/0/1 0x0000040000000004 0 600000000000" | hw plr schedule -
both="POWER POWER_PKG_PL1_MSR_TPMI"
is "$(until_is "$both" cat $plr/core1/active)" "$both" "reasons are active while the limit lasts"
sleep 1
like "$(cat $plr/core1/time_in_reason)" '^POWER [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]*$' \
	"time_in_reason has time, last, since and count of POWER"
like "$(cat $plr/core1/time_in_reason)" '^observed [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]*$' \
	"time_in_reason has all fields of observed"
hw plr stop
is "$(until_is none cat $plr/core1/active)" none "active shows none when the limit has ended"
is "$(cat $plr/core1/reasons)" "$both" "reasons show the ended limit"
is "$(cat $plr/core2/reasons)" none "another module has no reason of the limit"
like "$(cat $plr/core1/time_in_reason)" '^POWER [1-9][0-9]* [1-9][0-9]* - [1-9][0-9]* [1-9][0-9]*$' \
	"time_in_reason of an ended limit has - for since"
before=$(awk '$1 == "POWER" { print $2 }' $plr/core1/time_in_reason)
echo all >$plr/core1/clear
is "$(awk '$1 == "POWER" { print $2 }' $plr/core1/time_in_reason)" "$before" "a clear leaves time_in_reason"
like "$(cat $plr/core2/time_in_reason)" '^POWER 0 - - 0 [1-9][0-9]*$' "another module has no time of POWER"

# Values are at most a second old, however long the interval, and never from before a clear.
echo 60000 >$plr/interval_ms
sleep 1.5
echo "plr 0/0/1 0x4 0 600000000000" | hw plr schedule -
sleep 0.2
is "$(cat $plr/core1/reasons)" POWER "reasons show a limit that began after the last poll"
echo all >$plr/core1/clear
sleep 0.3
is "$(cat $plr/core1/reasons) $(cat $plr/core1/raw)" "POWER 0x0000000000000004" \
	"reasons show a limit in force again after a clear"
hw plr stop
for n in 1 2; do echo all >$plr/core1/clear; sleep 0.1; done
is "$(cat $plr/core1/reasons)" none "reasons show none after clears once the limit has ended"

# Count the accesses of one poll that finds a limit. In the long interval no other poll runs.
echo 5000 >$plr/interval_ms
sleep 6
hw count reset
hw plr 0/0/1 0x4
until_is 0x0000000000000000 hw plr 0/0/1 >/dev/null
sleep 0.2
is "$(plr_total)" "$((1 + 1 + 5 * (modules + 1) + 5 + 1))" \
	"a poll that finds one limit costs 2 for the die, 5 per module and mesh, 5 for the limit and 1"
echo 0 >$plr/interval_ms
is "$(plr_unwatched $plr/core1/active)" "No data available" "active gives ENODATA when interval_ms is 0 again"
hw count reset
sleep 0.3
is "$(plr_total)" 0 "no register is read when interval_ms is 0 again"

# ---- the tracepoint starts monitoring, too
echo all >$plr/core1/clear
T=/sys/kernel/tracing
hw plr 0/0/2 =0x8
echo all >$plr/gate
echo 1 >$T/events/pmon/plr_reasons/enable
is "$(plr_watched $plr/core2/active)" none "the tracepoint starts monitoring"
hw mesh 0/0/0 =0x1
until_is 0x0000000000000000 hw mesh 0/0/0 >/dev/null
hw plr 0/0/1 =0x0000040000000004
until_is 0x0000000000000000 hw plr 0/0/1 >/dev/null
until_is none cat $plr/core1/active >/dev/null
hw plr 0/0/1 =0x0000080000000004
until_is 0x0000000000000000 hw plr 0/0/1 >/dev/null
until_is none cat $plr/core1/active >/dev/null
until_is none cat $plr/die/active >/dev/null
echo 0 >$T/events/pmon/plr_reasons/enable
grep -o 'package=.*' $T/trace >/root/trace
is "$(grep 'scope=core' /root/trace)" \
	"package=0 domain=0 scope=core module=1 coarse=0x00000004 fine=0x00000400 new_coarse=0x00000004 new_fine=0x00000400 ended_coarse=0x00000000 ended_fine=0x00000000 new=POWER POWER_PKG_PL1_MSR_TPMI ended=none
package=0 domain=0 scope=core module=1 coarse=0x00000000 fine=0x00000000 new_coarse=0x00000000 new_fine=0x00000000 ended_coarse=0x00000004 ended_fine=0x00000400 new=none ended=POWER POWER_PKG_PL1_MSR_TPMI
package=0 domain=0 scope=core module=1 coarse=0x00000004 fine=0x00000800 new_coarse=0x00000004 new_fine=0x00000800 ended_coarse=0x00000000 ended_fine=0x00000000 new=POWER POWER_PKG_PL1_MMIO ended=none
package=0 domain=0 scope=core module=1 coarse=0x00000000 fine=0x00000000 new_coarse=0x00000000 new_fine=0x00000000 ended_coarse=0x00000004 ended_fine=0x00000800 new=none ended=POWER POWER_PKG_PL1_MMIO" \
	"the trace has begin and end of two limits of the core"
like "$(cat /root/trace)" "scope=mesh module=0 .* new=FREQUENCY ended=none$" \
	"the trace has the begin of a limit of the mesh"
like "$(cat /root/trace)" "scope=mesh module=0 .* new=none ended=FREQUENCY$" \
	"the trace has the end of a limit of the mesh"
like "$(cat /root/trace)" "scope=die .*new=" "the trace has a limit of the die"
unlike "$(cat /root/trace)" "THERMAL" "the trace has no reason from before monitoring"
is "$(plr_unwatched $plr/core1/active)" "No data available" "monitoring ends with the tracepoint"

# ---- D3 behind the kernel's back: one read of the die detects it. A stuck mailbox
# makes the driver check whether firmware blocks writes, but not in D3.
/root/await $plr/core2/active 10000 2 >/root/awaited &
becomes 'grep -q ready /root/awaited'
echo 200 >$plr/interval_ms
is "$(plr_watched $plr/core2/active)" none "monitoring starts again with interval_ms"
becomes 'grep -q none /root/awaited'
hw d3 0 on
becomes 'grep -q gone /root/awaited'
is "$(cat /root/awaited)" "ready
none
gone" "a poll of active is woken by monitoring and by D3"
hw d3 0 off
echo 0 >$plr/interval_ms
plr_unwatched $plr/core2/active >/dev/null
hw mailbox 0/0 stuck
echo 1500 >$plr/interval_ms
sleep 4
case $(uname -r) in
6.1.*) ;;
*) isnt "$(plr_accesses tpmi-control)" 0 "the control mailbox is read when the mailbox is stuck in D0" ;;
esac
hw d3 0 on
hw count reset
sleep 4
# The read can come before the reset.
between 0 "$(plr_accesses other)" 1 "the die is read once in D3 and the control mailbox never"
hw d3 0 off
hw mailbox 0/0 ok
hw illegal reset
echo 0 >$plr/interval_ms

# ---- runtime PM, which power.ko permits, suspends the function only while pmon_plr is not
# loaded. On kernels without TPMI devices intel_vsec never permits runtime PM.
insmod /root/power.ko
function=0000:00:03.1
permitted() {
	echo $function 1500ms >/sys/module/power/parameters/set &
	sleep 0.5
	cat /sys/bus/pci/devices/$function/power_state
	wait
}
case $(uname -r) in
6.1.*) ;;
*) is "$(permitted)" D0 "runtime PM does not suspend the function while pmon_plr is loaded" ;;
esac

# ---- unload wakes pollers; a reason that is not normal under load is logged, a line a minute
limit_lines() { dmesg | grep 'pkg0-dom[01]: PLR: ' | sed 's/.*pkg0/pkg0/'; }
# The timeout is long, because at its end poll(2) sees the removal without a notification.
/root/await $plr/core2/reasons 200000 >/root/unloaded &
becomes 'grep -q ready /root/unloaded'
sleep 0.2
# The kernels with checkers have no kprobes.
[ ! -e $T/kprobe_events ] || guest_counts_calls plr_device_release
rmmod pmon_plr
[ ! -e $T/kprobe_events ] || is "$(guest_calls)" 2 "the devices of both packages are released at the unload"
becomes 'grep -q gone /root/unloaded'
is "$(cat /root/unloaded)" "ready
gone" "a poll of a removed file is woken"
kill $! 2>/dev/null
is "$(permitted)" D3hot "runtime PM suspends the function once pmon_plr is unloaded"
modprobe pmon_plr interval_ms=50
becomes '[ "$(cat $plr/core1/active $PMON/pkg0-dom1/plr/core1/active 2>&1)" = "none
none" ]'
sleep 1
dmesg -c >/dev/null
hw plr 0/0/1 0x0080000000000008
until_is 0x0000000000000000 hw plr 0/0/1 >/dev/null
hw plr 0/0/2 0x0000000200000001
hw plr 0/0/2 0x0000040000000004
sleep 1
hw plr 0/0/2 0x8
hw plr 0/1/1 0x0000100000000004
until_is 0x0000000000000000 hw plr 0/0/2 >/dev/null
until_is 0x0000000000000000 hw plr 0/1/1 >/dev/null
sleep 0.5
is "$(limit_lines)" "pkg0-dom0: PLR: core1 limited by THERMAL_PER_CORE
pkg0-dom1: PLR: core1 limited by POWER_PKG_PL1_PCS" \
	"limits that are not normal under load are logged once a minute and domain"

# ---- invalid values of interval_ms
rmmod pmon_plr
for wrong in 9 60001 1s; do
	hw count reset
	runs "the module loads with interval_ms=$wrong" modprobe pmon_plr interval_ms=$wrong
	is "$(dmesg | grep -c "pmon_plr: interval_ms=$wrong is neither 0 nor 10 to 60000: doing nothing")" 1 \
		"interval_ms=$wrong: the log has one line on the bad value"
	is "$(plr_total) $(ls $PMON)" "0 " "interval_ms=$wrong: no domain is shown and no register read"
	rmmod pmon_plr
done
SCRIPT

	# ---- a die as large as real ones: how long readers wait, and how soon a limit shows
	in_vm "$k 43 modules" --kernel "$k" --machine gnr-43 --drivers none <<'SCRIPT'
# A die that is computed shows what its last module has had since before the load.
hw die 0/0 computed
hw plr 0/0/42 =0x8
plr_load interval_ms=1000
plr=$PMON/pkg0-dom0/plr
becomes '[ "$(cat $plr/core*/active 2>/dev/null | grep -c none)" = 43 ]'
is "$(awk '$1 == "THERMAL" { print $2, $5 }' $plr/die/time_in_reason)" "0 0" \
	"a reason from before the load has no time at the die"
is "$(dmesg | grep -c 'PLR: die limited')" 0 "the log has no line on a reason from before the load"
hw die 0/0 collects
for dir in core42 die; do echo all >$plr/$dir/clear; done
sleep 3
# The monitor is not late, so readers with CAP_PERFMON may use 200 commands a second.
started=$(guest_ms)
cat $plr/core*/reasons >/root/reasons
took=$(($(guest_ms) - started))
note "$took ms for 43 modules"
is "$(sort -u /root/reasons) $((took < 1800 ? 0 : took))" "none 0" "a reader has 43 modules in 1.8 s"
for limited in 17 '3 20 41' "$(seq -s ' ' 0 42)"; do
	for n in $limited; do echo "plr 0/0/$n 0x0000040000000004 0 600000000000"; done | hw plr schedule -
	want=$(echo $limited | wc -w)
	started=$(guest_ms)
	becomes '[ "$(cat $plr/core*/active | grep -c POWER)" = $want ]'
	took=$(($(guest_ms) - started))
	is "$((took < 6000 ? 0 : took))" 0 "POWER on $want of 43 modules is active within 6 s"
	sleep 3
	is "$(cat $plr/core*/active | grep -c POWER) $(cat $plr/die/active)" "$want POWER" \
		"POWER on $want of 43 modules stays active"
	hw plr stop
	started=$(guest_ms)
	becomes '[ "$(cat $plr/core*/active $plr/die/active | grep -c none)" = 44 ]'
	took=$(($(guest_ms) - started))
	is "$((took < 6000 ? 0 : took))" 0 "POWER on $want of 43 modules ends within 6 s of the limit's end"
	sleep 12
	is "$(cat $plr/core*/active $plr/die/active | sort | uniq -c | tr -s ' ')" " 44 none" \
		"POWER on $want of 43 modules does not come back after its end"
done
peak=$(hw mailbox 0/0 | sed 's/.* peak=//')
is "$((peak <= 200 ? 0 : peak))" 0 "limits on 43 modules cause 200 commands in a second at most"
# A fault that begins within a minute of a line is told when the minute is over.
hw plr 0/0/7 0x8
sleep 2
for n in $(seq 0 42); do echo "plr 0/0/$n 0x0200000000000010 0 600000000000"; done | hw plr schedule -
for _ in 1 2 3; do becomes 'dmesg | grep -q "PLR: .*PROCHOT"' && break; done
is "$(dmesg | sed -n 's/ (ended)//; s/.*pkg0-dom0: PLR: //p' | sed 's/; /\n/')" "core7 limited by THERMAL
die: 43 of 43 modules limited by PLATFORM_PROCHOT" "the log tells a fault of all modules that begins two seconds after another"
SCRIPT
done
finish
