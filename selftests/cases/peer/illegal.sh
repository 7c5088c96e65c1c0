#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Access registers by hand in a guest without a driver, and check the emulator: it counts
# each access in the right class, logs it, and flags it as illegal exactly when hardware
# forbids it; a unit reacts to it as specified.
# kernels: 6.12
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# Put memory controllers into a BAR of the PCI function, where `hw mmio` reaches them. All
# units start at zero; peer/unkind.sh checks other states at power-on.
bar=$(machine gnr-2s 'm["memory_controllers"] = "bar"
m["power_on"] = "zero"
m["packages"][0]["oobmsm"]["wide"] = False
m["packages"][0]["discovery"]["global"]["frozen"] = False')
in_vm "gnr-2s" --kernel 6.12 --machine "$bar" --drivers none --allow-illegal \
	--program regs --log "$TMP/log" <<'SCRIPT'
modprobe msr
BDF=0000:00:03.1
UPI=/sys/bus/pci/devices/0000:7e:01.1/config

msr() { /root/regs msr 0 "$@"; }	# MSR [VALUE]
config() {	# OFFSET BYTES: read
	dd if=$UPI bs=$2 count=1 skip=$(($1)) iflag=skip_bytes 2>/dev/null | wc -c
}
# flagged WHY COMMAND...: check that COMMAND makes one illegal access, of kind WHY ("": none)
flagged() {
	why=$1
	shift
	hw illegal reset
	"$@" >/dev/null
	is "$(hw illegal | sed 's/.*why=//')" "$why" "the access is ${why:-legal}: $*"
}

IMC=0x2800	# package 0's first memory controller in the unit BAR
flagged "" hw mmio $BDF 2 $IMC 4
flagged "" hw mmio $BDF 2 $((IMC + 8)) 8
flagged "" hw mmio $BDF 2 $((IMC + 8)) 4
flagged "" hw mmio $BDF 2 $((IMC + 0x5c)) 4
flagged "wrong access width" hw mmio $BDF 2 $IMC 8
flagged "wrong access width" hw mmio $BDF 2 $IMC 2
flagged "wrong access width" hw mmio $BDF 2 $((IMC + 0x40)) 8 0
flagged "no register of the unit" hw mmio $BDF 2 $((IMC + 0x34)) 4
flagged "outside any unit" hw mmio $BDF 2 $((IMC + 0x60)) 4
flagged "outside any unit" hw mmio $BDF 2 0 4 1
flagged "read-only register written" hw mmio $BDF 0 0 8 0
flagged "read-only register written" hw mmio $BDF 1 0 8 0
flagged "read-only register written" hw mmio $BDF 1 $((0x34 * 1024)) 8 0
flagged "read-only register written" hw mmio $BDF 1 $((0x2c * 1024)) 8 0
flagged "wrong access width" hw mmio $BDF 1 $((0x2c * 1024)) 4
flagged "" hw mmio $BDF 1 $((0x2c * 1024 + 0x18)) 8
flagged "written to an instance that is not there" hw mmio $BDF 1 $((0x2c * 1024 + 3 * 0x28 + 0x10)) 8 0
flagged "between the TPMI features" hw mmio $BDF 1 $((0x200)) 4
flagged "written to a feature that is not modelled" hw mmio $BDF 1 $((0xc * 1024)) 8 0
flagged "MSR of no unit" msr 0x2fff
flagged "" msr 0x2000
flagged "wrong access width" config 0x318 1
flagged "" config 0x318 4
flagged "" config 0 4

# A counter may be written while stopped, not while running.
ctl() { hw mmio $BDF 2 $((IMC + 0x40)) 4 $1; }
flagged "" hw mmio $BDF 2 $((IMC + 8)) 8 5
flagged "" ctl 0x0105
flagged "counter written while it runs" hw mmio $BDF 2 $((IMC + 8)) 8 5
hw mmio $BDF 2 $IMC 4 1
flagged "" hw mmio $BDF 2 $((IMC + 8)) 8 5
is "$(hw mmio $BDF 2 $((IMC + 8)) 8)" 0x5 "a stopped counter holds what was written"

# Check freeze, resets and wrap. None of them stops `hw truth`, the record of all events.
is "$(hw mmio $BDF 2 $IMC 4)" 0x1 "the box control reads as frozen"
hw truth reset
sleep 0.01
like "$(hw truth 0/6/0 0)" ' counted=0 happened=[1-9][0-9]* value=0x5 .* frozen_ns=[1-9]' \
	"a frozen counter counts nothing while events happen"
hw mmio $BDF 2 $IMC 4 0x201
is "$(hw mmio $BDF 2 $IMC 4) $(hw mmio $BDF 2 $((IMC + 8)) 8) $(hw mmio $BDF 2 $((IMC + 0x40)) 4)" \
	"0x1 0x0 0x105" "bit 9 of the box control resets the counters and reads 0"
hw mmio $BDF 2 $IMC 4 0x101
is "$(hw mmio $BDF 2 $((IMC + 0x40)) 4)" 0x0 "bit 8 of the box control resets the controls"
hw box 0/6/0 preload 0 0xfffffffffffe
hw mmio $BDF 2 $IMC 4 0
ctl 0x0105
is "$(hw mmio $BDF 2 $((IMC + 0x5c)) 4)" 0x1 "a wrap sets the status bit"
hw mmio $BDF 2 $((IMC + 0x5c)) 4 1
is "$(hw mmio $BDF 2 $((IMC + 0x5c)) 4)" 0x0 "writing 1 clears the status bit"
counted=$(hw truth 0/6/0 0 | sed 's/.* counted=\([0-9]*\).*/\1/')
isnt "$counted" 0 "the hardware's count goes on over resets"

# The fixed counter needs bit 22 of its control; the global control freezes all counters.
hw mmio $BDF 2 $((IMC + 0x54)) 4 1
like "$(hw truth 0/6/0 fixed)" ' counted=0 ' "the fixed counter stands still without bit 22"
hw mmio $BDF 2 $((IMC + 0x54)) 4 0x400000
unlike "$(hw truth 0/6/0 fixed)" ' counted=0 ' "the fixed counter counts with bit 22"
msr 0x2ff0 1
a=$(hw mmio $BDF 2 $((IMC + 8)) 8)
is "$(hw mmio $BDF 2 $((IMC + 8)) 8)" "$a" "the global control freezes a counter"
msr 0x2ff0 0
isnt "$(hw mmio $BDF 2 $((IMC + 8)) 8)" "$a" "the global control unfreezes a counter"

# Put the PCI function into D3 and back, pull it out and insert it again.
hw d3 0 on
is "$(hw mmio $BDF 2 $IMC 4)" 0xffffffff "memory of a function in D3 reads as all ones"
flagged "memory access to a function in D3" hw mmio $BDF 2 $IMC 4
hw d3 0 off
hw remove 0
is "$(hw mmio $BDF 0 0 4)" 0xffffffff "memory of a removed function reads as all ones"
hw insert 0
isnt "$(hw mmio $BDF 0 0 4)" 0xffffffff "memory of an inserted function is readable"
for bar in 0 1; do
	is "$(hw mmio $BDF $bar 0 8)" 0xffffffffffffffff \
		"BAR $bar: a read of 8 bytes of a table gives all ones"
	isnt "$(hw mmio $BDF $bar 0 4)" 0xffffffff "BAR $bar: a read of 4 bytes of a table gives the table"
done

# Use the mailbox step by step.
PLR=$((0x2c * 1024))
hw plr 0/0/2 0x0000000100000002
hw mailbox 0/0 slow 5000000000
hw mmio $BDF 1 $((PLR + 8)) 8 0x8000000000002000
is "$(hw mmio $BDF 1 $((PLR + 8)) 8)" 0x8000000000002000 "RUN_BUSY stays set for the command's time"
flagged "mailbox used while it is busy" hw mmio $BDF 1 $((PLR + 0x10)) 8
sleep 5.1
is "$(hw mmio $BDF 1 $((PLR + 8)) 8) $(hw mmio $BDF 1 $((PLR + 0x10)) 8)" \
	"0x2000 0x100000002" "the data is in the mailbox once the command has ended"
hw mailbox 0/0 slow 0
hw mmio $BDF 1 $((PLR + 0x10)) 8 0
hw mmio $BDF 1 $((PLR + 8)) 8 0x8000000000002001
hw mmio $BDF 1 $((PLR + 8)) 8 >/dev/null
is "$(hw plr 0/0/2)" 0x0000000000000000 "command 1 stores the data in the module"
hw mmio $BDF 1 $((PLR + 8)) 8 0x80000000000ff000
hw mmio $BDF 1 $((PLR + 8)) 8 >/dev/null
is "$(hw mmio $BDF 1 $((PLR + 0x10)) 8)" 0x0 "a module that does not exist reads as 0"

hw log begin
hw count reset
hw mmio $BDF 2 $((IMC + 8)) 8
hw mmio $BDF 2 $IMC 4 0x301
hw count unit 0/6/0 | grep -v 'reads=0 writes=0'
hw count | grep -E 'class=(counter|box-ctl) '
hw log end
SCRIPT
counts=$(grep '^class=' "$TMP/out" | sort -u)
is "$counts" "class=box-ctl reads=0 writes=1 bytes=4
class=counter reads=1 writes=0 bytes=8" "hw count has accesses by class for the unit and in all"
log=$(sed -n '/# begin/,/# end/p' "$TMP/log" | sed 1d | grep -v ' # ' | cut -d' ' -f3-)
like "$(sed -n 1p <<<"$log")" '^r counter 0/6/0 0x[0-9a-f]+ 8 0x[0-9a-f]+$' "the access log has the read"
like "$(sed -n 2p <<<"$log")" '^w box-ctl 0/6/0 0x[0-9a-f]+ 4 0x301$' "the access log has the write"
is "$(wc -l <<<"$log")" 2 "the access log has no other access"

in_vm "memory controllers" --kernel 6.12 --machine gnr-2s --drivers none \
	--allow-illegal <<'SCRIPT'
# flagged WHY ADDRESS [BITS]: read ADDRESS; check that this is illegal, of kind WHY ("": legal)
flagged() {
	hw illegal reset
	devmem "$2" "${3:-32}" >/dev/null
	is "$(hw illegal | sed 's/.*why=//')" "$1" "the read at $2 is ${1:-legal}"
}

IMC=$((0x100000222800))	# package 0's first memory controller, behind no function
flagged '' $IMC
flagged 'wrong access width' $IMC 64
flagged 'outside any unit' $((IMC + 0x60))
flagged 'outside any unit' $((0x100000000000))
hw box 0/6/0 poke box 1
is "$(devmem $IMC 32)" 0x00000001 "an address of package 0 reaches package 0's register"
is "$(devmem $((0x100000a22800)) 32)" 0x00000000 "an address of package 1 reaches package 1's register"
hw d3 0 on
flagged '' $IMC
hw d3 0 off
hw remove 0
is "$(devmem $IMC 32)" 0xFFFFFFFF 'memory controllers of a removed package read as all ones'
hw insert 0
SCRIPT
finish
