# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Trees that were made to do harm: nothing in them is run or waited for, and
# nothing outside them is reached.

# host_to_harm: modules are not loaded, so that doctor asks where they are
host_to_harm() {
	pci 0000:00:03.1 0x8086 0x09a7
	discovery 0
	unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
}

# programs: each leaves a file mark
programs() {
	for dir in bin sbin usr/bin usr/sbin; do
		mkdir -p "$root/$dir"
		for name in modinfo modprobe insmod rmmod sh true; do
			printf '#!/bin/sh\n: >"%s"\n' "$tmp/mark" >"$root/$dir/$name"
		done
		chmod +x "$root/$dir"/*
	done
}

# unmarked: no program of the tree has run
unmarked() {
	[ ! -e "$tmp/mark" ] && return 0
	echo "# a program of the tree was run"
	rm "$tmp/mark"
	return 1
}

a host_to_harm
programs
run 1 doctor && unmarked
verdict $? "hostile: doctor runs no program of the tree"
installed pmon_uncore intel_uncore
for dry in --dry-run --persist; do
	run 2 adopt $dry uncore && unmarked
	verdict $? "hostile: adopt $dry runs no program of the tree"
done
run 0 release uncore && unmarked
verdict $? "hostile: release runs no program of the tree"

# The name of the directory is a command for a shell.
a host_to_harm
as_it_was=$root
# shellcheck disable=SC2016
for name in '$(touch mark)' '"; touch mark; "'; do
	mv "$root" "$tmp/$name"
	root=$tmp/$name
	(cd "$tmp" && run 1 doctor) && unmarked
	verdict $? "hostile: the name of the tree is no command: $name"
done
mv "$root" "$as_it_was"

# Links of the tree lead nowhere but into it.
echo 'secret of the host' >"$tmp/secret"
for link in "$tmp/secret" ../../../../../secret; do
	a host_to_harm
	rm "$(class)/pkg0-uncore0/rejected"
	ln -s "$link" "$(class)/pkg0-uncore0/rejected"
	run 1 list && complains 'pkg0-uncore0/rejected: No such file' &&
		! grep -q secret "$tmp/out" "$tmp/err"
	verdict $? "hostile: a link out of the tree is not followed: ${link%secret}"
done
a host_to_harm
rm "$(class)/pkg0-uncore0/rejected"
: >"$root/rejected"
ln -s /rejected "$(class)/pkg0-uncore0/rejected"
run 0 list && silent
verdict $? "hostile: links stay within the tree as if it were the root"

new_tree
domain 0 0 0
core 0 0 0 0 POWER
cpu 0 0 0 0
: >"$tmp/victim"
rm "$(class)/pkg0-dom0/plr/core0/clear"
ln -s "$tmp/victim" "$(class)/pkg0-dom0/plr/core0/clear"
run 1 plr --clear && complains 'core0/clear' && [ ! -s "$tmp/victim" ]
verdict $? "hostile: what is cleared is in the tree"
ln -sfn ../../../../class/pmon/pkg0-dom0/plr/.. \
	"$root/sys/devices/system/cpu/cpu0/plr"
answers "hostile: a CPU's link leads to a module or nowhere" 2 'cpu0/plr: no limits are shown' \
	plr --cpu 0

a host_to_harm
rm "$(class)/pkg0-uncore0/rejected"
mkfifo "$(class)/pkg0-uncore0/rejected"
answers "hostile: a pipe is not waited for" 1 'pkg0-uncore0/rejected: Invalid argument' list
new_tree
domain 0 0 0
mkfifo "$(class)/pkg0-dom0/plr/die/time_in_reason"
answers "hostile: nor is one by --watch" 2 'nobody watches this domain' plr --watch
mkfifo "$root/fifo"
rm "$(class)/pkg0-dom0/plr/die/clear"
put pkg0-dom0/plr/die/reasons POWER
ln -s /fifo "$(class)/pkg0-dom0/plr/die/clear"
answers "hostile: nor is one by --clear" 1 'die/clear' plr --clear

a host_to_harm
truncate -s 1T "$(class)/pkg0-uncore0/units"
answers "hostile: a file without end is not read to its end" 1 'pkg0-uncore0/units: File too large' \
	list
a host_to_harm
printf '6 imc 0 mmio 0x1 4 48 - -\n\0more' >"$(class)/pkg0-uncore0/units"
answers "hostile: a file that is no text" 1 'pkg0-uncore0/units: Invalid argument' list
a host_to_harm
for number in 4294967296 99999999999999999999 -1 1x; do
	put pkg0-uncore0/package_id $number
	answers "hostile: package_id $number" 1 'pkg0-uncore0/package_id: Invalid argument' list
done

new_tree
for bad in "$root/missing" "$tmp/secret" ''; do
	"$PMONCTL" --sysroot "$bad" list >"$tmp/out" 2>"$tmp/err"
	[ $? = 64 ] && complains "--sysroot $bad: "
	verdict $? "hostile: --sysroot '${bad#"$tmp/"}' is wrong usage"
done
