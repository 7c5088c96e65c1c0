# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2016,SC2001
# selftests/lint/run: a check that cannot look has failed.

tree=$tmp/lint
mkdir -p "$tree"/selftests/{lint,lib/build,cases} "$tree"/{drivers,tools} \
	"$tree/linux/scripts/coccinelle"
cp "$root/selftests/lint/run" "$tree/selftests/lint/"
cp "$root/selftests/lib/build/lib.sh" "$tree/selftests/lib/build/"
printf '#!/bin/sh\n# SPDX-License-Identifier: GPL-2.0-only\necho %s/linux\n' "$tree" >"$tree/selftests/lib/build/source"
chmod +x "$tree/selftests/lib/build/source"
for name in drivers/a.c tools/b.c; do
	echo '// SPDX-License-Identifier: GPL-2.0-only' >"$tree/$name"
done
printf '#!/bin/sh\n# SPDX-License-Identifier: GPL-2.0-only\ntrue\n' \
	>"$tree/selftests/cases/c.sh"
git -C "$tree" init -q
git -C "$tree" add .

# bin_without NAME TOOL...: a PATH that has all but these
bin_without() {
	local bin=$tmp/$1 tool

	shift
	mkdir "$bin"
	ln -s /usr/bin/* "$bin/" 2>/dev/null
	for tool; do
		rm -f "$bin/$tool"
	done
	echo "$bin"
}

# lint_says STATUS REGEX NAME PATH CHECK...
lint_says() {
	local want=$1 regex=$2 name=$3 path=$4 status=0 said

	shift 4
	said=$(OPENPMON_CACHE=$tree/.cache PATH=$path \
		"$tree/selftests/lint/run" "$@" 2>&1) || status=$?
	is "$status" "$want" "lint: $name" || note "$said"
	like "$said" "$regex" "lint: $name: says so"
}

lint_says 0 '^ok 1 - spdx' 'a tree where all is well' "$PATH" spdx size
lint_says 1 'shellcheck is not installed' 'no shellcheck' \
	"$(bin_without bin1 shellcheck)" shell
lint_says 1 'spatch is not installed' 'no spatch' \
	"$(bin_without bin2 spatch)" coccinelle
lint_says 1 'sparse is not installed' 'no sparse' \
	"$(bin_without bin3 sparse)" sparse
lint_says 1 'sparc64-linux-gnu-gcc is not installed' 'no compiler for sparc64' \
	"$(bin_without bin5 sparc64-linux-gnu-gcc)" portable
lint_says 1 'git is not installed' 'no git' \
	"$(bin_without bin4 git)" spdx
lint_says 1 'did not run: status 127' 'a check that there is not' \
	"$PATH" nonsense
lint_says 1 'there is no .*checkpatch.pl' 'no checkpatch' \
	"$PATH" checkpatch

# Which kernel it is, is nobody's question.
mkdir -p "$tree/include/compat"
lint_says 0 '^ok 1 - versions' 'no test of a version' "$PATH" versions
echo '#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)' >"$tree/include/compat/a.h"
lint_says 1 'include/compat/a.h:1:' 'a version in a header' "$PATH" versions
rm "$tree/include/compat/a.h"
echo 'obj-m += $(if $(filter 6,$(VERSION)),a.o)' >"$tree/drivers/Kbuild"
lint_says 1 'drivers/Kbuild:1:' 'a version in a Kbuild' "$PATH" versions
rm -r "$tree/drivers/Kbuild" "$tree/include"

# What lies where: upper.c uses lower.c, and the table says so.
layers=$tree/selftests/lint/layers
mkdir -p "$layers" "$tree/drivers/house"
cp "$root/selftests/lint"/{layers,c_text}.py "$tree/selftests/lint/"
printf 'drivers/house\nupper\nmiddle beside\nlower\n' >"$layers/drivers-house"
house=$tree/drivers/house
echo 'int lower(int n) { return n; }' >"$house/lower.c"
echo 'int middle(int n) { return lower(n); }' >"$house/middle.c"
echo 'int beside(int n) { int middle = lower(n); return middle; }' >"$house/beside.c"
printf '#include "lower.h"\nint upper(int n) { return middle(n); }\n' >"$house/upper.c"
echo 'int lower(int n);' >"$house/lower.h"
lint_says 0 '^ok 1 - layers' 'no file uses what lies above' "$PATH" layers
echo 'int lower(int n) { return n ? 0 : upper(n); }' >"$house/lower.c"
lint_says 1 'house/lower uses upper, which is not below it: upper' \
	'a call upwards' "$PATH" layers
printf '#include "upper.h"\nint lower(int n) { return n; }\n' >"$house/lower.c"
touch "$house/upper.h"
lint_says 1 'house/lower uses upper, which is not below it: upper.h' \
	'a header from above' "$PATH" layers
printf 'static inline int low(void)\n{\n\treturn upper(1);\n}\n' >"$house/lower.h"
echo 'int lower(int n) { return n; }' >"$house/lower.c"
lint_says 1 'house/lower uses upper, which is not below it: upper' \
	'a call upwards in a header' "$PATH" layers
echo 'int lower(int n);' >"$house/lower.h"
echo 'const struct ops table = { .fn = upper };' >>"$house/lower.c"
lint_says 1 'house/lower uses upper, which is not below it: upper' \
	'an address from above' "$PATH" layers
echo 'int lower(int n) { return n; }' >"$house/lower.c"
echo 'int beside(int n) { return middle(n); }' >"$house/beside.c"
lint_says 1 'house/beside uses middle, which is not below it: middle' \
	'a neighbour' "$PATH" layers
echo 'int middle(int n) { return beside(n); }' >"$house/middle.c"
lint_says 1 'house/middle uses beside, which is not below it: beside' \
	'a circle' "$PATH" layers
printf 'DECLARE(a, b)\nstruct a {\n};\nint beside(int n) { return lower(n); }\n' \
	>"$house/beside.c"
printf 'DECLARE(c, d)\nint middle(int n) { return lower(n); }\n' >"$house/middle.c"
lint_says 0 '^ok 1 - layers' 'a macro is no function of a file' "$PATH" layers
touch "$house/more.c"
lint_says 1 'house/more: is in no layer' 'a file of no layer' "$PATH" layers
rm "$house"/{more,lower}.[ch] 2>/dev/null
lint_says 1 'there is no drivers/house/lower' 'a layer without its file' \
	"$PATH" layers
rm -r "$house" "$layers"

# What begins how, and what is not said.
names=$tree/selftests/lint/names
mkdir -p "$house/tests"
cp "$root/selftests/lint/names.py" "$tree/selftests/lint/"
cat >"$names" <<-'END'
	drivers/house: house_	# so begins all of it
	not drivers/house book ledger: it is a log
END
cat >"$house/a.c" <<-'END'
	/* a ledger in words, and of() in words */
	static const char text[] = "ledger";
	struct own { int n; };
	static int
	house_wrapped(int n)
	{
		return n;
	}
	static ssize_t size_show(struct kobject *kobj) { return of(1); }
END
echo 'int ledger(void) { return 0; }' >"$house/tests/a_test.c"
lint_says 0 '^ok 1 - names' 'names as they are to be' "$PATH" names
echo 'static inline int of(int n) { return n; }' >>"$house/a.c"
lint_says 1 'house/a.c:10: of does not begin with house_' \
	'a static function without the prefix' "$PATH" names
sed -i '$d' "$house/a.c"
echo 'struct other_box { int n; };' >"$house/a.h"
lint_says 1 'house/a.h:1: other_box does not begin with house_' \
	'a type that others see without the prefix' "$PATH" names
echo 'extern int house_ledger_size;' >"$house/a.h"
lint_says 1 'house/a.h:1: ledger: it is a log' 'a word that is not said' \
	"$PATH" names
rm "$house/a.h"
# house_says CODE WHAT NAME: a function more
house_says() {
	echo "$1" >>"$house/a.c"
	lint_says 1 "$2" "$3" "$PATH" names
	sed -i '$d' "$house/a.c"
}
house_says 'static int house_is_open(void) { return 1; }' \
	'house/a.c:10: house_is_open does not return bool' 'is, has and was say yes or no'
house_says 'void house_wrap(void) { }' \
	'house/a.c:.*: house_wrap and house_wrapped differ by a tense only' 'two names, one verb'
house_says 'EXPORT_SYMBOL_GPL(house_wrapped);' \
	'house/a.c:10: house_wrapped is exported without kernel-doc' 'an export without words'
echo 'not drivers/hut ledger: it is a log' >>"$names"
lint_says 1 'names:3: there is no such directory' 'a list of nothing' \
	"$PATH" names
sed -i '$d' "$names"
echo 'drivers/house' >>"$names"
lint_says 1 'names:3: not understood' 'a line without a meaning' "$PATH" names
rm -r "$house" "$names"

# Sentences: comments, messages and documents. Each fault is in one line.
mkdir -p "$house/tests" "$tree/guide"
sed '/^HELD = \[$/,/^]/c HELD = ["drivers/house", "guide"]' \
	"$root/selftests/lint/words.py" >"$tree/selftests/lint/words.py"
chmod +x "$tree/selftests/lint/words.py"
many=$(printf '%0.sA box counts events of each unit on the die. ' {1..40})
printf '/* %s */\n' "$many" >"$house/a.c"
printf 'What is this for\n================\n\n%s\n\nWhat counts? Boxes do::\n\n\tWhat is it\n\n' \
	"$many" >"$tree/guide/a.rst"
lint_says 0 '^ok 1 - words' 'sentences as they are to be; headings, questions, examples' \
	"$PATH" words
# words_say FILE LINE WHAT NAME: a line more
words_say() {
	printf '%s\n' "$2" >>"$tree/$1"
	lint_says 1 "$3" "$4" "$PATH" words
	sed -i '$d' "$tree/$1"
}
words_say drivers/house/a.c '/* Stops boxes. What counts ends. */' \
	'house/a.c:2: no noun at its beginning: What counts' 'a sentence without a noun'
words_say drivers/house/a.c 'int n; /* those of a box */' \
	'house/a.c:2: no noun at its beginning: those' 'a remark without a noun'
words_say drivers/house/a.c 'f("What has happened to the box");' \
	'house/a.c:2: no noun at its beginning: What has' 'a message without a noun'
words_say drivers/house/a.c '// The box asks and knows.' \
	'house/a.c:2: asks, knows: The box' 'hardware that knows'
words_say drivers/house/a.c "/* $(printf 'it is that; %.0s' {1..15}) */" \
	'drivers/house: .*more than 5 pronouns' 'pronouns in a folder'
words_say guide/a.rst 'Those count.' \
	'guide/a.rst:10: no noun at its beginning: Those' 'a document without a noun'
mkdir "$tree/empty"
mv "$tree/guide/a.rst" "$tree/empty/"
lint_says 1 'guide: there is nothing to read' 'a folder of nothing' "$PATH" words
rm -r "$house" "$tree/empty" "$tree/guide" "$tree/selftests/lint/words.py"

rm -r "$tree/linux/scripts/coccinelle"
lint_says 1 'there is no .*coccinelle' 'no semantic patches' \
	"$PATH" coccinelle
rm "$tree/drivers/a.c"
lint_says 1 'nothing to look at: kernel_c' 'no sources' "$PATH" spdx
echo '// SPDX-License-Identifier: GPL-2.0-only' >"$tree/drivers/a.c"
rm -rf "$tree/.git"
lint_says 1 'nothing to look at' 'no list of files' "$PATH" size
