#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.12
# kernels: 6.1 6.12
# Check every uncore event of perf's lists on every platform, as uncore/events.sh does,
# and find how many the kernel's own driver can count. The numbers must equal those in
# Documentation/admin-guide/events.rst.
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/events-host.sh"
doc=$ROOT/Documentation/admin-guide/events.rst
platforms=${PLATFORMS:-spr emr gnr gnr-d srf grr cwf}
perf612=$(dirname "$("$ROOT/selftests/lib/build/perf")")/perf

# tally: print verify's result of the last run, "OPENED RIGHT"
tally() {
	"$EVENTS/verify" --tally "$TMP/expected" "$TMP/counted"
}

# peers KERNEL PLATFORM: count the events with the kernel's driver; print the tally
peers() {
	expected_events "$2" >"$TMP/all"
	vm --kernel "$1" --machine "$2-lean" --drivers upstream \
		--allow-warn --allow-illegal -- \
		'cd /sys/bus/event_source/devices
		grep -rs . */type */cpumask */alias */format */events' \
		2>"$TMP/err" >"$TMP/sysfs"
	rm -rf "$TMP/peer"
	"$EVENTS/rebuild" "$TMP/peer" <"$TMP/sysfs"
	cut -f1 "$TMP/all" | PERF_CPUID=${EVENT_CPUIDS[$2]} \
		"$EVENTS/opens" "$perf612" "$TMP/peer" >"$TMP/known"
	awk -F'\t' 'NR == FNR { known[$1]; next } $1 in known' \
		"$TMP/known" "$TMP/all" | "$EVENTS/select" 1 >"$TMP/expected"
	if [ ! -s "$TMP/expected" ]; then
		echo 0 0
		return
	fi
	count_in_vm "$1" "$2" upstream perf6.12 "$TMP/expected" \
		"$TMP/counted" --allow-warn --allow-illegal
	tally
}

# cell OPENED RIGHT: print a cell of the table
cell() {
	if [ "$1" = "$2" ]; then echo "$1"; else echo "$1 ($2 right)"; fi
}

# documented PLATFORM KERNEL: print the row of the document's table
documented() {
	awk -v platform="$1" -v kernel="$2" '
		$1 == platform && $2 == kernel { $1 = $1; print }' "$doc"
}

for k in $KERNELS; do
	for p in $platforms; do
		events_of "$k" "$p"
		read -r opened right <<<"$(tally)"
		total=$(wc -l <"$TMP/expected")
		is "$opened $right" "$total $total" "$k $p: every event opens and counts right"
		read -r peer_opened peer_right <<<"$(peers "$k" "$p")"
		row="$p $k $total $(cell "$opened" "$right") $(
			cell "$peer_opened" "$peer_right")"
		note "$row"
		is "$(documented "$p" "$k")" "$row" "$k $p: the numbers of events are those of events.rst"
	done
	events_of_perf_6_1 "$k"
done
finish
