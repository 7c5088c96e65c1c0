#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test the average latency of requests on devices with eight and with four counters.
# `pmonctl bw`, `stat` and `metrics`, perf's metrics and the hardware's counts agree within
# 2 %, also with speculative reads (which get no completion), with partial writes, and
# while other programs count. For a device that does not add up, pmonctl shows no latency,
# but a line with the reason. A fixed counter that cannot add up is not used for sums.
# kernels: 6.1 6.12 newest
# all kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

shape() {
	machine cxl-1s "
m['cxl'][0]['cpmu'] = [dict(counters=$1, filters=0, fixed=[dict(counter=0, capability=0)],
    capabilities=[dict(group=0, mask=1), dict(group='0x20', mask='0xffff'),
                  dict(group='0x21', mask=6), dict(group='0x25', mask=3),
                  dict(group='0x31', mask=3)])]"
}
fixed=$(machine cxl-1s "
def cpmu(n, more):
    return dict(counters=n, filters=0, fixed=[dict(counter=0, capability=0)],
                capabilities=[dict(group='0x31', mask=1), dict(group=0, mask=1)] + more)
both = [dict(group='0x31', mask=3)]
m['cxl'][0]['cpmu'] = [cpmu(4, both), cpmu(8, both), cpmu(4, [])]")
four=$(shape 4) eight=$(shape 8)

for k in $KERNELS; do
	for n in 4 8; do
		if [ $n = 4 ]; then machine=$four; else machine=$eight; fi
		in_vm "$k $n" --kernel "$k" --machine "$machine" --drivers none <<'SCRIPT'
P=cxl_pmu_mem0.0
modprobe cxl_pci
modprobe pmon_cxl

# ---- by default the device only compares, so a threshold of 0 counts every clock
pmonctl bw --json -n 20 -i 0.1 >bw
is "$(grep -c '"pmu": *"'$P'"' bw) $(grep -cE '"(in|out)_ns": *[0-9]' bw)" '20 0' \
	'bw has no latency in 20 intervals of a device that does not add up'
pmonctl bw >bw
unlike "$(cat bw)" AVERAGE 'bw has no table of averages for a device that does not add up'
like "$(cat bw)" "^$P READ and WRITE: no average: no requests overlapped, or" \
	'bw prints why there is no average'
unlike "$(pmonctl metrics --for 2)" openpmon_cxl_request 'metrics has no latency of a device that does not add up'

# ---- a device that sums waiting requests: 7.5 reads at a time, for 250 clocks each, and
# 4.5 writes, for 180 clocks each; each fifth write is partial
cxl_adds 0.0
for id in $(seq 0 15); do
	hw cpmu 0.0 rate 0x1e98 0x20 $id 0
done
hw cpmu 0.0 rate 0x1e98 0x20 1 30
hw cpmu 0.0 rate 0x1e98 0x31 0 7500
hw cpmu 0.0 rate 0x1e98 0x21 1 20
hw cpmu 0.0 rate 0x1e98 0x21 2 5
hw cpmu 0.0 rate 0x1e98 0x31 1 4500

# is_near VALUE EXPECTED: is VALUE within 2 % of EXPECTED?
is_near() {
	awk -v got="$1" -v want="$2" 'BEGIN { d = got - want; if (d < 0) d = -d
		exit !(got != "" && d <= want / 50) }'
}
# near VALUE EXPECTED NAME
near() {
	if is_near "$1" "$2"; then ok "$3: $1 is within 2 % of $2"; else not_ok "$3: $1 is within 2 % of $2"; fi
}
# nears COMMAND EXPECTED NAME: check a command's output. A busy host may stop the guest
# between the readings of perf's clock and of the counters, so try three times.
nears() {
	for _ in 1 2 3; do
		nears_got=$(eval "$1")
		! is_near "$nears_got" "$2" || break
	done
	near "$nears_got" "$2" "$3"
}
# bw_column N: print a column of bw
bw_column() {
	pmonctl bw --for 2 >bw
	column bw "$1"
}
stat_column() {
	pmonctl stat -o stat -- sleep 1
	column stat "$1"
}
# spent WAY: print the average nanoseconds of a request, from pmonctl metrics
spent() {
	pmonctl metrics --for 4 >metrics
	awk -v s="$(family request_seconds_total "$1")" -v n="$(family requests_total "$1")" \
		'BEGIN { if (n > 0) printf "%.2f", s / n * 1e9 }'
}
written() {
	pmonctl bw --for 2 --json >bw
	sed -n 's/.*"write_bytes_s": \([0-9]*\).*/\1/p' bw | head -n 1
}
# column FILE N: print a column of the table of averages
column() {
	sed -n "s/^$P  *\([^ ]*\)  *\([^ ]*\)$/\\$2/p" "$1"
}
# metric NAME: print perf's metric
metric() {
	perf6.12 stat -a -j -M "$1" -o said -- sleep 1 || cat said
	sed -n '/"metric-unit" : "(null)"/!s/.*"metric-value" : "\([0-9.]*\)".*/\1/p' said |
		tail -n 1
}
# family NAME WAY: print a value of pmonctl metrics
family() {
	sed -n "s/^openpmon_cxl_$1{pmu=\"$P\",way=\"$2\"} //p" metrics
}
# all_say READ WRITE NAME: check that all sources give these latencies
all_say() {
	nears 'bw_column 1' "$1" "$3: read latency of bw"
	hw truth reset
	nears 'bw_column 2' "$2" "$3: write latency of bw"
	near "$(echo "$(cxl_truth 0.0 0x31 0x1 threshold=0) $(cxl_truth 0.0 0x20 0xeee7 threshold=0)" |
		awk '{ print $1 / $2 }')" "$1" "$3: read latency from the hardware's counts"
	near "$(echo "$(cxl_truth 0.0 0x31 0x2 threshold=0) $(cxl_truth 0.0 0x21 0x6 threshold=0)" |
		awk '{ print $1 / $2 }')" "$2" "$3: write latency from the hardware's counts"
	near "$(metric cxl_read_latency)" "$1" "$3: read latency of perf's cxl_read_latency"
	near "$(metric cxl_write_latency)" "$2" "$3: write latency of perf's cxl_write_latency"
	nears 'stat_column 1' "$1" "$3: read latency of stat"
	nears 'spent read' "$1" "$3: read latency of metrics"
	nears 'spent write' "$2" "$3: write latency of metrics"
}
all_say 250 180 'reads and writes'
hw cpmu 0.0 rate 0x1e98 0x20 8 30
hw cpmu 0.0 rate 0x1e98 0x20 12 7
hw cpmu 0.0 rate 0x1e98 0x20 3 2
hw cpmu 0.0 rate 0x1e98 0x20 4 1
all_say 250 180 'reads beside MemSpecRd'
perf stat -a -e "{$P/m2s_req_memspecrd/,$P/m2s_req_memrd/}" -- sleep 300 2>/dev/null &
other=$!
all_say 250 180 'reads while other programs count'
kill $other
wait

# Here perf's metric counts the same events as bw, because the CPMU has no event of secure memory.
nears written $((25 * 64 * 1000000)) 'bw has the bandwidth of full and partial writes'
nears 'metric cxl_write_bandwidth' $((25 * 64)) "perf's cxl_write_bandwidth has full and partial writes"

# Let requests come in bursts. If on average 0.02 or more wait (5 MB/s at 250 ns), the two halves of
# an interval prove that the device adds up. bw never shows a latency of a device that compares.
hw cpmu 0.0 knob arrivals bursts
perf stat -a -e "{$P/m2s_req_memspecrd/,$P/m2s_req_memrd/}" -- sleep 300 2>/dev/null &
other=$!
for load in '1 20' '1 250' '3 250' '30 250'; do
	reads=${load% *} ns=${load#* }
	hw cpmu 0.0 rate 0x1e98 0x20 1 $reads
	hw cpmu 0.0 rate 0x1e98 0x31 0 $((reads * ns))
	nears 'bw_column 1' $ns "bursts of $reads reads a us of $ns ns: read latency of bw"
	hw cpmu 0.0 knob threshold compare-only
	pmonctl bw --for 0.5 >bw
	is "$(column bw 1)" '' "bursts of $reads reads a us: bw has no latency of a device that compares"
	hw cpmu 0.0 knob threshold spec
done
hw cpmu 0.0 rate 0x1e98 0x20 1 1
hw cpmu 0.0 rate 0x1e98 0x31 0 250
nears 'stat_column 1' 250 'bursts: read latency of stat'
nears 'spent read' 250 'bursts: read latency of metrics'
kill $other
wait
# Later this device counts clocks with a request, and nine of ten clocks have one.
hw cpmu 0.0 rate 0x1e98 0x20 1 12
hw cpmu 0.0 rate 0x1e98 0x31 0 3000
pmonctl bw --json -i 1 -n 6 >bw &
sleep 3
hw cpmu 0.0 knob residency busy
hw cpmu 0.0 knob arrivals even
hw cpmu 0.0 rate 0x1e98 0x31 0 900
wait $!
near "$(sed -n '2s/.*"read_ns": \([0-9]*\).*/\1/p' bw)" 250 'bursts: bw shows READ with a proof'
unlike "$(tail -n 1 bw)" read_ns 'the proof of a sum ends under load that disproves the sum'
hw cpmu 0.0 knob residency sum
hw cpmu 0.0 rate 0x1e98 0x20 1 30

# Reads come evenly, and on average fewer than one waits. So none overlap, nothing proves
# that the device adds up, and bw shows no average of reads.
hw cpmu 0.0 rate 0x1e98 0x31 0 900
nears 'bw_column 2' 180 'fewer than one read waits: write latency of bw'
is "$(column bw 1)" - 'bw has no read latency if fewer than one read waits'
like "$(cat bw)" "^$P READ: no average: " 'bw prints why there is no read average'
hw cpmu 0.0 rate 0x1e98 0x31 0 2000
hw cpmu 0.0 rate 0x1e98 0x20 1 1000
pmonctl bw >bw
is "$(column bw 1)" - 'bw has no read latency of two clocks for a request'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids'
runs 'pmon_cxl unloads after latencies' rmmod pmon_cxl
SCRIPT
	done
	in_vm "$k fixed" --kernel "$k" --machine "$fixed" --drivers none <<'SCRIPT'
P=cxl_pmu_mem0
modprobe cxl_pci
modprobe pmon_cxl
# ratios EVENTS: print each event's count divided by the last event's count, rounded
ratios() {
	cxl_count "$1" sleep 0.1 | awk '{ n[NR] = $1 } END {
		for (i = 1; i <= NR; i++) printf "%.0f ", n[i] / n[NR] }'
}
cxl_adds 0.0 0.1 0.2
for n in 0 1 2; do
	hw cpmu 0.$n rate 0x1e98 0x31 0 3000
done
for n in 0 1; do
	e=$P.$n/m2s_req_resid_cnt
	is "$(ratios "{$e/,$P.$n/clock_ticks/}")" '3 1 ' "CPMU $n: residency counts three requests in each clock"
	is "$(ratios "{$e/,$e/,$P.$n/clock_ticks/}")" '3 3 1 ' \
		"CPMU $n: residency counts three requests on every free counter"
	is "$(ratios "{$e,threshold=1/,$e/,$P.$n/clock_ticks/}")" '1 3 1 ' \
		"CPMU $n: residency with a threshold of 1 counts clocks"
done
like "$(perf stat -a -e "{$P.0/m2s_req_resid_cnt/,$P.0/m2s_req_resid_cnt/,$P.0/m2s_req_resid_cnt/,$P.0/clock_ticks/}" \
	-- true 2>&1)" '<not supported>' 'perf refuses four events on three configurable counters and a fixed one'
is "$(ls $PMUS/$P.2/events | grep -c resid)" 0 'a counter that cannot add up has no named residency event'
is "$(ratios "{$P.2/vid=0x1e98,gid=0x31,mask=1,threshold=1/,$P.2/clock_ticks/}")" '1 1 ' \
	'a counter that cannot add up counts with its threshold'
like "$(perf stat -a -e $P.2/vid=0x1e98,gid=0x31,mask=1/ -- true 2>&1)" '<not supported>' \
	'perf refuses residency without a threshold on a counter that cannot add up'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids with fixed counters'
SCRIPT
done
finish
