#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The global control of a discovery table freezes all units at power-on. intel_uncore of
# 6.12 does not clear the freeze: every count is 0, unless firmware has cleared it. In 7.2
# intel_uncore clears it once, at load. Our driver counts in any case: it writes a
# package's global control whenever the first event starts in that package.
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

cleared=$(machine gnr-2s 'm["packages"][0]["discovery"]["global"]["frozen"] = False')

cat >"$TMP/units.sh" <<'S'
. /lib/test/uncore.sh

# globals reads|writes: print the number of accesses to global controls
globals() { accesses global-ctl "$1"; }
# pmu TYPE: print the PMU of the type's unit 0. Type 0 is in MSRs, 6 in memory, 8 in
# configuration space. On an unknown machine the kernel names PMUs by numbers of types.
pmu() {
	[ ! -e $PMUS/uncore_type_$1_0 ] || echo uncore_type_$1_0
	grep -lx uncore_type_$1_0 $PMUS/uncore_*/alias 2>/dev/null |
		sed 's|/alias$||; s|.*/||'
}
mine=
for type in 0 6 8; do
	mine="$mine $(pmu $type)/event=0x04,umask=0x01/"
done
S

for k in $KERNELS; do
	in_vm "$k: theirs" --kernel "$k" --machine gnr-2s --drivers upstream \
		--copy "$TMP/units.sh" <<-'S'
	. /root/units.sh
	case $(uname -r) in
	6.*) is "$(globals reads) $(globals writes)" '0 0' 'it does not look' ;;
	*)
		is "$(globals reads) $(globals writes)" '0 2' \
			'loading writes it in each package, and does not look'
		counts 0.1 $mine >theirs
		is "$(cut -d' ' -f2 theirs | grep -c '^[1-9]')" 6 \
			'so intel_uncore counts'
		hw global all =1
		hw count reset
		;;
	esac
	counts 0.1 $mine >theirs
	is "$(cut -d' ' -f2 theirs | tr '\n' ' ')" '0 0 0 0 0 0 ' \
		'every count of intel_uncore is 0'
	is "$(globals reads) $(globals writes)" '0 0' 'and it leaves it so'
	hw global all =0
	hw truth reset
	counts 0.1 $mine >theirs
	is "$(cut -d' ' -f2 theirs | grep -c '^[1-9]')" 6 \
		'when firmware clears it intel_uncore counts'
	S

	in_vm "$k: theirs, firmware has cleared it" --kernel "$k" \
		--machine "$cleared" --drivers upstream --copy "$TMP/units.sh" <<-'S'
	. /root/units.sh
	counts 0.1 $mine >theirs
	is "$(cut -d' ' -f2 theirs | grep -c '^[1-9]')" 6 'intel_uncore counts'
	S

	for name in frozen cleared; do
		machine=gnr-2s
		[ $name = frozen ] || machine=$cleared
		in_vm "$k: ours, $name" --kernel "$k" --machine "$machine" \
			--drivers none --copy "$TMP/units.sh" <<-'S'
		echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
		frozen=$(hw global 0/0 | grep -c 0x1)
		runs 'loading' modprobe pmon_uncore
		. /root/units.sh
		is "$(globals writes)" 0 'loading does not write it'
		hw count reset
		hw truth reset
		perf stat -x'|' -C 0 -e uncore_imc_0/event=0x04,umask=0x01/ -o out \
			-- sleep 0.1
		agree 0/6/0 "$(grep uncore out | cut -d'|' -f1)" 0x104 \
			'the first event counts exactly'
		is "$(globals reads) $(globals writes)" '0 1' \
			'the first event of a package: one write'
		is "$(hw global 1/0 | grep -c 0x1)" "$frozen" 'the other package is as it was'
		for n in 1 2; do
			hw truth reset
			counts 0.1 $mine >ours
			while read -r package count event; do
				case $event in
				*cha*) unit=$package/0/0 ;;
				*imc*) unit=$package/6/0 ;;
				*) unit=$package/8/0 ;;
				esac
				agree $unit $count 0x104 "$n: $unit counts exactly"
			done <ours
			is "$(wc -l <ours)" 6 "$n: all"
		done
		is "$(globals reads) $(globals writes)" '0 5' \
			'one write in a package whenever its first event starts'
		hw count reset
		runs 'unloading' rmmod pmon_uncore
		is "$(globals writes)" 0 'unloading does not write it'
		is "$(hw global all | grep -c 0x0)" 2 'it stays clear'
		S
	done
done
finish
