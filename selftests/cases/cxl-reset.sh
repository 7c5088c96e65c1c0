#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A CXL memory device is reset under events that count: what it counted since it was
# last looked at is lost and nothing else, no garbage is added, and after the next
# look they count exactly again, which the log says.
# kernels: 6.1 6.12
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/machine.sh"

gcc -O2 -Wall -Wextra -Werror -static -o "$TMP/cxlmem" "$CASES/lib/cxlmem.c"
# Counters of 32 bits without an interrupt are looked at twice a second.
narrow=$(machine cxl-1s '
for cpmu in m["cxl"][0]["cpmu"]:
    cpmu.update(width=32, interrupt=False)')
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$narrow" --drivers none \
		--copy "$TMP/cxlmem" <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/cxl.sh
cd /root
A=cxl_pmu_mem0.0
DEV=/sys/bus/pci/devices/0000:c1:00.0
modprobe cxl_pci
modprobe pmon_cxl
note "resets that the kernel knows: $(cat $DEV/reset_method 2>/dev/null)"

perf stat -x'|' -I 1500 -a -e $A/m2s_req_memrd/ -o held -- sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 100 8"; sleep 1
	[ ! -e '$DEV'/reset ] || echo 1 >'$DEV'/reset
	hw cpmu 0.0 reset; sleep 2
	traffic "0 r 8 70 8"; sleep 0.2'
is "$(awk -F'|' 'NF > 3 { sum += $2 } END { print sum }' held)" 170 \
	'a hundred before the reset, seventy after it'
like "$(dmesg | grep pmon:)" "$A" 'the log says that the device was changed'
hw truth reset
count $A/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh; traffic "0 r 8 25 8"' >got
is "$(cut -d' ' -f1 got)" 25 'new events count'
is "$(hw illegal)" '' 'nothing that hardware forbids'
runs 'it unloads' rmmod pmon_cxl
finish
SCRIPT
done
finish
