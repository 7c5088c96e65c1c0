#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tables damaged at random, two dozen at a time: they load without a warning,
# units that break a rule of the format are rejected, the well-formed ones are
# listed and count exactly. SEEDS says which machines, one by default;
# selftests/cases/slow has more.
# contract: addresses
# all kernels: 6.12
# check: none
. "$(dirname "${BASH_SOURCE[0]}")/../lib/tap.sh"

tables=13

for seed in ${SEEDS:-1}; do
	m=$TMP/tables-$seed
	/usr/bin/python3 "$CASES/lib/tables.py" "$seed" $tables "$m"
	for k in $KERNELS; do
		in_vm "$k seed $seed" --kernel "$k" --machine "$m.json" \
			--drivers ours --copy "$m.expect" <<-'S'
		# missing A B: lines of A that are not in B
		missing() {
			grep -vxFf "$2" "$1"
		}
		expect=$(echo /root/tables-*.expect)
		for p in 0 1; do
			# the tables' own packages stand in the paths
			cat $PMON/pkg$p-uncore*/units | awk -v p=$p '{ print p, $1, $3 }'
		done | sort >/tmp/listed
		for p in 0 1; do
			cat $PMON/pkg$p-uncore*/rejected |
				awk -v p=$p '$1 != "-" { print p, $1, $2 }'
		done | sort >/tmp/rejected
		sed -n 's/^good //p' "$expect" | sort >/tmp/good
		sed -n 's/^bad //p' "$expect" | sort >/tmp/bad
		note "$(wc -l </tmp/good) good, $(wc -l </tmp/bad) bad," \
			"$(wc -l </tmp/listed) listed, $(wc -l </tmp/rejected) rejected"
		is "$(missing /tmp/good /tmp/listed)" '' \
			'well-formed units are listed'
		is "$(missing /tmp/bad /tmp/rejected)" '' \
			'those that break a rule are rejected'

		# all that are well-formed at once; each name in both packages
		awk '{ print ($2 == 6 ? "uncore_imc_" : "uncore_type_" $2 "_") $3 }' \
			/tmp/good | sort -u >/tmp/pmus
		events=$(sed 's/.*/&\/event=0x05,umask=0xcf\//' /tmp/pmus)
		hw truth reset
		counts 0.1 $events | sed -n \
			's|^\([0-9]*\) \([0-9]*\) uncore_imc_\([0-9]*\)/.*|\1 6 \3 \2|p
			 s|^\([0-9]*\) \([0-9]*\) uncore_type_\([0-9]*\)_\([0-9]*\)/.*|\1 \3 \4 \2|p' |
			sort >/tmp/counted
		# Of types that nobody knows only the lower half is used.
		hw truth | sed -n 's|^unit=\([0-9]*\)/\([0-9]*\)/\([0-9]*\) .* ctl=0x[0-9a-f]*0000cf05 .*counted=\([0-9]*\).*|\1 \2 \3 \4|p' |
			sort >/tmp/truth
		isnt "$(wc -l </tmp/counted)" 0 'they count'
		is "$(missing /tmp/counted /tmp/truth)" '' 'exactly'
		is "$(cut -d' ' -f1-3 /tmp/counted)" "$(cat /tmp/good)" 'all of them'
		runs 'unloading' rmmod pmon_uncore
		S
	done
done
finish
