#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.1 6.12
# As uncore-metrics.sh, for the other platforms that perf has metrics for.
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/metrics-host.sh"

for k in $KERNELS; do
	metrics_of "$k" emr emeraldrapids/emr 45 43
	metrics_of "$k" srf sierraforest/srf 22 20
	metrics_of "$k" grr grandridge/grr 9 7
done
finish
