# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Functions for the cases of the patches in tools/upstream, to source behind tap.sh:
#   patched WHAT COUNT   run selftests/lib/build/patched; $PATCHED is the directory,
#                        tools/upstream has COUNT patches, $all of them apply
#   one_by_one KERNEL CHECK... -- [run options]
#                        check the driver without and with patches, all in one guest.
#                        $TMP/checks.sh has load N, unload, before, and for each
#                        CHECK, a patch's number, check_CHECK, which calls verdict
#                        GOT WANT with `name` set: wrong before that patch, right
#                        after it and after all, and right with pmon's driver, if
#                        $TMP/ours.sh has load and unload of that.

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
		>"$TMP/rows" 2>"$TMP/err" || not_ok 'the run' "$(tail -n 20 "$TMP/err")"
	for m in "${checks[@]}"; do
		note "${patches[m - 1]#"$ROOT"/tools/upstream/}"
		for n in $(printf '%s\n' 0 $((m - 1)) "$m" "$all" | sort -nu) ${ours-}; do
			name='' got=''
			IFS='|' read -r _ _ name got < <(grep "^$n|$m|" "$TMP/rows") || true
			if [ "$n" != ours ] && [ "$n" -lt "$m" ]; then
				like "${got:-no result}" ' instead of ' \
					"$n patches: $name: ${got-}"
			else
				is "${got:-no result}" right \
					"$n$([ "$n" = ours ] || echo ' patches'): $name"
			fi
		done
	done
}
