#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test with CPUs in parallel threads that each executes the new bytes of a changed instruction.
# QEMU 10.0 dropped the translation before it stored the new bytes, so another CPU could
# translate the old bytes again. A kernel that changed an instruction of its scheduler,
# as for the first software event, could then never leave the trap that marks the change
# (selftests/emulator/patches/0019-code-that-changes-while-it-is-translated.patch).
# kernels: 6.12
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"
export OPENPMON_PARALLEL=1

gcc -O2 -Wall -Wextra -Werror -static -pthread -o "$TMP/code" \
	"$ROOT/selftests/emulator/cpu/code.c"
is "$("$TMP/code")" '0 wrong of 200000' 'the program finds no wrong code on this machine'
each_vm --machine spr-2s --drivers none --copy "$TMP/code" <<-'S'
	is "$(/root/code)" '0 wrong of 200000' 'a changed instruction is executed in the guest'
	S
finish
