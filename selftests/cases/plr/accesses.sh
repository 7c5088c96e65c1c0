#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Count register accesses: loading reads tables and headers and writes nothing, a read of
# a core costs five accesses, of the die one, and unloading costs none.
# contract: load load-reads mesh
# all kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Make six domains of the same size.
six=$(machine gnr-2s '
live = [{"instance": n, "modules": 4} for n in range(3)]
absent = [{"instance": n, "header": "absent"} for n in (3, 4)]
m["packages"][0]["tpmi"]["plr"] = live + absent')

each_vm --machine "$six" --drivers none <<'SCRIPT'
# Load the kernel's own modules first, because they use the control mailbox.
plr_kernel
hw count reset
modprobe pmon_plr
is "$(plr_written)" "" "loading writes nothing"
is "$(plr_accesses mailbox plr-data die-level tpmi-control)" 0 \
	"loading accesses no mailbox, data, die level or control register"
isnt "$(plr_accesses plr-header)" 0 "loading reads headers"

# Let the mailbox respond at once, because each poll of a busy mailbox is an access, too.
hw mailbox 0/0 slow 0

dom=$PMON/pkg0-dom0
hw count reset
cat $dom/cpus $dom/plr/core0/cpus $dom/package_id $dom/plr/version >/dev/null
is "$(plr_total)" 0 "files without reasons cost no access"

# Once a minute the driver tests the interface register before a command: two reads, a
# write, and a write that undoes it.
hw count reset
cat $dom/plr/core0/reasons >/dev/null
is "$(plr_total) $(plr_accesses mailbox) $(plr_accesses plr-data)" "9 8 1" \
	"the first read of a core in a minute costs nine accesses"
for file in reasons coarse fine raw; do
	hw count reset
	cat $dom/plr/core0/$file >/dev/null
	is "$(plr_total) $(plr_accesses mailbox) $(plr_accesses plr-data)" \
		"5 4 1" "$file of a core costs five accesses"
done
# Without mesh=1 no mesh is read, so `cat */reasons` and `grep -r` block no mailbox.
hw count reset
for file in reasons raw coarse fine active; do
	is "$(plr_error $dom/plr/mesh0/$file)" "No data available" "$file of a mesh gives ENODATA without mesh=1"
done
like "$(echo all | dd of=$dom/plr/mesh0/clear 2>&1)" "No data available" \
	"a clear of a mesh gives ENODATA without mesh=1"
cat $dom/plr/mesh0/time_in_reason >/dev/null
is "$(plr_total)" 0 "files of a mesh without mesh=1 cost no access"
hw count reset
cat $dom/plr/die/reasons >/dev/null
is "$(plr_total) $(plr_accesses die-level)" "1 1" "reasons of the die cost one access"
hw count reset
cat $dom/plr/core0/time_in_reason $dom/plr/die/time_in_reason $dom/plr/gate >/dev/null
is "$(plr_total)" 0 "time_in_reason and gate cost no access"

modules=$(plr_modules pkg0-dom0 | wc -l)
hw count reset
cat $dom/plr/die/reasons $dom/plr/core*/reasons >/dev/null
is "$(plr_total)" $((5 * modules + 1)) "reasons of all modules and the die cost five accesses each and one"

hw count reset
# modprobe -r would also remove intel_vsec, at which kernels from 7.2 on oops.
rmmod pmon_plr
is "$(plr_total)$(plr_written)" 0 "unloading makes no access"
is "$(ls -d $CPUS/cpu*/plr $PMON/pkg* 2>/dev/null)" "" "unloading leaves no file"
modprobe pmon_plr mesh=1
is "$(cat $dom/plr/core0/reasons)" none "the module loads again and reads a core"
hw count reset
cat $dom/plr/mesh0/reasons >/dev/null
is "$(plr_total)" 5 "reasons of a mesh cost five accesses with mesh=1"
SCRIPT
finish
