# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Run checks in the guest of upstream-host.sh, which sets `all` (the number of patches)
# and `checks` (their numbers). Check m runs without patches, with patches 1 to m - 1, with
# 1 to m, with all, and, if ours.sh exists, with pmon's driver.

. /lib/test/guest.sh
cd /root || exit
. ./checks.sh

# verdict GOT EXPECTED
upstream_verdict() {
	if [ "$1" = "$2" ]; then
		echo "$n|$m|$name|right"
	else
		echo "$n|$m|$name|$1 instead of $2"
	fi
}

# each CHECK...
upstream_each() {
	for m; do
		before
		check_"$m"
	done
}

for n in $(seq 0 "$all"); do
	todo=
	for m in $checks; do
		case $n in
		0 | "$all" | "$m" | $((m - 1))) todo="$todo $m" ;;
		esac
	done
	[ "$todo" ] || continue
	load "$n" || echo "$n||loading|fails"
	# shellcheck disable=SC2086 # words
	upstream_each $todo
	unload
done
[ -e ours.sh ] || exit 0
. ./ours.sh
n=ours
load
# shellcheck disable=SC2086 # words
upstream_each $checks
unload
