#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Bit 22 of perf's config is the enable bit of a control. PCM sets this bit for E5 and E7,
# and by en=1 in its event files for I/O stacks; the kernel's own driver masks it off. Our
# driver accepts and ignores bit 22 wherever no format term covers it. Any other bit
# without a term is refused.
# contract: refused
# kernels: 6.1 6.12 newest
# check: none
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

cat >"$TMP/common.sh" <<'S'
# covered PMU BIT: test whether a format term of config has the bit
covered() {
	cat "$PMUS/$1"/format/* | sed -n 's/^config://p' | tr ',' '\n' |
		awk -F- -v bit="$2" '{
			if (bit >= $1 && bit <= ($2 == "" ? $1 : $2)) found = 1
		} END { exit !found }'
}

# opened PMU CONFIG: open an event; print "yes", or the error
opened() {
	opened_cpu=$(cut -d, -f1 "$PMUS/$1/cpumask")
	printf 'open %s %s %s\nclose\n' "$1" "${opened_cpu%%-*}" "$2" |
		/root/hold | sed -n 's/^open [^ ]* [^ ]* //p' | grep . || echo yes
}

# kinds: print one PMU of each kind of box
kinds() {
	ls "$PMUS" | grep '^uncore_' | sed 's/_[0-9]*$//' | sort -u | while read -r kind; do
		if [ -e "$PMUS/$kind" ]; then echo "$kind"; else echo "${kind}_0"; fi
	done
}

# same UNIT PMU CONTROL CONFIG: check that CONFIG, with bit 22, counts exactly as CONTROL
same() {
	hw truth reset
	printf '%s\n' "open $2 0 $4" '! sleep 0.1' disable 'read end' close |
		/root/hold >/tmp/held
	is "$(sed -n 's/^end [^ ]* [^ ]* //p' /tmp/held)" \
		"$(uncore_controls_of "$1" "$3" | grep . || echo 'that control')" \
		"$2 $4 counts exactly, as control 0x$3"
}

enable_bit() {
	for pmu in $(kinds); do
		[ -e "$PMUS/$pmu/cpumask" ] || continue
		case $pmu in
		*free_running*) config=0x10ff ;;
		*) config=0x1 ;;
		esac
		if covered "$pmu" 22; then
			note "$pmu: a format term covers it"
			continue
		fi
		is "$(opened "$pmu" $config)" yes "$pmu: $config opens without bit 22"
		is "$(opened "$pmu" $(printf 0x%x $((config | 1 << 22))))" yes \
			"$pmu: an event with bit 22 opens"
		for bit in 16 20 23; do
			covered "$pmu" $bit ||
				is "$(opened "$pmu" $(printf 0x%x $((config | 1 << bit))))" \
					EINVAL "$pmu: bit $bit is refused"
		done
	done
}
S

each_vm --as 'E5 v2' --machine ivt-2s --drivers none --program hold <<-'S'
	modprobe pmon_r2pcie r2pcie=Y qpi=Y
	enable_bit
	is "$(opened uncore_qpi_0 0x400000)" yes 'event 0 with bit 22 opens'
	# pmon_r2pcie itself sets the bit in each control.
	same 0/12289/0 uncore_qpi_0 400014 0x400014
	same 0/12288/0 uncore_r2pcie 400001 0x400001
	S
for m in spr-2s gnr-2s; do
	each_vm --as "$m" --machine $m --program hold <<-'S'
	enable_bit
	hw global all =0
	same 0/1/0 uncore_iio_0 70010000483 0x70010400483
	same 0/0/0 uncore_cha_0 cf05 0x40cf05
	same 0/6/0 uncore_imc_0 cf05 0x40cf05
	S
done
finish
