#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test eight sockets in two PCI segments, whose buses have the same numbers: each unit counts
# for its package, with and without NUMA nodes, and where firmware reports no node for the
# Uboxes' buses. The kernel driver's imc counts are checked, its UPI counts only noted.
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Ubox buses have no node: in a public listing the last one has none, and it lacks the others.
some=$(machine spr-8s 'm["packages"][0]["bus_nodes"] = { "0x3e": None }')

for k in $KERNELS; do
	for m in "spr-8s nodes" "$some no nodes of Uboxes" "spr-8s numa=off"; do
		append=${m#*numa=}
		[ "$append" = off ] || append=
		in_vm "$k ${m#* }" --kernel "$k" --machine "${m%% *}" --drivers none \
			${append:+--append "numa=$append"} <<-'S'
		is "$(ls -d /sys/bus/pci/devices/000[01]:[26ae]7:03.1 | wc -l)" 8 \
			'the machine has eight tables in two segments'
		is "$(cat /sys/devices/system/cpu/cpu*/topology/physical_package_id | sort -u |
			wc -l)" 8 'the machine has eight packages'
		modprobe intel_uncore
		for unit in 6/0 8/0; do
			pmu=uncore_imc_0
			[ $unit = 6/0 ] || pmu=uncore_upi_0
			hw truth reset
			uncore_counts 0.1 $pmu/event=0x21/ >/tmp/counts
			right=$(while read -r package count event; do
				[ "$count" != "$(uncore_truth_of $package/$unit 0x21)" ] || echo right
			done </tmp/counts | wc -l)
			note "the kernel's driver counts $pmu of $right packages"
			[ $unit = 8/0 ] || is "$right" 8 "intel_uncore counts $pmu exactly in eight packages"
		done
		uncore_adopts 'pmon_uncore loads instead of intel_uncore'
		is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'no unit is rejected in two segments'
		is "$(uncore_all_units 0.1)" "all $(hw units | wc -l)" 'every unit counts for its package in two segments'
		is "$(cat $PMUS/uncore_imc_0/cpumask)" 0-7 'a memory controller has a CPU of each package'
		is "$(cat $PMUS/uncore_iio_0/die[0-7] | tr '\n' ' ')" \
			'0000:3e 0000:7e 0000:be 0000:fe 0001:3e 0001:7e 0001:be 0001:fe ' \
			'I/O stacks have buses in their own segment'
		is "$(hw illegal | grep -c .)" 0 'no illegal access is made in two segments'
		is "$(uncore_messages pmon | grep -vE 'taint|module verification')" '' \
			'the log has no line of pmon in two segments'
		runs 'the module unloads with two segments' rmmod pmon_uncore
		S
	done
done
finish
