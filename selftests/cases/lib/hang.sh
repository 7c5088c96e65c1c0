# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Functions for the guest of the hang cases, to source behind guest.sh; /root/race
# exists.

# ends: reset the guest, which cannot be powered off with a hanging task. The output has
# to reach the host first.
ends() {
	echo "1..$tap_n"
	sleep 1
	echo b >/proc/sysrq-trigger
	sleep 60
}

# goes_on NAME [race's arguments]: check that all tasks of race make progress; otherwise
# print their stacks
goes_on() {
	goes_on_name=$1
	shift
	if /root/race "$@" >/tmp/race 2>&1; then
		note "$(cat /tmp/race)"
		ok "$goes_on_name"
	else
		not_ok "$goes_on_name" "$(cat /tmp/race)"
		! grep -q 'stands still' /tmp/race || ends
	fi
}
