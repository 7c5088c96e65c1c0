#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run openpmon.service with the kernel's real drivers and modprobe: it loads the modules
# for present devices. Boxes adopted for every boot go to intel_uncore if our modules do
# not load. Removal of openpmon leaves the kernel's PMUs as before. Where a user cannot
# read files, pmonctl does not report that there are no boxes or limits.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

"$ROOT/tools/packaging/boot/put" "$TMP/dest" /usr
cp "$TMP/dest/usr/libexec/openpmon/boot" "$TMP/boot"
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --drivers none \
		--copy "$TMP/boot" <<-'S'
	PMUS=/sys/bus/event_source/devices
	state=/var/lib/openpmon
	updates=/lib/modules/$(uname -r)/updates
	boot() {
		exits 0 "$1: boot start succeeds" sh /root/boot start
	}
	loaded() {
		grep -q "^$1 " /proc/modules
	}
	# reboot: restore modules and files to the state of a boot
	reboot() {
		for m in pmon_cxl pmon_uncore pmon_plr pmon intel_uncore; do
			! loaded $m || rmmod $m
		done
		rm -rf /run/modprobe.d $state
		touch -d '1970-01-02 00:00' /etc/modprobe.d/openpmon-* 2>/dev/null || :
	}
	theirs() {
		loaded intel_uncore && ! loaded pmon_uncore &&
			[ -d $PMUS/uncore_imc_0 ]
	}
	cp "$(command -v pmonctl)" /usr/sbin/pmonctl 2>/dev/null ||
		{ mkdir -p /usr/sbin; cp "$(command -v pmonctl)" /usr/sbin/; }

	boot 'no boxes adopted'
	runs 'openpmon.service loads pmon_uncore' loaded pmon_uncore
	runs 'openpmon.service leaves intel_uncore loaded for its own boxes' loaded intel_uncore
	fails 'openpmon.service does not load pmon_cxl without a CXL device' loaded pmon_cxl
	exits 0 'doctor succeeds after the service started' pmonctl doctor
	unlike "$out" '^problem' 'doctor has no problem after the service started'
	runs 'the service writes the file loading before it loads modules' test -s $state/loading
	sh /root/boot healthy
	fails 'the service removes the file loading once the boot is healthy' test -e $state/loading
	before=$(cd $PMUS && ls -d uncore_* | md5sum)
	runs 'modprobe -r unloads pmon_uncore' modprobe -r pmon_uncore
	fails 'pmon_uncore is unloaded' loaded pmon_uncore
	runs 'modprobe -r of pmon_uncore leaves intel_uncore loaded' loaded intel_uncore
	kernels=$(cd $PMUS && ls -d uncore_* | md5sum)
	modprobe pmon_uncore
	is "$(cd $PMUS && ls -d uncore_* | md5sum)" "$before" \
		'the same PMUs are registered after pmon_uncore was loaded again'

	exits 0 'adopt --next-boot succeeds' pmonctl adopt --next-boot uncore
	exits 0 'doctor succeeds before the boot that adopts' pmonctl doctor
	like "$out" 'note +uncore +openpmon drives the counter boxes from the next boot on' \
		'doctor has a note on the boxes adopted from the next boot on'
	like "$out" '^Next: reboot, or pmonctl adopt --persist --now uncore' \
		'doctor prints what to do next before the boot that adopts'
	exits 0 'adopt --persist --now succeeds' pmonctl adopt --persist --now uncore
	reboot
	boot "boxes adopted for every boot"
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'openpmon drives adopted boxes after a boot'
	fails 'intel_uncore is not loaded after a boot with adopted boxes' loaded intel_uncore

	reboot
	mv $updates/pmon_uncore.ko /tmp/
	depmod
	boot 'pmon_uncore missing'
	runs 'intel_uncore drives adopted boxes when pmon_uncore is missing' theirs
	exits 1 'doctor exits with 1 when pmon_uncore is missing' pmonctl doctor
	like "$out" 'problem +uncore +adopted .*pmonctl release' \
		'doctor names pmonctl release when pmon_uncore is missing'

	reboot
	echo nonsense >$updates/pmon_uncore.ko
	boot 'pmon_uncore not loadable'
	runs 'intel_uncore drives adopted boxes when pmon_uncore does not load' theirs

	reboot
	mv /tmp/pmon_uncore.ko $updates/
	depmod
	mkdir -p /etc/modprobe.d
	echo 'options pmon_uncore mode=off' >/etc/modprobe.d/off.conf
	boot 'pmon_uncore with mode=off'
	runs 'intel_uncore is loaded when pmon_uncore has mode=off' loaded intel_uncore
	runs 'intel_uncore registers uncore_imc_7 when pmon_uncore has mode=off' test -d $PMUS/uncore_imc_7
	rm /etc/modprobe.d/off.conf

	reboot
	mkdir -p $state
	printf '%s %s\nanother boot\n0\ncoming\n' "$(uname -r)" \
		"$(sed -n 's/^this="$release \(.*\)"$/\1/p' /root/boot)" >$state/loading
	boot 'last boot ended while modules were loading'
	like "$out" 'are not loaded: the host went down' \
		'the service prints that the host went down while modules were loading'
	runs 'intel_uncore drives the boxes after a boot that ended early' theirs
	exits 1 'doctor exits with 1 after a boot that ended early' pmonctl doctor
	like "$out" 'problem +service +openpmon is out until 20' 'doctor prints until when openpmon is out'
	unlike "$out" '(modprobe pmon|pmonctl adopt)' 'doctor names no command around the fuse'
	like "$(pmonctl)" 'DOCTOR +1 problem, first: service: openpmon is out until' \
		"pmonctl's front page prints until when openpmon is out"
	like "$(pmonctl metrics)" '^openpmon_out\{kernel="[^"]+",version="[^"]+"\} 1' \
		'pmonctl metrics has openpmon_out 1 while openpmon is out'
	rm -r $state/strikes
	boot 'file of strikes removed'
	runs 'the service loads pmon_uncore once the file of strikes is removed' loaded pmon_uncore
	exits 1 'doctor exits with 1 while intel_uncore has adopted boxes' pmonctl doctor
	like "$out" 'problem +uncore +adopted .*pmonctl adopt --persist --now uncore' \
		'doctor names the command that takes adopted boxes back'
	exits 0 'adopt --persist --now takes adopted boxes back' pmonctl adopt --persist --now uncore
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'openpmon drives the boxes that were taken back'
	exits 0 'doctor succeeds once the boxes are taken back' pmonctl doctor

	reboot
	boot 'all modules well again'
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon \
		'openpmon drives the boxes at the boot after the repair'
	exits 0 'boot leave succeeds' sh /root/boot leave
	runs 'intel_uncore drives the boxes after boot leave' theirs
	is "$(cd $PMUS && ls -d uncore_* | md5sum)" "$kernels" \
		'PMUs after boot leave are those of the kernel'
	is "$(ls /etc/modprobe.d/openpmon* $state/* 2>/dev/null)" '' 'boot leave leaves no file of openpmon'
	unlike "$(dmesg)" 'WARNING|Call Trace|duplicate' 'boots with broken modules cause no warning in the log'
	S

	in_vm "$k user" --kernel "$k" --machine gnr-2s <<-'S'
	chmod a+rx / /bin /lib /usr /usr/bin /etc 2>/dev/null
	echo 'alice:x:1000:1000::/tmp:/bin/sh' >>/etc/passwd
	echo 3 >/proc/sys/kernel/perf_event_paranoid
	# alice NAME STATUS COMMAND: run a command as a user without rights; $out has the output
	alice() {
		out=$(su alice -c "$3" 2>&1)
		is $? "$2" "$1"
	}
	alice 'alice runs id' 0 'id -u'
	is "$out" 1000 'alice is not root'
	alice 'pmonctl list exits with 1 without rights' 1 'PATH=/bin:/usr/bin pmonctl list'
	unlike "$out" '(^|[^0-9])0 boxes' 'pmonctl list without rights does not print that there are no boxes'
	alice 'pmonctl plr exits with 2 without rights' 2 'pmonctl plr'
	unlike "$out" 'No limit' 'pmonctl plr without rights does not print that there is no limit'
	alice 'doctor exits with 1 without rights' 1 'pmonctl doctor'
	like "$out" 'problem +files +.*cannot be read' \
		'doctor without rights has a problem with files that cannot be read'
	unlike "$out" 'no such module' 'doctor without rights finds the modules'
	alice 'pmonctl bw exits with 2 without rights' 2 'pmonctl bw'
	like "$out" 'counting needs root, or CAP_SYS_ADMIN' 'pmonctl bw without rights names root and CAP_SYS_ADMIN'
	echo 0 >/proc/sys/kernel/perf_event_paranoid
	for d in /sys/class/pmon/*; do chmod -R a+rX $d/; done
	alice "pmonctl stat without root hands on the job's status" 7 "pmonctl stat -- sh -c 'exit 7'"
	like "$out" 'monitoring it needs root' 'pmonctl stat without root prints that limits need root'
	like "$out" '^memory +0 +[1-9]' 'pmonctl stat without root has memory bandwidth where events are for all'
	S
done
finish
