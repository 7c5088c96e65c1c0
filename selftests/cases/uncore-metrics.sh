#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.1 6.12
# kernels: 6.12
# perf's metrics that are made of uncore events, 45 on Sapphire Rapids: each is
# computed, and what perf prints is what its formula gives for the counts that
# perf prints. Two of them need the instructions of the cores, which the
# emulator's CPUs do not count. The other platforms: slow/uncore-metrics-all.sh.
. "$(dirname "$0")/lib/tap.sh"
. "$CASES/lib/metrics-host.sh"

for k in $KERNELS; do
	metrics_of "$k" spr sapphirerapids/spr 45 43
done
finish
