#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every reason that hardware can set is shown by its name: for a core, for the
# mesh and for the die, alone and together with others, on both kernels.
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
modprobe pmon_plr

dom=$PMON/pkg1-dom0
[ -d "$dom" ] || dom=$PMON/pkg0-dom0
p=$(cat $dom/package_id) d=$(cat $dom/domain_id)
plr_names >/root/names

# walk DIR SETTER: every bit alone. Prints what is shown wrongly.
walk() {
	while read -r bit name; do
		value=$(plr_value "$bit")
		$2 "=$value"
		got="$(cat "$dom/plr/$1/reasons") $(cat "$dom/plr/$1/raw")"
		[ "$got" = "$name $value" ] || echo "$bit: $got"
	done </root/names
	$2 =0
	[ "$(cat "$dom/plr/$1/reasons")" = none ] || echo "none is not shown"
}

set_core() { hw plr "$p/$d/1" "$1"; }
set_mesh() { hw mesh "$p/$d/0" "$1"; }

is "$(walk core1 set_core)" "" "each of 64 bits of a core has its name"
is "$(walk mesh0 set_mesh)" "" "each of 64 bits of the mesh has its name"
is "$(cat $dom/plr/core0/reasons)" none "another core shows none of it"

wrong=
while read -r bit name; do
	[ "$bit" -lt 32 ] || continue
	hw die "$p/$d" "=$(plr_value "$bit")"
	[ "$(cat $dom/plr/die/reasons)" = "$name" ] || wrong="$wrong $bit"
done </root/names
is "$wrong" "" "each of 32 bits of the die has its name"
hw die "$p/$d" =0
is "$(cat $dom/plr/die/reasons)" none "the die shows none"

hw plr "$p/$d/1" =0xfffffffe7fffffff
want=$(awk '$1 != 31 && $1 != 32 { printf "%s%s", s, $2; s = " " }' /root/names)
is "$(cat $dom/plr/core1/reasons)" "$want" "62 reasons at once, in order"
hw plr "$p/$d/1" =0x0000040000000004
is "$(cat $dom/plr/core1/reasons)" "POWER POWER_PKG_PL1_MSR_TPMI" "coarse and fine"
is "$(cat $dom/plr/core1/coarse)" 0x00000004 coarse
is "$(cat $dom/plr/core1/fine)" 0x00000400 fine
is "$(cat $dom/plr/core1/raw)" 0x0000040000000004 raw

# The same through the link of each CPU of the module.
for cpu in $(seq 0 $(($(nproc) - 1))); do
	there=$(readlink -f "$CPUS/cpu$cpu/plr")
	[ "$there" = "$(readlink -f $dom/plr/core1)" ] || continue
	is "$(cat "$CPUS/cpu$cpu/plr/reasons")" "POWER POWER_PKG_PL1_MSR_TPMI" \
		"the same through a link of cpu$cpu"
done
like "$(cat $dom/plr/version)" '^0\.1$' "version"
finish
SCRIPT
done
finish
