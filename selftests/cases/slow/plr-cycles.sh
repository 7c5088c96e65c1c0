#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# plr-cycles a hundred times; on the sanitizer kernel, where a cycle takes ten
# times as long, five.
# all kernels: newest sanitizer
many=100
[ "${KERNELS-}" != sanitizer ] || many=5
PLR_CYCLES=$many PLR_LIMIT=12000 exec "$(dirname "$0")/../plr/cycles.sh"
