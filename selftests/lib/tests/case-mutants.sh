# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# selftests/lint/mutants/run over a tree with one function that its test holds and one
# that it does not.

tree=$tmp/mutants
mkdir -p "$tree/selftests/lib/build" "$tree/drivers/core/tests"
mkdir "$tree/selftests/lint"
cp -r "$root/selftests/lint/mutants" "$tree/selftests/lint/"
git init -q "$tree"
cat >"$tree/selftests/lib/build/kunit-host" <<'EOS'
#!/bin/sh
cd drivers/core/tests && gcc -MMD -MF "$PWD/pure.d" -o "$PWD/tests" "$PWD/pure.c" &&
	echo "$PWD/tests"
EOS
chmod +x "$tree/selftests/lib/build/kunit-host"
printf 'pure.d\ntests\n' >"$tree/drivers/core/tests/.gitignore"
cat >"$tree/drivers/core/held.c" <<'EOS'
static int held(int a)
{
	/* if (a > 2) return -EIO; */
	if (a > 3)
		printf("a = 1;\n");
	pr_warn(a < 0);
	return a > 3;
}
EOS
cat >"$tree/drivers/core/loose.c" <<'EOS'
static void loose(int a)
{
	guard(mutex)(&a);
	a |=
		1;
	mutex_lock(&a);
	mutex_unlock(&a);
}
EOS
cat >"$tree/drivers/core/tests/pure.c" <<'EOS'
#include <stdio.h>
#define pr_warn(what)
#define guard(type) (void)
#define mutex_lock(lock)
#define mutex_unlock(lock)
#include "../held.c"
int main(int n, char **v) { return !held(n + 3) || held(n + 2); }
EOS

# mutants ARGUMENT...: its output and status
mutants() {
	OPENPMON_CACHE=$tmp/mutants.cache "$tree/selftests/lint/mutants/run" core --seed 1 \
		"$@" 2>&1
	echo "status $?"
}

is "$(mutants --list --file held | sort | uniq -c | sed 's/^ *//')" \
'1 drivers/core/held.c:4: > is >=
1 drivers/core/held.c:4: a condition always holds
1 drivers/core/held.c:4: a condition is turned round
1 drivers/core/held.c:4: a condition never holds
1 drivers/core/held.c:4: a number is one more
1 drivers/core/held.c:5: a statement is dropped
1 drivers/core/held.c:7: > is >=
1 drivers/core/held.c:7: a number is one more
1 status 0' 'mutants: those of a function, none of comments and logs'
said=$(mutants --count 20)
is "$(grep -c '^ok .*held.c:7: .*: killed by kunit core$' <<<"$said")" 2 \
	'mutants: what the test holds'
like "$(grep -A4 '^not ok .*held.c:4: > is >=: survived$' <<<"$said" | tr '\n' '|')" \
	'#   -.if \(a > 3\).#   \+.if \(a >= 3\)' 'mutants: what it does not'
is "$(tail -n 2 <<<"$said")" $'2 passed, 6 failed\nstatus 1' 'mutants: the last line'
is "$(mutants --file loose)" $'no mutants there but with --guests\nstatus 1' \
	'mutants: not what user space does not compile'
sed -i '/held.c/s/$/\n#include "..\/loose.c"/' "$tree/drivers/core/tests/pure.c"
is "$(mutants --list --file loose | sort)" \
'drivers/core/loose.c:3: a lock is not taken
drivers/core/loose.c:4: a statement is dropped
drivers/core/loose.c:5: a number is one more
drivers/core/loose.c:6: a lock is not taken
drivers/core/loose.c:7: a lock is kept
status 0' 'mutants: locks, and a statement of two lines'
