#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.12
# A host's dump becomes a machine: more servers than one, and hostile ones.
MACHINES='spr-2s gnr-partitions srf-1s grr-1s emr-lean gnr-snc
	hostile/table-fields hostile/dvsec-vendor hostile/tpmi-version'
. "$(dirname "${BASH_SOURCE[0]}")/../tools-replay.sh"
