# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# Trees that have the kernel's drivers and ours. The programs that load modules
# are replaced by ones that note what they are asked for.

# pmu NAME TERM=FORMAT...: one of the kernel's
pmu() {
	dir=sys/bus/event_source/devices/$1
	mkdir -p "$root/$dir/format" "$root/$dir/events"
	shift
	for term; do
		put "$dir/format/${term%%=*}" "${term#*=}"
	done
}

# adoption: what adopt writes for uncore
adoption() {
	printf '%s\n' '# Written by pmonctl adopt; pmonctl release removes it.' \
		'options intel_uncore uncore_no_discover=1'
}

# handles MODULE...: they are loaded, and programs note what is asked of them
handles() {
	mkdir -p "$root/run" "$root/etc/modprobe.d" "$root/sbin"
	cp "$bin"/* "$root/sbin"
	live "$@"
	installed "$@"
}

# contested: a host on which both drivers are loaded and intel_uncore has the boxes.
contested() {
	handles pmon pmon_uncore intel_uncore
	installed pmon pmon_uncore pmon-plr intel_uncore intel-plr-tpmi
	discovery_function
	discovery 0
	put pkg0-uncore0/owner intel_uncore
	unit 0 6 imc 0 mmio 0x1 4 48 - intel_uncore
	for i in 0 1; do
		pmu uncore_imc_$i event=config:0-7 umask=config:8-15 edge=config:18
		files sys/bus/event_source/devices/uncore_imc_$i/events/ <<-'END'
		clockticks event=0x01,umask=0x00
		cas_count_read event=0x05,umask=0xcf
		cas_count_read.scale 6.103515625e-5
		cas_count_read.unit MiB
		END
	done
	cat >>"$class/pkg0-uncore0/pmus" <<-'END'
	pmu uncore_imc_0 uncore_type_6_0
	pmu uncore_imc_1 uncore_type_6_1
	format event config:0-7
	format umask config:8-15,32-55
	format edge config:18
	event clockticks event=0x1
	event cas_count_read umask=0xcf,event=0x5
	event cas_count_read.scale 0.00006103515625
	event cas_count_read.unit MiB
	END
	echo 'options other thing=1' >"$root/etc/modprobe.d/local.conf"
}

bin=$tmp/bin
mkdir -p "$bin"
cat >"$bin/modprobe" <<'END'
#!/bin/sh
# Loads and unloads in its tree; what the tree's file fails lists does not work.
root=${0%/sbin/*}
say="${0##*/} $*"
echo "$say" >>"$root/calls"
! grep -qsx "$say" "$root/fails" || exit 1
case $say in
rmmod*) exec rm -r "$root/sys/module/$1" ;;
esac
name=$(basename "$1" .ko.xz)
conf=$(cat "$root"/run/modprobe.d/*.conf "$root"/etc/modprobe.d/*.conf 2>/dev/null)
case $conf in
*"options $name uncore_no_discover=1"*) exit 1 ;;
*"install $name /bin/true"*) exit 0 ;;
*"options $name mode="*) mode=${conf##*options "$name" mode=} ;;
*) mode=${2#mode=} ;;
esac
mode=${mode%%[!a-z]*}
mode=${mode:-on}
at=$root/sys/module/$name
mkdir -p "$at/parameters"
echo live >"$at/initstate"
echo 0 >"$at/refcnt"
echo "$mode" >"$at/parameters/mode"
owner=openpmon
[ ! -e "$root/sys/module/intel_uncore" ] || owner=intel_uncore
[ "$mode" = on ] || owner=none
case $name in
pmon_cxl)
	[ ! -e "$root/loses" ] ||
		rm -f "$root"/sys/bus/event_source/devices/cxl_pmu_*/events/clock_ticks ;;
pmon_uncore)
	for table in "$root"/sys/class/pmon/pkg*-uncore*; do
		echo "$owner" >"$table/owner"
		echo "$mode" >"$table/mode"
	done ;;
esac
END
chmod +x "$bin/modprobe"
cp "$bin/modprobe" "$bin/insmod"
cp "$bin/modprobe" "$bin/rmmod"
