# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of pmonctl's commands and options for bash. What there is, is what
# pmonctl --help says: two columns in stand commands, and options of them all;
# four columns in the options of the command above.
_pmonctl() {
	local current=${COMP_WORDS[COMP_CWORD]} help command='' word words

	help=$(pmonctl --help 2>/dev/null)
	words=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' <<<"$help")
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[ -z "$command" ] && grep -qx -- "$word" <<<"$words" && command=$word
		# What follows is a job, which bash completes as ever.
		[ "$word" != -- ] || return 0
	done
	case $command-$current in
	*--*)
		words=$(awk -v command="$command" '
			/^  [a-z]/ { mine = $1 == command }
			/^  -/ { mine = $0 !~ "but for .*" command }
			mine && match($0, /--[a-z][a-z-]*/) {
				print substr($0, RSTART, RLENGTH)
			}' <<<"$help") ;;
	adopt-* | release-*)
		words=$(sed -n '/AREA is$/{ n; s/,\| or / /g; p; }' <<<"$help") ;;
	-*) ;;
	*) words='' ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _pmonctl pmonctl
