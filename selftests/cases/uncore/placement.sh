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
	is "$(ls -d /sys/devices/system/node/node[0-9]* | wc -l)" 1 'one node'

	# package 1 is offline while the driver is loaded
	for c in 8 9 10 11 12 13 14 15; do
		echo 0 >/sys/devices/system/cpu/cpu$c/online
	done
	runs 'loading' modprobe pmon_uncore
	is "$(listed 0)" $(($(listed 1) - 2)) 'both tables are read'
	is "$(cat $PMON/pkg0-uncore0/rejected)" "0 6 id 0x6 more CHAs than the package has
0 7 id 0x7 more CHAs than the package has" 'CHAs that are not there'
	is "$(cat $PMON/pkg1-uncore0/rejected)" '' 'are not known of a package offline'
	is "$(ls $PMUS | grep -c uncore_cha_)" 8 'which has all that are listed'
	is "$(ls $PMUS/uncore_iio_0 | grep ^die)" die0 'and leads nobody knows where'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'CPUs of one package'
	like "$(cat $PMUS/uncore_upi_3/cpumask)" '^0$' 'links, too'
	like "$(perf stat -x, -C 8 -e uncore_imc_0/event=5/ true 2>&1)" \
		'^<not supported>,|No such|Invalid' \
		'no event on a package that is offline'
	for c in 8 9 10 11 12 13 14 15; do
		echo 1 >/sys/devices/system/cpu/cpu$c/online
	done
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'the package comes'
	becomes "[ ! -e $PMUS/uncore_cha_7 ]"
	is "$(ls $PMUS | grep -c uncore_cha_)" 6 'CHAs that are not there go'
	is "$(cut -d' ' -f1-2 $PMON/pkg1-uncore0/rejected | tr '\n' ' ')" '0 6 0 7 ' \
		'and are said'
	is "$(messages 'package 1: unit type 0 id [67] rejected: id ' | wc -l)" 2 \
		'in the log, too'
	is "$(cat $PMUS/uncore_iio_0/die1)" 0000:fe 'where its stacks lead is known'
	exactly 'each box' 6 0.1 uncore_imc_0/event=5/@6/0 uncore_cha_1/event=5/@0/1 \
		uncore_upi_2/event=5/@8/2
	S

each_vm --as 'one node' --machine "$one" --drivers adopted <<-'S'
	is "$(cat /sys/devices/system/node/online)" 0-1 'two nodes'
	node=$(cat /sys/devices/system/node/has_cpu)
	like "$node" '^[01]$' 'one has all CPUs'
	is "$(cat /sys/bus/pci/devices/0000:??:03.1/numa_node | sort -u)" $node \
		'all buses name it'
	runs 'loading' modprobe pmon_uncore
	is "$(cat $PMON/pkg*-uncore0/package_id | tr '\n' ' ')" '0 1 ' \
		'each table has its package'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'and a CPU of it'
	exactly 'each box' 4 0.1 uncore_imc_0/event=5/@6/0 uncore_upi_2/event=5/@8/2
	S

each_vm --as maxcpus=4 --machine "$more" --drivers adopted --append maxcpus=4 <<-'S'
	like "$(cat /sys/devices/system/cpu/online)" '^(0-3|0,2,4,6)$' \
		'one package'
	hw count reset
	runs 'loading' modprobe pmon_uncore
	is "$(ls $PMON | grep -c uncore)" 1 'only its table is read'
	is "$(messages 'package of the discovery table of .* is not known' | wc -l)" 1 \
		'a line for the other'
	is "$(accesses table reads)" $((6 * (1 + $(listed)))) \
		'which is not touched'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'its boxes are served'
	lacks='- - chas 0x38 more than the tables list'
	is "$(cat $PMON/pkg0-uncore0/rejected)" "$lacks" 'it has more CHAs than that'
	echo 1 >/sys/devices/system/cpu/cpu9/online
	becomes "[ -e $PMON/pkg1-uncore0/units ]"
	is "$(listed 1)" "$(listed 0)" 'its first CPU comes: read'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,9 'and served there'
	echo 1 >/sys/devices/system/cpu/cpu8/online
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,9 'and stays there'
	exact_on_both uncore_imc_0 0.1 6/0 'both'
	is "$(messages 'package of the discovery table of .* is not known' | wc -l)" 1 \
		'nothing more is said'
	is "$(cat $PMON/pkg1-uncore0/rejected)" "$lacks" 'it lists too few CHAs, too'
	is "$(messages 'package [01]: discovery table of .* is faulty: chas 0x38' | wc -l)" 2 \
		'each package says so once'
	runs 'unloading' rmmod pmon_uncore
	S

for m in spr-nodes gnr-snc; do
	each_vm --as "$m" --machine $m --drivers adopted <<-'S'
	nodes=$(ls -d /sys/devices/system/node/node[0-9]* | wc -l)
	runs 'loading' modprobe pmon_uncore
	list_all "$nodes nodes: each unit in its package"
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
	is "$wrong" '' 'a CPU of each package that has the unit, and of no other'
	is "$(all_units 0.1)" "all $(wc -l </tmp/hardware)" 'all count, each its own'
	[ ! -e $PMUS/uncore_iio_0 ] ||
		is "$(cat $PMUS/uncore_iio_[01]/die0 | tr '\n' ' ')" \
			'0000:00 0000:7e ' 'buses of I/O stacks'
	S
done
finish
