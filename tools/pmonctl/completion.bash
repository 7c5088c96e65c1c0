# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of pmonctl's commands and options for bash: what pmonctl --help says,
# and of a command its own --help.
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
	?*--*)
		words=$(pmonctl "$command" --help | grep -o -- ' --[a-z][a-z-]*' | sort -u) ;;
	--*)
		words=$(grep -o -- ' --[a-z][a-z-]*' <<<"$help" | sort -u) ;;
	adopt-* | release-*)
		words=$(sed -n '/AREA is$/{ n; s/,\| or / /g; p; }' <<<"$help") ;;
	-*) ;;
	*) words='' ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _pmonctl pmonctl
