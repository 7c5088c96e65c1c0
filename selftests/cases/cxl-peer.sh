#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own cxl_pmu, which Debian does not build, judges the emulator: it
# finds every CPMU that it can use and counts, on those of the device's events
# for which it programs what it was asked for, exactly what the hardware counted,
# accesses to the memory included. Where it is wrong the emulator shows what its
# counters really counted; pmon_cxl leaves its CPMU to it, serves the others, and
# is right when it has that one, too. On 7.2 the peer is that of 7.3.
# kernels: 6.12 7.2
. "$(dirname "$0")/lib/tap.sh"

gcc -O2 -Wall -Wextra -Werror -static -o "$TMP/cxlmem" "$CASES/lib/cxlmem.c"
for k in $KERNELS; do
in_vm "$k peer" --kernel "$k" --machine cxl-peer --drivers none \
	--copy "$TMP/cxlmem" <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/cxl.sh
cd /root
P=cxl_pmu_mem0.0 WIDE=cxl_pmu_mem0.4
modprobe cxl_pci
is "$(ls /sys/bus/cxl/devices | tr '\n' ' ')" \
	'mem0 pmu_mem0.0 pmu_mem0.1 pmu_mem0.2 pmu_mem0.3 pmu_mem0.4 ' \
	'the stock driver binds and finds each CPMU'
insmod /lib/peers/cxl_pmu.ko
is "$(ls -d $PMUS/cxl_pmu_* | tr '\n' ' ')" "$PMUS/$P $PMUS/$WIDE " \
	'the peer drives the first and the last one, not what has no interrupt or message 0'
like "$(dmesg | grep pmu_mem)" 'pmu_mem0.3: Counters not writable while frozen' \
	'and not the one that cannot be frozen'
case $(uname -r) in 6.12.*) names=8 ;; *) names=16 ;; esac
is "$(ls $PMUS/$P/events | grep -c '^m2s_req_')" $names 'its names of group 20h'

# What it programs rightly: the first Event Capability, one event after boot.
hw truth reset
count $P/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 1000 8
8192 w 8 500 8"' >got
is "$(number $P/m2s_req_memrd/ <got)" 1000 'a thousand reads are a thousand MemRd'
is "$(truth 0.0 0x20 0x2)" 1000 'and the hardware says so'
like "$(hw cxl)" 'reads=1000 writes=500' 'all accesses came to the device'
hw truth reset
count $P/m2s_req_memrd/,$P/m2s_req_memrddata/,$P/m2s_req_meminv/ sleep 0.05 >got
for event in m2s_req_memrddata=0x4 m2s_req_meminv=0x1; do
	is "$(number $P/${event%=*}/ <got)" "$(truth 0.0 0x20 "${event#*=}")" \
		"${event%=*}: what the hardware counted"
done
for decoder in 0 1; do
	count $P/m2s_req_memrd,hdm_filter_en=1,hdm=$decoder/ sh -c '. /lib/test/cxl.sh
		traffic "0 r 8 77 8"' >got.$decoder
done
is "$(cut -d' ' -f1 got.0 got.1 | tr '\n' ' ')" '77 0 ' 'a decoder filters'
is "$(hw illegal)" '' 'it does nothing that hardware forbids'

# Where it is wrong
hw truth reset
count $P/m2s_rwd_memwrptl/ sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 100 8
8192 w 4 10 8"' >got
is "$(truth 0.0 0x21 0x4)" none 'group 21h was asked for and never programmed'
is "$(number $P/m2s_rwd_memwrptl/ <got)" "$(truth 0.0 0x20 0x6)" \
	'events of the first group are counted instead, those asked for before too'

# Counter 0 overflows once, just before the end of its 40 bits.
before=$(awk '/cxl_pmu_mem0.0_overflow/ { print $2 + $3 }' /proc/interrupts)
hw truth reset
count $P/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh
	hw cpmu 0.0 poke 0xc00 0xfffffffff0
	traffic "0 r 8 100 8"; hw cpmu 0.0 >registers' >got
after=$(awk '/cxl_pmu_mem0.0_overflow/ { print $2 + $3 }' /proc/interrupts)
is "$((after - before))" 1 'an overflow is an interrupt'
like "$(cat registers)" 'freeze=0xf ' 'after which everything stays frozen'
like "$(cat registers)" 'overflow=0x0 ' 'the peer has acknowledged it'
isnt "$(number $P/m2s_req_memrd/ <got)" 100 "a count with an overflow: $(number $P/m2s_req_memrd/ <got)"
count $P/m2s_req_meminv,threshold=256/ sleep 0.02 >got
isnt "$(truth 0.0 0x20 '0x[0-9a-f]*' threshold=0)" none \
	'a threshold of 256 is cut off to none'

# Ours beside it
modprobe pmon_cxl
is "$(dmesg | sed -n 's/.*pmon_cxl: //p')" \
	"$P is left to another driver, which has a PMU of that name
$WIDE is left to another driver, which has a PMU of that name" \
	'what the peer has is left to it'
is "$(cd $PMUS && ls -d cxl_pmu_* | tr '\n' ' ')" \
	"$P cxl_pmu_mem0.1 cxl_pmu_mem0.2 cxl_pmu_mem0.3 $WIDE " 'the others are served'
is "$(cat $PMUS/$P/device 2>/dev/null)" '' 'the PMU is the peer'"'"'s'
for n in 1 2; do
	hw truth reset
	count cxl_pmu_mem0.$n/clock_ticks/ sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(truth 0.$n 0x0 0x1)" "CPMU $n counts exactly"
done
rmmod cxl_pmu
tries=100
while [ $tries -gt 0 ] && [ ! -e $PMUS/$P/device ]; do
	tries=$((tries - 1))
	sleep 0.05
done
is "$(cat $PMUS/$P/device)" 0000:c1:00.0 'when the peer has gone ours has it'

# The same again, right
hw truth reset
count $P/m2s_req_memrd/,$P/m2s_rwd_memwrptl/ sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 100 8
8192 w 4 10 8"' >got
is "$(number $P/m2s_req_memrd/ <got)" 100 'a hundred reads'
is "$(number $P/m2s_rwd_memwrptl/ <got)" 10 'and ten writes of another group'
count $P/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh
	hw cpmu 0.0 >registers' >got
n=$(sed -n 's/^ctr=\([0-9]*\) cfg=0x2000102 .*/\1/p' registers)
count $P/m2s_req_memrd/ sh -c ". /lib/test/cxl.sh
	traffic '0 r 8 50 8'" >got
is "$(number $P/m2s_req_memrd/ <got)" 50 "counter $n is used again"
hw cpmu 0.0 poke $((0xc00 + 8 * n)) 0xfffffffff0
count $P/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 100 8"; hw cpmu 0.0 >registers' >got
is "$(number $P/m2s_req_memrd/ <got)" 100 'a hundred, with an overflow'
like "$(cat registers)" 'overflow=0x[1-9a-f]' 'which there was'
hw cpmu 0.4 poke 0xc00 0xfffffffffffffff0
count $WIDE/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 100 8"; hw cpmu 0.4 >registers' >got
is "$(number $WIDE/m2s_req_memrd/ <got)" 100 'over the end of 64 bits'
like "$(cat registers)" 'overflow=0x1 ' 'which was reached'
like "$(perf stat -a -e $P/m2s_req_meminv,threshold=256/ -- true 2>&1)" \
	'not supported' 'a threshold of 256 is refused'
is "$(hw illegal)" '' 'ours does nothing that hardware forbids'
finish
SCRIPT
done
finish
