#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test the metrics of CXL devices. From their files, laid out as in perf's source, jevents.py of
# Linux 6.12 and of the newest Linux makes tables that compile. A perf with these tables offers
# the metrics only with PMUs of pmon_cxl. Over accesses to two devices, each metric has the value
# that follows from the accesses or from perf's counts.
# kernels: 6.12
# coverage: no, of one kernel
# check: none
. "$(dirname "$0")/../lib/tap.sh"

OWN=$ROOT/tools/perf/pmu-events/arch/x86/cxl
names=$(/usr/bin/python3 -c '
import json, sys
for m in json.load(open(sys.argv[1])): print(m["MetricName"])' "$OWN"/sys/*.json)
for version in 6.12 newest; do
	source=$("$ROOT/selftests/lib/build/source" $version)
	perf=$source/tools/perf/pmu-events
	arch=$TMP/$version/arch
	mkdir -p "$arch/x86"
	cp -r "$perf"/arch/test "$arch/"
	[ ! -e "$perf/arch/common" ] || cp -r "$perf/arch/common" "$arch/"
	cp -r "$OWN" "$perf/arch/x86/mapfile.csv" "$arch/x86/"
	runs "$version: jevents.py makes tables of the metrics" /usr/bin/python3 "$perf/jevents.py" \
		x86 all "$arch" "$TMP/$version/events.c"
	runs "$version: the tables compile" gcc -Wall -Werror -Wno-unused -c \
		-o "$TMP/$version/events.o" "$TMP/$version/events.c" \
		-I"$source/tools/perf" -I"$source/tools/perf/util" \
		-I"$source/tools/lib/perf/include" -I"$source/tools/lib" \
		-I"$source/tools/include" -I"$source/tools/include/uapi" \
		-I"$source/tools/arch/x86/include"
	is "$(for name in $names; do
		! grep -qF "/* $name\\000" "$TMP/$version/events.c" || echo "$name"
	done)" "$names" "$version: the tables have all metrics"
done

two=$(machine cxl-1s 'm["cxl"].append(json.loads(json.dumps(m["cxl"][0])))')
in_vm metrics --kernel 6.12 --machine "$two" --drivers none \
	--program cxlmem <<'SCRIPT'
modprobe cxl_pci
is "$(perf6.12 list --raw-dump metric | tr ' ' '\n' | grep -c ^cxl_)" 0 \
	'perf list offers no CXL metric without PMUs of pmon_cxl'
modprobe pmon_cxl
is "$(perf6.12 list --raw-dump metric | tr ' ' '\n' | grep -c ^cxl_)" 11 \
	'perf list offers 11 CXL metrics with PMUs of pmon_cxl'

cxl_adds 0.0 0.1 1.0 1.1

# metric NAME: compute a metric over accesses to both devices; write its value to the file
# `got`, and perf's counts to the file `counts`
metric() {
	perf6.12 stat -a -j -M "$1" -o said -- sh -c '. /lib/test/cxl.sh
		cxl_traffic "8192 r 8 3000 262144
4096 w 8 2000 256
12288 w 4 7 4" 0
		cxl_traffic "0 r 8 1000 8
4096 w 8 400 256" 1' || cat said
	sed -n '/"metric-unit" : "(null)"/!s/.*"metric-value" : "\([0-9.]*\)".*/\1/p' \
		said | tail -n 1 >got
	sed -n 's/.*"counter-value" : "\([0-9.]*\)".*"event" : "\([^"]*\)".*/\2 \1/p' \
		said >counts
}

# near VALUE NAME [PART]: check that the metric in `got` differs from VALUE by at most the
# fraction PART of VALUE, by default the precision of both outputs
near() {
	is "$(awk -v want="$1" -v part="${3:-0.001}" '{ d = $1 - want; if (d < 0) d = -d
		print (d <= want * part + 0.001) }' got)" 1 "$2: the metric $(cat got) is near $1"
}
counted() {
	awk -v event="$1" 'index($1, event) { sum += $2 } END { printf "%.0f", sum }' counts
}

# Stop the events of secure memory, which happen by themselves.
for cpmu in 0.0 1.0; do
	for event in '0x25 2' '0x21 9' '0x21 10'; do
		hw cpmu $cpmu rate 0x1e98 $event 0
	done
done
for row in read_bandwidth=s2m_drs_memdata=4000 write_bandwidth=m2s_rwd_memwr=2407; do
	name=${row%%=*} event=${row#*=}
	metric cxl_$name
	is "$(counted "${event%=*}")" "${event#*=}" "$name: perf counts lines of both devices"
	# perf computes the metric with the time of the run instead of duration_time. A host
	# may stop the guest between the readings of these two times, so allow 30 %.
	near "$(awk -v lines="${event#*=}" '/duration_time/ {
		printf "%.3f", 64 * lines / 1e6 / ($2 / 1e9) }' counts)" $name 0.3
done
metric cxl_read_latency
# Expect the ratio of perf's counts, because not only cxlmem makes requests.
near "$(awk '/resid/ { r += $2 } /req_completed/ { n += $2 } END { printf "%.4f", r / n }' \
	counts)" read_latency
is "$(counted m2s_req_resid_cnt)" $((4000 * 170)) 'reads reside 170 clocks each'
metric cxl_write_latency
near "$(awk '/resid/ { r += $2 } /rwd_all/ { n += $2 } END { printf "%.4f", r / n }' \
	counts)" write_latency
is "$(counted m2s_rwd_resid_cnt)" $((2407 * 140)) 'writes reside 140 clocks each'
metric cxl_mc_read_latency
near 90 mc_read_latency
metric cxl_mc_write_latency
near 60 mc_write_latency
metric cxl_row_hits
near "$(awk '/ddr_act/ { a += $2 } /ddr_cas/ { c += $2 }
	END { printf "%.3f", 100 * (1 - a / c) }' counts)" row_hits
for row in light=70 optimal=20 moderate_overload=7.5 severe_overload=2.5; do
	metric cxl_devload_${row%=*}
	near ${row#*=} devload_${row%=*}
done
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids for metrics'
SCRIPT
finish
