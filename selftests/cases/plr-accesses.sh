#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What is read and written: loading reads tables and headers and writes
# nothing, a core costs three accesses, the die one, and unloading nothing.
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
# The kernel's own modules use the control mailbox: they go first.
modprobe intel_vsec
modprobe -q intel_vsec_tpmi
hw count reset
modprobe pmon_plr
is "$(plr_written)" "" "loading writes nothing"
is "$(plr_accesses mailbox plr-data die-level tpmi-control)" 0 \
	"loading leaves mailboxes, data, die level and control alone"
isnt "$(plr_accesses plr-header)" 0 "loading reads headers"

# At once: a poll of a mailbox that is busy would be an access, too.
hw mailbox 0/0 slow 0

dom=$PMON/pkg0-dom0
hw count reset
cat $dom/cpus $dom/plr/core0/cpus $dom/package_id $dom/plr/version >/dev/null
is "$(plr_total)" 0 "files that are not reasons cost nothing"

# A read of core 0 is all zero, as an idle register: another command shows
# that firmware lets commands through, once.
hw count reset
cat $dom/plr/core0/reasons >/dev/null
is "$(plr_total)" 5 "the first read of a mailbox, of core 0: 5"

for file in reasons coarse fine raw; do
	hw count reset
	cat $dom/plr/core0/$file >/dev/null
	is "$(plr_total) $(plr_accesses mailbox) $(plr_accesses plr-data)" \
		"3 2 1" "$file of a core: 3"
done
hw count reset
cat $dom/plr/mesh0/reasons >/dev/null
is "$(plr_total)" 3 "the mesh: 3"
hw count reset
cat $dom/plr/die/reasons >/dev/null
is "$(plr_total) $(plr_accesses die-level)" "1 1" "the die: 1"

modules=$(plr_modules pkg0-dom0 | wc -l)
hw count reset
cat $dom/plr/die/reasons $dom/plr/core*/reasons >/dev/null
is "$(plr_total)" $((3 * modules + 1)) "all modules of a domain: 3 each plus 1"

hw count reset
modprobe -r pmon_plr
is "$(plr_total)$(plr_written)" 0 "unloading touches nothing"
is "$(ls -d $CPUS/cpu*/plr $PMON/pkg* 2>/dev/null)" "" "unloading leaves nothing"
modprobe pmon_plr
is "$(cat $dom/plr/core0/reasons)" none "and it loads again"
finish
SCRIPT
done
finish
