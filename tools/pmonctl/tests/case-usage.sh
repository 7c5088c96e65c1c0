# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The command line, and machines without anything to show.

new_tree empty
run 0 --help && grep -q '^Usage: pmonctl' "$tmp/out" && silent
verdict $? "--help prints the usage"

run 0 --version && grep -qE '^pmonctl [0-9]+\.[0-9]+\.[0-9]+$' "$tmp/out"
verdict $? "--version prints the version"

run 64 && complains 'Usage: pmonctl'
verdict $? "no command is wrong usage"

run 64 lsit && complains 'unknown command: lsit'
verdict $? "an unknown command is named"

run 64 list now && complains 'unexpected argument: now'
verdict $? "a surplus argument is named"

run 64 list --colour
verdict $? "an unknown option is wrong usage"

for bad in -1 x 1x '' 99999999999999999999; do
	run 64 plr --package "$bad" && complains 'not a package number'
	verdict $? "--package '$bad' is wrong usage"
done

for command in list plr; do
	run 77 $command && complains 'no supported hardware' && prints </dev/null
	verdict $? "$command: no supported hardware is 77"
done

new_tree notloaded
pci 0000:00:03.1 0x8086 0x09a7
for command in list plr; do
	run 2 $command && complains 'modprobe -a pmon_uncore pmon_plr'
	verdict $? "$command: hardware without modules says what to load"
done

new_tree othervendor
pci 0000:00:03.1 0x1af4 0x09a7
run 77 list
verdict $? "another vendor's device 09a7 is not ours"

new_tree emptyclass
pci 0000:00:03.1 0x8086 0x09a7
mkdir -p "$(class)"
run 2 list && complains 'modprobe -a pmon_uncore pmon_plr'
verdict $? "an empty class directory without modules says what to load"
loaded pmon_uncore
run 2 list && complains 'kernel log'
verdict $? "an empty class directory points to the kernel log"

new_tree full
discovery 0
unit 0 6 imc 0 mmio 0xfe000000 4+1 48 uncore_imc_0 openpmon
"$PMONCTL" --sysroot "$root" list >/dev/full 2>"$tmp/err"
[ $? = 2 ] && complains 'cannot write the output'
verdict $? "output that cannot be written is an error"

run 64 list --watch && complains '--watch: not an option of list'
verdict $? "an option of another command is wrong usage"

new_tree empty-json
export POSIXLY_CORRECT=1
run 77 list --json && is_json
verdict $? "an option may follow the command, whatever the environment says"
unset POSIXLY_CORRECT
for command in list plr doctor; do
	run 77 $command --json && is_json && complains 'no supported hardware' &&
		grep -q '"format": 1' "$tmp/out" &&
		grep -q '"error": "no supported hardware: ' "$tmp/out"
	verdict $? "$command: --json says so where there is no hardware"
done
