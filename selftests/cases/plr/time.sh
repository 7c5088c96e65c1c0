#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test time_in_reason: a read costs no access to hardware; it has a line
# for each name in the order of the specification, never decreases, and equals the
# hardware's schedule. The file gate selects the reasons for which modules are read.
# contract: time gate
# all kernels: 6.1 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Copy the commands for a fleet from the guide.
guide=Documentation/admin-guide/plr.rst
arm=$(sed -n 's/^ *# \(echo .options pmon_plr interval_ms\)/\1/p' "$guide")
scrape=$(sed -n '/^ *\$ awk .*observed/,/^$/ { s/^ *[$>] //; p }' "$guide")

for k in $KERNELS; do
	# Count guest time in instructions, so that nothing is late; 6.1 does not boot
	# with that.
	export OPENPMON_ICOUNT=1
	slack=20
	[ "$k" != 6.1 ] || { unset OPENPMON_ICOUNT; slack=400; }
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none \
		--timeout 900 <<SCRIPT
slack=$slack
arm() {
	$arm
}
scrape() {
	$scrape
}
$(cat <<'BODY'
plr_load
plr=$PMON/pkg0-dom0/plr
core=$plr/core1

# field NAME N [FILE]: print the Nth word after NAME
field() { awk -v name="$1" -v n="$2" '$1 == name { print $(n + 1) }' "${3:-$core/time_in_reason}"; }
# now_ms: print the milliseconds since boot
now_ms() { awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime; }

is "$(stat -c %a $plr/*/time_in_reason | sort -u)" 440 "time_in_reason has mode 440"
hw plr 0/0/1 =0x0000040000000004
hw count reset
cut -d' ' -f1 $core/time_in_reason >/root/names
is "$(plr_total)" 0 "a read of time_in_reason costs no access"
is "$(cat /root/names)" "observed
$(plr_names | grep -v RSVD | cut -d' ' -f2)" \
	"time_in_reason has observed and all names in the order of the specification"
is "$(awk 'NF != 6 || $6 != 0 || NR > 1 && ($2 != 0 || $3 != "-" || $4 != "-" || $5 != 0)' $core/time_in_reason)" "" \
	"time_in_reason has no time of a module that was never monitored"

# ---- a reason from before monitoring has no time
echo 100 >$plr/interval_ms
plr_watched $core/active >/dev/null
sleep 0.5
is "$(field POWER 1) $(field POWER 3)" "0 -" "a reason from before monitoring has no time"
like "$(field observed 1)" '^[1-9]' "observed time grows under monitoring"

# ---- a schedule: a limit of 0.9 s, and one of 0.4 s after a pause
before=$(field observed 1)
printf 'plr 0/0/1 0x4 100000000 1000000000\nplr 0/0/1 0x4 1600000000 2000000000\n' |
	hw plr schedule -
becomes 'since=$(field POWER 3); [ "$since" != - ]'
sleep 0.3
between 300 "$(($(now_ms) - since))" $((700 + slack)) "since is the time for which the limit has been in force"
# now_ms has a resolution of 10 ms.
last=$(field POWER 2)
between -9 "$(($(now_ms) - last))" $((120 + slack)) "last is the time at which the limit was seen"
sleep 2.2
between 1300 "$(field POWER 1)" $((1300 + 4 * 110 + slack)) \
	"the time of two limits is their sum with an interval per edge"
is "$(field POWER 3)" - "since is - when the limit has ended"
between 2200 "$(($(field observed 1) - before))" $((3200 + slack)) "observed time grows during and between the limits"
is "$(field POWER 1 $plr/core2/time_in_reason)" 0 "another module has no time of the limit"
between 1300 "$(field POWER 1 $plr/die/time_in_reason)" $((1300 + 4 * 110 + slack)) \
	"the die has the time of the limit"

# ---- times never decrease: not by a clear, the end of monitoring or a new bind
total=$(field POWER 1) seen=$(field observed 1)
echo all >$core/clear
is "$(field POWER 1)" "$total" "a clear leaves the time"
echo 0 >$plr/interval_ms
plr_unwatched $core/active >/dev/null
is "$(field POWER 1) $(($(field observed 1) >= seen))" "$total 1" "the end of monitoring leaves the times"
echo 0000:00:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind
is "$(field POWER 1)" "$total" "an unbind leaves the time"
plr_bind 0000:00:03.1
is "$(field POWER 1)" "$total" "a bind leaves the time"

# ---- gate
want=$(plr_names | sed -n '2,10s/^[0-9]* //p' | tr '\n' ' ')
is "$(tr '\n' ' ' <$plr/gate)" "$want" "gate has all coarse names but FREQUENCY"
not_written "Invalid argument" "gate refuses a fine name" $plr/gate POWER_PKG_PL1_MSR_TPMI
not_written "Invalid argument" "gate refuses an unknown name" $plr/gate Power
# commands VALUE: set VALUE on all modules; print the number of commands in two seconds,
# which begin half a second after the first poll
commands() {
	for n in 0 1 2 3; do echo "plr 0/0/$n $1 0 600000000000"; done | hw plr schedule -
	echo 100 >$plr/interval_ms
	plr_watched $core/active >/dev/null
	sleep 0.5
	hw count reset
	sleep 2
	hw mailbox 0/0 | sed 's/.* commands=\([0-9]*\).*/\1/'
	hw plr stop
	echo 0 >$plr/interval_ms
}
is "$(commands 0x0000000100000001)" 0 "FREQUENCY outside gate causes no command"

# ---- an event of FREQUENCY opens the gate, also with a long interval and an old reason
# at the die
busy() { for n in 0 1 2 3; do echo "plr 0/0/$n $1 0 600000000000"; done | hw plr schedule -; }
# each_second EVENT: count EVENT and its observed time on module 1 for six seconds. In each of
# the last five the observed time must be half a second or more, and EVENT's time must
# equal the observed time.
each_second() {
	perf stat -x, -I 1000 -C 2 -e plr/$1/,plr/$1,own=1,name=own/ -o /root/each-second -- sleep 6.3
	awk -F, -v event="plr/$1/" '
		$4 == event { ms = $2 }
		$4 == "own" {
			n++
			if (n > 1 && $2 >= 500 && ms >= 0.99 * $2 && ms <= 1.01 * $2) good++
		}
		END { print (good >= 5) ? "each second" : good + 0 " of " n }' /root/each-second
}
busy 0x0000000200000001
echo 1000 >$plr/interval_ms
sleep 4
is "$(each_second frequency)" "each second" "an event of FREQUENCY counts each second of the limit"
is "$(each_second frequency_cdyn1)" "each second" \
	"an event of a fine reason of FREQUENCY counts each second of the limit"
hw plr stop
is "$(tr '\n' ' ' <$plr/gate)" "$want" "an event of FREQUENCY leaves the file gate as before"
n=$(commands 0x0000000100000001)
between 0 "$n" 8 "FREQUENCY causes one round of 4 modules after its event has gone"
echo 1000 >$plr/interval_ms
sleep 3

# ---- FREQUENCY_PCS_TRL, a lowered turbo limit, is found when modules are read in turn, and
# then counted as any other reason
busy 0x0000000100000001
echo "plr 0/0/1 0x0000008000000001 0 600000000000" | hw plr schedule -
becomes 'grep -q FREQUENCY_PCS_TRL $core/active'
before=$(field FREQUENCY_PCS_TRL 1)
sleep 5
between 3000 "$(($(field FREQUENCY_PCS_TRL 1) - before))" $((6200 + slack)) "FREQUENCY_PCS_TRL counts its time"
hw plr stop
started=$(now_ms)
becomes '! grep -q FREQUENCY_PCS_TRL $core/active'
between 0 "$(($(now_ms) - started))" $((2600 + slack)) "FREQUENCY_PCS_TRL ends within two intervals"
echo 0 >$plr/interval_ms

# ---- a fleet: one line starts monitoring of every domain, for an exporter
runs "the module unloads before the line in modprobe.d" rmmod pmon_plr
mkdir -p /etc/modprobe.d
arm
plr_load
is "$(cat $PMON/pkg*-dom*/plr/interval_ms | sort | uniq -c | tr -s ' ')" " 4 1000" \
	"one line in modprobe.d sets interval_ms of every domain"
plr_watched $core/active >/dev/null
is "$(scrape)" "" "the exporter's command prints nothing before a limit"
echo "plr 0/0/1 0x4 0 600000000000" | hw plr schedule -
becomes '[ "$(field POWER 1)" -gt 0 ]'
hw plr stop
like "$(scrape)" "^$core/time_in_reason POWER [1-9][0-9]*$" \
	"the exporter's command prints the module that was limited"
is "$(scrape | grep -c -v "/plr/die/\|$core/")" 0 "the exporter's command prints no other module"
plr_unload
BODY
)
SCRIPT

	# ---- a die of real size, on a busy host: modules are read in turn
	in_vm "$k 43 modules" --kernel "$k" --machine gnr-43 --drivers none \
		--timeout 900 <<SCRIPT
slack=$slack
$(cat <<'BODY'
plr_load
plr=$PMON/pkg0-dom0/plr
for n in $(seq 0 42); do echo "plr 0/0/$n 0x0000000200000001 0 600000000000"; done | hw plr schedule -
# plr/observed/ alone does not put FREQUENCY into the gate.
perf stat -a -e plr/observed/ -- sh -c '
	sleep 3; hw count reset; sleep 6
	hw mailbox 0/0 | sed "s/.* commands=\([0-9]*\).*/\1/"' >/root/commands 2>/dev/null
commands=$(cat /root/commands)
between 0 "$commands" 120 "plr/observed/ alone causes 20 commands a second at most"
# Limit one module, three, and all for 3 s each, with FREQUENCY in the gate.
{
	echo "plr 0/0/5 0x8 2000000000 5000000000"
	for n in 10 11 12; do echo "plr 0/0/$n 0x10 3000000000 6000000000"; done
	for n in $(seq 0 42); do echo "plr 0/0/$n 0x4 9000000000 12000000000"; done
} >/root/limits
hw count reset
perf stat -x, -a -A -e plr/frequency/,plr/thermal/,plr/platform/,plr/power/,plr/observed/,plr/frequency,own=1,name=own/ \
	-o /root/stat -- sh -c 'hw plr schedule - </root/limits; sleep 16'
peak=$(hw mailbox 0/0 | sed 's/.* peak=//')
between 0 "$peak" 200 "events of 43 modules cause 200 commands in a second at most"
# A counted time may exceed its limit by two seconds at each end. It may be shorter by the
# time in which the module was not read.
awk -F, -v "slack=$slack" '
	/^CPU/ { ms[$1 " " $4] = $2; cpu[$1] = 1 }
	function judge(c, event, least, most,  n) {
		n = ms[c " plr/" event "/"]
		if (n < least - slack || n > most + slack) print c " " event ": " n ", not " least " to " most
	}
	END {
		for (c in cpu) {
			modules++
			n = substr(c, 4) + 0
			o = ms[c " plr/observed/"]
			judge(c, "observed", 13500, 18500)
			# perf starts and ends "own" later than "frequency"; a poll can come between.
			judge(c, "frequency", 13500, ms[c " own"] + 1000)
			judge(c, "thermal", n == 5 ? 2000 : 0, n == 5 ? 7000 : 0)
			judge(c, "platform", n >= 10 && n <= 12 ? 2000 : 0, n >= 10 && n <= 12 ? 7000 : 0)
			judge(c, "power", 2000, 7000)
		}
		print modules
	}' /root/stat >/root/wrong
is "$(cat /root/wrong)" 43 "limits of one, three and all of 43 modules count as long as scheduled"
hw plr stop
plr_unload
BODY
)
SCRIPT
done
finish
