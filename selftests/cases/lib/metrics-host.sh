# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For cases that compute perf's metrics, on the host:
#   metrics_of KERNEL PLATFORM COUNT
# COUNT: how many perf has that are made of uncore events. Some need the
# instructions of the cores as well: the machine has their counters.
. "$CASES/lib/events-host.sh"

# One perf for each metric, and what the hardware counted meanwhile.
write_metrics_script() {
	cat >"$TMP/metrics.sh" <<-'S'
	. /lib/test/events.sh
	list_units
	while read -r name; do
		echo "metric $name"
		hw truth reset
		perf6.12 stat -a -j -M "$name" -- sleep 0.1 2>&1
		hw truth controls
		hw truth cores
	done </root/names
	S
}

metrics_of() {
	local kernel=$1 name="$1 $2" list status=0 line machine
	local metrics=$EVENTS/metrics

	list=$("$ROOT/selftests/lib/build/source" 6.12)
	list=$(echo "$list/tools/perf/pmu-events/arch/x86/${EVENT_LISTS[$2]}"/*-metrics.json)
	machine=$(machine "$2-lean" 'm["cpu"]["core_counters"] = True')
	"$metrics" names "$list" >"$TMP/names"
	is "$(wc -l <"$TMP/names")" "$3" "$name: metrics of uncore events"
	expected_events "$2" >"$TMP/expected"
	write_metrics_script
	vm --kernel "$kernel" --machine "$machine" --drivers ours \
		--copy "$TMP/metrics.sh" --copy "$TMP/names" -- \
		'. /root/metrics.sh' >"$TMP/said" 2>"$TMP/err" || status=$?
	is "$status$([ $status = 0 ] || tail -n 20 "$TMP/err")" 0 "$name: the run"
	"$metrics" judge "$list" "$TMP/expected" <"$TMP/said" >"$TMP/verdict"
	while IFS= read -r line; do
		case $line in
		'ok - '*) ok "$name: ${line#ok - }" ;;
		*) not_ok "$name: ${line#not ok - }" ;;
		esac
	done <"$TMP/verdict"
	is "$(wc -l <"$TMP/verdict")" "$3" "$name: all of them"
}
