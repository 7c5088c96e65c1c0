# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# For the guest side of the hang cases, beside guest.sh; /root/race is there.

# ends: nothing more can be done here. Neither can a guest be powered off in
# which something hangs, so it is reset. What was printed has to get out first.
ends() {
	echo "1..$tap_n"
	sleep 1
	echo b >/proc/sysrq-trigger
	sleep 60
}

# goes_on NAME [race's arguments]: they all get on with it; if not, says where
# they hang
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
