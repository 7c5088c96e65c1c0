#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test the software log and monitoring: reasons are cleared by name while others stay,
# polls have the expected cost and lose nothing, changes are notified and traced.
# contract: asleep reasons notified gate-others
# all kernels: 6.1 6.12 newest sanitizer 6.1-rt
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --program await \
		--module power <<'SCRIPT'
modprobe pmon_plr mesh=1
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
is "$(cat $plr/core1/reasons)" "THERMAL POWER_PKG_PL1_MSR_TPMI" "one name is cleared, the others stay"
is "$(hw plr 0/0/1)" 0x0000000000000000 "hardware is clear"
hw plr 0/0/1 0x10
is "$(cat $plr/core1/reasons)" "THERMAL PLATFORM POWER_PKG_PL1_MSR_TPMI" "log and hardware together"
echo "THERMAL PLATFORM" >$plr/core1/clear
is "$(cat $plr/core1/reasons)" POWER_PKG_PL1_MSR_TPMI "two names"
echo all >$plr/core1/clear
is "$(cat $plr/core1/reasons) $(cat $plr/core1/raw)" "none 0x0000000000000000" "all"
not_written "Invalid argument" "an unknown name" $plr/core1/clear Power
not_written "Invalid argument" "no name" $plr/core1/clear ""
is "$(cat $plr/die/reasons)" "POWER THERMAL PLATFORM" "the die is another log"
echo "POWER" >$plr/die/clear
is "$(cat $plr/die/reasons) $(hw die 0/0)" "THERMAL PLATFORM 0x00000000" "a name of the die"
echo all >$plr/die/clear
hw mesh 0/0/0 =0xc
echo THERMAL >$plr/mesh0/clear
is "$(cat $plr/mesh0/reasons)" POWER "a name of the mesh"
echo all >$plr/mesh0/clear
echo all >$plr/die/clear
is "$(cat $plr/die/reasons)" none "the die is clear"

# Clear every bit by its name, while others are set, in all three kinds of log.
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
		want=$(printf '0x%016x' $((value & ~(1 << bit))))
		[ "$got" = "$want" ] || echo "$bit: $got, not $want"
		echo all >$plr/$1/clear
	done </root/names
	cat $plr/$1/reasons
}
is "$(clear_each core2 plr 0/0/2 64)" none "each of 64 bits of a core is cleared alone by its name"
is "$(clear_each mesh0 mesh 0/0/0 64)" none "each of 64 bits of the mesh"
echo all >$plr/die/clear
is "$(clear_each die die 0/0 32)" none "each of 32 bits of the die"
plr_bench_ends

# ---- watching
is "$(cat $plr/interval_ms)" 0 "nobody watches"
is "$(plr_error $plr/core1/active)" "No data available" "active: ENODATA"
hw count reset
sleep 0.3
is "$(plr_total)" 0 "and nothing is read"
not_written "Numerical result out of range" "an interval below a tick" $plr/interval_ms 1
not_written "Numerical result out of range" "an interval above a minute" $plr/interval_ms 60001
not_written "Invalid argument" "an interval that is no number" $plr/interval_ms 1s
hw plr 0/0/1 =0x4
echo 50 >$plr/interval_ms
is "$(hw plr 0/0/1) $(hw die 0/0)" "0x0000000000000000 0x00000000" "watched: hardware is cleared"
is "$(cat $plr/core1/reasons)" POWER "what was there before stays on record"
is "$(plr_watched $plr/core1/active)" none "but is not of this interval"
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
is "$(plr_accesses mailbox plr-data)" 0 "nothing limited: the die only ($total reads in $intervals intervals)"
is "$((total >= 10 && total <= intervals + 2))" 1 "once per interval"

# FREQUENCY is outside the gate, so only the scan every ten seconds reads modules.
echo "plr 0/0/1 0x1 0 600000000000" | hw plr schedule -
is "$(until_is FREQUENCY cat $plr/die/active)" FREQUENCY "FREQUENCY: the die has it"
is "$(cat $plr/gate)" "$(plr_names | awk '$1 > 0 && $1 < 10 { printf "%s%s", s, $2; s = " " }')" \
	"the gate: names of this processor"
hw plr stop
not_written "Invalid argument" "a gate of fine reasons" $plr/gate POWER_FAST_RAPL
echo none >$plr/gate
is "$(cat $plr/gate)" none "a gate of no reason"
echo POWER >$plr/gate
is "$(cat $plr/gate)" POWER "a gate of one reason"
echo all >$plr/gate
is "$(until_is none cat $plr/die/active)" none "FREQUENCY in the gate: its end is seen"
is "$(cat $plr/core1/reasons)" "FREQUENCY POWER" "and the module has it on record"
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
none" "news wakes who polls reasons and active, and the end who polls active"
is "$(cat /root/await.quiet)" "ready
quiet" "but not who polls another module"
echo all >$plr/core1/clear

# Let hardware set the bits of a limit again and again.
echo "plr 0/0/1 0x0000040000000004 0 600000000000" | hw plr schedule -
both="POWER POWER_PKG_PL1_MSR_TPMI"
is "$(until_is "$both" cat $plr/core1/active)" "$both" "active while it lasts"
sleep 1
like "$(cat $plr/core1/time_in_reason)" '^POWER [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]*$' "with time, last, since and count"
like "$(cat $plr/core1/time_in_reason)" '^observed [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]*$' "of the time observed"
hw plr stop
is "$(until_is none cat $plr/core1/active)" none "and not when it has ended"
is "$(cat $plr/core1/reasons)" "$both" "but on record"
is "$(cat $plr/core2/reasons)" none "other modules are not"
like "$(cat $plr/core1/time_in_reason)" '^POWER [1-9][0-9]* [1-9][0-9]* - [1-9][0-9]* [1-9][0-9]*$' "it is not in force, its time stays"
before=$(awk '$1 == "POWER" { print $2 }' $plr/core1/time_in_reason)
echo all >$plr/core1/clear
is "$(awk '$1 == "POWER" { print $2 }' $plr/core1/time_in_reason)" "$before" "a clear does not touch it"
like "$(cat $plr/core2/time_in_reason)" '^POWER 0 - - 0 [1-9][0-9]*$' "another module has none"

# Values are at most a second old, however long the interval, and never from before a clear.
echo 60000 >$plr/interval_ms
sleep 1.5
echo "plr 0/0/1 0x4 0 600000000000" | hw plr schedule -
sleep 0.2
is "$(cat $plr/core1/reasons)" POWER "a limit that began after the last poll is read"
echo all >$plr/core1/clear
sleep 0.3
is "$(cat $plr/core1/reasons) $(cat $plr/core1/raw)" "POWER 0x0000000000000004" "and is there again after a clear"
hw plr stop
for n in 1 2; do echo all >$plr/core1/clear; sleep 0.1; done
is "$(cat $plr/core1/reasons)" none "until it has ended"

# Count the accesses of one poll that finds a limit. In the long interval no other poll runs.
echo 5000 >$plr/interval_ms
sleep 6
hw count reset
hw plr 0/0/1 0x4
until_is 0x0000000000000000 hw plr 0/0/1 >/dev/null
sleep 0.2
is "$(plr_total)" "$((1 + 1 + 5 * (modules + 1) + 5 + 1))" \
	"a poll with a limit: 2 for the die, 5 per module and mesh plus 5 per limited one, and the die again"
echo 0 >$plr/interval_ms
is "$(plr_unwatched $plr/core1/active)" "No data available" "nobody watches any more"
hw count reset
sleep 0.3
is "$(plr_total)" 0 "and nothing is read"

# ---- the tracepoint starts monitoring, too
echo all >$plr/core1/clear
T=/sys/kernel/tracing
hw plr 0/0/2 =0x8
echo all >$plr/gate
echo 1 >$T/events/pmon/plr_reasons/enable
is "$(plr_watched $plr/core2/active)" none "traced: watched"
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
	"the core: begin and end, and again"
like "$(cat /root/trace)" "scope=mesh module=0 .* new=FREQUENCY ended=none$" "the mesh begins"
like "$(cat /root/trace)" "scope=mesh module=0 .* new=none ended=FREQUENCY$" "and ends"
like "$(cat /root/trace)" "scope=die .*new=" "the die"
unlike "$(cat /root/trace)" "THERMAL" "what was there before is no news"
is "$(plr_unwatched $plr/core1/active)" "No data available" "not traced: not watched"

# ---- D3 behind the kernel's back: one read of the die detects it. A stuck mailbox
# makes the driver check whether firmware blocks writes, but not in D3.
/root/await $plr/core2/active 10000 2 >/root/awaited &
becomes 'grep -q ready /root/awaited'
echo 200 >$plr/interval_ms
is "$(plr_watched $plr/core2/active)" none "watched again"
becomes 'grep -q none /root/awaited'
hw d3 0 on
becomes 'grep -q gone /root/awaited'
is "$(cat /root/awaited)" "ready
none
gone" "who waits for a module without a reason is woken when it is watched, and asleep"
hw d3 0 off
echo 0 >$plr/interval_ms
plr_unwatched $plr/core2/active >/dev/null
hw mailbox 0/0 stuck
echo 1500 >$plr/interval_ms
sleep 4
case $(uname -r) in
6.1.*) ;;
*) isnt "$(plr_accesses tpmi-control)" 0 "awake: whether firmware blocks writes is asked" ;;
esac
hw d3 0 on
hw count reset
sleep 4
# The read can come before the reset.
between 0 "$(plr_accesses other)" 1 "asleep: the die is read once, the control mailbox is not asked"
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
*) is "$(permitted)" D0 "in use: runtime PM does not suspend the function" ;;
esac

# ---- unload wakes pollers; a reason that is not normal under load is logged, a line a minute
logged() { dmesg | grep 'pkg0-dom[01]: PLR: ' | sed 's/.*pkg0/pkg0/'; }
# The timeout is long, because at its end poll(2) sees the removal without a notification.
/root/await $plr/core2/reasons 200000 >/root/unloaded &
becomes 'grep -q ready /root/unloaded'
sleep 0.2
# The kernels with checkers have no kprobes.
[ ! -e $T/kprobe_events ] || counts_calls plr_device_release
rmmod pmon_plr
[ ! -e $T/kprobe_events ] || is "$(calls)" 2 "unloaded: nobody keeps a device of the two packages"
becomes 'grep -q gone /root/unloaded'
is "$(cat /root/unloaded)" "ready
gone" "and who waits for a file that goes is woken"
kill $! 2>/dev/null
is "$(permitted)" D3hot "not in use: runtime PM suspends the function"
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
is "$(logged)" "pkg0-dom0: PLR: core1 limited by THERMAL THERMAL_PER_CORE
pkg0-dom1: PLR: core1 limited by POWER_PKG_PL1_PCS" \
	"a limit that is not normal is logged, once a minute and domain"

# ---- invalid values of interval_ms
rmmod pmon_plr
for wrong in 9 60001 1s; do
	hw count reset
	runs "interval_ms=$wrong: loads" modprobe pmon_plr interval_ms=$wrong
	is "$(dmesg | grep -c "pmon_plr: interval_ms=$wrong is neither 0 nor 10 to 60000: doing nothing")" 1 \
		"interval_ms=$wrong: a line says so"
	is "$(plr_total) $(ls $PMON)" "0 " "interval_ms=$wrong: nothing is shown or read"
	rmmod pmon_plr
done
SCRIPT

	# ---- a die as large as real ones: how long readers wait, and how soon a limit shows
	in_vm "$k 43 modules" --kernel "$k" --machine gnr-43 --drivers none <<'SCRIPT'
# A die that is computed shows what its last module has had since before the load.
hw die 0/0 computed
hw plr 0/0/42 =0x8
modprobe pmon_plr interval_ms=1000
plr=$PMON/pkg0-dom0/plr
becomes '[ "$(cat $plr/core*/active 2>/dev/null | grep -c none)" = 43 ]'
is "$(awk '$1 == "THERMAL" { print $2, $5 }' $plr/die/time_in_reason)" "0 0" \
	"monitored from the load on: what was there before has no time at the die"
is "$(dmesg | grep -c 'PLR: die limited')" 0 "and is no news"
hw die 0/0 collects
for dir in core42 die; do echo all >$plr/$dir/clear; done
sleep 3
# The monitor is not late, so readers with CAP_PERFMON may use 200 commands a second.
started=$(guest_ms)
cat $plr/core*/reasons >/root/reasons
took=$(($(guest_ms) - started))
note "$took ms for 43 modules"
is "$(sort -u /root/reasons) $((took < 1800 ? 0 : took))" "none 0" "a reader has 43 modules in a second or so"
for limited in 17 '3 20 41' "$(seq -s ' ' 0 42)"; do
	for n in $limited; do echo "plr 0/0/$n 0x0000040000000004 0 600000000000"; done | hw plr schedule -
	want=$(echo $limited | wc -w)
	started=$(guest_ms)
	becomes '[ "$(cat $plr/core*/active | grep -c POWER)" = $want ]'
	took=$(($(guest_ms) - started))
	is "$((took < 6000 ? 0 : took))" 0 "POWER on $want of 43 is active"
	sleep 3
	is "$(cat $plr/core*/active | grep -c POWER) $(cat $plr/die/active)" "$want POWER" "and stays so"
	hw plr stop
	started=$(guest_ms)
	becomes '[ "$(cat $plr/core*/active $plr/die/active | grep -c none)" = 44 ]'
	took=$(($(guest_ms) - started))
	is "$((took < 6000 ? 0 : took))" 0 "until it ends"
	sleep 12
	is "$(cat $plr/core*/active $plr/die/active | sort | uniq -c | tr -s ' ')" " 44 none" "which is the end of it"
done
peak=$(hw mailbox 0/0 | sed 's/.* peak=//')
is "$((peak <= 200 ? 0 : peak))" 0 "200 commands in any second at most"
SCRIPT
done
finish
