# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Completion for bash: what --help says, and what its commands take.

mkdir -p "$tmp/path"
ln -sf "$PMONCTL" "$tmp/path/pmonctl"

# completes WORDS: those that it offers for the last one are on standard input
completes() {
	PATH=$tmp/path:$PATH bash -c '
		. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_pmonctl
		printf "%s\n" "${COMPREPLY[@]}" | sort' - \
		"$here/../completion.bash" "$@" >"$tmp/out" 2>"$tmp/err"
	sed -i '/^$/d' "$tmp/out"
	silent && prints
}

completes pmonctl '' <<-'END'
adopt
bw
doctor
explain
list
metrics
plr
release
stat
END
verdict $? "completion: commands"
completes pmonctl d <<-'END'
doctor
END
verdict $? "completion: the beginning of one"
completes pmonctl adopt -- <<-'END'
--allow-loss
--dry-run
--help
--next-boot
--noheadings
--now
--persist
--sysroot
--version
END
verdict $? "completion: options of a command, and of all"
completes pmonctl --json plr --c <<-'END'
--clear
--cpu
END
verdict $? "completion: options after others"
completes pmonctl adopt '' <<-'END'
cxl
plr
qpi
r2pcie
uncore
END
verdict $? "completion: areas"
completes pmonctl stat -- l </dev/null
verdict $? "completion: a job is none of ours"

# Every option that a command takes is completed for it, and no other is.
asks
for command in $commands; do
	offered=$(PATH=$tmp/path:$PATH bash -c '. "$0"; COMP_WORDS=(pmonctl "$1" --) COMP_CWORD=2
		_pmonctl; echo "${COMPREPLY[*]}"' "$here/../completion.bash" "$command")
	bad=
	for option in $options; do
		case " $offered " in
		*" --$option "*) takes "$command" "$option" || bad="$bad $option" ;;
		*) ! takes "$command" "$option" || bad="$bad $option" ;;
		esac
	done
	[ -z "$bad" ] || echo "# $command:$bad"
	[ -z "$bad" ]
	verdict $? "completion: $command is offered what it takes"
done
