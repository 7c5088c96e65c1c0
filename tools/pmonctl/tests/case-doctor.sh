# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016,SC2034
# pmonctl doctor.

# healthy: nothing to complain about
healthy() {
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

a healthy
run 0 doctor --verbose && silent && prints grep -v '^Next: ' <<-'END'
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

# ---- what the rows below make of a healthy host
# unload MODULE...
unload() {
	for module; do
		rm -r "$root/sys/module/$module"
	done
}
# for_device PATTERN: what pmon_plr is for is not on this host, nor loaded
for_device() {
	rm -r "$root/sys/module/pmon_plr" "$root/sys/bus/auxiliary" "$class/pkg0-dom0"
	printf 'alias %s %s\n' pci:v00008086d000009A7 pmon_uncore "$1" pmon_plr \
		>"$kernel/modules.alias"
}
# lockdown [none]: signatures are wanted, or not
lockdown() {
	directories "$root/sys/kernel/security"
	case ${1-} in
	none) echo '[none] integrity confidentiality' ;;
	*) echo 'none [integrity] confidentiality' ;;
	esac >"$root/sys/kernel/security/lockdown"
}
# cxl_host DRIVER [UNBOUND]: a CXL memory device, and pmon_cxl
cxl_host() {
	expander "$1"
	echo '(null)' >"$pci/0000:c1:00.0/driver_override"
	parameter pmon_cxl unbound "${2:-0}"
}
# cpmu_device [DRIVER]: the device of its first CPMU, on a bus that pmon_cxl is on
cpmu_device() {
	mkdir -p "$root/sys/bus/cxl/devices/pmu_mem0.0" "$root/sys/bus/cxl/drivers/pmon_cxl"
	[ -z "$1" ] || ln -s "../../drivers/$1" "$root/sys/bus/cxl/devices/pmu_mem0.0/driver"
}
# frozen STATE UNFREEZE: the boxes of a package together, and how the module was loaded
frozen() {
	put pkg0-uncore0/global "$1"
	put pkg0-uncore0/global_control 0x0000000000000001
	parameter pmon_uncore unfreeze "$2"
}
# iomem FIRST-LAST: a window of a host bridge
iomem() {
	printf '%s\n' '00001000-0009ffff : System RAM' "$1 : PCI Bus 0000:00" \
		'  a7000000-a70fffff : 0000:00:03.1' >"$root/proc/iomem"
}
# disturbed PMU LINE...
disturbed() {
	directories "$boxes/$1"
	into=$boxes/$1/disturbed
	shift
	printf '%s\n' "$@" >"$into"
}
# clusters MASK NODE0 L3 NODE...: packages of six CPUs, with CPU 0's node and
# cache as these lists say, and the other nodes' CPUs
clusters() {
	put pkg0-uncore0/platform gnr
	{
		for cha in 0 1 2; do
			echo "bus/event_source/devices/uncore_cha_$cha/cpumask $1"
		done
		echo "devices/system/cpu/cpu0/cache/index3/shared_cpu_list $3"
		for cpu in 0 1 2 3 4 5 6 7 8 9 10 11; do
			first=$((cpu / 6 * 6))
			echo "devices/system/cpu/cpu$cpu/topology/package_cpus_list" \
				"$first-$((first + 5))"
		done
		list=$2
		shift 3
		node=0
		for list in "$list" "$@"; do
			echo "devices/system/node/node$node/cpulist $list"
			node=$((node + 1))
		done
	} >"$tmp/files"
	files sys/ <"$tmp/files"
}
# card FUNCTION: a function of the same kind behind bridges
card() {
	behind_bridges "pci0000:40/0000:40:01.0/0000:41:00.0/$1"
}
# behind_bridges PATH: one that is there
behind_bridges() {
	files "sys/devices/$1/" <<-'END'
	vendor 0x8086
	device 0x09a7
	END
	directories "$root/sys/bus/pci/devices"
	ln -s "../../../devices/$1" "$root/sys/bus/pci/devices/${1##*/}"
}
# fleet_of AREA: adopted on a host that has a CXL device and no such Xeon
fleet_of() {
	cxl_host cxl_pci
	rm -r "$pci"/0000:0* "$class" "$root/sys/bus/auxiliary"
	unload pmon_uncore pmon_plr
	adopted "$1"
	echo 'alias pci:v00008086d000009A7sv*sd*bc*sc*i* pmon_plr' >"$kernel/modules.alias"
}
# ring AREA DRIVER: a Xeon E5 with two functions of R2PCIe, which that driver has,
# and one of QPI, and what was adopted of them, or ""
ring() {
	rm -r "$root/sys"
	for function in 0000:7f:13.1 0000:ff:13.1; do
		pci $function 0x8086 0x0e34
		ln -s "../../../drivers/$2" "$root/sys/bus/pci/devices/$function/driver"
	done
	pci 0000:7f:08.2 0x8086 0x0e32
	live intel_uncore
	installed pmon_r2pcie
	[ -z "$1" ] || adopted "$1"
}
# module_file WORDS: what ends the file of pmon_plr, not compressed
module_file() {
	unload pmon_plr
	echo 'updates/pmon_plr.ko: ' >"$kernel/modules.dep"
	mkdir -p "$kernel/updates"
	echo "a module of more than a few bytes$*" >"$kernel/updates/pmon_plr.ko"
	lockdown none
}
# vsec FILE TPMI: where modprobe has intel_vsec and intel_vsec_tpmi; no TPMI devices
vsec() {
	printf '%s: \n' "$1" "$2" >>"$kernel/modules.dep"
	rm -r "$root/sys/bus/auxiliary"
}
# went_down LINE...: the host, after loading
went_down() {
	directories "$root/var/lib/openpmon"
	printf '%s\n' "$@" >"$root/var/lib/openpmon/quarantine"
}
# not_built WHY
not_built() {
	directories "$root/var/lib/openpmon/builds"
	echo "$1" >"$root/var/lib/openpmon/builds/6.18-tree"
}

# hosts: a test for each "STATUS WHAT: CODE" on standard input. Below it, behind a tab,
# are more of CODE, behind a +, and what lines doctor --verbose prints of such a host,
# as case has patterns, or does not print, behind a !. What is indented more goes on.
hosts() {
	what=
	while IFS= read -r row; do
		case $row in
		'#'*) ;;
		'	+ '*) code="$code; ${row#	+ }" ;;
		'	  '*) lines="$lines ${row#	  }" ;;
		'	'*) lines=$lines$nl${row#	} ;;
		*)
			host
			status=${row%% *}
			what=${row#* }

			code=${what#*:}
			code=${code# }
			what=${what%%:*}
			lines= ;;
		esac
	done
	host
}

# at_hand: paths that rows have
at_hand() {
	class=$root/sys/class/pmon
	pci=$root/sys/bus/pci/devices
	at=$pci/0000:00:03.1
	boxes=$root/sys/bus/event_source/devices
	kernel=$root/lib/modules/6.18-tree
	own=kernel/drivers/platform/x86/intel
}

host() {
	[ -n "$what" ] || return 0
	a healthy
	at_hand
	eval "${code#; }"
	eval "what=\"$what\"
		lines=\"$lines\""
	IFS=$nl
	set -f
	# shellcheck disable=SC2086 # a line is one
	set -- $lines
	set +f
	unset IFS
	run "$status" doctor --verbose && has "$@"
	verdict $? "doctor: $what"
}

hosts <<'END'
1 a device that a virtual machine has: ln -sfn ../../../drivers/vfio-pci $at/driver
	problem *bound to vfio-pci*
1 a device that sleeps: echo D3hot >$at/power_state
	problem *asleep (D3hot)*
1 a module that is not loaded: unload pmon_plr
	problem *not loaded; modprobe pmon_plr*
0 nothing is for a module where nothing records limits: for_device auxiliary:intel_vsec.tpmi-plr
	ok *pmon_uncore *loaded*
	! *pmon_plr*
1 where the kernel has no TPMI, the function itself is its device:
	+ for_device pci:v00008086d000009A7sv*sd*bc*sc*i*
	problem *not loaded; modprobe pmon_plr*
1 a module that is not installed: unload pmon_plr; installed pmon_uncore
	problem *no such module for kernel *install*
1 a tree that does not say which kernel it is of:
	+ unload pmon_plr; rm -r $root/proc/sys/kernel/osrelease
	problem *osrelease, which would tell * cannot be read*
1 a kernel whose name is a path: unload pmon_plr; echo ../.. >$root/proc/sys/kernel/osrelease
	problem *osrelease, which would tell * cannot be read*
0 signatures are wanted: lockdown
	note *signed modules only*
0 what no source says of Diamond Rapids: put pkg0-uncore0/platform dmr
	+ parameter pmon_uncore controls 8
	ok *controls *taken to be 8 bytes apart*with controls=4*
0 boxes of another driver: unit 0 6 imc 1 mmio 0x1 4 48 - intel_uncore
	note *1 left to intel_uncore; pmonctl adopt uncore*
0 boxes of nobody: unit 0 6 imc 1 mmio 0x1 4 48 - -; put pkg0-uncore0/mode observe
	note *1 listed, and not driven; rmmod pmon_uncore && modprobe pmon_uncore mode=on uses them
	  all the same: the module was loaded with mode=observe*
1 a package whose boxes are all frozen: put pkg0-uncore0/global_control 0x0000000000000001
	problem *pkg0-uncore0 *every count is 0*
1 rejected units: rejected 0 6 4 width 0x7f wide
	problem *1 rejected*
1 limits that cannot be read: rm $class/pkg0-dom0/plr/die/reasons
	problem *pkg0-dom0 *cannot be read*
1 a mailbox that does not answer, though the die does: unreadable $class/pkg0-dom0/plr/core0/reasons
	problem *pkg0-dom0 *the modules cannot be read (EISDIR)*
	! ok *pkg0-dom0*
0 limits of another driver: rm -r $class/pkg0-dom0; live intel_plr_tpmi
	note *limits *left to intel_plr_tpmi; pmonctl adopt plr*
# ---- CXL memory devices
0 a CXL memory device: cxl_host cxl_pci; cpmu_device pmon_cxl
	ok *0000:c1:00.0 *present, driver cxl_pci*
	! *pmu_mem*
0 one of another class, which cxl_pci was told to have: cxl_host cxl_pci
	+ echo 0x050200 >$pci/0000:c1:00.0/class
	ok *0000:c1:00.0 *present, driver cxl_pci*
0 one without our module: cxl_host cxl_pci; unload pmon_cxl
	note *0000:c1:00.0 *modprobe pmon_cxl*
0 one without a driver: cxl_host ""
	note *0000:c1:00.0 *pmon_cxl with unbound=1*
0 one without a driver, which is asked for: cxl_host "" 1
	ok *0000:c1:00.0 *loaded with unbound=1*
0 one that a virtual machine has: cxl_host vfio-pci
	note *0000:c1:00.0 *bound to vfio-pci*
0 one that is meant for a virtual machine: cxl_host cxl_pci
	+ echo vfio-pci >$pci/0000:c1:00.0/driver_override
	note *0000:c1:00.0 *meant for vfio-pci*
0 one that is meant for cxl_pci, and has it: cxl_host cxl_pci
	+ echo cxl_pci >$pci/0000:c1:00.0/driver_override
	ok *0000:c1:00.0 *present, driver cxl_pci*
0 one that is meant for cxl_pci, and has no driver: cxl_host ""
	+ echo cxl_pci >$pci/0000:c1:00.0/driver_override
	note *0000:c1:00.0 *meant for cxl_pci*
0 a CPMU of the kernel's driver: cxl_host cxl_pci; cpmu_device cxl_pmu
	note *pmu_mem0.0 *left to cxl_pmu*
0 one of it, and pmon_cxl, which would not get it, is not loaded: cxl_host cxl_pci
	+ cpmu_device cxl_pmu; live cxl_pmu
	+ unload pmon_cxl; rm -r $root/sys/bus/cxl/drivers/pmon_cxl
	note *pmu_mem0.0 *left to cxl_pmu; pmonctl adopt cxl*
	! *modprobe pmon_cxl*
0 CPMUs that were adopted: cxl_host cxl_pci; cpmu_device pmon_cxl; adopted cxl
	ok *cxl *adopted, by *
1 CPMUs that were adopted, and the kernel's driver has one: cxl_host cxl_pci; cpmu_device cxl_pmu
	+ live cxl_pmu; adopted cxl
	problem *cxl *adopted, by *, but pmon_cxl does not serve it, and cxl_pmu is loaded in its
	  place; pmonctl adopt --persist cxl takes it over*
	! ok *cxl *adopted*
1 and pmon_cxl did not come: cxl_host cxl_pci; cpmu_device cxl_pmu; live cxl_pmu
	+ unload pmon_cxl; adopted cxl
	problem *cxl *adopted, by *, but pmon_cxl is not loaded, and cxl_pmu is loaded in its place;
	  pmonctl release*
0 CPMUs adopted on a host that has no CXL device: adopted cxl
	ok *cxl *adopted, by *; this host has no CXL memory device*
0 a CPMU of no driver: cxl_host cxl_pci; cpmu_device ""
	note *pmu_mem0.0 *bound to no driver*pmon_cxl/bind*
END
for mode in observe off; do
	hosts <<'END'
0 a module that was loaded with mode=$mode: cxl_host cxl_pci; cpmu_device ""
	+ rm -r $root/sys/bus/cxl/drivers/pmon_cxl; parameter pmon_cxl mode $mode
	note *0000:c1:00.0 *rmmod pmon_cxl && modprobe pmon_cxl mode=on uses *: the module was
	  loaded with mode=$mode*
	! *pmon_cxl/bind*
	! *driver cxl_pci*
END
done
hosts <<'END'
0 a bus that the module could not join: cxl_host cxl_pci; cpmu_device ""
	+ rm -r $root/sys/bus/cxl/drivers/pmon_cxl; parameter pmon_cxl mode on
	ok *0000:c1:00.0 *present, driver cxl_pci*
	! *pmu_mem*
0 a host with nothing else: cxl_host cxl_pci; rm -r $pci/0000:0* $class
	ok *0000:c1:00.0 *present*
	! *pmon_uncore*
# ---- the states of boxes on real servers
1 boxes frozen together, and unfreeze=N: put pkg0-uncore0/global frozen
	+ parameter pmon_uncore unfreeze N
	problem *pkg0-uncore0 *unfreeze=N keeps them so*; load pmon_uncore without*
1 the same before the first event: frozen unknown N
	problem *pkg0-uncore0 *unfreeze=N keeps them so*
0 boxes frozen together, until the first event: frozen unknown Y
	note *pkg0-uncore0 *as firmware left it; the first event that is opened lets them run*
1 boxes frozen together by another program while they count: frozen running Y
	problem *pkg0-uncore0 *every count is 0*
1 boxes frozen together, and left to a driver that does nothing about it:
	+ unit 0 6 imc 1 mmio 0x1 4 48 - intel_uncore; frozen unknown Y
	problem *pkg0-uncore0 *frozen by firmware; this kernel's intel_uncore leaves them so: every
	  count is 0; pmonctl adopt uncore*
	! *lets them run*
0 boxes that run: frozen running N; put pkg0-uncore0/global_control 0x0
	ok *boxes*
	! *pkg0-uncore0*
1 memory controllers that were refused: rejected 0 6 0 address 0xa8000000 outside every window
	+ rejected 0 6 1 address 0xa8800000 outside every window; rejected 0 5 1 address 0x1 no
	problem *memory *2 memory controllers refused: address 0xa8000000 outside *; see the
	  reasons*
0 memory controllers in a gap: unit 0 6 imc 1 mmio 0xa8222800 4+1 48 uncore_imc_1 openpmon
	+ iomem 00000000-a7ffffff
	ok *memory *1 memory controllers outside all windows of host bridges, accepted*
0 memory controllers in a window: unit 0 6 imc 1 mmio 0xa8222800 4+1 48 uncore_imc_1 openpmon
	+ iomem 00000000-a8ffffff
	ok *boxes*
	! *memory*
0 a memory map that a user cannot see: iomem 00000000-00000000
	ok *boxes*
0 boxes that another program disturbs: disturbed uncore_cha_1 "0 0" "1 0"
	+ disturbed uncore_cha_2 "0 3" "1 0"; disturbed uncore_imc_0 "0 1"
	note *uncore_cha_2 *changed or reset by something else, 4 times in the boxes of 2 PMUs; find
	  the other*
0 boxes that none does: disturbed uncore_cha_1 "0 0" "1 0"; disturbed uncore_x nonsense -1
	ok *boxes*
	! *uncore_*
1 a box that does not respond: disturbed uncore_imc_0 "0 0" "1 0"
	+ printf "0 0\n1 1\n" >$boxes/uncore_imc_0/unresponsive
	problem *uncore_imc_0 *1 of its boxes does not respond (all ones) and is not counted; see
	  ?no response? in troubleshooting*
0 boxes that do: disturbed uncore_imc_0 "0 0" "1 0"
	+ printf "0 0\n1 0\n" >$boxes/uncore_imc_0/unresponsive
	ok *boxes*
	! *uncore_*
1 boxes whose function sleeps: unit 0 8 upi 0 pci 0x880f3318 4 48 uncore_upi_0 openpmon
	+ pci 0000:80:1e.3 0x8086 0x3241; echo D3hot >$pci/0000:80:1e.3/power_state
	problem *0000:80:1e.3 *function of uncore_upi_0 sleeps: its boxes do not count*
END
a healthy
for i in 0 1; do
	unit 0 8 upi $i pci 0x880f3318 4 48 uncore_upi_$i openpmon
done
run 1 doctor --verbose && has 'problem *0000:80:1e.3 *function of uncore_upi_0 is gone*' &&
	[ "$(grep -c 1e.3 "$tmp/out")" = 1 ]
verdict $? "doctor: boxes whose function is gone, once"
hosts <<'END'
# ---- sub-NUMA clusters
0 sub-NUMA clusters: clusters 0,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11
	ok *nodes *3 NUMA nodes in each package: perf 6.16 and later knows*
0 and a CPU that is offline in the first package: clusters 0,6 0-1 0-4 2-3 4 6-7 8-9 10-11
	note *nodes *3 NUMA nodes in each package, and perf 6.16 *: it takes them for more or fewer,
	  as CPUs are offline; count with*
0 and a cpumask without CPU 0: clusters 1,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11
	note *nodes *3 NUMA nodes in each package, and perf 6.16 *: CPU 0 is not in the PMUs'
	  cpumask*
0 and the first CPU of a node offline: clusters 0,6 0-1 0-5 2-3 4-5 6-7 9 10-11
	note *nodes *3 NUMA nodes in each package, and perf 6.16 *: the CPUs it looks for are
	  offline, or in other nodes*
0 and a whole node offline: clusters 0,8 0-1 0-5 2-3 4-5 "" 8-9 10-11
	note *nodes *3 NUMA nodes in each package, and perf 6.16 *: the CPUs it looks for are
	  offline, or in other nodes*
0 nodes numbered across packages: clusters 0,6 0-2 0-5 6-8 3-5 9-11; rm -r $boxes/uncore_cha_2
	note *2 NUMA nodes in each package*: the CPUs it looks for*
0 two CHAs in three nodes: clusters 0,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11; rm -r $boxes/uncore_cha_2
	note *nodes *3 NUMA nodes in each package, and perf 6.16 *: their number does not divide
	  that of the CHAs*
0 a CHA that one package only has: clusters 0,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11
	+ echo 0 >$boxes/uncore_cha_2/cpumask
	note *nodes *3 NUMA nodes in each package, and perf 6.16 *: not every package has each of
	  the boxes*
0 six nodes in a package: clusters 0,6 0 0-5 1 2 3 4 5 6-11
	note *6 NUMA nodes in each package*: it knows up to three*
0 one node in each package: clusters 0,6 0-5 0-5 6-11
	ok *boxes*
	! *nodes*
0 clusters of a platform that perf does not know them of: clusters 1,6 0-1 0-5 2-3 4-5 6-7 8-9 10-11
	+ put pkg0-uncore0/platform spr
	ok *boxes*
	! *nodes*
0 the table of a card: card 0000:42:01.0
	note *0000:42:01.0 *on a card, such as a GPU: * ignored*
0 what was adopted: adopted uncore
	ok *uncore *adopted, by */etc/modprobe.d/openpmon-uncore.conf*
END
new_tree
card 0000:42:01.0
run 77 doctor --verbose && run 77 list
verdict $? "doctor: a card alone is no supported hardware"
behind_bridges pci0000:00/0000:00:03.1
run 1 doctor --verbose && has 'ok *0000:00:03.1 *present*'
verdict $? "doctor: a function of the host itself"

new_tree
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
	new_tree
	pci 0000:00:03.1 0x8086 0x09a7
	config 0000:00:03.1 "$@"
}
bare_host 4096 "$table"
run 1 doctor --verbose && has 'problem *pmon_uncore*'
verdict $? "doctor: a table that is not served"
for capability in "$other" "$foreign"; do
	bare_host 4096 "$capability"
	run 77 doctor --verbose && complains 'neither a table' && run 77 list
	verdict $? "doctor: a function with neither tables nor TPMI"
done
bare_host 4096 "$tpmi"
run 1 doctor --verbose && has 'problem tables *firmware hides it*' '! *modprobe pmon_uncore*'
verdict $? "doctor: TPMI, and no table"
bare_host 256
run 1 doctor --verbose && has 'problem PCI *256 bytes*pci=nommconf*' '! *modprobe*' &&
	run 2 list && complains 'pci=nommconf'
verdict $? "doctor: configuration space of 256 bytes"
bare_host 64
run 1 doctor --verbose && has 'problem *pmon_uncore*'
verdict $? "doctor: without rights a table is taken to be there"

hosts <<'END'
# ---- what the host does with openpmon
1 adopted, and nobody drives the boxes: adopted uncore; unload pmon_uncore
	problem *uncore *adopted, by *, but pmon_uncore is not loaded, and intel_uncore is held
	  back; pmonctl release*
1 adopted, and the kernel's driver has stepped in: adopted uncore; unload pmon_uncore
	+ live intel_uncore
	problem *uncore *intel_uncore is loaded in its place; pmonctl release*
# What a fallback has left to the kernel's driver stays there when the module is
# loaded after all.
1 adopted, loaded, and the kernel's driver has the boxes: adopted uncore; live intel_uncore
	+ put pkg0-uncore0/owner intel_uncore
	problem *uncore *adopted, by *, but pmon_uncore does not serve it, and intel_uncore is
	  loaded in its place; pmonctl adopt --persist uncore takes it over, and so does a reboot*
1 the same until the next boot: mkdir -p $root/run/modprobe.d
	+ : >$root/run/modprobe.d/openpmon-uncore.conf; live intel_uncore
	+ put pkg0-uncore0/owner mixed
	problem *; pmonctl adopt uncore takes it over*
1 adopted, and loaded to do nothing: adopted uncore; rm -r $class/pkg0-uncore0
	+ parameter pmon_uncore mode off
	problem *uncore *does not serve it, and intel_uncore is held back; rmmod pmon_uncore &&
	  modprobe pmon_uncore mode=on uses*
1 adopted, on a CPU model that is not known: adopted uncore; live intel_uncore
	+ put pkg0-uncore0/owner none; put pkg0-uncore0/mode unknown-model
	problem *uncore *does not serve it, and intel_uncore is loaded in its place; rmmod *
	  modprobe pmon_uncore generic=1 uses *: openpmon does not know this CPU model*
1 adopted, and whose the boxes are cannot be read: adopted uncore
	+ unreadable $class/pkg0-uncore0/owner
	ok *uncore *adopted*
1 adopted, and the kernel's driver has boxes of one package: adopted uncore; live intel_uncore
	+ discovery 1; unit 1 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
	+ unit 1 8 upi 0 msr 0x1 4 48 - intel_uncore; put pkg1-uncore0/owner mixed
	problem *uncore *does not serve it, and intel_uncore is loaded in its place*
0 adopted, two packages, and a box that nobody drives: adopted uncore; discovery 1
	+ unit 1 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon; unit 1 8 upi 0 msr 0x1 4 48 - -
	ok *uncore *adopted*
0 boxes adopted on a host that has no table of them: fleet_of uncore
	ok *uncore *adopted, by *; this host has no table of counter boxes*
0 limits adopted there, where the kernel has no TPMI: fleet_of plr
	ok *plr *adopted, by *; no device of this host records limits*
0 limits that were adopted on a host that records none: adopted plr
	+ for_device auxiliary:intel_vsec.tpmi-plr
	ok *plr *adopted, *; no device of this host records limits*
1 and on one that does, without the module: adopted plr; unload pmon_plr
	problem *plr *but pmon_plr is not loaded, and intel_plr_tpmi is held back*
0 limits that were adopted: adopted plr
	ok *plr *adopted*
1 and the kernel's driver has them: adopted plr; rm -r $class/pkg0-dom0; live intel_plr_tpmi
	problem *plr *but pmon_plr does not serve it, and intel_plr_tpmi is loaded in its place;
	  pmonctl adopt --persist plr*
1 a function that was adopted, and is not bound: adopted r2pcie; pci 0000:7f:13.1 0x8086 0x0e34
	+ live intel_uncore; live pmon_r2pcie
	problem *r2pcie *but pmon_r2pcie does not serve it, and intel_uncore is loaded in its place*
END
for area in r2pcie qpi; do
	hosts <<'END'
1 $area adopted, and not loaded: adopted $area; live intel_uncore; pci 0000:7f:13.1 0x8086 0x0e34
	+ pci 0000:7f:08.2 0x8086 0x0e32
	problem *$area *adopted, by *, but pmon_r2pcie is not loaded, and intel_uncore is loaded in
	  its place; pmonctl release*
# A fleet has one configuration for hosts of different kinds.
0 $area adopted on a host that has none: adopted $area; live intel_uncore
	ok *$area *adopted, by *; this host has no such function*
	! problem*
END
done
a healthy
ring "" ivbep_uncore
run 0 doctor --verbose && silent && prints grep -v '^Next: ' <<-'END'
note  R2PCIe  2 functions, 0 driven by openpmon; pmonctl adopt r2pcie hands them over
note  QPI     1 function, 0 driven by openpmon; pmonctl adopt qpi hands them over
ok    perf    everybody may count
END
verdict $? "doctor: a Xeon E5"
hosts <<'END'
1 R2PCIe adopted, and the module is not loaded: ring r2pcie ivbep_uncore
	problem *r2pcie *adopted, by *, but pmon_r2pcie is not loaded, and intel_uncore is loaded in
	  its place*
	problem *pmon_r2pcie *not loaded; modprobe pmon_r2pcie*
0 R2PCIe adopted: ring r2pcie pmon_r2pcie; live pmon_r2pcie
	ok *R2PCIe *2 functions, 2 driven by openpmon*
	ok *r2pcie *adopted*
1 QPI adopted, and the module is not there: ring qpi ivbep_uncore; installed pmon_uncore
	problem *pmon_r2pcie *no such module for kernel 6.18-tree*
1 a Xeon E5 that went down after loading: ring "" ivbep_uncore; went_down '6.18-tree 0.1.0'
	problem *service *stays out: *(6.18-tree 0.1.0)*
1 a host with nothing but CXL devices, likewise: cxl_host cxl_pci; rm -r $pci/0000:0*
	+ went_down '6.18-tree 0.1.0'
	problem *service *stays out: *(6.18-tree 0.1.0)*
1 a module that is not signed, under lockdown: module_file; lockdown
	problem *pmon_plr *not loaded, and cannot be: it is not signed*; see the installation guide*
	! *modprobe pmon_plr*
1 the same where no signature is wanted: module_file
	problem *pmon_plr *not loaded; modprobe pmon_plr*
1 a module that is signed, under lockdown: module_file '~Module signature appended~'; lockdown
	problem *pmon_plr *not loaded; modprobe pmon_plr*
1 a file that is shorter than a signature: module_file; lockdown
	+ echo x >$kernel/updates/pmon_plr.ko
	problem *pmon_plr *cannot be: it is not signed*
1 an intel_vsec that is not the kernel's, without TPMI devices:
	+ vsec updates/dkms/intel_vsec.ko.xz $own/intel_vsec_tpmi.ko.xz
	problem *intel_vsec */lib/modules/6.18-tree/updates/dkms/intel_vsec.ko.xz is not this
	  kernel's own, and there are no TPMI devices: *; remove the package*
0 the same with TPMI devices:
	+ vsec updates/dkms/intel_vsec.ko.xz kernel/drivers/platform/x86/intel/intel_vsec_tpmi.ko
	+ limits
	ok *pmon_plr *loaded*
	! *intel_vsec.ko*
0 no TPMI devices, and both are the kernel's:
	+ vsec $own/intel_vsec.ko $own/intel_vsec_tpmi.ko
	ok *pmon_plr *loaded*
	! *TPMI devices*
0 no TPMI devices, and none is the kernel's:
	+ vsec updates/dkms/intel_vsec.ko.xz updates/dkms/intel_vsec_tpmi.ko
	ok *pmon_plr *loaded*
	! *TPMI devices*
0 no TPMI devices, and nothing is intel_vsec_tpmi: vsec updates/dkms/intel_vsec.ko.xz x.ko
	ok *pmon_plr *loaded*
	! *TPMI devices*
END
a healthy
at_hand
vsec updates/dkms/intel_vsec.ko.xz kernel/drivers/platform/x86/intel/intel_vsec_tpmi.ko
rm -r "$root/sys/bus/pci"
run 77 doctor --verbose && has '! *TPMI devices*'
verdict $? "doctor: an intel_vsec that is not the kernel's on a host that has no TPMI"

headers='the headers are missing: apt-get install linux-headers-6.18-tree'
hosts <<'END'
1 why the modules were not built for this kernel: unload pmon_plr
	+ installed pmon_uncore; not_built "$headers"
	problem *pmon_plr *not built for kernel 6.18-tree: the headers are missing*
END
ends 'Next: apt-get install linux-headers-6.18-tree && dpkg-reconfigure openpmon-dkms' &&
	directories "$root/usr/local/libexec/openpmon" &&
	: >"$root/usr/local/libexec/openpmon/build" &&
	run 1 doctor --verbose && has_text '&& /usr/local/libexec/openpmon/build $(uname -r)' &&
	not_built 'the build failed' && run 1 doctor &&
	has '*the build failed; when that is mended: /usr/local*'
verdict $? "doctor: and what builds them, as a package or without one"
hosts <<'END'
1 the host went down after loading: went_down '6.18-tree 0.1.0' boot
	problem *service *stays out: *(6.18-tree 0.1.0); look for the cause*
0 another kernel went down after loading: went_down '6.18-tree-rt 0.1.0'
	note *service *stays out of another kernel: *(6.18-tree-rt 0.1.0); look for the cause*
1 and this one: went_down '6.0 0.1.0' '6.18-tree 0.1.0'
	problem *service *stays out: *(6.18-tree 0.1.0); look for the cause*
	note *another kernel: *(6.0 0.1.0)*
0 openpmon.off: echo "root=/dev/vda openpmon.off quiet" >$root/proc/cmdline
	note *service *openpmon.off on the kernel's command line*
0 and what only looks like it: echo "root=/dev/vda openpmon.offset=1" >$root/proc/cmdline
	ok*
	! *service*
0 CAP_PERFMON up to level 2: paranoid 2
	note *only root and CAP_PERFMON may count*perf_event_paranoid is 2*
1 a level that cannot be read: rm $root/proc/sys/kernel/perf_event_paranoid
	problem *read (ENOENT): who may count is not known*
0 CAP_SYS_ADMIN from Debian's level 3 on: paranoid 3
	note *only root and CAP_SYS_ADMIN may count*
1 without rights it does not say that all is well: unreadable $class/pkg0-uncore0/units
	problem *files *cannot be read, and nothing is said about that; run as root*
END

# Problems first, then notes, one line for all that is well, and what to do next.
new_tree
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
