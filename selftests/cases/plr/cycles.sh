#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The function's driver is unbound and bound again, many times, under people who
# read, poll, trace and count. Who polls is woken, counts stand still and go on,
# files work after it.
# PLR_CYCLES: how many (slow/plr-cycles.sh has more), PLR_LIMIT: seconds.
# all kernels: 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s --drivers none --timeout "${PLR_LIMIT:-900}" \
	--program await <<SCRIPT
cycles=${PLR_CYCLES:-10}
$(cat <<'BODY'
. /lib/test/plr.sh
plr_load
dom=$PMON/pkg0-dom0
core=$dom/plr/core1
function=0000:00:03.1
vsec=/sys/bus/pci/drivers/intel_vsec
chmod +x /root/await

# ---- who polls is woken: by news, not by silence, and when the file goes
/root/await $core/active 20000 >/root/active &
until grep -q ready /root/active; do :; done
echo 400 >$dom/plr/interval_ms
wait
is "$(cat /root/active)" "ready
none" "who polls active is told that something is known"
for f in reasons active; do
	/root/await $core/$f 20000 >/root/$f &
done
/root/await $dom/plr/core2/reasons 1500 >/root/quiet &
until grep -q ready /root/reasons && grep -q ready /root/active && grep -q ready /root/quiet; do :; done
hw plr 0/0/1 =0x4
wait
is "$(cat /root/reasons)" "ready
POWER" "news wakes who polls reasons"
is "$(cat /root/active)" "ready
POWER" "and active"
is "$(cat /root/quiet)" "ready
quiet" "but not who polls another module"
/root/await $core/active 20000 >/root/active &
until grep -q ready /root/active; do :; done
hw plr 0/0/1 0x4
wait
like "$(cat /root/active)" "^(none|POWER)$" "active tells the end, too"
echo $function >$vsec/unbind
is "$(plr_error $core/reasons)" "No such device" "it goes"
plr_bind $function
runs "it is back" cat $core/reasons

# ---- many times, under all of them
while [ ! -e /root/stop ]; do
	cat $PMON/pkg*-dom*/plr/*/reasons $PMON/pkg*-dom*/plr/*/time_in_reason $CPUS/cpu*/plr/raw
	echo POWER >$core/clear
	echo 10 >$dom/plr/interval_ms
done >/dev/null 2>&1 &
while [ ! -e /root/stop ]; do
	/root/await $core/active 1000 3
done >/dev/null 2>&1 &
echo 1 >/sys/kernel/tracing/events/pmon/plr_reasons/enable
perf stat -x, -a -I 50 -e plr/power/,plr/observed/ -o /root/stat -- sh -c \
	'while [ ! -e /root/stop ]; do sleep 0.1; done' &
while [ ! -e /root/stop ]; do
	perf stat -a -e plr/thermal/ -- true
done >/dev/null 2>&1 &
until grep -q observed /root/stat; do sleep 0.1; done
for n in $(seq $cycles); do
	hw plr 0/0/1 0x4
	# Readers who are still under way when it goes, now and then.
	hw mailbox 0/0 slow $((n % 2 * 300000))
	echo $function >$vsec/unbind
	[ $((n % 3)) != 0 ] || echo 0000:80:03.1 >$vsec/unbind
	echo $function >$vsec/bind
	[ $((n % 3)) != 0 ] || echo 0000:80:03.1 >$vsec/bind
done
plr_attached
sleep 0.5
: >/root/stop
wait
echo 0 >/sys/kernel/tracing/events/pmon/plr_reasons/enable
isnt "$(awk -F, '/observed/ && $2 > 0' /root/stat | tail -n 1)" "" "$cycles times unbound and bound: counts go on"
echo 0 >$dom/plr/interval_ms
for d in $PMON/pkg*-dom*; do
	echo all >$d/plr/core1/clear
done
hw mailbox 0/0 slow 0
hw plr 0/0/1 =0x4
is "$(cat $core/reasons) $(cat $PMON/pkg1-dom1/plr/core1/reasons)" "POWER none" "files work"
plr_stat /root/stat 0.3 -a -e plr/observed/
like "$(cat /root/stat)" '^[1-9][0-9.]*,ms,plr/observed/' "perf counts"
plr_unload
finish
BODY
)
SCRIPT
finish
