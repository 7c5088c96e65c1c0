#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Count while another program has frozen a package: boxes count nothing, and no register
# shows the freeze. So clockticks of R2PCIe and QPI that stood still for a second are
# logged, once for each box; shorter pauses and other events are not. A pending overflow
# (ov_rp of MSR C01h) is logged when the first event starts, on v2. Nothing is unfrozen.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: 6.12
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine ivt-2s --drivers none --program regs <<'SCRIPT'
modprobe msr
said() { dmesg | grep -c "$1"; }
STILL='clock stood still for a second: another program or firmware'
OVERFLOW='an overflow in the status 0x4000000 is not cleared: all boxes may be frozen'

# Package 0 has an overflow of another program, package 1 has none.
./regs msr 0 0xc01 0xffffffff
./regs msr 2 0xc01 0xffffffff
./regs pci 0000:7f:13.1 0xf4 0x30103
./regs pci 0000:7f:13.1 0xf8 0xf
./regs pci 0000:7f:13.1 0xd8 0x500001
./regs pci 0000:7f:13.1 0xa0 0xffffff00
./regs pci 0000:7f:13.1 0xa4 0xfff
./regs msr 0 0xc00 0x1
./regs pci 0000:7f:13.1 0xf4 0x30000
sleep 0.1
is "$(./regs msr 0 0xc01)" 0x4000000 'ov_rp is set in package 0'

modprobe pmon_r2pcie r2pcie=Y qpi=Y
is "$(said "$OVERFLOW")" 0 'loading logs nothing on the overflow'
perf stat -a -e uncore_r2pcie/event=0x10,umask=0x10/ -- sleep 0.1 2>/dev/null
is "$(said "package 0: $OVERFLOW")" 1 'the first event logs the overflow of package 0'
is "$(said "$OVERFLOW")" 1 'the log has no line on an overflow of package 1'
perf stat -a -e uncore_r2pcie/clockticks/ -- sleep 0.1 2>/dev/null
is "$(said "$OVERFLOW") $(said "$STILL")" '1 0' \
	'a second event logs the overflow no more and a short event no freeze'

# Package 0 is still frozen: the Ubox holds all its boxes.
for n in 1 2; do
	perf stat -x, -o out -a --per-socket -C 0,2 \
		-e uncore_r2pcie/clockticks/,uncore_qpi_0/clockticks/ -- sleep 1.2
done
is "$(awk -F, '$1 == "S0" { n += $3 } END { print n + 0 }' out)" 0 'events of frozen package 0 count nothing'
runs \
	'events of package 1 count beside a frozen package' awk -F, '$1 == "S1" && $3 > 1e6 { n++ } END { exit n != 2 }' out
is "$(said "uncore_r2pcie package 0: the $STILL") $(said "uncore_qpi_0 package 0: the $STILL")" \
	'1 1' 'the log has one line on the frozen clock of each box'
is "$(said "$STILL")" 2 'the log has no other line on frozen clocks'

# The other program lets package 0 run again. An event that does not occur is no freeze.
./regs msr 0 0xc00 0x20000001
perf stat -x, -o out -a -C 0 -e uncore_r2pcie/clockticks/,uncore_r2pcie/event=0xfe/ \
	-- sleep 1.2
runs 'clockticks count again once package 0 runs' awk -F, '/clockticks/ && $1 > 1e6 { n++ } END { exit !n }' out
is "$(said "$STILL")" 2 'an event that never occurs logs no freeze'
rmmod pmon_r2pcie
SCRIPT
finish
