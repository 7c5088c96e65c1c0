#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# plr-cycles hundreds of times; on the sanitizer kernel, where a cycle takes ten
# times as long, some dozens.
# all kernels: newest sanitizer
many=200
[ "${KERNELS-}" != sanitizer ] || many=40
PLR_CYCLES=$many PLR_LIMIT=3600 exec "$(dirname "$0")/../plr/cycles.sh"
