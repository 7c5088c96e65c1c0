#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.1 6.12
# kernels: 6.12
# coverage: no, a big-endian kernel
# Test counters of Victoria Falls machines on a big-endian kernel with a fake hypervisor.
# Expect the hardware's counts from perf_event_open(), also after wraps, after a change of
# one event of a pair, and after another guest writes event selects.
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/sparc64.sh"

for k in $KERNELS; do
	on_sparc64 "$k" counts live disturbed
done
finish
