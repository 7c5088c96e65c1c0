#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.1 6.12 newest
# perf's own events open by name and count by their definition: each event is on a counter
# that can count it, the control has the fields of the event list, and perf's count is the
# hardware's for this control, although the events rotate. This case has a part of each
# PMU's events; slow/uncore-events-all.sh has all of them, on all platforms.
# contract: names
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/events-host.sh"

# Take every 13th event: a prime number, so that all members of families are tested.
every=13
[ -z "$short" ] || every=29
for k in $KERNELS; do
	case $k in
	6.1) events_of_perf_6_1 "$k" $every 1
	     events_of "$k" gnr $every 2 ;;
	*) events_of "$k" spr $every 3
	   events_of "$k" srf $every 4 ;;
	esac
done
finish
