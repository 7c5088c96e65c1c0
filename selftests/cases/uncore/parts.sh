#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test parts that differ from a server with two sockets: one socket, with functions of
# M3UPI and none of UPI, on buses without a node from firmware; and HBM in the package,
# which moves 32 bytes for each command. On HBM the kernel's driver is exact, too.
# all kernels: 6.1 6.12 newest
# kernels: 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# A table with links that the part lacks.
listed=$(machine spr-1s '
m["packages"][0]["discovery"]["units"].append(
    { "type": 8, "count": 2, "access": "pci", "status_offset": 4,
      "address": { "bus": "0xfe", "devfn": "01.1", "offset": "0x318",
                   "device": "8086:3241", "exists": False } })')

each_vm --as 'one socket' --machine spr-1s --drivers adopted <<-'S'
	is "$(cat /sys/bus/pci/devices/0000:fe:00.1/numa_node)" -1 \
		"the bus of the processor's functions has no node"
	hw count reset
	runs 'the module loads on one socket' modprobe pmon_uncore
	is "$(uncore_writes)" 0 'loading writes no register on one socket'
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'no unit is rejected on one socket'
	is "$(ls $PMUS | grep -cE '^uncore_upi_')" 0 'no UPI PMU is registered on one socket'
	is "$(ls $PMUS | grep -cE '^uncore_m3upi_[0-3]$')" 4 'four M3UPI PMUs are registered on one socket'
	is "$(uncore_all_units 0.1)" "all $(hw units | wc -l)" 'all units count exactly on one socket'
	is "$(hw illegal | grep -c .)" 0 'no illegal access is made on one socket'
	is "$(uncore_messages pmon | grep -vE 'taint|module verification')" '' 'the log has no line of pmon on one socket'
	S

each_vm --as 'links listed' --machine "$listed" --drivers adopted <<-'S'
	runs 'the module loads with a table of absent links' modprobe pmon_uncore
	is "$(cat $PMON/pkg*-uncore*/rejected)" \
		'8 0 address 0x8fe09318 no such PCI function
	8 1 address 0x8fe11318 no such PCI function' 'links without a PCI function are rejected with that reason'
	is "$(uncore_all_units 0.1 | grep -c '^+')" 0 'all other units count beside absent links'
	S

# perf derives CPUs for a package's other nodes from the first CPU of the package in cpumask.
each_vm --as 'three nodes' --machine gnr-snc3 <<-'S'
	is "$(cat $PMUS/uncore_cha_5/cpumask)" 0,6 'cpumask has the first CPU of each package'
	echo 0 >/sys/devices/system/cpu/cpu6/online
	is "$(cat $PMUS/uncore_cha_5/cpumask)" 0,7 'cpumask has the next CPU when the first goes offline'
	echo 1 >/sys/devices/system/cpu/cpu6/online
	is "$(cat $PMUS/uncore_cha_5/cpumask)" 0,6 \
		'cpumask has the first CPU again when online, whichever is designated'
	S

each_vm --as HBM --machine spr-hbm --drivers none <<-'S'
	hbm=$PMUS/uncore_mchbm_31

	modprobe intel_uncore
	kernel=$(ls -d $PMUS/uncore_hbm_31 $PMUS/uncore_type_14_31 2>/dev/null | head -n 1)
	hw global all =0
	uncore_exact_on_both "${kernel##*/}" 0.1 14/31 "intel_uncore on the last HBM controller"
	uncore_adopts 'pmon_uncore loads on a processor with HBM'
	is "$(ls $PMUS | grep -c '^uncore_mchbm_')" 32 '32 HBM PMUs are registered'
	uncore_exact_on_both uncore_mchbm_31 0.1 14/31 'the last HBM controller'
	is "$(cat $hbm/events/cas_count_read.unit)" MiB "the unit of HBM's cas_count_read is MiB"
	hw truth reset
	mib=$(perf stat -x, -C 0 -e uncore_mchbm_31/cas_count_write/ -- sleep 0.1 2>&1 |
		cut -d, -f1)
	is "$mib" "$(uncore_truth_of 0/14/31 0xf005 | awk '{ printf "%.2f", $1 * 32 / 1048576 }')" \
		'cas_count_write of HBM counts 32 bytes for each command'
	# All controllers count at the same rate, so 32 of HBM, with 32 bytes for each command,
	# move twice the bytes of 8 memory controllers with 64.
	ratio() {
		awk -v of="$1" -v by="$2" 'BEGIN {
			r = by > 0 ? of / by : 0
			print (r > 1.9 && r < 2.1) ? "twice" : r
		}'
	}
	pmonctl bw --kind memory,hbm --for 0.3 >/tmp/bw
	note "$(cat /tmp/bw)"
	for socket in 0 1; do
		is "$(ratio $(awk -v s=$socket '$1 == "hbm" && $2 == s { h = $NF }
			$1 == "memory" && $2 == s { m = $NF }
			END { print h, m }' /tmp/bw))" twice \
				"bw prints twice the bandwidth of memory for HBM, socket $socket"
	done
	pmonctl stat -- sleep 0.2 >/tmp/stat 2>&1
	is "$(ratio $(awk '$1 == "hbm" && $2 == 1 { h = $3 } $1 == "memory" && $2 == 1 { m = $3 }
		END { print h, m }' /tmp/stat))" twice 'stat prints twice the bytes of memory for HBM'
	pmonctl metrics --for 4 >/tmp/metrics
	is "$(ratio $(awk -F'[ ]' '/^openpmon_hbm_read_bytes_total.*"0"/ { h = $2 }
		/^openpmon_memory_read_bytes_total.*"0"/ { m = $2 }
		END { print h, m }' /tmp/metrics))" twice 'metrics has twice the bytes of memory for HBM'
	S
finish
