#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Remove and return the device with the table, and the function of a PCI unit, with open
# events: boxes that respond are handed back, removed ones are not accessed, their
# events end, the other package is unaffected, and returned boxes are served again.
# all kernels: 6.1 6.12 newest sanitizer 6.1-rt
# check: sanitizer
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

# One CPU in each package, because a sanitizer kernel takes minutes to bring up sixteen.
machine=$(machine spr-2s '
m["cpu"].update(cores=1, threads=1)')
each_vm --machine "$machine" <<-'S'
	pci=/sys/bus/pci
	table=$(basename "$(readlink -f $PMON/pkg1-uncore0/device)")
	other=$(basename "$(readlink -f $PMON/pkg0-uncore0/device)")
	# function_of UNIT: print the function of the first such unit in package 1
	function_of() {
		set -- "$(awk -v unit="$1" '$2 == unit && $3 == 0 { print $5 }' \
			$PMON/pkg1-uncore0/units)"
		printf '0000:%02x:%02x.%x' $(($1 >> 20 & 0xff)) \
			$(($1 >> 15 & 0x1f)) $(($1 >> 12 & 7))
	}
	function=$(function_of upi)
	[ -e $pci/devices/$function ] || not_ok 'the function of a UPI link exists' "$function"

	# await_both: wait until both packages are served
	await_both() {
		becomes '[ "$(cat $PMUS/uncore_imc_0/cpumask 2>/dev/null)" = 0-1 ]'
	}
	# watch FILE PMU UNIT: open an event on each package, by one perf for each,
	# because after an error on one CPU perf shows no count at all
	watch() {
		for c in 0 1; do
			perf stat -x'|' -C $c -o "$1.$c" -e "$2/event=0x05,umask=0xcf/" -- \
				cat /tmp/end &
		done
		engine_until_counting "$3" 0xcf05
	}

	hw truth reset
	watch /tmp/imc uncore_imc_0 1/6/0
	before=$(cat $PMON/pkg1-uncore0/fingerprint)
	hw count reset
	echo 1 >$pci/devices/$table/remove
	is "$(uncore_writes 1/6/1)" 0 'removal: no register of an idle box is written'
	uncore_handed_back "removal of the table's function" 1/6/0
	hw count reset
	is "$(ls -d $PMON/pkg1-uncore* 2>/dev/null)" '' 'removal: sysfs has no table of package 1'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'removal: a designated CPU is left in package 0 only'
	runs 'removal: an event of package 0 opens' \
		perf stat -C 0 -e uncore_imc_1/event=0x01/ true
	fails_with 'Invalid argument|not support|No such device' 'removal: an event of package 1 is refused' \
		perf stat -C 1 -e uncore_imc_0/event=0x01/ true
	engine_end_counts
	shown() { awk -F'|' '/event=/ { print $1 }' "$1"; }
	is "$(shown /tmp/imc.0)" "$(uncore_truth_of 0/6/0 0xcf05)" \
		'removal: the count of package 0 is exact'
	is "$(shown /tmp/imc.1)" '<not counted>' 'removal: the event of package 1 is <not counted>'
	is "$(uncore_reads 1/6/0) $(uncore_writes 1/6/0)" '0 0' 'removal: no register of the removed box is accessed'

	echo 1 >$pci/rescan
	becomes '[ -e $PMON/pkg1-uncore0/units ]'
	is "$(cat $PMON/pkg1-uncore0/fingerprint)" "$before" 'return: the table has the fingerprint from before the removal'
	is "$(cat $PMON/pkg1-uncore0/rejected)" '' 'return: no unit is rejected'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0-1 'return: both packages have a designated CPU'
	uncore_exactly "boxes of a table that returned" 4 0.1 uncore_imc_0/event=5/@6/0 uncore_cha_0/event=5/@0/0

	# remove the function of one PCI unit
	hw truth reset
	watch /tmp/upi uncore_upi_0 1/8/0
	echo 1 >$pci/devices/$function/remove
	uncore_handed_back "removal of a UPI function" 1/8/0
	is "$(cat $PMUS/uncore_upi_0/cpumask)" 0 'removal of a UPI function: the box has a CPU in package 0 only'
	is "$(cat $PMUS/uncore_upi_1/cpumask)" 0-1 'removal of a UPI function: other links keep both packages'
	engine_end_counts
	is "$(shown /tmp/upi.0)" "$(uncore_truth_of 0/8/0 0xcf05)" \
		'removal of a UPI function: the count of package 0 is exact'
	is "$(shown /tmp/upi.1)" '<not counted>' \
		'removal of a UPI function: the event of package 1 is <not counted>'
	echo 1 >$pci/rescan
	becomes '[ "$(cat $PMUS/uncore_upi_0/cpumask)" != 0 ]'
	is "$(cat $PMUS/uncore_upi_0/cpumask)" 0-1 'return of a UPI function: the box has a CPU in both packages'
	uncore_exact_on_both uncore_upi_0 0.1 8/0 "a UPI link that returned"

	# remove the functions of all tables, which leaves the driver without boxes
	for p in 0 1; do
		echo 1 >"$(readlink -f $PMON/pkg$p-uncore0/device)"/remove
	done
	is "$(ls $PMUS | grep -c ^uncore_)" 0 'no PMU is registered once all tables are removed'
	is "$(ls $PMON | grep -c uncore)" 0 'sysfs has no table once all tables are removed'
	runs 'the module unloads once all tables are removed' rmmod pmon_uncore
	echo 1 >$pci/rescan
	runs 'the module loads after all tables returned' modprobe pmon_uncore
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0-1 'both packages are served after all tables returned'

	# Functions are missing when the driver loads: those of a unit and of the memory
	# controllers' addresses are passed to a virtual machine, that of another unit was
	# removed. All are served as soon as they are back.
	modprobe -q pci-stub || true
	stub=$pci/drivers/pci-stub
	m2m=$(function_of m2m)
	controllers=$(basename "$(dirname "$(grep -l 0x3251 $pci/devices/*/device | tail -1)")")
	rmmod pmon_uncore
	for f in $m2m $controllers; do
		echo pci-stub >$pci/devices/$f/driver_override
		echo $f >$stub/bind
	done
	echo 1 >$pci/devices/$function/remove
	modprobe pmon_uncore
	is "$(cat $PMON/pkg1-uncore0/rejected | cut -d' ' -f1-3,5-)" \
		'7 0 address belongs to a virtual machine
8 0 address is not where this link is' 'units without their function are rejected at loading'
	is "$(cat $PMUS/uncore_m2m_0/cpumask $PMUS/uncore_upi_0/cpumask \
		$PMUS/uncore_imc_free_running_0/cpumask | xargs)" '0 0 0' \
		'units without their function have a CPU in package 0 only'
	hw count reset
	echo $controllers >$stub/unbind
	becomes '[ "$(cat $PMUS/uncore_imc_free_running_0/cpumask)" = 0-1 ]'
	is "$(cat $PMUS/uncore_imc_free_running_0/cpumask)" 0-1 \
		'free-running counters are served when the host bridge leaves pci-stub'
	echo $m2m >$stub/unbind
	becomes '[ "$(cat $PMUS/uncore_m2m_0/cpumask)" = 0-1 ]'
	is "$(cat $PMUS/uncore_m2m_0/cpumask $PMUS/uncore_upi_0/cpumask)" '0-1
0' 'an M2M box is served when its function leaves pci-stub and a removed link is not'
	echo 1 >$pci/rescan
	becomes '[ "$(cat $PMUS/uncore_upi_0/cpumask)" = 0-1 ]'
	is "$(cat $PMUS/uncore_upi_0/cpumask)" 0-1 'a UPI link is served when its function is added'
	is "$(cat $PMON/pkg1-uncore0/rejected)$(uncore_writes)" 0 \
		'no unit is rejected and no register written after all functions are back'
	uncore_exactly "boxes whose functions came after loading" 4 0.1 uncore_upi_0/event=5/@8/0 uncore_m2m_0/event=5/@7/0
	echo >$pci/devices/$m2m/driver_override

	# Bind vfio-pci, whose probe fails without an IOMMU. Package 0's table is not there: the
	# order of the buses, which has the package, is known from before.
	echo 1 >$pci/devices/$other/remove
	modprobe -q vfio-pci || true
	echo $table >$pci/devices/$table/driver/unbind 2>/dev/null
	echo vfio-pci >$pci/devices/$table/driver_override
	echo $table >$pci/drivers/vfio-pci/bind 2>/dev/null
	is "$(ls $pci/devices/$table | grep -cx driver)" 0 'vfio-pci does not bind without an IOMMU'
	becomes '[ "$(cat $PMUS/uncore_imc_0/cpumask 2>/dev/null)" = 1 ]'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 1 'the table is served again after vfio-pci failed to bind'
	is "$(cat $PMON/pkg1-uncore0/rejected)" '' 'no unit is rejected after vfio-pci failed to bind'
	echo 1 >$pci/rescan
	await_both

	# Bind and unbind both functions at the same time. Each unbind starts a scan, which
	# must remove a table's old directory before it makes the new one, even with a reader
	# in it.
	for t in $table $other; do
		echo $t >$pci/devices/$t/driver/unbind
		echo pci-stub >$pci/devices/$t/driver_override
	done 2>/dev/null
	for n in 1 2 3; do
		while [ ! -e /tmp/stop ]; do
			cat $PMON/pkg*-uncore0/rejected
		done >/dev/null 2>&1 &
	done
	while [ ! -e /tmp/stop ]; do
		echo $other >$stub/bind
		echo $other >$stub/unbind
	done &
	# In a sanitizer kernel the loop takes ten times as long.
	case $(uname -r) in
	*deb*) rounds=60 ;;
	*) rounds=8 ;;
	esac
	for n in $(seq $rounds); do
		echo $table >$stub/bind
		echo $table >$stub/unbind
		[ $((n % 4)) != 0 ] || sleep 0.1
	done
	: >/tmp/stop
	wait
	await_both
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0-1 'both packages are served after many binds and unbinds'
	unlike "$(dmesg)" 'duplicate|cannot be shown' \
		'no two tables had the same directory during binds and unbinds'
	S
finish
