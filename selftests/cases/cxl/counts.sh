#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Count every event of both CPMUs of a CXL memory device, beside the stock cxl_pci:
# perf's counts equal the hardware's, and the number of the guest's accesses to the
# device's memory. All event names of cxl_pmu exist. Loading writes nothing; no access is
# forbidden; impossible events are refused. Where the specification leaves a choice, the
# device takes the worst one for a driver.
# contract: load
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# names VERSION: print "NAME CONFIG" of each event of the kernel's driver, from its source
names() {
	awk '/define CXL_PMU_GID_/ { gid[$2] = substr("0000" substr($3, 3), length($3) - 1) }
		/CXL_PMU_EVENT_CXL_ATTR\(.*BIT/ {
			split($0, part, /[(),]+[[:space:]]*/)
			printf "%s config=0x1e98%s%08x\n", part[2], gid[part[3]], 2 ^ part[5]
		}' "$("$ROOT/selftests/lib/build/source" "$1")/drivers/perf/cxl_pmu.c" | sort
}

names 6.12 >"$TMP/kernel-events"
is "$(wc -l <"$TMP/kernel-events")" 71 'Linux 6.12 has 71 event names'
if [ -z "$short" ]; then
	names newest >"$TMP/newest"
	sort -u -o "$TMP/kernel-events" "$TMP/kernel-events" "$TMP/newest"
	is "$(wc -l <"$TMP/newest") $(wc -l <"$TMP/kernel-events")" '115 115' \
		'the newest Linux has 115 event names, with the same meaning'
fi

each_vm --machine cxl-1s --drivers none \
	--program cxlmem --copy "$TMP/kernel-events" <<'SCRIPT'
A=cxl_pmu_mem0.0 B=cxl_pmu_mem0.1
modprobe cxl_pci
hw count reset
modprobe pmon_cxl
is "$(ls -d $PMUS/cxl_pmu_* | tr '\n' ' ')" "$PMUS/$A $PMUS/$B " 'a PMU is registered for each CPMU'
is "$(hw count | grep -cE 'class=(box-ctl|event-ctl|counter|filter|status|capability) .*writes=[^0]')" 0 \
	'loading writes no register of a CPMU'
is "$(hw cpmu 0.0 count | sed -n 's/^class=capability reads=\([0-9]*\) .*/\1/p')" 17 \
	'loading reads each capability once'
is "$(cxl_device $A)" 0000:c1:00.0 "the PMU's device is the PCI function"
is "$(cat $PMUS/$A/device/mem0/serial)" "$(cat $PMUS/$A/serial)" "the PMU's serial is that of the memory device"
like "$(cat $PMUS/$A/serial)" '^0x[1-9a-f][0-9a-f]*$' "the PMU's serial is a number above 0"

# Names
for pmu in $A $B; do
	(cd $PMUS/$pmu/events && grep . -- *) | tr ':' ' '
done | grep -v '^[^ ]*\.' | sort >events
is "$(wc -l <events)" 129 'the PMUs have 129 named events'
is "$(awk 'NR == FNR { has[$1] = $2; next } has[$1] != $2' events kernel-events)" '' \
	"names of cxl_pmu's events exist and mean the same"

memory=$(cxl_memory)
printf '8192 r 8 50 262144\n4096 w 8 30 256\n12288 w 4 7 4\n' >accesses
# each PMU UNIT: print "NAME COUNT TRUTH NUMBER-OF-GROUP RATE" of each event but *_bytes,
# counted in groups of four. RATE is how often in 1000 clocks the event happens by
# itself, 0 for events that are accesses (the emulator's README). At a threshold of 0 some
# events count every clock, see below.
each() {
	(cd $PMUS/$1/events && ls) | grep -v _bytes | awk -v pmu=$1 '
		{ list = list (list == "" ? "" : ",") pmu "/" $1 "/" }
		NR % 4 == 0 { print "{" list "}"; list = "" }
		END { if (list != "") print "{" list "}" }' >groups
	mkdir $1
	n=0
	while read -r group; do
		n=$((n + 1))
		hw truth reset
		cxl_count "$group" ./cxlmem "$memory" <accesses >$1/got.$n
		hw cpmu "$2" truth >$1/truth.$n
	done <groups
	(cd $PMUS/$1/events && grep . -- *) | tr ':' ' ' >$1/config
	awk '
		function hex(digits) {
			sub(/^0*/, "", digits)
			return "0x" (digits == "" ? 0 : digits)
		}
		{ of = FILENAME; sub(/.*\./, "", of) }
		FILENAME ~ /config$/ { # NAME config=0x1e98, 4 digits, 8 digits
			what[$1] = hex(substr($2, 14, 4)) " " hex(substr($2, 18, 8))
		}
		FILENAME ~ /truth/ {
			for (i = 1; i <= NF; i++) {
				split($i, pair, "=")
				is[pair[1]] = pair[2]
			}
			sum[of " " is["gid"] " " is["mask"]] += is["counted"]
		}
		FILENAME ~ /got/ {
			split($2, part, "/")
			key = of " " what[part[2]]
			print part[2], $1, (key in sum) ? sum[key] : "none", key
		}' $1/config $1/truth.* $1/got.* | while read -r name counted truth of gid mask; do
		id=0
		while [ $((mask >> id & 1)) = 0 ]; do id=$((id + 1)); done
		rate=$((1 + (gid * 37 + id * 11 + 0x1e98) % 900))
		case $gid,$name in
		0x0,* | 0x31,* | 0x8002,* | *_all | *_completed | 0x8001,*_occ) rate=1000 ;;
		0x30,*) set -- 700 200 75 25; shift $id; rate=$1 ;;
		*,m2s_req_memrd | *,m2s_rwd_memwr | *,m2s_rwd_memwrptl | *,s2m_ndr_cmp | \
			*,s2m_drs_memdata | *,ddr_act | *,ddr_pre | *,ddr_cas?? | \
			*,ddr_incoming_* | *,ddr_rd_wr_ddr_bus_switching) rate=0 ;;
		esac
		echo "$name $counted $truth $of $rate"
	done
}
# differs FILE: print each event of rate 0 if its count is not the truth, and each other event
# if its count, relative to that of the group's most frequent event, does not match its rate
differs() {
	awk '{ name[NR] = $1; count[NR] = $2; truth[NR] = $3; of[NR] = $4; rate[NR] = $5
			if ($5 > most[$4]) { most[$4] = $5; clock[$4] = $2 } }
		END { for (i = 1; i <= NR; i++) {
			d = count[i] * most[of[i]] - clock[of[i]] * rate[i]
			if (rate[i] ? d < -2 * most[of[i]] || d > 2 * most[of[i]] ||
					count[i] > truth[i] : count[i] != truth[i])
				print name[i], count[i], truth[i], rate[i]
		} }' "$1"
}
each $A 0.0 >counts.a
each $B 0.1 >counts.b
is "$(cat counts.a counts.b | wc -l)" 125 'all 125 events without *_bytes were counted'
# The second CPMU's clock is free-running, so leave it out.
grep -v ^clock_ticks counts.b >counts.rest
is "$(differs counts.a; differs counts.rest)" '' \
	"each event's count equals the hardware's or the event's rate"
is "$(cat counts.a counts.b | awk '$2 <= 0 { print $1 }' | tr '\n' ' ')" '' 'no event counts 0'

# Without a group, the second and the third event join a CPMU that already counts.
hw truth reset
cxl_count $A/m2s_req_meminv/,$A/m2s_req_memrddata/,$A/m2s_rwd_memwrptl/ sleep 0.05 >got
for event in m2s_req_meminv=0x20,0x1 m2s_req_memrddata=0x20,0x4 \
	m2s_rwd_memwrptl=0x21,0x4; do
	where=${event#*=}
	is "$(cxl_number $A/${event%=*}/ <got)" \
		"$(cxl_truth 0.0 "${where%,*}" "${where#*,}")" "${event%=*} joins an active CPMU and counts exactly"
done

# Counts of the accesses: 50 reads, 30 whole writes, 7 partial ones
for row in m2s_req_memrd=50 s2m_drs_memdata=50 m2s_rwd_memwr=30 \
	m2s_rwd_memwrptl=7 s2m_ndr_cmp=37 ddr_casrd=50 ddr_caswr=37 \
	ddr_incoming_rd_req=50 ddr_incoming_wr_req=37; do
	is "$(awk -v e="${row%=*}" '$1 == e { print $2 }' counts.a counts.b)" \
		"${row#*=}" "${row%=*} counts ${row#*=} accesses"
done

# At a threshold of 0 a device may add up events that happen several times in a clock,
# such as waiting requests. A device that does not add up then counts every clock (for
# queues, every clock with an entry); the user can detect this.
clocks=$A/clock_ticks,threshold=1/
for event in m2s_req_resid_cnt m2s_rwd_resid_cnt m2s_req_all; do
	cxl_count "{$clocks,$A/$event/}" sleep 0.02 >got
	is "$(cut -d' ' -f1 got | uniq | wc -l)" 1 "$event counts every clock on a device that does not add up"
done
for n in 0 1; do
	for knob in 'threshold spec' 'residency sum'; do
		hw cpmu 0.$n knob $knob
	done
done
cxl_count "$A/m2s_req_resid_cnt/,$A/m2s_rwd_resid_cnt/,$B/mc_rd_resid_cnt/,$B/mc_wr_resid_cnt/" \
	./cxlmem "$memory" <accesses >got
is "$(cut -d' ' -f1 got | tr '\n' ' ')" '8500 5180 4500 2220 ' \
	'residency events count 170, 140, 90 and 60 clocks for each request'
# A queue has 0 to 15 entries, all equally often: on average 7.5 in each clock.
for event in rd_queue_occ=0x1 wr_queue_occ=0x2 rd_wr_merged_queue_occ=0x4; do
	hw truth reset
	cxl_count $B/${event%=*}/ sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.1 0x8001 ${event#*=} threshold=0)" \
		"${event%=*} adds up entries as the hardware does"
	cxl_count "{$B/${event%=*}/,$B/ddr_refresh,threshold=1,invert=1/}" sleep 0.02 >got
	is "$(awk 'NR == 1 { n = $1 } END { d = n - 7.5 * $1; print (d < 16 && d > -16) }' got)" \
		1 "${event%=*} adds up 7.5 entries in each clock"
done
for knob in 'sums or' 'sums add'; do
	hw cpmu 0.0 knob $knob
	hw truth reset
	cxl_count $A/m2s_req_all/ sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.0 0x20 0xffff threshold=0)" \
		"m2s_req_all counts as the hardware does with $knob"
done

# Lines of 64 bytes are shown as MiB; a partial write counts as a line.
printf '0 r 8 16384 8\n0 w 8 8192 8\n0 w 4 4096 4\n' >accesses
for tee in '0x25 2' '0x21 9' '0x21 10'; do hw cpmu 0.0 rate 0x1e98 $tee 0; done
cxl_count $A/read_bytes/,$A/write_bytes/,$A/memdata_bytes/,$A/memwr_bytes/ \
	./cxlmem "$memory" <accesses >got
is "$(cut -d' ' -f1 got | xargs)" '1.00 0.75 1.00 0.50' 'events of bytes count 1.00, 0.75, 1.00 and 0.50 MiB'
for n in 0 1; do hw cpmu 0.$n knob threshold compare-only; done
is "$(cat $PMUS/$A/events/read_bytes.unit $PMUS/$A/events/write_bytes.unit)" \
	'MiB
MiB' 'events of bytes have the unit MiB'

# Masks, thresholds, filters
echo '0 r 8 40 256' >accesses
hw truth reset
cxl_count $A/vid=0x1e98,gid=0x20,mask=0x3/ ./cxlmem "$memory" <accesses >got
is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.0 0x20 0x3)" 'a mask of two events counts their sum'
hw truth reset
cxl_count $A/vid=0x1b00,gid=7,mask=0x81/ sleep 0.05 >got
is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.0 0x7 0x81)" "an event of a vendor's group counts exactly"
hw cpmu 0.0 rate 0x1e98 0x20 0 1300
for terms in threshold=1 threshold=2 threshold=1,invert=1 threshold=2,invert=1 \
	edge=1 threshold=1,edge=1; do
	hw truth reset
	cxl_count $A/m2s_req_meminv,$terms/ sleep 0.05 >got
	is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.0 0x20 0x1)" "$terms counts as the hardware does"
done
# The event happens 1300 times in 1000 clocks: twice in 300 of them, once in the other 700.
for row in threshold=1:1000 threshold=2:300 threshold=1,invert=1:700 \
	threshold=2,invert=1:1000; do
	cxl_count "{$clocks,$A/m2s_req_meminv,${row%:*}/}" sleep 0.02 >got
	is "$(awk -v of=${row#*:} 'NR == 1 { n = $1 } NR == 2 {
		d = $1 - n * of / 1000; print (d < 2 && d > -2) }' got)" 1 \
		"${row%:*} counts in ${row#*:} of 1000 clocks"
done
# The event happens in one clock of 250, each time with an edge, at any threshold.
hw cpmu 0.0 rate 0x1e98 0x20 0 4
cxl_count "{$A/m2s_req_meminv/,$A/m2s_req_meminv,edge=1/,$A/m2s_req_meminv,edge=1,threshold=9/}" \
	sleep 0.02 >got
is "$(awk 'NR == 1 { n = $1 } { print ($1 > n - 2 && $1 < n + 2) }' got | tr '\n' ' ')" \
	'1 1 1 ' 'edge counts each event once at any threshold'
# The fixed counter of the clock has a threshold of 1 and no other term.
cxl_count "{$A/clock_ticks/,$A/clock_ticks,threshold=1,invert=1/,$A/clock_ticks,edge=1/,$A/clock_ticks,threshold=2/}" \
	sleep 0.02 >got
is "$(awk 'NR == 1 { n = $1 } { print $1 / n }' got | tr '\n' ' ')" '1 1 0 0 ' \
	'clock_ticks counts 1 in each clock, with no edge and never 2'
for level in 1 15 16; do
	hw truth reset
	cxl_count $B/rd_queue_occ,threshold=$level/ sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.1 0x8001 0x1 threshold=$level)" \
		"a queue above $level entries counts as the hardware does"
done
for mask in 1 2 3 0xfffe 0xffff; do
	cxl_count $A/m2s_req_memrd,hdm_filter_en=1,hdm=$mask/ ./cxlmem "$memory" \
		<accesses >got
	is "$(cut -d' ' -f1 got)" $((mask & 1 ? 40 : 0)) \
		"reads through decoder 0 count with decoders $mask in the filter"
done
# Each of two channels has 20 reads: 16 on bank 0, 4 on bank 1, all on bank group 0 and rank 0.
for row in 0x00ffffff=20 0x01ffffff=20 0x02ffffff=0 0xffffff00=32 0xffffff01=8 \
	0x01ffff01=4 0xffff00ff=40 0xffff01ff=0 0xff00ffff=40 0xff01ffff=0 \
	0xffffffff=40; do
	cxl_count $B/ddr_casrd,crb_filter_en=1,crb=${row%=*}/ \
		./cxlmem "$memory" <accesses >got
	is "$(cut -d' ' -f1 got)" ${row#*=} \
		"reads with channel, rank, bank group and bank ${row%=*} count ${row#*=}"
done

# refused EVENTS NAME
refused() {
	like "$(perf stat -a -e "$1" -- true 2>&1)" '<not supported>' "$2"
}
refused $A/vid=0x1e98,gid=0x8000,mask=1/ 'perf refuses a group that this CPMU does not have'
refused $A/vid=0x1e98,gid=0x20,mask=0x10002/ 'perf refuses an event that the group does not have'
refused $A/vid=0x1e98,gid=0x20,mask=0/ 'perf refuses a mask without events'
refused $A/m2s_req_memrd,threshold=256/ 'perf refuses a threshold that the register does not hold'
refused $A/vid=0x1e98,gid=0x30,mask=3/ 'perf refuses a sum of DevLoad events'
refused $B/vid=0x1e98,gid=0x8002,mask=3/ 'perf refuses a sum of residencies'
refused $B/vid=0x1e98,gid=0x8000,mask=12,crb_filter_en=1,crb=0x01ffffff/ \
	'perf refuses a filter for two events'
refused $A/m2s_req_memrd,hdm=1/ 'perf refuses a decoder without hdm_filter_en'
refused $A/m2s_req_memrd,hdm_filter_en=1,hdm=0/ 'perf refuses a filter without decoders'
refused $A/vid=0x1e98,gid=0x20,mask=3,hdm_filter_en=1,hdm=1/ 'perf refuses decoders for two events'
refused $A/d2h_req_rdcurr,hdm_filter_en=1,hdm=1/ 'perf refuses decoders for a group without decoders'
refused $A/devload_light,hdm_filter_en=1,hdm=1/ 'perf refuses decoders for a group of clocks'
refused $B/clock_ticks,threshold=2/ 'perf refuses a threshold for a free-running counter'
refused $A/m2s_req_memrd,config1=0x100000/ 'perf refuses a config1 bit without a term'
refused "{$B/ddr_act/,$B/ddr_pre/,$B/ddr_casrd/,$B/ddr_caswr/,$B/ddr_rfm/,$B/ddr_refresh/}" \
	'perf refuses a group with more events than counters'
like "$(perf record -o /dev/null -a -C 0 -c 1000 -e $A/m2s_req_memrd/ -- true 2>&1)" \
	"doesn't support sampling" 'perf record says that the PMU does not support sampling'

is "$(dmesg | grep pmon_cxl)" '' 'the log has no line of pmon_cxl'
runs 'pmon_cxl unloads after all events' rmmod pmon_cxl
# Controls are as after a reset: nothing is selected, the threshold is 1 (CXL 4.0, table 8-185).
is "$(hw cpmu 0.0 | sed -n 's/.*\(freeze=[^ ]*\).*/\1/p') $(cxl_config 0.0 | sort -u |
	tr '\n' ' ')" 'freeze=0x0 0x10002 0x1010001 ' \
	'controls are handed back as a reset leaves them, and running'
for n in 0 1; do
	is "$(hw cpmu 0.$n | sed -n '/ left=0$/s/.* filter0=\(.*\) left.*/\1/p' |
		sort -u)" '0xffffffff filter1=0xffffffff' \
		"CPMU $n: filters are off after the unload"
done
SCRIPT
finish
