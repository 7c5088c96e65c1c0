#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The emulated CPU keeps the flags that an instruction leaves alone. QEMU 7.2 did
# not for CMPXCHG16B, which the kernel's allocator executes for each object: an
# interrupt at the wrong moment then returned with traps on or interrupts off, in
# one of hundreds of guests. Should another instruction do so, the emulator ends
# (selftests/emulator/patches/0012-flags-that-a-cpu-can-have.patch).
# kernels: 6.12
# coverage: no, none of our drivers
. "$(dirname "$0")/lib/tap.sh"

gcc -O2 -Wall -Wextra -Werror -mno-red-zone -static -o "$TMP/flags" \
	"$ROOT/selftests/emulator/cpu/flags.c"
is "$("$TMP/flags")" '0 wrong of 576' 'this machine: the program is right'
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --drivers none \
		--copy "$TMP/flags" <<-'S'
	. /lib/test/guest.sh
	is "$(/root/flags)" '0 wrong of 576' 'no flag but ZF changes'
	finish
	S
done
finish
