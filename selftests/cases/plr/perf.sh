#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test the PMU "plr": every reason has an event, one CPU stands for a module, and an open
# event watches one domain and counts the intervals in which the reason came up. Machines
# have two and four CPUs per module; CPUs go offline, and devices are removed and return.
# Hundreds of events would take minutes under the sanitizers: there plr/cycles.sh opens a few.
# contract: events
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none \
		--program hold <<'SCRIPT'
plr_kernel
ls /sys/bus/event_source/devices >/root/pmus
modprobe pmon_plr
pmu=/sys/bus/event_source/devices/plr
plr_quick

# ---- names and codes, against the table of the specification
plr_names | grep -v RSVD >/root/names
{
	tr A-Z a-z </root/names | while read -r bit name; do
		printf '%s event=0x%02x ms 1e-6\n' $name $bit
	done
	echo "observed event=0x40 ms 1e-6"
} | sort >/root/want
for file in $(ls $pmu/events | grep -v '\.'); do
	read -r code <$pmu/events/$file
	read -r unit <$pmu/events/$file.unit
	read -r scale <$pmu/events/$file.scale
	echo $file $code $unit $scale
done | sort >/root/got
is "$(diff /root/want /root/got 2>&1)" "" "all $(wc -l </root/got) events have their codes, units and scales"
isnt "$(wc -l </root/want)" 0 "the list of expected events is not empty"

# ---- one CPU of each module
tr ',' '\n' <$pmu/cpumask >/root/mask
for cpu in $(cat /root/mask); do
	readlink -f $CPUS/cpu$cpu/plr
done | sort -u >/root/modules
is "$(wc -l </root/modules) $(wc -l </root/mask)" "12 12" "cpumask has one CPU for each of 12 modules"

# ---- all events at once: each must count on the modules that have its reason. Number the
# six modules of package 0 from 0 to 5. Module n has the reason of bit b if bit n of b + 1
# is set, so each event counts on a different subset of modules.
cat >/root/code <<'EOS'
. /lib/test/plr.sh
for die in $PMON/pkg*-dom*/plr/die; do plr_watched $die/active >/dev/null; done
n=0
for module in 0/0/0 0/0/1 0/0/2 0/0/3 0/1/0 0/1/1; do
	value=0
	while read -r bit name; do
		[ $(((bit + 1) >> n & 1)) = 0 ] || value=$((value | 1 << bit))
	done </root/names
	hw plr $module $(printf '=0x%016x' $value)
	n=$((n + 1))
done
for module in 0/0/0 0/0/1 0/0/2 0/0/3 0/1/0 0/1/1; do
	while [ $(hw plr $module) != 0x0000000000000000 ]; do sleep 0.05; done
done
EOS
events=$(tr A-Z a-z </root/names | sed 's|.* \(.*\)|-e plr/\1/|')
is "$(plr_unwatched $PMON/pkg0-dom0/plr/core1/active)" "No data available" \
	"no domain is monitored before an event is open"
perf stat -x, -a -A $events -e plr/observed/ -o /root/stat -- sh /root/code
# Print the first CPU and the number n of each module.
n=0
for module in 0/core0 0/core1 0/core2 0/core3 1/core0 1/core1; do
	dom=$PMON/pkg0-dom${module%/*}/plr/${module#*/}
	cpu=$(cut -d, -f1 $dom/cpus | cut -d- -f1)
	echo "CPU$cpu $n"
	n=$((n + 1))
done >/root/places
awk -F, '
	BEGIN { two[0] = 1; for (n = 1; n < 6; n++) two[n] = 2 * two[n - 1] }
	FILENAME == "/root/places" { split($0, p, " "); place[p[1]] = p[2]; next }
	FILENAME == "/root/names" { split($0, p, " "); bit[tolower(p[2])] = p[1]; next }
	!/^CPU/ { next }
	{
		split($4, e, "/")
		rows++
		if (e[2] == "observed") { if ($2 <= 0) print "observed: " $0; next }
		if ($2 > 0 && !($1 in place)) print "not limited: " $0
		if ($2 > 0) code[e[2]] += two[place[$1]]
	}
	END {
		for (name in bit)
			if (code[name] != bit[name] + 1)
				print name ": " code[name] - 1
		if (rows != 38 * 12) print rows " rows"
		print "end"
	}' /root/places /root/names /root/stat >/root/wrong
is "$(cat /root/wrong)" end "each of 37 reasons counts on the modules that have the reason"
is "$(plr_unwatched $PMON/pkg0-dom0/plr/core1/active)" "No data available" "the last close ends monitoring"
hw count reset
sleep 0.3
is "$(plr_total)" 0 "no register is read after the last close"

# ---- an event may be on any CPU of a module; only the module's domain is watched
second=$(($(sed -n 2p /root/mask) + 1))
module=$(readlink -f $CPUS/cpu$second/plr)
unlike "$(tr '\n' ' ' </root/mask)" "(^| )$second " "cpu$second is not the CPU of its module in cpumask"
cat >/root/second <<'EOS'
. /lib/test/plr.sh
plr_watched $PMON/pkg0-dom0/plr/die/active >/dev/null
plr_error $PMON/pkg0-dom1/plr/die/active
plr_error $PMON/pkg0-dom0/plr/die/active
hw plr 0/0/1 =0x4
while [ $(hw plr 0/0/1) != 0x0000000000000000 ]; do sleep 0.05; done
sleep 0.2
EOS
is "$module" "$(readlink -f $PMON/pkg0-dom0/plr/core1)" "the second CPU belongs to module 1"
perf stat -x, -C $second -e plr/power/,plr/thermal/,plr/observed/ -o /root/stat \
	-- sh /root/second >/root/said
is "$(cat /root/said)" "No data available" "an event starts monitoring of its own domain and no other"
awk -F, '/plr/ { v[$3] = $1 } END {
	print (v["plr/power/"] > 0), (v["plr/thermal/"] == 0), (v["plr/observed/"] >= v["plr/power/"])
}' /root/stat >/root/got
is "$(cat /root/got)" "1 1 1" "an event on a CPU outside cpumask counts for its module"

# ---- events that cannot be counted
for event in plr/event=0x41/ plr/config=0x100/ plr/config1=1/ plr/config2=1/ \
	plr/power/D '{cpu-clock,plr/power/}:D'; do
	like "$(perf stat -x, -C 0 -e "$event" -- true 2>&1)" '<not supported>' "$event is refused"
done
fails_with 'Invalid argument|not support' \
	"perf record fails on plr/power/" perf record -a -o /dev/null -e plr/power/ -c 1 -- true

# ---- a module's CPU in cpumask goes offline; events move to the module's other CPU
cat >/root/offline <<'EOS'
. /lib/test/plr.sh
plr_watched $PMON/pkg0-dom0/plr/die/active >/dev/null
echo 0 >$CPUS/cpu2/online
hw plr 0/0/1 =0x4
while [ $(hw plr 0/0/1) != 0x0000000000000000 ]; do sleep 0.05; done
cat /sys/bus/event_source/devices/plr/cpumask
ls -d $CPUS/cpu2/plr 2>/dev/null
EOS
module=$(readlink -f $CPUS/cpu2/plr)
like "$module" 'plr/core1$' "a CPU has a link to its module"
perf stat -x, -C 2 -e plr/power/,plr/observed/ -o /root/stat -- sh /root/offline >/root/said
is "$(cat /root/said)" 0,3-4,6,8,10,12,14,16,18,20,22 "cpu3 is in cpumask when cpu2 is offline"
is "$(grep -cE '^[1-9][0-9.]*,ms,plr/(power|observed)/' /root/stat)" 2 \
	"both events move to cpu3 and count"
echo 1 >$CPUS/cpu2/online
is "$(cat $pmu/cpumask)" 0,2,4,6,8,10,12,14,16,18,20,22 "cpu2 is in cpumask when it is online again"
is "$(readlink -f $CPUS/cpu2/plr)" "$module" "cpu2 has its link when it is online again"
perf stat -D -1 -x, -C 2 -e plr/observed/ -o /root/stat -- sh /root/offline >/root/said
is "$(cat /root/said)" 0,3-4,6,8,10,12,14,16,18,20,22 "cpu3 is in cpumask when cpu2 is offline again"
like "$(cat /root/stat)" '^<not counted>,ms,plr/observed/' "a disabled event stays disabled in a move"
echo 1 >$CPUS/cpu2/online

# ---- the device goes and returns; the count of an open event stands still meanwhile
cat >/root/gone <<'EOS'
. /lib/test/plr.sh
plr_watched $PMON/pkg0-dom0/plr/die/active >/dev/null
function=0000:00:03.1
limit() {
	hw plr 0/0/1 =0x4
	while [ $(hw plr 0/0/1) != 0x0000000000000000 ]; do sleep 0.05; done
}
limit
sleep 0.3
rmmod pmon_plr 2>/dev/null && echo unloaded
echo $function >/sys/bus/pci/drivers/intel_vsec/unbind
perf stat -x, -C 4 -e plr/power/ -- true 2>&1 | grep -c '[0-9],ms,plr'
sleep 1
echo $function >/sys/bus/pci/drivers/intel_vsec/bind
plr_watched $PMON/pkg0-dom0/plr/die/active >/dev/null
limit
sleep 0.5
EOS
perf stat -x, -I 100 -C 3 -e plr/power/,plr/observed/ -o /root/stat -- sh /root/gone >/root/said
is "$(cat /root/said)" 0 "a new event is refused while the device is unbound"
awk -F, '
	/plr.observed/ && $2 > 0 && gone > 5 { again = 1 }
	/plr.observed/ && $2 > 0 { counted = 1; gone = 0 }
	/plr.observed/ && $2 == 0 && counted { gone++ }
	END { print counted + 0, again + 0 }' /root/stat >/root/got
is "$(cat /root/got)" "1 1" "open events stand still while the device is unbound and go on after"
like "$(cat $PMON/pkg0-dom1/plr/core0/reasons)" POWER_PKG_PL2_PCS "reasons from before the unbind are on record"

# After this interval perf tries again to start an event that waits for its first poll.
echo 2000 >$pmu/perf_event_mux_interval_ms
perf stat -x, -C 4 -e plr/observed/ -o /root/stat -- sleep 10
like "$(cat /root/stat)" '^[1-9][0-9]{3,}[.0-9]*,ms,plr/observed/' \
	"an event counts from its first poll with a mux interval of 2 s"
# When another event is opened on a CPU, perf stops the events there for a moment.
cat >/root/others <<'EOS'
sleep 3
for n in $(seq 20); do
	printf 'open plr 6 3\nclose\n' | /root/hold
	sleep 0.3
done
EOS
perf stat -x, -C 6 -e plr/observed/ -o /root/stat -- sh /root/others
is "$(awk -F, '/plr.observed/ { print ($5 > 70 ? 1 : $0) }' /root/stat)" 1 \
	"an event counts on while others are opened"
# CPUs that are offline during the change keep the old interval.
for n in 4 5; do echo 0 >/sys/devices/system/cpu/cpu$n/online; done
echo 4 >$pmu/perf_event_mux_interval_ms
for n in 4 5; do echo 1 >/sys/devices/system/cpu/cpu$n/online; done
perf stat -x, -C 4 -e plr/observed/ -o /root/stat -- sleep 10
like "$(cat /root/stat)" '^[1-9][0-9]{3,}[.0-9]*,ms,plr/observed/' \
	"an event counts from its first poll with a mux interval on one CPU only"
runs "the module unloads" rmmod pmon_plr
is "$(ls /sys/bus/event_source/devices)" "$(cat /root/pmus)" "no PMU is left after the unload"
SCRIPT

	in_vm "$k srf" --kernel "$k" --machine srf-1s --drivers none \
		--append isolcpus=4 <<'SCRIPT'
plr_load
hw mailbox 0/0 slow 0
modules=$(plr_modules pkg0-dom0 | wc -l)
cat >/root/limit <<'EOS'
. /lib/test/plr.sh
plr_watched $PMON/pkg0-dom0/plr/die/active >/dev/null
hw plr 0/0/1 =0x4
while [ $(hw plr 0/0/1) != 0x0000000000000000 ]; do sleep 0.05; done
sleep 0.2
EOS
is "$(tr ',' '\n' </sys/bus/event_source/devices/plr/cpumask | wc -l)" "$modules" \
	"cpumask has one CPU for each of $modules modules of four CPUs"
perf stat -x, -a --per-socket -e plr/power/,plr/observed/ -o /root/stat -- \
	perf stat -x, -a -A -e plr/power/ -o /root/modules -- sh /root/limit
awk -F, -v modules=$modules '
	/plr.power/ { power = $3; n = $2 }
	/plr.observed/ { observed = $3 }
	END { print (n == modules), (power > 0), (observed >= modules * power) }' /root/stat >/root/got
is "$(cat /root/got)" "1 1 1" "--per-socket counts one limited module of $modules"
is "$(awk -F, '/power/ { print $1, ($2 > 0) }' /root/modules)" "CPU0 0
CPU5 1" "-A counts on CPU5, because CPU4 is isolated"
perf stat -x, -C 7 -e plr/power/ -o /root/stat -- sh /root/limit
like "$(cat /root/stat)" '^[1-9][0-9.]*,ms,plr/power/' "an event on the last CPU of a module counts"

mask=/sys/bus/event_source/devices/plr/cpumask
for n in 5 6 7; do echo 0 >/sys/devices/system/cpu/cpu$n/online; done
is "$(cat $mask)" 0,4 "cpumask has the isolated CPU while the module's others are offline"
T=/sys/kernel/tracing
mount -t tracefs tracefs $T 2>/dev/null
echo 'p:added pmon_boxless_add' >$T/kprobe_events
echo 1 >$T/events/kprobes/added/enable
perf stat -x, -C 4 -e plr/power/ -o /root/stat -- sh -c "
	echo 1 >/sys/devices/system/cpu/cpu6/online
	cat $mask >/root/mask; sh /root/limit"
echo 0 >$T/events/kprobes/added/enable
is "$(cat /root/mask)" 0,6 "cpumask has a CPU that is not isolated once online"
is "$(grep -o '\[00[0-9]\].*added' $T/trace | cut -c2-4 | uniq | tr '\n' ' ')" "004 006 " \
	"the event moves from the isolated CPU to the other"
like "$(cat /root/stat)" '^[1-9][0-9.]*,ms,plr/power/' "the event counts on after its move from the isolated CPU"
echo >$T/kprobe_events
SCRIPT
done
finish
