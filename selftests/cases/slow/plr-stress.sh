#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# plr-stress for longer, on CPUs that really run at the same time. The log of more bits
# is more than the bench can answer.
# all kernels: sanitizer 6.12-rt
# races: yes
export OPENPMON_PARALLEL=1 STRESS_BITS=2000
exec "$(dirname "$0")/../plr/stress.sh"
