#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check that every reason of the hardware is shown by its name: for a core, for the mesh
# and for the die, alone and together with others.
# contract: names
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s --drivers none <<'SCRIPT'
# Monitor the mesh, too.
plr_load mesh=1

dom=$PMON/pkg1-dom0
[ -d "$dom" ] || dom=$PMON/pkg0-dom0
p=$(cat $dom/package_id) d=$(cat $dom/domain_id)
plr_names | while read -r bit name; do
	printf '%d %s 0x%016x\n' "$bit" "$name" $((1 << bit))
done >/root/names

plr_bench

# walk DIR WHAT PLACE: set each bit alone; print what is shown wrongly
walk() {
	while read -r bit name value; do
		plr_set "$2" "$3" "$value"
		read -r reasons <"$dom/plr/$1/reasons"
		read -r raw <"$dom/plr/$1/raw"
		[ "$reasons $raw" = "$name $value" ] || echo "$bit: $reasons $raw"
	done </root/names
	plr_set "$2" "$3" 0
	[ "$(cat "$dom/plr/$1/reasons")" = none ] || echo "none is not shown"
}

is "$(walk core1 plr "$p/$d/1")" "" "each of 64 bits of a core has its name"
is "$(walk mesh0 mesh "$p/$d/0")" "" "each of 64 bits of the mesh has its name"
is "$(cat $dom/plr/core0/reasons)" none "a core beside the one with reasons shows none"

wrong=
while read -r bit name value; do
	[ "$bit" -lt 32 ] || continue
	plr_set die "$p/$d" "$value"
	read -r reasons <$dom/plr/die/reasons
	[ "$reasons" = "$name" ] || wrong="$wrong $bit"
done </root/names
is "$wrong" "" "each of 32 bits of the die has its name"
hw die "$p/$d" =0
is "$(cat $dom/plr/die/reasons)" none "the die shows none when its bits are clear"

hw plr "$p/$d/1" =0xfffffffe7fffffff
want=$(awk '$1 != 31 && $1 != 32 { printf "%s%s", s, $2; s = " " }' /root/names)
is "$(cat $dom/plr/core1/reasons)" "$want" "62 reasons at once are shown in order"
hw plr "$p/$d/1" =0x0000040000000004
is "$(cat $dom/plr/core1/reasons)" "POWER POWER_PKG_PL1_MSR_TPMI" "a coarse and a fine reason are shown together"
is "$(cat $dom/plr/core1/coarse)" 0x00000004 "coarse has the lower half of the bits"
is "$(cat $dom/plr/core1/fine)" 0x00000400 "fine has the upper half of the bits"
is "$(cat $dom/plr/core1/raw)" 0x0000040000000004 "raw has all 64 bits"

# Read through the link of each CPU of the module.
there=$(realpath $dom/plr/core1)
set -- "$CPUS"/cpu[0-9]*/plr
realpath "$@" | while read -r to; do
	[ "$to" != "$there" ] || echo "$1"
	shift
done >/root/links
isnt "$(wc -l </root/links)" 0 "the module has links from CPUs"
while read -r link; do
	is "$(cat "$link/reasons")" "POWER POWER_PKG_PL1_MSR_TPMI" \
		"reasons through a link of $(basename "${link%/plr}") are the module's"
done </root/links
# ---- all reasons in the tracepoint: a core and the mesh get each bit. A fine bit gets a
# coarse bit beside it, because the die shows coarse bits only.
T=/sys/kernel/tracing
for n in die core1 mesh0; do echo all >$dom/plr/$n/clear; done
plr_quick
echo all >$dom/plr/gate
echo 10 >$dom/plr/interval_ms
echo 1 >$T/events/pmon/plr_reasons/enable
while read -r bit name _; do
	value=$((1 << bit | (bit > 31 ? 128 : 0)))
	printf 'mesh %s 0x%016x\nplr %s 0x%016x\n' "$p/$d/0" $value "$p/$d/1" $value >&8
	left=set
	while [ "$left" != 0x00000000000000000x0000000000000000 ]; do
		printf 'pause 10\nplr %s\nmesh %s\n' "$p/$d/1" "$p/$d/0" >&8
		read -r left <&9
		read -r also <&9
		left=$left$also
	done
done </root/names
plr_bench_ends
echo 0 >$T/events/pmon/plr_reasons/enable
echo 0 >$dom/plr/interval_ms
grep -o 'scope=.*' $T/trace >/root/trace
# Check each trace event's names against its numbers; list all reported reasons.
awk '
	BEGIN { for (i = 0; i < 32; i++) two[i] = i ? 2 * two[i - 1] : 1 }
	# Return the number in "NAME=0x...".
	function number(field, i, n) {
		sub(/.*=0x/, "", field)
		for (i = 1; i <= length(field); i++)
			n = n * 16 + index("0123456789abcdef", substr(field, i, 1)) - 1
		return n
	}
	# Return the names of the bits that are set in these numbers.
	function names(coarse, fine, i, said, more) {
		for (i = 0; i < 32; i++) {
			if (int(coarse / two[i]) % 2) said = said " " name[i]
			if (int(fine / two[i]) % 2) more = more " " name[i + 32]
		}
		said = said more
		return said == "" ? "none" : substr(said, 2)
	}
	FILENAME == "/root/names" { name[$1] = $2; next }
	{
		scope = substr($1, 7)
		new = names(number($5), number($6))
		want = "new=" new " ended=" names(number($7), number($8))
		if (new != "none") {
			count = split(new, word, " ")
			for (i = 1; i <= count; i++) print scope, word[i]
		}
		said = $0
		sub(/.* new=/, "new=", said)
		if (said != want) print scope, $5, $6 ": " said >"/root/wrong"
	}' /root/names /root/trace | sort -u >/root/said
[ -e /root/wrong ] || : >/root/wrong
is "$(cat /root/wrong)" "" "names and numbers agree in $(wc -l </root/trace) trace events"
cut -d' ' -f2 /root/names | sort >/root/want
for scope in core mesh; do
	is "$(sed -n "s/^$scope //p" /root/said | diff /root/want -)" "" "each of 64 bits of the $scope is traced"
done
is "$(sed -n "s/^die //p" /root/said)" "$(head -n 32 /root/names | cut -d' ' -f2 | sort)" \
	"each of 32 bits of the die is traced"
is "$(cat $dom/plr/core1/reasons | wc -w)" 64 "all 64 traced bits are on record"
for n in die core1 mesh0; do echo all >$dom/plr/$n/clear; done

# ---- all reasons in pmonctl: each bit is set on a different subset of seven modules
n=0
for module in 0/0/0 0/0/1 0/0/2 0/0/3 0/1/0 0/1/1 1/0/0; do
	value=0 bit=0
	while [ $bit -lt 64 ]; do
		value=$((value | ((bit + 1) >> n & 1) << bit))
		bit=$((bit + 1))
	done
	printf 'plr %s =0x%016x\n' $module $value
	n=$((n + 1))
done | hw -
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
is "$(cat /root/wrong)" "" "each of 64 bits is in pmonctl plr --json where it was set"
like "$(cat $dom/plr/version)" '^0\.1$' "the file version has 0.1"
SCRIPT
finish
