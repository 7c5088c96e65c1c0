# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034
#
# Fake sysfs trees. Every function works below $root, a new directory.

nothing() {
	:
}

# at_hand: paths that tests have
at_hand() {
	class=$root/sys/class/pmon
	pmus=$root/sys/bus/event_source/devices
	functions=$root/sys/bus/pci/devices
	kernel=$root/lib/modules/6.18-tree
}

# put PATH LINE...: one file below $root, or below that of the class where a device of it
# is named
put() {
	case $1 in
	pkg*) path=$class/$1 ;;
	*) path=$root/$1 ;;
	esac
	shift
	[ -d "${path%/*}" ] || mkdir -p "${path%/*}"
	printf '%s\n' "$@" >"$path"
}

# files [DIR/]: each line of standard input is the path of a file, and what is in it
files() {
	while read -r name value; do
		put "${1-}$name" "$value"
	done
}

# link TARGET PATH
link() {
	mkdir -p "$root/${2%/*}"
	ln -s "$1" "$root/$2"
}

# unreadable FILE...: a directory is in the place of each, which no user can read
unreadable() {
	rm -f "$@"
	mkdir "$@"
}

# paranoid LEVEL: of kernel.perf_event_paranoid
paranoid() {
	put proc/sys/kernel/perf_event_paranoid "$1"
}

# live MODULE...: loaded, and not built in; and unload MODULE...
live() {
	for module; do
		put "sys/module/$module/initstate" live
		put "sys/module/$module/refcnt" 0
	done
}

unload() {
	for module; do
		rm -r "$root/sys/module/$module"
	done
}

# parameter MODULE NAME VALUE: as the module was loaded
parameter() {
	put "sys/module/$1/parameters/$2" "$3"
}

# nodes CPULIST...: of NUMA
nodes() {
	number=0
	for list; do
		put "sys/devices/system/node/node$number/cpulist" "$list"
		number=$((number + 1))
	done
}

# installed MODULE...: no others are, for the kernel of this tree, 6.18-tree
installed() {
	put proc/sys/kernel/osrelease 6.18-tree
	put lib/modules/6.18-tree/modules.dep ''
	for module; do
		echo "updates/$module.ko.xz: kernel/needed.ko"
	done >"$kernel/modules.dep"
}

# limits: the device that the kernel's TPMI core makes of what records limits
limits() {
	mkdir -p "$root/sys/bus/auxiliary/devices/intel_vsec.tpmi-plr.0"
}

# pci ADDRESS VENDOR DEVICE [DRIVER]
pci() {
	put "sys/bus/pci/devices/$1/vendor" "$2"
	put "sys/bus/pci/devices/$1/device" "$3"
	[ -z "${4-}" ] || ln -s "../../../drivers/$4" "$functions/$1/driver"
}

# discovery_function [BYTES [CAPABILITY]]: what a table is found by, and its configuration
# space, with such an extended capability at its place, as %b of printf takes it
discovery_function() {
	pci 0000:00:03.1 0x8086 0x09a7
	[ $# = 0 ] || head -c "$1" /dev/zero >"$functions/0000:00:03.1/config"
	[ $# -lt 2 ] || printf '%b' "$2" |
		dd of="$functions/0000:00:03.1/config" bs=1 seek=256 conv=notrunc status=none
}

# expander [DRIVER]: the function of a CXL memory device
expander() {
	pci 0000:c1:00.0 0x8086 0x0d93 "${1-}"
	put sys/bus/pci/devices/0000:c1:00.0/class 0x050210
}

# memory NAME ADDRESS SERIAL: a CXL memory device
memory() {
	put "sys/devices/pci0000:c0/$2/$1/serial" "$3"
	link "../../../devices/pci0000:c0/$2/$1" "sys/bus/cxl/devices/$1"
}

# discovery PACKAGE: an empty discovery device
discovery() {
	files "sys/class/pmon/pkg$1-uncore0/" <<-END
	package_id $1
	owner openpmon
	mode on
	platform spr
	fingerprint 0123456789abcdef
	END
	: >"$class/pkg$1-uncore0/units"
	: >"$class/pkg$1-uncore0/rejected"
}

# spr: a host with one memory controller, and nothing else is known of it
spr() {
	discovery 0
	unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
}

# unit PACKAGE WORDS...: one line of units; rejected likewise
unit() {
	device=$class/pkg$1-uncore0
	shift
	echo "$*" >>"$device/units"
}

rejected() {
	device=$class/pkg$1-uncore0
	shift
	echo "$*" >>"$device/rejected"
}

# domain PACKAGE DOMAIN CPUS: die and mesh0, nothing limited
domain() {
	files "sys/class/pmon/pkg$1-dom$2/" <<-END
	package_id $1
	domain_id $2
	cpus $3
	plr/version 0.1
	plr/die/reasons none
	plr/mesh0/reasons none
	plr/die/clear
	plr/mesh0/clear
	END
}

# tpmi MODE: of package 0, in which pmon_plr was loaded
tpmi() {
	put pkg0-tpmi0/package_id 0
	put pkg0-tpmi0/mode "$1"
}

# core PACKAGE DOMAIN MODULE CPUS REASONS
core() {
	files "sys/class/pmon/pkg$1-dom$2/plr/core$3/" <<-END
	cpus $4
	reasons $5
	clear
	END
}

# cpu CPU [PACKAGE DOMAIN MODULE]: with a link to its module
cpu() {
	mkdir -p "$root/sys/devices/system/cpu/cpu$1"
	[ $# = 1 ] || link "../../../../class/pmon/pkg$2-dom$3/plr/core$4" \
		"sys/devices/system/cpu/cpu$1/plr"
}

# pauses: no time passes in this tree, and nothing happens meanwhile
pauses() {
	put sbin/pause ''
}

# passing [MS]: what happens meanwhile is on standard input, $from and $to are the time in
# milliseconds before and after, $class is the class directory; pmonctl ends after so long
passing() {
	pauses
	{
		# shellcheck disable=SC2016
		printf '%s\n' '#!/bin/sh' 'root=${0%/sbin/pause} from=$1 to=$2' \
			'class=$root/sys/class/pmon'
		cat
		[ $# = 0 ] || echo "[ \$to -lt $1 ] || kill \$PPID"
	} >"$root/sbin/pause"
	chmod +x "$root/sbin/pause"
}
