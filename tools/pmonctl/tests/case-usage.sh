# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The command line, and machines without anything to show.

new_tree
run 0 --help && has 'Usage: pmonctl*' && silent
verdict $? "--help prints the usage"

run 0 --version && grep -qE '^pmonctl [0-9]+\.[0-9]+\.[0-9]+$' "$tmp/out"
verdict $? "--version prints the version"

run 77 && complains 'no supported hardware'
verdict $? "no command, on a host that has nothing"

answers "an unknown command is named, and what may be meant" 64 'unknown command lsit (list?)' \
	lsit
run 64 zzz && complains 'unknown command zzz' '! ?)'
verdict $? "nothing is meant by what is near to nothing"

answers "a surplus argument is named" 64 'unexpected argument: now' list now

run 64 list --colour && complains 'list has no option --colour' '! mean'
verdict $? "an unknown option is wrong usage"
answers "an option of other programs" 64 'bw has no option --duration (did you mean --for?)' \
	bw --duration 1
answers "an option with a letter too few" 64 '(did you mean --persist?)' adopt --persit uncore
run 64 release --persit && complains '! mean'
verdict $? "what the command does not take is not meant"
answers "an option that is short for several" 64 '--p: short for several' plr --p 1
answers "a value for an option without one" 64 '--watch=3: takes no value' bw --watch=3

for command in list plr explain bw metrics stat doctor adopt release; do
	run 0 help $command && cp "$tmp/out" "$tmp/help" && run 0 $command --help &&
		cmp -s "$tmp/out" "$tmp/help" &&
		has "Usage: pmonctl $command *" "For example: pmonctl $command*" &&
		! grep -q '.\{80\}' "$tmp/out" && [ "$(wc -l <"$tmp/out")" -lt 24 ]
	verdict $? "help $command: of it alone, on a screen, with an example"
done
run 0 help && has 'Usage: pmonctl *COMMAND]' && run 64 help lst &&
	complains '(list?)'
verdict $? "help: of all, or of what is a command"

for bad in -1 x 1x '' 99999999999999999999; do
	answers "--package '$bad' is wrong usage" 64 'not a package number' plr --package "$bad"
done

for command in list plr; do
	run 77 $command && complains 'no supported hardware' && prints </dev/null
	verdict $? "$command: no supported hardware is 77"
done

new_tree
pci 0000:00:03.1 0x8086 0x09a7
for command in list plr; do
	answers "$command: hardware without modules says what to load" 2 'modprobe -a pmon_uncore pmon_plr' \
		$command
done

new_tree
pci 0000:00:03.1 0x1af4 0x09a7
run 77 list
verdict $? "another vendor's device 09a7 is not ours"

new_tree
pci 0000:00:03.1 0x8086 0x09a7
mkdir -p "$(class)"
answers "an empty class directory without modules says what to load" 2 'modprobe -a pmon_uncore pmon_plr' \
	list
loaded pmon_uncore
answers "an empty class directory points to the kernel log" 2 'kernel log' list

new_tree
discovery 0
unit 0 6 imc 0 mmio 0xfe000000 4+1 48 uncore_imc_0 openpmon
"$PMONCTL" --sysroot "$root" list >/dev/full 2>"$tmp/err"
[ $? = 2 ] && complains 'cannot write the output'
verdict $? "output that cannot be written is an error"

answers "an option of another command is wrong usage" 64 'list has no option --watch' \
	list --watch

new_tree
export POSIXLY_CORRECT=1
run 77 list --json && is_json
verdict $? "an option may follow the command, whatever the environment says"
unset POSIXLY_CORRECT
for command in list plr doctor; do
	run 77 $command --json && is_json && complains 'no supported hardware' &&
		has '*"format": 1*' '*"error": "no supported hardware: *'
	verdict $? "$command: --json says so where there is no hardware"
done

# One screen: four nodes and all kinds of two sockets, two modules that are limited.
a moving
domain 0 0 0-3
for m in 0 1; do
	core 0 0 $m "$m" POWER
	put pkg0-dom0/plr/core$m/time_in_reason 'observed 9 1000000 1' 'POWER 9 1000000 1' \
		'POWER_PKG_PL1_MMIO 9 1000000 1'
done
uptime 1000
loaded pmon_uncore
loaded pmon_plr
paranoid 0
discovery 0
installed
run_test 0 && [ "$(wc -l <"$tmp/out")" -le 24 ] && ! grep -q '.\{80\}' "$tmp/out" &&
	has 'HOST platform spr, Linux 6.18-tree*' 'DOCTOR fine' \
		'memory 1 - 14000 4000' 'LIMITS 2 of 4 limited now' &&
	has '0/0/core0-1 0-1 POWER_PKG_PL1_MMIO*' 'POWER_PKG_PL1_MMIO: package power*' &&
	ends 'Next: pmonctl plr --watch'
verdict $? "no command: one screen with host, bandwidth, limits and what to do next"
