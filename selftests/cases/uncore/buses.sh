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
	runs 'loading' modprobe pmon_uncore
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'nothing is rejected'
	is "$(all_units 0.1)" "all $(hw units | wc -l)" 'each unit counts for its package'
	is "$(cat $PMUS/uncore_upi_0/die0 | cut -d, -f2)" die_1 'a link leads to the other'
	S
done
for bar in $bars; do
	m=spr-full
	[ "$bar" = 0 ] || m=$behind
	each_vm --as "records in BAR $bar" --machine "$m" --drivers none <<-'S'
	modprobe intel_uncore
	exactly "the kernel's driver finds the table" 4 0.1 \
		uncore_cha_55/event=0x21/@0/55 uncore_imc_7/event=0x21/@6/7
	adopts 'loading'
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'nothing is rejected'
	is "$(ls -d $PMUS/uncore_cxlcm_* | sed 's/.*_//' | sort -n | tr '\n' ' ')" \
		'2 4 6 8 16 18 ' 'units keep their numbers'
	is "$(all_units 0.2)" "all $(hw units | wc -l)" 'all units count'
	is "$(messages pmon | grep -vE 'taint|module verification')" '' 'the log is silent'
	S
done
each_vm --as longer --machine "$longer" --drivers adopted <<-'S'
	runs 'loading' modprobe pmon_uncore
	for p in 0 1; do
		is "$(cat $PMON/pkg$p-uncore0/rejected)" \
			'- - units 0xa6 more than fit in the BAR' "package $p: the rest is named"
		# 8 KiB have 128 records of 64 bytes, the first of which is no unit
		is "$(wc -c <$PMON/pkg$p-uncore0/table)" $((128 * 24)) 'what is in the BAR is read'
	done
	is "$(messages 'units 0xa6 more than fit in the BAR' | wc -l)" 2 'the log says it once each'
	is "$(all_units 0.2 | grep -c '^+')" 0 'what is listed counts'
	is "$(hw illegal | grep -c .)" 0 'and nothing else is read'
	S
finish
