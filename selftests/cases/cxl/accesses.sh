#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Count register accesses of a CPMU in each operation, with the kernel's cxl_pmu and with
# pmon_cxl on the same machine. pmon_cxl never makes more than cxl_pmu, and only those
# that hardware requires. No configuration of an active counter is read back.
# contract: setup-cxl
# kernels: 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k costs" --kernel "$k" --machine cxl-peer --drivers none \
		--program cxlops <<'SCRIPT'
P=cxl_pmu_mem0.0

# costs: count accesses of four events of the first Event Capability
costs() {
	# shellcheck disable=SC2046 # words
	./cxlops "$(cat $PMUS/$P/type)" 0.0 $(for id in 0 1 2 3; do
		printf '0x1e980020%08x ' $((1 << id))
	done)
}
modprobe cxl_pci
modprobe pmon_cxl
is "$(cxl_device $P)" 0000:c1:00.0 'pmon_cxl has the PMU'
costs >ours
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids'
# A stopped group leaves its counters enabled and frozen. They are disabled before another
# group uses them, even if no filter is written (CXL 4.0, 8.2.7.2.1).
Q=cxl_pmu_mem0.4/vid=0x1e98,gid=0x20,mask
for first in 1 4; do
	perf stat -x, -o got -a -e "{$Q=$first/,$Q=$((2 * first))/}" -- sleep 0.1
done
is "$(grep -c '^[0-9]' got)" 2 'a second group on the same counters counts'
is "$(hw illegal)" '' 'a group that follows another makes no access that hardware forbids'
rmmod pmon_cxl
insmod /lib/peers/cxl_pmu.ko
cxl_kind 0.0
costs >theirs
# Clear the illegal accesses of cxl_pmu (see cxl-defects).
hw illegal reset
paste -d'|' ours theirs >both
while IFS="|" read -r name reads writes _ _ _ their_reads their_writes _; do
	is "$((reads + writes <= their_reads + their_writes))" 1 \
		"$name: $reads reads and $writes writes are at most cxl_pmu's $their_reads and $their_writes"
done <both
is "$(awk -F'|' '$4' ours)" '' 'no configuration of an active counter is read back'
# The columns are reads, writes, and writes of controls and filters. Other writes freeze
# or run the CPMU. The filter of a counter is written with each event, because a reset may
# have changed the filter meanwhile. A start beside others reads the freeze. When one event starts after a group,
# the group's controls are cleared, too, by a write each, because the group's stop has not
# cleared them.
is "$(awk -F'|' '{ print $1 "|" $2 "|" $3 "|" $5 }' ours)" 'first start|1|3|2
first start beside it|2|2|2
read|1|0|0
stop beside it|1|1|1
start beside it|2|2|2
stop again|1|1|1
stop|1|1|1
start|1|3|2
stop|1|1|1
start of four|4|10|8
read of four|4|0|0
stop of four|4|1|0
start after them|1|7|6
stop after them|1|1|1
start of four again|7|9|8
stop of four again|4|1|0' 'each operation takes the expected reads and writes'
SCRIPT

	# Counters that firmware left enabled are disabled, once, before the first
	# event.
	unkind=$(machine cxl-peer 'm.pop("power_on")')
	in_vm "$k garbage" --kernel "$k" --machine "$unkind" --drivers none \
		--program cxlops <<'SCRIPT'
P=cxl_pmu_mem0.0
modprobe cxl_pci
modprobe pmon_cxl
busy=$(hw cpmu 0.0 | sed -n 's/.* cfg=\(0x[0-9a-f]*\) .*/\1/p' | while read -r cfg; do
	[ $((cfg >> 8 & 1)) = 0 ] || echo busy
done | grep -c busy)
isnt "$busy" 0 'firmware has left some counters enabled'
# shellcheck disable=SC2046 # words
./cxlops "$(cat $PMUS/$P/type)" 0.0 $(for id in 0 1 2 3; do
	printf '0x1e980020%08x ' $((1 << id))
done) >ours
is "$(head -n 1 ours | cut -d'|' -f2,5)" "$((1 + busy))|$((2 + busy))" \
	"the first start reads $busy controls and clears Enable, and writes one and its filter"
is "$(awk -F'|' 'NR > 1 && $4' ours)" '' "no configuration is read back after firmware's counters were cleared"
is "$(hw illegal)" '' "clearing firmware's counters makes no access that hardware forbids"
SCRIPT
done
finish
