# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2016,SC2001
# Tests of selftests/check, over a tree of made-up tests.

# stub FILE [LINE...]: write the script FILE of the tree, with these lines
stub() {
	local file=$tree/$1

	shift
	mkdir -p "$(dirname "$file")"
	printf '%s\n' '#!/bin/sh' "$@" >"$file"
	chmod +x "$file"
}

# tree_of NAME: make a tree of sixteen jobs, each of one check that passes
tree_of() {
	local name

	tree=$tmp/$1
	mkdir -p "$tree/selftests/lib/build" "$tree/selftests/cases/slow"
	cp "$root/selftests/check" "$tree/selftests/"
	cp "$root/selftests/lib/build/lib.sh" "$tree/selftests/lib/build/"
	for name in source qemu perf initramfs kernel kver modules checked sparc64 host \
		debian13-root; do
		stub "selftests/lib/build/$name" true
	done
	stub tools/setup true
	for name in selftests/lint/run tools/metrics/report-test \
		tools/docs-check tools/packaging/install/test tools/packaging/boot/test \
		tools/packaging/dkms/hook-test selftests/kunit/fuzz/run \
		selftests/kunit/judge/run selftests/kunit/proofs/run \
		selftests/lib/tests/run selftests/lint/data/run selftests/lint/data/r2pcie \
		selftests/cases/its/fine.sh; do
		stub "$name" 'echo "ok 1 - it"' 'echo 1..1'
	done
	sed -i '1a# kernels: 6.12' "$tree/selftests/cases/its/fine.sh"
	stub selftests/kunit/run 'echo "$1: 1 passed, 0 failed"'
	printf '%s\n' 'print("ok 1 - it")' 'print("1..1")' >"$tree/pytest.py"
}

# checked STATUS LAST NAME [ARGUMENT...]: run `check` of the tree, and compare its status
# and last line
checked() {
	local want=$1 last=$2 name=$3 status=0

	shift 3
	OPENPMON_CACHE=$tree/.cache "$tree/selftests/check" "$@" \
		>"$tmp/output" 2>&1 || status=$?
	is "$status $(tail -n 1 "$tmp/output")" "$want $last" "$name" ||
		sed 's/^/# /' "$tmp/output"
}

# printed REGEX NAME: match the output of the last `checked` with REGEX
printed() {
	like "$(cat "$tmp/output")" "$1" "$2"
}

# bad NAME REGEX LAST [LINE...]: check that a case with these lines fails
bad() {
	local name=$1 regex=$2 last=$3

	shift 3
	tree_of "bad$tap_n"
	stub selftests/cases/its/bad.sh '# kernels: 6.12' "$@"
	checked 1 "$last" "check: $name" bad
	printed "$regex" "check: $name: says so"
}

tree_of fine
checked 0 '16 passed, 0 failed' 'check: a tree where all is well'

bad 'a failure' '^FAILED its-bad/6.12 ' '1 passed, 1 failed' \
	'echo "ok 1 - it"' 'echo "not ok 2 - that"' 'echo 1..2' 'exit 1'
bad 'a failure with status 0' '^FAILED its-bad/6.12 ' '0 passed, 1 failed' \
	'echo "not ok 1 - that"' 'echo 1..1'
bad 'a status' 'exit status 3' '1 passed, 1 failed' \
	'echo "ok 1 - it"' 'echo 1..1' 'exit 3'
bad 'no word' 'no results' '0 passed, 1 failed' true
bad 'a plan of nothing' 'no results' '0 passed, 1 failed' 'echo 1..0'
bad 'no plan' '1 results, planned: none' '1 passed, 1 failed' \
	'echo "ok 1 - it"'
bad 'fewer results than planned' '1 results, planned: 2' \
	'1 passed, 1 failed' 'echo "ok 1 - it"' 'echo 1..2'
bad 'more results than planned' '2 results, planned: 1' \
	'2 passed, 1 failed' 'echo "ok 1 - it"' 'echo 1..1' 'echo "ok 2 - it"'
bad 'one of two plans is not kept' '1 results, planned: 2' \
	'1 passed, 1 failed' 'echo 1..1' 'echo "ok 1 - it"' 'echo 1..1'
bad 'a job that is killed' 'exit status 1[0-9][0-9]' '1 passed, 1 failed' \
	'echo "ok 1 - it"' 'echo 1..1' 'kill -9 $$'
OPENPMON_JOB_SECONDS=1 bad 'a job that does not end' 'not over after 1 s' \
	'1 passed, 1 failed' 'echo "ok 1 - it"' 'echo 1..1' 'exec sleep 1000'
bad 'a sum with a status' 'exit status 1' '5 passed, 1 failed' \
	'echo "6.12: 5 passed, 0 failed"' 'exit 1'
bad 'two sums' 'several sums' '5 passed, 1 failed' \
	'echo "6.12: 5 passed, 0 failed"' 'echo "6.12: 6 passed, 0 failed"'

tree_of unrunnable
chmod -x "$tree/selftests/cases/its/fine.sh"
checked 1 '15 passed, 1 failed' 'check: a case that is not executable'
printed 'selftests/cases/its/fine.sh is not executable' 'check: it says which'

# A case that kills its runner leaves no result.
tree_of lost
stub selftests/cases/its/lost.sh '# kernels: 6.12' \
	'kill -9 "$(cut -d" " -f4 "/proc/$PPID/stat")"'
checked 1 '0 passed, 1 failed' 'check: a job that never ends' lost
printed 'FAILED its-lost/6.12 did not get to its end' 'check: it says which job'

# Results of an earlier run do not count. Here the second run ends before its first job,
# because the build of the emulator fails.
tree_of stale
checked 0 '16 passed, 0 failed' 'check: a run'
stub selftests/cases/its/fine.sh '# kernels: 6.12' 'echo "not ok 1 - it"' \
	'echo 1..1' 'exit 1'
stub selftests/lib/build/qemu "mkdir $tree/.cache/tried"
mkdir "$tree/.cache/tried"
checked 1 '0 passed, 1 failed' 'check: other sources, and no emulator'
is "$(find "$tree/.cache/check" -name '*.result' | wc -l)" 0 'check: without the results of before'
