# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl adopt and release: what they compare, and in which order they act.

# calls [CALL...]: what was asked for since, and no more: +MODULE loads one and -MODULE
# unloads it
calls() {
	said=
	[ ! -e "$root/calls" ] || while read -r program words; do
		case $program in
		modprobe) said="$said +$words" ;;
		rmmod) said="$said -$words" ;;
		*) said="$said $program $words" ;;
		esac
	done <"$root/calls"
	rm -f "$root/calls"
	[ "$said" = "${*:+ $*}" ] || { echo "# asked for:$said"; return 1; }
}

# configuration: names, rights and contents of all files
configuration() {
	tar -C "$root" --sort=name --mtime=@0 -c etc run
}

remember() {
	configuration >"$tmp/before"
}

# unchanged: as remembered, or as in a contested tree
unchanged() {
	configuration | cmp - "$tmp/before"
}

# now MODULE...: they are loaded, but those with a - before them
now() {
	for each; do
		case $each in
		-*) [ ! -e "$root/sys/module/${each#-}" ] ;;
		*) [ -e "$root/sys/module/$each" ] ;;
		esac || { echo "# not so: $each"; return 1; }
	done
}

# written DIR: what adopt writes for uncore is there
written() {
	adoption | cmp - "$root/$1/modprobe.d/openpmon-uncore.conf"
}

# used MODULE N: so many users it has
used() {
	echo "$2" >"$root/sys/module/$1/refcnt"
}

# told MODULE OPTION: on every boot
told() {
	echo "options $1 $2" >"$root/etc/modprobe.d/local.conf"
	remember
}

# refuses TEXT ARG...: that fails with such a complaint before anything is done
refuses() {
	text=$1
	shift
	adopts 2 "$@" && complains "$text" && calls && unchanged
}

# undoes TEXT MODULE ARG...: that fails when this one has been asked to go
undoes() {
	text=$1
	gone=$2
	shift 2
	adopts 2 "$@" && complains "$text" 'everything is as it was' && now "$gone" && unchanged
}

a contested
remember
adopts 0 adopt --dry-run uncore && silent && prints <<-'END' && calls
NOW             AFTERWARDS      CHANGE
uncore_imc_0-1  uncore_imc_0-1  kept
uncore: this would be done; nothing was changed.
END
verdict $? "adopt: encodings are compared, not how they are written"
unchanged
verdict $? "adopt: --dry-run writes nothing"

adopts 0 adopt uncore && has '*openpmon has the counter boxes until the next boot*' &&
	calls -pmon_uncore -intel_uncore +pmon_uncore
verdict $? "adopt: hands the boxes over"
written run
verdict $? "adopt: what it writes until the next boot"
adopts 0 adopt uncore && has '*already*' && calls
verdict $? "adopt: twice is once"
adopts 0 release --dry-run uncore &&
	has '*/run/modprobe.d/openpmon-uncore.conf: would be removed*' && calls
verdict $? "release: --dry-run changes nothing"
adopts 0 release uncore && silent && calls -pmon_uncore +intel_uncore +pmon_uncore
verdict $? "release: hands the boxes back"
unchanged
verdict $? "release: the configuration is as before, byte for byte"
adopts 0 release && has 'uncore: nothing was adopted*'
verdict $? "release: nothing to release"

a contested
adopts 0 adopt --persist uncore && written etc && [ ! -e "$root/run/modprobe.d" ] &&
	adopts 0 release && unchanged
verdict $? "adopt: --persist, and its release"

a contested
adopts 0 adopt uncore && rm "$root/calls" && used pmon_uncore 1 &&
	adopts 0 adopt --persist uncore && calls && used pmon_uncore 0 && written etc &&
	adopts 0 release && unchanged
verdict $? "adopt: --persist after adopt, and one release of both"

# Each line: what is lost, the change to our offer, as for sed, and what adopt says.
while IFS='|' read -r what change said; do
	a contested
	sed -i "$change" "$(class)/pkg0-uncore0/pmus"
	refuses 'nothing was changed' adopt uncore && has_text "$said"
	verdict $? "adopt: refuses: $what"
done <<'END'
a term is lost|/format edge/d|term edge is lost
a term has other bits|s/config:18/config:17/|term edge changes
a term is in another word|s/umask config:/umask config1:/|term umask changes
a term is narrower|s/config:0-7/config:0-6/|term event changes
the bits of a term have another order|s/config:8-15,32-55/config:32-55,8-15/|term umask changes
an event is lost|/event clockticks/d|event clockticks is lost
an event has another encoding|s/umask=0xcf/umask=0xce/|event cas_count_read changes
an event has a term of no bits|s/event clockticks event=0x1/&,odd=1/|event clockticks changes
an event has another scale|s/scale 0.0000/scale 0.000/|event cas_count_read.scale changes
an event has another unit|s/MiB/MB/|event cas_count_read.unit changes
END
a contested
pmu uncore_free_0 event=config:0-7
their_event uncore_free_0 a event=1
refuses 'nothing was changed' adopt uncore && has_text 'LOST, with 1 event'
verdict $? "adopt: refuses: a PMU is lost"

a contested
for i in 0 1; do
	pmu uncore_imc_$i umask=config:8-15,32-63
done
adopts 0 adopt --dry-run uncore
verdict $? "adopt: bits that the other driver drops are no loss"
put pkg0-uncore0/units '6 imc 0 msr 0x1 4 48 - intel_uncore'
adopts 2 adopt --dry-run uncore && has '*term umask changes*'
verdict $? "adopt: bits that reach the hardware are"
adopts 0 adopt --allow-loss uncore && written run
verdict $? "adopt: --allow-loss does it all the same"

a contested
pmu uncore_mdf_sbo_0 event=config:0-7
echo uncore_type_20_0 >"$root/sys/bus/event_source/devices/uncore_mdf_sbo_0/alias"
ours pmu uncore_mdf_0 uncore_type_20_0
ours format event config:0-7
adopts 2 adopt --dry-run uncore && has 'uncore_mdf_sbo_0 uncore_mdf_0 the name is lost'
verdict $? "adopt: refuses: the name of a box is lost"

a contested
pmu uncore_mdf_sbo_0 event=config:0-7
ours pmu uncore_mdf_0 uncore_mdf_sbo_0
ours format event config:0-7
adopts 0 adopt --dry-run uncore && has 'uncore_mdf_sbo_0 uncore_mdf_0 kept' \
	'likwid looks for uncore_mdf_sbo_<n> by path: it has no MDF*'
verdict $? "adopt: a name that is in alias is kept, and whose counters are not found"

a contested
pmu uncore_type_30_0 event=config:0-7
pmu uncore_pcu event=config:0-7
cat >>"$(class)/pkg0-uncore0/pmus" <<'END'
pmu uncore_ubox_0 uncore_type_30_0
format event config:0-7
pmu uncore_pcu_0 uncore_type_4_0
format event config:0-7
event clockticks event=0x1
pmu uncore_mdf_0 uncore_type_20_0
pmu uncore_mdf_1 uncore_type_20_1
format event config:0-7
END
adopts 0 adopt --dry-run uncore && prints <<-'END'
NOW               AFTERWARDS      CHANGE
uncore_imc_0-1    uncore_imc_0-1  kept
uncore_pcu        uncore_pcu_0    kept, 1 more event
uncore_type_30_0  uncore_ubox_0   kept
-                 uncore_mdf_0-1  new
uncore: this would be done; nothing was changed.
END
verdict $? "adopt: names that perf takes as well are no loss, others are new"

for holder in intel_uncore pmon_uncore; do
	a contested
	used $holder 2
	refuses "$holder is in use by 2 users" adopt uncore
	verdict $? "adopt: refused while $holder counts"
done

a contested
echo 'rmmod intel_uncore' >"$root/fails"
undoes 'everything is as it was' intel_uncore adopt uncore && now pmon_uncore
verdict $? "adopt: undone when intel_uncore does not go"

a contested
(
	sleep 0.3
	FAKE=$root exec "$PMONCTL_TEST" --sysroot "$root" adopt uncore 2>/dev/null
) | :
written run && now -intel_uncore pmon_uncore
verdict $? "adopt: done to its end when its output is not read"

a contested
echo 'modprobe pmon_uncore' >"$root/fails"
adopts 2 adopt uncore && complains 'cannot be loaded as they were' && now intel_uncore && unchanged
verdict $? "adopt: undone when pmon_uncore does not come"

a contested
rm -r "$root/sys/module/pmon_uncore" "$root/sys/module/pmon"
adopts 0 adopt --dry-run uncore && calls +pmon \
	insmod /lib/modules/6.18-tree/updates/pmon_uncore.ko.xz mode=observe -pmon_uncore -pmon
verdict $? "adopt: --dry-run looks with a module that is loaded for it"

# on_kernel RELEASE: the tree is one of a host that runs it
on_kernel() {
	a contested
	echo "$1" >"$root/proc/sys/kernel/osrelease"
	mv "$root/lib/modules/6.18-tree" "$root/lib/modules/$1"
}
for release in 6.12.19-amd64 6.12.117+deb12-amd64 6.13.7 6.14.0-37-generic 7.3.4+deb13-amd64; do
	on_kernel "$release"
	adopts 0 adopt uncore && silent
	verdict $? "adopt: no warning where the kernel is right ($release)"
done
for release in 5.14.0-687.el9.x86_64 6.1.0-56-amd64 6.6.102 6.8.0-90-generic \
	6.11.0-29-generic 6.12.0-211.el10.x86_64 6.12.9+bpo-amd64 6.13.6; do
	on_kernel "$release"
	adopts 0 adopt uncore && complains 'can hang when intel_uncore is unloaded'
	verdict $? "adopt: taking the kernel's PMUs away can hang perf ($release)"
	on_kernel "$release"
	adopts 0 adopt --persist uncore && calls && written etc &&
		has '*from the next boot on*' '*--now hands over at once*'
	verdict $? "adopt: so --persist is from the next boot on ($release)"
	adopts 0 adopt --persist --now uncore && complains 'can hang when' &&
		has '*openpmon has the counter boxes.*'
	verdict $? "adopt: and --now at once ($release)"
done

# A driver that is held, or that nothing can be compared with.
a contested
rm "$root/sys/module/intel_uncore/initstate"
adopts 2 adopt uncore && complains 'is built into this kernel'
verdict $? "adopt: a driver that cannot be unloaded"

a contested
adopts 0 adopt uncore
echo '# mine' >>"$root/run/modprobe.d/openpmon-uncore.conf"
adopts 2 release uncore && complains 'is not as pmonctl adopt wrote it' &&
	adopts 2 adopt uncore && [ -e "$root/run/modprobe.d/openpmon-uncore.conf" ]
verdict $? "release: a file that was edited is left alone"

a contested
adopts 0 adopt uncore
rm "$root/calls"
used pmon_uncore 1
adopts 2 release uncore && complains 'pmon_uncore is in use by 1 user,' && calls && written run
verdict $? "release: refused while openpmon counts"

a contested
rm "$(class)/pkg0-uncore0/pmus"
adopts 2 adopt uncore && complains 'pkg0-uncore0/pmus'
verdict $? "adopt: nothing is done when nothing can be compared"

# In the order of the areas uncore comes before plr, and r2pcie behind both.
none='plr: this host has none of these devices'
a contested
adopts 77 adopt --persist uncore plr && has '*openpmon has the counter boxes*' &&
	complains "$none" && [ ! -e "$root/etc/modprobe.d/openpmon-plr.conf" ]
verdict $? "adopt: limits that no device records, beside what there is"
a contested
used pmon_uncore 1
adopts 2 adopt uncore plr && complains 'pmon_uncore is in use' "$none"
verdict $? "adopt: what failed is worse than what there is no device for"
a contested
pci 0000:7f:13.1 0x8086 0x0e34
installed pmon pmon_uncore pmon_r2pcie intel_uncore
live pmon_r2pcie
used pmon_r2pcie 1
adopts 2 adopt plr r2pcie && complains 'pmon_r2pcie is in use' "$none"
verdict $? "adopt: also when it comes after that"

a contested
installed pmon pmon_uncore pmon_plr
adopts 0 adopt && has '*This kernel has no other driver*' && calls
verdict $? "adopt: nobody to take anything from"

# recorded: limits, and the kernel's driver has them
recorded() {
	contested
	limits
	live intel_plr_tpmi
}
a recorded
live pmon_plr
adopts 0 adopt plr && calls -pmon_plr -intel_plr_tpmi +pmon_plr &&
	grep -q '^install intel_plr_tpmi /bin/true$' "$root/run/modprobe.d/openpmon-plr.conf" &&
	adopts 0 release plr && calls -pmon_plr +intel_plr_tpmi +pmon_plr
verdict $? "adopt: performance limits, and back"

# What looks on serves nothing: nobody would have the boxes.
a recorded
live pmon_plr
parameter pmon_plr mode off
refuses 'none of the performance limits: the module was loaded with mode=off' adopt plr
verdict $? "adopt: limits that would not be shown"
for mode in observe off; do
	a recorded
	told pmon_plr mode=$mode
	undoes "serves none of the performance limits: the module was loaded with mode=$mode" \
		intel_plr_tpmi adopt --persist plr
	verdict $? "adopt: undone where pmon_plr comes with mode=$mode"
done

a contested
told pmon_uncore mode=observe
undoes 'serves none of the counter boxes: the module was loaded with mode=observe' \
	intel_uncore adopt --persist uncore
verdict $? "adopt: undone where pmon_uncore comes and only looks on"
rm "$root/calls"
refuses 'would serve none of the counter boxes' adopt --dry-run uncore &&
	complains 'nothing was changed'
verdict $? "adopt: refused where it does so already"
rm -r "$root/sys/module/intel_uncore"
refuses 'would serve none' adopt uncore
verdict $? "adopt: also where there is nobody to take anything from"
adoption >"$root/etc/modprobe.d/openpmon-uncore.conf"
adopts 2 adopt --persist uncore && has '! *already*'
verdict $? "adopt: and where it was adopted, that is not all"
put pkg0-uncore0/mode unknown-model
echo on >"$root/sys/module/pmon_uncore/parameters/mode"
rm "$root/etc/modprobe.d/local.conf"
adopts 2 adopt --persist uncore && complains 'openpmon does not know this CPU model'
verdict $? "adopt: a CPU model that is not known"

# A tree of files: what the shipped program makes of it. The programs in it
# would leave calls.
ships() {
	FAKE=$root run "$@"
}
shipped='with --sysroot no module is loaded'
a contested
adopts 0 adopt uncore >/dev/null && rm "$root/calls"
remember
ships 2 release uncore && complains "$shipped" && calls && unchanged
verdict $? "release: modules of a tree are left alone"
rm -r "$root/sys/module/pmon_uncore"
ships 0 release uncore && calls && [ ! -e "$root/run/modprobe.d" ]
verdict $? "release: files of a tree are removed"

a contested
remember
ships 0 adopt --dry-run uncore && has 'uncore_imc_0-1 * kept'
verdict $? "adopt: --dry-run of a tree compares its files"
ships 2 adopt uncore && complains "$shipped" && calls && unchanged
verdict $? "adopt: modules of a tree are left alone"
rm -r "$root/sys/module/pmon_uncore"
ships 2 adopt --dry-run uncore && calls &&
	complains 'insmod /lib/modules/6.18-tree/updates/pmon_uncore.ko.xz: not run'
verdict $? "adopt: no program of a tree is run"

# R2PCIe: function by function. In this tree nothing ever binds one.
a contested
adopts 77 adopt r2pcie && complains 'r2pcie: this host has none of these devices' && calls
verdict $? "adopt: a host without R2PCIe"
for f in 0000:7f:13.1 0000:ff:13.1; do
	pci $f 0x8086 0x0e34
	: >"$root/sys/bus/pci/devices/$f/driver_override"
done
pci 0000:7f:08.2 0x8086 0x0e32
installed pmon pmon_uncore pmon_r2pcie intel_uncore
pmu uncore_r2pcie event=config:0-7 umask=config:8-15
pmu uncore_qpi_0 event=config:0-7,21 match0=config1:0-31
remember
adopts 0 adopt --dry-run r2pcie && has 'uncore_r2pcie uncore_r2pcie kept' && calls && unchanged
verdict $? "adopt: --dry-run of R2PCIe"
adopts 2 adopt qpi && has '*uncore_qpi_0 *loses the terms match*' && calls
verdict $? "adopt: QPI would lose terms"
adopts 2 adopt r2pcie && complains 'everything is as it was' &&
	calls -intel_uncore +pmon_r2pcie +intel_uncore -pmon_r2pcie -intel_uncore +intel_uncore
verdict $? "adopt: functions that are not bound are given back"
unchanged &&
	[ -z "$(head -qn 1 "$root"/sys/bus/pci/devices/0000:?f:13.1/driver_override)" ]
verdict $? "adopt: and nothing of it is left"

# CPMUs of CXL devices: what is lost shows when they have been handed over.
cpmus() {
	mkdir -p "$root/run" "$root/etc/modprobe.d" "$root/sbin"
	cp "$bin"/* "$root/sbin"
	expander
	for m in pmon pmon_cxl cxl_pmu; do
		live $m
	done
	pmu cxl_pmu_mem0.0 vid=config:0-15 gid=config:16-31 mask=config:32-63
	their_event cxl_pmu_mem0.0 clock_ticks vid=0x1e98,gid=0x00,mask=0x01
	their_event cxl_pmu_mem0.0 d2h_req_rdcurr vid=0x1e98,gid=0x10,mask=0x02
	installed pmon pmon_cxl cxl_pmu
}
a cpmus
remember
conf=$root/run/modprobe.d/openpmon-cxl.conf
adopts 0 adopt cxl && prints <<-END && calls -pmon_cxl -cxl_pmu +pmon_cxl &&
NOW             AFTERWARDS
cxl_pmu_mem0.0  the same, or all is undone
NOW             AFTERWARDS      CHANGE
cxl_pmu_mem0.0  cxl_pmu_mem0.0  kept
cxl: openpmon has the CPMUs of CXL devices until the next boot. $conf says so to modprobe.
END
	grep -q '^install cxl_pmu /bin/true$' "$conf" &&
	adopts 0 adopt cxl && has '*already*' && calls
verdict $? "adopt: CPMUs of CXL devices"
adopts 0 release cxl && calls -pmon_cxl +cxl_pmu +pmon_cxl && [ ! -e "$conf" ]
verdict $? "release: CPMUs of CXL devices"
a cpmus
: >"$root/loses"
undoes '1 PMU of cxl_pmu would lose something' cxl_pmu adopt cxl
verdict $? "adopt: an event of a CPMU that is lost undoes all"
a cpmus
: >"$root/loses"
adopts 0 adopt --allow-loss cxl && has '*event clock_ticks is lost*'
verdict $? "adopt: or is allowed to be"
for mode in observe off; do
	because="none of the CPMUs of CXL devices: the module was loaded with mode=$mode"
	a cpmus
	parameter pmon_cxl mode $mode
	adopts 2 adopt cxl && complains 'nothing was changed' \
		"pmon_cxl would serve $because" && calls
	verdict $? "adopt: CPMUs, refused where pmon_cxl was loaded with mode=$mode"
	rm -r "$root/sys/module/cxl_pmu"
	adopts 2 adopt cxl && calls && complains 'would serve none'
	verdict $? "adopt: also where cxl_pmu is not loaded"
	a cpmus
	rm -r "$root/sys/module/pmon_cxl"
	told pmon_cxl mode=$mode
	undoes "serves $because" cxl_pmu adopt --persist cxl
	verdict $? "adopt: CPMUs, undone where pmon_cxl comes with mode=$mode"
done

answers "adopt: an unknown area is wrong usage" 64 'gpu: nothing by that name' adopt gpu
answers "release: --persist is wrong usage" 64 'release has no option --persist' \
	release --persist
new_tree
run 77 adopt
verdict $? "adopt: no supported hardware is 77"

# The machine it was adopted on is another one now, or its functions are hidden.
a contested
adopts 0 adopt --persist uncore >/dev/null && rm -r "$root/sys/bus/pci" &&
	adopts 0 release && [ ! -e "$root/etc/modprobe.d/openpmon-uncore.conf" ]
verdict $? "release: also where the hardware is gone"

# holder PID NAME FILE...: a process, and files that it has open
holder() {
	proc=$root/proc/$1
	directories "$proc/fd"
	echo "$2" >"$proc/comm"
	shift 2
	fd=0
	for file; do
		ln -s "$file" "$proc/fd/$fd"
		fd=$((fd + 1))
	done
}
a contested
for pid in 21 22 23 24 25; do
	holder $pid perf /dev/null 'anon_inode:[perf_event]'
done
holder 26 cat /tmp/perf_event 'anon_inode:[eventpoll]'
used intel_uncore 2
adopts 2 adopt uncore && complains 'in use by 2 users' \
	'perf events open: perf (21), perf (22), perf (23), perf (24) and 1 more'
verdict $? "adopt: refused, and by whom it is used"
