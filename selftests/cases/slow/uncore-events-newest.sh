#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: newest
# Check every uncore event in the lists of the newest perf, which differ from 6.12's and
# include Clearwater Forest's: each opens by name and counts by definition. The numbers
# of events equal those in Documentation/admin-guide/events.rst.
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/events-host.sh"
platforms=${PLATFORMS:-spr emr gnr gnr-d srf grr cwf}

newest_events
doc=$ROOT/Documentation/admin-guide/events.rst
for k in $KERNELS; do
	for p in $platforms; do
		events_of "$k" "$p"
		read -r opened right <<<"$("$EVENTS/verify" --tally \
			"$TMP/expected" "$TMP/counted")"
		total=$(wc -l <"$TMP/expected")
		is "$opened $right" "$total $total" "$k $p: every event opens and counts right"
		is "$(awk -v platform="$p" '$1 == platform && NF == 3 { print $2, $3 }' \
			"$doc")" "$total $opened" "$k $p: the numbers of events are those of events.rst"
	done
done
finish
