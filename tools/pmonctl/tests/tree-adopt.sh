# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# Trees that have the kernel's drivers and ours. The programs that load modules
# are replaced by ones that note what they are asked for.

# pmu NAME TERM=FORMAT...; their event NAME TEXT; ours LINE
pmu() {
	dir=$root/sys/bus/event_source/devices/$1
	mkdir -p "$dir/format" "$dir/events"
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

# A host on which both drivers are loaded and intel_uncore has the boxes.
contested() {
	new_tree "adopt-$1"
	mkdir -p "$root/run"
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
	mkdir -p "$root/etc/modprobe.d"
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
	! grep -qxF "$say" "$FAKE/fails" 2>/dev/null || exit 1
	case ${0##*/} in
	rmmod) rm -r "$FAKE/sys/module/$1" ;;
	*)
		name=$(basename "$1" .ko.xz)
		! grep -rqs "^options $name uncore_no_discover=1" \
			"$FAKE/etc/modprobe.d" "$FAKE/run/modprobe.d" || exit 1
		! grep -rqs "^install $name /bin/true" \
			"$FAKE/etc/modprobe.d" "$FAKE/run/modprobe.d" || exit 0
		mkdir -p "$FAKE/sys/module/$name"
		echo live >"$FAKE/sys/module/$name/initstate"
		echo 0 >"$FAKE/sys/module/$name/refcnt"
		owner=openpmon
		[ ! -e "$FAKE/sys/module/intel_uncore" ] || owner=intel_uncore
		mode=${2#mode=}
		told=$(sed -n "s/^options $name mode=//p" "$FAKE"/etc/modprobe.d/*.conf 2>/dev/null)
		mode=${told:-$mode}
		mkdir -p "$FAKE/sys/module/$name/parameters"
		echo "${mode:-on}" >"$FAKE/sys/module/$name/parameters/mode"
		[ "${mode:-on}" = on ] || owner=none
		[ "$name" != pmon_cxl ] || [ ! -e "$FAKE/loses" ] ||
			rm "$FAKE"/sys/bus/event_source/devices/cxl_pmu_*/events/clock_ticks
		[ "$name" != pmon_uncore ] ||
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
	mkdir -p "$root/sbin"
	cp "$bin"/* "$root/sbin"
	FAKE=$root run_test "$@"
}
