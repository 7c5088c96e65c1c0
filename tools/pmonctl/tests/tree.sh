# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034,SC2119,SC2120
# Define functions that make fake sysfs trees below $root, a new directory.

version=${OPENPMON_VERSION-0.9.0}

nothing() {
	:
}

# at ROOT: set $root and the paths below it
at() {
	root=$1
	class=$root/sys/class/pmon
	pmus=$root/sys/bus/event_source/devices
	functions=$root/sys/bus/pci/devices
	kernel=$root/lib/modules/6.18-tree
	export PMONCTL_TREE="$root"
}

# put PATH LINE...: make a file below $root, or below a device of the class, a PMU or a PCI
# function if PATH begins with one
put() {
	case $1 in
	pkg*) path=$class/$1 ;;
	uncore_* | cxl_pmu_* | plr/*) path=$pmus/$1 ;;
	0000:*) path=$functions/$1 ;;
	*) path=$root/$1 ;;
	esac
	shift
	[ -d "${path%/*}" ] || mkdir -p "${path%/*}"
	printf '%s\n' "$@" >"$path"
}

# files [DIR/]: make a file for each line of standard input, which has its path and contents
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

# unreadable FILE...: replace files by directories, which no user can read
unreadable() {
	rm -f "$@"
	mkdir "$@"
}

# paranoid LEVEL: set kernel.perf_event_paranoid
paranoid() {
	put proc/sys/kernel/perf_event_paranoid "$1"
}

# live MODULE...: make MODULEs loaded, ours in pmonctl's version; `unload MODULE...` removes them
live() {
	for module; do
		[ "${module#pmon}" = "$module" ] || put "sys/module/$module/version" "$version"
		put "sys/module/$module/initstate" live
		put "sys/module/$module/refcnt" 0
	done
}

unload() {
	for module; do
		rm -r "$root/sys/module/$module"
	done
}

# parameter MODULE NAME VALUE: set a parameter of a loaded module
parameter() {
	put "sys/module/$1/parameters/$2" "$3"
}

# nodes CPULIST...: make NUMA nodes
nodes() {
	number=0
	for list; do
		put "sys/devices/system/node/node$number/cpulist" "$list"
		number=$((number + 1))
	done
}

# listed: run depmod, without its warnings about empty module files
listed() {
	PATH=$PATH:/usr/sbin:/sbin depmod -b "$root" 6.18-tree 2>/dev/null
}

# installed MODULE...: make the installed modules of the tree's kernel, 6.18-tree
installed() {
	put proc/sys/kernel/osrelease 6.18-tree
	rm -rf "$kernel"
	mkdir -p "$kernel/updates"
	for module; do
		: >"$kernel/updates/$module.ko.xz"
	done
	listed
}

# limits: make the auxiliary device for performance limits
limits() {
	mkdir -p "$root/sys/bus/auxiliary/devices/intel_vsec.tpmi-plr.0"
}

# pci ADDRESS VENDOR DEVICE [DRIVER]
pci() {
	put "$1/vendor" "$2"
	put "$1/device" "$3"
	[ -z "${4-}" ] || ln -s "../../../drivers/$4" "$functions/$1/driver"
}

# discovery_function: make the PCI function whose capabilities lead to discovery tables
discovery_function() {
	pci 0000:00:03.1 0x8086 0x09a7
}

# config_space BYTES [CAPABILITY]: make the discovery function's configuration space with an
# extended capability; CAPABILITY is an argument for %b of printf
config_space() {
	discovery_function
	config=$functions/0000:00:03.1/config
	head -c "$1" /dev/zero >"$config"
	printf '\2' | dd of="$config" bs=1 seek=4 conv=notrunc status=none	# decodes memory
	printf '%b' "${2-}" | dd of="$config" bs=1 seek=256 conv=notrunc status=none
}

# expander [DRIVER]: make the function of a CXL memory device
expander() {
	pci 0000:c1:00.0 0x8086 0x0d93 "${1-}"
	put 0000:c1:00.0/class 0x050210
}

# locates BLOCK: in the expander's configuration space, make a register locator with the
# component registers and a block, whose identifier BLOCK is octal
locates() {
	config=$functions/0000:c1:00.0/config
	head -c 4096 /dev/zero >"$config"
	printf '%b' "\\0043\\0\\01\\0\\0230\\036\\0300\\01\\010\\0\\0\\0\\0\\01\\0\\0\\0\\0\\0\\0\\02\\0$1" |
		dd of="$config" bs=1 seek=256 conv=notrunc status=none
}

# memory NAME ADDRESS SERIAL: make a CXL memory device
memory() {
	put "sys/devices/pci0000:c0/$2/$1/serial" "$3"
	link "../../../devices/pci0000:c0/$2/$1" "sys/bus/cxl/devices/$1"
}

# region NUMBER MEMORY ADDRESS: make a CXL region with the memory of a device
region() {
	put "sys/bus/cxl/devices/region$1/resource" "$3"
	put "sys/bus/cxl/devices/region$1/target0" "decoder2$1.0"
	mkdir -p "$root/sys/devices/platform/root0/endpoint2$1/decoder2$1.0"
	link "../../../devices/platform/root0/endpoint2$1/decoder2$1.0" \
		"sys/bus/cxl/devices/decoder2$1.0"
	link "../../$2" "sys/bus/cxl/devices/endpoint2$1/uport"
}

# discovery PACKAGE: make a discovery device without units
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

# spr: make a host with one memory controller
spr() {
	discovery 0
	unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
}

# unit PACKAGE WORDS...: add a line to the file `units`
unit() {
	units=$class/pkg$1-uncore0/units
	shift
	echo "$*" >>"$units"
}

# domain PACKAGE DOMAIN CPUS: make a die without limits, and a mesh without a file `reasons`
domain() {
	files "sys/class/pmon/pkg$1-dom$2/" <<-END
	package_id $1
	domain_id $2
	cpus $3
	plr/version 0.1
	plr/die/reasons none
	plr/die/clear
	plr/mesh0/clear
	END
}

# tpmi MODE: set the mode of pmon_plr's device of package 0
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

# cpu CPU PACKAGE DOMAIN MODULE: make a CPU with a link to its module
cpu() {
	link "../../../../class/pmon/pkg$2-dom$3/plr/core$4" "sys/devices/system/cpu/cpu$1/plr"
}

# pauses: let time pass in the tree, without changes
pauses() {
	put sbin/pause ''
}

# passing [MS]: run the script on standard input in each pause, and end pmonctl after MS. In the
# script, $from and $to are the times in ms before and after the pause, $class the class directory
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

# ends MS [COMMAND]: let $job, the job of pmonctl stat, run COMMAND and end at MS of the tree's time
job="sh $tmp/job"
ends() {
	[ -x "$root/sbin/pause" ] || passing </dev/null
	cat >>"$root/sbin/pause" <<-END
	[ \$to = $1 ] || exit 0
	cd '$tmp'
	until read -r job <job-pid; do sleep 0.01; done 2>/dev/null
	echo '${2-:}' >job-ends.new && mv job-ends.new job-ends
	until grep -q '^State:.*zombie' /proc/\$job/status; do sleep 0.01; done
	rm job-pid job-ends
	END
}
cat >"$tmp/job" <<'END'
at=${0%/*}
echo $$ >"$at/job-pid"
until [ -e "$at/job-ends" ]; do sleep 0.01; done
. "$at/job-ends"
END

# pmu NAME TERM=FORMAT...: make a PMU of the kernel
pmu() {
	pmu=$1
	mkdir -p "$pmus/$pmu/events"
	shift
	for term; do
		put "$pmu/format/${term%%=*}" "${term#*=}"
	done
}

# ---- trees with events that count for half of the time, at the rates in $root/counts

# box PMU TYPE CPUS EVENT=CONFIG[*SCALE]...: make a PMU; CONFIG is the event's number in hexadecimal
box() {
	pmu "$1" event=config:0-7
	put "$1/type" "$2"
	put "$1/cpumask" "$3"
	shift 3
	for event; do
		name=${event%%=*}
		config=${event#*=}
		echo "event=0x${config%\**}" >"$pmus/$pmu/events/$name"
		case $event in
		*\**)
			echo "${event#*\*}" >"$pmus/$pmu/events/$name.scale"
			echo MiB >"$pmus/$pmu/events/$name.unit" ;;
		esac
	done
}

# rates: add rates per millisecond, from lines "TYPE CPU CONFIG=RATE..." on standard input
rates() {
	while read -r type cpu events; do
		for event in $events; do
			echo "$type ${event%=*} $cpu ${event#*=}"
		done
	done >>"$root/counts"
}

# recount TYPE CONFIG CPU RATE...: change the rates of an event
recount() {
	sed -i "s/^$1 $2 $3 .*/$*/" "$root/counts"
}

topology() {
	put "sys/devices/system/cpu/cpu$1/topology/physical_package_id" "$2"
}

# cxl_pmu TYPE PMU RATE: make a CXL PMU that counts RATE lines of 64 bytes read a ms, none written
cxl_pmu() {
	box "$2" "$1" 0
	echo config=0x1e9800250001 >"$pmus/$2/events/s2m_drs_memdata"
	echo config=0x1e9800210002 >"$pmus/$2/events/m2s_rwd_memwr"
	echo "$1 0 1e9800250001=$3 1e9800210002=0" | rates
}

# moving [latency]: make two packages, each with two memory controllers and a link; make a stack
# and a CXL device. With `latency` the device times requests. A controller has events for both
# of its halves. A count is 64 bytes in the CXL device, elsewhere a quarter of a MiB.
moving() {
	discovery_function
	mkdir -p "$class"
	pauses
	topology 0 0
	topology 8 1
	for i in 0 10; do
		box uncore_imc_$i $((20 + i)) 0,8 clockticks=1 \
			'cas_count_read_sch0=5*0.25' 'cas_count_read_sch1=6*0.25' \
			'cas_count_write_sch0=7*0.25' 'cas_count_write_sch1=8*0.25'
	done
	box uncore_upi_0 50 0,8 'rx_data=3*0.25' 'tx_data=2*0.25'
	box uncore_iio_free_running_3 60 0 'bw_in_port0=20*0.25' 'bw_out_port7=37*0.25'
	cxl_pmu 70 cxl_pmu_mem0.0 16384
	echo config=0x1e9800250002 >"$pmus/cxl_pmu_mem0.0/events/s2m_drs_memdatanxm"
	rates <<-'END'
	20 0 5=8 6=0 7=0 8=0
	20 8 5=8 6=0 7=0 8=8
	30 0 5=8 6=40 7=0 8=0
	30 8 5=8 6=40 7=0 8=8
	50 0 3=4 2=40
	50 8 3=0 2=0
	60 0 20=1 37=2
	END
	[ $# = 0 ] || while read -r event config rate; do
		echo "config=0x$config" >"$pmus/cxl_pmu_mem0.0/events/$event"
		echo "70 0 $config=$rate" | rates
	done <<-'END'
	clock_ticks 1e9800000001 2000000
	m2s_req_resid_cnt 1e9800310001 3400000
	m2s_req_completed 1e98002000ff 10000
	m2s_rwd_resid_cnt 1e9800310002 0
	m2s_rwd_all 1e98002100ff 0
	END
}

# left_to DRIVER: make two packages whose boxes DRIVER drives
left_to() {
	for p in 0 1; do
		discovery $p
		for each in '6 imc' '8 upi' '2 iio'; do
			unit $p "$each" 0 mmio 0x1000 4+1 48 - "$1"
		done
	done
}

# goes_off FROM TO END: take the second package offline from FROM to TO ms; end pmonctl at END ms
goes_off() {
	moving
	left_to openpmon
	unit 1 6 imc 10 mmio 0x1 4 48 uncore_imc_10 openpmon
	put sys/devices/system/cpu/online 0,8
	passing "$3" <<-END
	cpus() {
		for mask in "\$root"/sys/bus/event_source/devices/uncore_*/cpumask; do
			case \$mask in *free*) ;; *) echo \$1 >\$mask ;; esac
		done
		echo \$1 >"\$root/sys/devices/system/cpu/online"
	}
	[ \$to != $1 ] || { cpus 0; mkdir -p "\$root/offline"; : >"\$root/offline/8"; }
	[ \$to != $2 ] || { cpus 0,8; rm -r "\$root/offline"; }
	END
}

# events_of_kernel: remove the events of links and stacks that intel_uncore lacks
events_of_kernel() {
	rm "$pmus/uncore_upi_0/events"/* "$pmus/uncore_iio_free_running_3/events"/bw_out*
}

# stands_still: set all rates of the package of CPU 8 to 0, as if its boxes were frozen
stands_still() {
	sed -i -E 's/^([235]0 [0-9a-f]+ 8) .*/\1 0/' "$root/counts"
}

# ---- trees with the kernel's drivers and openpmon's, where modprobe, insmod and rmmod log
# their arguments

# adoption: print the file that `pmonctl adopt uncore` writes
adoption() {
	printf '%s\n' '# Written by pmonctl adopt; pmonctl release removes it.' \
		'options intel_uncore uncore_no_discover=1'
}

# handles MODULE...: make loaded modules, and modprobe, insmod and rmmod, which log their calls
handles() {
	mkdir -p "$root/run" "$root/etc/modprobe.d" "$root/sbin"
	for name in modprobe insmod rmmod; do
		cp "$tmp/modprobe" "$root/sbin/$name"
	done
	live "$@"
	installed "$@"
}

# contested: make a host with openpmon and intel_uncore loaded; intel_uncore has the boxes
contested() {
	handles pmon pmon_uncore intel_uncore
	installed pmon pmon_uncore pmon-plr intel_uncore intel-plr-tpmi
	discovery_function
	discovery 0
	put pkg0-uncore0/owner intel_uncore
	unit 0 6 imc 0 mmio 0x1 4 48 - intel_uncore
	for i in 0 1; do
		pmu uncore_imc_$i event=config:0-7 umask=config:8-15 edge=config:18
		files uncore_imc_$i/events/ <<-'END'
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

cat >"$tmp/modprobe" <<'END'
#!/bin/sh
# Load and unload modules in the tree. A call fails if $root/fails lists it.
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
chmod +x "$tmp/modprobe"
