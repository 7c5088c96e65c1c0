#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Counters that overflow: by the interrupt that cxl_pci has a vector for, also
# message 0 and one that several CPMUs share, and by the timer where there is none
# (6.1 allocates no vectors). Counts are exact either way, an overflow costs one
# reading of the status, one of each counter that has wrapped and one writing, and
# what is wide has no interrupt. Residencies, faster by far, lose no wrap there.
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/machine.sh"

narrow=$(machine cxl-peer '
groups = [{"group": "0x20", "mask": "0xffff"}, {"group": 0, "mask": 1}]
def cpmu(**more):
    return dict(counters=4, filters=0, capabilities=groups, **more)
m["cxl"][0]["cpmu"] = [cpmu(width=32), cpmu(width=32, msi=0),
                       cpmu(width=32, msi=8), cpmu(width=32, interrupt=False),
                       cpmu(width=25), cpmu(width=48),
                       cpmu(width=32, msi=2),
                       dict(counters=1, width=40, filters=0,
                            capabilities=[{"group": "0x31", "mask": "3"}]),
                       dict(counters=2, filters=0,
                            capabilities=[{"group": "0x20", "mask": "1"},
                                          {"group": "0x20", "mask": "1"}],
                            fixed=[{"counter": 0, "capability": 0}]),
                       dict(counters=2, width=32, msi=11, filters=1, write_frozen=False,
                            capabilities=groups)]')
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$narrow" --drivers none <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/cxl.sh
cd /root
P=cxl_pmu_mem0
modprobe cxl_pci
modprobe pmon_cxl
case $(uname -r) in 6.1.*) vectors= ;; *) vectors=1 ;; esac

# interrupts CPMU: how many there were, or nothing when it has none
interrupts() {
	awk -v name="$P.$1" '{ for (i = 4; i <= NF; i++) if ($i ~ "^" name ",?$") {
		print $2 + $3; exit } }' /proc/interrupts
}
# The last one shares the line of an event log, which has a thread.
for n in 0 1 2 4 6; do
	is "$(interrupts $n)" "${vectors:+0}" "CPMU $n: ${vectors:-no} interrupt"
done
is "$(interrupts 3)$(interrupts 5)" '' 'none where the device has none, or counters are wide'
if [ -n "$vectors" ]; then
	is "$(dmesg | grep pmon_cxl)" '' 'nothing to say'
else
	like "$(dmesg | grep pmon_cxl)" \
		'CPMU 4: width 0x19 wraps before it can be read without an interrupt' \
		'25 bits are too few without one'
fi

# accesses CLASS: reads and writes between before and after
accesses() {
	cat before after | awk -v class="class=$1" '$1 == class {
		split($2, r, "="); split($3, w, "="); reads = r[2] - reads; writes = w[2] - writes }
		END { print reads, writes }'
}
# wraps SECONDS CPMU EVENTS ID...: perf counts them, from 0 on: 32 bits wrap each 4.3 s,
# since two wraps while a busy host stops the guest would be one interrupt. At the end
# they become slow, so that none wraps after the accesses were noted in after.
wraps() {
	seconds=$1 cpmu=$2 events=$3
	shift 3
	hw truth reset
	for id; do
		hw cpmu "$cpmu" rate 0x1e98 0x20 "$id" 1000
	done
	count "$events" sh -c "hw cpmu $cpmu count >before; sleep $seconds
		for id in $*; do hw cpmu $cpmu rate 0x1e98 0x20 \$id 1; done
		hw cpmu $cpmu count >after" >got
}
# costs WRAPS NAME: counters wrapped so often, some of them at one moment
costs() {
	came=$(accesses status | cut -d' ' -f2)
	is "$((came >= 1 && came <= $1)) $(accesses status)" "1 $came $came" \
		"$2: the status is read once and written once for each of $came interrupts"
	is "$(accesses counter)" "$1 0" "$2: and each counter as often as it wrapped"
	is "$(accesses event-ctl)" '0 0' "$2: and no configuration"
}
for n in 0 1 2; do
	had=$(interrupts $n)
	# The first one for the second time, too
	times=$([ $n = 0 ] && echo 2 || echo 1)
	wraps $((times * 5)) 0.$n $P.$n/m2s_req_meminv/ 0
	counted=$(cut -d' ' -f1 got)
	is "$counted" "$(truth 0.$n 0x20 0x1)" "CPMU $n: exact over wraps"
	is "$((counted > times << 32))" 1 "CPMU $n: there were wraps: $((counted >> 32))"
	[ -n "$vectors" ] || continue
	came=$(($(interrupts $n) - had))
	is "$((came >= counted >> 32))" 1 "CPMU $n: each was an interrupt: $came"
	costs $((counted >> 32)) "CPMU $n"
done
if [ -n "$vectors" ]; then
	# Four begin at one moment, so they wrap at one moment. No counter of this
	# CPMU has counted before: each begins at 0.
	wraps 5 0.6 "{$P.6/m2s_req_meminv/,$P.6/m2s_req_memrd/,$P.6/m2s_req_memrddata/,$P.6/m2s_req_memrdfwd/}" \
		0 1 2 3
	is "$(cut -d' ' -f1 got | tr '\n' ' ')" "$(for mask in 1 2 4 8; do
		truth 0.6 0x20 0x$mask
	done | tr '\n' ' ')" 'four at once: exact over wraps'
	wraps=0
	while read -r counted rest; do
		wraps=$((wraps + (counted >> 32)))
	done <got
	costs $wraps 'four at once'
fi
hw truth reset
count $P.3/clock_ticks/ sleep 5 >got
is "$(cut -d' ' -f1 got)" "$(truth 0.3 0x0 0x1)" 'by the timer: exact over a wrap'
is "$(($(cut -d' ' -f1 got) > 1 << 32))" 1 'and there was one'
if [ -n "$vectors" ]; then
	hw truth reset
	count $P.4/m2s_req_meminv/ sleep 0.2 >got
	is "$(cut -d' ' -f1 got)" "$(truth 0.4 0x20 0x1)" '25 bits: exact'
fi
hw cpmu 0.7 knob threshold spec
hw cpmu 0.7 knob residency sum
# 28.5 requests wait at a time, at 1 GHz: it wraps 0.6 s after it began. perf's last
# interval ends before the event does, so nothing is added then.
for wait in end interval; do
	hw cpmu 0.7 poke 0xc00 $(((1 << 40) - (1 << 34)))
	hw cpmu 0.7 rate 0x1e98 0x31 0 28500
	hw truth reset
	perf stat -x'|' -a $([ $wait = end ] || echo -I 400) -e $P.7/m2s_req_resid_cnt/ \
		-o got -- sh -c "sleep 1.2
			[ $wait = end ] || hw cpmu 0.7 rate 0x1e98 0x31 0 0; sleep 0.3"
	sum=$(awk -F'|' -v n=$([ $wait = end ] && echo 1 || echo 2) \
		'NF > 3 { sum += $n } END { printf "%.0f", sum }' got)
	is "$sum" "$(truth 0.7 0x31 0x1)" "residency, read at its $wait: exact over a wrap"
	is "$((sum > 1 << 34))" 1 "residency, read at its $wait: there was one"
done
is "$(dmesg | grep "pmon: .*$P")" '' 'and no other agent is blamed'

# One counts this and nothing else, the other one what it is asked to: both do.
hw truth reset
count "{$P.8/m2s_req_meminv/,$P.8/m2s_req_meminv/}" sleep 0.1 >got
is "$(awk '$1 > 0 { n++; sum += $1 } END { print n, sum }' got)" \
	"2 $(truth 0.8 0x20 0x1)" 'beside a fixed counter: two of its event at once'

# Where nothing can be written while it is frozen a group ends with a freeze, and
# what its counters select counts on until the next group has stopped them, which
# is no count of that group.
is "$(($(hw cpmu 0.9 | sed -n 's/^capability=\([^ ]*\) .*/\1/p') >> 48 & 3))" 2 \
	'one can be frozen, and not written then'
for id in 0 1 2 3; do
	hw cpmu 0.9 rate 0x1e98 0x20 $id 1000
done
for pair in meminv=0x1,memrd=0x2 memrddata=0x4,memrdfwd=0x8 memrd=0x2,meminv=0x1; do
	a=${pair%,*} b=${pair#*,}
	hw truth reset
	count "{$P.9/m2s_req_${a%=*}/,$P.9/m2s_req_${b%=*}/}" sleep 0.05 >got
	is "$(cut -d' ' -f1 got | tr '\n' ' ')" \
		"$(truth 0.9 0x20 ${a#*=}) $(truth 0.9 0x20 ${b#*=}) " \
		"sealed: ${a%=*} and ${b%=*}, after another group"
done
is "$(hw illegal)" '' 'nothing that hardware forbids'
echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/unbind
is "$(interrupts 0)$(interrupts 1)" '' 'unbound: no interrupt is left'
echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/bind
runs 'it unloads' rmmod pmon_cxl
is "$(interrupts 0)$(interrupts 1)" '' 'unloaded: none'
finish
SCRIPT
done
finish
