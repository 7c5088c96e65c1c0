# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2016,SC2001
# selftests/check, over a tree in which every test is made up.

# stub FILE [LINE...]: a script of the tree with these lines
stub() {
	local file=$tree/$1

	shift
	mkdir -p "$(dirname "$file")"
	printf '%s\n' '#!/bin/sh' "$@" >"$file"
	chmod +x "$file"
}

# tree_of NAME: a tree where all is well: thirteen jobs, each of which passes once
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
	for name in selftests/lint/run tools/pmonctl/tests/run tools/metrics/report-test \
		tools/docs-check tools/packaging/install/test tools/packaging/boot/test \
		tools/packaging/dkms/hook-test selftests/kunit/fuzz/run \
		selftests/lib/tests/run selftests/lint/data/run selftests/lint/data/r2pcie \
		selftests/cases/its/fine.sh; do
		stub "$name" 'echo "ok 1 - it"' 'echo 1..1'
	done
	sed -i '1a# kernels: 6.12' "$tree/selftests/cases/its/fine.sh"
	stub selftests/kunit/run 'echo "$1: 1 passed, 0 failed"'
}

# checked STATUS LAST NAME [ARGUMENT...]: how check ends, and its last line
checked() {
	local want=$1 last=$2 name=$3 status=0

	shift 3
	OPENPMON_CACHE=$tree/.cache "$tree/selftests/check" "$@" \
		>"$tmp/said" 2>&1 || status=$?
	is "$status $(tail -n 1 "$tmp/said")" "$want $last" "$name" ||
		sed 's/^/# /' "$tmp/said"
}

# says REGEX NAME: check did, too
says() {
	like "$(cat "$tmp/said")" "$1" "$2"
}

# bad NAME REGEX LAST [LINE...]: a case that has these lines makes a check fail
bad() {
	local name=$1 regex=$2 last=$3

	shift 3
	tree_of "bad$tap_n"
	stub selftests/cases/its/bad.sh '# kernels: 6.12' "$@"
	checked 1 "$last" "check: $name" bad
	says "$regex" "check: $name: says so"
}

tree_of fine
checked 0 '14 passed, 0 failed' 'check: a tree where all is well'
checked 0 '1 passed, 0 failed' 'check: one of its jobs' fine
checked 64 '  pmonctl report tests' 'check: a pattern that is no job' fine nothing
says 'no job has in its name: nothing; there are:' 'check: it says which'
checked 64 'usage: check [--all] [--list] [PATTERN...]' 'check: an option' --al
checked 0 data-r2pcie 'check: a list of jobs' --list data
for name in kernel modules qemu; do stub "selftests/lib/build/$name" 'exit 1'; done
checked 0 '1 passed, 0 failed' 'check: what a job does not need is not built' boot
stub selftests/lib/build/qemu true
stub selftests/lib/build/kernel '[ "$1" = 6.12 ]'
stub selftests/lib/build/modules '[ "$1" = 6.12 ]'
checked 0 '1 passed, 0 failed' 'check: nor a kernel that it does not run on' fine

tree_of old
stub selftests/cases/its/new.sh '# kernels: newest' 'echo "ok 1 - it"' 'echo 1..1'
stub selftests/lib/build/kver '[ "$1" != newest ] || { echo "no package 7" >&2; exit 1; }'
checked 1 '14 passed, 1 failed' 'check: no headers of the newest kernel'
says '^FAILED 1 jobs on the newest kernel did not run: no package 7$' 'check: it says why'
is "$(tail -n 2 "$tmp/said" | head -n 1 | cut -c1-6)" FAILED 'check: in its last lines'
checked 0 '1 passed, 0 failed' 'check: of which nothing was asked for' fine

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

tree_of skipped
stub selftests/cases/its/one.sh '# kernels: 6.12' 'echo "ok 1 - it"' \
	'echo "ok 2 - that # SKIP no tool"' 'echo 1..2'
stub selftests/cases/its/whole.sh '# kernels: 6.12' 'echo "1..0 # SKIP no dkms"'
stub selftests/kunit/run 'echo "$1: 1 passed, 0 failed, 2 skipped"'
checked 0 '6 skipped, 15 passed, 0 failed' 'check: what is skipped is said'

tree_of unrunnable
chmod -x "$tree/selftests/cases/its/fine.sh"
checked 1 '13 passed, 1 failed' 'check: a case that is not executable'
says 'selftests/cases/its/fine.sh is not executable' 'check: it says which'
checked 0 '1 passed, 0 failed' 'check: of what else was asked for' lint
mv "$tree/selftests/cases/its/fine.sh" "$tree/selftests/cases/its/fine"
checked 1 '13 passed, 1 failed' 'check: a case by another name'
says 'selftests/cases/its/fine is no case' 'check: it says which one'

tree_of elsewhere
sed -i 's/^# kernels: .*/# kernels: 6.1 6.12\n# check: 6.12 sanitizer/' \
	"$tree/selftests/cases/its/fine.sh"
checked 1 '14 passed, 1 failed' 'check: a kernel where a case does not run'
says 'asks for a kernel that it does not run on' 'check: it says that'
rm "$tree/tools/docs-check"
chmod -x "$tree/selftests/kunit/fuzz/run"
checked 1 '12 passed, 3 failed' 'check: programs that are not there'
says 'tools/docs-check is not there' 'check: it says which ones'

tree_of share
stub selftests/cases/its/fine.sh '# kernels: 6.1 6.12' '# check: 6.1' \
	'echo "ok 1 - $KERNELS"' 'echo 1..1'
stub selftests/cases/its/young.sh 'echo "ok 1 - $KERNELS"' 'echo 1..1'
checked 0 '15 passed, 0 failed' 'check: a case has its share of kernels'
says '^ok +its-fine/6\.1 ' 'check: the one that it names'
says '^ok +its-young/6\.12 ' 'check: else 6.12'
says 'left to make check-all: 9 jobs on one' 'check: the rest is said'
checked 0 '3 passed, 0 failed' 'check: asked for by name, on all Debian has' young
checked 0 '1 passed, 0 failed' 'check: on the one that was asked for' fine/6.12
checked 0 '1 passed, 0 failed' 'check: with sanitizers' young/sanitizer
stub selftests/lib/build/checked '[ "$1" != --is-built ]'
stub selftests/cases/its/safe.sh '# check: 6.12 sanitizer' 'echo "ok 1 - $KERNELS"' \
	'echo 1..1'
checked 0 '16 passed, 0 failed' 'check: a case has a share of the sanitizers'
says 'left to make check-all: 12 jobs on one' 'check: where their kernel is not built'
stub selftests/lib/build/checked true
checked 0 '17 passed, 0 failed' 'check: where it is built'
says '^ok +its-safe/sanitizer ' 'check: there'

tree_of all
for name in tools/packaging/dkms/test tools/packaging/debian/{test,host-test} selftests/hosts/run \
	selftests/kunit/fuzz/long selftests/lint/data/dmr selftests/lint/data/client \
	selftests/lint/upstream/run selftests/hosts/debian13/run \
	selftests/cases/slow/long.sh; do
	stub "$name" 'echo "ok 1 - it"' 'echo 1..1'
done
checked 0 '39 passed, 0 failed' 'check --all: a tree where all is well' --all
chmod -x "$tree/selftests/cases/slow/long.sh" "$tree/selftests/lint/upstream/run"
checked 1 '32 passed, 2 failed' 'check --all: what is not executable' --all

tree_of unbuilt
stub selftests/lib/build/qemu 'exit 1'
checked 1 '0 passed, 1 failed' 'check: what tests need is not built'
says 'FAILED to build emulator' 'check: it says what'

# One that takes its runner with it leaves no result.
tree_of lost
stub selftests/cases/its/lost.sh '# kernels: 6.12' \
	'kill -9 "$(cut -d" " -f4 "/proc/$PPID/stat")"'
checked 1 '0 passed, 1 failed' 'check: a job that never ends' lost
says 'FAILED its-lost/6.12 did not get to its end' 'check: it says which job'

# A terminal's interrupt reaches the group of check, not those of its jobs.
tree_of interrupt
stub selftests/cases/its/long.sh '# kernels: 6.12' "echo \$\$ >$tree/.cache/pid" \
	'exec sleep 1000'
OPENPMON_CACHE=$tree/.cache setsid "$tree/selftests/check" long >"$tmp/said" 2>&1 &
check=$!
for ((look = 0; look < 100; look++)); do
	[ ! -s "$tree/.cache/pid" ] || break
	sleep 0.1
done
kill -TERM -- "-$check"
wait "$check" || true
for ((look = 0; look < 100; look++)); do
	kill -0 "$(cat "$tree/.cache/pid")" 2>/dev/null || break
	sleep 0.1
done
is "$(kill -0 "$(cat "$tree/.cache/pid")" 2>/dev/null && echo runs || echo over)" \
	over 'check: what ends it ends its jobs'

# A run has no results until a job of its own has one: here it ends before, because
# the emulator is not built the first time.
tree_of stale
checked 0 '14 passed, 0 failed' 'check: a run'
stub selftests/cases/its/fine.sh '# kernels: 6.12' 'echo "not ok 1 - it"' \
	'echo 1..1' 'exit 1'
stub selftests/lib/build/qemu "mkdir $tree/.cache/tried"
mkdir "$tree/.cache/tried"
checked 1 '0 passed, 1 failed' 'check: other sources, and no emulator'
is "$(find "$tree/.cache/check" -name '*.result' | wc -l)" 0 'check: without the results of before'
