#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cycles of ../engine/cycles.sh many times: 60 of each kind, 6 on the
# sanitizer kernel, where one takes ten times as long. And some with CPUs that
# really run at the same time, which takes a multiple of the time; real-time kernels
# and KCSAN have CPUs that go, with others, alone.
# all kernels: 6.1 sanitizer 6.12-rt
# races: yes
# check: none
failed=0
for k in ${KERNELS:-6.1 6.12}; do
	case $k in
	sanitizer) many=6 few=2 only="" ;;
	*-rt | kcsan) many="" few=5 only=cpu ;;
	*) many=60 few=5 only="" ;;
	esac
	[ -z "$many" ] || KERNELS=$k CYCLES=${CYCLES:-$many} \
		"$(dirname "$0")/../engine/cycles.sh" || failed=1
	KERNELS=$k CYCLES=$few CYCLES_ONLY=$only OPENPMON_PARALLEL=1 \
		"$(dirname "$0")/../engine/cycles.sh" || failed=1
done
exit $failed
