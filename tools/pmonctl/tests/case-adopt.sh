# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl adopt and release: what they compare, and in which order they act.

# calls: what was asked for is what is on standard input
calls() {
	touch "$root/calls"
	diff -u - "$root/calls" >"$tmp/diff" && return 0
	sed 's/^/# /' "$tmp/diff"
	return 1
}

# configuration: names and contents of all files
configuration() {
	(cd "$root" && find etc run -exec ls -ld {} + 2>/dev/null |
		awk '{ print $1, $NF }'
		find etc run -type f -exec md5sum {} + 2>/dev/null) | sort
}

contested same
configuration >"$tmp/before"
adopts 0 adopt --dry-run uncore && silent && prints <<-'END' && calls </dev/null
NOW             AFTERWARDS      CHANGE
uncore_imc_0-1  uncore_imc_0-1  kept
uncore: this would be done; nothing was changed.
END
verdict $? "adopt: encodings are compared, not how they are written"
configuration | diff - "$tmp/before" >/dev/null
verdict $? "adopt: --dry-run writes nothing"

adopts 0 adopt uncore && grep -q 'openpmon has the counter boxes until the next boot' "$tmp/out" &&
	calls <<-'END'
rmmod pmon_uncore
rmmod intel_uncore
modprobe pmon_uncore
END
verdict $? "adopt: hands the boxes over"
printf '%s\n' '# Written by pmonctl adopt; pmonctl release removes it.' \
	'options intel_uncore uncore_no_discover=1' |
	cmp -s - "$root/run/modprobe.d/openpmon-uncore.conf"
verdict $? "adopt: what it writes until the next boot"
adopts 0 adopt uncore && grep -q 'already' "$tmp/out"
verdict $? "adopt: twice is once"
: >"$root/calls"
adopts 0 release --dry-run uncore &&
	grep -q '/run/modprobe.d/openpmon-uncore.conf: would be removed' "$tmp/out" &&
	calls </dev/null
verdict $? "release: --dry-run changes nothing"
adopts 0 release uncore && silent && calls <<-'END'
rmmod pmon_uncore
modprobe intel_uncore
modprobe pmon_uncore
END
verdict $? "release: hands the boxes back"
configuration | diff - "$tmp/before"
verdict $? "release: the configuration is as before, byte for byte"
adopts 0 release && grep -q '^uncore: nothing was adopted' "$tmp/out"
verdict $? "release: nothing to release"

contested persist
adopts 0 adopt --persist uncore && printf '%s\n' \
	'# Written by pmonctl adopt; pmonctl release removes it.' \
	'options intel_uncore uncore_no_discover=1' |
	cmp -s - "$root/etc/modprobe.d/openpmon-uncore.conf" &&
	[ ! -e "$root/run/modprobe.d" ] && adopts 0 release &&
	configuration | diff - "$tmp/before"
verdict $? "adopt: --persist, and its release"

contested both
adopts 0 adopt uncore && : >"$root/calls" &&
	echo 1 >"$root/sys/module/pmon_uncore/refcnt" &&
	adopts 0 adopt --persist uncore && calls </dev/null &&
	echo 0 >"$root/sys/module/pmon_uncore/refcnt" &&
	[ -e "$root/etc/modprobe.d/openpmon-uncore.conf" ] &&
	adopts 0 release && configuration | diff - "$tmp/before"
verdict $? "adopt: --persist after adopt, and one release of both"

# loses NAME MESSAGE CODE: with this changed before, adopt refuses
loses() {
	contested "lose-$1"
	eval "$3"
	configuration >"$tmp/before"
	adopts 2 adopt uncore && grep -qF -- "$2" "$tmp/out" &&
		complains 'nothing was changed' && calls </dev/null &&
		configuration | diff - "$tmp/before"
	verdict $? "adopt: refuses: $1"
}

# shellcheck disable=SC2016
pmus='"$(class)/pkg0-uncore0/pmus"'
loses 'a PMU is lost' 'LOST, with 1 event' \
	'pmu uncore_free_0 event=config:0-7; their_event uncore_free_0 a event=1'
loses 'a term is lost' 'term edge is lost' "sed -i '/format edge/d' $pmus"
loses 'a term has other bits' 'term edge changes' \
	"sed -i 's/config:18/config:17/' $pmus"
loses 'a term is in another word' 'term umask changes' \
	"sed -i 's/umask config:/umask config1:/' $pmus"
loses 'a term is narrower' 'term event changes' \
	"sed -i 's/config:0-7/config:0-6/' $pmus"
loses 'the bits of a term have another order' 'term umask changes' \
	"sed -i 's/config:8-15,32-55/config:32-55,8-15/' $pmus"
loses 'an event is lost' 'event clockticks is lost' \
	"sed -i '/event clockticks/d' $pmus"
loses 'an event has another encoding' 'event cas_count_read changes' \
	"sed -i 's/umask=0xcf/umask=0xce/' $pmus"
loses 'an event has a term of no bits' 'event clockticks changes' \
	"sed -i 's/event clockticks event=0x1/&,odd=1/' $pmus"
loses 'an event has another scale' 'event cas_count_read.scale changes' \
	"sed -i 's/scale 0.0000/scale 0.000/' $pmus"
loses 'an event has another unit' 'event cas_count_read.unit changes' \
	"sed -i 's/MiB/MB/' $pmus"

contested narrow
for i in 0 1; do
	pmu uncore_imc_$i umask=config:8-15,32-63
done
adopts 0 adopt --dry-run uncore
verdict $? "adopt: bits that the other driver drops are no loss"
put pkg0-uncore0/units '6 imc 0 msr 0x1 4 48 - intel_uncore'
adopts 2 adopt --dry-run uncore && grep -q 'term umask changes' "$tmp/out"
verdict $? "adopt: bits that reach the hardware are"

adopts 0 adopt --allow-loss uncore && [ -e "$root/run/modprobe.d/openpmon-uncore.conf" ]
verdict $? "adopt: --allow-loss does it all the same"

contested renamed
pmu uncore_mdf_sbo_0 event=config:0-7
echo uncore_type_20_0 >"$root/sys/bus/event_source/devices/uncore_mdf_sbo_0/alias"
ours pmu uncore_mdf_0 uncore_type_20_0
ours format event config:0-7
adopts 2 adopt --dry-run uncore &&
	grep -q '^uncore_mdf_sbo_0  uncore_mdf_0    the name is lost$' "$tmp/out"
verdict $? "adopt: refuses: the name of a box is lost"

contested likwid
pmu uncore_mdf_sbo_0 event=config:0-7
ours pmu uncore_mdf_0 uncore_mdf_sbo_0
ours format event config:0-7
adopts 0 adopt --dry-run uncore &&
	grep -q '^uncore_mdf_sbo_0  uncore_mdf_0    kept$' "$tmp/out" &&
	grep -q '^likwid looks for uncore_mdf_sbo_<n> by path: it has no MDF' "$tmp/out"
verdict $? "adopt: a name that is in alias is kept, and whose counters are not found"

contested names
pmu uncore_type_30_0 event=config:0-7
pmu uncore_pcu event=config:0-7
ours pmu uncore_ubox_0 uncore_type_30_0
ours format event config:0-7
ours pmu uncore_pcu_0 uncore_type_4_0
ours format event config:0-7
ours event clockticks event=0x1
ours pmu uncore_mdf_0 uncore_type_20_0
ours pmu uncore_mdf_1 uncore_type_20_1
ours format event config:0-7
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
	contested busy
	echo 2 >"$root/sys/module/$holder/refcnt"
	adopts 2 adopt uncore && complains "$holder is in use by 2 users" &&
		calls </dev/null && configuration | diff - "$tmp/before" >/dev/null
	verdict $? "adopt: refused while $holder counts"
done
configuration >"$tmp/before"

contested late
echo 'rmmod intel_uncore' >"$root/fails"
adopts 2 adopt uncore && complains 'everything is as it was' &&
	[ -e "$root/sys/module/intel_uncore" ] &&
	[ -e "$root/sys/module/pmon_uncore" ] &&
	configuration | diff - "$tmp/before"
verdict $? "adopt: undone when intel_uncore does not go"

contested unread
mkdir "$root/sbin"
cp "$bin"/* "$root/sbin"
(
	sleep 0.3
	FAKE=$root exec "$PMONCTL_TEST" --sysroot "$root" adopt uncore \
		2>/dev/null
) | :
[ -e "$root/run/modprobe.d/openpmon-uncore.conf" ] &&
	[ ! -e "$root/sys/module/intel_uncore" ] &&
	[ -e "$root/sys/module/pmon_uncore" ]
verdict $? "adopt: done to its end when its output is not read"

contested noload
echo 'modprobe pmon_uncore' >"$root/fails"
adopts 2 adopt uncore && complains 'cannot be loaded as they were' &&
	[ -e "$root/sys/module/intel_uncore" ] &&
	configuration | diff - "$tmp/before"
verdict $? "adopt: undone when pmon_uncore does not come"

contested unloaded
rm -r "$root/sys/module/pmon_uncore" "$root/sys/module/pmon"
adopts 0 adopt --dry-run uncore && calls <<-'END'
modprobe pmon
insmod /lib/modules/6.18-tree/updates/pmon_uncore.ko.xz mode=observe
rmmod pmon_uncore
rmmod pmon
END
verdict $? "adopt: --dry-run looks with a module that is loaded for it"

# on_kernel RELEASE: the tree is one of a host that runs it
on_kernel() {
	contested hang
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
	contested hang
	echo "$release" >"$root/proc/sys/kernel/osrelease"
	cp -r "$root/lib/modules/6.18-tree" "$root/lib/modules/$release"
	adopts 0 adopt --persist uncore && grep -q 'from the next boot on' "$tmp/out" &&
		grep -q -- '--now hands over at once' "$tmp/out" &&
		calls </dev/null &&
		[ -e "$root/etc/modprobe.d/openpmon-uncore.conf" ]
	verdict $? "adopt: so --persist is from the next boot on ($release)"
	adopts 0 adopt --persist --now uncore && complains 'can hang when' &&
		grep -q 'openpmon has the counter boxes\.' "$tmp/out"
	verdict $? "adopt: and --now at once ($release)"
done

# What looks on serves nothing: nobody would have the boxes.
contested observes
echo 'options pmon_uncore mode=observe' >"$root/etc/modprobe.d/local.conf"
configuration >"$tmp/before"
adopts 2 adopt --persist uncore && complains 'serves none of the counter boxes: the module was loaded with mode=observe' &&
	complains 'everything is as it was' && [ -e "$root/sys/module/intel_uncore" ] &&
	configuration | diff - "$tmp/before"
verdict $? "adopt: undone where pmon_uncore comes and only looks on"
: >"$root/calls"
adopts 2 adopt --dry-run uncore && complains 'would serve none of the counter boxes' &&
	complains 'nothing was changed' && calls </dev/null
verdict $? "adopt: refused where it does so already"
rm -r "$root/sys/module/intel_uncore"
adopts 2 adopt uncore && complains 'would serve none' && calls </dev/null &&
	configuration | diff - "$tmp/before"
verdict $? "adopt: also where there is nobody to take anything from"
printf '%s\n' '# Written by pmonctl adopt; pmonctl release removes it.' \
	'options intel_uncore uncore_no_discover=1' >"$root/etc/modprobe.d/openpmon-uncore.conf"
adopts 2 adopt --persist uncore && ! grep -q already "$tmp/out"
verdict $? "adopt: and where it was adopted, that is not all"
put pkg0-uncore0/mode unknown-model
echo on >"$root/sys/module/pmon_uncore/parameters/mode"
rm "$root/etc/modprobe.d/local.conf"
adopts 2 adopt --persist uncore && complains 'openpmon does not know this CPU model'
verdict $? "adopt: a CPU model that is not known"
contested reasons-observed
limits
live pmon_plr
live intel_plr_tpmi
parameter pmon_plr mode off
adopts 2 adopt plr && complains 'none of the performance limits: the module was loaded with mode=off' &&
	calls </dev/null
verdict $? "adopt: limits that would not be shown"
for mode in observe off; do
	contested "reasons-$mode"
	limits
	live intel_plr_tpmi
	echo "options pmon_plr mode=$mode" >"$root/etc/modprobe.d/local.conf"
	configuration >"$tmp/before"
	adopts 2 adopt --persist plr &&
		complains "serves none of the performance limits: the module was loaded with mode=$mode" &&
		complains 'everything is as it was' && [ -e "$root/sys/module/intel_plr_tpmi" ] &&
		configuration | cmp -s - "$tmp/before"
	verdict $? "adopt: undone where pmon_plr comes with mode=$mode"
done

contested builtin
rm "$root/sys/module/intel_uncore/initstate"
adopts 2 adopt uncore && complains 'is built into this kernel'
verdict $? "adopt: a driver that cannot be unloaded"

contested edited
adopts 0 adopt uncore
echo '# mine' >>"$root/run/modprobe.d/openpmon-uncore.conf"
adopts 2 release uncore && complains 'is not as pmonctl adopt wrote it' &&
	adopts 2 adopt uncore && [ -e "$root/run/modprobe.d/openpmon-uncore.conf" ]
verdict $? "release: a file that was edited is left alone"

contested used
adopts 0 adopt uncore
: >"$root/calls"
echo 1 >"$root/sys/module/pmon_uncore/refcnt"
adopts 2 release uncore && complains 'pmon_uncore is in use by 1 user,' &&
	calls </dev/null && [ -e "$root/run/modprobe.d/openpmon-uncore.conf" ]
verdict $? "release: refused while openpmon counts"

contested nooffer
rm "$(class)/pkg0-uncore0/pmus"
adopts 2 adopt uncore && complains 'pkg0-uncore0/pmus'
verdict $? "adopt: nothing is done when nothing can be compared"

contested reasons
configuration >"$tmp/before"
adopts 77 adopt --persist uncore plr && grep -q 'openpmon has the counter boxes' "$tmp/out" &&
	complains 'plr: this host has none of these devices' &&
	[ ! -e "$root/etc/modprobe.d/openpmon-plr.conf" ]
verdict $? "adopt: limits that no device records, beside what there is"
# In the order of the areas uncore comes before plr, and r2pcie behind both.
contested worst
echo 1 >"$root/sys/module/pmon_uncore/refcnt"
adopts 2 adopt uncore plr && complains 'pmon_uncore is in use' &&
	complains 'plr: this host has none of these devices'
verdict $? "adopt: what failed is worse than what there is no device for"
contested worst-last
pci 0000:7f:13.1 0x8086 0x0e34
installed pmon pmon_uncore pmon_r2pcie intel_uncore
live pmon_r2pcie
echo 1 >"$root/sys/module/pmon_r2pcie/refcnt"
adopts 2 adopt plr r2pcie && complains 'pmon_r2pcie is in use' &&
	complains 'plr: this host has none of these devices'
verdict $? "adopt: also when it comes after that"
contested reasons
limits
live pmon_plr
live intel_plr_tpmi
adopts 0 adopt plr && calls <<-'END' &&
rmmod pmon_plr
rmmod intel_plr_tpmi
modprobe pmon_plr
END
	grep -q '^install intel_plr_tpmi /bin/true$' "$root/run/modprobe.d/openpmon-plr.conf" &&
	: >"$root/calls" && adopts 0 release plr && calls <<-'END'
rmmod pmon_plr
modprobe intel_plr_tpmi
modprobe pmon_plr
END
verdict $? "adopt: performance limits, and back"

contested nopeer
installed pmon pmon_uncore pmon_plr
adopts 0 adopt && grep -q 'This kernel has no other driver' "$tmp/out" && calls </dev/null
verdict $? "adopt: nobody to take anything from"

# A tree of files: what the shipped program makes of it. The programs in it
# would leave calls.
contested files
adopts 0 adopt uncore >/dev/null && rm "$root/calls"
configuration >"$tmp/before"
FAKE=$root run 2 release uncore && complains 'with --sysroot no module is loaded' &&
	calls </dev/null && configuration | diff - "$tmp/before"
verdict $? "release: modules of a tree are left alone"
rm -r "$root/sys/module/pmon_uncore"
FAKE=$root run 0 release uncore && calls </dev/null && [ ! -e "$root/run/modprobe.d" ]
verdict $? "release: files of a tree are removed"

contested files
run 0 adopt --dry-run uncore && grep -q '^uncore_imc_0-1 .* kept$' "$tmp/out"
verdict $? "adopt: --dry-run of a tree compares its files"
mkdir "$root/sbin"
cp "$bin"/* "$root/sbin"
configuration >"$tmp/before"
FAKE=$root run 2 adopt uncore && complains 'with --sysroot no module is loaded' &&
	calls </dev/null && configuration | diff - "$tmp/before"
verdict $? "adopt: modules of a tree are left alone"
rm -r "$root/sys/module/pmon_uncore"
FAKE=$root run 2 adopt --dry-run uncore && calls </dev/null &&
	complains 'insmod /lib/modules/6.18-tree/updates/pmon_uncore.ko.xz: not run'
verdict $? "adopt: no program of a tree is run"

# R2PCIe: function by function. In this tree nothing ever binds one.
contested functions
adopts 77 adopt r2pcie && complains 'r2pcie: this host has none of these devices' &&
	calls </dev/null
verdict $? "adopt: a host without R2PCIe"
for f in 0000:7f:13.1 0000:ff:13.1; do
	pci $f 0x8086 0x0e34
	: >"$root/sys/bus/pci/devices/$f/driver_override"
done
pci 0000:7f:08.2 0x8086 0x0e32
installed pmon pmon_uncore pmon_r2pcie intel_uncore
pmu uncore_r2pcie event=config:0-7 umask=config:8-15
pmu uncore_qpi_0 event=config:0-7,21 match0=config1:0-31
configuration >"$tmp/before"
adopts 0 adopt --dry-run r2pcie && grep -q '^uncore_r2pcie  *uncore_r2pcie  *kept$' "$tmp/out" &&
	calls </dev/null && configuration | diff - "$tmp/before"
verdict $? "adopt: --dry-run of R2PCIe"
adopts 2 adopt qpi && grep -q 'uncore_qpi_0 .*loses the terms match' "$tmp/out" &&
	calls </dev/null
verdict $? "adopt: QPI would lose terms"
adopts 2 adopt r2pcie && complains 'everything is as it was' && calls <<-'END'
rmmod intel_uncore
modprobe pmon_r2pcie
modprobe intel_uncore
rmmod pmon_r2pcie
rmmod intel_uncore
modprobe intel_uncore
END
verdict $? "adopt: functions that are not bound are given back"
configuration | diff - "$tmp/before" &&
	[ -z "$(head -qn 1 "$root"/sys/bus/pci/devices/0000:?f:13.1/driver_override)" ]
verdict $? "adopt: and nothing of it is left"

# CPMUs of CXL devices: what is lost shows when they have been handed over.
cxl() {
	new_tree "adopt-cxl-$1"
	mkdir -p "$root/run" "$root/etc/modprobe.d"
	expander
	for m in pmon pmon_cxl cxl_pmu; do
		live $m
	done
	pmu cxl_pmu_mem0.0 vid=config:0-15 gid=config:16-31 mask=config:32-63
	their_event cxl_pmu_mem0.0 clock_ticks vid=0x1e98,gid=0x00,mask=0x01
	their_event cxl_pmu_mem0.0 d2h_req_rdcurr vid=0x1e98,gid=0x10,mask=0x02
	installed pmon pmon_cxl cxl_pmu
}
cxl both
adopts 0 adopt cxl && prints <<-END && calls <<-'CALLS' &&
NOW             AFTERWARDS
cxl_pmu_mem0.0  the same, or all is undone
NOW             AFTERWARDS      CHANGE
cxl_pmu_mem0.0  cxl_pmu_mem0.0  kept
cxl: openpmon has the CPMUs of CXL devices until the next boot. $root/run/modprobe.d/openpmon-cxl.conf says so to modprobe.
END
rmmod pmon_cxl
rmmod cxl_pmu
modprobe pmon_cxl
CALLS
	grep -q '^install cxl_pmu /bin/true$' "$root/run/modprobe.d/openpmon-cxl.conf" &&
	adopts 0 adopt cxl && grep -q 'already' "$tmp/out"
verdict $? "adopt: CPMUs of CXL devices"
: >"$root/calls"
adopts 0 release cxl && calls <<-'END' && [ ! -e "$root/run/modprobe.d/openpmon-cxl.conf" ]
rmmod pmon_cxl
modprobe cxl_pmu
modprobe pmon_cxl
END
verdict $? "release: CPMUs of CXL devices"
cxl lost
: >"$root/loses"
configuration >"$tmp/before"
adopts 2 adopt cxl && complains '1 PMU of cxl_pmu would lose something' &&
	complains 'everything is as it was' && configuration | cmp -s - "$tmp/before" &&
	[ -e "$root/sys/module/cxl_pmu" ]
verdict $? "adopt: an event of a CPMU that is lost undoes all"
cxl loss
: >"$root/loses"
adopts 0 adopt --allow-loss cxl && grep -q 'event clock_ticks is lost' "$tmp/out"
verdict $? "adopt: or is allowed to be"
for mode in observe off; do
	cxl "loaded-$mode"
	parameter pmon_cxl mode $mode
	adopts 2 adopt cxl && complains 'nothing was changed' && calls </dev/null &&
		complains "pmon_cxl would serve none of the CPMUs of CXL devices: the module was loaded with mode=$mode"
	verdict $? "adopt: CPMUs, refused where pmon_cxl was loaded with mode=$mode"
	rm -r "$root/sys/module/cxl_pmu"
	adopts 2 adopt cxl && calls </dev/null && complains 'would serve none'
	verdict $? "adopt: also where cxl_pmu is not loaded"
	cxl "told-$mode"
	rm -r "$root/sys/module/pmon_cxl"
	echo "options pmon_cxl mode=$mode" >"$root/etc/modprobe.d/local.conf"
	configuration >"$tmp/before"
	adopts 2 adopt --persist cxl &&
		complains "serves none of the CPMUs of CXL devices: the module was loaded with mode=$mode" &&
		complains 'everything is as it was' && configuration | cmp -s - "$tmp/before" &&
		[ -e "$root/sys/module/cxl_pmu" ]
	verdict $? "adopt: CPMUs, undone where pmon_cxl comes with mode=$mode"
done

answers "adopt: an unknown area is wrong usage" 64 'gpu: nothing by that name' adopt gpu
answers "release: --persist is wrong usage" 64 'release has no option --persist' \
	release --persist
new_tree bare
run 77 adopt
verdict $? "adopt: no supported hardware is 77"

# The machine it was adopted on is another one now, or its functions are hidden.
contested moved
adopts 0 adopt --persist uncore >/dev/null && rm -r "$root/sys/bus/pci" &&
	adopts 0 release && [ ! -e "$root/etc/modprobe.d/openpmon-uncore.conf" ]
verdict $? "release: also where the hardware is gone"

# holder PID NAME FILE...: a process, and files that it has open
holder() {
	proc=$root/proc/$1
	mkdir -p "$proc/fd"
	echo "$2" >"$proc/comm"
	shift 2
	fd=0
	for file; do
		ln -s "$file" "$proc/fd/$fd"
		fd=$((fd + 1))
	done
}
contested holders
for pid in 21 22 23 24 25; do
	holder $pid perf /dev/null 'anon_inode:[perf_event]'
done
holder 26 cat /tmp/perf_event 'anon_inode:[eventpoll]'
echo 2 >"$root/sys/module/intel_uncore/refcnt"
adopts 2 adopt uncore && complains 'in use by 2 users' &&
	complains 'perf events open: perf (21), perf (22), perf (23), perf (24) and 1 more'
verdict $? "adopt: refused, and by whom it is used"
