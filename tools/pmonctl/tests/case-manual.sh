# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The manual pages have what the program takes, and no more; so has --help.

"$here/../manual" "$PMONCTL" "$tmp/man"

asks
bad=
for command in $commands; do
	page=$tmp/man/pmonctl-$command.8
	[ "$(sed -n '/^\.Sh DESC/,/^\.Pp$/p' "$page" | wc -l)" -gt 3 ] || bad="$bad $command"
	grep -q "^\.Dl # pmonctl $command" "$page" || bad="$bad $command:example"
	for option in $options; do
		written=$(printf '%s' "$option" | sed 's/-/\\\\-/g')
		said=
		! grep -qE -- "^\.It (.*, )?\\\\-\\\\-$written( |\$)" "$page" || said=yes
		took=
		! takes "$command" "$option" || took=yes
		[ "$said" = "$took" ] || bad="$bad $command--$option:${took:-no}"
	done
done
[ -z "$bad" ] || echo "# $bad"
[ -n "$commands" ] && [ -z "$bad" ]
verdict $? "manual: a page for each command, with its options and an example"
if command -v mandoc >/dev/null; then
	mandoc -Tlint -Wwarning "$tmp"/man/*.8 | grep -v mandoc.db >"$tmp/lint"
	[ ! -s "$tmp/lint" ] || sed 's/^/# /' "$tmp/lint"
	[ ! -s "$tmp/lint" ]
	verdict $? "manual: they are clean"
fi

# Each area that adopt has stands in both synopses, in the text and in --help.
adopt=$here/../adopt.c
areas=$(sed -n 's/^	{ "\([a-z0-9]*\)", "pmon_.*/\1/p' "$adopt")
bad=
[ -n "$areas" ] || bad=adopt.c
for area in $areas; do
	grep -qE "^\.Pq Cm (.* )?$area( |\$)" "$tmp/man/pmonctl-adopt.8" &&
		"$PMONCTL" --help | sed -n '/AREA is$/{n;p}' | grep -qw "$area" ||
		bad="$bad $area"
done
[ -z "$bad" ] || echo "# $bad"
[ -z "$bad" ]
verdict $? "manual: every area of adopt is told of"
