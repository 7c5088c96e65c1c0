#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.12
# Run tools/replay.sh (hosts' dumps) with more servers, but no hostile ones, whose dumps
# make other machines: of registers outside the drivers a dump has only single words.
MACHINES='spr-2s spr-hbm spr-8s gnr-partitions srf-1s grr-1s emr-lean gnr-snc spr-mcc cwf-lean gnr-d-lean dmr-2s ptl-1s ivt-2s'
. "$(dirname "${BASH_SOURCE[0]}")/../tools/replay.sh"
