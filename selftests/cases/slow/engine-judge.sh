#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run engine/judge.sh for twenty minutes, on three machines, with three processes that have
# events and new seeds each day.
# kernels: 6.1 6.12 newest
# all kernels: 6.1 6.12 newest
# check: none
export JUDGE_SECONDS=${JUDGE_SECONDS:-400} JUDGE_ROUNDS=100000
export JUDGE_WORKERS=${JUDGE_WORKERS:-3}
export JUDGE_SEED=${JUDGE_SEED:-$(date +%Y%j)}
failed=0
for JUDGE_MACHINE in gnr gnr48 spr; do
	export JUDGE_MACHINE
	"$(dirname "$0")/../engine/judge.sh" || failed=1
done
exit $failed
