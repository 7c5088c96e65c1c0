#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# plr-stress for longer, on CPUs that really run at the same time, but for real-time
# kernels (engine-stress). The log of more bits is more than the bench can answer.
# all kernels: sanitizer 6.12-rt
# races: yes
[[ ${KERNELS-} = *-rt ]] || export OPENPMON_PARALLEL=1
export STRESS_BITS=2000
exec "$(dirname "$0")/../plr/stress.sh"
