#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fuzz-perf while the driver core suspends functions that nothing uses: no register
# is accessed in D3. What else makes a function stop answering, or an access illegal,
# is left out, as are modules and functions that go, so that what polls is there.
# contract: asleep
# kernels: 6.12
export FUZZ_SECONDS=${FUZZ_SECONDS:-15} FUZZ_ALLOW=
export FUZZ_WITHOUT=d3,vanish,mailbox,hotplug,override,reload,remove,rescan
exec "$(dirname "$0")/fuzz-perf.sh"
