# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2016,SC2034
# Tests of `complaints` and `leaks` in selftests/lib/vm, which leave out the kernel's own faults.

# warning TEXT [LINE...]: print a warning as in a kernel's log
warning() {
	printf '%s\n' '[ 1.0] ------------[ cut here ]------------' "[ 1.0] $1" \
		'[ 1.0] WARNING: CPU: 5 PID: 50 at kernel/x.c:1 f+0x1/0x2' "${@:2}" \
		'[ 1.0] Call Trace:' '[ 1.0] ---[ end trace 0000000000000000 ]---'
}
# complained: of the log on stdin, count lines of warnings and traces that a run would report
complained() {
	cat >"$tmp/console"
	"$root/selftests/lib/vm/complaints" "$tmp/console" | grep -cE 'WARNING:|Call Trace:'
}

is "$(warning 'Dying CPU not properly vacated!' | complained)" 0 \
	'vm: a warning that is known to be the kernel'"'"'s own'
is "$(warning 'Dying CPU not properly vacated!' 'g+0x1/0x2 [pmon_plr]' |
	complained)" 2 'vm: with code of ours in its trace it is not'
is "$(warning 'perf is not well' | complained)" 2 'vm: nor is another'
is "$({ warning 'Dying CPU not properly vacated!'; warning 'then this'; } |
	complained)" 2 'vm: nor one after it'
# no_list FUNCTION [LINE...]: print a warning of FUNCTION in the format of kernel 7.2
no_list() {
	printf '%s\n' '[ 1.0] ------------[ cut here ]------------' \
		"[ 1.0] WARNING: kernel/events/core.c:1 at $1+0xd8/0xf0, CPU#1: swapper/1/0" \
		'[ 1.0] Call Trace:' '[ 1.0]  __perf_install_in_context+0x247/0x2b0' \
		"${@:2}" '[ 1.0] ---[ end trace 0000000000000000 ]---'
}
is "$(no_list perf_swevent_add | complained)" 0 \
	'vm: a software event without a list, which is the kernel'"'"'s own'
is "$(no_list perf_swevent_add ' g+0x1/0x2 [pmon]' | complained)" 2 \
	'vm: with code of ours in its trace it is not'
is "$(no_list perf_swevent_start | complained)" 2 'vm: nor is one of another function'
is "$(warning 'cut short' | sed '$d' | complained)" 2 \
	'vm: nor one without its end'

# circle NEXT HELD [LINE...]: print lockdep's report that the locks NEXT and HELD form a circle
circle() {
	printf '%s\n' '[ 1.0] WARNING: possible circular locking dependency detected' \
		'[ 1.0] a/1 is trying to acquire lock:' "[ 1.0] ff01 ($1){++}, at: f+0x1" \
		'[ 1.0] but task is already holding lock:' "[ 1.0] ff02 ($2){++}, at: g+0x1" \
		'[ 1.0] Call Trace:' '[ 1.0]  <TASK>' "${@:3}" '[ 1.0]  </TASK>'
}
is "$(circle '&ctrl->reset_lock' pci_rescan_remove_lock | complained)" 0 \
	'vm: a circle of locks that is known to be the kernel'"'"'s own'
is "$(circle '&ctrl->reset_lock' pci_rescan_remove_lock 'h+0x1 [pmon_cxl]' |
	complained)" 2 'vm: with code of ours in its trace it is not'
is "$(circle '&box->lock' pci_rescan_remove_lock | complained)" 2 \
	'vm: nor is another circle'
is "$({ circle '&ctrl->reset_lock' pci_rescan_remove_lock
	warning 'then this'; } | complained)" 2 'vm: nor what comes after one'
is "$({ no_list perf_swevent_add | sed '$d'; circle '&box->lock' x; } | complained)" 2 \
	'vm: nor a circle of locks after one without its end'

# interrupted TEXT [LINE...]: print a warning with a report of lockdep in its middle
interrupted() {
	warning "$1" | head -n 1
	circle console_owner '&rq->__lock' "${@:2}"
	warning "$1" | tail -n +2
}
is "$(interrupted 'Dying CPU not properly vacated!' | complained)" 0 \
	'vm: a warning of its own with a circle in it'
is "$(interrupted 'Dying CPU not properly vacated!' 'h+0x1 [pmon]' | complained)" 4 \
	'vm: with code of ours in the circle it is not'
is "$(interrupted 'perf is not well' | complained)" 4 'vm: nor is another with one'

# object ADDRESS LINE...: print kmemleak's report of an object, allocated at 100 jiffies
# with ADDRESS as the outermost caller
object() {
	printf '%s\n' 'unreferenced object 0xffff88805e961180 (size 64):' \
		'  comm "reload", pid 104, jiffies 100' '  backtrace (crc c1fb4ead):' \
		'    kmemleak_alloc+0x28/0x30' "${@:2}" "    $1"
}
# reason CALLER: print kmemleak's report of the text with the reason for a deferred probe
reason() {
	object 0xffffffffa01111b7 '    device_set_deferred_probe_reason+0x46/0x110' \
		'    dev_err_probe+0xa2/0xc0' "    $1" '    __driver_attach+0xd8/0x380'
}
# leaked [PEER-CODE]: count the objects on stdin that `leaks` would report
leaked() {
	echo "${1-}" >"$tmp/peer-code"
	cat >"$tmp/kmemleak"
	"$root/selftests/lib/vm/leaks" "$tmp/peer-code" "$tmp/kmemleak" |
		grep -c 'unreferenced object'
}
peers='0xffffffffa0111000 0xffffffffa0112000 100'
is "$(object 'pmon_box_create+0x1/0x2 [pmon]' | leaked)" 1 'vm: memory that we lose'
is "$(object 'probe+0x1/0x2 [ast]' | leaked)" 0 'vm: that a driver of the kernel does'
is "$(object 0xffffffffa01111b7 | leaked)" 1 'vm: that code loses which has gone'
is "$(object 0xffffffffa01111b7 | leaked "$peers")" 0 'vm: if that was not intel_uncore'
is "$(object 0xffffffffa01111b7 | leaked "${peers% *} 99")" 1 'vm: then, and not before'
is "$(object 'pci_scan_device+0x1/0x2' '    pci_alloc_dev+0x1/0x2' | leaked)" 1 \
	'vm: a PCI function that something holds'
is "$(reason '__driver_probe_device+0x2b0/0x3a0' | leaked)" 0 \
	'vm: a reason that the driver core gave and lost'
is "$(reason 'probe+0x1/0x2 [pmon_plr]' | leaked)" 1 'vm: one that a driver gave'
is "$({ reason '__driver_probe_device+0x2b0/0x3a0'
	object 'pmon_box_create+0x1/0x2 [pmon]'
	reason '__driver_probe_device+0x2b0/0x3a0'; } | leaked)" 1 'vm: and what is lost beside it'
