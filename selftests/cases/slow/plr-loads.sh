#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The module is loaded and unloaded, the functions' driver unbound and bound, and a
# whole package goes offline and returns, a thousand times each and all at the same
# time, under people who read, clear, trace and count. Nothing is left in the end, and
# kernels that look for it find neither a race nor a leak.
# PLR_LOADS: how many.
# all kernels: newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/machine.sh"

# A core per package, so that a package is a CPU.
small=$(machine gnr-2s 'm["cpu"].update(cores=1, threads=1)
for p in m["packages"]:
    p["tpmi"]["plr"] = [{"instance": 0, "modules": 1, "mesh": 1}]')
each_vm --machine "$small" --drivers none --timeout 10000 \
	--program race <<SCRIPT
loads=${PLR_LOADS:-1000}
$(cat <<'BODY'
. /lib/test/plr.sh
. /lib/test/hang.sh
plr_load
vsec=/sys/bus/pci/drivers/intel_vsec
functions=$(ls $vsec | grep ^0000: | paste -sd ,)
# It gets the lowest number that is free, so the same one each time.
type=$(cat /sys/bus/event_source/devices/plr/type)
tracepoint=/sys/kernel/tracing/events/pmon/plr_reasons/enable

# again COMMAND: once a second, until the end, by a shell that starts nothing
# else: processes are what takes long in a kernel with checks.
again() {
	bash -c "shopt -s nullglob
		until [ -e /root/stop ]; do
			$1
			read -t 1
		done <>/root/pause" 2>/dev/null &
}
mkfifo /root/pause
again "for f in $PMON/pkg*-dom*/plr/*/{reasons,time_in_reason} $CPUS/cpu*/plr/active; do read <\$f; done"
again "for f in $PMON/pkg*-dom*/plr/*/clear; do echo all >\$f; done"
again "echo 1 >$tracepoint; read -t 1; echo 0 >$tracepoint"

hw plr 0/0/0 0x4
rmmod pmon_plr
# Events and the tracepoint keep the module for a moment.
goes_on "$loads times" -e -n $loads -t 9000 -s 300 \
	run='modprobe pmon_plr interval_ms=100 && until rmmod pmon_plr; do :; done 2>/dev/null' \
	bind=$vsec,$functions cpu=1 open=$type:1-4:cpu
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
finish
