# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For cases that compute perf's metrics, on the host:
#   metrics_of KERNEL PLATFORM LIST ALL COUNTABLE
# LIST is a file of perf's source. ALL: how many are made of uncore events,
# COUNTABLE: of uncore events and time only; these are computed.

metrics_of() {
	local kernel=$1 name="$1 $2" list status=0 line
	local metrics=$ROOT/selftests/events/metrics

	list=$("$ROOT/selftests/build/source" 6.12)
	list=$list/tools/perf/pmu-events/arch/x86/$3-metrics.json
	is "$("$metrics" names "$list" | wc -l)" "$4" \
		"$name: metrics of uncore events"
	"$metrics" names "$list" uncore-only >"$TMP/countable"
	is "$(wc -l <"$TMP/countable")" "$5" "$name: and of nothing but time"
	cat >"$TMP/metrics.sh" <<-'S'
	while read -r name; do
		echo "metric $name"
		perf6.12 stat -a -x'|' -M "$name" -- sleep 0.1 2>&1
	done </root/countable
	S
	vm --kernel "$kernel" --machine "$2-lean" --drivers ours \
		--copy "$TMP/metrics.sh" --copy "$TMP/countable" -- \
		'. /root/metrics.sh' >"$TMP/said" 2>"$TMP/err" || status=$?
	is "$status$([ $status = 0 ] || tail -n 20 "$TMP/err")" 0 "$name: the run"
	"$metrics" judge "$list" <"$TMP/said" >"$TMP/verdict"
	while IFS= read -r line; do
		case $line in
		'ok - '*) ok "$name: ${line#ok - }" ;;
		*) not_ok "$name: ${line#not ok - }" ;;
		esac
	done <"$TMP/verdict"
	is "$(wc -l <"$TMP/verdict")" "$5" "$name: all of them"
}
