#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# After `make install MODULES=plr` there are limits only. The service loads pmon_plr, limits
# are shown, and from loading to unloading no register and no table of counter boxes is
# accessed. The kernel's driver has the boxes as without openpmon, `doctor` reports no part
# as missing, and `adopt` names the missing module.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

"$ROOT/tools/packaging/boot/put" "$TMP/dest" /usr
cp "$TMP/dest/usr/libexec/openpmon/boot" "$TMP/boot"
export OPENPMON_LEAVES='core plr'
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --copy "$TMP/boot" <<-'S'
	PMUS=/sys/bus/event_source/devices
	# boxes: print how many classes of box registers and tables were accessed
	boxes() {
		hw count | grep -E '^class=(table|global-ctl|box-ctl|event-ctl|counter|filter|status) ' |
			grep -cv 'reads=0 writes=0'
	}
	plr=/sys/class/pmon/pkg0-dom0/plr
	modprobe pmon_plr
	# Load the modules that udev would load
	modprobe -aq intel_vsec intel_vsec_tpmi || :
	becomes '[ -d $plr ]'
	runs 'limits are shown where pmon_plr is loaded before intel_vsec_tpmi' test -d $plr
	rmmod pmon_plr
	hw count reset
	exits 0 'boot start succeeds with limits only' sh /root/boot start
	is "$(sed -n 's/^\(pmon[a-z_]*\) .*/\1/p' /proc/modules | sort | tr '\n' ' ')" 'pmon pmon_plr ' \
		'boot start loads pmon and pmon_plr and no other module'
	hw plr 0/0/3 =0x4
	like "$(cat $plr/core3/reasons)" POWER 'reasons of core3 show POWER with limits only'
	runs 'perf counts plr/power/ with limits only' perf stat -a -e plr/power/ sleep 1
	intel() { sed -n 's/^\(intel_vsec[^ ]*\) .*/\1/p' /proc/modules | xargs; }
	before=$(intel)
	runs 'modprobe -r unloads pmon_plr' modprobe -r pmon_plr
	is "$(intel)" "$before" 'modprobe -r of pmon_plr unloads no driver of the kernel'
	is "$(boxes)" 0 'pmon_plr accesses no register of a counter box'
	modprobe pmon_plr
	modprobe intel_uncore
	isnt "$(boxes)" 0 'intel_uncore accesses registers of counter boxes'
	before=$(cd $PMUS && ls -d uncore_*)
	exits 0 'doctor succeeds with limits only' pmonctl doctor
	unlike "$out" 'pmon_uncore|pmonctl adopt' 'doctor names no module that is not installed'
	unlike "$(pmonctl)" 'pmon_uncore|adopt' 'the front page names no module that is not installed'
	exits 2 'pmonctl adopt uncore fails with limits only' pmonctl adopt uncore
	like "$out" 'pmon_uncore is not installed' 'pmonctl adopt prints that pmon_uncore is not installed'
	exits 0 'boot leave succeeds with limits only' sh /root/boot leave
	is "$(cd $PMUS && ls -d uncore_*)" "$before" "boot leave leaves the kernel's PMUs as before"
	case $(uname -r) in
	6.1.*) fails 'boot leave unloads all modules but pmon' grep -q '^pmon_' /proc/modules ;;
	*) fails 'boot leave unloads all modules' grep -q '^pmon' /proc/modules ;;
	esac
	S
done
finish
