# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Define functions for cases on the big-endian guest; source after tap.sh.

# on_sparc64 KERNEL TEST...: run tests of selftests/guest/sparc64/tests.c in a guest, in
# turn; renumber their TAP lines, each with the test's name before it
on_sparc64() {
	local kernel=$1 test='' line planned=0 had=0 ran=0 status=0

	shift
	"$ROOT/selftests/guest/sparc64/run" "$kernel" "$@" >"$TMP/out" 2>"$TMP/err" ||
		status=$?
	while IFS= read -r line; do
		case $line in
		'# test '*) test=${line#\# test } ;;
		'ok '*) ok "$kernel: $test: ${line#ok * - }"; had=$((had + 1)) ;;
		'not ok '*) not_ok "$kernel: $test: ${line#not ok * - }"
			had=$((had + 1)) ;;
		'1..'*) planned=$((planned + ${line#1..})) ran=$((ran + 1)) ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$TMP/out"
	[ "$status" != 0 ] || [ "$ran $planned" = "$# $had" ] ||
		status="$had results of $ran tests, planned: $planned of $#"
	is "$status" 0 "$kernel: $*: the guest ends without an error"
	[ "$status" = 0 ] || sed 's/^/# /' "$TMP/err"
}
