#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.12
# As uncore/metrics.sh, for the other platforms that perf has metrics for.
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/metrics-host.sh"

for k in $KERNELS; do
	metrics_of "$k" emr 45
	metrics_of "$k" srf 22
	metrics_of "$k" grr 9
done
finish
