#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.12
# Run tools/lab/qualify: it prints PASS for a server of each platform and shape, and skips
# questions about missing hardware. gnr-43 has limits and no counters, so the result is
# 77, no such hardware. The event controls of dmr-lean are 4 bytes apart, so the result is
# FAIL without controls=4. --allow-illegal permits intel_vsec_tpmi's accesses of 4 bytes.
. "$(dirname "$0")/../lib/tap.sh"

for machine in ${MACHINES:-spr-1s spr-2s spr-8s spr-full spr-hbm spr-lean spr-mcc spr-nodes \
	emr-full emr-lean gnr-43 gnr-d-1s gnr-d-lean gnr-full gnr-lean gnr-partitions gnr-snc \
	gnr-snc3 srf-1s srf-2s srf-lean grr-1s grr-lean cwf-2s cwf-lean dmr-2s dmr-lean ptl-1s}; do
	in_vm "$machine" --kernel 6.12 --machine "$machine" --timeout 900 \
		--allow-illegal \
		--copy "$ROOT/tools/lab/qualify" <<-'S'
	. /lib/test/uncore.sh
	. /lib/test/qualify.sh
	echo 0 >/proc/sys/kernel/printk
	if [ "$(hw units | wc -l)" = 0 ]; then
		bash /root/qualify /tmp/qualify.json >/tmp/out 2>&1
		is "$? $(tail -n 1 /tmp/out)" '77 qualify: no table; pmonctl doctor shows why' \
			'qualify exits with 77 on a machine without counters'
		is "$(sed -n 's/ .*//p' /proc/modules | grep -c pmon_uncore)" 0 \
			'qualify leaves no module on a machine without counters'
		finish
	fi
	qualify_memory_sees
	if [ "$(hw machine | sed 's/name=\([^ ]*\).*/\1/')" = dmr-lean ]; then
		qualify_runs 'qualify fails question 9 if controls are in another place' '9 FAIL' --writes
		like "$(cat /tmp/out)" 'controls=4' 'qualify names controls=4 if controls are in another place'
		rmmod pmon_uncore
		modprobe pmon_uncore controls=4
	fi
	qualify_runs 'qualify passes with --writes' '' --writes
	is "$(grep -cE '^ *[0-9]+  .*  (PASS|-)  ' /tmp/out)" 11 'qualify answers all 11 questions'
	S
done
finish
