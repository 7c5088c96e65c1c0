#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Compare register accesses, calls on other CPUs and system calls in each operation of
# our drivers and of the kernel's own on the same machines. Our drivers never make more,
# and make the minimum of accesses where it is known. `make bench` prints these numbers,
# with instructions.
# contract: setup
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	"$ROOT/selftests/cases/bench/run" --raw "$k" >"$TMP/rows" 2>"$TMP/err" ||
		not_ok "$k: the benchmark succeeds" "$(tail -n 20 "$TMP/err")"
	while IFS='|' read -r _ part operation least ours theirs more; do
		name="$k: $part: $operation: ours $ours, the kernel's $theirs"
		# The benchmark itself compares instructions and calls.
		like "$more" '^-\|-(\|[0-9-]+){4}$' "$name, instructions and calls are not higher"
		# A poll may check the mailbox once more, so these rows have no fixed minimum.
		case $operation in 'a turn'* | 'all modules'*) least=- ;; esac
		if [ "$least" != - ]; then
			is "$ours" "$least" "$name, accesses are the least possible"
		elif [ "$operation" = 'bytes per read' ]; then
			is "$ours" 4 "$name"
		elif [ "$theirs" != - ]; then
			is "$((ours <= theirs))" 1 "$name"
		fi
	done <"$TMP/rows"
	like "$(cut -d'|' -f2 "$TMP/rows" | sort -u | wc -l)" '^6$' \
		"$k: the benchmark has rows of six parts"
	[ "$k" != 6.12 ] ||
		runs "README's table of costs has the benchmark's figures" "$ROOT/tools/readme" \
			check-costs "$TMP/rows"
done
finish
