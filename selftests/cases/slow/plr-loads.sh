#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The module is loaded and unloaded a thousand times under people who read, clear, trace
# and count. In each of these lives the function's driver is unbound and bound, and a
# whole package goes offline and returns. Nothing is left in the end, and kernels that
# look for it find neither a race nor a leak.
# PLR_LOADS: how many.
# all kernels: sanitizer 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/machine.sh"

small=$(machine gnr-2s 'm["cpu"].update(cores=2, threads=1)
for p in m["packages"]:
    p["tpmi"]["plr"] = [{"instance": i, "modules": 1, "mesh": 1} for i in (0, 1)]')
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$small" --drivers none --timeout 10000 <<SCRIPT
loads=${PLR_LOADS:-1000}
$(cat <<'BODY'
. /lib/test/guest.sh
. /lib/test/plr.sh
plr_kernel
vsec=/sys/bus/pci/drivers/intel_vsec
functions=$(ls $vsec | grep ^0000:)
# The package of the last CPU, unless that is the only one.
last=$(ls -d $CPUS/cpu[0-9]*/topology | sort -V | tail -n 1)
package=$(cat $last/physical_package_id)
members=$(grep -lx "$package" $CPUS/cpu[1-9]*/topology/physical_package_id | cut -d/ -f6)

# each COMMAND...: again and again, until the end, with a pause that leaves CPUs to
# the rest
each() {
	while [ ! -e /root/stop ]; do
		"$@"
		usleep 50000
	done >/dev/null 2>&1 &
}
readers() { cat $PMON/pkg*-dom*/plr/*/reasons $PMON/pkg*-dom*/plr/*/time_in_reason $CPUS/cpu*/plr/active; }
clearers() { for f in $PMON/pkg*-dom*/plr/*/clear; do echo all >$f; done; }
counters() { perf stat -a -e plr/power/,plr/observed/ -- usleep 20000; }
tracers() {
	echo 1 >/sys/kernel/tracing/events/pmon/plr_reasons/enable
	usleep 20000
	echo 0 >/sys/kernel/tracing/events/pmon/plr_reasons/enable
}
each readers
each clearers
each counters
each tracers

started=$(cut -d. -f1 /proc/uptime)
for n in $(seq $loads); do
	modprobe pmon_plr interval_ms=10 || break
	hw plr 0/0/0 0x4
	for f in $functions; do echo $f >$vsec/unbind; done
	for c in $members; do echo 0 >$CPUS/$c/online; done
	for f in $functions; do echo $f >$vsec/bind; done
	for c in $members; do echo 1 >$CPUS/$c/online; done
	# Events and the tracepoint keep it for a moment.
	until rmmod pmon_plr; do usleep 1000; done 2>/dev/null
done
note "$(($(cut -d. -f1 /proc/uptime) - started)) s, $(echo $members | wc -w) CPUs of package $package"
is "$n $(lsmod | grep -c pmon_plr)" "$loads 0" "$loads times loaded and unloaded"
: >/root/stop
wait
plr_load
is "$(cat $PMON/pkg*-dom*/plr/core*/cpus | grep -c .)" "$(ls -d $CPUS/cpu*/plr | xargs -n 1 realpath | sort -u | wc -l)" \
	"each module has its CPUs"
runs "and can be read" cat $PMON/pkg0-dom0/plr/core0/reasons
plr_unload
finish
BODY
)
SCRIPT
done
finish
