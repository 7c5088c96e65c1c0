# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest:
#   count_events PERF SECONDS BATCH...   count the events in each file BATCH, one name a
#                                        line, with one perf for each file; print text
#                                        for selftests/cases/events/verify

# events_count_batch PERF SECONDS BATCH: count the events of a batch. Leave out names that perf
# refuses, and repeat for events that did not get a counter.
events_count_batch() {
	cp "$3" /tmp/batch
	events_rounds=5
	while [ -s /tmp/batch ]; do
		rm -f /tmp/counts
		# shellcheck disable=SC2046 # one option per line
		$1 stat -a --no-merge --no-scale -x'|' -o /tmp/counts \
			$(sed 's/^/-e /' /tmp/batch) -- sleep "$2" \
			>/tmp/said 2>&1 && {
			sed -n 's/.*|.*/count &/p' /tmp/counts
			grep '<not counted>' /tmp/counts |
				grep -o 'unc_[^ |/]*' | sort -u >/tmp/batch
			events_rounds=$((events_rounds - 1))
			[ $events_rounds != 0 ] || break
			continue
		}
		# since 6.16 perf prints a slash after the name
		events_bad=$(sed -n \
			"s/^event syntax error: '\([^'/]*\)\/\?'.*/\1/p" /tmp/said)
		[ -n "$events_bad" ] || {
			sed 's/^/failed /' /tmp/said
			break
		}
		echo "failed no event $events_bad"
		grep -vxF "$events_bad" /tmp/batch >/tmp/batch.rest
		mv /tmp/batch.rest /tmp/batch
	done
}

# events_list_units: print lines "pmu PMU ALIAS": first for pmon's PMUs, with the type and number
# in `units` as ALIAS; then for PMUs of all drivers, with their file `alias`.
events_list_units() {
	cat /sys/class/pmon/*-uncore*/units 2>/dev/null |
		awk '$8 != "-" { print "pmu", $8, "uncore_type_" $1 "_" $3 }'
	for events_pmu in /sys/bus/event_source/devices/uncore_*; do
		echo "pmu ${events_pmu##*/}" \
			"$(cat "$events_pmu/alias" 2>/dev/null)"
	done
}

# events_count PERF SECONDS BATCH...
events_count() {
	events_perf=$1
	events_seconds=$2
	shift 2
	hw truth reset
	for events_batch; do
		events_count_batch "$events_perf" "$events_seconds" "$events_batch"
	done
	hw truth controls
	events_list_units
}
