# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of cases about Diamond Rapids. Source as follows:
#   . /lib/test/guest.sh; . /lib/test/uncore.sh; . /lib/test/dmr.sh

# dmr_types: print number, name and control bits of each type, from dmr_uncores[] in
# arch/x86/events/intel/uncore_snbep.c of Linux 7.3. imc differs, because Linux masks off
# the highest bit of its threshold.
dmr_types() {
	cat <<-'T'
	4 pcu 0xff84ffff
	5 ubox 0xff84ffff
	6 imc 0x1ff84ffff
	23 sca 0xffffffffff84ffff
	24 cxlcm 0xfffa4ffff
	30 hamvf 0xffffffffff84ffff
	31 cbo 0xffffffffff84ffff
	32 santa 0xff84ffff
	33 cncu 0xff84ffff
	34 sncu 0xff84ffff
	35 ula 0xffffffffff84ffff
	36 dda 0xffffffffff84ffff
	38 sbo 0xffffffffff84ffff
	43 ubr 0xffffffffff84ffff
	45 pcie4 0xffffffff84ffff
	46 crs 0xff84ffff
	47 cpc 0xffffffffff84ffff
	48 itc 0xffffffffff84ffff
	49 otc 0xffffffffff84ffff
	50 cms 0xff84ffff
	51 pcie6 0xffffffff84ffff
	T
}

# dmr_our_units: print the units in pmon_uncore's tables, as input for `dmr_every`
dmr_our_units() {
	for t in "$PMON"/pkg*-uncore*; do
		[ -e "$t/device" ] && block='' || block=block
		sed "s/\$/ $block/" "$t/units"
	done | awk '$10 != "-" { print $8, $1, $3, $13 }' | sort -u
}

# every CPUS BLOCKS [UPPER] <UNITS: count on all PMUs at once, on each CPU of their
# cpumask; print wrong counts, and the number of all counts. A package has CPUS CPUs and
# BLOCKS blocks; hw adds 100000 to unit numbers in block 0, 200000 in block 1. UNITS has
# lines "PMU TYPE ID WHERE". WHERE is empty for a package's unit, "block" for a unit of the
# CPU's block, "other" if block 0's CPUs count a package's unit and other CPUs their block's.
# UPPER is a pattern of control bits above bit 31; /tmp/upper lists units with such bits.
dmr_every() {
	cat >/tmp/pmus
	hw truth reset
	# shellcheck disable=SC2046
	perf stat -x'|' -A -a $(cut -d' ' -f1 /tmp/pmus | sort -u |
		sed 's|.*|-e &/event=0x05,umask=0xcf/|') -- sleep 0.3 2>&1 |
		awk -F'|' '/^CPU/ { sub(/^CPU/, ""); sub(/\/.*/, "", $4)
			print $4, $1, $2 }' >/tmp/counts
	hw truth controls | sed -n \
		"s|^unit=\([^ ]*\) ctl=0x\(${3-}\)cf05 counted=\([0-9]*\) .*|\1 \3 \2|p" |
		sort >/tmp/controls
	awk 'NF == 3 { print $1 }' /tmp/controls >/tmp/upper
	cut -d' ' -f1,2 /tmp/controls >/tmp/truth
	awk -v cpus="$1" -v blocks="$2" '
		NR == FNR { type[$1] = $2; id[$1] = $3; where[$1] = $4; next }
		{
			b = int($2 % cpus * blocks / cpus)
			b = where[$1] == "" || where[$1] == "other" && !b ?
				0 : b + 1
			print int($2 / cpus) "/" type[$1] "/" \
				id[$1] + 100000 * b, $3
		}' /tmp/pmus /tmp/counts | sort >/tmp/counted
	diff /tmp/truth /tmp/counted | grep '^[-+][0-9]'
	wc -l </tmp/counted
}

# pairs [UPPER]: count a group of two events on every PMU, on CPU 0; print wrong counts, and
# the number of counts. UPPER is a pattern as in `dmr_every`.
dmr_pairs() {
	hw truth reset
	# shellcheck disable=SC2012,SC2046
	perf stat -x'|' -C 0 $(ls "$PMUS" | sed -n \
		's|^uncore_.*|-e {&/event=5,umask=0xcf/,&/event=6,umask=0xcf/}|p') \
		-- sleep 0.3 2>&1 | awk -F'|' '$1 ~ /^[0-9]+$/ { print $1 }' |
		sort >/tmp/counts
	hw truth controls | sed -n "s|.* ctl=0x${1-}cf0[56] counted=\([0-9]*\) .*|\1|p" |
		sort | diff - /tmp/counts | head -4
	wc -l </tmp/counts
}

# dmr_pmu_of NAME: print the PMU of the first unit with that name; the kernel's driver adds
# no number to a single unit
dmr_pmu_of() {
	[ -e "$PMUS/uncore_$1_0" ] && echo "uncore_$1_0" || echo "uncore_$1"
}

# dmr_terms NAME: print "TERM MASK ONES" of each format term: MASK has the term's bits in the
# control, ONES is the term's value with all bits set
dmr_terms() {
	grep -H . "$PMUS/$(dmr_pmu_of "$1")"/format/* | awk -F: '
		BEGIN {
			for (bit = 0; bit < 32; bit++)
				two[bit] = bit ? 2 * two[bit - 1] : 1
		}
		$2 == "config" {	# FILE:config:8-15,32-63
			sub(/.*\//, "", $1)
			high = low = ones_high = ones_low = count = 0
			ranges = split($3, range, ",")
			for (i = 1; i <= ranges; i++) {
				last = split(range[i], end, "-")
				for (bit = end[1] + 0; bit <= end[last] + 0; bit++) {
					if (bit < 32) low += two[bit]
					else high += two[bit - 32]
					if (count < 32) ones_low += two[count]
					else ones_high += two[count - 32]
					count++
				}
			}
			printf "%s %.0f %.0f %.0f %.0f\n", $1, high, low,
				ones_high, ones_low
		}' | while read -r term high low ones_high ones_low; do
			printf '%s %d 0x%x\n' "$term" $((high << 32 | low)) \
				$((ones_high << 32 | ones_low))
		done
}

# dmr_counted_under UNIT CONTROL <CONTROLS: print the unit's count under a control; CONTROLS
# is the output of `hw truth controls`
dmr_counted_under() {
	sed -n "s|^unit=$1 ctl=$2 counted=\([0-9]*\) .*|\1|p"
}

# dmr_each_term <TYPES: for each term of each type, open an event with all bits of the term set, or
# event=0xfe for the term "event"; TYPES has lines "NUMBER NAME ...". Print "NAME TERM CONTROL"
# of terms that do not reach the register; /tmp/terms lists all terms.
dmr_each_term() {
	while read -r type name _; do
		case $name in
		cbo | sbo | cpc) unit=0/$type/100000 ;;
		*) unit=0/$type/0 ;;
		esac
		pmu=$(dmr_pmu_of "$name")
		number=0
		dmr_terms "$name" >/tmp/of
		while read -r term value ones; do
			number=$((number + 1))
			select=event=0x1,$term=$ones ctl=$((value | 1))
			[ "$term" != event ] || select=event=0xfe ctl=0xfe
			printf '%d %s %s 0x%x %s %s\n' $number "$unit" \
				"$pmu/$select/" $((ctl)) "$name" "$term"
		done </tmp/of
	done >/tmp/terms
	cut -d' ' -f1 /tmp/terms | sort -nu >/tmp/rounds
	while read -r number; do
		grep "^$number " /tmp/terms >/tmp/round
		hw truth reset
		# shellcheck disable=SC2046
		perf stat -C 0 $(sed 's/^[^ ]* [^ ]* \([^ ]*\) .*/-e \1/' /tmp/round) \
			-- sleep 0.05 >/dev/null 2>&1 </dev/null || cat /tmp/round
		hw truth controls >/tmp/controls
		awk 'FILENAME == "/tmp/controls" { # unit=UNIT ctl=CONTROL counted=N ...
				if ($3 != "counted=0") counted[$1 " " $2] = 1
				next
			}
			!(("unit=" $2 " ctl=" $4) in counted) { print $5, $6, $4 }' \
			/tmp/controls /tmp/round
	done </tmp/rounds
}
