#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Recover a PCI function from errors while processes read, poll, trace and count:
# selftests/guest/modules/recovery.c calls intel_vsec in the kernel's order, and in the
# order of other kernels. While I/O is frozen nothing is accessed, files return an error,
# and pollers are woken; afterwards files, monitoring and counts go on by themselves.
# Reasons on record stay, and no value is invented. Since 7.2 intel_vsec removes its TPMI
# devices and, due to a stale flag, creates none again, so the case rebinds intel_vsec.
# PLR_RECOVERIES: number of recoveries under load (slow/plr-recovery.sh has more).
# contract: notified domain
# all kernels: 6.1 6.12 sanitizer
# check: 6.12
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s --drivers none --timeout 900 \
	--program await --module recovery --module claim <<SCRIPT
rounds=${PLR_RECOVERIES:-1}
$(cat <<'BODY'
plr_load
insmod /root/recovery.ko
chmod +x /root/await
dom=$PMON/pkg0-dom0
core=$dom/plr/core1
other=$PMON/pkg1-dom0

function=0000:00:03.1
case $(uname -r) in
6.1.*) own=old_slot_reset foreign=slot_reset ;;
*) own=slot_reset foreign=old_slot_reset ;;
esac
made() { ls /sys/bus/pci/devices/$function | grep -c '^intel_vsec.tpmi'; }
# step STEP: make a step of error recovery of package 0's function
step() {
	echo "$function $1" >/sys/module/recovery/parameters/step || return
	case $1/$(uname -r) in
	resume/[1-6].*) ;;
	resume/*)
		made >/root/made
		echo $function >/sys/bus/pci/drivers/intel_vsec/unbind
		echo $function >/sys/bus/pci/drivers/intel_vsec/bind
		;;
	esac
}
# until_no_error FILE: wait until FILE can be read, 10 s at most; print the error that is left
until_no_error() {
	for n in $(seq 200); do
		[ "$(plr_error $1)" ] || break
		sleep 0.05
	done
	plr_error $1
}
awaits() { # FILE MS NAME
	/root/await $1 $2 >/root/await.$3 &
	until grep -q ready /root/await.$3; do :; done
}

# ---- step by step, while domains are monitored and module 1 has a reason on record
echo 50 >$dom/plr/interval_ms
echo 50 >$other/plr/interval_ms
hw plr 0/0/1 0x0000040000000004
while [ "$(hw plr 0/0/1)" != 0x0000000000000000 ]; do :; done
perf stat -x, -a -A -I 100 -e plr/power/,plr/thermal/,plr/observed/ -o /root/stat -- \
	sh -c 'while [ ! -e /root/stop ]; do sleep 0.1; done' &
until grep -q 'CPU2,[1-9][0-9.]*,ms,plr/observed/' /root/stat 2>/dev/null; do sleep 0.1; done
sleep 0.5
exec 3<$core/reasons
awaits $core/reasons 20000 reasons
awaits $core/active 20000 active
awaits $dom/plr/die/reasons 20000 die
awaits $other/plr/core1/reasons 4000 other
runs "an error freezes the function" step frozen
becomes '[ "$(cat /root/await.reasons /root/await.active /root/await.die | grep -c gone)" = 3 ]'
is "$(cat /root/await.reasons /root/await.active /root/await.die | grep -c gone)" 3 \
	"polls of three files are woken by the error"
for file in core1/reasons core1/raw core1/coarse die/reasons; do
	is "$(plr_error $dom/plr/$file)" "No such device" "$file gives ENODEV while the function is frozen"
done
is "$(plr_error $core/active)" "No data available" "active gives ENODATA while the function is frozen"
like "$(echo POWER | dd of=$core/clear 2>&1)" "No such device" "a clear gives ENODEV while the function is frozen"
like "$(cat <&3 2>&1)" "No such device" "a file open since before the error gives ENODEV"
is "$(cat $other/plr/core1/reasons)" none "the other package is read while a function is frozen"
step reset
hw plr 0/0/1 =0
runs "the function's driver recovers the function" step $own
runs "the function's driver resumes the function" step resume
[ ! -e /root/made ] || is "$(cat /root/made)" 0 "intel_vsec has made no TPMI device after the resume"
is "$(until_no_error $core/reasons)" "" "reasons are read after the recovery"
like "$(cat <&3 2>&1)" "No such device|^POWER POWER_PKG_PL1_MSR_TPMI$" \
	"a file open since before the error gives ENODEV or the reasons"
exec 3<&-
is "$(cat $core/reasons)" "POWER POWER_PKG_PL1_MSR_TPMI" "reasons from before the error are on record"
is "$(cat $dom/plr/interval_ms)" 50 "interval_ms is as before the error"
is "$(cat $dom/plr/core0/reasons $dom/plr/core2/reasons | sort -u)" none \
	"other modules have no reason after the recovery"
is "$(until_no_error $core/active)" "" "monitoring goes on after the recovery"
hw plr 0/0/2 0x8
while [ "$(hw plr 0/0/2)" != 0x0000000000000000 ]; do :; done
sleep 0.5
is "$(cat $dom/plr/core2/reasons)" THERMAL "a new reason is found after the recovery"
: >/root/stop
wait
is "$(cat /root/await.other)" "ready
quiet" "a poll of the other package is not woken by the error"
# CPU2 counts for the module with the old reason, CPU4 for that with the new one, CPU12 is
# of the other package. intel_vsec sleeps for 2 s, so CPU2 once counts nothing for 1.5 s or
# more. Compare times for this, because on a busy host perf prints fewer lines.
awk -F'[, ]+' '
	function cpu(  i) { for (i = 1; i <= NF; i++) if ($i ~ /^CPU/) return $i }
	function count(  i) { for (i = 1; i <= NF; i++) if ($i == "ms") return $(i - 1) }
	function at(  i) { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+[.][0-9]+$/) return $i }
	/observed/ {
		c = cpu()
		run[c] = count() > 0 ? 0 : run[c] + 1
		if (run[c] > longest[c]) longest[c] = run[c]
		if (count() > 0) {
			if (c in last && at() - last[c] - count() / 1000 >= 1.5) stood[c] = 1
			last[c] = at()
		}
	}
	/power/ && count() > 0 { power = 1 }
	/thermal/ && count() > 0 { thermal[cpu()]++ }
	# Skip "not counted" before a first count: then the event waits for its first poll.
	/not (counted|supported)/ && cpu() in last { lost = 1 }
	END {
		print stood["CPU2"] + 0, (longest["CPU12"] < 15),
			power + 0, (thermal["CPU4"] > 0), thermal["CPU2"] + 0, lost + 0
	}' /root/stat >/root/got
is "$(cat /root/got)" "1 1 0 1 0 0" "counts stand still during the recovery and go on after"

# ---- the order of other kernels, and an error that is not fatal
counts=',[1-9][0-9.]*,ms,plr[/]observed[/]'
since() { tail -n +$((lines + 1)) /root/stat; }
# counts_go_on STEP...: make these steps; print lines if a counting event does not go on
counts_go_on() {
	rm -f /root/stop /root/stat
	perf stat -x, -C 2 -I 100 -e plr/observed/ -o /root/stat -- \
		sh -c 'while [ ! -e /root/stop ]; do sleep 0.1; done' &
	until grep -q "$counts" /root/stat 2>/dev/null; do sleep 0.1; done
	sleep 0.5
	for s; do
		step $s || echo "$s fails"
	done
	until_no_error $core/reasons
	# The next line may still hold counts from before the error.
	lines=$(($(wc -l </root/stat) + 1))
	becomes 'since | grep -q "$counts"'
	: >/root/stop
	wait
	# Skip "not counted" before the first count: then the event waits for its first poll.
	sed -n "/$counts/,\$p" /root/stat | grep '<not '
	since | grep -q "$counts" || tail -n 3 /root/stat
}
is "$(counts_go_on frozen reset $foreign resume)" "" "counts go on with the recovery order of other kernels"
is "$(counts_go_on nonfatal slot_reset resume)" "" "counts go on after an error that is not fatal"
rm /root/stop

# ---- pmon_plr is loaded during the recovery
echo 0 >$other/plr/interval_ms
step frozen
sleep 0.2
hw count reset
sleep 0.3
is "$(plr_total)" 0 "no register is accessed while the function is frozen"
rmmod pmon_plr
modprobe pmon_plr
is "$(cd $PMON && echo pkg*-dom*)" "pkg1-dom0 pkg1-dom1" "a load during the recovery shows the other package alone"
step reset
step old_slot_reset
is "$(cd $PMON && echo pkg*-dom*)" "pkg1-dom0 pkg1-dom1" "the package is not shown before the recovery has ended"
step resume
is "$(until_no_error $core/reasons) $(cat $core/reasons)" " none" "the package is shown after the recovery"
rmmod pmon_plr
step frozen
modprobe pmon_plr
step reset
step slot_reset
step resume
is "$(until_no_error $core/reasons) $(cat $core/reasons)" " none" \
	"the package is shown after a recovery in the other order"
unlike "$(dmesg)" "not usable after an error" "the log has no line on a recovery tried too early"
# find_memory: set memory to the address and size of the function's PLR registers
find_memory() {
	memory=$(awk -v name=$function '/ : [0-9a-f]+:/ { here = $NF == name }
		here && $NF == "pmon_plr" { sub("-", " ", $1); print $1; exit }' /proc/iomem)
	memory=0x${memory% *},$((0x${memory#* } - 0x${memory% *} + 1))
}
in_use() { dmesg | grep -c "$function: PLR registers are in use by another driver, not used"; }
# On 6.1 no later probe can fail, and on 7.2 no device is left to probe.
case $(uname -r) in
6.1.*)
	# The other function sleeps, so pmon_plr tries to attach functions each second.
	find_memory
	rmmod pmon_plr
	insmod /root/claim.ko memory=$memory
	hw d3 1 on
	modprobe pmon_plr
	sleep 3
	is "$(ls -d $PMON/pkg*-dom* 2>/dev/null)" "" \
		"no domain is shown if one function is in D3 and one has claimed registers"
	is "$(in_use)" 1 "the log has one line on the claimed registers"
	hw d3 1 off
	becomes '[ -e $other ]'
	is "$(cd $PMON && echo pkg*-dom*)" "pkg1-dom0 pkg1-dom1" "the function that left D3 is shown"
	is "$(in_use)" 1 "the log has no second line on the claimed registers"
	rmmod claim
	echo $function >/sys/bus/pci/drivers/intel_vsec/unbind
	echo $function >/sys/bus/pci/drivers/intel_vsec/bind
	is "$(until_no_error $core/reasons)" "" "registers that are free again are used after a bind"
	;;
6.12.*)
	rmmod pmon_plr
	step frozen
	modprobe pmon_plr
	step reset
	step old_slot_reset
	hw d3 0 on
	step resume
	sleep 2
	is "$(cd $PMON && echo pkg*-dom*)" "pkg1-dom0 pkg1-dom1" "a function in D3 at its resume is not shown"
	hw d3 0 off
	is "$(until_no_error $core/reasons)" "" "the function is shown when it leaves D3"
	unlike "$(dmesg)" "not usable after an error" "the log has no line on the function in D3 at its resume"

	# Another driver claims the registers before the retry.
	find_memory
	rmmod pmon_plr
	step frozen
	modprobe pmon_plr
	step reset
	insmod /root/claim.ko memory=$memory
	step old_slot_reset
	step resume
	becomes 'dmesg | grep -q "not usable after an error"'
	is "$(in_use)" 1 "the log has one line on registers claimed during the recovery"
	is "$(dmesg | grep -c "not usable after an error: error -16")" 1 \
		"the log has one line on the function that is not usable"
	is "$(cd $PMON && echo pkg*-dom*)" "pkg1-dom0 pkg1-dom1" "a function with claimed registers is not shown"
	rmmod claim
	;;
esac
rmmod pmon_plr
step frozen
modprobe pmon_plr
runs "the module unloads during a recovery" rmmod pmon_plr
step reset
step $own
step resume
modprobe pmon_plr
is "$(cat $core/reasons)" none "the module loads after a recovery and reads a core"

# ---- the driver of the function is unbound long before the next poll
echo 50 >$dom/plr/interval_ms
plr_watched $core/active >/dev/null
echo 60000 >$dom/plr/interval_ms
awaits $core/active 200000 unbound
sleep 0.2
echo $function >/sys/bus/pci/drivers/intel_vsec/unbind
becomes 'grep -q gone /root/await.unbound'
is "$(cat /root/await.unbound)" "ready
gone" "a poll of a module is woken at once by an unbind"
kill $! 2>/dev/null
echo $function >/sys/bus/pci/drivers/intel_vsec/bind
until_no_error $core/reasons
echo 0 >$dom/plr/interval_ms

# ---- under load
while [ ! -e /root/stop ]; do
	for f in $PMON/pkg*-dom*/plr/*/reasons $CPUS/cpu*/plr/reasons; do
		read -r line <$f || continue
		case $line in none | POWER) ;; *) echo "$f: $line" ;; esac
	done 2>/dev/null
	cat $PMON/pkg*-dom*/plr/*/time_in_reason >/dev/null 2>&1
	{ echo POWER >$core/clear; } 2>/dev/null
done >/root/wrong &
while [ ! -e /root/stop ]; do
	/root/await $core/active 1000 3
	/root/await $dom/plr/die/reasons 1000 3
done >/dev/null 2>&1 &
echo 1 >/sys/kernel/tracing/events/pmon/plr_reasons/enable
perf stat -x, -a -I 50 -e plr/power/,plr/observed/ -o /root/stat -- sh -c \
	'while [ ! -e /root/stop ]; do sleep 0.1; done' &
while [ ! -e /root/stop ]; do
	hw plr 0/0/1 0x4
	perf stat -a -e plr/thermal/ -- true
done >/dev/null 2>&1 &
for n in $(seq $rounds); do
	back=$own
	[ $((n % 2)) = 1 ] || back=$foreign
	for s in frozen reset $back resume; do
		step $s || echo "$n: $s" >>/root/failed
	done
	until_no_error $core/reasons >>/root/failed
done
: >/root/stop
wait
echo 0 >/sys/kernel/tracing/events/pmon/plr_reasons/enable
is "$(cat /root/failed)" "" "$rounds recoveries under load succeed"
is "$(cat /root/wrong)" "" "readers under load see only reasons that were set"
echo all >$core/clear
hw plr 0/0/1 =0x8
is "$(cat $core/reasons)" THERMAL "reasons are right after recoveries under load"
plr_stat /root/stat 0.3 -a -e plr/observed/
like "$(cat /root/stat)" '^[1-9][0-9.]*,ms,plr/observed/' "perf counts observed time after recoveries under load"

# ---- the function is lost for good
perf stat -x, -C 2 -e plr/observed/ -o /root/stat -- sh -c '
	echo "0000:00:03.1 lost" >/sys/module/recovery/parameters/step
	# for an interval the record is still shown
	sleep 1
	cat /sys/class/pmon/pkg0-dom0/plr/core1/reasons
	echo 0000:00:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind
	cat /sys/class/pmon/pkg0-dom0/plr/core1/reasons
	ls -d /sys/class/pmon/pkg0-*' >/root/said 2>&1
is "$(grep -c "No such device$" /root/said)" 2 "reasons of a lost function give ENODEV with and without a driver"
is "$(grep "^/sys/class" /root/said | tr "\n" " ")" \
	"/sys/class/pmon/pkg0-dom0 /sys/class/pmon/pkg0-dom1 " \
	"domains of a lost function keep their paths and its device goes"
is "$(cat $other/plr/core1/reasons)" none "the other package is read when a function is lost"
plr_unload
BODY
)
SCRIPT
finish
