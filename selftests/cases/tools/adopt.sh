#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run `pmonctl adopt` and `pmonctl release` with the kernel's real drivers: a dry run and a
# refusal change nothing, adoption makes the announced changes, open events of both drivers
# stay exact, and release restores the configuration. The case does not run under
# sanitizers, because intel_uncore leaks memory at each unload.
# contract: owner
# kernels: 6.1 6.12 newest
# coverage: yes
# check: none
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --drivers none <<-'S'
	. /lib/test/uncore.sh

	config() {
		ls -lR --full-time /etc/modprobe.d /run/modprobe.d 2>&1
		cat /etc/modprobe.d/* /run/modprobe.d/* 2>/dev/null | md5sum
	}
	pmus() {
		ls $PMUS | grep ^uncore_
	}
	# files: print the files of all PMUs, "NAME/format/event TEXT"
	files() {
		(cd $PMUS && grep -r "" uncore_*/format uncore_*/events |
			grep -v /format/snapshot: | sed 's/:/ /' | sort)
	}
	# promised: print the same lines as `files`, from pmon_uncore's lists of PMUs
	promised() {
		awk '
			$1 == "pmu" { if (!in_pmus) n = 0; in_pmus = 1; pmu[n++] = $2; next }
			{
				in_pmus = 0
				dir = $1 == "event" ? "events" : $1
				name = $2
				sub(/^[a-z]* [^ ]* /, "")
				for (i = 0; i < n; i++)
					print pmu[i] "/" dir "/" name, $0
			}' $PMON/pkg*-uncore*/pmus | sort -u
	}
	# counting: wait until a counter of imc 0 in package 1 counts
	counting() {
		for _ in $(seq 200); do
			! hw truth 1/6/0 | grep -q 'counted=[1-9]' || return 0
			sleep 0.05
		done
		return 1
	}
	# begin EVENT: start perf in the background; end NAME: end perf and check its counts
	begin() {
		hw truth reset
		perf stat -x'|' -a --per-socket -o /tmp/perf -e "$1" -- \
			cat /tmp/hold >/dev/null &
		counting || not_ok 'an event counts'
	}
	end() {
		: >/tmp/hold
		wait
		awk -F'|' '$1 ~ /^S/ { print substr($1, 2), $3 }' /tmp/perf >/tmp/counts
		is "$(wc -l </tmp/counts)" 2 "$1: two packages counted"
		while read -r package count; do
			like "$(hw truth "$package/6/0")" "counted=$count " \
				"$1: package $package"
		done </tmp/counts
	}
	mkfifo /tmp/hold
	event=uncore_imc_0/event=0x05,umask=0xcf/
	before=$(config)

	# the kernel's driver has the boxes, and counts
	modprobe intel_uncore && modprobe pmon_uncore
	theirs=$(files)
	promised >/tmp/promised
	exits 0 'list, while they are theirs' pmonctl list
	like "$out" 'left to intel_uncore; pmonctl adopt uncore hands' 'says so'
	like "$(echo "$out" | tr -s ' ')" \
		'^imc 0-7 0-1 mmio 4.1 48 uncore_imc_[{]0..7[}] intel_uncore' 'in each row'
	modprobe pmon_plr
	exits 77 'plr on hardware without limits' pmonctl plr
	hw count reset
	exits 0 'what would change' pmonctl adopt --dry-run uncore
	like "$out" '^uncore_imc_0-7 +uncore_imc_0-7 +kept' 'is said by PMU'
	is "$(writes) $(reads)" '0 0' 'no register was touched'
	begin $event
	hw count reset
	exits 2 'its event holds the boxes' pmonctl adopt uncore
	like "$out" 'intel_uncore is in use by [0-9]* users' 'says so'
	like "$out" 'Open perf events: .*[(][0-9]*[)]' 'and names who counts'
	# Reads are not checked: intel_uncore may read counters for its open event.
	is "$(writes)" 0 'no register was written'
	is "$(config)" "$before" 'nothing was written'
	end 'their event'

	exits 0 'adopt' pmonctl adopt uncore
	like "$out" 'openpmon drives the counter boxes until the next boot' 'says for how long'
	is "$(cat $PMON/pkg0-uncore0/owner) $(cat $PMON/pkg1-uncore0/owner)" \
		'openpmon openpmon' 'the boxes are ours'
	files >/tmp/files
	runs 'the PMUs are what was promised' diff /tmp/files /tmp/promised
	fails 'intel_uncore has nothing to do' modprobe intel_uncore
	runs 'perf takes the old names' perf stat -a \
		-e uncore_pcu/event=1/,uncore_type_5/event=1/ true
	begin $event
	exits 2 'our event holds the boxes' pmonctl release
	exits 0 'adopting again' pmonctl adopt uncore
	like "$out" 'already' 'is nothing new'
	exits 0 'to make it last' pmonctl adopt --persist --now uncore
	end 'our event'

	# as at a boot: /run is empty, and modules are loaded in any order
	rm -r /run/modprobe.d
	rmmod pmon_uncore
	modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon 'after a boot the boxes are ours'
	rmmod pmon_uncore
	fails 'also when intel_uncore is asked for first' modprobe intel_uncore
	modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon 'they are ours'

	exits 0 'release' pmonctl release
	is "$(config | grep -v '^total\|^drwx')" \
		"$(echo "$before" | grep -v '^total\|^drwx')" \
		'the configuration is as it was, byte for byte'
	is "$(cat $PMON/pkg0-uncore0/owner)" intel_uncore 'the boxes are theirs'
	is "$(files)" "$theirs" 'and their PMUs as they were'
	unlike "$(dmesg)" 'WARNING|Call Trace|duplicate' 'nothing but lines in the log'

	# with mode=observe in modprobe.d nothing can be adopted
	echo 'options pmon_uncore mode=observe' >/etc/modprobe.d/look.conf
	exits 2 'adopt, with mode=observe' pmonctl adopt uncore
	like "$out" 'drives none of the counter boxes: .*mode=observe' 'says why'
	is "$(cat $PMON/pkg0-uncore0/owner)" intel_uncore 'the boxes stay theirs'
	is "$(pmus | wc -l)" "$(echo "$theirs" | cut -d/ -f1 | sort -u | wc -l)" \
		'with all PMUs'
	rm /etc/modprobe.d/look.conf

	# our module is loaded first: there is no driver to replace
	rmmod pmon_uncore intel_uncore
	insmod "$(modinfo -n pmon_uncore)"
	exits 0 'adopt, ours first' pmonctl adopt uncore
	rmmod pmon_uncore
	fails 'intel_uncore stays away' modprobe intel_uncore
	exits 0 'release with nothing loaded' pmonctl release
	is "$(config | grep -v '^total\|^drwx')" \
		"$(echo "$before" | grep -v '^total\|^drwx')" 'leaves no trace'
	S

	# intel_uncore has another name than ours for one kind of box; that of 6.1 has no names
	in_vm "$k gnr-2s" --kernel "$k" --machine gnr-2s --drivers none <<-'S'
	modprobe -a intel_uncore pmon_uncore
	pmonctl adopt uncore >/tmp/out 2>&1
	status=$?
	grep '^uncore_.* is lost\|^uncore_.* changes' /tmp/out | tr -s ' ' >/tmp/lost
	case $(uname -r) in
	6.1.*)
		is $status 0 'adopt'
		is "$(cat /tmp/lost)" '' 'nothing is lost'
		like "$(cat /tmp/out)" '^uncore_type_6_0-11 +uncore_imc_0-11 +kept' \
			'boxes get their names'
		runs 'perf takes the old ones' perf stat -a \
			-e uncore_type_6_0/event=5/,uncore_type_5/event=1/ true ;;
	*)
		is $status 0 'adopt'
		is "$(cat /tmp/lost)" '' 'nothing is lost'
		like "$(cat /tmp/out)" '^uncore_mdf_sbo_0-3 +uncore_mdf_0-3 +kept' \
			'not even the name'
		like "$(cat /tmp/out)" '^likwid finds uncore_mdf_sbo_<n> by its path' \
			'but for likwid'
		runs 'perf takes the old one' perf stat -a \
			-e uncore_mdf_sbo_0/event=1/ true ;;
	esac
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'the boxes are ours'
	runs 'release' pmonctl release
	is "$(awk '$2 == "imc" { print $9 }' \
		/sys/class/pmon/pkg0-uncore0/units | sort -u)" intel_uncore \
		'the boxes are theirs'
	S

	# Adopt limits from the kernel's driver, where the kernel has TPMI (not 6.1).
	[ "$k" != 6.1 ] || continue
	in_vm "$k plr" --kernel "$k" --machine gnr-2s --drivers none <<-'S'
	# install the kernel's driver, as a distribution that builds it does
	cp /lib/peers/intel_plr_tpmi.ko "/lib/modules/$(uname -r)/updates/"
	depmod
	modprobe -a intel_vsec intel_vsec_tpmi
	modprobe pmon_plr
	domains() {
		ls -d /sys/class/pmon/pkg*-dom* 2>/dev/null | wc -l
	}
	runs 'the kernel has its driver loaded first' \
		test -d /sys/module/intel_plr_tpmi
	is "$(domains)" 0 'which has the devices'
	hw plr 0/0/1 0x0000040000000004
	exits 2 'plr says who has them' pmonctl plr
	like "$out" 'pmonctl adopt plr' 'and what to do'
	exits 0 'adopt' pmonctl adopt plr
	is "$(domains)" 4 'the devices are ours'
	# Use --once: a watch would move the record from hardware to our driver.
	exits 0 'plr' pmonctl plr --once
	like "$out" 'core1 .*POWER_PKG_PL1_MSR_TPMI' 'shows what limits'
	modprobe intel_plr_tpmi
	fails 'the other does not come back' test -d /sys/module/intel_plr_tpmi
	rmmod pmon_plr
	modprobe pmon_plr
	is "$(domains)" 4 'nor with our driver'
	exits 0 'release' pmonctl release plr
	is "$(domains)" 0 'the devices are theirs'
	fails 'nothing is left behind' test -e /run/modprobe.d
	like "$(cat /sys/kernel/debug/tpmi-*/plr/domain0/status)" \
		'POWER_PKG_PL1_MSR_TPMI' 'and they show what limits'
	unlike "$(dmesg)" 'WARNING|Call Trace|duplicate' \
		'nothing but lines in the log'
	S

	# Adopt CPMUs from the kernel's driver, where the kernel has devices for it.
	in_vm "$k cxl" --kernel "$k" --machine cxl-peer --drivers none <<-'S'
	cp /lib/peers/cxl_pmu.ko "/lib/modules/$(uname -r)/updates/"
	depmod
	modprobe -a cxl_acpi cxl_pci cxl_port cxl_mem
	modprobe pmon_cxl
	owner() {
		basename "$(readlink /sys/bus/cxl/devices/pmu_mem0.0/driver)"
	}
	is "$(owner)" cxl_pmu 'the kernel has its driver of CPMUs loaded first'
	exits 0 'dry run' pmonctl adopt --dry-run cxl
	is "$(owner)" cxl_pmu 'which does nothing'
	perf stat -a -e cxl_pmu_mem0.0/clock_ticks/ sleep 100 2>/dev/null &
	until [ "$(cat /sys/module/cxl_pmu/refcnt)" != 0 ]; do sleep 0.05; done
	exits 2 'refused while one counts' pmonctl adopt cxl
	kill $!
	wait
	exits 0 'adopt' pmonctl adopt cxl
	like "$out" '^cxl_pmu_mem0.0 +cxl_pmu_mem0.0 +kept' 'nothing is lost'
	runs 'the CPMUs are ours' [ -e /sys/bus/event_source/devices/cxl_pmu_mem0.0/serial ]
	runs 'they count' perf stat -a -e cxl_pmu_mem0.0/clock_ticks/ true
	rmmod pmon_cxl
	modprobe pmon_cxl
	runs 'so they are when it is loaded anew' \
		[ -e /sys/bus/event_source/devices/cxl_pmu_mem0.0/serial ]
	exits 0 'release' pmonctl release cxl
	is "$(owner)" cxl_pmu 'the CPMUs are theirs'
	fails 'nothing is left behind' test -e /run/modprobe.d
	unlike "$(dmesg)" 'WARNING|Call Trace|duplicate' \
		'nothing but lines in the log'
	# Clear the record of the kernel driver's illegal accesses (see cxl-defects).
	hw illegal reset
	S
done
finish
