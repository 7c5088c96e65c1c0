# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# Trees that have the kernel's drivers and ours. The programs that load modules
# are replaced by ones that note what they are asked for.

# pmu NAME TERM=FORMAT...; their event NAME TEXT; ours LINE
pmu() {
	dir=$root/sys/bus/event_source/devices/$1
	directories "$dir/format" "$dir/events"
	shift
	for term; do
		echo "${term#*=}" >"$dir/format/${term%%=*}"
	done
}

their_event() {
	echo "$3" >"$root/sys/bus/event_source/devices/$1/events/$2"
}

ours() {
	echo "$*" >>"$(class)/pkg0-uncore0/pmus"
}

# adoption: what adopt writes for uncore
adoption() {
	printf '%s\n' '# Written by pmonctl adopt; pmonctl release removes it.' \
		'options intel_uncore uncore_no_discover=1'
}

# contested: a host on which both drivers are loaded and intel_uncore has the boxes.
contested() {
	mkdir -p "$root/run" "$root/etc/modprobe.d" "$root/sbin"
	cp "$bin"/* "$root/sbin"
	pci 0000:00:03.1 0x8086 0x09a7
	discovery 0
	put pkg0-uncore0/owner intel_uncore
	unit 0 6 imc 0 mmio 0x1 4 48 - intel_uncore
	: >"$(class)/pkg0-uncore0/pmus"
	for m in pmon pmon_uncore intel_uncore; do
		live $m
	done
	for i in 0 1; do
		pmu uncore_imc_$i event=config:0-7 umask=config:8-15 edge=config:18
		their_event uncore_imc_$i clockticks event=0x01,umask=0x00
		their_event uncore_imc_$i cas_count_read event=0x05,umask=0xcf
		their_event uncore_imc_$i cas_count_read.scale 6.103515625e-5
		their_event uncore_imc_$i cas_count_read.unit MiB
		ours pmu uncore_imc_$i uncore_type_6_$i
	done
	ours format event config:0-7
	ours format umask config:8-15,32-55
	ours format edge config:18
	ours event clockticks event=0x1
	ours event cas_count_read umask=0xcf,event=0x5
	ours event cas_count_read.scale 0.00006103515625
	ours event cas_count_read.unit MiB
	installed pmon pmon_uncore pmon-plr intel_uncore intel-plr-tpmi
	echo 'options other thing=1' >"$root/etc/modprobe.d/local.conf"
}

bin=$tmp/bin
mkdir -p "$bin"
for program in modprobe insmod rmmod; do
	cat >"$bin/$program" <<-'END'
	#!/bin/sh
	# Loads and unloads in $FAKE; what $FAKE/fails lists does not work.
	: "${FAKE:?}"
	say="${0##*/} $*"
	echo "$say" >>"$FAKE/calls"
	[ ! -e "$FAKE/fails" ] || while read -r line; do
		[ "$line" != "$say" ] || exit 1
	done <"$FAKE/fails"
	case ${0##*/} in
	rmmod) rm -r "$FAKE/sys/module/$1"; exit ;;
	esac
	name=${1##*/}
	name=${name%.ko.xz}
	mode=${2#mode=}
	for conf in "$FAKE"/run/modprobe.d/*.conf "$FAKE"/etc/modprobe.d/*.conf; do
		[ ! -e "$conf" ] || while read -r line; do
			case $line in
			"options $name uncore_no_discover=1") exit 1 ;;
			"install $name /bin/true") exit 0 ;;
			"options $name mode="*) mode=${line##*=} ;;
			esac
		done <"$conf"
	done
	at=$FAKE/sys/module/$name
	mkdir -p "$at/parameters"
	echo live >"$at/initstate"
	echo 0 >"$at/refcnt"
	echo "${mode:-on}" >"$at/parameters/mode"
	owner=openpmon
	[ ! -e "$FAKE/sys/module/intel_uncore" ] || owner=intel_uncore
	[ "${mode:-on}" = on ] || owner=none
	case $name in
	pmon_cxl)
		[ ! -e "$FAKE/loses" ] ||
			rm -f "$FAKE"/sys/bus/event_source/devices/cxl_pmu_*/events/clock_ticks ;;
	pmon_uncore)
		for table in "$FAKE"/sys/class/pmon/pkg*-uncore*; do
			echo "$owner" >"$table/owner"
			echo "${mode:-on}" >"$table/mode"
		done ;;
	esac
	END
	chmod +x "$bin/$program"
done

# adopts STATUS ARG...: run with the programs above
adopts() {
	FAKE=$root run_test "$@"
}
