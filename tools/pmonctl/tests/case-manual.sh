# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The manual page has what the program takes, and no more; so has --help.

manual=$here/../pmonctl.8
# Those of several commands stand once, behind them all.
common='json sysroot noheadings output'

# section COMMAND: what the manual says of it, with its own options
section() {
	awk -v command="$1" '
		/^\.It Cm / && !nested { mine = $3 == command }
		/^\.Bl / { depth++ }
		/^\.El/ { if (!--depth) mine = 0 }
		{ nested = depth > 1 }
		mine' "$manual"
}

asks
bad=
for command in $commands; do
	section "$command" >"$tmp/section"
	[ -s "$tmp/section" ] || bad="$bad $command"
	for option in $options; do
		case " $common " in *" $option "*) continue ;; esac
		written=$(printf '%s' "$option" | sed 's/-/\\\\-/g')
		said=
		! grep -qE -- "^\.(It )?Fl \\\\-($option|$written)( |\$)" "$tmp/section" ||
			said=yes
		took=
		! takes "$command" "$option" || took=yes
		[ "$said" = "$took" ] || bad="$bad $command--$option:${took:-no}"
	done
done
[ -z "$bad" ] || echo "# $bad"
[ -z "$bad" ]
verdict $? "manual: each command has the options that it takes"
bad=
for option in $common help version; do
	grep -qE -- "^\.It Fl (. , )?\\\\-$option( |\$)" "$manual" || bad="$bad $option"
done
[ -z "$bad" ] || echo "# $bad"
[ -z "$bad" ]
verdict $? "manual: options of all commands"

# Each area that adopt has stands in both synopses, in the text and in --help.
adopt=$here/../adopt.c
areas=$(sed -n 's/^	{ "\([a-z0-9]*\)", "pmon_.*/\1/p' "$adopt")
bad=
[ -n "$areas" ] || bad=adopt.c
for area in $areas; do
	[ "$(grep '^\.Op Cm uncore |' "$manual" | grep -cw "$area")" = 2 ] &&
		section adopt | grep -qE "^\.Pq Cm (.* )?$area( |\$)" &&
		"$PMONCTL" --help | sed -n '/AREA is$/{n;p}' | grep -qw "$area" ||
		bad="$bad $area"
done
[ -z "$bad" ] || echo "# $bad"
[ -z "$bad" ]
verdict $? "manual: every area of adopt is told of"
