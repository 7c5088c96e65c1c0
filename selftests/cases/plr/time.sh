#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# time_in_reason: everybody reads it, it costs no access, it has a line for each name
# in the order of the specification, it only grows, and what it says is what the
# hardware's schedule was. And gate: which reasons have modules read.
# contract: time
# all kernels: 6.1 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# What the guide has a fleet type, literally.
guide=Documentation/admin-guide/plr.rst
arm=$(sed -n 's/^ *# \(echo .options pmon_plr interval_ms\)/\1/p' "$guide")
scrape=$(sed -n '/^ *\$ awk .*observed/,/^$/ { s/^ *[$>] //; p }' "$guide")

for k in $KERNELS; do
	# Guest time is instructions where that boots: nothing is late then.
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
. /lib/test/guest.sh
. /lib/test/plr.sh
plr_load
plr=$PMON/pkg0-dom0/plr
core=$plr/core1

# field NAME N [FILE]: the Nth word behind NAME
field() { awk -v name="$1" -v n="$2" '$1 == name { print $(n + 1) }' "${3:-$core/time_in_reason}"; }
# now_ms: since boot
now_ms() { awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime; }
# within GOT LEAST MOST NAME
within() { is "$(($1 >= $2 && $1 <= $3 ? 1 : $1))" 1 "$4 ($1 ms)"; }

is "$(stat -c %a $plr/*/time_in_reason | sort -u)" 444 "everybody reads it"
hw plr 0/0/1 =0x0000040000000004
hw count reset
cut -d' ' -f1 $core/time_in_reason >/root/names
is "$(plr_total)" 0 "it costs no access"
is "$(cat /root/names)" "observed
$(plr_names | grep -v RSVD | cut -d' ' -f2)" "observed, and all names in the order of the specification"
is "$(awk 'NF != 5 || NR > 1 && ($2 != 0 || $3 != "-" || $4 != "-" || $5 != 0)' $core/time_in_reason)" "" \
	"never watched: nothing counted, nothing seen, nothing in force"

# ---- what was there before watching has no time
echo 100 >$plr/interval_ms
plr_watched $core/active >/dev/null
sleep 0.5
is "$(field POWER 1) $(field POWER 3)" "0 -" "what was there before has no time"
like "$(field observed 1)" '^[1-9]' "time is observed"

# ---- by schedule: 0.9 s, and 0.4 s after a pause
before=$(field observed 1)
printf 'plr 0/0/1 0x4 100000000 1000000000\nplr 0/0/1 0x4 1600000000 2000000000\n' |
	hw plr schedule -
becomes 'since=$(field POWER 3); [ "$since" != - ]'
sleep 0.3
within "$(($(now_ms) - since))" 300 $((700 + slack)) "since: how long it has been in force"
# now_ms has hundredths of a second.
last=$(field POWER 2)
within "$(($(now_ms) - last))" -9 $((120 + slack)) "last: when it was seen"
sleep 2.2
within "$(field POWER 1)" 1300 $((1300 + 4 * 110 + slack)) "both times, an interval per edge more at most"
is "$(field POWER 3)" - "and it is in force no more"
within "$(($(field observed 1) - before))" 2200 $((3200 + slack)) "observed goes on"
is "$(field POWER 1 $plr/core2/time_in_reason)" 0 "no other module has any"
within "$(field POWER 1 $plr/die/time_in_reason)" 1300 $((1300 + 4 * 110 + slack)) "the die has it"

# ---- it only grows: a clear, the end of the watch and a rebind leave it
total=$(field POWER 1) seen=$(field observed 1)
echo all >$core/clear
is "$(field POWER 1)" "$total" "a clear leaves it"
echo 0 >$plr/interval_ms
plr_unwatched $core/active >/dev/null
is "$(field POWER 1) $(($(field observed 1) >= seen))" "$total 1" "so does the end of the watch"
echo 0000:00:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind
is "$(field POWER 1)" "$total" "so do registers that go"
plr_bind 0000:00:03.1
is "$(field POWER 1)" "$total" "and come back"

# ---- gate
want=$(plr_names | sed -n '2,10s/^[0-9]* //p' | tr '\n' ' ')
is "$(tr '\n' ' ' <$plr/gate)" "$want" "gate: all but FREQUENCY"
fails "a fine name is refused" sh -c "echo POWER_PKG_PL1_MSR_TPMI >$plr/gate"
fails "no name is refused" sh -c "echo Power >$plr/gate"
# commands of the two seconds after the first poll, while the value is in force on all modules
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
is "$(commands 0x0000000100000001)" 0 "FREQUENCY does not open it"

# ---- a fleet: one line arms every domain, and an exporter scrapes them
runs "unload" rmmod pmon_plr
mkdir -p /etc/modprobe.d
arm
plr_load
is "$(cat $PMON/pkg*-dom*/plr/interval_ms | sort | uniq -c | tr -s ' ')" " 4 1000" \
	"one line in modprobe.d arms every domain"
plr_watched $core/active >/dev/null
is "$(scrape)" "" "nothing has limited yet"
echo "plr 0/0/1 0x4 0 600000000000" | hw plr schedule -
becomes '[ "$(field POWER 1)" -gt 0 ]'
hw plr stop
like "$(scrape)" "^$core/time_in_reason POWER [1-9][0-9]*$" "an exporter finds the module that was limited"
is "$(scrape | grep -c -v "/plr/die/\|$core/")" 0 "and no other"
plr_unload
finish
BODY
)
SCRIPT
done
finish
