#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The CPU that serves a package changes while events are opened: the isolated
# one that had to gives way to one with housekeeping to do as soon as that comes
# online, and takes over again when it goes. perf asks where an event belongs
# before it installs it, so some are installed on the CPU that served before.
# They follow, and none is lost when that CPU goes.
# kernels: 6.1 6.12 7.2
# check: 6.1
# SERVES_ROUNDS: how often
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/hang-host.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --drivers ours \
		--append isolcpus=8 --copy "$ATTACKS/serves" \
		--copy "$ATTACKS/hold" <<SCRIPT
rounds=${SERVES_ROUNDS:-20}
$(cat <<'BODY'
. /lib/test/guest.sh
. /lib/test/uncore.sh
. /lib/test/engine.sh

for c in $(cpus_of 1); do
	case $c in 8 | 9) ;; *) cpu $c 0 ;; esac
done
is "$(collector uncore_imc_0 1)" 9 'a housekeeping CPU serves the package'
cpu 9 0
is "$(collector uncore_imc_0 1)" 8 'and where there is none, an isolated one'

runs 'no event is lost' /root/serves $rounds 8 9 8 \
	uncore_imc_0 uncore_cha_0 uncore_upi_0
note "$tap_out"
is "$(collector uncore_imc_0 1)" 8 'as before'
runs 'the driver goes' rmmod pmon_uncore
finish
BODY
)
SCRIPT
done
finish
