#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A table gets the right package: without NUMA nodes, with a package whose CPUs are
# offline or were never online, with one node for all CPUs, with more than eight nodes,
# with several nodes in a package, with devices without a node. A unit is never counted
# for another package. Tables that list more or fewer CHAs than the package has are
# reported as soon as a CPU of the package is online.
# all kernels: 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# One node has all CPUs, and firmware reports it for all buses; another has only memory.
one=$(machine spr-2s 'm["cpu"]["nodes"] = [1, 1]; del m["packages"][0]["node"]')
few=$(machine spr-2s 'm["msr"]["0x2ffe"] = 6')
more=$(machine spr-2s 'm["msr"]["0x2ffe"] = 56')

each_vm --as numa=off --machine "$few" --drivers adopted --append numa=off <<-'S'
	is "$(ls -d /sys/devices/system/node/node[0-9]* | wc -l)" 1 'the kernel has one node'

	# package 1 is offline while the driver is loaded
	for c in 8 9 10 11 12 13 14 15; do
		echo 0 >/sys/devices/system/cpu/cpu$c/online
	done
	runs 'the module loads while package 1 is offline' modprobe pmon_uncore
	is "$(uncore_listed 0)" $(($(uncore_listed 1) - 2)) 'tables of both packages are read although package 1 is offline'
	is "$(cat $PMON/pkg0-uncore0/rejected)" "0 6 id 0x6 more CHAs than the package has
0 7 id 0x7 more CHAs than the package has" 'CHAs that package 0 lacks are rejected'
	is "$(cat $PMON/pkg1-uncore0/rejected)" '' 'no CHA of an offline package is rejected'
	is "$(ls $PMUS | grep -c uncore_cha_)" 8 'all eight listed CHAs of the offline package are registered'
	is "$(ls $PMUS/uncore_iio_0 | grep ^die)" die0 'an I/O stack has no bus for the offline package'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'a memory controller has a designated CPU in package 0 only'
	like "$(cat $PMUS/uncore_upi_3/cpumask)" '^0$' 'a UPI link has a designated CPU in package 0 only'
	like "$(perf stat -x, -C 8 -e uncore_imc_0/event=5/ true 2>&1)" \
		'^<not supported>,|No such|Invalid' 'perf opens no event on an offline package'
	for c in 8 9 10 11 12 13 14 15; do
		echo 1 >/sys/devices/system/cpu/cpu$c/online
	done
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 \
		'a memory controller has a designated CPU in both packages once online'
	becomes "[ ! -e $PMUS/uncore_cha_7 ]"
	is "$(ls $PMUS | grep -c uncore_cha_)" 6 'CHAs that package 1 lacks are unregistered once it is online'
	is "$(cut -d' ' -f1-2 $PMON/pkg1-uncore0/rejected | tr '\n' ' ')" '0 6 0 7 ' \
		'CHAs that package 1 lacks are in the file rejected once it is online'
	is "$(uncore_messages 'package 1: unit type 0 id [67] rejected: id ' | wc -l)" 2 \
		'the log has a line for each CHA that package 1 lacks'
	is "$(cat $PMUS/uncore_iio_0/die1)" 0000:fe 'an I/O stack has a bus for package 1 once it is online'
	uncore_exactly 'boxes of both packages' 6 0.1 uncore_imc_0/event=5/@6/0 uncore_cha_1/event=5/@0/1 \
		uncore_upi_2/event=5/@8/2
	S

each_vm --as 'one node' --machine "$one" --drivers adopted <<-'S'
	is "$(cat /sys/devices/system/node/online)" 0-1 'the kernel has two nodes'
	node=$(cat /sys/devices/system/node/has_cpu)
	like "$node" '^[01]$' 'one node has all CPUs'
	is "$(cat /sys/bus/pci/devices/0000:??:03.1/numa_node | sort -u)" $node \
		'all buses name the node with the CPUs'
	runs 'the module loads with one node for all CPUs' modprobe pmon_uncore
	is "$(cat $PMON/pkg*-uncore0/package_id | tr '\n' ' ')" '0 1 ' \
		'each table has its own package'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'a memory controller has a CPU of each package'
	uncore_exactly 'boxes of both packages' 4 0.1 uncore_imc_0/event=5/@6/0 uncore_upi_2/event=5/@8/2
	S

each_vm --as maxcpus=4 --machine "$more" --drivers adopted --append maxcpus=4 <<-'S'
	like "$(cat /sys/devices/system/cpu/online)" '^(0-3|0,2,4,6)$' \
		'the CPUs of one package are online'
	hw count reset
	runs 'the module loads while package 1 was never online' modprobe pmon_uncore
	is "$(ls $PMON | grep -c uncore)" 1 'only the table of the online package is read'
	is "$(uncore_messages 'package of the discovery table of .* is not known' | wc -l)" 1 \
		'the log has one line on the table of the unknown package'
	is "$(uncore_accesses table reads)" $((6 * (1 + $(uncore_listed)))) \
		"no record of the unknown package's table is read"
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'boxes of the online package are served'
	lacks='- - chas 0x38 more than the tables list'
	is "$(cat $PMON/pkg0-uncore0/rejected)" "$lacks" \
		'the file rejected has a line if the package has more CHAs than the tables'
	echo 1 >/sys/devices/system/cpu/cpu9/online
	becomes "[ -e $PMON/pkg1-uncore0/units ]"
	is "$(uncore_listed 1)" "$(uncore_listed 0)" 'the table of package 1 is read when its first CPU comes online'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,9 'the first online CPU of package 1 is designated'
	echo 1 >/sys/devices/system/cpu/cpu8/online
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,9 \
		'the designated CPU stays when another CPU of the package comes online'
	uncore_exact_on_both uncore_imc_0 0.1 6/0 'a memory controller of each package'
	is "$(uncore_messages 'package of the discovery table of .* is not known' | wc -l)" 1 \
		'the log has no second line on the unknown package'
	is "$(cat $PMON/pkg1-uncore0/rejected)" "$lacks" 'the file rejected of package 1 has a line on too few listed CHAs'
	is "$(uncore_messages 'package [01]: discovery table of .* is faulty: chas 0x38' | wc -l)" 2 \
		'the log has one line on CHAs for each package'
	runs 'the module unloads after CPUs came online' rmmod pmon_uncore
	S

for m in spr-nodes gnr-snc; do
	each_vm --as "$m" --machine $m --drivers adopted <<-'S'
	nodes=$(ls -d /sys/devices/system/node/node[0-9]* | wc -l)
	runs 'the module loads on this number of nodes' modprobe pmon_uncore
	uncore_list_all "sysfs lists each unit in its package with $nodes nodes"
	cat $PMON/pkg*-uncore*/units | awk '$10 != "-" { print $1, $3, $8 }' |
		sort -u >/tmp/pmus
	grep -H . $PMUS/uncore_*/cpumask |
		sed 's|.*/\(.*\)/cpumask:|\1 |' >/tmp/masks
	wrong=$(awk '
		FILENAME == "/tmp/hardware" { # a package has two CPUs
			unit = $2 " " $3
			cpus[unit] = cpus[unit] sep[unit] 2 * $1
			sep[unit] = ","
		}
		FILENAME == "/tmp/masks" { mask[$1] = $2 }
		FILENAME == "/tmp/pmus" && mask[$3] != cpus[$1 " " $2] {
			print $3, mask[$3]
		}' /tmp/hardware /tmp/masks /tmp/pmus)
	is "$wrong" '' 'every unit has a CPU of each of its packages and of no other'
	is "$(uncore_all_units 0.1)" "all $(wc -l </tmp/hardware)" 'all units count exactly for their packages'
	[ ! -e $PMUS/uncore_iio_0 ] ||
		is "$(cat $PMUS/uncore_iio_[01]/die0 | tr '\n' ' ')" \
			'0000:00 0000:7e ' 'I/O stacks have their buses'
	S
done
finish
