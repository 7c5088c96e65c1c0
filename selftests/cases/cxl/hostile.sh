#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# CXL memory devices that lie about their CPMUs: capabilities, counters, places
# of register blocks. Each lie is said in a line; a CPMU is refused or does without
# what cannot be, nothing outside a block is touched, and the others count.
# contract: addresses
# kernels: 6.1 6.12 newest sanitizer
# check: none
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# More that cannot be, or looks so: what is said of it, "-" when nothing need be
# and it is served, then what registers read as.
cat >"$TMP/lies" <<'LIES'
capability 0x0 has counters that wrap before they can be read|0x0=0x0
capability 0x1007800000000107 has counters that wrap before they can be read|0x0=0x1007800000000107
capability 0x1003000000001907 has counters that wrap before they can be read|0x0=0x1003000000001907
capability 0x1007800000001507 has counters that wrap before they can be read|0x0=0x1007800000001507
capability 0x7800000004103 has counters wider than a register|0x0=0x0007800000004103
-|0x0=0x7007800000003003
capability 0xfffffffffffffffe has counters wider than a register|0x0=0xfffffffffffffffe
-|0x0=0x1ffff80080003003
-|0x0=0x1ffffff0fe0f30c3
-|0x0=0x1005800000003003
-|0x0=0x1000000000003003
-|0x0=0x0003000000001a03
leaves no counter that can be used|0x100=0x0
leaves no counter that can be used|0x100=0xffffffff00000000
-|0x100=0xfffffffffffffffe
-|0x100=0x0000000000000001
counter 0x800000000000001 names an event capability that is not there|0x200=0x0800000000000001
counter 0xffffffff000001 counts events that its group does not have|0x200=0x00ffffffff000001
counter 0xffffffff000000 counts events that its group does not have|0x200=0x00ffffffff000000
counter 0xfffffffffffffffd names an event capability that is not there|0x208=0xfffffffffffffffd
-|0x200=0x0700000100e0fc02
-|0x200=0x0000000001000001,0x208=0x0000000001000001
-|0x0=0x3007800000003003
capability 0x1007800000008003 has counters wider than a register|0x0=0x1007800000008003
counter 0x8000000001000001 names an event capability that is not there|0x218=0x8000000001000001
LIES
more=$(machine hostile/cxl-capabilities "
lies = [line.split('|')[1] for line in open('$TMP/lies')]
def cpmu(lie):
    return dict(counters=4, filters=0,
                capabilities=[dict(group='0x20', mask='0xffff')],
                registers=dict(r.strip().split('=') for r in lie.split(',')))
m['cxl'] = [dict(cpmu=[cpmu(l) for l in lies[i:i + 13]])
            for i in range(0, len(lies), 13)]
m['cxl'][-1]['cpmu'].append(dict(counters=4, filters=0,
    capabilities=[dict(group='0x20', mask='0xffff')]))
m['cxl'].append(dict(cpmu=[cpmu('0x0=0x0')]))")
# And one with a CPMU behind the end of its BAR, before two good ones.
places=$(machine hostile/cxl-places '
good = dict(counters=4, filters=0, capabilities=[dict(group="0x20", mask="0xffff")])
m["cxl"].append(dict(cpmu=[dict(good, offset="0x1000000"), good, good]))')
lying=$(/usr/bin/python3 - "$more" "$ROOT"/selftests/machines/hostile/cxl-*.json <<'PY'
import json, sys
cpmus = [c for f in sys.argv[1:] for d in json.load(open(f))["cxl"] for c in d["cpmu"]]
print(sum(bool(c.keys() & {"registers", "bir", "offset"}) for c in cpmus))
PY
)
is "$((lying >= 50))" 1 "$lying blocks that lie"

for k in $KERNELS; do
	in_vm "$k capabilities" --kernel "$k" --machine hostile/cxl-capabilities \
		--drivers none <<'SCRIPT'
modprobe cxl_pci
modprobe pmon_cxl
dmesg | sed -n 's/.*0000:\(c[15]\):00.0: pmon_cxl: CPMU /\1 /p' >said
# says DEVICE CPMU TEXT...: just these lines
says() {
	says_where="$1 $2: "
	shift 2
	is "$(grep "^$says_where" said | sed 's/^[^:]*: //')" \
		"$(printf '%s\n' "$@")" "${says_where}$1"
}
says c1 0 'capability 0xffffffffffffffff does not answer'
says c1 1 'capability 0x1007800000000007 has counters that wrap before they can be read'
says c1 2 'capability 0x1007800000001507 has counters that wrap before they can be read'
says c1 3 'capability 0x1007800000004107 has counters wider than a register'
says c1 4 'capability 0x100780000000ff07 has counters wider than a register'
# A later version, and the last that there can be.
for n in 5 6 7; do says c1 $n; done
says c1 8 'event capability 0xffffffffffffffff does not answer' \
	'capability 0x1007000000003003 leaves no counter that can be used'
says c1 9 'capability 0x1007100000003003 leaves no counter that can be used'
says c1 10 'counter 0x3 is of a kind that is not known' \
	'counter 0xffffffffffffffff does not answer'
says c1 11
says c5 0 'counter 0x3 is of a kind that is not known' \
	'counter 0x3 is of a kind that is not known' \
	'counter 0x3 is of a kind that is not known' \
	'counter 0x3 is of a kind that is not known' \
	'capability 0x1007800000003003 leaves no counter that can be used'
says c5 2 'counter 0xf800000001000001 names an event capability that is not there'
says c5 3 'counter 0x800000001000001 names an event capability that is not there'
says c5 4 'counter 0x1 counts events that its group does not have'
says c5 5 'counter 0x1000000000001 counts events that its group does not have'
says c5 6 'counter 0x0 counts events that its group does not have'
says c5 7 'counter 0xf800000001000000 names an event capability that is not there'
for n in 8 9; do says c5 $n; done

# pmu DEVICE CPMU: its name, whichever device came first
pmu() {
	pmus_of "0000:$1:00.0" "$PMUS"/cxl_pmu_mem?."$2"
}
is "$(ls -d $PMUS/cxl_pmu_* | wc -l)" 13 'five and eight CPMUs are left'
# The third of them cannot be written while it is frozen.
for n in 5 6 7 11; do
	hw truth reset
	count "$(pmu c1 $n)/m2s_req_meminv/" sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(truth 0.$n 0x20 0x1)" "c1 $n counts exactly"
done
for n in 2 3 4 5 6 7 8; do
	hw truth reset
	count "$(pmu c5 $n)/m2s_req_meminv/" sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(truth 1.$n 0x20 0x1)" "c5 $n counts exactly"
done
# One that cannot be frozen is read while it is off.
hw truth reset
count "$(pmu c5 9)/m2s_req_meminv/" sleep 0.02 >got
is "$(cut -d' ' -f1 got)" "$(truth 1.9 0x20 0x1)" 'c5 9 counts exactly'

# However often it is bound: not more than 32 lines in five seconds, of which the
# binds above have used some.
sleep 6
dmesg -c >/dev/null
begun=$(cut -d. -f1 /proc/uptime)
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	for action in unbind bind; do
		echo 0000:c5:00.0 >/sys/bus/pci/drivers/cxl_pci/$action
	done
	becomes '[ -n "$(pmu c5 9)" ]'
done
lines=$(dmesg | grep -c 'pmon_cxl: CPMU')
most=$((32 * (2 + ($(cut -d. -f1 /proc/uptime) - begun) / 5)))
# All of them only where a slow kernel was given the time for twice as many.
is "$((lines >= 16 && lines <= most && (lines < 12 * 16 || most >= 2 * 12 * 16)))" 1 \
	"bound 12 times: $lines of $((12 * 16)) lines, at most $most"
is "$(hw illegal)" '' 'nothing that hardware forbids'
runs 'it unloads' rmmod pmon_cxl
SCRIPT

	in_vm "$k more" --kernel "$k" --machine "$more" --drivers none \
		--copy "$TMP/lies" <<'SCRIPT'
modprobe cxl_pci
modprobe pmon_cxl
dmesg | sed -n 's/.*0000:\(c[15]\):00.0: pmon_cxl: CPMU /\1 /p' >said
n=0
while IFS='|' read -r want registers; do
	device=c1 index=$n
	[ $n -lt 13 ] || device=c5 index=$((n - 13))
	n=$((n + 1))
	[ "$want" != - ] || want=
	is "$(sed -n "s/^$device $index: //; T
		s/^capability 0x[0-9a-f]* leaves/leaves/; p; q" said)" "$want" \
		"$device $index, $registers: ${want:-served}"
done <lies
for pmu_dir in "$PMUS"/cxl_pmu_mem*; do
	perf stat -a -e "${pmu_dir##*/}/vid=0x1e98,gid=0x20,mask=1/" -- true \
		>/dev/null 2>&1
done
honest() {
	pmus_of 0000:c5:00.0 "$PMUS"/cxl_pmu_mem?.12
}
hw truth reset
count "$(honest)/m2s_req_meminv/" sleep 0.02 >got
is "$(cut -d' ' -f1 got)" "$(truth 1.12 0x20 0x1)" 'the honest one counts'
# Looking again, as whenever a device is bound, says nothing again.
for action in unbind bind; do
	echo 0000:c5:00.0 >/sys/bus/pci/drivers/cxl_pci/$action
done
becomes '[ -n "$(honest)" ]'
is "$(honest | wc -l)" 1 'one is bound again'
is "$(dmesg | sed -n 's/.*c9:00.0: pmon_cxl: CPMU //p')" \
	'0: capability 0x0 has counters that wrap before they can be read' 'a device without any other: said once'
is "$(hw illegal)" '' 'nothing that hardware forbids'
runs 'it unloads' rmmod pmon_cxl
SCRIPT

	in_vm "$k places" --kernel "$k" --machine "$places" \
		--drivers none <<'SCRIPT'
modprobe cxl_pci
hw illegal reset
hw count reset
modprobe pmon_cxl
# said DEVICE: what the log says of it
said() {
	dmesg | sed -n "s/.*$1:00.0: pmon_cxl: //p"
}
# The table of MSI-X is no CPMU.
is "$(said c1 | sed 's/capability 0xfee[0-9a-f]* /capability 0x0 /')" \
	'CPMU 0: entry 0x406 names no BAR in memory
register locator 3: entry 0x10407 names no BAR in memory
register locator 4: entry 0x20401 names no BAR in memory
register locator 5: entry 0x30403 names no BAR in memory
register locator 6: entry 0x1000405 leads behind the end of its BAR
register locator 7: entry 0xffffffffffff0405 leads behind the end of its BAR
CPMU 1: entry 0x400 leads to another block
CPMU 2: entry 0x402 leads to another block
CPMU 3: entry 0x90405 leads to another block
CPMU 4: entry 0x90405 leads to another block
CPMU 5: capability 0x0 has counters that wrap before they can be read' 'each place that cannot be'
like "$(dmesg | grep c5:00.0)" \
	'pmon_cxl: register locator [0-9]*: entry 0x1000405 leads behind the end of its BAR' \
	'and that of the other device'
# pmu DEVICE CPMU: its name, whichever device came first
pmu() {
	pmus_of "0000:$1:00.0" "$PMUS"/cxl_pmu_mem?."$2"
}
is "$(ls -d $PMUS/cxl_pmu_* | wc -l) $(pmu c1 6 | wc -l)" '3 1' \
	'the last one of the first is served, and two of the other'
is "$(hw count | sed -n 's/^class=other reads=\([0-9]*\) .*/\1/p')" 0 \
	'nothing outside a block was read'
# counts PMU BLOCK NAME: an event of the PMU is that of the block
counts() {
	hw truth reset
	count "$1/m2s_req_meminv/" sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(truth "$2" 0x20 0x1)" "$3"
}
counts "$(pmu c1 6)" 0.11 'the first counts exactly'
A=$(pmu c5 0) B=$(pmu c5 1)
counts "$A" 1.1 'the second: CPMU 0 is the first that is in its BAR'
counts "$B" 1.2 'the second: CPMU 1 is the next one'
case $(uname -r) in
6.12.* | *+deb13-*)
	# The kernel has the same one by this number, and no other of ours.
	is "$(hw illegal)" '' 'ours does nothing that hardware forbids'
	rmmod pmon_cxl
	insmod /lib/peers/cxl_pmu.ko
	modprobe pmon_cxl
	kind 1.1 1.2
	is "$(device "$A") $(device "$B")" ' ' 'handed over'
	echo "${B#cxl_}" >/sys/bus/cxl/drivers/cxl_pmu/unbind
	becomes "[ -e $PMUS/$B/device ]"
	is "$(device "$A") $(device "$B")" ' 0000:c5:00.0' 'taken back: this one alone'
	counts "$A" 1.1 'handed over: it is the same block'
	# See cxl-defects.
	hw illegal reset
	;;
esac
is "$(hw illegal)" '' 'nothing that hardware forbids'
SCRIPT
done
finish
