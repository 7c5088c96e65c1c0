#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run plr/recovery.sh with many recoveries, fewer on sanitizer.
# all kernels: newest
many=30
[ "${KERNELS-}" != sanitizer ] || many=8
PLR_RECOVERIES=$many exec "$(dirname "$0")/../plr/recovery.sh"
