# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The manual pages have what the program takes, and no more; so has --help.

"$here/../manual" "$PMONCTL" "$tmp/man"
bad=
commands=$("$PMONCTL" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
for command in $commands; do
	page=$tmp/man/pmonctl-$command.8
	[ "$(sed -n '/^\.Sh DESC/,/^\.Pp$/p' "$page" | wc -l)" -gt 3 ] || bad="$bad $command"
	grep -q "^\.Dl # pmonctl $command" "$page" || bad="$bad $command:example"
	sed -n 's/\\-/-/g; s/^\.It [^ ]*,* *\(--[a-z-]*\).*/\1/p' "$page" | sort >"$tmp/said"
	"$PMONCTL" help "$command" | sed -n 's/^  \(-., \)*\(--[a-z-]*\).*/\2/p' | sort |
		diff - "$tmp/said" >/dev/null || bad="$bad $command:options"
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
bad=
for area in uncore plr r2pcie qpi cxl; do
	grep -qE "^\.Pq Cm (.* )?$area( |\$)" "$tmp/man/pmonctl-adopt.8" &&
		"$PMONCTL" --help | sed -n '/AREA is$/{n;p}' | grep -qw "$area" ||
		bad="$bad $area"
done
[ -z "$bad" ] || echo "# $bad"
[ -z "$bad" ]
verdict $? "manual: every area of adopt is told of"
