#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cycles of ../cxl/removal.sh a thousand times, a hundred on the sanitizer
# kernel, where one takes ten times as long.
# all kernels: 6.12 sanitizer
# kernels: 6.12 newest sanitizer
failed=0
for k in ${KERNELS:-6.12 newest}; do
	many=1000
	[ "$k" != sanitizer ] || many=100
	KERNELS=$k CYCLES=${CYCLES:-$many} LIMIT=${LIMIT:-3600} \
		"$(dirname "$0")/../cxl/removal.sh" || failed=1
done
exit $failed
