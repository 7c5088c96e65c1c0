#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.12
# kernels: 6.12
# perf's metrics that are made of uncore events, 45 on Sapphire Rapids: each is
# computed; what perf prints is what its formula gives for the counts that perf
# prints, and these are what the hardware counted. Two need the instructions of
# the cores as well. The other platforms: slow/uncore-metrics-all.sh.
# check: none
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/metrics-host.sh"

for k in $KERNELS; do
	metrics_of "$k" spr 45
done
finish
