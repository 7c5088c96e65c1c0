#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The drivers are unloaded and loaded while others open software events: both make
# progress. On 6.1 perf_pmu_unregister() holds a lock while it waits for openers of
# events. If one of them needs the lock for a software event, no event on the machine
# can be opened or closed again.
# kernels: 6.1 6.12 newest
# check: none
# RACE_ROUNDS: number of rounds, RACE_SECONDS: time limit (slow/hang-unload.sh has
# more).
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$(machine_plr_lean)" \
		${RACE_ROUNDS:+--timeout 3600} --program race <<SCRIPT
rounds=${RACE_ROUNDS:-3} seconds=${RACE_SECONDS:-3000}
$(cat <<'BODY'
. /lib/test/uncore.sh
. /lib/test/hang.sh
ls $PMUS >/tmp/pmus
# the module pmon may stay
hang_goes_on "unloads and loads beside opens go on for $rounds rounds or $seconds s" -n $rounds -t $seconds \
	run='rmmod pmon_plr pmon_uncore && modprobe pmon_uncore && modprobe pmon_plr' \
	open=1:3-9:task open=1:3-9:cpu
is "$(ls $PMUS)" "$(cat /tmp/pmus)" 'all PMUs are registered after the last load'
runs 'software events count after the last load' perf stat -e context-switches -- true
finish
BODY
)
SCRIPT
done
finish
