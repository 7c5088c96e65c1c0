#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The overflow of R2PCIe as the manual has it (2.9.2.1), on the emulated box, by a
# program with the rights for it: the bit in the box's status and ov_rp in the
# package's, the freeze of all boxes, no new one before both bits are cleared, in
# either order, and counting resumed. A counter that does not tell freezes nothing.
# This is what pmon_r2pcie does without; it sets no ov_en.
# kernels: 6.1 6.12 newest
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine ivt-2s --drivers none --program regs <<'SCRIPT'
modprobe msr
BOX=0000:7f:13.1 LINK=0000:7f:08.2
NEAR=$(((1 << 44) - 1000))
r() { ./regs "$@"; }
box() { r pci $BOX "$@"; }
# preload CTR: overflows after a thousand counts
preload() {
	box $((0xa0 + 8 * $1)) $((NEAR & 0xffffffff))
	box $((0xa4 + 8 * $1)) $((NEAR >> 32))
}
value() {
	hw truth 0/$R2PCIE/0 $1 | sed -n 's/.* value=\([^ ]*\) .*/\1/p'
}
grows() {
	grows_a=$(value $1)
	sleep 0.02
	[ "$(value $1)" != "$grows_a" ]
}
frozen() {
	hw box $1 | sed -n 's/.*frozen=\([01]\).*/\1/p'
}

# What power-on left is cleared first: boxes, and below the package's status.
r pci 0000:ff:13.1 0xf4 0x30000
r pci $LINK 0xf4 0x30103
r pci $LINK 0xf8 0xf
r pci $LINK 0xd8 0x400014
r pci $LINK 0xf4 0x30000
for ctr in $(some 0 1 2 3); do
	box 0xf4 0x30103
	box 0xf8 0xf
	r msr 0 0xc01 0xffffffff
	is "$(box 0xf8) $(r msr 0 0xc01)" '0x0 0x0' "counter $ctr: no overflow on record"
	box $((0xd8 + 4 * ctr)) 0x500001
	preload $ctr
	r msr 0 0xc00 0x1
	box 0xf4 0x30000
	sleep 0.02
	is "$(box 0xf8)" "$(printf '0x%x' $((1 << ctr)))" "counter $ctr: its bit is set"
	is "$(r msr 0 0xc01)" 0x4000000 "counter $ctr: ov_rp is set"
	is "$(value $ctr)" 0x0 "counter $ctr: it stopped as it overflowed"
	is "$(frozen 0/$R2PCIE/0) $(frozen 0/$QPI/0) $(frozen 1/$R2PCIE/0)" \
		'1 1 0' "counter $ctr: all boxes of the package are frozen, no other's"
	r msr 0 0xc00 0x20000001
	is "$(frozen 0/$R2PCIE/0)" 0 "counter $ctr: unfrozen, it counts on"

	# Only one of the two bits cleared, either: no freeze at the next.
	for first in box ubox; do
		box 0xf4 0x30100
		preload $ctr
		if [ $first = box ]; then
			box 0xf8 0xf
		else
			box 0xf8 0x0
			r msr 0 0xc01 0x4000000
		fi
		box 0xf4 0x30000
		sleep 0.02
		is "$(frozen 0/$R2PCIE/0)" 0 "counter $ctr: no freeze with only the $first cleared"
		runs "counter $ctr: it counts all the while ($first)" grows $ctr
	done

	# Both: the next overflow freezes again.
	box 0xf4 0x30100
	preload $ctr
	box 0xf8 0xf
	r msr 0 0xc01 0x4000000
	box 0xf4 0x30000
	sleep 0.02
	is "$(frozen 0/$R2PCIE/0) $(box 0xf8)" "1 $(printf '0x%x' $((1 << ctr)))" \
		"counter $ctr: both cleared, it freezes again"
	box 0xf8 0xf
	r msr 0 0xc01 0x4000000
	r msr 0 0xc00 0x20000001
	runs "counter $ctr: counting is resumed" grows $ctr
done

# A counter that is not to tell
box 0xf4 0x30103
box 0xd8 0x400001
preload 0
box 0xf4 0x30000
sleep 0.02
is "$(box 0xf8) $(r msr 0 0xc01) $(frozen 0/$R2PCIE/0)" '0x0 0x0 0' \
	'without ov_en an overflow leaves no trace'
is "$(r msr 2 0xc01 >/dev/null; frozen 1/$R2PCIE/0)" 0 'the other package was never frozen'
is "$(hw illegal)" '' 'nothing that the manual forbids'
SCRIPT
finish
