#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Age and duration: history says when each reason was seen first and last, and
# for how long it has limited, against the schedule of the hardware; what was
# there before is told apart. And max_commands: what watching costs while
# everything is limited, and whole dies only.
# kernels: 6.1 6.12 newest
# check: 6.1
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --timeout 300 <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
modprobe pmon_plr
plr=$PMON/pkg0-dom0/plr
plr_quick

# boot time, in ms
now_ms() {
	awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime
}
# line FILE NAME: "FIRST LAST LIMITED NOW", times in ms
line() {
	awk -v name="$2" '$1 == name {
		printf "%d %d %d %d\n", $2 / 1e6, $3 / 1e6, $4 / 1e6, $5
	}' "$1"
}

is "$(cat $plr/core1/history)" "" "never watched: nothing"

# ---- latched before
hw plr 0/0/1 =0x0000040000000004
echo 50 >$plr/interval_ms
read -r first last limited in_force <<EOS
$(line $plr/core1/history POWER)
EOS
is "$first $limited $in_force" "0 0 0" "latched before: nothing tells since when"
is "$((last > 0 && last <= $(now_ms) + 10))" 1 "seen when watching began"
is "$(cut -d' ' -f1 $plr/core1/history | tr '\n' ' ')" "POWER POWER_PKG_PL1_MSR_TPMI " "a line each"

# ---- by schedule: 0.5 to 1.5 s from now, and 2 to 2.5 s
plr_trace
start=$(now_ms)
printf 'plr 0/0/1 0x4 500000000 1500000000\nplr 0/0/1 0x4 2000000000 2500000000\n' |
	hw plr schedule -
begun=$(now_ms)
until [ "$(cat $plr/core1/active)" = POWER ]; do sleep 0.02; done
is "$(line $plr/core1/history POWER | cut -d' ' -f4)" 1 "now, while it is in force"
until [ "$(($(now_ms) - start))" -gt 2800 ]; do sleep 0.1; done
until [ "$(cat $plr/core1/active)" = none ]; do sleep 0.1; done
read -r first last limited in_force <<EOS
$(line $plr/core1/history POWER)
EOS
plr_traced
note "first $((first - start)) last $((last - start)) limited $limited ms"
note "given within $((begun - start)) ms, $plr_looks looks $plr_pace ms apart, one $plr_gap ms"
# Where the host is busy an interval is longer, now and then, and so is what
# history has.
is "$((plr_pace > 0 && plr_pace < 200))" 1 "it was looked at as often as was asked for"
is "$((first - start >= 480 && first - begun < 520 + plr_gap))" 1 "first: when it came"
is "$((last - start >= 2400 && last - begun < 2520 + plr_gap))" 1 \
	"last: when it was seen last"
is "$((limited >= 1500 && limited < 1520 + 4 * plr_gap))" 1 \
	"limited: both times, an interval per edge more"
is "$in_force" 0 "not now"
is "$(line $plr/core1/history POWER_PKG_PL1_MSR_TPMI | cut -d' ' -f1,3,4)" "0 0 0" "what did not come again has no age"

# ---- a clear by name takes its line; the others stay
echo POWER >$plr/core1/clear
is "$(cut -d' ' -f1 $plr/core1/history)" POWER_PKG_PL1_MSR_TPMI "a clear takes the line of its reason"
hw count reset
cat $plr/*/history >/dev/null
is "$(plr_accesses mailbox plr-data)" 0 "reading it costs no command"

# ---- it stays when watching ends, and over an unbind of the device
echo 0 >$plr/interval_ms
is "$(cut -d' ' -f1 $plr/core1/history)" POWER_PKG_PL1_MSR_TPMI "it stays when watching ends"
echo all >$plr/core1/clear
is "$(cat $plr/core1/history)" "" "and goes with its clear"

# ---- latched between two watches: later than the last look before
hw plr 0/0/1 =0x4
echo 50 >$plr/interval_ms
until [ "$(line $plr/core1/history POWER | cut -d' ' -f1)" != 0 ]; do
	hw plr 0/0/1 =0x4
	sleep 0.05
done
echo 0 >$plr/interval_ms
before=$(now_ms)
sleep 1
hw plr 0/0/1 =0x4
sleep 1
echo 50 >$plr/interval_ms
read -r name first last limited in_force after <<EOS
$(grep '^POWER ' $plr/core1/history)
EOS
note "ended $before, last $((last / 1000000)), after $((${after:-0} / 1000000)) ms"
is "$((last / 1000000 <= before + 10 && last >= first))" 1 "last: not when it was found latched"
is "$((${after:-0} >= last && ${after:-0} / 1000000 <= before + 10))" 1 "but it came after the last look"
like "$(cat $plr/core1/unseen_ns)" "^[1-9]" "when there was nothing else last"
echo 0 >$plr/interval_ms
echo POWER >$plr/core1/clear

# ---- a clear by name leaves what it is not for, found at that time
echo all >$plr/core1/clear
cleared=$(now_ms)
hw plr 0/0/1 =0x0000040000000004
sleep 0.1
echo POWER >$plr/core1/clear
is "$(cut -d' ' -f1,2 $plr/core1/history)" "POWER_PKG_PL1_MSR_TPMI 0" "what a clear by name leaves has a line"
read -r name first last limited in_force after <<EOS
$(cat $plr/core1/history)
EOS
is "$((${after:-0} / 1000000 <= cleared + 10 && last / 1000000 >= cleared))" 1 "and came after the clear of all"
echo all >$plr/core1/clear

# ---- every name at once fits, reserved ones as far as they do
hw plr 0/0/1 =0x7fffffffffffffff
echo 50 >$plr/interval_ms
plr_names | grep -v RSVD | cut -d' ' -f2 >/root/names
is "$(cut -d' ' -f1 $plr/core1/history | head -n "$(wc -l </root/names)")" "$(cat /root/names)" \
	"all names, in the order of reasons, before reserved ones"
is "$(awk 'NF != 5 && NF != 6' $plr/core1/history)" "" "five or six columns, and no line is cut"
echo 0 >$plr/interval_ms
for dir in core1 die; do echo all >$plr/$dir/clear; done

# ---- what watching costs while everything is limited
fails "more commands than a mailbox can take" sh -c "echo 100001 >$plr/max_commands"
is "$(cat $plr/max_commands)" 200 "200 commands a second"
for n in 0 1 2 3; do echo "plr 0/0/$n 0x4 0 600000000000"; done | hw plr schedule -
# commands SECONDS: a second, given by watching
commands() {
	hw count reset
	commands_from=$(now_ms)
	sleep "$1"
	commands_n=$(hw count | awk '/^class=mailbox / { sub(".*writes=", ""); print $1 + 0 }')
	echo $((commands_n * 1000 / ($(now_ms) - commands_from)))
}
echo 20 >$plr/max_commands
echo 20 >$plr/interval_ms
sleep 1
for try in 1 2 3 4 5; do
	rate=$(commands 3)
	[ "$rate" -lt 10 ] || break
done
note "$rate commands a second of 20, 4 modules limited, looked at every 20 ms"
is "$((rate >= 10 && rate <= 30))" 1 "max_commands bounds them"
is "$(cat $plr/core0/active $plr/core1/active $plr/core2/active $plr/core3/active | sort -u)" POWER \
	"and every module has its turn"
cpu1=$(sed 's/[-,].*//' $plr/core1/cpus)
for try in 1 2 3 4 5; do
	perf stat -x, -C "$cpu1" -e plr/power/,plr/observed/ -o /root/stat -- sleep 1
	note "$(awk -F, '{ printf "%s %s; ", $3, $1 }' /root/stat)"
	wished=$(awk -F, '$3 == "plr/power/" { print ($1 >= 700 && $1 <= 2000) }' /root/stat)
	[ "$wished" != 1 ] || break
done
is "$wished" 1 \
	"a module with an event is looked at as often as it wishes"

# ---- whole dies only
echo 0 >$plr/max_commands
becomes '[ -n "$(plr_error $plr/core1/active)" ]'
is "$(plr_error $plr/core1/active)" "No data available" "dies only: no module is known"
rate=$(commands 1)
is "$rate $(cat $plr/die/active)" "0 POWER" "no command, and the die is known"
plr_stat /root/stat 1 -C "$cpu1" -e plr/observed/
is "$(awk -F, '$3 == "plr/observed/" { print ($1 >= 200) }' /root/stat)" 1 "but modules with an event are"
hw plr stop
is "$(for n in $(seq 100); do
	[ "$(cat $plr/die/active)" != none ] || break
	sleep 0.02
done; cat $plr/die/active)" none "and known to be over"
echo 200 >$plr/max_commands
is "$(plr_watched $plr/core1/active)" none "modules are looked at again"
like "$(cat $plr/core1/reasons)" POWER "and have what they had"
finish
SCRIPT
done
finish
