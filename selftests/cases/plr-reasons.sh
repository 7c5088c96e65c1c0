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
# ---- all of them in the tracepoint: a core and the mesh get each bit, a fine
# one with a coarse one, as hardware does, because the die shows coarse ones.
T=/sys/kernel/tracing
for n in die core1 mesh0; do echo all >$dom/plr/$n/clear; done
plr_quick
echo 10 >$dom/plr/interval_ms
echo 1 >$T/events/pmon/plr_reasons/enable
while read -r bit name; do
	value=$(printf '0x%016x' $((1 << bit | (bit > 31 ? 128 : 0))))
	set_mesh "$value"
	set_core "$value"
	while [ "$(hw plr "$p/$d/1")$(hw mesh "$p/$d/0")" != 0x00000000000000000x0000000000000000 ]; do :; done
done </root/names
echo 0 >$T/events/pmon/plr_reasons/enable
echo 0 >$dom/plr/interval_ms
grep -o 'scope=.*' $T/trace >/root/trace
# names COARSE FINE: what these numbers mean
names() {
	bits=$((${1#*=} | ${2#*=} << 32))
	names=
	while read -r bit name; do
		[ $((bits >> bit & 1)) = 0 ] || names="$names $name"
	done </root/names
	names=${names:- none}
}
# What each event says by number, said by name; and all that were said.
while read -r scope module coarse fine new_coarse new_fine ended_coarse ended_fine said; do
	names "$new_coarse" "$new_fine"
	want="new=${names# }"
	for name in $names; do [ $name = none ] || echo "${scope#scope=} $name"; done
	names "$ended_coarse" "$ended_fine"
	[ "$want ended=${names# }" = "$said" ] || echo "$scope $new_coarse $new_fine: $said" >&2
done </root/trace 2>/root/wrong | sort -u >/root/said
is "$(cat /root/wrong)" "" "$(wc -l </root/trace) trace events: names and numbers agree"
cut -d' ' -f2 /root/names | sort >/root/want
for scope in core mesh; do
	is "$(sed -n "s/^$scope //p" /root/said | diff /root/want -)" "" "each of 64 bits of the $scope is traced"
done
is "$(sed -n "s/^die //p" /root/said)" "$(head -n 32 /root/names | cut -d' ' -f2 | sort)" \
	"each of 32 bits of the die is traced"
is "$(cat $dom/plr/core1/reasons | wc -w)" 64 "and all are on record"
for n in die core1 mesh0; do echo all >$dom/plr/$n/clear; done

# ---- and in pmonctl: seven modules, so that each bit has a pattern of its own
n=0
for module in 0/0/0 0/0/1 0/0/2 0/0/3 0/1/0 0/1/1 1/0/0; do
	value=0
	while read -r bit name; do
		[ $(((bit + 1) >> n & 1)) = 0 ] || value=$((value | 1 << bit))
	done </root/names
	hw plr $module "$(printf '=0x%016x' $value)"
	n=$((n + 1))
done
pmonctl plr --once --json | tr -d ' \n' | sed 's/{/\n{/g' >/root/json
awk '
	BEGIN {
		split("pkg0-dom0/core0 pkg0-dom0/core1 pkg0-dom0/core2 pkg0-dom0/core3 pkg0-dom1/core0 pkg0-dom1/core1 pkg1-dom0/core0", at, " ")
		two = 1
		for (n = 1; n <= 7; n++) { weight[at[n]] = two; two *= 2 }
	}
	FILENAME == "/root/names" { split($0, w, " "); bit[w[2]] = w[1]; next }
	match($0, /"name":"[^"]*"/) {
		name = substr($0, RSTART + 8, RLENGTH - 9)
		if (name ~ /^pkg/) { domain = name; next }
		place = domain "/" name
		if (!match($0, /"reasons":\[[^]]*\]/) || !(place in weight)) next
		text = substr($0, RSTART + 11, RLENGTH - 12)
		gsub(/"/, "", text)
		count = split(text, words, ",")
		for (n = 1; n <= count; n++) code[words[n]] += weight[place]
	}
	END { for (name in bit) if (code[name] != bit[name] + 1) print name, code[name] - 1 }' \
	/root/names /root/json >/root/wrong
is "$(cat /root/wrong)" "" "each of 64 bits is in pmonctl plr --json, where it was set"
like "$(cat $dom/plr/version)" '^0\.1$' "version"
finish
SCRIPT
done
finish
