#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own cxl_pmu, which Debian does not build, of Linux 6.12 and of
# the newest, judges the emulator: it finds every CPMU that it can use and
# counts, on those of the device's events for which it programs what it was asked
# for, exactly what the hardware counted, accesses to the memory included. Eight
# things are wrong with it, for which the emulator shows what its counters really
# did; pmon_cxl leaves its CPMUs to it, serves the others, and gets all eight right.
# kernels: 6.12 newest
# coverage: no, none of our drivers
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/hang-host.sh"

gcc -O2 -Wall -Wextra -Werror -static -o "$TMP/cxlmem" "$CASES/lib/cxlmem.c"
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine cxl-peer --drivers none \
		--copy "$TMP/cxlmem" --copy "$ATTACKS/hold" <<'SCRIPT'
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
	'the peer drives the first and the last one, not what has message 0 or no interrupt'
like "$(dmesg | grep pmu_mem)" 'pmu_mem0.3: Counters not writable while frozen' \
	'and not the one that cannot be frozen'
case $(uname -r) in 6.12.*) names=8 ;; *) names=16 ;; esac
is "$(ls $PMUS/$P/events | grep -c '^m2s_req_')" $names 'its names of group 20h'

# By default nothing is right that it counts: it writes Counter Data while the
# counter runs where a freeze is not kept before the counter is enabled (CXL 4.0,
# 8.2.7.1.3 and 8.2.7.2.3, tables 8-183 and 8-188).
count $P/m2s_req_memrd/ sleep 0.02 >got
is "$(hw illegal | sed 's/.* why=//' | sort -u | grep ' while running')" \
	'counter written while running' 'a freeze that needs Enable: Data of one that runs'
hw cpmu 0.0 reset
hw illegal reset
# Its threshold of 0 counts here what happens, as the specification allows.
kind 0.0 0.4

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
for mask in 1 2; do
	count $P/m2s_req_memrd,hdm_filter_en=1,hdm=$mask/ sh -c '. /lib/test/cxl.sh
		traffic "0 r 8 77 8"' >got.$mask
done
is "$(cut -d' ' -f1 got.1 got.2 | tr '\n' ' ')" '77 0 ' 'a mask of decoders filters'
# It freezes counters that are not there (CXL 4.0, 8.2.7.1.3, table 8-183), by default
# it has no threshold (8.2.7.2.1, table 8-185; CXL 3.2, 13.2), and it clears the
# interrupt bit together with Enable (8.2.7.2.1).
is "$(hw illegal | sed 's/.* why=//' | LC_ALL=C sort -u)" \
	'a counter frozen that is free-running or not there
a threshold of 0 for an event of at most one in a clock
more than Enable changed as it was cleared' 'it does three things that hardware forbids'
hw illegal reset

# Where it is wrong
# held PMU CONFIG: what an event that is open all the time says, while standard
# input goes on; lines of "TAG COUNT" in "held"
held() {
	{ echo "open $1 0 $2"; cat; } | ./hold | awk '{ print $1, $4 }' >held
}
# gained FROM TO
gained() {
	echo $(($(sed -n "s/^$2 //p" held) - $(sed -n "s/^$1 //p" held)))
}
cat >near.sh <<'END'
# near.sh CPMU VALUE: so far is the counter that counts
hw cpmu "$1" | sed -n 's/^ctr=\([0-9]*\) cfg=\(0x[0-9a-f]*\) .*/\1 \2/p' |
	while read -r n cfg; do
		[ $((cfg >> 8 & 1)) = 0 ] ||
			hw cpmu "$1" poke $((0xc00 + 8 * n)) "$2"
	done
END
# near_end PMU VALUE: its counter is 16 before its end, and perf knows; then 16
# accesses bring it there, and 84 more follow.
near_end() {
	held "$1" 0x1e98002000000002 <<-END
	! sh near.sh ${1#cxl_pmu_mem} $2
	read before
	! . /lib/test/cxl.sh; traffic "0 r 8 16 8"; sleep 0.1
	read at
	! hw cpmu ${1#cxl_pmu_mem} >registers
	! . /lib/test/cxl.sh; traffic "0 r 8 84 8"
	read after
	END
}

# 1. Bits of the event that a counter had before stay in its mask.
hw truth reset
count $P/m2s_req_memwrfwd/ sh -c '. /lib/test/cxl.sh; traffic "0 r 8 100 8"' >got
is "$(truth 0.0 0x20 0x10)" none 'stale bits: MemWrFwd was asked for and never counted'
is "$(number $P/m2s_req_memwrfwd/ <got)" "$(truth 0.0 0x20 0x12)" \
	'stale bits: MemRd, which the counter had before, is counted with it'

# 2. The index of the Event Capability is never written.
hw truth reset
count $P/m2s_rwd_memwrptl/ sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 100 8
8192 w 4 10 8"' >got
is "$(truth 0.0 0x21 0x4)" none 'event group: 21h was asked for and never programmed'
is "$(number $P/m2s_rwd_memwrptl/ <got)" "$(truth 0.0 0x20 0x16)" \
	'event group: events of the first one are counted instead'

# 3. A threshold of more than eight bits is cut off.
hw truth reset
count $P/m2s_req_meminv,threshold=256/ sleep 0.02 >got
isnt "$(truth 0.0 0x20 '0x[0-9a-f]*' threshold=0)" none \
	'threshold: 256 is cut off to none'

# 4, 5. No PMU where the interrupt is message 0, or where there is none: said above.

# 6. An overflow is added although the difference has it already, and 7. all
# counters stay frozen then. The masks of counter 0 hold all that was asked for, so
# other events are made to stand still.
for id in 0 2 4; do
	hw cpmu 0.0 rate 0x1e98 0x20 $id 0
done
before=$(awk '/cxl_pmu_mem0.0_overflow/ { print $2 + $3 }' /proc/interrupts)
near_end $P 0xfffffffff0
after=$(awk '/cxl_pmu_mem0.0_overflow/ { print $2 + $3 }' /proc/interrupts)
is "$((after - before))" 1 'an overflow is an interrupt'
is "$(gained before at)" $((16 + (1 << 40))) \
	'overflow: 16 accesses are 16 and the whole range'
like "$(cat registers)" 'overflow=0x0 ' 'which is acknowledged'
like "$(cat registers)" 'freeze=0xf ' 'freeze: all counters are frozen by it'
is "$(gained at after)" 0 'freeze: and stay so, 84 accesses more are not counted'

# 8. Two to the power of 64 is no number. Where the kernel looks for such (UBSAN of
# Debian's 7.x) its log is full of it, and the run would fail.
case $(uname -r) in
6.12.*)
	near_end $WIDE 0xfffffffffffffff0
	is "$(grep -E '^(before|at) ' held | tr '\n' ' ')" \
		'before 18446744073709551600 at 1 ' \
		'width 64: 16 accesses are 17 over the end of the counter'
	;;
esac

# Ours beside it, for which it only compares.
hw illegal reset
unkind 0.0 0.4
modprobe pmon_cxl
is "$(dmesg | sed -n 's/.*pmon_cxl: //p')" \
	"$P is left to another driver, which has a PMU of that name
$WIDE is left to another driver, which has a PMU of that name" \
	'what the peer has is left to it'
is "$(cd $PMUS && ls -d cxl_pmu_* | tr '\n' ' ')" \
	"$P cxl_pmu_mem0.1 cxl_pmu_mem0.2 cxl_pmu_mem0.3 $WIDE " 'the others are served'
is "$(device $P)" '' 'the PMU is the peer'"'"'s'
for n in 1 2; do
	hw truth reset
	count cxl_pmu_mem0.$n/clock_ticks/ sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(truth 0.$n 0x0 0x1)" \
		"ours counts exactly where there is $([ $n = 1 ] && echo message 0 || echo no interrupt)"
done
rmmod cxl_pmu
becomes "[ -e $PMUS/$P/device ]"
is "$(device $P)" 0000:c1:00.0 'when the peer has gone ours has it'

# The same again, right
for id in 0 2 4; do
	hw cpmu 0.0 rate 0x1e98 0x20 $id 100
done
hw truth reset
count $P/m2s_req_memwrfwd/ sh -c '. /lib/test/cxl.sh; traffic "0 r 8 100 8"' >got
is "$(truth 0.0 0x20 0x12)" none 'stale bits: none'
is "$(number $P/m2s_req_memwrfwd/ <got)" "$(truth 0.0 0x20 0x10)" \
	'stale bits: MemWrFwd alone, on a counter that the peer has used'
hw truth reset
count $P/m2s_req_memrd/,$P/m2s_rwd_memwrptl/ sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 100 8
8192 w 4 10 8"' >got
is "$(number $P/m2s_req_memrd/ <got)" 100 'event group: a hundred reads'
is "$(number $P/m2s_rwd_memwrptl/ <got)" 10 'event group: ten writes of another one'
like "$(perf stat -a -e $P/m2s_req_meminv,threshold=256/ -- true 2>&1)" \
	'not supported' 'threshold: 256 is refused'
near_end $P 0xfffffffff0
is "$(gained before at)" 16 'overflow: 16 accesses are 16'
like "$(cat registers)" 'overflow=0x[1-9a-f]' 'which there was'
like "$(cat registers)" 'freeze=0x0 ' 'freeze: none'
is "$(gained at after)" 84 'freeze: 84 accesses more are counted'
near_end $WIDE 0xfffffffffffffff0
is "$(gained before at)" 16 'width 64: 16 accesses are 16'
like "$(cat registers)" 'overflow=0x[1-9a-f]' 'over the end of the counter'
is "$(gained at after)" 84 'width 64: and 84 more'
is "$(hw illegal)" '' 'ours does nothing that hardware forbids'
finish
SCRIPT
done
finish
