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
		exits 0 "$1: the service" sh /root/boot start
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

	boot 'nothing adopted'
	runs 'our module is loaded' loaded pmon_uncore
	runs 'and the kernel has its own, for its boxes' loaded intel_uncore
	fails 'none that has no device here' loaded pmon_cxl
	exits 0 'doctor' pmonctl doctor
	unlike "$out" '^problem' 'has nothing against that'
	runs 'the stamp is there' test -s $state/loading
	sh /root/boot healthy
	fails 'and goes' test -e $state/loading
	before=$(cd $PMUS && ls -d uncore_* | md5sum)
	rmmod pmon_uncore
	kernels=$(cd $PMUS && ls -d uncore_* | md5sum)
	modprobe pmon_uncore
	is "$(cd $PMUS && ls -d uncore_* | md5sum)" "$before" 'the PMUs of both'

	exits 0 'adopt from the next boot on' pmonctl adopt --next-boot uncore
	exits 0 'doctor, until then' pmonctl doctor
	like "$out" 'note +uncore +openpmon drives the counter boxes from the next boot on' 'notes it'
	like "$out" '^Next: reboot, or pmonctl adopt --persist --now uncore' 'and what is next'
	exits 0 'adopt for every boot' pmonctl adopt --persist --now uncore
	reboot
	boot adopted
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'the boxes are ours'
	fails 'and the other driver stays away' loaded intel_uncore

	reboot
	mv $updates/pmon_uncore.ko /tmp/
	depmod
	boot 'the module is missing'
	runs 'the boxes are theirs' theirs
	exits 1 'doctor' pmonctl doctor
	like "$out" 'problem +uncore +adopted .*pmonctl release' 'says so'

	reboot
	echo nonsense >$updates/pmon_uncore.ko
	boot 'the module does not load'
	runs 'the boxes are theirs, too' theirs

	reboot
	mv /tmp/pmon_uncore.ko $updates/
	depmod
	mkdir -p /etc/modprobe.d
	echo 'options pmon_uncore mode=off' >/etc/modprobe.d/off.conf
	boot 'the module does nothing'
	runs 'they are theirs again' loaded intel_uncore
	runs 'with all PMUs' test -d $PMUS/uncore_imc_7
	rm /etc/modprobe.d/off.conf

	reboot
	mkdir -p $state
	printf '%s %s\nanother boot\n0\ncoming\n' "$(uname -r)" \
		"$(sed -n 's/^this="$release \(.*\)"$/\1/p' /root/boot)" >$state/loading
	boot 'the last boot ended early'
	like "$out" 'are not loaded: the host went down' 'says so'
	runs 'the boxes are theirs meanwhile' theirs
	exits 1 'doctor' pmonctl doctor
	like "$out" 'problem +service +openpmon is out until 20' 'says so, too'
	unlike "$out" '(modprobe pmon|pmonctl adopt)' 'and no way around it'
	like "$(pmonctl)" 'DOCTOR +1 problem, first: service: openpmon is out until' 'as the front page does'
	like "$(pmonctl metrics)" '^openpmon_out\{kernel="[^"]+",version="[^"]+"\} 1' 'and metrics'
	rm -r $state/strikes
	boot 'the fuse is put in again'
	runs 'our module is loaded' loaded pmon_uncore
	exits 1 'doctor, while the boxes are theirs' pmonctl doctor
	like "$out" 'problem +uncore +adopted .*pmonctl adopt --persist --now uncore' \
		'says how to have them back'
	exits 0 'which' pmonctl adopt --persist --now uncore
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'it does'
	exits 0 'doctor is content then' pmonctl doctor

	reboot
	boot 'all well again'
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'the boxes are ours'
	exits 0 'removal' sh /root/boot leave
	runs 'gives the boxes back' theirs
	is "$(cd $PMUS && ls -d uncore_* | md5sum)" "$kernels" \
		'the PMUs are those of the kernel'
	is "$(ls /etc/modprobe.d/openpmon* $state/* 2>/dev/null)" '' 'and no file is left'
	unlike "$(dmesg)" 'WARNING|Call Trace|duplicate' 'nothing but lines in the log'
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
	alice 'who she is' 0 'id -u'
	is "$out" 1000 'is not root'
	alice 'list without rights' 1 'PATH=/bin:/usr/bin pmonctl list'
	unlike "$out" '(^|[^0-9])0 boxes' 'does not say that there are no boxes'
	alice 'plr without rights' 2 'pmonctl plr'
	unlike "$out" 'No limit' 'does not say that nothing limits'
	alice 'doctor without rights' 1 'pmonctl doctor'
	like "$out" 'problem +files +.*cannot be read' 'says what it does not know'
	unlike "$out" 'no such module' 'and finds the modules'
	alice 'bandwidth without rights' 2 'pmonctl bw'
	like "$out" 'counting needs root, or CAP_SYS_ADMIN' 'says whose right it is'
	echo 0 >/proc/sys/kernel/perf_event_paranoid
	for d in /sys/class/pmon/*; do chmod -R a+rX $d/; done
	alice 'a job, where uncore events are for all' 7 "pmonctl stat -- sh -c 'exit 7'"
	like "$out" 'monitoring it needs root' 'is told whose limits are'
	like "$out" '^memory +0 +[1-9]' 'and has its bandwidth'
	S
done
finish
