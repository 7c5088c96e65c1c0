#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: newest
# coverage: no, beside the kernel's driver
# check: none
# Run Diamond Rapids with the kernel's own driver (from 7.2 on) and ours, on the same
# machine. Both find the same units, and have equal counts where the kernel's driver is
# right, which verifies the emulator. The kernel's driver loses units whose number is
# in several tables, the second block of a die, and some units of a type with units in PCI
# and in memory. Its other faults: fields above bit 31 are never written, a threshold also
# sets the inversion, all packages get the first one's free-running counters, and upper
# halves of controls in configuration space stay as firmware left them.
. "$(dirname "$0")/../lib/tap.sh"

cat >"$TMP/peer.sh" <<'S'
. /lib/test/guest.sh
. /lib/test/uncore.sh
. /lib/test/dmr.sh

load() {
	case $1 in
	theirs) runs "$1: loading" modprobe intel_uncore ;;
	ours)
		# otherwise modprobe would load the kernel's driver before ours
		echo 'options intel_uncore uncore_no_discover=1' \
			>/etc/modprobe.d/test.conf
		runs "$1: loading" modprobe pmon_uncore $2
		;;
	esac
}
unload() {
	case $1 in
	ours) runs "$1: unloading" rmmod pmon_uncore ;;
	*) runs "$1: unloading" rmmod intel_uncore ;;
	esac
}

# their_units: print the units by aliases, for `every`. Types 31, 38 and 47 are in
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
	perf stat -x, -C 0 -e "{$(pmu_of $2)/event=5,umask=0xcf/,$(pmu_of \
		$2)/event=6,umask=0xcf/}" -- sleep 0.05 2>&1 | cut -d, -f1 >/tmp/two
	hw truth controls >/tmp/controls
	for control in 0xcf05 0xcf06; do
		counted_under $1 $control </tmp/controls
	done | cmp -s - /tmp/two && echo exact || echo wrong
}

# above <TYPES: print "NAME TERM" of fields above bit 31
above() {
	while read -r _ name _; do
		terms "$name" | while read -r term mask _; do
			[ $((mask >> 32)) = 0 ] || echo "$name $term"
		done
	done
}

# free CPU: print whether an event on CPU counts the gain of the first package's counter.
# The gain comes after 50 ms, because our driver would take such a gain in a few ms for a reset.
free() {
	hw box 0/4144/2 preload 3 0
	perf stat -x, -C $1 -e uncore_iio_free_running_2/event=0xff,umask=0x13/ \
		-- sh -c 'sleep 0.05; hw box 0/4144/2 preload 3 5000000000' 2>/tmp/stat
	case $(awk -F, '{ printf "%.1f", $1 / 5000000000 }' /tmp/stat) in
	1.0) echo exact ;;
	*) cat /tmp/stat ;;
	esac
}

# pairs: count a group of two events on every PMU; print wrong counts and the number of counts
pairs() {
	hw truth reset
	perf stat -x'|' -C 0 $(ls $PMUS | sed -n \
		's|^uncore_.*|-e {&/event=5,umask=0xcf/,&/event=6,umask=0xcf/}|p') \
		-- sleep 0.3 2>&1 | awk -F'|' '$1 ~ /^[0-9]+$/ { print $1 }' |
		sort >/tmp/counts
	hw truth controls | sed -n 's|.* ctl=0x[0-9a-f]*cf0[56] counted=\([0-9]*\) .*|\1|p' |
		sort | diff - /tmp/counts | head -4
	wc -l </tmp/counts
}
S

# Print the part of the guest's script for the kernel's driver.
theirs() {
	cat <<-S
	load theirs
	is "\$(their_units | cut -d' ' -f2 | sort -nu)" \
		"\$(dmr_types | cut -d' ' -f1)" 'theirs: all types'
	is "\$(their_units | every 4 2 '[0-9a-f]*')" \$((total - 2)) \
		'theirs: every unit counts exactly, but for those it loses'
	is "\$(cut -d/ -f2 /tmp/upper | sort | uniq -c | tr -s ' \n' ' ')" \
		' 4 45 4 51 ' \
		'theirs: some with what firmware left in the upper halves'
	is "\$(grep -c / /tmp/truth) \$(grep '/35/100000 ' /tmp/truth)" \
		"\$((total - 2)) " \
		'theirs: those that have the number of a unit of the hub of their die'
	dmr_types | above | sort >/tmp/above
	is "\$(wc -l </tmp/above)" 26 'theirs: fields that reach beyond bit 31'
	is "\$(control_of 0/23/0 uncore_sca_0/event=1,umask=0x12345678cf/)" 0xcf01 \
		'theirs: a unit mask loses what is above'
	is "\$(control_of 0/24/0 "\$(pmu_of cxlcm)/event=1,port_en=0xf/")" 0x1 \
		'theirs: and so does a choice of ports'
	is "\$(control_of 0/6/0 uncore_imc_0/event=1,thresh=512/)" 0x1 \
		'theirs: the last bit of a threshold is lost'
	is "\$(control_of 0/6/0 uncore_imc_0/event=1,thresh=1/)" \
		"\$(control_of 0/6/0 uncore_imc_0/event=1,inv=1/)" \
		'theirs: a threshold of 1 is an inversion'
	is "\$(two 0/4/0 pcu) \$(two 0/23/0 sca)" 'exact wrong' \
		'theirs: several events where controls are 4 bytes apart, and 8'
	hw box 0/4144/2 rate 3 1
	is "\$(free 0)" exact 'theirs: counters that run by themselves'
	is "\$(free 4)" exact 'theirs: which are the first package'"'"'s for the second, too'
	S
}

# Print the script that checks each field of the kernel's driver; uncore-dmr checks ours.
fields() {
	cat <<-'S'
	# Leave out cxlcm's inversion, which the kernel writes since 7.3. Fields of pcie4 and
	# pcie6 are lost, because upper halves in configuration space are not written.
	dmr_types | each_term | cut -d' ' -f1,2 | sort | grep -vx 'cxlcm inv' >/tmp/unwritten
	{
		cat /tmp/above
		sed -n 's/.* \(pcie4\|pcie6\) /\1 /p' /tmp/terms
	} | sort -u >/tmp/lost
	is "$(cat /tmp/unwritten)" "$(cat /tmp/lost)" \
		"theirs: of $(wc -l </tmp/terms) fields all but $(wc -l </tmp/lost) are written"
	S
}

# A machine with two blocks in what CPUID calls a die, and a type with units in PCI and memory.
mixed=$(machine dmr-lean 'm["name"] = "dmr-mixed"
m["packages"][0]["discovery"]["units"] += [
    { "type": 45, "access": "pci", "address": "auto" },
    { "type": 45, "id": 1, "access": "mmio", "address": "bar" } ]')
for k in $KERNELS; do
	{
		cat <<-'S'
		. /root/peer.sh
		total=$(hw units | grep -vcE ' type=(19|37) ')
		S
		theirs
		fields
		cat <<-'S'
		runs 'ours beside it' modprobe pmon_uncore
		is "$(awk '{ print $9 }' $PMON/pkg*-uncore*/units | sort | uniq -c |
			tr -s ' \n' ' ')" " $((total + 4)) intel_uncore " \
			'all is left to it'
		is "$(messages 'cannot be registered' | wc -l)" 0 \
			'without a try'
		unload ours
		unload theirs
		load ours
		is "$(our_units | every 4 2)" "$total" \
			'ours: every unit counts exactly'
		is "$(dmr_types | above | sort)" "$(cat /tmp/above)" \
			'ours: fields that reach beyond bit 31 are the same'
		is "$(control_of 0/23/0 uncore_sca_0/event=1,umask=0x12345678cf/)" \
			0x123456780000cf01 'ours: a unit mask is written'
		is "$(control_of 0/24/0 uncore_cxlcm_0/event=1,port_en=0xf/)" \
			0xf00000001 'ours: and a choice of ports'
		is "$(control_of 0/6/0 uncore_imc_0/event=1,thresh=512/)" \
			0x100000001 'ours: the last bit of a threshold'
		is "$(two 0/4/0 pcu) $(two 0/23/0 sca)" 'exact exact' \
			'ours: several events, 4 bytes apart and 8'
		is "$(free 0)" exact 'ours: counters that run by themselves'
		is "$(cat $PMUS/uncore_iio_free_running_2/cpumask)" 0 \
			'ours: for the first package'
		unload ours
		finish
		S
	} >"$TMP/all.sh"
	in_vm "$k dmr-2s" --kernel "$k" --machine dmr-2s --drivers none \
		--allow-illegal --timeout 600 --copy "$TMP/peer.sh" \
		<"$TMP/all.sh"

	in_vm "$k dmr-mixed" --kernel "$k" --machine "$mixed" --drivers none \
		--allow-illegal --copy "$TMP/peer.sh" <<-'S'
	. /root/peer.sh
	total=$(hw units | wc -l)
	# The kernel's driver clears the global control of blocks, but not that of hubs.
	hw global all =0
	load theirs
	is "$(pairs)" $((2 * (total - 3))) \
		'theirs: all count but a unit of another access, and a block'
	unload theirs
	load ours controls=4
	is "$(pairs)" $((2 * total)) 'ours: all count'
	unload ours
	S
done
finish
