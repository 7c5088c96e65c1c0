# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# Fake sysfs trees. Every function works below $root, a new directory.

class() {
	printf '%s' "$root/sys/class/pmon"
}

# directories DIR...: they are there; a process only for those that were not
directories() {
	for each_dir; do
		[ -d "$each_dir" ] || { mkdir -p "$@"; break; }
	done
}

# files [DIR/]: each line of standard input is the path of a file below that of $root, and
# what is in it; $ is nothing
files() {
	missing=
	table=
	while read -r path value; do
		path=$root/${1-}$path
		[ -d "${path%/*}" ] || missing=$missing${path%/*}$nl
		table="$table$path	$value$nl"
	done
	IFS=$nl
	set -f
	# shellcheck disable=SC2086 # a line is one
	[ -z "$missing" ] || mkdir -p $missing
	for line in $table; do
		value=${line#*	}
		{ [ "$value" = '$' ] || printf '%s\n' "$value"; } >"${line%%	*}"
	done
	set +f
	unset IFS
}

# unreadable FILE...: a directory is in the place of each, which no user can read
unreadable() {
	rm -f "$@"
	mkdir "$@"
}

# paranoid LEVEL: of kernel.perf_event_paranoid
paranoid() {
	directories "$root/proc/sys/kernel"
	echo "$1" >"$root/proc/sys/kernel/perf_event_paranoid"
}

# loaded MODULE
loaded() {
	directories "$root/sys/module/$1"
}

# live MODULE: loaded, and not built in
live() {
	loaded "$1"
	echo live >"$root/sys/module/$1/initstate"
	echo 0 >"$root/sys/module/$1/refcnt"
}

# parameter MODULE NAME VALUE: as the module was loaded
parameter() {
	directories "$root/sys/module/$1/parameters"
	echo "$3" >"$root/sys/module/$1/parameters/$2"
}

# adopted AREA...: on every boot
adopted() {
	directories "$root/etc/modprobe.d"
	for area; do
		: >"$root/etc/modprobe.d/openpmon-$area.conf"
	done
}

# uptime SECONDS: what /proc/uptime says
uptime() {
	directories "$root/proc"
	echo "$1.00 5.00" >"$root/proc/uptime"
}

# node NUMBER CPULIST: of NUMA
node() {
	directories "$root/sys/devices/system/node/node$1"
	echo "$2" >"$root/sys/devices/system/node/node$1/cpulist"
}

# installed MODULE...: no others are, for the kernel of this tree, 6.18-tree
installed() {
	directories "$root/proc/sys/kernel" "$root/lib/modules/6.18-tree"
	echo 6.18-tree >"$root/proc/sys/kernel/osrelease"
	for module; do
		echo "updates/$module.ko.xz: kernel/needed.ko"
	done >"$root/lib/modules/6.18-tree/modules.dep"
}

# limits: the device that the kernel's TPMI core makes of what records limits
limits() {
	directories "$root/sys/bus/auxiliary/devices/intel_vsec.tpmi-plr.0"
}

# put PATH TEXT...: one file below the class directory
put() {
	path=$root/sys/class/pmon/$1
	shift
	directories "${path%/*}"
	printf '%s\n' "$@" >"$path"
}

# pci ADDRESS VENDOR DEVICE
pci() {
	directories "$root/sys/bus/pci/devices/$1"
	echo "$2" >"$root/sys/bus/pci/devices/$1/vendor"
	echo "$3" >"$root/sys/bus/pci/devices/$1/device"
}

# config FUNCTION BYTES [CAPABILITY]: its configuration space, with such an extended
# capability at its place, as %b of printf takes it
config() {
	file=$root/sys/bus/pci/devices/$1/config
	head -c "$2" /dev/zero >"$file"
	[ $# = 2 ] || printf '%b' "$3" | dd of="$file" bs=1 seek=256 conv=notrunc status=none
}

# expander [DRIVER]: the function of a CXL memory device
expander() {
	pci 0000:c1:00.0 0x8086 0x0d93
	echo 0x050210 >"$root/sys/bus/pci/devices/0000:c1:00.0/class"
	[ -z "${1-}" ] || ln -s "../../../drivers/$1" "$root/sys/bus/pci/devices/0000:c1:00.0/driver"
}

# memory NAME ADDRESS SERIAL: a CXL memory device
memory() {
	directories "$root/sys/devices/pci0000:c0/$2/$1" "$root/sys/bus/cxl/devices"
	echo "$3" >"$root/sys/devices/pci0000:c0/$2/$1/serial"
	ln -s "../../../devices/pci0000:c0/$2/$1" "$root/sys/bus/cxl/devices/$1"
}

# cpmu PMU SERIAL EVENT...: a PMU; without a serial number it is not openpmon's
cpmu() {
	pmu=$root/sys/bus/event_source/devices/$1
	directories "$pmu/events"
	[ -z "$2" ] || echo "$2" >"$pmu/serial"
	shift 2
	for event; do
		echo config=0x1e98000000000001 >"$pmu/events/$event"
	done
}

# discovery PACKAGE: an empty discovery device
discovery() {
	files "sys/class/pmon/pkg$1-uncore0/" <<-END
	package_id $1
	owner openpmon
	mode on
	platform spr
	fingerprint 0123456789abcdef
	units $
	rejected $
	END
}

# spr: a host with one memory controller, and nothing else is known of it
spr() {
	discovery 0
	unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
}

# unit PACKAGE WORDS...: one line of units; rejected likewise
unit() {
	dev=pkg$1-uncore0
	shift
	echo "$*" >>"$root/sys/class/pmon/$dev/units"
}

rejected() {
	dev=pkg$1-uncore0
	shift
	echo "$*" >>"$root/sys/class/pmon/$dev/rejected"
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
	plr/die/clear $
	plr/mesh0/clear $
	END
}

# tpmi PACKAGE MODE
tpmi() {
	put "pkg$1-tpmi0/package_id" "$1"
	put "pkg$1-tpmi0/mode" "$2"
}

# core PACKAGE DOMAIN MODULE CPUS REASONS
core() {
	files "sys/class/pmon/pkg$1-dom$2/plr/core$3/" <<-END
	cpus $4
	reasons $5
	clear $
	END
}

# cpu CPU [PACKAGE DOMAIN MODULE]: with a link to its module
cpu() {
	dir=$root/sys/devices/system/cpu/cpu$1
	directories "$dir"
	[ $# = 1 ] ||
		ln -s "../../../../class/pmon/pkg$2-dom$3/plr/core$4" "$dir/plr"
}

# pauses: no time passes in this tree, and nothing happens meanwhile
pauses() {
	directories "$root/sbin"
	: >"$root/sbin/pause"
}

# passing: what happens meanwhile is on standard input; $1 is the time in
# milliseconds before, $2 that after, $from and $to likewise, $class the class directory
passing() {
	directories "$root/sbin"
	{
		echo '#!/bin/sh'
		# shellcheck disable=SC2016
		echo 'root=${0%/sbin/pause} from=$1 to=$2; class=$root/sys/class/pmon'
		# shellcheck disable=SC2016
		echo 'put() { echo "$2" >"$root/$1"; }'
		while IFS= read -r line; do
			printf '%s\n' "$line"
		done
	} >"$root/sbin/pause"
	chmod +x "$root/sbin/pause"
}
