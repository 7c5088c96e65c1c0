#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Show where the kernel's cxl_pmu, of Linux 6.12 and of the newest, violates the
# specification or counts wrongly. Each check names the rule, by section and table (CXL
# 4.0 for registers, CXL 3.2, tables 13-4 and 13-5, for counters and events). On the same
# CPMUs pmon_cxl counts correctly or refuses the event, without a forbidden access.
# kernels: 6.12 newest
# coverage: no, none of our drivers
# check: none
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# The first Event Capability of CPMU 5 belongs to a fixed counter, that of CPMU 6 to a
# free-running one. CPMU 7 has clocks, which have no filter and cannot be added up.
defects=$(machine cxl-peer '
own = [{"group": 0, "mask": 1}, {"group": "0x20", "mask": "0xffff"}]
m["cxl"][0]["cpmu"] += [
    dict(counters=3, filters=1, capabilities=own,
         fixed=[{"counter": 0, "capability": 0}]),
    dict(counters=3, filters=1, capabilities=own,
         free_running=[{"counter": 0, "capability": 0}]),
    dict(counters=3, filters=1,
         capabilities=[{"group": "0x30", "mask": 15}, {"group": "0x22", "mask": "0x77"}])]')
each_vm --machine "$defects" --drivers none \
	--program cxlmem --program hold <<'SCRIPT'
. /lib/test/near.sh
P=cxl_pmu_mem0.0 WIDE=cxl_pmu_mem0.4
FIXED=cxl_pmu_mem0.5 FREE=cxl_pmu_mem0.6 CLOCKS=cxl_pmu_mem0.7
modprobe cxl_pci
insmod /lib/peers/cxl_pmu.ko

# ---- forbidden accesses, which the emulator flags

# flagged NAME WHY: check that the emulator has flagged an access for the reason WHY
flagged() {
	is "$(hw illegal | sed 's/.* why=//' | grep -xF "$2" | head -n 1)" "$2" "cxl_pmu violates $1: $2"
	hw illegal reset
}
# flags PMU EVENT: count an event for a moment
flags() {
	hw illegal reset
	perf stat -a -e "$1/$2/" -- sleep 0.01 >/dev/null 2>&1
}
# By default a counter that is not enabled does not keep its freeze bit.
flags $P m2s_req_memrd
hw illegal | sed 's/.* why=//' | LC_ALL=C sort -u >said
is "$(cat said)" 'a counter frozen that is free-running or not there
a threshold of 0 for an event of at most one in a clock
counter written while running
more than Enable changed as it was cleared' 'one event of cxl_pmu makes four kinds of forbidden access'
flagged '8.2.7.2.3, table 8-188, and 8.2.7.1.3, table 8-183' 'counter written while running'
flags $P m2s_req_memrd
flagged '8.2.7.1.3, table 8-183' 'a counter frozen that is free-running or not there'
flags $P m2s_req_memrd
flagged '8.2.7.2.1, table 8-185, and 13.2' \
	'a threshold of 0 for an event of at most one in a clock'
flags $P m2s_req_memrd
flagged '8.2.7.2.1' 'more than Enable changed as it was cleared'
flags $P m2s_req_memrd,hdm_filter_en=1,hdm=1
flags $P vid=0x1e98,gid=0x20,mask=3,hdm_filter_en=1,hdm=1
flagged '8.2.7.2.2, table 8-186' 'a filter for several events'
flags $FIXED m2s_req_meminv
flagged '8.2.7.2.1, table 8-185, index of a fixed counter' \
	'the event capability of a counter with an event of its own'
flags $FREE m2s_req_meminv
flagged '8.2.7.2.1, table 8-185, index of a free-running counter' \
	'the event capability of a counter with an event of its own'
flags $CLOCKS vid=0x1e98,gid=0x30,mask=3
flagged '13.2, table 13-5, MEC' 'several events that cannot be added up'
hw cpmu 0.7 reset
flags $CLOCKS vid=0x1e98,gid=0x30,mask=1,threshold=1,hdm_filter_en=1,hdm=1
flagged '8.2.7.2.2, and 13.2, table 13-5, Filters' 'a filter that the events do not have'
hw cpmu 0.7 reset
flags $CLOCKS m2s_birsp_iblk
flagged '8.2.7.1.4, table 8-184, and 8.2.7.2.1, table 8-185' 'an event that is not supported'
for n in 0 4 5 6 7; do hw cpmu 0.$n reset; done

# ---- wrong counts, on hardware that ignores forbidden writes
cxl_kind 0.0 0.4 0.5

# Edge, invert and threshold of a fixed counter are read-only.
cxl_count "$FIXED/clock_ticks/,$FIXED/clock_ticks,threshold=2/" sleep 0.02 >got
isnt "$(cxl_number $FIXED/clock_ticks,threshold=2/ <got)" '<not supported>' \
	'cxl_pmu against 8.2.7.2.1, table 8-185: counts with a threshold that is read-only'
# With hdm=0 the mask of the filter selects no decoder.
is "$(cxl_count_reads $P/m2s_req_memrd,hdm_filter_en=1,hdm=0/ 10)" 0 \
	'cxl_pmu against 8.2.7.2.2, table 8-187: counts 0 without a decoder, not an error'

# 1. Mask bits of the counter's previous event stay set.
hw truth reset
cxl_count $P/m2s_req_memwrfwd/ sh -c '. /lib/test/cxl.sh; cxl_traffic "0 r 8 100 8"' >got
faulty cxl_pmu-stale && mask=0x12 || mask=0x10
isnt "$(cxl_truth 0.0 0x20 $mask)" none "cxl_pmu against 8.2.7.2.1, table 8-185: MemWrFwd counts events of mask $mask"
is "$(cxl_number $P/m2s_req_memwrfwd/ <got)" "$(cxl_truth 0.0 0x20 $mask)" \
	"the wrong count of cxl_pmu is the hardware's for mask $mask"

# 2. The index of the Event Capability is never written.
hw truth reset
cxl_count $P/m2s_rwd_memwrptl/ sh -c '. /lib/test/cxl.sh
	cxl_traffic "0 r 8 100 8
8192 w 4 10 8"' >got
# The wrong count has the mask of the previous event, too.
faulty cxl_pmu-stale && mask=0x16 || mask=0x4
faulty cxl_pmu-group && group=0x20 || group=0x21
is "$(cxl_number $P/m2s_rwd_memwrptl/ <got)" "$(cxl_truth 0.0 $group $mask)" \
	"cxl_pmu against 8.2.7.2.1, table 8-185: group $group is counted for group 21h"

# 3. A threshold of more than eight bits is cut off.
hw truth reset
cxl_count $P/m2s_req_meminv,threshold=256/ sleep 0.02 >got
isnt "$(cxl_truth 0.0 0x20 '0x[0-9a-f]*' threshold=0)" none \
	'cxl_pmu against 8.2.7.2.1, table 8-185: a threshold of 256 counts as none'

# 4, 5. cxl_pmu makes no PMU of a CPMU with interrupt message 0, or without an interrupt.
faulty cxl_pmu-message-0 && pmus='' || pmus=$PMUS/cxl_pmu_mem0.1
is "$(ls -d $PMUS/cxl_pmu_mem0.[12] 2>/dev/null)" "$pmus" \
	'cxl_pmu against 8.2.7.1.1, table 8-181: CPMUs with message 0 or no interrupt have the expected PMU'

# 6. At an overflow cxl_pmu adds the counter's range once too often. 7. After an overflow
# all counters stay frozen. Counter 0 also keeps mask bits of earlier events (see 1), so
# set the rates of these events to 0.
for id in 0 2 4; do
	hw cpmu 0.0 rate 0x1e98 0x20 $id 0
done
before=$(awk '/cxl_pmu_mem0.0_overflow/ { print $2 + $3 }' /proc/interrupts)
near_end $P 0xfffffffff0
after=$(awk '/cxl_pmu_mem0.0_overflow/ { print $2 + $3 }' /proc/interrupts)
is "$((after - before))" 1 'an overflow raises one interrupt with cxl_pmu'
faulty cxl_pmu-overflow && range=$((1 << 40)) || range=0
is "$(near_gained before at)" $((16 + range)) \
	"cxl_pmu counts 16 accesses over an overflow $range too high (8.2.7.2.3, table 8-188)"
like "$(cat registers)" 'overflow=0x0 ' 'cxl_pmu acknowledges the overflow'
faulty cxl_pmu-freeze && freeze=0xf more=0 || freeze=0x0 more=84
like "$(cat registers)" "freeze=$freeze " "cxl_pmu leaves freeze=$freeze after an overflow (8.2.7.1.3, table 8-183)"
is "$(near_gained at after)" $more "cxl_pmu counts $more of 84 accesses after the overflow"

# 8. For the range of a counter of 64 bits cxl_pmu shifts 1 by 64. Skip Debian's 7.x
# before 7.4, where a report of UBSAN would make the run fail.
case $(uname -r) in
6.12.* | 7.[4-9]* | 7.[1-9][0-9]*)
	faulty cxl_pmu-width-64 && at=1 || at=0
	near_end $WIDE 0xfffffffffffffff0
	is "$(grep -E '^(before|at) ' held | tr '\n' ' ')" "before 18446744073709551600 at $at " \
		"cxl_pmu counts $at of 16 accesses over the end of 64 bits (8.2.7.1.1, table 8-181)"
	;;
esac

# ---- openpmon, on a device that does only what the specification requires
hw illegal reset
rmmod cxl_pmu
for n in 0 4 5 6 7; do hw cpmu 0.$n reset; done
cxl_unkind 0.0 0.4 0.5
modprobe pmon_cxl
# The case cxl/counts has other events that are refused.
like "$(perf stat -a -e $FIXED/clock_ticks,threshold=2/ -- true 2>&1)" '<not supported>' \
	"pmon_cxl refuses a threshold other than a fixed counter's own"
for pmu in $FIXED $FREE; do
	hw truth reset
	is "$(cxl_count_reads $pmu/m2s_req_memrd/ 100)" 100 "pmon_cxl counts 100 reads on $pmu by a free index"
done
for id in 0 2 4; do
	hw cpmu 0.0 rate 0x1e98 0x20 $id 100
done
hw truth reset
cxl_count $P/m2s_req_memwrfwd/ sh -c '. /lib/test/cxl.sh; cxl_traffic "0 r 8 100 8"' >got
is "$(cxl_truth 0.0 0x20 0x12)" none 'no mask bits of an earlier event stay set with pmon_cxl'
is "$(cxl_number $P/m2s_req_memwrfwd/ <got)" "$(cxl_truth 0.0 0x20 0x10)" \
	'pmon_cxl counts MemWrFwd alone on a counter that cxl_pmu has used'
hw truth reset
cxl_count $P/m2s_req_memrd/,$P/m2s_rwd_memwrptl/ sh -c '. /lib/test/cxl.sh
	cxl_traffic "0 r 8 100 8
8192 w 4 10 8"' >got
is "$(cxl_number $P/m2s_req_memrd/ <got)" 100 'pmon_cxl counts 100 reads in one group'
is "$(cxl_number $P/m2s_rwd_memwrptl/ <got)" 10 'pmon_cxl counts ten writes in another group'
near_end $P 0xfffffffff0
is "$(near_gained before at)" 16 'pmon_cxl counts 16 accesses over an overflow'
like "$(cat registers)" 'overflow=0x[1-9a-f]' 'the counter overflowed under pmon_cxl'
like "$(cat registers)" 'freeze=0x0 ' 'pmon_cxl leaves no freeze after an overflow'
is "$(near_gained at after)" 84 'pmon_cxl counts 84 accesses after an overflow'
near_end $WIDE 0xfffffffffffffff0
is "$(near_gained before at)" 16 'pmon_cxl counts 16 accesses over the end of 64 bits'
like "$(cat registers)" 'overflow=0x[1-9a-f]' 'the counter of 64 bits overflowed under pmon_cxl'
is "$(near_gained at after)" 84 'pmon_cxl counts 84 accesses after the end of 64 bits'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids'
SCRIPT
finish
