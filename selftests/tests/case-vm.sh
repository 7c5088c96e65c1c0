# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# selftests/vm/complaints: what a kernel says of itself, and what it says of us.

# warning TEXT [LINE...]: as a kernel's log has it
warning() {
	printf '%s\n' '[ 1.0] ------------[ cut here ]------------' "[ 1.0] $1" \
		'[ 1.0] WARNING: CPU: 5 PID: 50 at kernel/x.c:1 f+0x1/0x2' "${@:2}" \
		'[ 1.0] Call Trace:' '[ 1.0] ---[ end trace 0000000000000000 ]---'
}
# complained LINES...: how many lines a run would have as its complaint
complained() {
	cat >"$tmp/console"
	"$root/selftests/vm/complaints" "$tmp/console" | grep -cE 'WARNING:|Call Trace:'
}

is "$(warning 'Dying CPU not properly vacated!' | complained)" 0 \
	'vm: a warning that is known to be the kernel'"'"'s own'
is "$(warning 'Dying CPU not properly vacated!' 'g+0x1/0x2 [pmon_plr]' |
	complained)" 2 'vm: with code of ours in its trace it is not'
is "$(warning 'perf is not well' | complained)" 2 'vm: nor is another'
is "$({ warning 'Dying CPU not properly vacated!'; warning 'then this'; } |
	complained)" 2 'vm: nor one after it'
is "$(warning 'cut short' | sed '$d' | complained)" 2 \
	'vm: nor one without its end'
