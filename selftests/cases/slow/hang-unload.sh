#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run hang/unload.sh with many rounds, also on CPUs that really run at the same time. Only
# 6.1 holds the lock that causes this hang.
# kernels: 6.1
failed=0
RACE_ROUNDS=40 "$(dirname "$0")/../hang/unload.sh" || failed=1
# Openers of events keep parallel CPUs busy, so a round takes minutes.
RACE_ROUNDS=20 RACE_SECONDS=600 OPENPMON_PARALLEL=1 \
	"$(dirname "$0")/../hang/unload.sh" || failed=1
exit $failed
