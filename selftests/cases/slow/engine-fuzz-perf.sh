#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run engine/fuzz-perf.sh for three minutes with new seeds each day, and for one more
# minute on CPUs that really run at the same time.
# all kernels: newest 6.12-rt
# check: none
failed=0
day=$(date +%Y%j)
for k in ${KERNELS:-6.1 6.12}; do
	export KERNELS=$k
	for n in 1 2 3; do
		FUZZ_SEED=${FUZZ_SEED:-$day$n} FUZZ_SECONDS=${FUZZ_SECONDS:-60} \
			"$(dirname "$0")/../engine/fuzz-perf.sh" || failed=1
	done
	FUZZ_SEED=${FUZZ_SEED:-${day}4} FUZZ_SECONDS=${FUZZ_SECONDS:-60} \
		OPENPMON_PARALLEL=1 "$(dirname "$0")/../engine/fuzz-perf.sh" || failed=1
done
exit $failed
