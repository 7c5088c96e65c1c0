# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2016,SC2001
# Tests of selftests/kunit/run and of in_vm: each KUnit case in the sources and each
# planned test must have a result.

tree=$tmp/kunit
mkdir -p "$tree"/selftests/{kunit,lib/build,vm,cases} "$tree"/drivers/{one,two}/tests
cp "$root/selftests/kunit/run" "$tree/selftests/kunit/"
cp "$root/selftests/lib/build/lib.sh" "$tree/selftests/lib/build/"
cp -r "$root/selftests/cases/lib" "$tree/selftests/cases/"
printf '\tKUNIT_CASE(a),\n\tKUNIT_CASE_PARAM(b, c),\n' \
	>"$tree/drivers/one/tests/one_test.c"
printf '\tKUNIT_CASE(d),\n' >"$tree/drivers/two/tests/two_test.c"

# suites DRIVER TEXT: make a test program that prints TEXT
suites() {
	printf '%s\n' "$2" >"$tree/$1.said"
	printf '#!/bin/sh\ncat %s/%s.said\n' "$tree" "$1" >"$tree/$1.program"
	chmod +x "$tree/$1.program"
}
printf '%s\n' '#!/bin/sh' "echo $tree/\$1.program" \
	>"$tree/selftests/lib/build/kunit-host"
chmod +x "$tree/selftests/lib/build/kunit-host"

# kunit_says STATUS LAST NAME: run the suites, and compare status and last line
kunit_says() {
	local status=0 said

	said=$(OPENPMON_CACHE=$tree/.cache "$tree/selftests/kunit/run" host \
		2>&1) || status=$?
	is "$status $(tail -n 1 <<<"$said")" "$1 $2" "kunit: $3" ||
		note "$said"
}

one='KTAP version 1
    KTAP version 1
    # Subtest: first
    1..2
    ok 1 a
        KTAP version 1
        # Subtest: b
        1..2
        ok 1 row
        ok 2 row
    ok 2 b
ok 1 first
1..1'
two='KTAP version 1
    KTAP version 1
    # Subtest: second
    ok 1 d
    1..1
ok 1 second
1..1'
suites one "$one"
suites two "$two"
kunit_says 0 'host: 4 passed, 0 failed' 'all is well'
suites two ''
kunit_says 1 'host: 3 passed, 1 failed' 'a leaf without results'
suites two "$two"
suites one "$(grep -v 'ok 1 a' <<<"$one")"
kunit_says 1 'host: 3 passed, 2 failed' 'a case without a result'
suites one "$(grep -v 'ok 2 row' <<<"$one")"
kunit_says 1 'host: 3 passed, 1 failed' 'a row without a result'
suites one "$(sed 's/ok 1 a/not ok 1 a/; s/^ok 1/not ok 1/' <<<"$one")"
kunit_says 1 'host: 3 passed, 1 failed' 'a case that fails'
suites one "$(sed 's/ok 1 a/ok 1 a # SKIP no way/' <<<"$one")"
kunit_says 0 'host: 3 passed, 0 failed, 1 skipped' 'a case that is skipped'
suites one "$one"
echo 'exit 3' >>"$tree/two.program"
kunit_says 1 'host: 4 passed, 1 failed' 'a program that fails'
echo >"$tree/drivers/two/tests/two_test.c"
kunit_says 1 'host: 4 passed, 2 failed' 'a leaf without cases'

# guest LINE...: make a guest that runs these lines
guest() {
	printf '%s\n' '#!/bin/sh' "$@" >"$tree/selftests/vm/run"
	chmod +x "$tree/selftests/vm/run"
}
cat >"$tree/selftests/cases/case.sh" <<'S'
#!/bin/bash
. "$(dirname "$0")/lib/tap.sh"
in_vm guest --machine x </dev/null
finish
S
chmod +x "$tree/selftests/cases/case.sh"

# case_says STATUS REGEX NAME: run the case, and check its status and output
case_says() {
	local status=0 said

	said=$("$tree/selftests/cases/case.sh" 2>&1) || status=$?
	is "$status" "$1" "in_vm: $3" || note "$said"
	like "$said" "$2" "in_vm: $3: says so"
}
guest 'echo "ok 1 - it"' 'echo 1..1'
case_says 0 '^ok 2 - guest: the guest script ends without an error' 'all is well'
guest 'echo "ok 1 - it"'
case_says 1 '1 results, planned: none' 'a guest without a plan'
guest 'echo "ok 1 - it"' 'echo 1..2'
case_says 1 '1 results, planned: 2' 'a plan that is not kept'
guest 'echo "ok 1 - it"' 'echo 1..1' 'exit 123'
case_says 1 'status 123' 'a status'
guest true
case_says 1 '0 results, planned: none' 'a guest that says nothing'
guest 'echo "ok 1 - it"' 'echo "/root/script.sh: 7: isnot: not found" >&2' 'echo 1..1'
case_says 1 'isnot: not found' 'a check that is no function'
guest 'echo "not ok 1 - it"' 'echo 1..1'
case_says 1 '^not ok 1 - guest: it' 'a failure with status 0'
