# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016,SC2034
# pmonctl doctor.

# healthy NAME: nothing to complain about
healthy() {
	new_tree "doctor-$1"
	pci 0000:00:03.1 0x8086 0x09a7
	pci 0000:00:04.0 0x8086 0x1234
	ln -s ../../../drivers/intel_vsec "$root/sys/bus/pci/devices/0000:00:03.1/driver"
	echo D0 >"$root/sys/bus/pci/devices/0000:00:03.1/power_state"
	live pmon_uncore
	live pmon_plr
	limits
	installed pmon_uncore pmon_plr
	paranoid 0
	discovery 0
	unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
	domain 0 0 0-1
	core 0 0 0 0-1 none
}

healthy well
run 0 doctor --verbose && silent && sed -i '/^Next: /d' "$tmp/out" && prints <<-'END'
ok  0000:00:03.1  present, driver intel_vsec
ok  pmon_uncore   loaded, 0 users
ok  pmon_plr      loaded, 0 users
ok  boxes         1 driven by openpmon
ok  pkg0-dom0     1 module, the die says: none
ok  perf          everybody may count
END
verdict $? "doctor: a healthy host"
run 0 doctor --json && is_json && silent
verdict $? "doctor: --json is JSON"

# finds STATUS NAME TEXT CODE
finds() {
	healthy "$2"
	eval "$4"
	run "$1" doctor --verbose && grep -qE "$3" "$tmp/out" && return 0
	sed 's/^/# /' "$tmp/out"
	return 1
}

# shows WHAT STATUS TEXT CODE [LACKS]: the same, in a host of its own, and no line LACKS
shows() {
	hosts=$((${hosts:-0} + 1))
	finds "$2" "host$hosts" "$3" "$4" &&
		{ [ $# = 4 ] || ! grep -q "$5" "$tmp/out"; }
	verdict $? "doctor: $1"
}

at='$root/sys/bus/pci/devices/0000:00:03.1'
shows "a device that a virtual machine has" 1 '^problem .*bound to vfio-pci' \
	'ln -sfn ../../../drivers/vfio-pci '"$at/driver"
shows "a device that sleeps" 1 '^problem .*asleep \(D3hot\)' "echo D3hot >$at/power_state"
shows "a module that is not loaded" 1 '^problem .*not loaded; modprobe pmon_plr' \
	'rm -r $root/sys/module/pmon_plr'
# for_device PATTERN: what pmon_plr is for is not on this host, nor loaded
for_device() {
	rm -r "$root/sys/module/pmon_plr" "$root/sys/bus/auxiliary" "$(class)/pkg0-dom0"
	printf 'alias %s %s\n' pci:v00008086d000009A7 pmon_uncore "$1" pmon_plr \
		>"$root/lib/modules/6.18-tree/modules.alias"
}
shows "nothing is for a module where nothing records limits" 0 '^ok .*pmon_uncore .*loaded' \
	'for_device auxiliary:intel_vsec.tpmi-plr' pmon_plr
shows "where the kernel has no TPMI, the function itself is its device" 1 \
	'^problem .*not loaded; modprobe pmon_plr' \
	'for_device pci:v00008086d000009A7sv*sd*bc*sc*i*'
shows "a module that is not installed" 1 '^problem .*no such module for kernel .*install' \
	'rm -r $root/sys/module/pmon_plr; installed pmon_uncore'
shows "a tree that does not say which kernel it is of" 1 \
	'^problem .*osrelease, which would tell .* cannot be read' \
	'rm -r $root/sys/module/pmon_plr $root/proc/sys/kernel/osrelease'
shows "a kernel whose name is a path" 1 \
	'^problem .*osrelease, which would tell .* cannot be read' \
	'rm -r $root/sys/module/pmon_plr; echo ../.. >$root/proc/sys/kernel/osrelease'
shows "signatures are wanted" 0 '^note .*signed modules only' \
	'mkdir -p $root/sys/kernel/security; echo "none [integrity] confidentiality" >$root/sys/kernel/security/lockdown'
shows "what no source says of Diamond Rapids" 0 \
	'^ok .*controls .*taken to be 8 bytes apart.*with controls=4' \
	'put pkg0-uncore0/platform dmr; parameter pmon_uncore controls 8'
shows "boxes of another driver" 0 '^note .*1 left to intel_uncore; pmonctl adopt uncore' \
	'unit 0 6 imc 1 mmio 0x1 4 48 - intel_uncore'
shows "boxes of nobody" 0 \
	'^note .*1 listed, and not driven; rmmod pmon_uncore && modprobe pmon_uncore mode=on uses them all the same: the module was loaded with mode=observe' \
	'unit 0 6 imc 1 mmio 0x1 4 48 - -; put pkg0-uncore0/mode observe'
shows "a package whose boxes are all frozen" 1 '^problem .*pkg0-uncore0 .*every count is 0' \
	'put pkg0-uncore0/global_control 0x0000000000000001'
shows "rejected units" 1 '^problem .*1 rejected' 'rejected 0 6 4 width 0x7f wide'
shows "limits that cannot be read" 1 '^problem .*pkg0-dom0 .*cannot be read' \
	'rm "$(class)/pkg0-dom0/plr/die/reasons"'
shows "a mailbox that does not answer, though the die does" 1 \
	'^problem .*pkg0-dom0 .*the modules cannot be read \(EISDIR\)' \
	'rm "$(class)/pkg0-dom0/plr/core0/reasons"; mkdir "$(class)/pkg0-dom0/plr/core0/reasons"' \
	'^ok .*pkg0-dom0'
shows "limits of another driver" 0 '^note .*limits .*left to intel_plr_tpmi; pmonctl adopt plr' \
	'rm -r "$(class)/pkg0-dom0"; live intel_plr_tpmi'

# ---- CXL memory devices
# cxl_host DRIVER [UNBOUND]: one of them, and pmon_cxl
cxl_host() {
	expander "$1"
	echo '(null)' >"$root/sys/bus/pci/devices/0000:c1:00.0/driver_override"
	parameter pmon_cxl unbound "${2:-0}"
}
# cpmu_device [DRIVER]: the device of its first CPMU, on a bus that pmon_cxl is on
cpmu_device() {
	mkdir -p "$root/sys/bus/cxl/devices/pmu_mem0.0" \
		"$root/sys/bus/cxl/drivers/pmon_cxl"
	[ -z "$1" ] || ln -s "../../drivers/$1" \
		"$root/sys/bus/cxl/devices/pmu_mem0.0/driver"
}
shows "a CXL memory device" 0 '^ok .*0000:c1:00.0 .*present, driver cxl_pci' \
	'cxl_host cxl_pci; cpmu_device pmon_cxl' pmu_mem
shows "one of another class, which cxl_pci was told to have" 0 \
	'^ok .*0000:c1:00.0 .*present, driver cxl_pci' \
	'cxl_host cxl_pci; echo 0x050200 >$root/sys/bus/pci/devices/0000:c1:00.0/class'
shows "one without our module" 0 '^note .*0000:c1:00.0 .*modprobe pmon_cxl' \
	'cxl_host cxl_pci; rm -r $root/sys/module/pmon_cxl'
shows "one without a driver" 0 '^note .*0000:c1:00.0 .*pmon_cxl with unbound=1' 'cxl_host ""'
shows "one without a driver, which is asked for" 0 '^ok .*0000:c1:00.0 .*loaded with unbound=1' \
	'cxl_host "" 1'
shows "one that a virtual machine has" 0 '^note .*0000:c1:00.0 .*bound to vfio-pci' \
	'cxl_host vfio-pci'
shows "one that is meant for a virtual machine" 0 '^note .*0000:c1:00.0 .*meant for vfio-pci' \
	'cxl_host cxl_pci; echo vfio-pci >$root/sys/bus/pci/devices/0000:c1:00.0/driver_override'
shows "one that is meant for cxl_pci, and has it" 0 \
	'^ok .*0000:c1:00.0 .*present, driver cxl_pci' \
	'cxl_host cxl_pci; echo cxl_pci >$root/sys/bus/pci/devices/0000:c1:00.0/driver_override'
shows "one that is meant for cxl_pci, and has no driver" 0 \
	'^note .*0000:c1:00.0 .*meant for cxl_pci' \
	'cxl_host ""; echo cxl_pci >$root/sys/bus/pci/devices/0000:c1:00.0/driver_override'
shows "a CPMU of the kernel's driver" 0 '^note .*pmu_mem0.0 .*left to cxl_pmu' \
	'cxl_host cxl_pci; cpmu_device cxl_pmu'
shows "one of it, and pmon_cxl, which would not get it, is not loaded" 0 \
	'^note .*pmu_mem0.0 .*left to cxl_pmu; pmonctl adopt cxl' \
	'cxl_host cxl_pci; cpmu_device cxl_pmu; live cxl_pmu; rm -r $root/sys/module/pmon_cxl $root/sys/bus/cxl/drivers/pmon_cxl' \
	'modprobe pmon_cxl'
shows "CPMUs that were adopted" 0 '^ok .*cxl .*adopted, by ' \
	"cxl_host cxl_pci; cpmu_device pmon_cxl; adopted cxl"
shows "CPMUs that were adopted, and the kernel's driver has one" 1 \
	'^problem .*cxl .*adopted, by .*, but pmon_cxl does not serve it, and cxl_pmu is loaded in its place; pmonctl adopt --persist cxl takes it over' \
	"cxl_host cxl_pci; cpmu_device cxl_pmu; live cxl_pmu; adopted cxl" '^ok .*cxl .*adopted'
shows "and pmon_cxl did not come" 1 \
	'^problem .*cxl .*adopted, by .*, but pmon_cxl is not loaded, and cxl_pmu is loaded in its place; pmonctl release' \
	"cxl_host cxl_pci; cpmu_device cxl_pmu; live cxl_pmu; rm -r \$root/sys/module/pmon_cxl; adopted cxl"
shows "CPMUs adopted on a host that has no CXL device" 0 \
	'^ok .*cxl .*adopted, by .*; this host has no CXL memory device' "adopted cxl"
shows "a CPMU of no driver" 0 '^note .*pmu_mem0.0 .*bound to no driver.*pmon_cxl/bind' \
	'cxl_host cxl_pci; cpmu_device ""'
for mode in observe off; do
	shows "a module that was loaded with mode=$mode" 0 \
		"^note .*0000:c1:00.0 .*rmmod pmon_cxl && modprobe pmon_cxl mode=on uses .*: the module was loaded with mode=$mode" \
		'cxl_host cxl_pci; cpmu_device ""; rm -r $root/sys/bus/cxl/drivers/pmon_cxl
		parameter pmon_cxl mode $mode' \
		'pmon_cxl/bind\|driver cxl_pci'
done
shows "a bus that the module could not join" 0 '^ok .*0000:c1:00.0 .*present, driver cxl_pci' \
	'cxl_host cxl_pci; cpmu_device ""; rm -r $root/sys/bus/cxl/drivers/pmon_cxl
	parameter pmon_cxl mode on' \
	pmu_mem
shows "a host with nothing else" 0 '^ok .*0000:c1:00.0 .*present' \
	'cxl_host cxl_pci; rm -r "$root"/sys/bus/pci/devices/0000:0* "$root"/sys/class/pmon' \
	pmon_uncore

# ---- the states of boxes on real servers
unfreeze() {
	parameter pmon_uncore unfreeze "$1"
}
one=0x0000000000000001
shows "boxes frozen together, and unfreeze=N" 1 \
	'^problem .*pkg0-uncore0 .*unfreeze=N keeps them so.*; load pmon_uncore without' \
	'put pkg0-uncore0/global frozen; unfreeze N'
shows "the same before the first event" 1 '^problem .*pkg0-uncore0 .*unfreeze=N keeps them so' \
	'put pkg0-uncore0/global unknown; put pkg0-uncore0/global_control $one; unfreeze N'
shows "boxes frozen together, until the first event" 0 \
	'^note .*pkg0-uncore0 .*as firmware left it; the first event that is opened lets them run' \
	'put pkg0-uncore0/global unknown; put pkg0-uncore0/global_control $one; unfreeze Y'
shows "boxes frozen together by another program while they count" 1 \
	'^problem .*pkg0-uncore0 .*every count is 0' \
	'put pkg0-uncore0/global running; put pkg0-uncore0/global_control $one; unfreeze Y'
shows "boxes frozen together, and left to a driver that does nothing about it" 1 \
	"^problem .*pkg0-uncore0 .*frozen by firmware; this kernel's intel_uncore leaves them so: every count is 0; pmonctl adopt uncore" \
	'unit 0 6 imc 1 mmio 0x1 4 48 - intel_uncore; put pkg0-uncore0/global unknown; put pkg0-uncore0/global_control $one; unfreeze Y' \
	'lets them run'
shows "boxes that run" 0 '^ok .*boxes' \
	'put pkg0-uncore0/global running; put pkg0-uncore0/global_control 0x0; unfreeze N' \
	pkg0-uncore0
shows "memory controllers that were refused" 1 \
	'^problem .*memory .*2 memory controllers refused: address 0xa8000000 outside .*; see the reasons' \
	'rejected 0 6 0 address 0xa8000000 outside every window; rejected 0 6 1 address 0xa8800000 outside every window; rejected 0 5 1 address 0x1 no'
# iomem FIRST-LAST: a window of a host bridge
iomem() {
	printf '%s\n' '00001000-0009ffff : System RAM' "$1 : PCI Bus 0000:00" \
		'  a7000000-a70fffff : 0000:00:03.1' >"$root/proc/iomem"
}
shows "memory controllers in a gap" 0 \
	'^ok .*memory .*1 memory controllers outside all windows of host bridges, accepted' \
	'unit 0 6 imc 1 mmio 0xa8222800 4+1 48 uncore_imc_1 openpmon; iomem 00000000-a7ffffff'
shows "memory controllers in a window" 0 '^ok .*boxes' \
	'unit 0 6 imc 1 mmio 0xa8222800 4+1 48 uncore_imc_1 openpmon; iomem 00000000-a8ffffff' \
	memory
shows "a memory map that a user cannot see" 0 '^ok .*boxes' 'iomem 00000000-00000000'
# disturbed PMU LINE...
disturbed() {
	mkdir -p "$root/sys/bus/event_source/devices/$1"
	shift_pmu=$1
	shift
	printf '%s\n' "$@" >"$root/sys/bus/event_source/devices/$shift_pmu/disturbed"
}
shows "boxes that another program disturbs" 0 \
	'^note .*uncore_cha_2 .*changed or reset by something else, 4 times in the boxes of 2 PMUs; find the other' \
	'disturbed uncore_cha_1 "0 0" "1 0"; disturbed uncore_cha_2 "0 3" "1 0"; disturbed uncore_imc_0 "0 1"'
shows "boxes that none does" 0 '^ok .*boxes' \
	'disturbed uncore_cha_1 "0 0" "1 0"; disturbed uncore_x nonsense -1' uncore_
shows "a box that does not respond" 1 \
	'^problem .*uncore_imc_0 .*1 of its boxes does not respond \(all ones\) and is not counted; see .no response. in troubleshooting' \
	'disturbed uncore_imc_0 "0 0" "1 0"; cd "$root/sys/bus/event_source/devices/uncore_imc_0" && printf "0 0\n1 1\n" >unresponsive'
shows "boxes that do" 0 '^ok .*boxes' \
	'disturbed uncore_imc_0 "0 0" "1 0"; cd "$root/sys/bus/event_source/devices/uncore_imc_0" && printf "0 0\n1 0\n" >unresponsive' \
	uncore_
# function 80:1e.3 of segment 0, and its box
shows "boxes whose function sleeps" 1 \
	'^problem .*0000:80:1e.3 .*function of uncore_upi_0 sleeps: its boxes do not count' \
	'unit 0 8 upi 0 pci 0x880f3318 4 48 uncore_upi_0 openpmon; pci 0000:80:1e.3 0x8086 0x3241; echo D3hot >$root/sys/bus/pci/devices/0000:80:1e.3/power_state'
finds 1 gone '^problem .*0000:80:1e.3 .*function of uncore_upi_0 is gone' \
	'unit 0 8 upi 0 pci 0x880f3318 4 48 uncore_upi_0 openpmon; unit 0 8 upi 1 pci 0x880f3318 4 48 uncore_upi_1 openpmon'
[ "$(grep -c 1e.3 "$tmp/out")" = 1 ]
verdict $? "doctor: boxes whose function is gone, once"
# ---- sub-NUMA clusters
# clusters MASK NODE0 L3 NODE...: packages of six CPUs, with CPU 0's node and
# cache as these lists say, and the other nodes' CPUs
clusters() {
	put pkg0-uncore0/platform gnr
	for cha in 0 1 2; do
		mkdir -p "$root/sys/bus/event_source/devices/uncore_cha_$cha"
		echo "$1" >"$root/sys/bus/event_source/devices/uncore_cha_$cha/cpumask"
	done
	sys=$root/sys/devices/system
	mkdir -p "$sys/cpu/cpu0/cache/index3"
	echo "$3" >"$sys/cpu/cpu0/cache/index3/shared_cpu_list"
	for cpu in 0 1 2 3 4 5 6 7 8 9 10 11; do
		mkdir -p "$sys/cpu/cpu$cpu/topology"
		echo $((cpu / 6 * 6))-$((cpu / 6 * 6 + 5)) \
			>"$sys/cpu/cpu$cpu/topology/package_cpus_list"
	done
	list=$2
	shift 3
	node=0
	for list in "$list" "$@"; do
		node $node "$list"
		node=$((node + 1))
	done
}
mistaken='^note .*nodes .*3 NUMA nodes in each package, and perf 6.16 .*: '
shows "sub-NUMA clusters" 0 \
	'^ok .*nodes .*3 NUMA nodes in each package: perf 6.16 and later knows' \
	'clusters 0,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11'
shows "and a CPU that is offline in the first package" 0 \
	"${mistaken}it takes them for more or fewer, as CPUs are offline; count with" \
	'clusters 0,6 0-1 0-4 2-3 4 6-7 8-9 10-11'
shows "and a cpumask without CPU 0" 0 "${mistaken}CPU 0 is not in the PMUs' cpumask" \
	'clusters 1,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11'
shows "and the first CPU of a node offline" 0 \
	"${mistaken}the CPUs it looks for are offline, or in other nodes" \
	'clusters 0,6 0-1 0-5 2-3 4-5 6-7 9 10-11'
shows "and a whole node offline" 0 \
	"${mistaken}the CPUs it looks for are offline, or in other nodes" \
	'clusters 0,8 0-1 0-5 2-3 4-5 "" 8-9 10-11'
shows "nodes numbered across packages" 0 \
	'^note .*2 NUMA nodes in each package.*: the CPUs it looks for' \
	'clusters 0,6 0-2 0-5 6-8 3-5 9-11; rm -r $root/sys/bus/event_source/devices/uncore_cha_2'
shows "two CHAs in three nodes" 0 "${mistaken}their number does not divide that of the CHAs" \
	'clusters 0,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11; rm -r $root/sys/bus/event_source/devices/uncore_cha_2'
shows "a CHA that one package only has" 0 "${mistaken}not every package has each of the boxes" \
	'clusters 0,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11; echo 0 >$root/sys/bus/event_source/devices/uncore_cha_2/cpumask'
shows "six nodes in a package" 0 '^note .*6 NUMA nodes in each package.*: it knows up to three' \
	'clusters 0,6 0 0-5 1 2 3 4 5 6-11'
shows "one node in each package" 0 '^ok .*boxes' 'clusters 0,6 0-5 0-5 6-11' nodes
shows "clusters of a platform that perf does not know them of" 0 '^ok .*boxes' \
	'clusters 1,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11; put pkg0-uncore0/platform spr' nodes

# card FUNCTION: a function of the same kind behind bridges
card() {
	real=$root/sys/devices/pci0000:40/0000:40:01.0/0000:41:00.0/$1
	mkdir -p "$real" "$root/sys/bus/pci/devices"
	echo 0x8086 >"$real/vendor"
	echo 0x09a7 >"$real/device"
	ln -s "../../../devices/pci0000:40/0000:40:01.0/0000:41:00.0/$1" \
		"$root/sys/bus/pci/devices/$1"
}
shows "the table of a card" 0 '^note .*0000:42:01.0 .*on a card, such as a GPU: .* ignored' \
	'card 0000:42:01.0'
new_tree doctor-card
card 0000:42:01.0
run 77 doctor --verbose && run 77 list
verdict $? "doctor: a card alone is no supported hardware"
real=$root/sys/devices/pci0000:00/0000:00:03.1
mkdir -p "$real"
echo 0x8086 >"$real/vendor"
echo 0x09a7 >"$real/device"
ln -s ../../../devices/pci0000:00/0000:00:03.1 "$root/sys/bus/pci/devices/0000:00:03.1"
run 1 doctor --verbose && grep -q '^ok .*0000:00:03.1 .*present' "$tmp/out"
verdict $? "doctor: a function of the host itself"

shows "who may count" 0 '^note .*perf_event_paranoid is 2' 'paranoid 2'
shows "what was adopted" 0 '^ok .*uncore .*adopted, by .*/etc/modprobe.d/openpmon-uncore.conf' \
	'adopted uncore'
new_tree doctor-none
run 77 doctor --verbose
verdict $? "doctor: no supported hardware is 77"
rm -r "$root/sys"
run 2 doctor --verbose && complains '/sys: not here' && run 2 list && complains '/sys: not here'
verdict $? "doctor: a container without /sys"

# ---- functions without a table: a DVSEC of kind 1 leads to one, a VSEC of kind
# 66 to TPMI, whose registers may be those of limits
table='\0043\0000\0001\0000\0206\0200\0001\0001\0001\0000'
tpmi='\0013\0000\0001\0000\0102\0000\0001\0001\0000\0000'
other='\0043\0000\0001\0000\0206\0200\0001\0001\0002\0000'
foreign='\0043\0000\0001\0000\0206\0201\0001\0001\0001\0000'
bare_host() {
	new_tree "$1"
	pci 0000:00:03.1 0x8086 0x09a7
	shift
	config 0000:00:03.1 "$@"
}
bare_host doctor-table 4096 "$table"
run 1 doctor --verbose && grep -q '^problem .*pmon_uncore' "$tmp/out"
verdict $? "doctor: a table that is not served"
for capability in "$other" "$foreign"; do
	bare_host doctor-other 4096 "$capability"
	run 77 doctor --verbose && complains 'neither a table' && run 77 list
	verdict $? "doctor: a function with neither tables nor TPMI"
done
bare_host doctor-tpmi 4096 "$tpmi"
run 1 doctor --verbose && grep -q '^problem  *tables .*firmware hides it' "$tmp/out" &&
	! grep -q 'modprobe pmon_uncore' "$tmp/out"
verdict $? "doctor: TPMI, and no table"
bare_host doctor-short 256
run 1 doctor --verbose && grep -q '^problem  *PCI .*256 bytes.*pci=nommconf' "$tmp/out" &&
	! grep -q 'modprobe' "$tmp/out" && run 2 list && complains 'pci=nommconf'
verdict $? "doctor: configuration space of 256 bytes"
bare_host doctor-rights 64
run 1 doctor --verbose && grep -q '^problem .*pmon_uncore' "$tmp/out"
verdict $? "doctor: without rights a table is taken to be there"

# ---- what the host does with openpmon
shows "adopted, and nobody drives the boxes" 1 \
	'^problem .*uncore .*adopted, by .*, but pmon_uncore is not loaded, and intel_uncore is held back; pmonctl release' \
	"adopted uncore; rm -r \$root/sys/module/pmon_uncore"
shows "adopted, and the kernel's driver has stepped in" 1 \
	'^problem .*uncore .*intel_uncore is loaded in its place; pmonctl release' \
	"adopted uncore; rm -r \$root/sys/module/pmon_uncore; live intel_uncore"
# What a fallback has left to the kernel's driver stays there when the module is
# loaded after all.
shows "adopted, loaded, and the kernel's driver has the boxes" 1 \
	'^problem .*uncore .*adopted, by .*, but pmon_uncore does not serve it, and intel_uncore is loaded in its place; pmonctl adopt --persist uncore takes it over, and so does a reboot' \
	"adopted uncore; live intel_uncore; put pkg0-uncore0/owner intel_uncore"
shows "the same until the next boot" 1 '^problem .*; pmonctl adopt uncore takes it over' \
	"mkdir -p \$root/run/modprobe.d; : >\$root/run/modprobe.d/openpmon-uncore.conf; live intel_uncore; put pkg0-uncore0/owner mixed"
shows "adopted, and loaded to do nothing" 1 \
	'^problem .*uncore .*does not serve it, and intel_uncore is held back; rmmod pmon_uncore && modprobe pmon_uncore mode=on uses' \
	"adopted uncore; rm -r \$(class)/pkg0-uncore0; parameter pmon_uncore mode off"
shows "adopted, on a CPU model that is not known" 1 \
	'^problem .*uncore .*does not serve it, and intel_uncore is loaded in its place; rmmod .* modprobe pmon_uncore generic=1 uses .*: openpmon does not know this CPU model' \
	"adopted uncore; live intel_uncore; put pkg0-uncore0/owner none; put pkg0-uncore0/mode unknown-model"
shows "adopted, and whose the boxes are cannot be read" 1 '^ok .*uncore .*adopted' \
	"adopted uncore; rm \"\$(class)/pkg0-uncore0/owner\"; mkdir \"\$(class)/pkg0-uncore0/owner\""
shows "adopted, and the kernel's driver has boxes of one package" 1 \
	'^problem .*uncore .*does not serve it, and intel_uncore is loaded in its place' \
	"adopted uncore; live intel_uncore; discovery 1; unit 1 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon; unit 1 8 upi 0 msr 0x1 4 48 - intel_uncore; put pkg1-uncore0/owner mixed"
shows "adopted, two packages, and a box that nobody drives" 0 '^ok .*uncore .*adopted' \
	"adopted uncore; discovery 1; unit 1 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon; unit 1 8 upi 0 msr 0x1 4 48 - -"
# fleet_of AREA: adopted on a host that has a CXL device and no such Xeon
fleet_of() {
	cxl_host cxl_pci
	rm -r "$root"/sys/bus/pci/devices/0000:0* "$(class)" \
		"$root"/sys/module/pmon_uncore "$root"/sys/module/pmon_plr "$root/sys/bus/auxiliary"
	adopted "$1"
	echo 'alias pci:v00008086d000009A7sv*sd*bc*sc*i* pmon_plr' \
		>"$root/lib/modules/6.18-tree/modules.alias"
}
shows "boxes adopted on a host that has no table of them" 0 \
	'^ok .*uncore .*adopted, by .*; this host has no table of counter boxes' \
	'fleet_of uncore'
shows "limits adopted there, where the kernel has no TPMI" 0 \
	'^ok .*plr .*adopted, by .*; no device of this host records limits' 'fleet_of plr'
shows "limits that were adopted on a host that records none" 0 \
	'^ok .*plr .*adopted, .*; no device of this host records limits' \
	"adopted plr; for_device auxiliary:intel_vsec.tpmi-plr"
shows "and on one that does, without the module" 1 \
	'^problem .*plr .*but pmon_plr is not loaded, and intel_plr_tpmi is held back' \
	"adopted plr; rm -r \$root/sys/module/pmon_plr"
shows "limits that were adopted" 0 '^ok .*plr .*adopted' "adopted plr"
shows "and the kernel's driver has them" 1 \
	'^problem .*plr .*but pmon_plr does not serve it, and intel_plr_tpmi is loaded in its place; pmonctl adopt --persist plr' \
	"adopted plr; rm -r \$(class)/pkg0-dom0; live intel_plr_tpmi"
shows "a function that was adopted, and is not bound" 1 \
	'^problem .*r2pcie .*but pmon_r2pcie does not serve it, and intel_uncore is loaded in its place' \
	"adopted r2pcie; pci 0000:7f:13.1 0x8086 0x0e34; live intel_uncore; live pmon_r2pcie"
for area in r2pcie qpi; do
	adopted_ring="adopted $area; live intel_uncore"
	shows "$area adopted, and not loaded" 1 \
		"^problem .*$area .*adopted, by .*, but pmon_r2pcie is not loaded, and intel_uncore is loaded in its place; pmonctl release" \
		"$adopted_ring; pci 0000:7f:13.1 0x8086 0x0e34; pci 0000:7f:08.2 0x8086 0x0e32"
	# A fleet has one configuration for hosts of different kinds.
	shows "$area adopted on a host that has none" 0 \
		"^ok .*$area .*adopted, by .*; this host has no such function" "$adopted_ring" \
		'^problem'
done
# ring AREA DRIVER: a Xeon E5 with two functions of R2PCIe, which that driver has,
# and one of QPI, and what was adopted of them, or ""
ring() {
	rm -r "$root/sys"
	for function in 0000:7f:13.1 0000:ff:13.1; do
		pci $function 0x8086 0x0e34
		ln -s "../../../drivers/$2" \
			"$root/sys/bus/pci/devices/$function/driver"
	done
	pci 0000:7f:08.2 0x8086 0x0e32
	live intel_uncore
	installed pmon_r2pcie
	[ -z "$1" ] || adopted "$1"
}
healthy e5
ring "" ivbep_uncore
run 0 doctor --verbose && silent && sed -i '/^Next: /d' "$tmp/out" && prints <<-'END'
note  R2PCIe  2 functions, 0 driven by openpmon; pmonctl adopt r2pcie hands them over
note  QPI     1 function, 0 driven by openpmon; pmonctl adopt qpi hands them over
ok    perf    everybody may count
END
verdict $? "doctor: a Xeon E5"
finds 1 e5-held '^problem .*r2pcie .*adopted, by .*, but pmon_r2pcie is not loaded, and intel_uncore is loaded in its place' \
	'ring r2pcie ivbep_uncore' && grep -q '^problem .*pmon_r2pcie .*not loaded; modprobe pmon_r2pcie' "$tmp/out"
verdict $? "doctor: R2PCIe adopted, and the module is not loaded"
shows "QPI adopted, and the module is not there" 1 \
	'^problem .*pmon_r2pcie .*no such module for kernel 6.18-tree' \
	'ring qpi ivbep_uncore; installed pmon_uncore'
finds 0 e5-adopted '^ok .*R2PCIe .*2 functions, 2 driven by openpmon' \
	'ring r2pcie pmon_r2pcie; live pmon_r2pcie' && grep -q '^ok .*r2pcie .*adopted' "$tmp/out"
verdict $? "doctor: R2PCIe adopted"
shows "a Xeon E5 that went down after loading" 1 \
	'^problem .*service .*stays out: .*(6.18-tree 0.1.0)' \
	'ring "" ivbep_uncore; mkdir -p $root/var/lib/openpmon; echo "6.18-tree 0.1.0" >$root/var/lib/openpmon/quarantine'
shows "a host with nothing but CXL devices, likewise" 1 \
	'^problem .*service .*stays out: .*(6.18-tree 0.1.0)' \
	'cxl_host cxl_pci; rm -r "$root"/sys/bus/pci/devices/0000:0*; mkdir -p $root/var/lib/openpmon; echo "6.18-tree 0.1.0" >$root/var/lib/openpmon/quarantine'

# module_file WORDS: what ends the file of pmon_plr, not compressed
module_file() {
	rm -r "$root/sys/module/pmon_plr"
	echo 'updates/pmon_plr.ko: ' >"$root/lib/modules/6.18-tree/modules.dep"
	mkdir -p "$root/lib/modules/6.18-tree/updates" "$root/sys/kernel/security"
	echo "a module of more than a few bytes$*" \
		>"$root/lib/modules/6.18-tree/updates/pmon_plr.ko"
	echo '[none] integrity confidentiality' >"$root/sys/kernel/security/lockdown"
}
locked='echo "none [integrity] confidentiality" >$root/sys/kernel/security/lockdown'
shows "a module that is not signed, under lockdown" 1 \
	'^problem .*pmon_plr .*not loaded, and cannot be: it is not signed.*; see the installation guide' \
	"module_file; $locked" 'modprobe pmon_plr'
shows "the same where no signature is wanted" 1 \
	'^problem .*pmon_plr .*not loaded; modprobe pmon_plr' module_file
shows "a module that is signed, under lockdown" 1 \
	'^problem .*pmon_plr .*not loaded; modprobe pmon_plr' \
	"module_file '~Module signature appended~'; $locked"
shows "a file that is shorter than a signature" 1 \
	'^problem .*pmon_plr .*cannot be: it is not signed' \
	"module_file; $locked; echo x >\$root/lib/modules/6.18-tree/updates/pmon_plr.ko"

# vsec FILE TPMI: where modprobe has intel_vsec and intel_vsec_tpmi; no TPMI devices
vsec() {
	printf '%s: \n' "$1" "$2" >>"$root/lib/modules/6.18-tree/modules.dep"
	rm -r "$root/sys/bus/auxiliary"
}
xe=updates/dkms/intel_vsec.ko.xz
own=kernel/drivers/platform/x86/intel/intel_vsec
shows "an intel_vsec that is not the kernel's, without TPMI devices" 1 \
	"^problem .*intel_vsec .*/lib/modules/6.18-tree/$xe is not this kernel's own, and there are no TPMI devices: .*; remove the package" \
	"vsec $xe ${own}_tpmi.ko.xz"
shows "the same with TPMI devices" 0 '^ok .*pmon_plr .*loaded' "vsec $xe ${own}_tpmi.ko; limits" \
	intel_vsec.ko
for files in "$own.ko ${own}_tpmi.ko" "$xe updates/dkms/intel_vsec_tpmi.ko" "$xe x.ko"; do
	shows "no TPMI devices, and it is not intel_vsec: $files" 0 '^ok .*pmon_plr .*loaded' \
		"vsec $files" 'TPMI devices'
done
healthy vsec-client
vsec "$xe" "${own}_tpmi.ko"
rm -r "$root/sys/bus/pci"
run 77 doctor --verbose && ! grep -q 'TPMI devices' "$tmp/out"
verdict $? "doctor: an intel_vsec that is not the kernel's on a host that has no TPMI"

state='mkdir -p $root/var/lib/openpmon/builds'
shows "why the modules were not built for this kernel" 1 \
	'^problem .*pmon_plr .*not built for kernel 6.18-tree: the headers are missing' \
	"$state; rm -r \$root/sys/module/pmon_plr; installed pmon_uncore; echo 'the headers are missing: apt-get install linux-headers-6.18-tree' >\$root/var/lib/openpmon/builds/6.18-tree"
grep -qx 'Next: apt-get install linux-headers-6.18-tree && dpkg-reconfigure openpmon-dkms' "$tmp/out" &&
	directories "$root/usr/local/libexec/openpmon" &&
	: >"$root/usr/local/libexec/openpmon/build" &&
	run 1 doctor --verbose && grep -q '&& /usr/local/libexec/openpmon/build \$(uname -r)' "$tmp/out" &&
	echo 'the build failed' >"$root/var/lib/openpmon/builds/6.18-tree" && run 1 doctor &&
	grep -q 'the build failed; when that is mended: /usr/local' "$tmp/out"
verdict $? "doctor: and what builds them, as a package or without one"
shows "the host went down after loading" 1 \
	'^problem .*service .*stays out: .*\(6.18-tree 0.1.0\); look for the cause' \
	"$state; printf '6.18-tree 0.1.0\nboot\n' >\$root/var/lib/openpmon/quarantine"
shows "another kernel went down after loading" 0 \
	'^note .*service .*stays out of another kernel: .*\(6.18-tree-rt 0.1.0\); look for the cause' \
	"$state; printf '6.18-tree-rt 0.1.0\n' >\$root/var/lib/openpmon/quarantine"
finds 1 fuse-both '^problem .*service .*stays out: .*\(6.18-tree 0.1.0\); look for the cause' \
	"$state; printf '%s 0.1.0\n' 6.0 6.18-tree >\$root/var/lib/openpmon/quarantine" &&
	grep -q '^note .*another kernel: .*(6.0 0.1.0)' "$tmp/out"
verdict $? "doctor: and this one"
shows "openpmon.off" 0 '^note .*service .*openpmon.off on the kernel.s command line' \
	'echo "root=/dev/vda openpmon.off quiet" >$root/proc/cmdline'
shows "and what only looks like it" 0 '^ok' \
	'echo "root=/dev/vda openpmon.offset=1" >$root/proc/cmdline' service
shows "CAP_PERFMON up to level 2" 0 '^note .*only root and CAP_PERFMON may count' 'paranoid 2'
shows "a level that cannot be read" 1 '^problem .*read \(ENOENT\): who may count is not known' \
	'rm $root/proc/sys/kernel/perf_event_paranoid'
shows "CAP_SYS_ADMIN from Debian's level 3 on" 0 '^note .*only root and CAP_SYS_ADMIN may count' \
	'paranoid 3'
shows "without rights it does not say that all is well" 1 \
	'^problem .*files .*cannot be read, and nothing is said about that; run as root' \
	'rm "$(class)/pkg0-uncore0/units"; mkdir "$(class)/pkg0-uncore0/units"'

# Problems first, then notes, one line for all that is well, and what to do next.
new_tree order
pci 0000:00:03.1 0x8086 0x09a7
discovery 0
unit 0 6 imc 0 mmio 0xfe000000 4+1 48 uncore_imc_0 intel_uncore
loaded pmon_uncore
rejected 0 6 1 width 0xff wider than a register
paranoid 2
run 1 doctor && prints <<-'END'
problem boxes 1 rejected; pmonctl list says why
note boxes 1 left to intel_uncore; pmonctl adopt uncore hands them over
note perf only root and CAP_PERFMON may count (perf_event_paranoid is 2); sysctl kernel.perf_event_paranoid=0 lets everybody
ok: 2 things; --verbose shows them
Next: pmonctl list
END
verdict $? "doctor: problems first, then notes, then what to do next"
