#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The global control of a discovery table freezes all units at power-on. intel_uncore of
# 6.12 does not clear the freeze: every count is 0, unless firmware has cleared it. In 7.2
# intel_uncore clears it once, at load. uncore/frozen.sh tests our driver.
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

cleared=$(machine gnr-2s 'm["packages"][0]["discovery"]["global"]["frozen"] = False')

cat >"$TMP/units.sh" <<'S'
# globals reads|writes: print the number of accesses to global controls
globals() { uncore_accesses global-ctl "$1"; }
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
	in_vm "$k: intel_uncore" --kernel "$k" --machine gnr-2s --drivers upstream \
		--copy "$TMP/units.sh" <<-'S'
	. /root/units.sh
	case $(uname -r) in
	6.*) is "$(globals reads) $(globals writes)" '0 0' \
		'intel_uncore accesses no global control when it loads' ;;
	*)
		is "$(globals reads) $(globals writes)" '0 2' \
			'intel_uncore writes each global control and reads none when it loads'
		uncore_counts 0.1 $mine >theirs
		is "$(cut -d' ' -f2 theirs | grep -c '^[1-9]')" 6 \
			'intel_uncore counts once its load has cleared the freeze'
		hw global all =1
		hw count reset
		;;
	esac
	uncore_counts 0.1 $mine >theirs
	is "$(cut -d' ' -f2 theirs | tr '\n' ' ')" '0 0 0 0 0 0 ' \
		'every count of intel_uncore is 0 while boxes are frozen'
	is "$(globals reads) $(globals writes)" '0 0' 'intel_uncore accesses no global control while it counts'
	hw global all =0
	hw truth reset
	uncore_counts 0.1 $mine >theirs
	is "$(cut -d' ' -f2 theirs | grep -c '^[1-9]')" 6 \
		'intel_uncore counts once firmware clears the freeze'
	S

	in_vm "$k: intel_uncore, cleared by firmware" --kernel "$k" \
		--machine "$cleared" --drivers upstream --copy "$TMP/units.sh" <<-'S'
	. /root/units.sh
	uncore_counts 0.1 $mine >theirs
	is "$(cut -d' ' -f2 theirs | grep -c '^[1-9]')" 6 \
		'intel_uncore counts if firmware has cleared the freeze at boot'
	S
done
finish
