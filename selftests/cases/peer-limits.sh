#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the bench makes PLR do, seen through the registers as a driver would see
# it: limits that come and go by a schedule, random ones whose fate is known,
# clears that do nothing, another agent at the mailbox, a mesh that does not
# answer, a feature whose writes are blocked.
# kernels: 6.12
# coverage: no, none of our drivers
. "$(dirname "$0")/lib/tap.sh"

in_vm "gnr-2s" --kernel 6.12 --machine gnr-2s --drivers none --allow-illegal <<'SCRIPT'
. /lib/test/guest.sh
BDF=0000:00:03.1
PLR=$((0x2c * 1024))	# package 0's domain 0
cd /root
hw plr clear

qword() { hw mmio $BDF 1 $((PLR + $1)) 8 $2; }
give() { qword 8 $((1 << 63 | $1)); qword 8 >/dev/null; }
get() { give $(($1 << 12)); qword 16; }
clear() { qword 16 0; give $(($1 << 12 | 1)); }
now() { hw machine | sed 's/.*ns=//'; }
until_ns() { while [ "$(now)" -lt "$1" ]; do :; done; }
field() { sed -n "s/.*$1=\([0-9a-z]*\).*/\1/p"; }

# A limit from 0.2 s to 1.2 s from now, set again every 0.1 s.
S=1000000000
hw mailbox 0/0 slow 0
echo "plr 0/0/1 0x0000000100000002 $((S * 60)) $((S * 61))" | hw plr schedule -
is "$(get 1)" 0x0 "nothing is set before its time"
hw plr stop
hw plr step $((S / 10))
echo "# what limits
plr 0/0/1 0x0000000100000002 $((S / 5)) $((S * 6 / 5))
plr 0/0/1 0x0000000000000004 $((S * 2 / 5)) $((S * 26 / 5))
mesh 0/0/0 0x1 $((S / 5)) $((S * 2 / 5))" >schedule
hw truth reset
start=$(now)
hw plr schedule schedule
until_ns $((start + S / 2))
like "$(get 1)" '^0x10000000[26]$' "set when its time has come"
is "$(hw die 0/0)" 0x00000007 "the die level follows"
until_ns $((start + S * 14 / 10))
is "$(get 1) $(hw mesh 0/0/0)" "0x100000006 0x0000000000000001" "all bits are there"
clear 1
hw mesh 0/0/0 =0
# In force for seconds more, however long a busy host took for that.
until_ns $(($(now) + S * 15 / 100))
is "$(get 1)" 0x4 "cleared, and what is still in force is set again"
until_ns $((start + S * 53 / 10))
clear 1
until_ns $(($(now) + S * 2 / 10))
is "$(get 1) $(hw mesh 0/0/0)" "0x0 0x0000000000000000" "and no more when it is over"
is "$(hw plr truth | sort)" "mesh=0/0/0 bit=0 ns=$((S / 5))
plr=0/0/1 bit=1 ns=$S
plr=0/0/1 bit=2 ns=$((S * 24 / 5))
plr=0/0/1 bit=32 ns=$S" "the truth: how long each bit was in force"
hw plr stop
is "$(hw plr truth)" "" "no schedule any more"

# Random limits: each is read, or waits, or is lost.
hw plr random 7 1000000 100
until_ns $(($(now) + S / 5))
is "$(hw plr log | grep -c 'plr=0/0/\|mesh=0/0/')" 100 "as many as were asked for"
is "$(hw plr log | grep -c state=waiting)" "$(hw plr log | wc -l)" "all wait"
hw plr log >log
value=0
for v in $(grep 'plr=0/0/2 ' log | field value); do value=$((value | v)); done
is $(($(get 2))) "$value" "the module has the bits that the log says"
is "$(hw plr log | grep 'plr=0/0/2 ' | field state | sort -u)" read "read is read"
hw plr random 8 1000000 100
until_ns $(($(now) + S / 5))
clear 2
clear 3
lost=$(hw plr log | grep state=lost)
is "$(echo "$lost" | grep plr=0/0/2 | field window | sort -u)" 1 \
	"set between read and clear: lost in the window"
is "$(echo "$lost" | grep plr=0/0/3 | field window | sort -u)" 0 \
	"cleared unread: lost without excuse"
hw plr stop
is "$(hw plr log)" "" "the log is empty after stop"
hw plr random 7 1000000 100
until_ns $(($(now) + S / 5))
is "$(hw plr log | sed 's/^[^ ]* //' | sort)" "$(sed 's/^[^ ]* //' log | sort)" \
	"the same seed gives the same limits"
hw plr stop

# Trouble with the mailbox.
hw plr 0/0/1 =6
hw mailbox 0/0 noclear
clear 1
is "$(get 1)" 0x6 "noclear: a clear ends and changes nothing"
hw mailbox 0/0 ok
clear 1
is "$(get 1)" 0x0 "until the mailbox is mended"
hw plr 0/0/2 =9
hw mailbox 0/0 agent 2
is "$(get 1) $(qword 8)" "0x0 0x1000" "agent 2: the first command is left alone"
is "$(get 1) $(qword 8)" "0x9 0x2000" "after the second another module was read"
hw mailbox 0/0 ok
hw mesh 0/0/0 =2
give 0x100
is "$(qword 16)" 0x2 "the mesh answers"
hw mailbox 0/0 mesh ones
give 0x100
is "$(qword 16)" 0xffffffffffffffff "mesh ones: all-ones"
hw mailbox 0/0 mesh busy
give 0x100
is "$(qword 8)" 0x8000000000000100 "mesh busy: the command does not end"
hw mailbox 0/0 ok
qword 8 >/dev/null

# What the BMC may do at run time.
hw plr 0/0/1 =6
hw feature 0 0x0c write-blocked
clear 1
is "$(hw plr 0/0/1)" 0x0000000000000006 "write-blocked: nothing is written"
hw feature 0 0x0c read-blocked
is "$(qword 0)" 0xffffffffffffffff "read-blocked: all-ones"
hw feature 0 0x0c ok
is "$(get 1)" 0x6 "and back"
fails "a line that is none is refused" sh -c 'echo "plr 0/0 1 2" | hw plr schedule -'
fails "a domain that is not there is refused" sh -c 'echo "plr 0/9/0 1 2 3" | hw plr schedule -'
finish
SCRIPT
finish
