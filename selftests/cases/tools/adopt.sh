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
		counting || not_ok 'an event on a memory controller counts'
	}
	end() {
		: >/tmp/hold
		wait
		awk -F'|' '$1 ~ /^S/ { print substr($1, 2), $3 }' /tmp/perf >/tmp/counts
		is "$(wc -l </tmp/counts)" 2 "$1: perf prints counts of both packages"
		while read -r package count; do
			like "$(hw truth "$package/6/0")" "counted=$count " \
				"$1: the count of package $package is exact"
		done </tmp/counts
	}
	mkfifo /tmp/hold
	event=uncore_imc_0/event=0x05,umask=0xcf/
	before=$(config)

	# the kernel's driver has the boxes, and counts
	modprobe intel_uncore && modprobe pmon_uncore
	theirs=$(files)
	promised >/tmp/promised
	exits 0 'pmonctl list succeeds while intel_uncore has the boxes' pmonctl list
	like "$out" 'left to intel_uncore; pmonctl adopt uncore hands' \
		'pmonctl list names pmonctl adopt while intel_uncore has the boxes'
	like "$(echo "$out" | tr -s ' ')" \
		'^imc 0-7 0-1 mmio 4.1 48 uncore_imc_[{]0..7[}] intel_uncore' \
		'pmonctl list names intel_uncore as the driver of each row'
	modprobe pmon_plr
	exits 77 'pmonctl plr exits with 77 on hardware without limits' pmonctl plr
	hw count reset
	exits 0 'pmonctl adopt --dry-run succeeds' pmonctl adopt --dry-run uncore
	like "$out" '^uncore_imc_0-7 +uncore_imc_0-7 +kept' \
		'pmonctl adopt --dry-run has a line for each kind of PMU that is kept'
	is "$(uncore_writes) $(uncore_reads)" '0 0' 'pmonctl adopt --dry-run accesses no register'
	begin $event
	hw count reset
	exits 2 'pmonctl adopt is refused while an event of intel_uncore is open' pmonctl adopt uncore
	like "$out" 'intel_uncore is in use by [0-9]* users' \
		'a refused adopt prints the number of users of intel_uncore'
	like "$out" 'Open perf events: .*[(][0-9]*[)]' 'a refused adopt names the process with the open event'
	# Reads are not checked: intel_uncore may read counters for its open event.
	is "$(uncore_writes)" 0 'a refused adopt writes no register'
	is "$(config)" "$before" 'a refused adopt leaves modprobe.d unchanged'
	end 'an event of intel_uncore during a refused adopt'

	exits 0 'pmonctl adopt uncore succeeds' pmonctl adopt uncore
	like "$out" 'openpmon drives the counter boxes until the next boot' \
		'pmonctl adopt prints that the adoption lasts until the next boot'
	is "$(cat $PMON/pkg0-uncore0/owner) $(cat $PMON/pkg1-uncore0/owner)" \
		'openpmon openpmon' 'openpmon drives the boxes of both packages after adopt'
	files >/tmp/files
	runs 'PMUs, formats and events after adopt equal the announced lists' diff /tmp/files /tmp/promised
	fails 'intel_uncore does not load after adopt' modprobe intel_uncore
	runs 'perf accepts names of PMUs without an index after adopt' perf stat -a \
		-e uncore_pcu/event=1/,uncore_type_5/event=1/ true
	begin $event
	exits 2 'pmonctl release is refused while an event of openpmon is open' pmonctl release
	exits 0 'a second pmonctl adopt succeeds' pmonctl adopt uncore
	like "$out" 'already' 'a second pmonctl adopt prints that the boxes are adopted already'
	exits 0 'pmonctl adopt --persist --now succeeds while an event is open' pmonctl adopt --persist --now uncore
	end 'an event of openpmon during adopt and release'

	# as at a boot: /run is empty, and modules are loaded in any order
	rm -r /run/modprobe.d
	rmmod pmon_uncore
	modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon \
		'pmon_uncore loaded first at a boot drives persistently adopted boxes'
	rmmod pmon_uncore
	fails 'intel_uncore loaded first at a boot finds no box' modprobe intel_uncore
	modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon \
		'pmon_uncore loaded second at a boot drives persistently adopted boxes'

	exits 0 'pmonctl release succeeds' pmonctl release
	is "$(config | grep -v '^total\|^drwx')" \
		"$(echo "$before" | grep -v '^total\|^drwx')" \
		'modprobe.d after release equals modprobe.d before adopt byte for byte'
	is "$(cat $PMON/pkg0-uncore0/owner)" intel_uncore 'intel_uncore drives the boxes after release'
	is "$(files)" "$theirs" 'PMUs after release equal the PMUs before adopt'
	unlike "$(dmesg)" 'WARNING|Call Trace|duplicate' 'adopt and release cause no warning in the log'

	# with mode=observe in modprobe.d nothing can be adopted
	echo 'options pmon_uncore mode=observe' >/etc/modprobe.d/look.conf
	exits 2 'pmonctl adopt fails while modprobe.d has mode=observe' pmonctl adopt uncore
	like "$out" 'drives none of the counter boxes: .*mode=observe' \
		'pmonctl adopt names mode=observe as the reason for its failure'
	is "$(cat $PMON/pkg0-uncore0/owner)" intel_uncore 'intel_uncore keeps the boxes after a failed adopt'
	is "$(pmus | wc -l)" "$(echo "$theirs" | cut -d/ -f1 | sort -u | wc -l)" \
		'no PMU is missing after a failed adopt'
	rm /etc/modprobe.d/look.conf

	# our module is loaded first: there is no driver to replace
	rmmod pmon_uncore intel_uncore
	insmod "$(modinfo -n pmon_uncore)"
	exits 0 'pmonctl adopt succeeds when only pmon_uncore was loaded' pmonctl adopt uncore
	rmmod pmon_uncore
	fails 'intel_uncore does not load after that adopt and rmmod' modprobe intel_uncore
	exits 0 'pmonctl release succeeds with no driver loaded' pmonctl release
	is "$(config | grep -v '^total\|^drwx')" \
		"$(echo "$before" | grep -v '^total\|^drwx')" \
		'pmonctl release with no driver loaded leaves modprobe.d as before'
	S

	# intel_uncore has another name than ours for one kind of box; that of 6.1 has no names
	in_vm "$k gnr-2s" --kernel "$k" --machine gnr-2s --drivers none <<-'S'
	modprobe -a intel_uncore pmon_uncore
	pmonctl adopt uncore >/tmp/out 2>&1
	status=$?
	grep '^uncore_.* is lost\|^uncore_.* changes' /tmp/out | tr -s ' ' >/tmp/lost
	case $(uname -r) in
	6.1.*)
		is $status 0 'pmonctl adopt exits with 0 on gnr-2s'
		is "$(cat /tmp/lost)" '' 'pmonctl adopt announces no lost PMU on 6.1'
		like "$(cat /tmp/out)" '^uncore_type_6_0-11 +uncore_imc_0-11 +kept' \
			'pmonctl adopt announces imc names for boxes that 6.1 calls type_6'
		runs 'perf accepts the names of 6.1 after adopt' perf stat -a \
			-e uncore_type_6_0/event=5/,uncore_type_5/event=1/ true ;;
	*)
		is $status 0 'pmonctl adopt exits with 0 on gnr-2s'
		is "$(cat /tmp/lost)" '' 'pmonctl adopt announces no lost PMU'
		like "$(cat /tmp/out)" '^uncore_mdf_sbo_0-3 +uncore_mdf_0-3 +kept' \
			'pmonctl adopt announces that uncore_mdf_sbo keeps its name as an alias'
		like "$(cat /tmp/out)" '^likwid finds uncore_mdf_sbo_<n> by its path' \
			'pmonctl adopt announces that likwid needs uncore_mdf_sbo by its path'
		runs 'perf accepts the old name uncore_mdf_sbo_0 after adopt' perf stat -a \
			-e uncore_mdf_sbo_0/event=1/ true ;;
	esac
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'openpmon drives the boxes of gnr-2s after adopt'
	runs 'pmonctl release succeeds on gnr-2s' pmonctl release
	is "$(awk '$2 == "imc" { print $9 }' \
		/sys/class/pmon/pkg0-uncore0/units | sort -u)" intel_uncore \
		'intel_uncore drives the imc boxes of gnr-2s after release'
	S

	# Adopt limits from the kernel's driver, where the kernel has TPMI (not 6.1).
	[ "$k" != 6.1 ] || continue
	in_vm "$k plr" --kernel "$k" --machine gnr-2s --drivers none <<-'S'
	# install the kernel's driver, as a distribution that builds it does
	cp /lib/peers/intel_plr_tpmi.ko "/lib/modules/$(uname -r)/updates/"
	depmod
	modprobe -a intel_vsec intel_vsec_tpmi intel_plr_tpmi
	modprobe pmon_plr
	domains() {
		ls -d /sys/class/pmon/pkg*-dom* 2>/dev/null | wc -l
	}
	runs 'intel_plr_tpmi loads before pmon_plr' \
		test -d /sys/module/intel_plr_tpmi
	is "$(domains)" 0 'pmon_plr has no domain while intel_plr_tpmi has the devices'
	hw plr 0/0/1 0x0000040000000004
	exits 2 'pmonctl plr fails while intel_plr_tpmi has the devices' pmonctl plr
	like "$out" 'pmonctl adopt plr' 'pmonctl plr names pmonctl adopt plr while intel_plr_tpmi has the devices'
	exits 0 'pmonctl adopt plr succeeds' pmonctl adopt plr
	is "$(domains)" 4 'pmon_plr has four domains after adopt plr'
	# Use --once: a watch would move the record from hardware to our driver.
	exits 0 'pmonctl plr --once succeeds after adopt plr' pmonctl plr --once
	like "$out" 'core1 .*POWER_PKG_PL1_MSR_TPMI' 'pmonctl plr --once shows the reason of core1 after adopt plr'
	modprobe intel_plr_tpmi
	fails 'intel_plr_tpmi does not load after adopt plr' test -d /sys/module/intel_plr_tpmi
	rmmod pmon_plr
	modprobe pmon_plr
	is "$(domains)" 4 'pmon_plr has four domains when loaded again after adopt plr'
	exits 0 'pmonctl release plr succeeds' pmonctl release plr
	is "$(domains)" 0 'pmon_plr has no domain after release plr'
	fails 'pmonctl release plr leaves no /run/modprobe.d' test -e /run/modprobe.d
	like "$(cat /sys/kernel/debug/tpmi-*/plr/domain0/status)" \
		'POWER_PKG_PL1_MSR_TPMI' 'intel_plr_tpmi shows the limit after release plr'
	unlike "$(dmesg)" 'WARNING|Call Trace|duplicate' \
		'adopt plr and release plr cause no warning in the log'
	S

	# Adopt CPMUs from the kernel's driver, where the kernel has devices for it.
	in_vm "$k cxl" --kernel "$k" --machine cxl-peer --drivers none <<-'S'
	cp /lib/peers/cxl_pmu.ko "/lib/modules/$(uname -r)/updates/"
	depmod
	modprobe -a cxl_acpi cxl_pci cxl_port cxl_mem cxl_pmu
	modprobe pmon_cxl
	owner() {
		basename "$(readlink /sys/bus/cxl/devices/pmu_mem0.0/driver)"
	}
	is "$(owner)" cxl_pmu 'cxl_pmu loads before pmon_cxl and has the CPMU'
	exits 0 'pmonctl adopt --dry-run cxl succeeds' pmonctl adopt --dry-run cxl
	is "$(owner)" cxl_pmu 'cxl_pmu keeps the CPMU after a dry run'
	perf stat -a -e cxl_pmu_mem0.0/clock_ticks/ sleep 100 2>/dev/null &
	until [ "$(cat /sys/module/cxl_pmu/refcnt)" != 0 ]; do sleep 0.05; done
	exits 2 'pmonctl adopt cxl is refused while an event of cxl_pmu is open' pmonctl adopt cxl
	kill $!
	wait
	exits 0 'pmonctl adopt cxl succeeds' pmonctl adopt cxl
	like "$out" '^cxl_pmu_mem0.0 +cxl_pmu_mem0.0 +kept' \
		'pmonctl adopt cxl announces that the PMU keeps its name'
	runs 'pmon_cxl has the CPMU after adopt cxl' [ -e /sys/bus/event_source/devices/cxl_pmu_mem0.0/serial ]
	runs 'clock_ticks counts after adopt cxl' perf stat -a -e cxl_pmu_mem0.0/clock_ticks/ true
	rmmod pmon_cxl
	modprobe pmon_cxl
	runs 'pmon_cxl has the CPMU when loaded again after adopt cxl' \
		[ -e /sys/bus/event_source/devices/cxl_pmu_mem0.0/serial ]
	exits 0 'pmonctl release cxl succeeds' pmonctl release cxl
	is "$(owner)" cxl_pmu 'cxl_pmu has the CPMU after release cxl'
	fails 'pmonctl release cxl leaves no /run/modprobe.d' test -e /run/modprobe.d
	unlike "$(dmesg)" 'WARNING|Call Trace|duplicate' \
		'adopt cxl and release cxl cause no warning in the log'
	# Clear the record of the kernel driver's illegal accesses (see cxl-defects).
	hw illegal reset
	S
done
finish
