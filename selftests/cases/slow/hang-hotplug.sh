#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# hang-hotplug for minutes, and on CPUs that really run at the same time; that locks
# are taken in one order is hang-order's.
# all kernels: newest
# check: none
failed=0
RACE_SECONDS=120 "$(dirname "$0")/../hang/hotplug.sh" || failed=1
RACE_SECONDS=60 OPENPMON_PARALLEL=1 "$(dirname "$0")/../hang/hotplug.sh" ||
	failed=1
exit $failed
