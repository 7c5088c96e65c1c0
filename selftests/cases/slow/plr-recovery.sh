#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# plr-recovery many times.
PLR_RECOVERIES=30 exec "$(dirname "$0")/../plr-recovery.sh"
