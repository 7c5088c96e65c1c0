#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.12
# Run tools/replay.sh, which boots dumps of servers, with more servers. Leave out hostile
# ones: a dump has few registers that no driver uses, so theirs would make other machines.
MACHINES='spr-2s spr-hbm spr-8s gnr-partitions srf-1s grr-1s emr-lean gnr-snc spr-mcc cwf-lean gnr-d-lean dmr-2s ptl-1s ivt-2s'
. "$(dirname "${BASH_SOURCE[0]}")/../tools/replay.sh"
