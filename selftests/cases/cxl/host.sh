#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test a CXL memory device without a CPMU, as sold until CXL 3.0. The ports of the host
# count its reads and writes. pmonctl shows them by default, and `list` and `doctor` report
# the missing CPMU. Sapphire Rapids has no event for reads.
# contract: names
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# As on real servers the units of CXLCM and CXLDP are numbered alternately.
with_expander() {
	machine "$1" '
m["cxl"] = [{}]
for u in m["packages"][0]["discovery"]["units"]:
    if u["type"] in (12, 13):
        u.pop("count", None)
        u["ids"] = [u["type"] - 10, u["type"] - 8]'
}
gnr=$(with_expander gnr-lean) spr=$(with_expander spr-lean)
cat >"$TMP/common.sh" <<'S'
. /lib/test/uncore.sh
modprobe cxl_pci
modprobe pmon_cxl
modprobe pmon_uncore
# rate PMU CONTROL UNIT BYTES: count an event, check the count, and print the bytes per second
rate() {
	hw truth reset
	perf stat -x'|' -a -e "$1/event=$(($2 & 0xff)),umask=$(($2 >> 8))/" -- sleep 0.5 2>perf
	rate_count=$(awk -F'|' '$3 != "" { print $1 }' perf)
	[ "$rate_count" = "$(uncore_truth_of "$3" "$2")" ] || echo "not the truth: $rate_count"
	awk -F'|' '$3 != "" { printf "%.0f\n", $1 * '"$4"' / ($4 / 1e9) }' perf
}
# flow PMU WAY: print a rate (WAY: read or write) of `pmonctl bw` without --kind
flow() {
	pmonctl bw --json --for 0.5 >bw
	tr -d '\n ' <bw | sed -n 's/.*{\([^}]*"pmu":"'"$1"'"[^}]*\)}.*/\1/p' |
		sed -n 's/.*"'"$2"'_bytes_s":\([0-9a-z]*\).*/\1/p'
}
# within PORT WAY PMU CONTROL UNIT BYTES NAME: compare bw's rate in one direction with
# the hardware's, within 0.1 %. A busy host may stop the guest between the readings of a
# count and of its time, so try five times.
within() {
	for _ in 1 2 3 4 5; do
		within_truth=$(rate "$3" "$4" "$5" "$6") within_got=$(flow "$1" "$2")
		awk -v a="$within_got" -v b="$within_truth" 'BEGIN { d = a - b
			exit !(b + 0 > 0 && (d < 0 ? -d : d) <= b / 1000) }' && break
	done
	if [ "$?" = 0 ]; then
		ok "$7: bw's $within_got is near $within_truth"
	else
		not_ok "$7: bw's $within_got is near $within_truth"
	fi
}
S
for k in $KERNELS; do
	in_vm "$k gnr" --kernel "$k" --machine "$gnr" --drivers adopted <<'SCRIPT'
CM=uncore_cxlcm_4 DP=uncore_cxldp_5
like "$(pmonctl bw)" '^cxlhost  *0 ' 'pmonctl bw has a row of kind cxlhost'
within $CM read $CM 0x1041 0/12/4 64 'bw has the read rate of the second port'
within $CM write $DP 0x2002 0/13/5 64 'bw has the write rate of the second port'
like "$(pmonctl list)" '^mem0 .* nobody  *no CPMU' 'pmonctl list prints no CPMU for the device'
like "$(pmonctl doctor)" '0000:.*has no CPMU' 'pmonctl doctor prints that the device has no CPMU'
like "$(pmonctl metrics --for 1)" "^openpmon_cxl_host_read_bytes_total{pmu=\"$CM\",package=\"0\"} [1-9]" \
	'pmonctl metrics has read bytes of the port'
SCRIPT
	in_vm "$k spr" --kernel "$k" --machine "$spr" --drivers adopted <<'SCRIPT'
within uncore_cxlcm_2 write uncore_cxlcm_2 0x1002 0/12/2 32 'bw has the write rate of a Sapphire Rapids port'
is "$(flow uncore_cxlcm_2 read)" null 'bw --json has null for reads of Sapphire Rapids'
like "$(pmonctl bw)" '^cxlhost +0 +(- +)?- +[0-9]+ +-$' 'bw shows a dash for reads of Sapphire Rapids'
SCRIPT
done
finish
