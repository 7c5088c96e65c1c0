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

rm -r "$tree/linux/scripts/coccinelle"
lint_says 1 'there is no .*coccinelle' 'no semantic patches' \
	"$PATH" coccinelle
rm "$tree/drivers/a.c"
lint_says 1 'nothing to look at: kernel_c' 'no sources' "$PATH" spdx
echo '// SPDX-License-Identifier: GPL-2.0-only' >"$tree/drivers/a.c"
rm -rf "$tree/.git"
lint_says 1 'nothing to look at' 'no list of files' "$PATH" size
(cd "$tree" && find drivers selftests tools -type f >MANIFEST)
lint_says 0 '^ok 1 - spdx' 'a tarball, with its list' "$PATH" spdx size
