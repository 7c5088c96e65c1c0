#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Which package a table belongs to: without NUMA nodes, with a package whose
# CPUs are offline, and with one whose CPUs were never online. A unit is never
# counted for another package.
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k numa=off" --kernel "$k" --machine spr-2s --drivers none \
		--append numa=off <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh

	echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
	is "$(ls -d /sys/devices/system/node/node[0-9]* | wc -l)" 1 'one node'

	# package 1 is offline while the driver is loaded
	for c in 8 9 10 11 12 13 14 15; do
		echo 0 >/sys/devices/system/cpu/cpu$c/online
	done
	runs 'loading' modprobe pmon_uncore
	is "$(listed 0)" "$(listed 1)" 'both tables are read'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'CPUs of one package'
	like "$(cat $PMUS/uncore_upi_3/cpumask)" '^0$' 'links, too'
	like "$(perf stat -x, -C 8 -e uncore_imc_0/event=5/ true 2>&1)" \
		'^<not supported>,|No such|Invalid' \
		'no event on a package that is offline'
	for c in 8 9 10 11 12 13 14 15; do
		echo 1 >/sys/devices/system/cpu/cpu$c/online
	done
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'the package comes'
	hw truth reset
	counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ \
		uncore_cha_1/event=0x05,umask=0xcf/ \
		uncore_upi_2/event=0x05,umask=0xcf/ >/tmp/counts
	is "$(wc -l </tmp/counts)" 6 'all are counted'
	while read -r package count event; do
		case $event in
		*imc*) unit=6/0 ;;
		*cha*) unit=0/1 ;;
		*) unit=8/2 ;;
		esac
		agree "$package/$unit" "$count" 0xcf05 "$unit of package $package"
	done </tmp/counts
	finish
	S

	in_vm "$k maxcpus=4" --kernel "$k" --machine spr-2s --drivers none \
		--append maxcpus=4 <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh

	echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
	like "$(cat /sys/devices/system/cpu/online)" '^(0-3|0,2,4,6)$' \
		'one package'
	hw count reset
	runs 'loading' modprobe pmon_uncore
	is "$(ls $PMON | grep -c uncore)" 1 'only its table is read'
	is "$(messages 'package of this discovery table is not known' | wc -l)" 1 \
		'a line for the other'
	is "$(accesses table reads)" $((3 * (1 + $(listed)))) \
		'which is not touched'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'its boxes are served'
	echo 1 >/sys/devices/system/cpu/cpu9/online
	for _ in $(seq 50); do
		[ ! -e $PMON/pkg1-uncore0/units ] || break
		sleep 0.1
	done
	is "$(listed 1)" "$(listed 0)" 'its first CPU comes: read'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,9 'and served there'
	echo 1 >/sys/devices/system/cpu/cpu8/online
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,9 'and stays there'
	hw truth reset
	counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ >/tmp/counts
	while read -r package count event; do
		agree "$package/6/0" "$count" 0xcf05 "package $package"
	done </tmp/counts
	is "$(wc -l </tmp/counts)" 2 'both count'
	is "$(messages 'package of this discovery table is not known' | wc -l)" 1 \
		'nothing more is said'
	runs 'unloading' rmmod pmon_uncore
	finish
	S
done
finish
