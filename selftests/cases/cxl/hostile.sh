#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test CXL memory devices with invalid capabilities, counters and register blocks. Each
# fault is logged in one line. The CPMU is rejected, or served without the faulty counter.
# No access is outside a block, and other counters are exact.
# contract: addresses
# kernels: 6.1 6.12 newest sanitizer
# check: none
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# lying CODE: make a machine with the CXL devices that CODE sets. block() is a CPMU of
# four counters, with the given values in some registers.
lying() {
	machine cxl-1s "
def block(registers='', **other):
    return dict(counters=4, filters=0, capabilities=[dict(group='0x20', mask='0xffff')],
                registers=dict(r.split('=') for r in registers.split())) | other
$1"
}
capabilities=$(lying '
m["power_on"] = "zero"
all_of = "0x200={0} 0x208={0} 0x210={0} 0x218={0}"
m["cxl"] = [
    {"cpmu": [*(block("0x0=0x" + value) for value in (
        "ffffffffffffffff", "1007800000000007", "1007800000001507", "1007800000004107",
        "100780000000ff07", "2007800000003003", "f007800000003003", "1006800000003003")),
        block("0x100=0xffffffffffffffff"), block("0x100=0x1e98002000000000"),
        block("0x200=0x3 0x208=0xffffffffffffffff 0x210=0x1000000f8000001"), block()]},
    {"cpmu": [block(all_of.format("0x3")), block(all_of.format("0xffffffffffffffff")),
        *(block("0x200=0x" + value) for value in (
            "f800000001000001", "800000001000001", "1", "1000000000001", "0",
            "f800000001000000")),
        block(counters=64, width=64, filters=255),
        block(counters=1, width=26, freeze=False, write_frozen=False, interrupt=False,
              version=0, msi=0)]}]')
# The last device has a CPMU behind the end of its BAR, before two good ones.
places=$(lying '
m["cxl"] = [
    {"entries": ["0xffffffffffffffff"],
     "cpmu": [*(block(bir=n) for n in (6, 7, 1, 3)), block(offset="0x1000000"),
         block(offset="0xffffffffffff0000"), block(bir=0, offset=0),
         block(bir=2, offset=0), block(offset="0x90000"), block(offset="0x90000"),
         block(bir=4, offset=0), block()]},
    {"cpmu": [block(offset="0x1000000"), block(), block()]}]')

for k in $KERNELS; do
	in_vm "$k capabilities" --kernel "$k" --machine "$capabilities" \
		--drivers none <<'SCRIPT'
modprobe cxl_pci
modprobe pmon_cxl
dmesg | sed -n 's/.*0000:\(c[15]\):00.0: pmon_cxl: CPMU /\1 /p' >lines
# logged_lines DEVICE CPMU TEXT...: check that the log's lines for the CPMU are exactly these
logged_lines() {
	logged_where="$1 $2: "
	shift 2
	is "$(grep "^$logged_where" lines | sed 's/^[^:]*: //')" \
		"$(printf '%s\n' "$@")" "the log has exactly these lines on ${logged_where}$1"
}
logged_lines c1 0 'capability 0xffffffffffffffff does not answer'
logged_lines c1 1 'capability 0x1007800000000007 has counters that wrap before they can be read'
logged_lines c1 2 'capability 0x1007800000001507 has counters that wrap before they can be read'
logged_lines c1 3 'capability 0x1007800000004107 has counters wider than a register'
logged_lines c1 4 'capability 0x100780000000ff07 has counters wider than a register'
# CPMUs of later versions, up to the highest, are served without a line in the log.
for n in 5 6 7; do logged_lines c1 $n; done
logged_lines c1 8 'event capability 0xffffffffffffffff does not answer' \
	'capability 0x1007000000003003 leaves no counter that can be used'
logged_lines c1 9 'capability 0x1007100000003003 leaves no counter that can be used'
logged_lines c1 10 'counter 0x3 is of a kind that is not known' \
	'counter 0xffffffffffffffff does not answer'
logged_lines c1 11
logged_lines c5 0 'counter 0x3 is of a kind that is not known' \
	'counter 0x3 is of a kind that is not known' \
	'counter 0x3 is of a kind that is not known' \
	'counter 0x3 is of a kind that is not known' \
	'capability 0x1007800000003003 leaves no counter that can be used'
logged_lines c5 2 'counter 0xf800000001000001 names an event capability that is not there'
logged_lines c5 3 'counter 0x800000001000001 names an event capability that is not there'
# The only group is that of a fixed counter, so the configurable counter may not select
# it.
logged_lines c5 4 'counter 0x1 counts events that its group does not have' \
	'capability 0x1007c00000003003 leaves no counter that can be used'
logged_lines c5 5 'counter 0x1000000000001 counts events that its group does not have' \
	'capability 0x1007d00000003003 leaves no counter that can be used'
logged_lines c5 6 'counter 0x0 counts events that its group does not have' \
	'capability 0x1007e00000003003 leaves no counter that can be used'
logged_lines c5 7 'counter 0xf800000001000000 names an event capability that is not there'
for n in 8 9; do logged_lines c5 $n; done

# pmu DEVICE CPMU: print the name of the PMU, whatever the order of the devices
pmu() {
	cxl_pmus_of "0000:$1:00.0" "$PMUS"/cxl_pmu_mem?."$2"
}
is "$(ls -d $PMUS/cxl_pmu_* | wc -l)" 10 'ten PMUs of two devices are registered'
# The registers of CPMU 7 cannot be written while it is frozen.
for n in 5 6 7 11; do
	hw truth reset
	cxl_count "$(pmu c1 $n)/m2s_req_meminv/" sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.$n 0x20 0x1)" "CPMU $n of device c1 counts exactly"
done
for n in 2 3 7 8; do
	hw truth reset
	cxl_count "$(pmu c5 $n)/m2s_req_meminv/" sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(cxl_truth 1.$n 0x20 0x1)" "CPMU $n of device c5 counts exactly"
done
# Counters of a CPMU without freeze are disabled during reads.
hw truth reset
cxl_count "$(pmu c5 9)/m2s_req_meminv/" sleep 0.02 >got
is "$(cut -d' ' -f1 got)" "$(cxl_truth 1.9 0x20 0x1)" 'CPMU 9 of device c5 counts exactly without freeze'

# The log gets at most 32 lines in five seconds. Sleep until earlier lines no longer count.
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
# All lines may be logged only if the guest was so slow that twice as many were allowed.
is "$((lines >= 16 && lines <= most && (lines < 12 * 16 || most >= 2 * 12 * 16)))" 1 \
	"12 binds log $lines of $((12 * 16)) lines, at most $most"
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids on invalid devices'
runs 'pmon_cxl unloads from invalid devices' rmmod pmon_cxl
SCRIPT

	in_vm "$k places" --kernel "$k" --machine "$places" \
		--drivers none <<'SCRIPT'
modprobe cxl_pci
hw illegal reset
hw count reset
modprobe pmon_cxl
# lines_of DEVICE: print the log's lines of the device
lines_of() {
	dmesg | sed -n "s/.*$1:00.0: pmon_cxl: //p"
}
# A CPMU at the MSI-X table is rejected.
is "$(lines_of c1 | sed 's/capability 0xfee[0-9a-f]* /capability 0x0 /')" \
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
CPMU 5: capability 0x0 has counters that wrap before they can be read' \
	'the log has a line for each place that cannot be a CPMU'
like "$(dmesg | grep c5:00.0)" \
	'pmon_cxl: register locator [0-9]*: entry 0x1000405 leads behind the end of its BAR' \
	'the log has a line for the place behind the BAR of the other device'
# pmu DEVICE CPMU: print the name of the PMU, whatever the order of the devices
pmu() {
	cxl_pmus_of "0000:$1:00.0" "$PMUS"/cxl_pmu_mem?."$2"
}
is "$(ls -d $PMUS/cxl_pmu_* | wc -l) $(pmu c1 6 | wc -l)" '3 1' \
	'one CPMU of the first device and two of the second are served'
is "$(hw count | sed -n 's/^class=other reads=\([0-9]*\) .*/\1/p')" 0 \
	'no register outside a block is read'
# counts_block PMU BLOCK NAME: check that the PMU counts exactly the events of the block
counts_block() {
	hw truth reset
	cxl_count "$1/m2s_req_meminv/" sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(cxl_truth "$2" 0x20 0x1)" "$3"
}
counts_block "$(pmu c1 6)" 0.11 'the CPMU of the first device counts exactly'
A=$(pmu c5 0) B=$(pmu c5 1)
counts_block "$A" 1.1 'CPMU 0 of the second device is the first block inside its BAR'
counts_block "$B" 1.2 'CPMU 1 of the second device is the next block'
case $(uname -r) in
6.12.* | *+deb13-*)
	# cxl_pmu numbers the blocks as pmon_cxl does, so a PMU's name stays with its block.
	is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids before the handover'
	rmmod pmon_cxl
	insmod /lib/peers/cxl_pmu.ko
	modprobe pmon_cxl
	cxl_kind 1.1 1.2
	is "$(cxl_device "$A") $(cxl_device "$B")" ' ' 'cxl_pmu has both CPMUs of the second device'
	echo "${B#cxl_}" >/sys/bus/cxl/drivers/cxl_pmu/unbind
	becomes "[ -e $PMUS/$B/device ]"
	is "$(cxl_device "$A") $(cxl_device "$B")" ' 0000:c5:00.0' 'pmon_cxl takes back the one CPMU that is unbound'
	counts_block "$A" 1.1 "a PMU of cxl_pmu counts the same block as pmon_cxl's"
	# Clear the illegal accesses of cxl_pmu (see cxl-defects).
	hw illegal reset
	;;
esac
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids on invalid places'
SCRIPT
done
finish
