# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016
# Test that pmonctl ends soon on hostile trees, and reads no endless file.

# instead FILE COMMAND...: remove a file of the class, and run a command on its path
instead() {
	path=$class/$1
	rm -f "$path"
	shift
	"$@" "$path"
}
# limited: make a CPU whose module is limited
limited() {
	domain 0 0 0
	put pkg0-dom0/plr/die/reasons POWER
	core 0 0 0 0 POWER
	cpu 0 0 0 0
}
rows <<'END'
hostile: a CPU's link leads to a module or nowhere | : a limited; ln -sfn
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
END
