#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Unbind and bind the PCI functions' driver while processes read, clear, poll, trace and
# count: counts go on and files work. Then do so ten times as often, while pmon_plr is also
# loaded and unloaded and a package goes offline and online. Nothing is left at the end,
# and kernels with checkers find no race and no leak.
# PLR_CYCLES: number of cycles, in place of the kernel's default.
# all kernels: 6.12 newest sanitizer
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# Give each package one CPU, so cpu=1 below is a whole package.
small=$(machine gnr-2s 'm["cpu"].update(cores=1, threads=1)
for p in m["packages"]:
    p["tpmi"]["plr"] = [{"instance": 0, "modules": 1, "mesh": 1}]')
for k in $KERNELS; do
case $k in newest) many=100 ;; sanitizer) many=5 ;; *) many=10 ;; esac
in_vm "$k" --kernel "$k" --machine "$small" --drivers none --timeout 12000 \
	--program race --program await <<SCRIPT
cycles=${PLR_CYCLES:-$many}
$(cat <<'BODY'
. /lib/test/hang.sh
plr_load
core=$PMON/pkg0-dom0/plr/core0
vsec=/sys/bus/pci/drivers/intel_vsec
functions=$(ls $vsec | grep ^0000: | paste -sd ,)
# The PMU gets the lowest free type number, the same at each load.
type=$(cat /sys/bus/event_source/devices/plr/type)
tracepoint=/sys/kernel/tracing/events/pmon/plr_reasons/enable

# again COMMAND: run a command once a second until /root/stop exists, in one shell, because
# processes are slow to start in a kernel with checkers.
again() {
	bash -c "shopt -s nullglob
		until [ -e /root/stop ]; do
			$1
			read -t 1
		done <>/root/pause" 2>/dev/null &
}
mkfifo /root/pause /root/end
again "for f in $PMON/pkg*-dom*/plr/*/{reasons,time_in_reason} $CPUS/cpu*/plr/{active,raw}; do read <\$f; done"
again "for f in $PMON/pkg*-dom*/plr/*/clear; do echo all >\$f; done"
again "echo 1 >$tracepoint; read -t 1; echo 0 >$tracepoint"

# ---- bind and unbind, with open events and with readers that wait for the mailbox
echo 10 >$PMON/pkg0-dom0/plr/interval_ms
perf stat -x, -a -I 50 -e plr/power/,plr/observed/ -o /root/stat -- cat /root/end &
until grep -q observed /root/stat; do sleep 0.1; done
hang_goes_on \
	"the function is bound and unbound $cycles times under readers and events" -e -n $cycles -t 3000 -s 300 bind=$vsec,$functions \
	run='hw plr 0/0/0 0x4; hw mailbox 0/0 slow 300000; hw mailbox 0/0 slow 0' \
	run="/root/await $core/active 100 3 >/dev/null 2>&1 || :"
plr_attached
lines=$(wc -l </root/stat)
runs \
	'an open event counts on after binds and unbinds' becomes "tail -n +$((lines + 1)) /root/stat | grep -q '^[^,]*,[1-9][0-9.]*,ms,plr/observed/'"
: >/root/end
wait $!

# ---- unload and load, too; repeat rmmod while events or the tracepoint hold the module
rmmod pmon_plr
hang_goes_on \
	"the module is loaded and unloaded $((10 * cycles)) times under binds and hotplug" -e -n $((10 * cycles)) -t 9000 -s 300 \
	run='modprobe pmon_plr interval_ms=100 && until rmmod pmon_plr; do :; done 2>/dev/null' \
	bind=$vsec,$functions cpu=1 open=$type:1-4:cpu
: >/root/stop
wait
plr_load
is "$(cat $PMON/pkg*-dom*/plr/core*/cpus | grep -c .)" "$(ls -d $CPUS/cpu*/plr | xargs -n 1 realpath | sort -u | wc -l)" \
	"each module has its CPUs after all cycles"
for d in $PMON/pkg*-dom*; do
	echo all >$d/plr/core0/clear
done
hw plr 0/0/0 =0x4
is "$(cat $core/reasons) $(cat $PMON/pkg1-dom0/plr/core0/reasons)" 'POWER none' \
	'reasons of both packages are right after all cycles'
plr_stat /root/stat 0.3 -a -e plr/observed/
like "$(cat /root/stat)" '^[1-9][0-9.]*,ms,plr/observed/' 'perf counts observed time after all cycles'
plr_unload
BODY
)
SCRIPT
done
finish
