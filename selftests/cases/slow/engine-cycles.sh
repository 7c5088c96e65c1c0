#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cycles of ../engine/cycles.sh many times: 60 of each kind, 6 on the
# sanitizer kernel, where one takes ten times as long. And some with CPUs that
# really run at the same time, which takes a multiple of the time.
# all kernels: 6.1 sanitizer
# check: none
failed=0
for k in ${KERNELS:-6.1 6.12}; do
	case $k in
	sanitizer) many=6 few=2 ;;
	*) many=60 few=5 ;;
	esac
	KERNELS=$k CYCLES=${CYCLES:-$many} \
		"$(dirname "$0")/../engine/cycles.sh" || failed=1
	KERNELS=$k CYCLES=$few OPENPMON_PARALLEL=1 \
		"$(dirname "$0")/../engine/cycles.sh" || failed=1
done
exit $failed
