# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For cases on the big-endian guest, beside tap.sh.

# on_sparc64 KERNEL TEST...: runs tests of selftests/sparc64/tests.c, each in a
# guest of its own, and counts their TAP lines on; the name of each stands before
on_sparc64() {
	local kernel=$1 test line planned had status

	shift
	for test; do
		status=0 planned=none had=0
		"$ROOT/selftests/sparc64/run" "$kernel" "$test" \
			>"$TMP/out" 2>"$TMP/err" || status=$?
		while IFS= read -r line; do
			case $line in
			'ok '*) ok "$kernel: $test: ${line#ok * - }"; had=$((had + 1)) ;;
			'not ok '*) not_ok "$kernel: $test: ${line#not ok * - }"
				had=$((had + 1)) ;;
			'1..'*) planned=${line#1..} ;;
			*) printf '%s\n' "$line" ;;
			esac
		done <"$TMP/out"
		[ "$status" != 0 ] || [ "$planned" = "$had" ] ||
			status="$had results, planned: $planned"
		is "$status" 0 "$kernel: $test: the run"
		[ "$status" = 0 ] || sed 's/^/# /' "$TMP/err"
	done
}
