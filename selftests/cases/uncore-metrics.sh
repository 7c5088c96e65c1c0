#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.1 6.12
# perf's metrics of Sapphire Rapids that are made of uncore events: 45. Each is
# computed; what perf prints is what its formula gives for the counts that perf
# prints. Two of them need the instructions of the cores, which the emulator's
# CPUs do not count.
. "$(dirname "$0")/lib/tap.sh"
source=$("$ROOT/selftests/build/source" 6.12)
list=$source/tools/perf/pmu-events/arch/x86/sapphirerapids/spr-metrics.json
metrics=$ROOT/selftests/events/metrics

"$metrics" names "$list" >"$TMP/names"
is "$(wc -l <"$TMP/names")" 45 'metrics of uncore events'
"$metrics" names "$list" uncore-only >"$TMP/countable"
is "$(wc -l <"$TMP/countable")" 43 'and of nothing else than time'

cat >"$TMP/metrics.sh" <<'S'
while read -r name; do
	echo "metric $name"
	perf6.12 stat -a -x'|' -M "$name" -- sleep 0.1 2>&1
done </root/countable
S
for k in $KERNELS; do
	status=0
	vm --kernel "$k" --machine spr-lean --drivers ours \
		--copy "$TMP/metrics.sh" --copy "$TMP/countable" -- \
		'. /root/metrics.sh' >"$TMP/said" 2>"$TMP/err" || status=$?
	is "$status" 0 "$k: the run"
	"$metrics" judge "$list" <"$TMP/said" >"$TMP/verdict"
	while IFS= read -r line; do
		case $line in
		'ok - '*) ok "$k: ${line#ok - }" ;;
		*) not_ok "$k: ${line#not ok - }" ;;
		esac
	done <"$TMP/verdict"
	is "$(wc -l <"$TMP/verdict")" 43 "$k: all of them"
done
finish
