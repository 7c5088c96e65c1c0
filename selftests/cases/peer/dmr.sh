#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: newest
# coverage: no, beside the kernel's driver
# check: none
# Run Diamond Rapids with the kernel's own driver (from 7.2 on), and with ours beside it and
# after it (uncore/dmr.sh has more of ours). Counts of the kernel's driver are exact where it
# is right, which verifies the emulator. The kernel's driver loses units whose number is
# in several tables, the second block of a die, and some units of a type with units in PCI
# and in memory. Its other faults: fields above bit 31 are never written, a threshold also
# sets the inversion, all packages get the first one's free-running counters, and upper
# halves of controls in configuration space stay as firmware left them.
. "$(dirname "$0")/../lib/tap.sh"

cat >"$TMP/peer.sh" <<'S'
. /lib/test/dmr.sh

# their_units: print the units by aliases, for `dmr_every`. Types 31, 38 and 47 are in
# blocks; one unit of type 35 is in a hub, if there is a hub.
their_units() {
	for pmu in "$PMUS"/uncore_*; do
		alias=$(cat "$pmu/alias" 2>/dev/null) || continue
		alias=${alias#uncore_type_}
		type=${alias%_*} id=0 where=
		[ "$type" = "$alias" ] || id=${alias#*_}
		case $type in
		31 | 38 | 47) where=block ;;
		35) where=other ;;
		esac
		echo "${pmu##*/} $type $id $where"
	done
}

# control_of UNIT EVENT: count an event; print the value that its control had
control_of() {
	hw truth reset
	perf stat -C 0 -e "$2" -- sleep 0.05 >/dev/null 2>&1
	hw truth controls | sed -n "s|^unit=$1 ctl=\([^ ]*\) .*|\1|p"
}

# two UNIT NAME: print whether two events of a unit of this type count exactly
two() {
	hw truth reset
	perf stat -x, -C 0 -e "{$(dmr_pmu_of $2)/event=5,umask=0xcf/,$(dmr_pmu_of \
		$2)/event=6,umask=0xcf/}" -- sleep 0.05 2>&1 | cut -d, -f1 >/tmp/two
	hw truth controls >/tmp/controls
	for control in 0xcf05 0xcf06; do
		dmr_counted_under $1 $control </tmp/controls
	done | cmp -s - /tmp/two && echo exact || echo wrong
}

# above <TYPES: print "NAME TERM" of fields above bit 31
above() {
	while read -r _ name _; do
		dmr_terms "$name" | while read -r term mask _; do
			[ $((mask >> 32)) = 0 ] || echo "$name $term"
		done
	done
}

# free CPU: print whether an event on CPU counts the gain of the first package's counter
free() {
	hw box 0/4144/2 preload 3 0
	perf stat -x, -C $1 -e uncore_iio_free_running_2/event=0xff,umask=0x13/ \
		-- sh -c 'sleep 0.05; hw box 0/4144/2 preload 3 5000000000' 2>/tmp/stat
	case $(awk -F, '{ printf "%.1f", $1 / 5000000000 }' /tmp/stat) in
	1.0) echo exact ;;
	*) cat /tmp/stat ;;
	esac
}
S

# A machine with two blocks in what CPUID calls a die, and a type with units in PCI and memory.
mixed=$(machine dmr-lean 'm["name"] = "dmr-mixed"
m["packages"][0]["discovery"]["units"] += [
    { "type": 45, "access": "pci", "address": "auto" },
    { "type": 45, "id": 1, "access": "mmio", "address": "bar" } ]')
for k in $KERNELS; do
	in_vm "$k dmr-2s" --kernel "$k" --machine dmr-2s --drivers none \
		--allow-illegal --timeout 600 --copy "$TMP/peer.sh" <<-'S'
	. /root/peer.sh
	total=$(hw units | grep -vcE ' type=(19|37) ')
	runs 'intel_uncore loads on Diamond Rapids' modprobe intel_uncore
	is "$(their_units | cut -d' ' -f2 | sort -nu)" \
		"$(dmr_types | cut -d' ' -f1)" 'intel_uncore has all types of Diamond Rapids'
	is "$(their_units | dmr_every 4 2 '[0-9a-f]*')" $((total - 2)) \
		'intel_uncore counts exactly on every unit but two that are lost'
	is "$(cut -d/ -f2 /tmp/upper | sort | uniq -c | tr -s ' \n' ' ')" \
		' 4 45 4 51 ' \
		"intel_uncore leaves firmware's upper halves of controls of types 45 and 51"
	is "$(grep -c / /tmp/truth) $(grep '/35/100000 ' /tmp/truth)" \
		"$((total - 2)) " "intel_uncore loses units with the number of a hub's unit"
	dmr_types | above | sort >/tmp/above
	is "$(wc -l </tmp/above)" 26 '26 fields of Diamond Rapids reach beyond bit 31'
	is "$(control_of 0/23/0 uncore_sca_0/event=1,umask=0x12345678cf/)" 0xcf01 \
		'intel_uncore drops the unit mask above bit 31'
	is "$(control_of 0/24/0 "$(dmr_pmu_of cxlcm)/event=1,port_en=0xf/")" 0x1 \
		'intel_uncore drops the choice of ports above bit 31'
	is "$(control_of 0/6/0 uncore_imc_0/event=1,thresh=512/)" 0x1 \
		'intel_uncore drops the last bit of a threshold'
	is "$(control_of 0/6/0 uncore_imc_0/event=1,thresh=1/)" \
		"$(control_of 0/6/0 uncore_imc_0/event=1,inv=1/)" \
		'intel_uncore writes a threshold of 1 as inversion'
	is "$(two 0/4/0 pcu) $(two 0/23/0 sca)" 'exact wrong' \
		'intel_uncore counts several events with controls 4 bytes apart and not with 8'
	hw box 0/4144/2 rate 3 1
	is "$(free 0)" exact 'intel_uncore counts free-running counters of package 0'
	is "$(free 4)" exact "intel_uncore shows package 0's free-running counters for package 1"
	# Check each field (uncore/dmr.sh: of ours). Leave out cxlcm's inversion, which the
	# kernel writes since 7.3. Fields of pcie4 and pcie6 are lost, because upper halves in
	# configuration space are not written.
	dmr_types | dmr_each_term | cut -d' ' -f1,2 | sort | grep -vx 'cxlcm inv' >/tmp/unwritten
	{
		cat /tmp/above
		sed -n 's/.* \(pcie4\|pcie6\) /\1 /p' /tmp/terms
	} | sort -u >/tmp/lost
	is "$(cat /tmp/unwritten)" "$(cat /tmp/lost)" \
		"intel_uncore writes all but $(wc -l </tmp/lost) of $(wc -l </tmp/terms) fields"
	runs 'pmon_uncore loads beside intel_uncore' modprobe pmon_uncore
	is "$(awk '{ print $9 }' $PMON/pkg*-uncore*/units | sort | uniq -c |
		tr -s ' \n' ' ')" " $((total + 4)) intel_uncore " 'pmon_uncore leaves every unit to intel_uncore'
	is "$(uncore_messages 'cannot be registered' | wc -l)" 0 'pmon_uncore tries to register no PMU beside intel_uncore'
	runs 'pmon_uncore unloads beside intel_uncore' rmmod pmon_uncore
	uncore_adopts 'pmon_uncore loads instead of intel_uncore'
	is "$(two 0/4/0 pcu) $(two 0/23/0 sca)" 'exact exact' \
		'pmon_uncore counts several events with controls 4 and 8 bytes apart'
	runs 'pmon_uncore unloads' rmmod pmon_uncore
	S

	in_vm "$k dmr-mixed" --kernel "$k" --machine "$mixed" --drivers none \
		--allow-illegal --copy "$TMP/peer.sh" <<-'S'
	. /root/peer.sh
	total=$(hw units | wc -l)
	# The kernel's driver clears the global control of blocks, but not that of hubs.
	hw global all =0
	runs 'intel_uncore loads on a machine with two blocks in a die' modprobe intel_uncore
	is "$(dmr_pairs '[0-9a-f]*')" $((2 * (total - 3))) \
		'intel_uncore loses a unit of another access and a block'
	uncore_adopts 'pmon_uncore loads with controls=4 instead of intel_uncore' controls=4
	is "$(dmr_pairs '[0-9a-f]*')" $((2 * total)) 'pmon_uncore counts exactly on every unit with two blocks in a die'
	runs 'pmon_uncore unloads with two blocks in a die' rmmod pmon_uncore
	S
done
finish
