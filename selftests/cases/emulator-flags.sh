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
. "$(dirname "$0")/lib/cpu.sh"

cpu_is flags '0 wrong of 576' 'no flag but ZF changes' -mno-red-zone
finish
