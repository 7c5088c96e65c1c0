# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016,SC2034
# Test pmonctl doctor.

# healthy: make a host without problems
healthy() {
	pci 0000:00:03.1 0x8086 0x09a7 intel_vsec
	pci 0000:00:04.0 0x8086 0x1234
	put 0000:00:03.1/power_state D0
	live pmon_uncore pmon_plr
	limits
	installed pmon_uncore pmon_plr
	paranoid 0
	spr
	domain 0 0 0-1
	core 0 0 0 0-1 none
}
# ---- changes of a healthy host
# strikes KEY NUMBER: record failed boots, the last in November 2026
strikes() {
	put "var/lib/openpmon/strikes/$1" "$2 1795996800"
}
# adopted AREA...: make the files of adopt --persist, but empty
adopted() {
	for area; do
		put "etc/modprobe.d/openpmon-$area.conf" ''
	done
}
# for_device PATTERN: unload pmon_plr, and make it a module for devices that match PATTERN
for_device() {
	rm -r "$root/sys/module/pmon_plr" "$root/sys/bus/auxiliary" "$class/pkg0-dom0"
	for_alias 'pci:v00008086d000009A7sv*sd*bc*sc*i*' pmon_uncore
	for_alias "$1" pmon_plr
	listed
}
# for_alias PATTERN MODULE: make a module file with this alias, of version 0.7
for_alias() {
	printf 'alias=%s\0version=0.7\0' "$1" >"$tmp/modinfo"
	rm -f "$kernel/updates/$2".ko*
	: | "${CC:-cc}" -x c -c -o "$tmp/empty.o" -
	objcopy --add-section .modinfo="$tmp/modinfo" "$tmp/empty.o" "$kernel/updates/$2.ko"
}
# lockdown: make a kernel that requires signatures of modules
lockdown() {
	put sys/kernel/security/lockdown 'none [integrity] confidentiality'
}
# cxl DRIVER [CPMU_DRIVER]: make a CXL memory device, load pmon_cxl; if $2 is given, add a CPMU
cxl() {
	expander "$1"
	meant_for '(null)'
	parameter pmon_cxl unbound 0
	[ $# = 2 ] || return 0
	mkdir -p "$root/sys/bus/cxl/devices/pmu_mem0.0"
	[ -z "$2" ] || link "../../drivers/$2" sys/bus/cxl/devices/pmu_mem0.0/driver
}
# unlisted VENDOR: make a function of that vendor with a discovery table
unlisted() {
	pci 0000:00:0a.0 "$1" 0x1234
	config_space 4096 '\043\0\01\0\0206\0200\0300\0\01\0'
	mv "$config" "$functions/0000:00:0a.0/config"
}
# alone: remove all hardware of the processor
alone() {
	rm -rf "$functions"/0000:0* "$class" "$root/sys/bus/auxiliary" "$root"/sys/module/pmon_[up]*
}
# meant_for DRIVER: set driver_override of the CXL device
meant_for() {
	put 0000:c1:00.0/driver_override "$1"
}
# behind_bridges PATH: make a function 8086:09a7 at a path, such as behind bridges
behind_bridges() {
	put "sys/devices/$1/vendor" 0x8086
	put "sys/devices/$1/device" 0x09a7
	link "../../../devices/$1" "sys/bus/pci/devices/${1##*/}"
}
card=pci0000:40/0000:40:01.0/0000:41:00.0/0000:42:01.0
# ring DRIVER [AREA]: make a Xeon E5 with two functions of R2PCIe bound to DRIVER and one of
# QPI, and adopt AREA
ring() {
	rm -r "$root/sys"
	pci 0000:7f:13.1 0x8086 0x0e34 "$1"
	pci 0000:ff:13.1 0x8086 0x0e34 "$1"
	pci 0000:7f:08.2 0x8086 0x0e32
	live intel_uncore
	installed pmon_r2pcie
	[ $# = 1 ] || adopted "$2"
}
# module_file LINE...: unload pmon_plr, and make its file, without compression
module_file() {
	unload pmon_plr
	rm "$kernel/updates/pmon_plr.ko.xz"
	put lib/modules/6.18-tree/updates/pmon_plr.ko "$@"
	listed
}
# vsec DIR [DIR]: put intel_vsec and intel_vsec_tpmi into these directories; remove TPMI devices
vsec() {
	put "lib/modules/6.18-tree/$1/intel_vsec.ko.xz" ''
	[ $# = 1 ] || put "lib/modules/6.18-tree/$2/intel_vsec_tpmi.ko" ''
	listed
	rm -r "$root/sys/bus/auxiliary"
}
own=kernel/drivers/platform/x86/intel

# doctor "STATUS WHAT: CODE | PATTERN | PATTERN...": test doctor on a healthy host, or $host,
# after the changes of CODE
doctor() {
	a ${host-healthy}
	code=${1#*: }
	eval "${code%% | *}"
	status=${1%% *}
	about=${1#* }
	row "doctor: ${about%%: *} | $status doctor --verbose | ${code#* | }"
}

rows doctor <<'END'
1 a device that a guest has: ln -sfn /% $functions/0*3.1/driver | problem *%*
% vfio-pci pci-stub
1 a device that sleeps: put 0000:00:03.1/power_state D3hot | problem *asleep (D3hot)*
0 nothing for a module where nothing records limits: for_device auxiliary:intel_vsec.tpmi-plr |
	ok *pmon_uncore *loaded* | ! *pmon_plr*
1 where the kernel has no TPMI, the function is its device: for_device pci:v00008086d000009A7sv* |
	problem *not loaded; modprobe pmon_plr*
1 a kernel that has no name, or a path: unload pmon_plr; % |
	problem *osrelease, with the version to look for, cannot be read*
% 'rm -r $root/proc/sys/kernel' 'put proc/sys/kernel/osrelease ../..'
0 boxes of nobody: unit 0 6 imc 1 mmio 0x1 4 48 - -; put pkg0-uncore0/mode observe |
	note *1 listed, and not driven; rmmod pmon_uncore && modprobe pmon_uncore mode=on uses them
	nevertheless: the module was loaded with mode=observe*
1 limits that cannot be read: rm $class/pkg0-dom0/plr/die/reasons | problem *dom0 *cannot be read*
1 a mailbox that does not answer: unreadable $class/pkg0-dom0/plr/core0/reasons |
	problem *pkg0-dom0 *the modules cannot be read (EISDIR)* | ! ok *pkg0-dom0*
1 a limit that a BMC has set, of what is watched:
	put pkg0-dom0/plr/core0/time_in_reason 'observed 9 9 1' '% 9 9 1' |
	problem *limits *% is in force: *; ask who manages the BMC*
% FREQUENCY_PCS_TRL MISC_PCS_PSTATE POWER_PKG_PL1_PCS POWER_PLATFORM_PL2_PCS
0 and no other: put pkg0-dom0/plr/core0/time_in_reason 'observed 9 9 1' 'POWER_PKG_PL1_MMIO 9 9 1'
	'FREQUENCY_CDYN1 9 9 1' | ! problem *
0 one that is over: put pkg0-dom0/plr/core0/reasons 'FREQUENCY FREQUENCY_PCS_TRL';
	put pkg0-dom0/plr/core0/time_in_reason 'observed 9 9 1' 'FREQUENCY_PCS_TRL 9 9 -' |
	! problem *
0 limits of another driver: rm -r $class/pkg0-dom0; live intel_plr_tpmi |
	note *limits *left to intel_plr_tpmi; pmonctl adopt plr*
0 a table in a function that no list has: unlisted 0x8086 |
	note *0000:00:0a.0 *discovery table (DVSEC 23h, id 1)*in no list*
0 none, of another vendor: unlisted 0x1022 | ! *0000:00:0a.0*
# ---- CXL memory devices
0 a CXL memory device: cxl cxl_pci "" | ok *0000:c1:00.0 *driver cxl_pci* | ! *pmu_mem*
0 one of another class: cxl cxl_pci; echo 1 >$functions/0000:c1:00.0/class | ok *driver cxl_pci*
0 one without a driver: cxl "" | note *0000:c1:00.0 *pmon_cxl with unbound=1*
0 and that is asked for: cxl ""; parameter pmon_cxl unbound 1 | ok *loaded with unbound=1*
0 one that a virtual machine has: cxl vfio-pci | note *0000:c1:00.0 *bound to vfio-pci*
0 one that is meant for one: cxl cxl_pci; meant_for vfio-pci | note *meant for vfio-pci*
0 one meant for cxl_pci, which has it: cxl cxl_pci; meant_for cxl_pci | ok *driver cxl_pci*
0 one meant for cxl_pci, and of no driver: cxl ""; meant_for cxl_pci | note *meant for cxl_pci*
0 one without a CPMU: cxl cxl_pci; locates 3; unload pmon_cxl |
	note *0000:c1:00.0 *has no CPMU*cxlhost* | ! *modprobe pmon_cxl* | ! *driver cxl_pci*
0 one with a CPMU: cxl cxl_pci; locates 4 | ok *driver cxl_pci*
0 a CPMU of the kernel's driver, and pmon_cxl is not loaded: cxl cxl_pci cxl_pmu; live cxl_pmu;
	unload pmon_cxl | note *pmu_mem0.0 *left to cxl_pmu; pmonctl adopt cxl* |
	! *modprobe pmon_cxl*
0 CPMUs that were adopted: cxl cxl_pci ""; adopted cxl | ok *cxl *adopted (*
1 and the kernel's driver has one: cxl cxl_pci cxl_pmu; live cxl_pmu; adopted cxl |
	problem *cxl *adopted (*), but pmon_cxl drives no device, and cxl_pmu is loaded in its
	place; pmonctl adopt --persist --now cxl hands it over* | ! ok *cxl *adopted*
0 pmon_cxl loaded with mode=off: cxl cxl_pci ""; parameter pmon_cxl mode off |
	note *c1:00.0 *rmmod pmon_cxl && modprobe pmon_cxl mode=on uses *: the module was loaded
	with mode=off* | ! *driver cxl_pci*
# ---- the states of boxes on real servers
1 units whose place is something else's: put pkg0-uncore0/rejected
	"6 0 address 0xa8000000 claimed by something else" "5 1 address 0x1 in the first megabyte" |
	problem *places *1 units rejected for their address, such as type 6 id 0 at 0xa8000000: claimed by
	something else; rmmod pmon_uncore && modprobe pmon_uncore placement=kernel uses them*
0 units that are used there: parameter pmon_uncore placement kernel |
	note *places *placement=kernel: *
0 boxes that another program disturbs: put uncore_cha_1/disturbed "0 0" "1 0";
	put uncore_cha_2/disturbed "0 3" "1 0"; put uncore_imc_0/disturbed "0 1" |
	note *uncore_cha_2 *changed or reset by another program, or lost as a box did not respond (times: 4, PMUs: 2); *
0 boxes that none does: put uncore_cha_1/disturbed "0 0" "1 0"; put uncore_x/disturbed x -1;
	put uncore_imc_0/unresponsive "0 0" "1 0" | ok *boxes* | ! *uncore_*
1 a box that does not respond: put uncore_imc_0/unresponsive "0 0" "1 1" |
	problem *uncore_imc_0 *1 of its boxes does not respond (all ones) and is not counted*
0 the table of a card: behind_bridges $card | note *0000:42:01.0 *on a card, such as a GPU*ignored*
# ---- boot, modules and files of the host
0 what was adopted: adopted uncore plr |
	ok *uncore *adopted (*/etc/modprobe.d/openpmon-uncore.conf* | ok *plr *adopted*
1 adopted, and nobody drives the boxes: adopted uncore; unload pmon_uncore |
	problem *uncore *pmon_uncore is not loaded, and intel_uncore is kept away; pmonctl release*
# After a fallback the kernel's driver keeps the boxes, even if pmon_uncore is loaded later.
1 adopted, loaded, and the kernel's driver has the boxes: adopted uncore; live intel_uncore;
	put pkg0-uncore0/owner intel_uncore |
	problem *uncore *adopted (*), but pmon_uncore drives no device, and intel_uncore is
	loaded in its place; pmonctl adopt --persist --now uncore hands it over; so does a reboot*
0 adopted for the next boot: adopted uncore; live intel_uncore; put pkg0-uncore0/owner intel_uncore;
	: >$class/pkg0-uncore0/units; unit 0 6 imc 0 mmio 0x1 4 48 - intel_uncore;
	put proc/stat "cpu 1" "btime 1700000000" |
	note *uncore *openpmon drives the counter boxes from the next boot on (*/etc/modprobe.d/*);
	reboot, or pmonctl adopt --persist --now uncore |
	note *boxes *left to intel_uncore; reboot, or pmonctl adopt --persist --now uncore hands* |
	Next: reboot, or pmonctl adopt --persist --now uncore
1 adopted before the boot, or by a wrong clock: adopted uncore; live intel_uncore;
	put pkg0-uncore0/owner intel_uncore;
	touch -d @% $root/etc/modprobe.d/*; put proc/stat "cpu 1" "btime 1700000000" |
	problem *uncore *hands it over; so does a reboot*
% 1600000000 4000000000
1 the same until the next boot: put run/modprobe.d/openpmon-uncore.conf ""; live intel_uncore;
	put pkg0-uncore0/owner mixed | problem *; pmonctl adopt uncore hands it over*
1 adopted, and loaded to do nothing: adopted uncore; rm -r $class/pkg0-uncore0;
	parameter pmon_uncore mode off |
	problem *uncore *drives no device, and intel_uncore is kept away; rmmod * mode=on uses*
1 adopted, on a CPU model that is not known: adopted uncore; live intel_uncore;
	put pkg0-uncore0/owner none; put pkg0-uncore0/mode unknown-model |
	problem *uncore *in its place; rmmod * generic=1 *: openpmon does not support this CPU model*
1 adopted, and it cannot be read whose the boxes are: adopted uncore;
	unreadable $class/pkg0-uncore0/owner | ok *uncore *adopted*
1 adopted, and the kernel's driver has boxes of one package: adopted uncore; live intel_uncore;
	discovery 1; unit 1 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon;
	unit 1 8 upi 0 msr 0x1 4 48 - intel_uncore; put pkg1-uncore0/owner mixed |
	problem *uncore *drives no device, and intel_uncore is loaded in its place*
0 adopted, and a box that nobody drives: adopted uncore; unit 0 8 upi 0 msr 0x1 4 48 - - |
	ok *uncore *adopted*
# A fleet may have one configuration for different hosts.
0 what was adopted where none of it is: cxl cxl_pci; for_device pci:v00008086; alone;
	live intel_uncore; adopted uncore plr r2pcie qpi |
	ok *uncore *adopted (*; this host has no counter boxes* | ! *pmon_uncore* |
	ok *plr *adopted (*; this host has no performance limits* |
	ok *r2pcie *; this host has no R2PCIe boxes | ok *qpi *; this host has no QPI boxes
0 and where the rest is: for_device auxiliary:intel_vsec.tpmi-plr; adopted plr cxl |
	ok *plr *adopted (*; this host has no performance limits* |
	ok *cxl *adopted (*); this host has no CPMUs of CXL devices
1 limits adopted, and the kernel's driver has them: adopted plr;
	rm -r $class/pkg0-dom0; live intel_plr_tpmi |
	problem *plr *but pmon_plr drives no device, and intel_plr_tpmi is loaded in its place; *
1 a function that was adopted, and is not bound: adopted r2pcie; pci 0000:7f:13.1 0x8086 0x0e34;
	live intel_uncore pmon_r2pcie |
	problem *r2pcie *but pmon_r2pcie drives no device, and intel_uncore is loaded in its place*
0 a Xeon E5: ring ivbep_uncore |
	note *R2PCIe *2 functions, 0 driven by openpmon; pmonctl adopt r2pcie hands them over |
	note *QPI *1 function, 0 driven by openpmon; pmonctl adopt qpi hands them over
0 functions of each Xeon E5 and E7: ring ivbep_uncore; for id in 3c43 2f34 6f34 3c41 3c42 0e33 0e3a
	2f32 2f33 2f3a 6f32 6f33 6f3a; do pci 0000:80:10.$id 0x8086 0x$id; done |
	note *R2PCIe *5 functions, * | note *QPI *11 functions, *
1 R2PCIe adopted, and the module is not loaded: ring ivbep_uncore r2pcie |
	problem *r2pcie *but pmon_r2pcie is not loaded, and intel_uncore is loaded in its place;
	pmonctl release* | problem *pmon_r2pcie *not loaded; modprobe pmon_r2pcie*
0 R2PCIe adopted: ring pmon_r2pcie r2pcie; live pmon_r2pcie; put uncore_r2pcie/cpumask 0,8 |
	ok *R2PCIe *2 functions, 2 driven by openpmon* | ok *r2pcie *adopted*
1 R2PCIe of a socket without a Ubox: ring pmon_r2pcie r2pcie; live pmon_r2pcie;
	put uncore_r2pcie/cpumask 0 | problem *R2PCIe *1 of 2 functions not served; dmesg *
1 QPI adopted, and the module is not there: ring ivbep_uncore qpi; installed pmon_uncore |
	problem *qpi *pmon_r2pcie is not loaded* |
	problem *no such module for kernel 6.18-tree; in openpmon's sources: make install*
1 a module that is not signed, under lockdown: module_file "%"; lockdown |
	problem *pmon_plr *not loaded, and cannot be: it is not signed* | ! *modprobe pmon_plr* |
	note *signed modules only*
% x 'of more bytes than a signature'
1 a module that is signed, under lockdown: lockdown; module_file '~Module signature appended~' |
	problem *pmon_plr *not loaded; modprobe pmon_plr*
1 one that is not, where no signature is wanted: module_file "of more bytes than a signature";
	put sys/kernel/security/lockdown "[none] x" | problem *pmon_plr *not loaded; modprobe*
1 an intel_vsec that is not the kernel's, without TPMI devices: vsec updates/dkms $own |
	problem *intel_vsec */lib/modules/6.18-tree/updates/dkms/intel_vsec.ko.xz is not this
	kernel's own, and there are no TPMI devices: *; remove the package*
# The hosts in turn: TPMI devices exist; both modules are the kernel's; neither is; one is missing.
0 an intel_vsec that keeps nobody from TPMI: % | ! *intel_vsec.ko* | ! *TPMI devices*
% 'vsec updates/dkms $own; limits' 'vsec $own $own' 'vsec updates updates' 'vsec updates'
1 why the modules were not built for this kernel: unload pmon_plr; installed pmon_uncore;
	put var/lib/openpmon/builds/6.18-tree "no headers: apt-get install linux-headers" |
	problem *pmon_plr *not built for kernel 6.18-tree: no headers* |
	Next: apt-get install linux-headers && /usr/libexec/openpmon/build $(uname -r)
1 and where no package builds them, but make dkms-install: unload pmon_plr; installed pmon_uncore;
	put usr/local/libexec/openpmon/build ""; put var/lib/openpmon/builds/6.18-tree "it failed" |
	*it failed; when this is solved: /usr/local/libexec/openpmon/build $(uname -r)
1 openpmon is out on this kernel and on another: unload pmon_uncore pmon_plr;
	strikes "6.18-tree 9.1" 2; strikes "6.18-rt 9.1" 3; strikes "6.18 9.1" 1 |
	problem *service *openpmon is out until 2026-12-0[67]*, then until the next boot: * 9.1 on kernel
	6.18-tree, *journalctl* |
	note *service *openpmon is out until 2026-12-0[67]*9.1 on kernel 6.18-rt, * |
	! *kernel 6.18, * | note *pmon_uncore *not loaded | ! *modprobe pmon* |
	Next: journalctl -k -b -1
1 nor does it have what it adopted given back: unload pmon_uncore; live intel_uncore; rm -r $class;
	strikes "6.18-tree 9.1" 2; put etc/modprobe.d/openpmon-uncore.conf x |
	note *uncore *adopted* | ! *pmonctl release* | ! *pmonctl adopt*
1 memory decoding that nobody switches on: rm $functions/0000:00:03.1/driver;
	head -c 64 /dev/zero >$functions/0000:00:03.1/config |
	problem *0000:00:03.1 *memory decoding is off, * echo 1 >/sys/bus/pci/devices/0000:00:03.1/enable and * |
	Next: echo 1 >/sys/bus/pci/devices/0000:00:03.1/enable
0 that is on: printf '\\0\\0\\0\\0\\2\\0\\0\\0' >$functions/0000:00:03.1/config | ! *memory decoding*
0 limits only: unload pmon_uncore; live pmon intel_uncore; rm -r $class/pkg0-uncore0;
	installed pmon pmon_plr | ! *pmon_uncore* | ! *adopt*
0 one strike is none: strikes "6.18-tree 9.1" 1 | ! *service*
0 what is no number is none: put "var/lib/openpmon/strikes/6.18-tree 9.1" x | ! *service*
0 modules from before an upgrade: put sys/module/pmon_plr/version 0.8 |
	note *modules *[.]*, 0.8, pmonctl *[.]*: loaded before the upgrade; reboot, or*
0 and from before there were versions: rm $root/sys/module/pmon*/version |
	note *modules unknown, pmonctl *[.]*: loaded before the upgrade*
0 modules of a third version: for_alias x pmon; listed; put sys/module/pmon_plr/version 0.8 |
	note *modules *, 0.8, pmonctl *: other versions are installed; install modules and pmonctl of one*
0 and part of another: listed; put sys/module/pmon_plr/version 0.9 | note *modules *[.]*, 0.9, pmonctl *
0 openpmon.off: put proc/cmdline "root=/dev/vda openpmon.off quiet" | note *service *openpmon.off *
0 and what only looks like it: put proc/cmdline "openpmon.offset=1" | ! *service*
0 CAP_SYS_ADMIN from Debian's level 3 on: paranoid 3 | note *only root and CAP_SYS_ADMIN may count*
1 a level that cannot be read: rm $root/proc/sys/kernel/perf_event_paranoid |
	problem *read (ENOENT): who may count is not known*
1 without rights it does not say that all is well: unreadable $class/pkg0-uncore0/units |
	problem *files *cannot be read, so findings may be missing; run as root*
END

# ---- functions without a table. A DVSEC with the ID 1 leads to a table of boxes, a VSEC with
# the ID 66 to TPMI, which may have the registers of limits.
tpmi='\0013\0000\0001\0000\0102\0000\0001\0001\0000\0000'
other='\0043\0000\0001\0000\0206\0200\0001\0001\0002\0000'
foreign='\0043\0000\0001\0000\0206\0201\0001\0001\0001\0000'
host=nothing
rows doctor <<'END'
77 neither tables nor TPMI: config_space 4096 "$other" | - neither a table
77 a table that is not of Intel: config_space 4096 "$foreign" | - neither a table
1 TPMI, and no table: config_space 4096 "$tpmi" |
	problem tables *firmware hides it* | ! *modprobe pmon_uncore*
1 configuration space of 256 bytes: config_space 256 |
	problem PCI *256 bytes*pci=nommconf* | ! *modprobe* | : run 2 list && complains pci=nommconf
1 without rights a table is taken to be there: config_space 64 | problem *pmon_uncore*
77 a card alone is no supported hardware: behind_bridges $card | ! *
1 a function of the host itself: behind_bridges pci0000:00/0000:00:03.1 | ok *:00:03.1 *present*
2 a container without /sys: rm -r "$root/sys/bus" | - /sys: not here
END
# capped_late: let a BMC limit core1 while doctor watches
capped_late() {
	healthy
	core 0 0 1 1 none
	put proc/uptime 1000.00
	passing <<-'END'
	printf '%s\n' 'observed 9 1001000 900 1' 'POWER_PKG_PL2_PCS 9 1000900 1000100 1' \
		>"$class/pkg0-dom0/plr/core1/time_in_reason"
	END
}
# opens: make a PMU for limits, and list the numbers of open events in each pause
opens() {
	healthy
	box plr 80 0
	echo 80 0 0 1 >"$root/counts"
	passing <<-'END'
	ls -l "/proc/$PPID/fd" | grep -c "$root/counts$" >>"$root/open"
	END
}
rows <<'END'
doctor: a limit of a BMC in any module, as without a command | : a capped_late |
	1 doctor |
	problem limits POWER_PKG_PL2_PCS is in force: *; ask who manages the BMC: *
doctor: monitors limits | : a opens | 0 doctor | : grep -qx 1 "$root/open"
doctor: --once leaves the record in place, so it opens no event for that |
	: a opens | 0 doctor --once | : ! grep -qsx 1 "$root/open"
doctor: --once has a limit of a BMC that another program monitors |
	: put pkg0-dom0/plr/core0/active POWER_PKG_PL2_PCS | 1 doctor --once |
	problem limits POWER_PKG_PL2_PCS is in force: *
doctor: a healthy host | : a healthy | 0 doctor --verbose
> ok  0000:00:03.1  present, driver intel_vsec
> ok  pmon_uncore   loaded, 0 users
> ok  pmon_plr      loaded, 0 users
> ok  boxes         1 driven by openpmon
> ok  pkg0-dom0     1 module, reasons of the die: none
> ok  perf          everybody may count
> Next: pmonctl bw
doctor: --json is JSON | : a healthy | 0 doctor --json | : is_json | : silent
doctor: an intel_vsec of others on a host that has no TPMI |
	: a healthy; vsec updates/dkms $own; rm -r "$root/sys/bus/pci" | 77 doctor | ! *TPMI devices*
doctor: problems first, then notes, then what to do next | : a nothing; discovery_function;
	discovery 0; unit 0 6 imc 0 mmio 0xfe000000 4+1 48 uncore_imc_0 intel_uncore;
	live pmon_uncore; put pkg0-uncore0/rejected '6 1 width 0xff wide'; paranoid 2 | 1 doctor
> problem boxes 1 rejected; pmonctl list shows why
> note boxes 1 left to intel_uncore; pmonctl adopt uncore hands them over
> note perf only root and CAP_PERFMON may count (perf_event_paranoid is 2)
> ok: 2 things; --verbose shows them
> Next: pmonctl list
END
