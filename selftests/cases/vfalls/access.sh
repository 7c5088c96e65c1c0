#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.1 6.12
# kernels: 6.12
# coverage: no, a big-endian kernel
# Test the hypervisor's versions and permissions, on machines of two nodes and in guests
# without access. Test the settings of the L2 cache and of strands, also as the machine
# goes down while settings are in force.
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/sparc64.sh"

for k in $KERNELS; do
	on_sparc64 "$k" versions access holds reboot
done
finish
