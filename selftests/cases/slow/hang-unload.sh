#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# hang-unload many times, and on CPUs that really run at the same time. Not with
# the sanitizers: four CPUs of theirs on two leave rmmod behind for minutes, that
# of intel_uncore, too, while others open events.
# kernels: 6.1 6.12 7.2
# all kernels: 6.1 6.12 7.2 6.1-rt 6.12-rt
failed=0
RACE_ROUNDS=40 "$(dirname "$0")/../hang-unload.sh" || failed=1
RACE_ROUNDS=20 OPENPMON_PARALLEL=1 "$(dirname "$0")/../hang-unload.sh" ||
	failed=1
exit $failed
