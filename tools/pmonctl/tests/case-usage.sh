# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The command line, and machines without anything to show.

new_tree empty
run 0 --help && grep -q '^Usage: pmonctl' "$tmp/out" && silent
verdict $? "--help prints the usage"

run 0 --version && grep -qE '^pmonctl [0-9]+\.[0-9]+\.[0-9]+$' "$tmp/out"
verdict $? "--version prints the version"

run 77 && complains 'no supported hardware'
verdict $? "no command, on a host that has nothing"

run 64 lsit && complains 'unknown command lsit (list?)'
verdict $? "an unknown command is named, and what may be meant"
run 64 zzz && complains 'unknown command zzz' && ! complains '?)'
verdict $? "nothing is meant by what is near to nothing"

run 64 list now && complains 'unexpected argument: now'
verdict $? "a surplus argument is named"

run 64 list --colour && complains 'list has no option --colour' && ! complains 'mean'
verdict $? "an unknown option is wrong usage"
run 64 bw --duration 1 && complains 'bw has no option --duration (did you mean --for?)'
verdict $? "an option of other programs"
run 64 adopt --persit uncore && complains '(did you mean --persist?)'
verdict $? "an option with a letter too few"
run 64 release --persit && ! complains 'mean'
verdict $? "what the command does not take is not meant"
run 64 plr --p 1 && complains '--p: short for several'
verdict $? "an option that is short for several"
run 64 bw --watch=3 && complains '--watch=3: takes no value'
verdict $? "a value for an option without one"

for command in list plr explain bw metrics stat doctor adopt release; do
	run 0 help $command && cp "$tmp/out" "$tmp/help" && run 0 $command --help &&
		cmp -s "$tmp/out" "$tmp/help" &&
		grep -q "^Usage: pmonctl $command " "$tmp/out" &&
		grep -q "^For example: pmonctl $command" "$tmp/out" &&
		! grep -q '.\{80\}' "$tmp/out" && [ "$(wc -l <"$tmp/out")" -lt 24 ]
	verdict $? "help $command: of it alone, on a screen, with an example"
done
run 0 help && grep -q '^Usage: pmonctl .*COMMAND.$' "$tmp/out" && run 64 help lst &&
	complains '(list?)'
verdict $? "help: of all, or of what is a command"

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

run 64 list --watch && complains 'list has no option --watch'
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

# One screen: four nodes and all kinds of two sockets, two modules that are limited.
moving overview
domain 0 0 0-3
for m in 0 1; do
	core 0 0 $m "$m" POWER
	put pkg0-dom0/plr/core$m/time_in_reason 'observed 9 1000000 1' 'POWER 9 1000000 1' \
		'POWER_PKG_PL1_MMIO 9 1000000 1'
done
mkdir -p "$root/proc"
echo '1000.00 5' >"$root/proc/uptime"
loaded pmon_uncore
loaded pmon_plr
paranoid 0
discovery 0
installed
run_test 0 && [ "$(wc -l <"$tmp/out")" -le 24 ] && ! grep -q '.\{80\}' "$tmp/out" &&
	row '^HOST platform spr, Linux 6.18-tree' && row '^DOCTOR fine$' &&
	row '^memory 1 - 14000 4000$' && row '^LIMITS 2 of 4 limited now$' &&
	row '^0/0/core0-1 0-1 POWER_PKG_PL1_MMIO' && row '^POWER_PKG_PL1_MMIO: package power' &&
	tail -n 1 "$tmp/out" | grep -qx 'Next: pmonctl plr --watch'
verdict $? "no command: one screen with host, bandwidth, limits and what to do next"
