# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034,SC2016
# Test how pmonctl adopt and release compare PMUs, and the order of their actions.
# $tmp/weak runs pmonctl so that modes of files also hold for root.
weak='exec'
[ "$(id -u)" != 0 ] || weak='exec setpriv --bounding-set=-dac_override'
printf '%s\n' '#!/bin/sh' "$weak '$PMONCTL_TEST' \"\$@\"" >"$tmp/weak"
chmod +x "$tmp/weak"

# calls [CALL...]: are these exactly the calls since the last check? +MODULE: load, -MODULE: unload
calls() {
	said=
	[ ! -e "$root/calls" ] ||
		said=$(sed 's/^modprobe /+/; s/^rmmod /-/' "$root/calls" | paste -sd' ')
	rm -f "$root/calls"
	[ "$said" = "$*" ] || { echo "# asked for: $said"; return 1; }
}
# configuration: print names, modes and contents of all files in /etc and /run
configuration() {
	tar -C "$root" --sort=name --mtime=@0 -c etc run
}
remember() {
	configuration >"$tmp/before"
}
# unchanged: is the configuration as saved by remember()?
unchanged() {
	configuration | cmp - "$tmp/before"
}
# now MODULE...: are these modules loaded?
now() {
	for each; do
		[ -e "$root/sys/module/$each" ] || { echo "# not loaded: $each"; return 1; }
	done
}
# written DIR: is adopt's file for uncore in DIR/modprobe.d, and complete?
written() {
	adoption | cmp - "$root/$1/modprobe.d/openpmon-uncore.conf"
}
# used MODULE N: set the number of a module's users
used() {
	put "sys/module/$1/refcnt" "$2"
}
# untouched: was no program called and no file changed?
untouched() {
	complains 'nothing was changed' && calls '' && unchanged
}
# undone MODULE: were all changes undone, and is MODULE loaded?
undone() {
	complains 'all changes were undone' && now "$1" && unchanged
}
# renamed: add PMUs that only openpmon has, and PMUs that openpmon renames: the old name is an
# alias, or lacks the number
renamed() {
	contested
	pmu uncore_mdf_sbo_0 event=config:0-7
	pmu uncore_type_30_0 event=config:0-7
	pmu uncore_pcu event=config:0-7
	cat >>"$class/pkg0-uncore0/pmus" <<-'END'
	pmu uncore_mdf_0 uncore_mdf_sbo_0
	format event config:0-7
	pmu uncore_ubox_0 uncore_type_30_0
	format event config:0-7
	pmu uncore_pcu_0 uncore_type_4_0
	format event config:0-7
	event clockticks event=0x1
	pmu uncore_cha_0 uncore_type_0_0
	pmu uncore_cha_1 uncore_type_0_1
	format event config:0-7
	END
}
# refuses "WHAT: CHANGE | LOSS": change openpmon's PMUs by sed; adopt must refuse, and name LOSS
refuses() {
	a contested
	change=${1#*: }
	sed -i "${change% | *}" "$class/pkg0-uncore0/pmus"
	row "adopt: refuses: ${1%%: *} | 2 adopt uncore | *${1##* | }* | : untouched"
}
# holder PID NAME FILE...: make a process with open files
holder() {
	put "proc/$1/comm" "$2"
	link "$3" "proc/$1/fd/0"
	link "$4" "proc/$1/fd/1"
}
# counting: make five processes with perf events, and one without
counting() {
	contested
	used intel_uncore 2
	for pid in 21 22 23 24 25; do
		holder $pid perf /dev/null 'anon_inode:[perf_event]'
	done
	holder 26 cat /tmp/perf_event 'anon_inode:[eventpoll]'
}
# on_kernel RELEASE: make a contested tree with the kernel RELEASE
on_kernel() {
	a contested
	put proc/sys/kernel/osrelease "$1"
	mv "$kernel" "$root/lib/modules/$1"
}
# recorded: make a contested tree with limits, and load both drivers of limits
recorded() {
	contested
	limits
	live intel_plr_tpmi pmon_plr
}
# ring: make functions of R2PCIe, one of QPI, and the kernel's PMUs of these
ring() {
	contested
	for f in 0000:7f:13.1 0000:ff:13.1; do
		pci $f 0x8086 0x0e34
		: >"$functions/$f/driver_override"
	done
	pci 0000:7f:08.2 0x8086 0x0e32
	installed pmon pmon_uncore pmon_r2pcie intel_uncore
	pmu uncore_r2pcie event=config:0-7 umask=config:8-15
	pmu uncore_qpi_0 event=config:0-7,21 match0=config1:0-31
}
# cpmus: make the PMU of a CXL device; its events are compared after the change of drivers
cpmus() {
	handles pmon pmon_cxl cxl_pmu
	expander
	pmu cxl_pmu_mem0.0 vid=config:0-15 gid=config:16-31 mask=config:32-63
	files cxl_pmu_mem0.0/events/ <<-'END'
	clock_ticks vid=0x1e98,gid=0x00,mask=0x01
	d2h_req_rdcurr vid=0x1e98,gid=0x10,mask=0x02
	END
}

rows <<'END'
adopt: encodings are compared, not how they are written | : a contested; remember |
	0 adopt --dry-run uncore | : calls | : unchanged
> NOW             AFTERWARDS      CHANGE
> uncore_imc_0-1  uncore_imc_0-1  kept
> uncore: adopt would do this; nothing was changed.
adopt: hands the boxes over | 0 adopt uncore | *openpmon drives the counter boxes until the next* |
	: calls -pmon_uncore -intel_uncore +pmon_uncore | : written run
adopt: twice is once | 0 adopt uncore | *already* | : calls
release: --dry-run changes nothing | 0 release --dry-run uncore |
	*/run/modprobe.d/openpmon-uncore.conf: would be removed* | : calls | : written run
release: a file that cannot be removed | : chmod 555 "$root/run/modprobe.d"; program=$tmp/weak |
	2 release uncore | ! * | - openpmon-uncore.conf: cannot be | : now pmon_uncore | : written run |
	: chmod 755 "$root/run/modprobe.d"; program=$PMONCTL_TEST | : calls -pmon_uncore +pmon_uncore
release: hands the boxes back, and leaves nothing | 0 release uncore | : silent |
	: calls -pmon_uncore +intel_uncore +pmon_uncore | : unchanged
release: nothing to release | 0 release | uncore: nothing was adopted* | : calls
adopt: --persist | 0 adopt --persist uncore | : written etc | : [ ! -e "$root/run/modprobe.d" ]
release: of that | 0 release | : unchanged
adopt: until the next boot | : a contested | 0 adopt uncore | : rm "$root/calls" |
	: used pmon_uncore 1
adopt: for good would write a file, and nothing else | 0 adopt --dry-run --persist uncore |
	uncore: adopt would write */etc/modprobe.d/openpmon-uncore.conf; nothing was changed. | : calls
adopt: and for good moves nothing | 0 adopt --persist uncore | : calls | : used pmon_uncore 0 |
	: written etc
release: of both | 0 release | : unchanged
END

rows refuses <<'END'
a term is lost: /format edge/d | term edge is lost
a term has other bits: s/config:18/config:17/ | term edge changes
a term is in another word: s/umask config:/umask config1:/ | term umask changes
a term is narrower: s/config:0-7/config:0-6/ | term event changes
the bits of a term have another order: s/config:8-15,32-55/config:32-55,8-15/ | term umask changes
an event is lost: /event clockticks/d | event clockticks is lost
an event has another encoding: s/umask=0xcf/umask=0xce/ | event cas_count_read changes
an event has more bits than its term: s/event clockticks event=0x1/&01/ | event clockticks changes
an event has a term of no bits: s/event clockticks event=0x1/&,odd=1/ | event clockticks changes
an event has another scale: s/scale 0.0000/scale 0.000/ | event cas_count_read.scale changes
an event has another unit: s/MiB/MB/ | event cas_count_read.unit changes
END
rows <<'END'
adopt: with limits only | : a contested; rm -r $root/sys/module/pmon*; installed pmon pmon_plr intel_uncore |
	2 adopt uncore | - uncore: pmon_uncore is not installed, only what limits need
adopt: with limits only, without a name | 0 adopt | *nothing to hand over*
adopt: refuses: a PMU is lost | : a contested; pmu uncore_free_0 event=config:0-7;
	put uncore_free_0/events/a event=1 | 2 adopt uncore |
	*LOST, with 1 event* | : untouched
adopt: bits that the other driver drops are no loss | : a contested;
	pmu uncore_imc_0 umask=config:8-15,32-63; pmu uncore_imc_1 umask=config:8-15,32-63 |
	0 adopt --dry-run uncore
adopt: bits that reach the hardware are |
	: put pkg0-uncore0/units '6 imc 0 msr 0x1 4 48 - intel_uncore' |
	2 adopt --dry-run uncore | *term umask changes*
adopt: --allow-loss does it all the same | 0 adopt --allow-loss uncore | : written run
adopt: names that perf takes as well are no loss, others are new |
	: a renamed | 0 adopt --dry-run uncore
> NOW               AFTERWARDS      CHANGE
> uncore_imc_0-1    uncore_imc_0-1  kept
> uncore_mdf_sbo_0  uncore_mdf_0    kept
> uncore_pcu        uncore_pcu_0    kept, 1 more event
> uncore_type_30_0  uncore_ubox_0   kept
> -                 uncore_cha_0-1  new
> likwid finds uncore_mdf_sbo_<n> by its path: after adopt it has no MDF counters, perf does
> uncore: adopt would do this; nothing was changed.
adopt: what openpmon has already is kept, not new |
	: for i in 0 1; do unit 0 0 cha $i msr 0x20${i}0 4 48 uncore_cha_$i openpmon;
	pmu uncore_cha_$i event=config:0-7; done | 0 adopt --dry-run uncore |
	uncore_cha_0-1 uncore_cha_0-1 kept | ! *new
adopt: refuses: the name of a box is lost |
	: put uncore_mdf_sbo_0/alias uncore_type_20_0;
	sed -i 's/uncore_mdf_sbo_0/uncore_type_20_0/' "$class/pkg0-uncore0/pmus" |
	2 adopt --dry-run uncore | uncore_mdf_sbo_0 uncore_mdf_0 the name is lost
# ---- reasons for refusals
adopt: refused, and by whom it is used | : a counting | 2 adopt uncore |
	- intel_uncore is in use by 2 users |
	- Open perf events: perf (21), perf (22), perf (23), perf (24) and 1 more | : untouched
adopt: refused while openpmon counts | : a contested; used pmon_uncore 1 | 2 adopt uncore |
	- pmon_uncore is in use by 1 user, | : untouched
adopt: undone when intel_uncore does not go |
	: a contested; echo 'rmmod intel_uncore' >"$root/fails" | 2 adopt uncore |
	: undone intel_uncore | : now pmon_uncore
adopt: undone when pmon_uncore does not come | : echo 'modprobe pmon_uncore' >"$root/fails" |
	2 adopt uncore | - cannot be loaded again | : now intel_uncore | : unchanged
adopt: --dry-run looks with a module that is loaded for it |
	: a contested; rm -r "$root/sys/module/pmon_uncore" "$root/sys/module/pmon" |
	0 adopt --dry-run uncore | : calls +pmon insmod
	/lib/modules/6.18-tree/updates/pmon_uncore.ko.xz mode=observe -pmon_uncore -pmon
adopt: a driver that cannot be unloaded |
	: a contested; rm "$root/sys/module/intel_uncore/initstate" | 2 adopt uncore |
	- is built into this kernel
adopt: nothing is done when nothing can be compared |
	: a contested; rm "$class/pkg0-uncore0/pmus" | 2 adopt uncore | - pkg0-uncore0/pmus
adopt: no warning where the kernel is right (%) | : on_kernel % | 0 adopt uncore | : silent
% 6.12.19-amd64 6.12.117+deb12-amd64 6.13.7 6.14.0-37-generic 7.3.4+deb13-amd64
adopt: --dry-run says that, too | : a contested | 0 adopt --dry-run --next-boot uncore |
	*adopt would do this from the next boot on; nothing was changed.
adopt: --dry-run warns, and names the other way | : on_kernel 6.1.0-56-amd64 | 0 adopt --dry-run uncore |
	- --persist waits for the next boot | *adopt would do this; nothing was changed.
adopt: --persist is from the next boot on (%), and --now at once, which can hang perf |
	: on_kernel %; run 0 adopt --persist uncore && calls && written etc &&
	has '*from the next boot on*' '*--now hands over at once*' |
	0 adopt --persist --now uncore | - can hang when intel_uncore is unloaded |
	*openpmon drives the counter boxes at every boot*
% 5.14.0-687.el9.x86_64 6.1.0-56-amd64 6.11.0-29-generic 6.12.9+bpo-amd64 6.13.6
adopt: limits have no PMU, so that nothing hangs | : on_kernel 6.1.0-56-amd64; limits;
	live intel_plr_tpmi pmon_plr | 0 adopt --persist plr | : silent |
	: calls -pmon_plr -intel_plr_tpmi +pmon_plr
adopt: it is written | : a contested | 0 adopt uncore | : rm "$root/calls"
release: refused while openpmon counts | : used pmon_uncore 1 | 2 release uncore |
	- pmon_uncore is in use by 1 user, | : calls | : written run
release: a file that was edited is left alone |
	: echo '# mine' >>"$root/run/modprobe.d/openpmon-uncore.conf" | 2 release uncore |
	- was edited after pmonctl adopt | : [ -e "$root/run/modprobe.d/openpmon-uncore.conf" ]
adopt: by adopt, too | 2 adopt uncore | - was edited after pmonctl adopt
# After adopt, the hardware is removed.
adopt: for good | : a contested | 0 adopt --persist uncore | : rm -r "$root/sys/bus/pci"
release: where the hardware is gone | 0 release | : [ ! -e "$root/etc/modprobe.d/openp"* ]
# ---- several areas: adopt takes uncore first, then plr, then r2pcie
adopt: limits that no device records, beside what there is | : a contested |
	77 adopt --persist uncore plr | *openpmon drives the counter boxes* |
	- plr: this host has none of these devices |
	: [ ! -e "$root/etc/modprobe.d/openpmon-plr.conf" ]
adopt: what failed is worse than what there is no device for | : a contested;
	pci 0000:7f:13.1 0x8086 0x0e34; installed pmon pmon_uncore pmon_r2pcie intel_uncore;
	live pmon_r2pcie; used pmon_uncore 1; used pmon_r2pcie 1 | 2 adopt uncore plr |
	- pmon_uncore is in use | - plr: this host has none
adopt: also when it comes after that | 2 adopt plr r2pcie | - pmon_r2pcie is in use |
	- plr: this host has none
adopt: an unknown area is wrong usage | 64 adopt gpu | - gpu: no such area
adopt: two times for one thing | 64 adopt --now --next-boot uncore | - do not go together
release: --persist is wrong usage | 64 release --persist | - release has no option --persist
adopt: nobody to take anything from | : a contested; installed pmon pmon_uncore pmon_plr;
	unload intel_uncore |
	0 adopt | *This kernel has no other driver* | : calls
adopt: without a name also a driver that is loaded and not listed | : a recorded;
	rm "$kernel"/updates/intel-plr-tpmi.ko.xz; listed | 0 adopt |
	*openpmon drives the performance limits* | : now pmon_plr | : [ ! -e "$root/sys/module/intel_plr_tpmi" ]
release: cannot load that again, and says so | 0 release plr | : now pmon_plr |
	plr: released; * before adopt, unless it was intel_plr_tpmi, which is not in modules.dep.
adopt: performance limits | : a recorded | 0 adopt plr |
	: calls -pmon_plr -intel_plr_tpmi +pmon_plr |
	: grep -qx 'install intel_plr_tpmi /bin/true' "$root/run/modprobe.d/openpmon-plr.conf"
release: performance limits | 0 release plr | : calls -pmon_plr +intel_plr_tpmi +pmon_plr
# ---- modes in which openpmon would leave boxes or limits without a driver
adopt: limits that would not be shown | : a recorded; parameter pmon_plr mode off | 2 adopt plr |
	: untouched | - none of the performance limits: the module was loaded with mode=off
adopt: undone where pmon_uncore comes and only looks on |
	: a contested; put etc/modprobe.d/local.conf 'options pmon_uncore mode=observe'; remember |
	2 adopt --persist uncore |
	- drives none of the counter boxes: * mode=observe | : undone intel_uncore |
	: rm "$root/calls"
adopt: refused where it does so already | 2 adopt --dry-run uncore |
	- would drive none of the counter boxes | : untouched
adopt: also without the other driver | : unload intel_uncore | 2 adopt uncore |
	- would drive none | : untouched
adopt: and where it was adopted, that is not all |
	: adoption >"$root/etc/modprobe.d/openpmon-uncore.conf" | 2 adopt --persist uncore |
	! *already*
adopt: a CPU model that is not known | : put pkg0-uncore0/mode unknown-model;
	parameter pmon_uncore mode on; rm "$root/etc/modprobe.d/local.conf" |
	2 adopt --persist uncore | - openpmon does not support this CPU model
# ---- R2PCIe: adopt hands over its PCI functions. In this tree no driver binds a function.
adopt: a host without R2PCIe | : a contested | 77 adopt r2pcie |
	- r2pcie: this host has none of these
adopt: --dry-run of R2PCIe | : a ring; remember | 0 adopt --dry-run r2pcie |
	uncore_r2pcie uncore_r2pcie kept | : calls | : unchanged
adopt: QPI would lose terms | 2 adopt qpi | *uncore_qpi_0 *loses the terms match* | : calls
adopt: functions that are not bound are given back | 2 adopt r2pcie | : undone intel_uncore |
	: calls -intel_uncore +pmon_r2pcie +intel_uncore -pmon_r2pcie -intel_uncore +intel_uncore
	| : [ -z "$(head -qn 1 "$functions"/0000:?f:13.1/driver_override)" ]
adopt: R2PCIe from the next boot on | : a ring; live pmon_r2pcie | 0 adopt --next-boot r2pcie |
	*r2pcie: openpmon drives *
release: of that, a file that cannot be removed | : chmod 555 "$root/etc/modprobe.d"; program=$tmp/weak |
	2 release r2pcie | - openpmon-r2pcie.conf: cannot be | : now intel_uncore pmon_r2pcie |
	: chmod 755 "$root/etc/modprobe.d"; program=$PMONCTL_TEST |
	: calls -pmon_r2pcie -intel_uncore +pmon_r2pcie +intel_uncore
# ---- CPMUs of CXL devices
adopt: CPMUs of CXL devices | : a cpmus; conf=$root/run/modprobe.d/openpmon-cxl.conf |
	0 adopt cxl | : edited "s|${conf#"$root"}|its file|" | : calls -pmon_cxl -cxl_pmu +pmon_cxl |
	: grep -qx 'install cxl_pmu /bin/true' "$conf"
> NOW             AFTERWARDS
> cxl_pmu_mem0.0  the same, or adopt is undone
> NOW             AFTERWARDS      CHANGE
> cxl_pmu_mem0.0  cxl_pmu_mem0.0  kept
> cxl: openpmon drives the CPMUs of CXL devices until the next boot (its file).
adopt: CPMUs once | 0 adopt cxl | *already* | : calls
release: CPMUs | 0 release cxl | : calls -pmon_cxl +cxl_pmu +pmon_cxl | : [ ! -e "$conf" ]
adopt: an event of a CPMU that is lost undoes all | : a cpmus; remember; echo >"$root/loses" |
	2 adopt cxl | : undone cxl_pmu | - 1 PMU of cxl_pmu would lose events or terms of the table above
adopt: or is allowed to be | : a cpmus; echo >"$root/loses" | 0 adopt --allow-loss cxl |
	*event clock_ticks is lost*
adopt: refused where pmon_cxl was loaded with mode=off |
	: a cpmus; remember; parameter pmon_cxl mode off | 2 adopt cxl | : untouched |
	- pmon_cxl would drive none of the CPMUs of CXL devices: the module was loaded with mode=off
END

a contested
(
	sleep 0.3
	exec "$program" adopt uncore 2>/dev/null
) | :
written run && now pmon_uncore && [ ! -e "$root/sys/module/intel_uncore" ]
verdict $? "adopt: done to its end when its output is not read"
