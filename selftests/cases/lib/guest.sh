# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Provide TAP for scripts that run in the guest: . /lib/test/guest.sh
# A script ends with `finish`, which fails if a check failed or if no check was made.

# Let perf be perf6.12, because Debian's perf 6.1 reads all lists of events for every PMU
# of the machine before each event. This takes seconds under emulation. Cases for Debian's
# perf use the path /bin/perf.
PATH=/lib/test/bin:$PATH

tap_n=0
tap_failed=0

ok() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $*"
}

# not_ok NAME [DETAIL]: DETAIL may have several lines
not_ok() {
	tap_n=$((tap_n + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_n - $1"
	[ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/#   /'
}

# guest_ms: print the time of the emulated machine's clock, in ms
guest_ms() {
	hw machine | sed 's/.*ns=\([0-9]*\).*/\1/; s/......$//'
}

# some WORD...: print all words, but in a short run (OPENPMON_SHORT) only the first
some() {
	[ "${short-}" ] || set -- "$*"
	echo "$1"
}

note() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

# is GOT WANT NAME
is() {
	if [ "$1" = "$2" ]; then
		ok "$3"
	else
		not_ok "$3" "got:  $1
want: $2"
	fi
}

isnt() {
	if [ "$1" != "$2" ]; then ok "$3"; else not_ok "$3" "got: $1"; fi
}

# like GOT REGEX NAME (grep -E)
like() {
	if printf '%s\n' "$1" | grep -qE -- "$2"; then
		ok "$3"
	else
		not_ok "$3" "got:  $1
want: /$2/"
	fi
}

unlike() {
	if printf '%s\n' "$1" | grep -qE -- "$2"; then
		not_ok "$3" "got:  $1
want nothing like: /$2/"
	else
		ok "$3"
	fi
}

# between LEAST GOT MOST NAME [DETAIL]: check that a number is in a range
between() {
	if [ "$1" -le "$2" ] && [ "$2" -le "$3" ]; then
		ok "$4"
	else
		not_ok "$4" "got:  $2
want: $1 to $3
${5-}"
	fi
}

# runs NAME COMMAND...: check that a command succeeds
runs() {
	tap_name=$1
	shift
	if tap_out=$("$@" 2>&1); then
		ok "$tap_name"
	else
		not_ok "$tap_name" "status $? of: $*
$tap_out"
	fi
}

# fails NAME COMMAND...: check that a command exits non-zero
fails() {
	fails_with '' "$@"
}

# fails_with MESSAGE NAME COMMAND...: check that a command fails and prints MESSAGE (grep -E)
fails_with() {
	tap_want=$1 tap_name=$2
	shift 2
	if tap_out=$("$@" 2>&1); then
		not_ok "$tap_name" "succeeded: $*
$tap_out"
	else
		like "$tap_out" "$tap_want" "$tap_name"
	fi
}

# not_written ERROR NAME FILE WORDS: check that writing WORDS fails with this error
not_written() {
	tap_out=$(bash -c 'echo "$2" >"$1"' - "$3" "$4" 2>&1)
	is "${tap_out##*: }" "$1" "$2"
}

# exits STATUS NAME COMMAND...: check a command's exit status; the output is in $out
exits() {
	exits_want=$1 exits_name=$2 exits_got=0
	shift 2
	out=$("$@" 2>&1) || exits_got=$?
	is "$exits_got" "$exits_want" "$exits_name"
	[ "$exits_got" = "$exits_want" ] || note "$out"
}

# logged NUMBER REGEX NAME: check the number of matching lines in the kernel's log
logged() {
	is "$(dmesg | grep -cE -- "$2")" "$1" "$3"
}

# guest_timers: print the kernel's timers and the online CPUs, to explain why an expected event
# did not come. If an online CPU has an expired timer and a later .expires_next, the
# kernel or the emulator did not arm the timer again. If an offline CPU has a timer, the
# timer was not migrated.
guest_timers() {
	note "CPUs online: $(cat /sys/devices/system/cpu/online)"
	note "$(grep . /proc/timer_list)"
}

# becomes CONDITION: wait until a condition is true, for half a minute at most. A guest
# on a busy host may need some seconds.
becomes() {
	for _ in $(seq 600); do
		! eval "$1" || return 0
		sleep 0.05
	done
	return 1
}

# rmmod MODULE...: unload modules. For intel_uncore, which leaks memory, write the
# address range of its code and the time to a file for finish-leaks.sh, because a trace
# does not name an unloaded module.
rmmod() {
	case " $* " in
	*' intel_uncore '*) [ ! -e /sys/kernel/debug/kmemleak ] ||
		awk '/^jiffies: / && !now { now = $2 }
			$4 == "[intel_uncore]" && $2 ~ /[tT]/ {
				at = "0x" $1
				if (!n++ || at < first)
					first = at
				if (at > last)
					last = at
			}
			END { if (n) print first, last, now }' \
			/proc/timer_list /proc/kallsyms >>/tmp/peer-code ;;
	esac
	command rmmod "$@"
}

# guest_counts_calls FUNCTION: begin to count the calls of a kernel function, for `calls`
guest_counts_calls() {
	echo "p:kprobes/call $1" >/sys/kernel/tracing/kprobe_events
	echo 1 >/sys/kernel/tracing/events/kprobes/call/enable
}

# guest_calls: print the number of calls since counts_calls, and stop counting. kprobe_profile
# keeps this number even if the function's module is unloaded meanwhile.
guest_calls() {
	awk '$1 == "call" { print $2 }' /sys/kernel/tracing/kprobe_profile
	echo 0 >/sys/kernel/tracing/events/kprobes/call/enable
	: >/sys/kernel/tracing/kprobe_events
}

# guest_goes_all NAME MODULE...: check that drivers unload, and pmon after them. On 6.1 pmon
# must stay, because it hides PMUs from sysfs instead of unregistering them.
guest_goes_all() {
	goes_name=$1
	shift
	runs "$goes_name" rmmod "$@"
	is "$(cat /sys/bus/event_source/devices/uncore_*/alias 2>/dev/null)" "" \
		"$goes_name: no PMU of a box is left"
	case $(uname -r) in
	6.1.*) fails "$goes_name: pmon does not unload" rmmod pmon ;;
	*) runs "$goes_name: pmon unloads" rmmod pmon ;;
	esac
}

finish() {
	echo "1..$tap_n"
	[ "$tap_failed" = 0 ] && [ "$tap_n" != 0 ]
	exit
}

# faulty NAME: succeed if this kernel has the fault NAME of the list lib/faults
faulty() {
	awk -v name="$1" -v is="$(uname -r)" '$1 == name {
		split($2, first, ".")
		split(is, release, /[.+-]/)
		known = 1
		old = release[1] < first[1] || (release[1] == first[1] && release[2] + 0 < first[2] + 0)
	}
	END { exit !(known && old) }' /lib/test/faults
}
