#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions on the Ubox's bus (M2M, UPI, M3UPI) get the right package. Some firmware reports
# no node for that bus, other firmware node 0, although the nodes of I/O buses are right.
# Also test layouts of discovery tables: records three qwords apart, a table in BAR 1, a
# table that is longer than its BAR.
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# ubox NODE: make a machine whose Ubox buses have this node
ubox() {
	machine spr-2s "m['packages'][0]['bus_nodes'] = { '0x7e': $1 }"
}
# table CODE: make a machine with the units of a server, few CPUs, and the table changed
# by CODE
table() {
	machine spr-full "d = m['packages'][0]['discovery']; $1"
}
none=$(ubox None)
first=$(ubox 0)
second=$(ubox 1)
behind=$(table 'd["dvsec"] = { "bir": 1 }; d["stride"] = 8')
longer=$(table 'd["stride"] = 8')

nodes=("$second node 1")
bars='0 1'
if [ -z "$short" ]; then
	nodes+=("$none no node" "$first node 0" "spr-2s numa=off")
else
	bars=0
fi

for m in "${nodes[@]}"; do
	append=${m#*numa=}
	[ "$append" = off ] || append=
	each_vm --as "${m#* }" --machine "${m%% *}" --drivers adopted \
		${append:+--append "numa=$append"} <<-'S'
	note "nodes of the buses: $(cat /sys/bus/pci/devices/*:[67ef][ae8]:0[03].0/numa_node |
		tr '\n' ' ')"
	runs 'the module loads with these bus nodes' modprobe pmon_uncore
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'no unit is rejected with these bus nodes'
	is "$(uncore_all_units 0.1)" "all $(hw units | wc -l)" 'every unit counts for its package with these bus nodes'
	is "$(cat $PMUS/uncore_upi_0/die0 | cut -d, -f2)" die_1 'a UPI link of package 0 leads to package 1'
	S
done
for bar in $bars; do
	m=spr-full
	[ "$bar" = 0 ] || m=$behind
	each_vm --as "records in BAR $bar" --machine "$m" --drivers none <<-'S'
	modprobe intel_uncore
	uncore_exactly "intel_uncore finds the table in that BAR" 4 0.1 \
		uncore_cha_55/event=0x21/@0/55 uncore_imc_7/event=0x21/@6/7
	uncore_adopts 'the module loads instead of intel_uncore'
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'no unit is rejected with records three qwords apart'
	is "$(ls -d $PMUS/uncore_cxlcm_* | sed 's/.*_//' | sort -n | tr '\n' ' ')" \
		'2 4 6 8 16 18 ' 'units keep the numbers of the table'
	is "$(uncore_all_units 0.2)" "all $(hw units | wc -l)" 'all units count exactly with records three qwords apart'
	is "$(uncore_messages pmon | grep -vE 'taint|module verification')" '' 'the log has no line of pmon'
	S
done
each_vm --as longer --machine "$longer" --drivers adopted <<-'S'
	runs 'the module loads with tables longer than their BARs' modprobe pmon_uncore
	for p in 0 1; do
		is "$(cat $PMON/pkg$p-uncore0/rejected)" \
			'- - units 0xa6 more than fit in the BAR' \
			"package $p: the file rejected has the number of units that do not fit in the BAR"
		# 8 KiB have 128 records of 64 bytes, the first of which is no unit
		is "$(wc -c <$PMON/pkg$p-uncore0/table)" $((128 * 24)) \
			"package $p: the file table has all records inside the BAR"
	done
	is "$(uncore_messages 'units 0xa6 more than fit in the BAR' | wc -l)" 2 \
		'the log has one line for each table longer than its BAR'
	is "$(uncore_all_units 0.2 | grep -c '^+')" 0 'every listed unit of a cut table counts exactly'
	is "$(hw illegal | grep -c .)" 0 'no access beyond the BAR is made'
	S
finish
