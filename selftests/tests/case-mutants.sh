# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# selftests/mutants/run: each bug still fits the code it is put into.

like "$("$root/selftests/mutants/run" --stale 2>&1)|$?" '^\|0$' \
	'mutants: all of them fit the code'

for n in 1 2 3; do
	"$root/selftests/mutants/run" --list --part $n/3
done | sort >"$tmp/mutants-parts"
"$root/selftests/mutants/run" --list | sort >"$tmp/mutants-all"
is "$(cmp "$tmp/mutants-parts" "$tmp/mutants-all" && wc -l <"$tmp/mutants-all" | grep -c '^[1-9]')" 1 \
	'mutants: the parts are the whole'

tree=$tmp/mutants
mkdir -p "$tree/selftests" "$tree/drivers"
cp -r "$root/selftests/mutants" "$tree/selftests/"
cp -r "$root/drivers/." "$tree/drivers/"
sed -i 's/pmon_bank_knows_nothing(bank)/pmon_bank_knows_little(bank)/' \
	"$tree/drivers/core/bank.c"
like "$("$tree/selftests/mutants/run" --stale after\ sleep 2>&1)|$?" \
	'^facts.mutants:[0-9]+: drivers/core/bank.c: .* after sleep .*\|1$' \
	'mutants: one of older code is said'
like "$("$tree/selftests/mutants/run" --stale 'a guard: != is ==' 2>&1)|$?" \
	'^\|0$' 'mutants: the others are not'
