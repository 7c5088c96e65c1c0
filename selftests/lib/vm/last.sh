# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2013
# In the guest, after the command, if modules of the suite have been loaded: take a CPU
# offline and back, remove and rescan a PCI function, count an event, unload the modules;
# check that nothing runs before and after the unload. Prints failures. Uses few
# processes, because a guest starts them slowly.
PATH=/bin
[ $(($(cat /proc/sys/kernel/tainted) & 4096)) != 0 ] || exit 0	# no module of ours
tracing=/sys/kernel/tracing
pmus=/sys/bus/event_source/devices

# Exit under lockdown, which forbids mapping the registers of the emulator.
! grep -qs '\[integrity\]' /sys/kernel/security/lockdown || exit 0

# A guest would wait for ever for a CPU or lock after an oops.
echo 1 >/proc/sys/kernel/panic_on_oops

# Stop the command's processes, tracing and monitoring.
kill -KILL -1
echo >$tracing/set_event
for file in /sys/class/pmon/pkg*-dom*/plr/interval_ms; do
	[ ! -e "$file" ] || echo 0 >"$file"
done

# ours: print the PMUs of the suite
ours() {
	found=
	for pmu in "$pmus"/*; do
		[ ! -e "$pmu/disturbed" ] || found="$found ${pmu##*/}"
	done
	[ ! -e $pmus/plr ] || found="$found plr"
	echo "$found"
}

# next_cpu: take the second CPU offline and back online
next_cpu() {
	cpu=/sys/devices/system/cpu/cpu1/online
	[ -e $cpu ] && read -r online <$cpu && [ "$online" = 1 ] || return
	{ echo 0 && echo 1; } >$cpu || echo 'CPU 1 did not go offline and come back'
}

# next_function: remove and rescan the first PCI function that is no bridge, no test
# bench and not bound to intel_vsec or cxl_pci; check that it and the same PMUs come back
next_function() {
	before=$(ours)
	for function in /sys/bus/pci/devices/*; do
		read -r class <"$function/class"
		case $class in 0x06* | 0x00*) continue ;; esac
		case $(readlink "$function/driver") in
		*/intel_vsec | */cxl_pci) continue ;;
		esac
		break
	done
	echo 1 >"$function/remove"
	echo 1 >/sys/bus/pci/rescan
	[ -e "$function" ] || echo "$function does not come back"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(ours)" != "$before" ] || return
		sleep 0.2
	done
	echo "$function removed and found again: PMUs are$(ours), and were$before"
}

# next_event: count an event of one PMU
next_event() {
	for pmu in $(ours); do
		! hw event "$pmu" || return
	done 2>/vm/events
	[ ! -s /vm/events ] || { echo 'no event counts:'; cat /vm/events; }
}

# quiet WHEN: print the register accesses and queued work of the next 0.3 s, each after
# WHEN. Leave out the work pmon_report_others(), which is delayed by up to 3 s
quiet() {
	hw count reset
	echo >$tracing/trace
	sleep 0.3
	hw count | grep -vE 'reads=0 writes=0|class=(illegal|other)' | sed "s/^/$1: /"
	grep -E 'function=(pmon|plr|uncore|cxl|cpmu|r2|0xf)' $tracing/trace |
		grep -vF pmon_report_others | sed "s/^/$1: /"
}

# next_load: unload pmon, its users, and other pmon_* modules; before 6.2 pmon stays
# loaded, because its PMUs stay registered
next_load() {
	modules=
	while read -r name _ _ users _; do
		case $name in
		pmon) modules="$modules $(echo "$users" | tr ',-' '  ') pmon" ;;
		pmon_*) modules="$modules $name" ;;
		esac
	done </proc/modules
	for name in $modules; do
		[ -e "/sys/module/$name/refcnt" ] || continue
		case $name$(uname -r) in pmon6.1.*) continue ;; esac
		rmmod "$name" 2>&1
	done
}

next_cpu
next_function
next_event
# After the last event has closed, the next poll stops the monitoring.
sleep 0.3
echo 'workqueue:workqueue_queue_work' >$tracing/set_event
quiet 'with nothing open'
grep -F ', pmon_' /proc/timer_list
next_load
quiet 'unloaded'
