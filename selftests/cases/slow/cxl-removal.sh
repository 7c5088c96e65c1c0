#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cycles of ../cxl-removal.sh a thousand times.
# kernels: 6.1 6.12 7.2 sanitizer
failed=0
for k in ${KERNELS:-6.1 6.12 7.2}; do
	KERNELS=$k CYCLES=${CYCLES:-1000} LIMIT=${LIMIT:-3600} \
		"$(dirname "$0")/../cxl-removal.sh" || failed=1
done
exit $failed
