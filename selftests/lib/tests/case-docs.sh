# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2016
# tools/docs-check: it sees a line that is too long, and none that must be.

tree=$tmp/docs
mkdir -p "$tree"/tools/{pmonctl,packaging/boot} "$tree"/selftests/{emulator,lint}
cp -r "$root/Documentation" "$root/drivers" "$root"/{README,CONTRIBUTING}.md "$tree/"
cp "$root/tools/docs-check" "$tree/tools/"
cp "$root"/selftests/lint/{c_text.py,contracts.py,unprovoked} "$tree/selftests/lint/"
cp "$root/selftests/emulator/README.md" "$tree/selftests/emulator/"
cp "$root"/tools/pmonctl/{main.c,pmonctl.8} "$tree/tools/pmonctl/"
cp "$root/tools/packaging/boot/boot.in" "$tree/tools/packaging/boot/"
long=$(printf 'word %.0s' {1..21})

# docs_says REGEX NAME FILE LINE...: with these lines at the end of a file
docs_says() {
	local regex=$1 name=$2 file=$3 said

	shift 3
	cp "$root/$file" "$tree/$file"
	printf '%s\n' '' "$@" >>"$tree/$file"
	said=$("$tree/tools/docs-check" lines 2>&1 | grep -A1 'columns$' | tr '\n' ' ')
	cp "$root/$file" "$tree/$file"
	like "$said" "$regex" "docs: $name"
}

docs_says '^ok ' 'no line is too long' README.md 'A line.'
docs_says '^not ok .*#   README.md:[0-9]+' 'a long line of README' \
	README.md "$long"
docs_says '^not ok .*#   Documentation/locking.rst:[0-9]+' \
	'a long line of a document' Documentation/locking.rst "$long"
docs_says '^not ok .*#   tools/pmonctl/pmonctl.8:[0-9]+' \
	'a long line of the manual page' tools/pmonctl/pmonctl.8 "$long"
docs_says '^not ok .*#   selftests/emulator/README.md:[0-9]+' \
	'a long line of another README' selftests/emulator/README.md "$long"
docs_says '^not ok ' 'a long line after a table' Documentation/locking.rst \
	'==== ====' 'a    b' '==== ====' '' "$long"
docs_says '^not ok ' 'a long command' Documentation/locking.rst \
	'::' '' "    \$ $long"
docs_says '^ok ' 'a table may be wider' Documentation/locking.rst \
	'==== ====' "a    $long" '==== ===='
docs_says '^ok ' 'so may what a program printed' Documentation/locking.rst \
	'::' '' '    $ command' "    $long"
