#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check the emulator's commands for PLR through the registers that a driver reads:
# scheduled limits, random limits with known results, clears without effect, another
# agent at the mailbox, a mesh without response, a feature with blocked writes.
# kernels: 6.12
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"

in_vm "gnr-2s" --kernel 6.12 --machine gnr-2s --drivers none --allow-illegal <<'SCRIPT'
BDF=0000:00:03.1
PLR=$((0x2c * 1024))	# package 0's domain 0
cd /root
hw plr clear

qword() { hw mmio $BDF 2 $((PLR + $1)) 8 $2; }
give() { qword 8 $((1 << 63 | $1)); qword 8 >/dev/null; }
get() { give $(($1 << 12)); qword 16; }
clear() { qword 16 0; give $(($1 << 12 | 1)); }
now() { hw machine | sed 's/.*ns=//'; }
until_ns() { while [ "$(now)" -lt "$1" ]; do :; done; }
field() { sed -n "s/.*$1=\([0-9a-z]*\).*/\1/p"; }

# Schedule limits. While a limit is in force, its bit is set again every 0.1 s.
S=1000000000
hw mailbox 0/0 slow 0
echo "plr 0/0/1 0x0000000100000002 $((S * 60)) $((S * 61))" | hw plr schedule -
is "$(get 1)" 0x0 "a scheduled limit is not set before its time"
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
like "$(get 1)" '^0x10000000[26]$' "a scheduled limit is set at its time"
is "$(hw die 0/0)" 0x00000007 "the die level follows a scheduled limit"
until_ns $((start + S * 14 / 10))
is "$(get 1) $(hw mesh 0/0/0)" "0x100000006 0x0000000000000001" "bits of ended limits stay set beside those in force"
clear 1
hw mesh 0/0/0 =0
# Bit 2 is in force until 5.2 s, so that the check also holds on a slow host.
until_ns $(($(now) + S * 15 / 100))
is "$(get 1)" 0x4 "a limit in force is set again after a clear"
until_ns $((start + S * 53 / 10))
clear 1
until_ns $(($(now) + S * 2 / 10))
is "$(get 1) $(hw mesh 0/0/0)" "0x0 0x0000000000000000" "an ended limit is not set again after a clear"
is "$(hw plr truth | sort)" "mesh=0/0/0 bit=0 ns=$((S / 5))
plr=0/0/1 bit=1 ns=$S
plr=0/0/1 bit=2 ns=$((S * 24 / 5))
plr=0/0/1 bit=32 ns=$S" "hw plr truth has the time of each bit"
hw plr stop
is "$(hw plr truth)" "" "hw plr truth is empty without a schedule"

# `hw plr log` prints the state of each random limit: read, waiting, or lost.
hw plr random 7 1000000 100
until_ns $(($(now) + S / 5))
is "$(hw plr log | grep -c 'plr=0/0/\|mesh=0/0/')" 100 "hw plr random sets as many limits as requested"
is "$(hw plr log | grep -c state=waiting)" "$(hw plr log | wc -l)" "all random limits wait for a read"
hw plr log >log
value=0
for v in $(grep 'plr=0/0/2 ' log | field value); do value=$((value | v)); done
is $(($(get 2))) "$value" "the module has the bits of the log"
is "$(hw plr log | grep 'plr=0/0/2 ' | field state | sort -u)" read "a limit that was read has the state read"
hw plr random 8 1000000 100
until_ns $(($(now) + S / 5))
clear 2
clear 3
lost=$(hw plr log | grep state=lost)
is "$(echo "$lost" | grep plr=0/0/2 | field window | sort -u)" 1 \
	"a limit set between read and clear is lost in the window"
is "$(echo "$lost" | grep plr=0/0/3 | field window | sort -u)" 0 \
	"a limit cleared unread is lost outside the window"
hw plr stop
is "$(hw plr log)" "" "hw plr log is empty after stop"
hw plr random 7 1000000 100
until_ns $(($(now) + S / 5))
is "$(hw plr log | sed 's/^[^ ]* //' | sort)" "$(sed 's/^[^ ]* //' log | sort)" \
	"the same seed gives the same limits"
hw plr stop

# Make faults in the mailbox.
hw plr 0/0/1 =6
hw mailbox 0/0 noclear
clear 1
is "$(get 1)" 0x6 "noclear: a clear ends and changes nothing"
hw mailbox 0/0 ok
clear 1
is "$(get 1)" 0x0 "a clear changes the module once noclear is off"
hw plr 0/0/2 =9
hw mailbox 0/0 agent 2
is "$(get 1) $(qword 8)" "0x0 0x1000" "agent 2: the first command is left alone"
is "$(get 1) $(qword 8)" "0x9 0x2000" "agent 2: the second command is overwritten with another module's"
hw mailbox 0/0 ok
hw mesh 0/0/0 =2
give 0x100
is "$(qword 16)" 0x2 "the mesh gives its value"
hw mailbox 0/0 mesh ones
give 0x100
is "$(qword 16)" 0xffffffffffffffff "mesh ones: the mesh gives all ones"
hw mailbox 0/0 mesh busy
give 0x100
is "$(qword 8)" 0x8000000000000100 "mesh busy: the command does not end"
hw mailbox 0/0 ok
qword 8 >/dev/null

# Check the contents of the interface register after each kind of command.
clear 1
for kind in 'read 0x1000' 'write 0x1001' 'mesh-read 0x100' 'mesh-write 0x101'; do
	command=${kind#* } kind=${kind% *}
	for echo in full none zeroed status; do
		hw mailbox 0/0 echo $echo $kind
		hw mailbox 0/0 slow 20000000000
		qword 8 $((1 << 63 | command))
		meanwhile=$(qword 8)
		hw mailbox 0/0 slow 0
		# A running command keeps its time of 20 s, so start the command again.
		qword 8 $((1 << 63 | command))
		echo "$echo $meanwhile $(qword 8)"
	done
	hw mailbox 0/0 echo full
done >echoes
hw illegal reset
for command in 0x1000 0x1001 0x100 0x101; do
	busy=$(printf '0x%x' $((1 << 63 | command)))
	echo "full $busy $command
none 0x8000000000000000 0x0
zeroed $busy 0x0
status $busy 0x40"
done >want
is "$(diff want echoes)" "" "four kinds of command leave the four echoes that were set"

# Commands take 0 to 3 ms: times differ, and all are in that range.
hw mailbox 0/0 slow 0 3000000
hw count reset
for n in $(seq 40); do
	qword 8 $((1 << 63))
	while [ "$(hw mailbox 0/0 | field busy)" = 1 ]; do :; done
	hw mailbox 0/0 | field took
done >times
is "$(awk '$1 < 1000000' times | wc -l | awk '{ print ($1 > 4 && $1 < 30) }')$(awk '$1 >= 3000000' times)" \
	1 "commands of 0 to 3 ms take different times in that range"
is "$(hw mailbox 0/0 | field commands)" 40 "hw mailbox counts commands"
peak=$(hw mailbox 0/0 | field peak)
is "$((peak > 1 && peak <= 40))" 1 "hw mailbox has the most commands in a second ($peak)"
hw mailbox 0/0 slow 0

# Let the die level latch: firmware then adds the modules' reasons to it again and again.
hw plr step 1000000
hw plr clear
hw die 0/0 latches
hw plr 0/0/1 =8
hw die 0/0 =0
until_ns $(($(now) + 2000000))
is "$(hw die 0/0)" 0x00000008 "latches: a die cleared before its module is set again"
hw plr 0/0/1 =0
hw die 0/0 =0
until_ns $(($(now) + 2000000))
is "$(hw die 0/0)" 0x00000000 "latches: a die cleared after its module stays clear"
hw die 0/0 collects

# Read modules that do not exist, and a mesh that blocks the mailbox.
give $((200 << 12))
is "$(qword 8) $(qword 16)" "0xc8000 0x0" "an ID that does not exist reads as 0"
hw mailbox 0/0 unknown busy
give $((200 << 12))
is "$(qword 8)" 0x80000000000c8000 "unknown busy: a command for an ID that does not exist does not end"
hw mailbox 0/0 unknown zero
qword 8 >/dev/null
hw mailbox 0/0 mesh dead
is "$(get 1)" 0x0 "mesh dead: a core answers before the first mesh command"
give 0x100
is "$(qword 8)" 0x8000000000000100 "mesh dead: the mesh command does not end"
give $((1 << 12))
is "$(qword 8)" 0x8000000000001000 "mesh dead: no later command ends"
hw mailbox 0/0 ok
hw control 0 stuck
like "$(hw control 0)" 'grant_ns=18446744073709551615 run_ns=18446744073709551615' \
	"control stuck: grant and run never come"
hw control 0 grant 0
hw control 0 run 0

# Block writes, then reads of the feature at run time, as a BMC may do.
hw plr 0/0/1 =6
hw feature 0 0x0c write-blocked
clear 1
is "$(hw plr 0/0/1)" 0x0000000000000006 "write-blocked: a clear writes nothing"
hw feature 0 0x0c read-blocked
is "$(qword 0)" 0xffffffffffffffff "read-blocked: a read gives all ones"
hw feature 0 0x0c ok
is "$(get 1)" 0x6 "a feature that is ok again gives the module's value"
fails "hw plr schedule refuses a malformed line" sh -c 'echo "plr 0/0 1 2" | hw plr schedule -'
fails "hw plr schedule refuses a domain that does not exist" sh -c 'echo "plr 0/9/0 1 2 3" | hw plr schedule -'
SCRIPT
finish
