#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.1 6.12
# kernels: 6.12
# coverage: no, a big-endian kernel
# Counters of Victoria Falls machines, on a big-endian kernel with a fake hypervisor:
# perf_event_open()'s counts are the hardware's, with wraps, changes of one event of a
# pair and selects that another guest writes.
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/sparc64.sh"

for k in $KERNELS; do
	on_sparc64 "$k" counts live disturbed
done
finish
