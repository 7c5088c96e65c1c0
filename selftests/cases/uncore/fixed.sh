#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# event=0xff is a fixed counter, or with a unit mask from 0x10 on a free-running one. A
# box without such a counter refuses it, as the kernel's own driver does: no
# general-purpose counter counts it.
# contract: refused
# kernels: 6.1 6.12 newest
# check: none
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

cat >"$TMP/common.sh" <<'S'
# opens PMU EVENT: can it be opened?
opens() {
	if perf stat -x, -a -e "$1/$2/" -- true 2>&1 |
		grep -q '^[0-9][0-9]*,\|^<not counted>'; then
		echo yes
	else
		echo no
	fi
}

# answers: a line for each kind of box and event
answers() {
	for pmu in cha iio irp m2m upi pcu imc mdf iio_free_running imc_free_running; do
		name=uncore_${pmu}_0
		[ -e "$PMUS/$name" ] || name=uncore_$pmu
		[ -e "$PMUS/$name" ] || continue
		for event in event=0xff event=0xff,umask=0x01 event=0xff,umask=0x0f \
			event=0xff,umask=0x10 event=0xff,umask=0x20 event=0xff,umask=0xcf; do
			echo "$pmu $event $(opens "$name" $event)"
		done
	done
}
S

for k in $KERNELS; do
	for m in spr-2s gnr-2s; do
		in_vm "$k $m" --kernel "$k" --machine $m <<-'S'
		answers >/tmp/answers
		hw truth reset
		is "$(grep -E '^(cha|irp|m2m|upi|pcu|mdf) event=0xff yes' /tmp/answers)" '' \
			'no fixed counter: refused'
		is "$(grep -E '^iio event=0xff yes' /tmp/answers)" '' 'of I/O stacks, too'
		is "$(grep -E '^[a-z0-9]+ event=0xff,umask=0x(10|20|cf) yes' /tmp/answers)" '' \
			'boxes with controls have no counters that run by themselves'
		is "$(sed -n 's/^imc event=0xff //p' /tmp/answers)" yes \
			'a memory controller has a fixed counter'
		is "$(sed -n 's/^iio_free_running event=0xff,umask=0x[12]0 //p' /tmp/answers |
			tr '\n' ' ')" 'yes yes ' \
			'counters of I/O stacks that run by themselves'
		is "$(grep -E '^iio_free_running event=0xff(,umask=0x(01|0f|cf))? yes' /tmp/answers)" \
			'' 'others of them are none'
		is "$(sed -n 's/^cha event=0xff,umask=0x0[1f] //p' /tmp/answers | tr '\n' ' ')" \
			'yes yes ' 'smaller unit masks are of no such counter'
		sed 's/^/answer /' /tmp/answers
		S
		sed -n 's/^answer //p' "$TMP/out" | sort >"$TMP/ours"
		# It does not know Granite Rapids on 6.1.
		[ "$k $m" != '6.1 gnr-2s' ] || continue
		vm --kernel "$k" --machine $m --drivers upstream --copy "$TMP/common.sh" -- \
			'. /lib/test/guest.sh; . /lib/test/uncore.sh; . /root/common.sh; answers' \
			2>"$TMP/err" | sort >"$TMP/theirs"
		# What both serve.
		awk 'NR == FNR { theirs[$1 " " $2] = $3; next }
			$1 " " $2 in theirs && theirs[$1 " " $2] != $3' \
			"$TMP/theirs" "$TMP/ours" >"$TMP/differ"
		isnt "$(wc -l <"$TMP/theirs")" 0 "$k $m: the kernel's driver answers"
		is "$(cat "$TMP/differ")" '' "$k $m: as the kernel's driver"
	done
done
finish
