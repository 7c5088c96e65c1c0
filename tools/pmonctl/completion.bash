# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Complete pmonctl's commands, options and option values in bash. They come from the output
# of pmonctl --help or, after a command, of pmonctl help COMMAND.
_pmonctl() {
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local help command='' word words='' list=''

	help=$(pmonctl --help 2>/dev/null)
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[ -z "$command" ] && [[ $word = [a-z]* ]] && grep -q "^  $word " <<<"$help" && command=$word
		# After -- there is a program to run; leave the completion of its words to bash.
		[ "$word" != -- ] || break
	done
	[ "$word" != -- ] || [ "$before" = -- ] || return 0
	[ -z "$command" ] || help=$(pmonctl help "$command" 2>/dev/null)
	case $command:$before:$current in
	*:--kind:*)
		words=$(sed -n 's/.*--kind LIST.*: //p' <<<"$help" | tr , ' ') list=, ;;
	stat:stat: | stat:stat:[!-]* | stat:--:*)
		mapfile -t COMPREPLY < <(compgen -c -- "$current" | sort -u)
		return 0 ;;
	*:*:-*)
		words=$(grep -o -- ' --[a-z][a-z-]*' <<<"$help" | sort -u) ;;
	explain:* | plr:*)
		current=${current^^}
		[ "$command" = explain ] || [[ " ${COMP_WORDS[*]} " = *" --clear "* ]] &&
			words=$(pmonctl explain 2>/dev/null | sed 's/:.*//') ;;
	adopt:* | release:*)
		words=$(pmonctl help adopt | sed -n '/AREA is$/{ n; s/,\| or / /g; p; }') ;;
	:*)
		words=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' <<<"$help") ;;
	esac
	# Keep the part of a list before its last comma.
	[ -n "$list" ] && [ "$current" != "${current%,*}" ] && list=${current%,*}, || list=
	mapfile -t COMPREPLY < <(compgen -P "$list" -W "$words" -- "${current##*,}")
}
complete -o default -F _pmonctl pmonctl
