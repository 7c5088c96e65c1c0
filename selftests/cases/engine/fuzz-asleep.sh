#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run fuzz-perf while runtime PM suspends PCI functions that nothing uses: no register
# is accessed in D3. Other operations that stop a function's responses, or make an
# access illegal, are left out. Modules and functions stay, so that polls go on.
# contract: asleep
# check: none
# kernels: 6.12
export FUZZ_SECONDS=${FUZZ_SECONDS:-15} FUZZ_ALLOW=
export FUZZ_WITHOUT=vanish,mailbox,hotplug,reload,remove,rescan
exec "$(dirname "$0")/fuzz-perf.sh"
