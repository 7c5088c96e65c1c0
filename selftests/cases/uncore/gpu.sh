#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test a graphics card behind a port. Like Ponte Vecchio the card has the processors'
# function 8086:09a7, here with a valid table. That table is not read, none of the card's
# units is listed, served or accessed, and the processors' units are served.
# contract: root
# kernels: 6.1 6.12 newest
# check: 6.1
# all kernels: 6.1
. "$(dirname "$0")/../lib/tap.sh"

# The card has two units: an IMC like those of the processor, and one of another type.
cards='
p = m["packages"][0]
p["oobmsm"] = [p["oobmsm"], {"port": "05.0"}]
p["discovery"] = [p["discovery"], {
	"global": {"access": "mmio"},
	"units": [{"type": 6, "id": 100, "access": "mmio", "address": "bar"},
		  {"type": 90, "access": "mmio", "address": "bar"}]}]'

each_vm --machine "$(machine spr-2s "$cards")" --drivers adopted <<-'S'
	# table DEVICE: print the numbers of reads and writes of its table
	table() {
		hw count table "$1" |
			sed -n 's/^class=table reads=\([0-9]*\) writes=\([0-9]*\) .*/\1 \2/p'
	}

	cards=
	for d in /sys/bus/pci/devices/*; do
		[ "$(cat $d/vendor $d/device | tr '\n' ' ')" = '0x8086 0x09a7 ' ] ||
			continue
		case $(readlink -f $d) in
		*/pci*/*/*) cards="$cards ${d##*/}" ;;
		esac
	done
	set -- $cards
	is $# 2 "each package has a graphics card behind a port ($cards)"
	# The card's table is readable, and begins with type 0, stride 8, 2 units.
	for card; do
		echo 1 >/sys/bus/pci/devices/$card/enable
	done
	is "$(hw mmio $1 0 0 4 | cut -c3- | tail -c 6)" 20800 "the card's table is readable"

	hw count reset
	runs 'the module loads beside graphics cards' modprobe pmon_uncore
	for p in 0 1; do
		isnt "$(table $p/0)" '0 0' "package $p: the processor's table is read"
		is "$(table $p/1)" '0 0' "package $p: the card's table is not read"
	done
	is "$(ls -d $PMON/pkg*-uncore* | wc -l)" 2 'only the processors have a table in sysfs'
	unlike "$(cat $PMON/pkg*-uncore*/units)" '^(6 [^ ]* 100|90) ' 'no unit of a card is listed'
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'no unit is rejected beside graphics cards'
	is "$(ls $PMUS | grep -cE '^uncore_(imc_100|type_90.*)$')" 0 "no PMU of a card's unit is registered"
	if [ -z "$short" ]; then
		is "$(uncore_all_units 0.1)" '' "the processors' units count exactly"
		is "$(wc -l </tmp/unit_counted)" $(($(hw units | wc -l) - 4)) "all units but the cards' four count"
	fi
	for u in 0/6/100 0/90/0 1/6/100 1/90/0; do
		is "$(uncore_writes $u) $(uncore_reads $u)" '0 0' "$u of a card is not accessed before unloading"
	done
	runs 'the module unloads beside graphics cards' rmmod pmon_uncore
	is "$(table 0/1) $(table 1/1)" '0 0 0 0' 'no table of a card has been read at the end'
	for u in 0/6/100 0/90/0 1/6/100 1/90/0; do
		is "$(uncore_writes $u) $(uncore_reads $u)" '0 0' "$u of a card is not accessed at the end"
	done
	S
finish
