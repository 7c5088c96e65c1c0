#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# plr-stress for longer, on CPUs that really run at the same time.
# all kernels: sanitizer 6.12-rt
# races: yes
export OPENPMON_PARALLEL=1 STRESS_BITS=3000
exec "$(dirname "$0")/../plr/stress.sh"
