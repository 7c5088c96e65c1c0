#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# hang-hotplug for minutes, and on CPUs that really run at the same time. 6.1 and
# newest are the ends; that locks are taken in one order is hang-order's.
# all kernels: 6.1 newest
# check: none
failed=0
RACE_SECONDS=120 "$(dirname "$0")/../hang-hotplug.sh" || failed=1
RACE_SECONDS=60 OPENPMON_PARALLEL=1 "$(dirname "$0")/../hang-hotplug.sh" ||
	failed=1
exit $failed
