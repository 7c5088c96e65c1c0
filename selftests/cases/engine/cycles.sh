#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# While events of MSR, MMIO and PCI units are open, their device goes and
# returns, the functions of the PCI units do, intel_vsec leaves the device and
# takes it again, CPUs and a package go offline, the driver is unloaded and
# loaded: over and over, alone and with others who open, read, snapshot and close
# such events.
# No reading is ever less than the one before or more than the hardware can
# have counted, and in the end everything counts exactly.
# CYCLES: how many times, in place of as many as fit the kernel.
# all kernels: 6.1 6.12 sanitizer 6.12-rt
# races: yes
# check: none
. "$(dirname "$0")/../lib/tap.sh"

bench=$("$ROOT/selftests/lib/build/bench")

# cycles KERNEL NAME TIMES: on this kernel, so often
cycles() {
	in_vm "$2" --kernel "$1" --machine spr-2s --copy "$bench/churn" --timeout 6000 <<-S
	times=$3 only=$only
	$(cat <<-'S2'
	churn() {
		/root/churn "$@" "$what" \
			uncore_imc_0 uncore_cha_0 uncore_upi_0 uncore_m2m_0 \
			uncore_iio_0
	}
	table=$(basename "$(readlink -f $PMON/pkg1-uncore0/device)")
	function=0000:7e:01.1,0000:fe:01.1
	modprobe intel_vsec
	for what in pci=$table pci=$function bind=intel_vsec,$table cpu \
		package=1 module=pmon_uncore; do
		[ "$only" ] || runs "$what, $times times" churn "$times"
	done
	what=pci=$table
	[ "$only" ] || runs "$what, with others" churn -r 2 "$times"
	what=cpu
	runs "$what, with others" churn -r 3 $((10 * times))

	# Nobody could stop the counters of what was away.
	counts 0.01 uncore_imc_0/event=1/ uncore_cha_0/event=1/ \
		uncore_upi_0/event=1/ >/dev/null
	exactly 'after all that' 6 0.1 uncore_imc_0/event=0x77/@6/0 \
		uncore_cha_0/event=0x77/@0/0 uncore_upi_0/event=0x77/@8/0
	hw count reset
	sleep 0.2
	is "$(writes) $(reads)" '0 0' 'nobody counts: nothing is touched'
	goes_all 'everything goes' pmon_uncore pmon_plr
	finish
	S2
	)
	S
}

for k in $KERNELS; do
	# One after the other, and some with CPUs that really run at the same time,
	# which takes a multiple of the time. Real-time kernels and KCSAN have CPUs
	# that go, with others, alone.
	only=
	case $k in
	6.1) many=60 few=5 ;;
	sanitizer) many=6 few=2 ;;
	*-rt | kcsan) many='' few=5 only=cpu ;;
	*) many=4 few='' ;;
	esac
	[ -z "$many" ] || cycles "$k" "$k" "${CYCLES:-$many}"
	[ -z "$few" ] || OPENPMON_PARALLEL=1 cycles "$k" "$k at once" "${CYCLES:-$few}"
done
finish
