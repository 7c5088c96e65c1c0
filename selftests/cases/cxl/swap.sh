#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# contract: pulled
# Two different CXL devices change places under open events, as cxl_pci is unbound and bound in the
# other order. While the events are open their PMUs stay, and log, doctor and list say that the
# devices wait; within a second after the last close each has a PMU of its own. The exporter closes
# the events by itself. CPMUs that are rejected, or beyond their BAR, are a problem with a reason.
# kernels: 6.1 6.12 newest
# all kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# The second device has other capabilities; of the third, one of two CPMUs has counters of 20 bits.
swap=$(machine cxl-1s '
own = [{"group": 0, "mask": 1}, {"group": "0x20", "mask": 2}, {"group": "0x21", "mask": 2},
       {"group": "0x25", "mask": 1}]
m["cxl"][0]["cpmu"] = m["cxl"][0]["cpmu"][:1]
m["cxl"].append({"cpmu": [dict(counters=4, filters=0, capabilities=own)]})
m["cxl"].append({"cpmu": [dict(counters=5, filters=0, capabilities=own),
                          dict(counters=5, filters=0, width=20, capabilities=own)]})')
each_vm --machine "$swap" --drivers none <<'SCRIPT'
DRIVER=/sys/bus/pci/drivers/cxl_pci
modprobe cxl_pci
mems() {
	[ "$(ls -d /sys/bus/cxl/devices/mem* | wc -l)" = 3 ]
}
becomes mems
modprobe pmon_cxl
# mem FUNCTION: print the name of its memory device. cxl_pci numbers devices in any order.
mem() {
	basename /sys/bus/pci/devices/0000:$1:00.0/mem*
}
# The device with the lower number of the first two, and the other.
set -- $(printf '%s\n' "$(mem c1)" "$(mem c5)" | sort)
M=$1 N=$2 BAD=cxl_pmu_$(mem c9).1
A=cxl_pmu_$M.0 B=cxl_pmu_$N.0
there() {
	[ -e $PMUS/$A ] && [ -e $PMUS/$B ]
}
runs 'both devices have PMUs' becomes there
serials() {
	echo "$(cat $PMUS/$A/serial) $(cat $PMUS/$B/serial)"
}
at() {
	basename "$(dirname "$(readlink -f /sys/bus/cxl/devices/$1)")"
}
# swap: bind the two devices in the other order, so that each has the other's number
swap() {
	swap_0=$(at $M) swap_1=$(at $N)
	echo $swap_0 >$DRIVER/unbind
	echo $swap_1 >$DRIVER/unbind
	echo $swap_1 >$DRIVER/bind
	echo $swap_0 >$DRIVER/bind
	sleep 0.5
}
# swapped: test for PMUs with the serial numbers of the devices
swapped() {
	there && [ "$(serials)" = "$(cat /sys/bus/cxl/devices/$M/serial) $(cat /sys/bus/cxl/devices/$N/serial)" ] &&
		[ -e $PMUS/$A/device ] && [ -e $PMUS/$B/device ]
}

# ---- a CPMU with counters of 20 bits
like "$(cat /sys/class/pmon/cxl/unserved)" \
	"^$BAD 0000:c9:00.0 rejected capability 0x[0-9a-f]* has counters that wrap" \
	'unserved has the rejected CPMU with the reason'
is "$(wc -l </sys/class/pmon/cxl/unserved)" 1 'unserved has no CPMU that is served'
like "$(pmonctl doctor)" "problem +0000:c9:00.0 +$BAD rejected: capability" \
	'doctor has the rejected CPMU as a problem'
like "$(pmonctl list)" "0000:c9:00.0 .* nobody +$BAD rejected: capability" \
	'list has the rejected CPMU with the reason'

# ---- events open
before=$(serials)
mkfifo hold
perf stat -x'|' -a -o held -e $A/m2s_req_memrd/,$A/clock_ticks/,$B/m2s_req_memrd/ -- cat hold &
perf=$!
exec 9>hold
sleep 0.5
swap
is "$(serials)" "$before" 'PMUs with open events keep the serial number of their device'
is "$(readlink $PMUS/$A/device)" '' 'a PMU with open events has no link to the new device'
is "$(sed -n 's/ 0000:[^ ]*//p' /sys/class/pmon/cxl/unserved | grep waits)" "$A waits 2
$B waits 1" 'unserved has the number of events for which a device waits'
is "$(dmesg | grep -c 'cxl_pmu_mem[0-2].0 waits for events of the device that had its name, close them')" 2 \
	'the log has one line for each device that waits'
like "$(pmonctl doctor)" "$A waits for 2 events of the device with serial ${before%% *}; close them" \
	'doctor has the events for which a device waits'
like "$(pmonctl list)" "$M .* nobody +$A waits for 2 events of the device with serial" \
	'list shows no PMU of another device'
exec 9>&-
wait $perf
closed=$(cut -d' ' -f1 /proc/uptime)
runs 'each device has a PMU of its own after the last close' becomes swapped
opened=$(cut -d' ' -f1 /proc/uptime)
like "$(awk -v a="$closed" -v b="$opened" 'BEGIN { print b - a < 2.5 ? "soon" : b - a }')" soon \
	'the PMU is there soon after the last close'
is "$(cxl_count "$A/clock_ticks/" sleep 0.1 | awk '{ print ($1 > 0) }')" 1 'the new PMU counts'
is "$(grep -c waits /sys/class/pmon/cxl/unserved)" 0 'no device waits after the close'

# ---- an exporter
pmonctl metrics --file /root/m.prom -i 2 2>/dev/null &
exporter=$!
until [ -e m.prom ]; do sleep 0.2; done
swap
runs 'each device has a PMU of its own while the exporter runs' becomes swapped
rm -f m.prom
until [ -e m.prom ]; do sleep 0.2; done
rm -f m.prom
until [ -e m.prom ]; do sleep 0.2; done
is "$(grep -c "^openpmon_cxl_read_bytes_total{pmu=.\($A\|$B\)\"" m.prom)" 2 \
	'the exporter counts both devices again'
kill $exporter
wait $exporter
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids'
runs 'pmon_cxl unloads' rmmod pmon_cxl
SCRIPT
finish
