# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Define functions for the cases of the patches in tools/upstream; source after tap.sh:
#   patched WHAT COUNT   build WHAT with its patches, and set $PATCHED to the directory;
#                        check that COUNT patches exist; set $all to how many of them apply
#   one_by_one KERNEL CHECK... -- [run options]
#                        check the driver without and with patches, all in one guest.
#                        CHECK is the number of a patch. $TMP/checks.sh defines `load N`,
#                        `unload`, `before`, and `check_CHECK`, which sets `name` and calls
#                        `verdict GOT EXPECTED`. The verdict must be wrong before the patch,
#                        and right after it, after all patches, and with pmon's driver,
#                        if $TMP/ours.sh defines `load` and `unload` for pmon's driver.

patched() {
	PATCHED=$("$ROOT/selftests/lib/build/patched" "$1") || {
		not_ok "$1 builds with its patches"
		finish
	}
	patches=("$ROOT/tools/upstream/$1"-*/[0-9]*[1-9]-*.patch)
	is "${#patches[@]}" "$2" "$1: each patch has a check"
	all=$(find "$PATCHED" -maxdepth 1 -name '[1-9]' | wc -l)
}

one_by_one() {
	local k=$1 n m name got ours checks=() copies=()

	shift
	while [ "$1" != -- ]; do
		checks+=("$1")
		shift
	done
	shift
	for n in "$PATCHED"/[0-9]* "$TMP"/{checks,ours}.sh; do
		[ ! -e "$n" ] || copies+=(--copy "$n")
	done
	[ ! -e "$TMP/ours.sh" ] || ours=ours
	vm --kernel "$k" --drivers none --timeout 600 --allow-warn --allow-illegal "$@" \
		"${copies[@]}" -- "all=$all checks='${checks[*]}'; . /lib/test/upstream.sh" \
		>"$TMP/rows" 2>"$TMP/err" || not_ok 'the guest script ends without an error' "$(tail -n 20 "$TMP/err")"
	for m in "${checks[@]}"; do
		note "${patches[m - 1]#"$ROOT"/tools/upstream/}"
		for n in $(printf '%s\n' 0 $((m - 1)) "$m" "$all" | sort -nu) ${ours-}; do
			name='' got=''
			IFS='|' read -r _ _ name got < <(grep "^$n|$m|" "$TMP/rows") || true
			if [ "$n" != ours ] && [ "$n" -lt "$m" ]; then
				like "${got:-no result}" ' instead of ' \
					"with $n patches the driver still fails: $name: ${got-}"
			else
				is "${got:-no result}" right \
					"with $n$([ "$n" = ours ] && echo ' (pmon)' || echo ' patches') the driver is right: $name"
			fi
		done
	done
}
