# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Define functions for the guest of the hang cases, which need /root/race; source after
# guest.sh.

# hang_ends: reset the guest, because a hanging task prevents a poweroff. The first sleep lets
# the output reach the host.
hang_ends() {
	echo "1..$tap_n"
	sleep 1
	echo b >/proc/sysrq-trigger
	sleep 60
}

# goes_on NAME [race's arguments]: check that all tasks of race make progress; otherwise
# print their stacks. If a task hangs, also reset the guest.
hang_goes_on() {
	goes_on_name=$1
	shift
	if /root/race "$@" >/tmp/race 2>&1; then
		note "$(cat /tmp/race)"
		ok "$goes_on_name"
	else
		not_ok "$goes_on_name" "$(cat /tmp/race)"
		! grep -q 'stands still' /tmp/race || hang_ends
	fi
}
