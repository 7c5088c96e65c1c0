#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cycles of ../engine-cycles.sh hundreds of times, and some with CPUs that
# really run at the same time, which takes a multiple of the time.
CYCLES=${CYCLES:-300} "$(dirname "$0")/../engine-cycles.sh" || failed=1
CYCLES=15 OPENPMON_PARALLEL=1 "$(dirname "$0")/../engine-cycles.sh" || failed=1
exit "${failed:-0}"
