#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cycles of ../cxl-removal.sh a thousand times, two hundred on the sanitizer
# kernel, where one takes ten times as long.
# kernels: 6.1 6.12 sanitizer
failed=0
for k in ${KERNELS:-6.1 6.12}; do
	case $k in
	sanitizer) many=200 ;;
	*) many=1000 ;;
	esac
	KERNELS=$k CYCLES=${CYCLES:-$many} LIMIT=${LIMIT:-3600} \
		"$(dirname "$0")/../cxl-removal.sh" || failed=1
done
exit $failed
