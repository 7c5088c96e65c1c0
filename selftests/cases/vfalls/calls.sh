#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.1 6.12
# kernels: 6.12
# coverage: no, a big-endian kernel
# Count the hypervisor calls of each operation, and test calls that fail with EWOULDBLOCK
# for a while or for ever.
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/sparc64.sh"

for k in $KERNELS; do
	on_sparc64 "$k" calls blocked
done
finish
