#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test UPI and M3UPI of Sapphire Rapids, whose tables have known faults: each PMU counts its
# own link all the same. Package 0's table lacks links, lists one link twice, has one at a
# wrong offset and swaps two. Package 1 has functions of unknown IDs, so its table is used.
# Configuration registers give the destinations of links and I/O stacks. perf iostat works
# with these, also on a Granite Rapids with more boxes than perf iostat can name, two of
# them at one bus.
# contract: links
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

cat >"$TMP/wrong.py" <<'PY'
import copy
first = m["packages"][0]
second = copy.deepcopy(first)
first["bus"], second["bus"] = first["bus"]
second["node"] = first["node"] + 1
del second["functions"]
units = second["discovery"]["units"]
for u in units:
    if u["access"] == "pci":
        u["address"]["bus"] = "0xfe"
second["upi"] = None
del second["upi"], second["msm"]
second["discovery"]["units"] = [u for u in units if u["type"] not in (8, 9)]
second["discovery"]["units"].append(
    {"type": 8, "count": 2, "access": "pci", "ctl_offset": "0x38", "ctr_offset": 8,
     "address": {"bus": "0xfe", "devfn": "11.1", "offset": "0x318", "device": "8086:3999"}})

def link(kind, slot, offset, device, n, **table):
    listed = table.pop("listed", True)
    unit = {"type": kind, "id": n, "access": "pci", "ctl_offset": "0x38", "ctr_offset": 8,
            "listed": listed,
            "address": {"bus": "0x7e", "devfn": f"{slot + n:02x}.1", "offset": offset,
                        "device": device}}
    if table:
        unit["table"] = table
    return unit

def upi(n, **table):
    return link(8, 1, "0x318", "8086:3241", n, **table)

def m3upi(n, **table):
    return link(9, 5, "0xa0", "8086:3246", n, **table)

def address(slot, offset):
    return hex(1 << 31 | 0x7e << 20 | slot << 15 | 1 << 12 | offset)

units = first["discovery"]["units"]
first["discovery"]["units"] = [u for u in units if u["type"] not in (8, 9)] + [
    upi(0), upi(1, address=address(1, 0x318)), upi(2, listed=False), upi(3, listed=False),
    m3upi(0, id=1), m3upi(1, id=0), m3upi(2), m3upi(3, address=address(8, 0xb8))]
m["packages"] = [first, second]
PY
wrong=$(machine spr-2s "$(cat "$TMP/wrong.py")")
# Firmware left a bus number in a field that the mask below marks as invalid.
stale=$(machine spr-2s 'm["packages"][0]["msm"]["mask"] = 0x103')
# One function of each root bus has the number of the bus's I/O stack. Two buses have the
# same number, and the Ubox's bus has none.
telling=$(machine grr-1s 'm["packages"][0]["functions"] = [
    {"bus": bus, "devfn": devfn, "device": "8086:09a2", "config": {"0x3f4": value}}
    for bus, devfn, value in ((0, "0c.0", 0x00), (0x15, "00.0", 0x20),
                              (0x26, "00.0", 0x10), (0x37, "00.0", 0x10),
                              (0x7e, "00.0", 0xffffffff))]')
# Sixteen I/O stacks in each package, two of them with the same bus number.
crowded=$(machine gnr-lean '
m["cpu"]["packages"] = 2
first = m["packages"][0]
first["msm"]["buses"] = {
    "0": 0, "1": "0x15", "2": "0x26", "3": "0x26", "4": "0x38", "5": "0x40", "8": "0x7e",
    "12": "0x50", "16": "0x58", "20": "0x60", "26": "0x68", "28": "0x70", "29": "0x78"}
next(u for u in first["discovery"]["units"] if u["type"] == 1)["count"] = 16')

each_vm --machine "$wrong" <<-'S'
	is "$(cut -d' ' -f1-4 $PMON/pkg0-uncore0/rejected | sort)" \
		"8 1 address 0x87e09318
	9 0 address 0x87e310a0
	9 1 address 0x87e290a0
	9 3 address 0x87e410b8" 'four listed links that are not at their function are rejected'
	is "$(sort -u $PMON/pkg0-uncore0/rejected | grep -vc 'is not where this link is')" 0 \
		'every rejected link has the same reason'
	is "$(awk '$2 ~ /upi/ { print $2, $3, $5 }' $PMON/pkg0-uncore0/units | sort)" \
		"m3upi 0 0x87e290a0
	m3upi 1 0x87e310a0
	m3upi 2 0x87e390a0
	m3upi 3 0x87e410a0
	upi 0 0x87e09318
	upi 1 0x87e11318
	upi 2 0x87e19318
	upi 3 0x87e21318" 'each link of package 0 is listed at its own function'
	is "$(awk '$2 ~ /upi/ { print $2, $3, $5 }' $PMON/pkg1-uncore0/units | sort)" \
		"upi 0 0x8fe89318
	upi 1 0x8fe91318" 'links of unknown functions are listed as in the table'
	is "$(cat $PMON/pkg1-uncore0/rejected)" '' 'no unit is rejected in a package with unknown functions'

	uncore_exactly 'events of each link' 10 0.1 $(for n in 0 1 2 3; do
		echo "uncore_upi_$n/event=0x$((n + 1))$((n + 1))/@8/$n" "uncore_m3upi_$n/event=0x$((n + 1))$((n + 1))/@9/$n"
	done)

	for n in 0 1 2 3; do
		is "$(cat $PMUS/uncore_upi_$n/die0)" "upi_$n,die_1" \
			"die0 of UPI link $n has its package of destination"
		is "$(ls $PMUS/uncore_upi_$n | grep -c ^die)" 1 \
			"UPI link $n has no file die for the package without destinations"
	done
	is "$(cat $PMUS/uncore_iio_0/die0)" 0000:7e 'die0 of the first I/O stack has its bus'
	S

each_vm --as 'no bus' --machine "$stale" <<-'S'
	is "$(cat $PMUS/uncore_iio_[0-3]/die0 | tr '\n' ' ')" \
		'0000:7e 0000:00 0000:15 ' 'I/O stacks with valid bus numbers have their bus in die0'
	is "$(ls $PMUS/uncore_iio_3 | grep -c ^die)" 0 \
		'an I/O stack whose bus number is not valid has no file die'
	S

each_vm --as topology --machine spr-2s <<-'S'
	is "$(cat $PMON/pkg*-uncore0/rejected)" '' 'no unit is rejected in a table without faults'
	is "$(cat $PMUS/uncore_upi_[0-3]/die[01] | tr '\n' ' ')" \
		"upi_0,die_1 upi_0,die_0 upi_1,die_1 upi_1,die_0 upi_2,die_1 upi_2,die_0 upi_3,die_1 upi_3,die_0 " \
		'UPI links of both packages have their destinations'
	is "$(cat $PMUS/uncore_iio_[0-3]/die[01] | tr '\n' ' ')" \
		"0000:7e 0000:fe 0000:00 0000:80 0000:15 0000:95 0000:26 0000:a6 " \
		'I/O stacks of both packages have their buses'
	is "$(awk '$2 ~ /^iio/ && $3 < 2 { print $2, $3, $11, $12 }' $PMON/pkg[01]-uncore0/units)" \
		"iio 0 0 0000:7e
	iio 1 0 0000:00
	iio_free_running 0 0 0000:7e
	iio_free_running 1 0 0000:00
	iio 0 1 0000:fe
	iio 1 1 0000:80
	iio_free_running 0 1 0000:fe
	iio_free_running 1 1 0000:80" 'the file units has node and bus of I/O stacks'
	is "$(awk '$2 !~ /^iio/ { print $11, $12 }' $PMON/pkg1-uncore0/units | sort -u)" '1 -' \
		'the file units has a node and no bus for other units'
	is "$(perf stat --iostat=list 2>&1 | sort)" "S0-uncore_iio_0<0000:7e>
	S0-uncore_iio_1<0000:00>
	S0-uncore_iio_2<0000:15>
	S0-uncore_iio_3<0000:26>
	S1-uncore_iio_0<0000:fe>
	S1-uncore_iio_1<0000:80>
	S1-uncore_iio_2<0000:95>
	S1-uncore_iio_3<0000:a6>" 'perf iostat list has each I/O stack with its bus'
	perf stat -x, --iostat -- sleep 0.05 >/tmp/iostat 2>&1
	is "$(sed -n 's/^\(0000:..\),.*/\1/p' /tmp/iostat | sort | tr '\n' ' ')" \
		'0000:00 0000:15 0000:26 0000:7e 0000:80 0000:95 0000:a6 0000:fe ' \
		'perf iostat has a line for each bus'
	is "$(awk -F, '/^0000/ && $2 > 0 && $3 > 0 && $4 > 0 && $5 > 0' /tmp/iostat | wc -l)" 8 \
		'perf iostat counts reads and writes of each bus'
	S

each_vm --as grr --machine grr-1s <<-'S'
	is "$(grep -H . $PMUS/uncore_iio_[0-9]/die0 | sed 's|.*uncore_||')" \
		"iio_0/die0:0000:15
	iio_1/die0:0000:26
	iio_2/die0:0000:00" 'I/O stacks get the buses whose functions have their numbers'
	is "$(perf stat --iostat=list 2>&1 | sort)" "S0-uncore_iio_0<0000:15>
	S0-uncore_iio_1<0000:26>
	S0-uncore_iio_2<0000:00>" 'perf iostat list has the three stacks of grr'
	S

each_vm --as doubt --machine "$telling" <<-'S'
	is "$(grep -H . $PMUS/uncore_iio_[0-9]/die0 | sed 's|.*uncore_||')" \
		"iio_0/die0:0000:15
	iio_2/die0:0000:00" 'a stack whose number two buses have gets no bus'
	S

each_vm --as crowded --machine "$crowded" <<-'S'
	is "$(ls $PMUS | grep -c '^uncore_iio_[0-9]')" 16 '16 iio boxes are registered'
	is "$(cat $PMUS/uncore_iio_[0-9]*/die[01] | tr '\n' ' ')" \
		"0000:00 0000:80 0000:7e 0000:fe 0000:15 0000:95 0000:38 0000:b8 0000:50 0000:d0 0000:40 0000:c0 0000:70 0000:f0 0000:60 0000:e0 " \
		'I/O stacks that perf iostat can name have their buses'
	is "$(ls $PMUS/uncore_iio_[34] $PMUS/uncore_iio_1? | grep -c ^die)" 0 \
		'stacks that perf iostat cannot name or that share a bus have no file die'
	is "$(perf stat --iostat=list 2>&1 | sort)" "S0-uncore_iio_0<0000:00>
	S0-uncore_iio_1<0000:7e>
	S0-uncore_iio_2<0000:15>
	S0-uncore_iio_5<0000:38>
	S0-uncore_iio_6<0000:50>
	S0-uncore_iio_7<0000:40>
	S0-uncore_iio_8<0000:70>
	S0-uncore_iio_9<0000:60>
	S1-uncore_iio_0<0000:80>
	S1-uncore_iio_1<0000:fe>
	S1-uncore_iio_2<0000:95>
	S1-uncore_iio_5<0000:b8>
	S1-uncore_iio_6<0000:d0>
	S1-uncore_iio_7<0000:c0>
	S1-uncore_iio_8<0000:f0>
	S1-uncore_iio_9<0000:e0>" 'perf iostat list has the stacks with a bus of their own'
	perf stat -x, --iostat -- sleep 0.05 >/tmp/iostat 2>&1
	is "$(awk -F, '/^0000/ && $2 > 0 && $3 > 0 && $4 > 0 && $5 > 0' /tmp/iostat | wc -l)" 16 \
		'perf iostat counts reads and writes of 16 stacks'

	# The driver looks for buses again when a package comes online.
	runs 'the module unloads with 16 stacks' rmmod pmon_uncore
	away=$(engine_cpus_of 1)
	for c in $away; do engine_cpu $c 0; done
	runs 'the module loads while package 1 has no CPU' modprobe pmon_uncore
	is "$(ls -d $PMUS/uncore_iio_*/die1 2>/dev/null)" '' \
		'stacks of a package without CPUs have no file die'
	for c in $away; do engine_cpu $c 1; done
	runs 'buses of a package are found when its CPUs come online' becomes "[ -e $PMUS/uncore_iio_9/die1 ]"
	is "$(ls $PMUS/uncore_iio_[34] | grep -c ^die)" 0 \
		'stacks that share a bus have no file die after the CPUs came online'
	S

# a table as on real servers, with two of three links, one under the number of another
each_vm --as spr-mcc --machine spr-mcc <<-'S'
	is "$(ls $PMUS | grep upi | tr '\n' ' ')" \
		'uncore_m3upi_0 uncore_m3upi_1 uncore_m3upi_2 uncore_upi_0 uncore_upi_1 uncore_upi_2 ' \
		'three UPI and three M3UPI links are registered on the smaller die'
	is "$(cat $PMUS/uncore_iio_[0-3]/die[01] | tr '\n' ' ')" \
		"0000:00 0000:80 0000:15 0000:95 0000:26 0000:a6 0000:7e 0000:fe " \
		'I/O stacks of the smaller die have their buses'
	# unit 1 of the table is link 2; unit 2, missing in the table, is link 1
	uncore_exactly 'links listed under wrong numbers' 4 0.1 uncore_upi_1/event=5/@8/2 uncore_upi_2/event=6/@8/1
	S
finish
