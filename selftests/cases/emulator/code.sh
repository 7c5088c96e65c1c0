#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# CPUs that really run at the same time execute code as it is, not as it was. QEMU
# 10.0 threw away what it had translated, and stored the new bytes then: another
# CPU could translate the old ones in between, and kept them. A kernel that changed
# an instruction of its scheduler, as it does for the first event of software, then
# took the trap that marks the change for ever, in one of some guests
# (selftests/emulator/patches/0019-code-that-changes-while-it-is-translated.patch).
# kernels: 6.12
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/cpu.sh"
export OPENPMON_PARALLEL=1

cpu_is code '0 wrong of 200000' 'an instruction that was changed is executed' \
	-pthread
finish
