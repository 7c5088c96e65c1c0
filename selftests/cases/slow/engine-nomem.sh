#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Memory runs out while a module is loaded: at one allocation of each try, all
# along the way. It loads without what could not be had, or is refused; it says
# which; it can be unloaded, leaves nothing behind, and loads well afterwards.
# kernels: sanitizer
# coverage: yes
. "$(dirname "$0")/../lib/tap.sh"

# Little of each, so that there are few allocations.
small=$(plr_lean)
/usr/bin/python3 - "$small" <<'PY'
import json, sys
with open(sys.argv[1]) as f:
    m = json.load(f)
units = m["packages"][0]["discovery"]["units"]
m["packages"][0]["discovery"]["units"] = [
    {**u, "count": 1} for u in units if u["type"] in (0, 6)]
with open(sys.argv[1], "w") as f:
    json.dump(m, f)
PY
cxl=$(machine cxl-1s '
for c in m["cxl"][0]["cpmu"]:
    c["capabilities"] = [g for g in c["capabilities"] if g["group"] == 0]')

cat >"$TMP/nomem.sh" <<'S'
FAILSLAB=/sys/kernel/debug/failslab
echo N >$FAILSLAB/ignore-gfp-wait
echo 0 >$FAILSLAB/verbose
cat /dev/kmsg >/root/log &
kmsg=$!

# without MODULE STEP PARAMETERS FILES: each STEP-th allocation of it fails, of those
# that a module does not make that is off: the kernel's own, for its tracepoint for
# one, it warns about. FILES are in sysfs while it is loaded.
without() {
	file=$(modinfo -n "$1")
	# What a kernel that counts lines makes of a module that it does not know
	/root/memory "$file" 1 1000000 mode=off >/dev/null
	first=$(/root/memory "$file" 1 1000000 mode=off | sed 's/.* //')
	out=$(/root/memory "$file" "$2" $((first - 5)) "$3" 2>&1)
	like "$out" "^$1: loaded [0-9]+ refused [0-9]+ of [1-9]" \
		"$1: without one of its allocations each time"
	note "$first are the kernel's
$out"
	# The last ones: the kernel has attached devices, and goes on to register the driver.
	like "$(/root/memory "$file" 1 $((${out##* of } - 40)) "$3" 2>&1)" \
		"^$1: loaded [0-9]+ refused [0-9]+ of [1-9]" "$1: without one of the last"
	# ENODEV of a machine of which nothing could be shown, EINVAL of the kernel
	# for a driver that has no directory
	is "$(echo "$out" | grep '^error ' | grep -vE '^error (19|22) ')" '' \
		"$1: refused for want of memory and nothing else"
	is "$(ls -d $4 2>/dev/null)" '' "$1: and nothing is left of it"
	runs "$1: loads well afterwards" insmod "$file" $3
}

# said MESSAGE: by one of these
said() {
	like "$(grep -E -m 1 -- "$1" /root/log)" "$1" "said: $1"
}
S

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$small" --drivers none --timeout 900 \
		--program memory --copy "$TMP/nomem.sh" <<-'S'
	. /lib/test/plr.sh
	. /root/nomem.sh

	plr_kernel
	modprobe pmon
	without pmon_uncore 17 "" "$PMUS/uncore_* $PMON/pkg*-uncore*"

	# The device comes back while no work of the kernel gets memory.
	device=$(readlink -f $PMON/pkg0-uncore0/device)
	echo 1 >$device/remove
	for task in /proc/[0-9]*; do
		case $(cat $task/comm 2>/dev/null) in
		kworker/*) echo 1 >$task/make-it-fail ;;
		esac
	done
	echo Y >$FAILSLAB/task-filter
	echo -1 >$FAILSLAB/times
	echo 100 >$FAILSLAB/probability
	echo 1 >/sys/bus/pci/rescan
	becomes 'messages "a device that was added is not used"'
	echo 0 >$FAILSLAB/probability
	echo 1 >$device/remove
	echo 1 >/sys/bus/pci/rescan
	becomes "[ -e $PMON/pkg0-uncore0 ]"
	runs 'once there is memory it is used' ls $PMON/pkg0-uncore0

	without pmon_plr 5 "" "$PMUS/plr $PMON/pkg*-[td]*"
	said 'uncore_\w+ cannot be registered: error -12'
	said 'unit type [06] id 0 cannot be served: error -12'
	said 'package 0: discovery table of .* cannot be shown in sysfs, it is not used'
	said 'a device that was added is not used: error -12'
	said 'pmon_plr: cannot start: error -12, doing nothing'
	said 'no link from cpu[0-9]'
	said 'PLR instance 0: not shown: error -12'
	unlike "$(grep -m 1 'units left to' /root/log)" 'units left to' 'and nothing is left to a driver that is not there'
	kill $kmsg
	counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ >/tmp/counts
	like "$(cat /tmp/counts)" '^0 [1-9]' 'and counts'
	runs 'unloading' rmmod pmon_plr pmon_uncore pmon
	S
	in_vm "$k r2pcie" --kernel "$k" --machine ivt-2s --drivers none \
		--timeout 900 --program memory --copy "$TMP/nomem.sh" <<-'S'
	. /lib/test/r2pcie.sh
	. /root/nomem.sh

	modprobe pmon
	without pmon_r2pcie 7 r2pcie=Y "$PMUS/uncore_*"
	said 'uncore_r2pcie cannot be registered: error -12'
	said 'pmon_r2pcie: not served: error -12'
	kill $kmsg
	runs 'unloading' rmmod pmon_r2pcie pmon
	S
	# What pmon_cxl does when a device is bound is done by a thread of the
	# kernel: whichever it is has one allocation less.
	in_vm "$k cxl" --kernel "$k" --machine "$cxl" --drivers none \
		--timeout 900 --copy "$TMP/nomem.sh" <<-'S'
	. /lib/test/cxl.sh
	. /root/nomem.sh
	DEV=0000:c1:00.0 DRIVER=/sys/bus/pci/drivers/cxl_pci

	# threads_lack N: their Nth allocation from now on; 0: none
	threads_lack() {
		for task in /proc/[0-9]*; do
			read -r name <$task/comm && case $name in
			kworker/*) echo "$1" >$task/fail-nth ;;
			esac
		done 2>/dev/null
	}
	served() { [ -e $PMUS/cxl_pmu_mem0.0/type ] && [ -e $PMUS/cxl_pmu_mem0.1/type ]; }
	# settles: they are served, or it was said that one is not
	settles() {
		tries=60
		while [ $tries -gt 0 ] && ! served &&
			! tail -n +$seen /root/log | grep -q 'pmon_cxl.*error -12'; do
			tries=$((tries - 1))
			sleep 0.05
		done
		[ $tries -gt 0 ]
	}
	# Near no node cxl_pci is bound by the shell, else by such a thread.
	echo -1 >/sys/bus/pci/devices/$DEV/numa_node
	modprobe cxl_pci
	modprobe pmon_cxl
	part='0000:c1:00.0: pmon_cxl: not all of its CPMUs are served: error -12'
	one='cxl_pmu_mem0.[01] cannot be served: error -12'
	late='cxl_pmu_mem0.[01] cannot be registered: error -12'
	silent=
	for n in $(seq 1 2 60) $(seq 70 12 400) $(seq 2 2 60); do
		echo $DEV >$DRIVER/unbind
		seen=$(($(wc -l </root/log) + 1))
		threads_lack $n
		echo $DEV >$DRIVER/bind
		settles || silent="$silent $n"
		threads_lack 0
		grep -q "$part" /root/log && grep -q "$one" /root/log &&
			grep -q "$late" /root/log && break
	done
	is "$silent" '' 'each time it is served, or it says that it is not'
	note "the last try was without allocation $n"
	said "$part"
	said "$one"
	said "$late"
	echo $DEV >$DRIVER/unbind
	echo $DEV >$DRIVER/bind
	settles
	like "$(count cxl_pmu_mem0.1/clock_ticks/ sleep 0.1)" '^[1-9]' 'with memory it counts'
	kill $kmsg
	runs 'unloading' rmmod pmon_cxl pmon
	S
done
finish
