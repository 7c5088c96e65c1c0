# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016
# Trees that were made to do harm: nothing in them is run or waited for, and
# nothing outside them is reached.

# to_harm: modules are not loaded, so that doctor asks where they are; each program that
# a path could lead to leaves a file mark
to_harm() {
	discovery_function
	spr
	installed pmon_uncore intel_uncore
	for dir in bin sbin usr/bin usr/sbin; do
		for name in modinfo modprobe insmod rmmod sh true; do
			put $dir/$name '#!/bin/sh' ": >'$tmp/mark'"
		done
		chmod +x "$root/$dir"/*
	done
}
# unmarked: no program of the tree has run
unmarked() {
	[ ! -e "$tmp/mark" ] || { rm "$tmp/mark" && false; }
}
# called NAME: the directory of the tree, which is a command for a shell
called() {
	a to_harm
	mv "$root" "$tmp/$1"
	root=$tmp/$1
	cd "$tmp" || exit
}

rows <<'END'
hostile: doctor runs no program of the tree | : a to_harm | 1 doctor | : unmarked
hostile: adopt --dry-run runs none | 2 adopt --dry-run uncore | : unmarked
hostile: adopt runs none | 2 adopt --persist uncore | : unmarked
hostile: release runs none | 0 release uncore | : unmarked
hostile: the name of the tree is no command: % | : called '%' | 1 doctor | : unmarked
% '$(touch mark)' '"; touch mark; "'
END

# instead FILE COMMAND...: COMMAND makes what is in the place of a file of the class
instead() {
	path=$class/$1
	rm -f "$path"
	shift
	"$@" "$path"
}
echo 'secret of the host' >"$tmp/secret"
: >"$tmp/victim"
# limited: a module that is, of a CPU
limited() {
	domain 0 0 0
	put pkg0-dom0/plr/die/reasons POWER
	core 0 0 0 0 POWER
	cpu 0 0 0 0
}
rows <<'END'
hostile: a link to % does not lead out |
	: a spr; instead pkg0-uncore0/rejected ln -s % | 1 list |
	- pkg0-uncore0/rejected: No such file | - ! secret of | ! *secret*
% "$tmp/secret" ../../../../../secret
hostile: links stay within the tree as if it were the root |
	: put rejected ''; instead pkg0-uncore0/rejected ln -s /rejected | 0 list | : silent
hostile: what is cleared is in the tree |
	: a limited; instead pkg0-dom0/plr/core0/clear ln -s "$tmp/victim" | 1 plr --clear |
	- core0/clear | : [ ! -s "$tmp/victim" ]
hostile: a CPU's link leads to a module or nowhere | : ln -sfn
	../../../../class/pmon/pkg0-dom0/plr/.. "$root/sys/devices/system/cpu/cpu0/plr" |
	2 plr --cpu 0 | - cpu0/plr: no limits are shown
hostile: a pipe is not waited for | : a spr; instead pkg0-uncore0/rejected mkfifo | 1 list |
	- pkg0-uncore0/rejected: Invalid argument
hostile: nor is one by --watch | : a limited; instead pkg0-dom0/plr/die/time_in_reason mkfifo |
	2 plr --watch | - no program monitors this domain
hostile: nor is one by --clear | : instead pkg0-dom0/plr/die/clear mkfifo | 1 plr --clear |
	- die/clear
hostile: a file without end is not read to its end |
	: a spr; instead pkg0-uncore0/units truncate -s 1T | 1 list |
	- pkg0-uncore0/units: File too large
hostile: a file that is no text |
	: a spr; printf '6 imc 0 mmio 0x1 4 48 - -\n\0more' >"$class/pkg0-uncore0/units" |
	1 list | - pkg0-uncore0/units: Invalid argument
hostile: package_id % | : a spr; put pkg0-uncore0/package_id % | 1 list |
	- pkg0-uncore0/package_id: Invalid argument
% 4294967296 99999999999999999999 -1 1x
hostile: and then the socket has no number in JSON | 1 list --json | ! *"socket"* |
	*"platform": "spr"*
hostile: --sysroot '%' is wrong usage | : root=% | 64 list | - --sysroot %:
% /missing "$tmp/secret" ''
END
