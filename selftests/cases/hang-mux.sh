#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# perf_event_mux_interval_ms is written, which starts a timer on every CPU at
# once, and the driver is unloaded: no timer is left in what perf has freed.
# What the kernel's own driver does there is shown beside.
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/machine.sh"
. "$(dirname "$0")/lib/hang-host.sh"

# Memory is freed and used again before the timers are due.
cat >"$TMP/mux.sh" <<'S'
mux() { # MODULE...
	for pmu in /sys/bus/event_source/devices/uncore_* \
		/sys/bus/event_source/devices/plr; do
		[ ! -e $pmu/perf_event_mux_interval_ms ] ||
			echo 3000 >$pmu/perf_event_mux_interval_ms
	done
	rmmod "$@" || return
	for n in 1 2 3; do
		modprobe -a "$@" && rmmod "$@" || return
	done
	modprobe -a "$@" && sleep 4
}
S

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$(plr_lean)" \
		--copy "$TMP/mux.sh" <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh
	. /root/mux.sh
	is "$(cat $PMUS/uncore_imc_0/perf_event_mux_interval_ms)" 4 \
		'there is an interval'
	runs 'written, unloaded, loaded' mux pmon_plr pmon_uncore
	hw truth reset
	counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ >/tmp/counts
	agree 0/6/0 "$(awk '{ print $2 }' /tmp/counts)" 0xcf05 \
		'alive, and counts are exact'
	finish
	S

	as_peer "$k: intel_uncore in the same place" --kernel "$k" \
		--machine gnr-lean --timeout 40 --copy "$TMP/mux.sh" <<-'S'
	. /root/mux.sh
	modprobe intel_uncore
	mux intel_uncore && echo alive
	S
	# Timers that lead nowhere: a panic, or no timer works any more, unless
	# the memory happens to be as it was. So this is shown and not held.
	[ "$peer_status" = 0 ] ||
		note "$(grep -m 1 -E 'BUG|Oops|general protection' \
			"$TMP/console" || echo 'it says nothing, and stands still')"
done
finish
