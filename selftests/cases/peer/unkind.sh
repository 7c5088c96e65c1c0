#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check that emulated servers are by default as hostile to drivers as real ones: register
# contents at power-on, freezes, incomplete resets. This case checks registers by hand;
# peer/counts.sh uses the kernel's own drivers.
# kernels: 6.12
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"

ARGS=$ROOT/selftests/emulator/qemu-args

# frozen MODEL [CODE]: count global controls that freeze boxes at power-on (Linux 7.2 clears them)
frozen() {
	"$ARGS" --plan "$(machine gnr-2s "m['cpu']['model'] = $1; $2")" |
		grep -c "^unit .* global=1 .*box=0x1$"
}
for model in 173 174 175 182 221; do
	is "$(frozen $model)" 2 "model $model is frozen at power-on"
done
for model in 143 207 106; do
	is "$(frozen $model)" 0 "model $model is not"
done
g='m["packages"][0]["discovery"]["global"]'
is "$(frozen 173 "${g}['frozen'] = False")" 0 "firmware that has cleared it"
is "$(frozen 143 "${g}['frozen'] = True")" 2 "firmware that has set it"

# seed CODE: print the seed of random values for a machine that CODE changes
seed() {
	"$ARGS" --plan "$(machine gnr-2s "$1")" | grep -oE '^machine .* seed=[^ ]*' |
		sed 's/.*seed=//'
}
is "$(seed '')" "$(seed '')" "garbage is the same each time"
isnt "$(seed '')" "$(seed 'm["name"] = "other"')" "and another machine's is not"
is "$(seed 'm["seed"] = 7')" 0x7 "unless it says so"
is "$(seed 'm["power_on"] = "zero"')" '' "no garbage if it says so"

cat >"$TMP/registers.sh" <<'S'
# box UNIT VALUE: write a unit's box control, an MSR, MMIO or PCI register
box() {
	case $1 in
	0/0/0) /root/regs msr 0 0x2000 $2 ;;
	0/6/0) devmem $((0x100000222800)) 32 $2 ;;
	0/8/0) /root/regs pci 0000:7e:01.1 0x318 $2 ;;
	esac
}
# field NAME UNIT: print a field of all counters but the fixed one
field() {
	hw truth "$2" | grep -v fixed | grep -oE " $1=[^ ]*" | cut -d= -f2 |
		tr '\n' ' '
}
fixed() { hw truth "$2" fixed | grep -oE " $1=[^ ]*" | cut -d= -f2; }
S

in_vm "gnr-2s" --kernel 6.12 --machine gnr-2s --drivers none \
	--program regs --copy "$TMP/registers.sh" <<'S'
. /root/registers.sh
modprobe msr

is "$(hw global all)" "device=0/0 global=0x1
device=1/0 global=0x1" "frozen at power-on"
hw units | sed 's|pkg=\([0-9]*\) type=\([0-9]*\) id=\([0-9]*\) .*|\1/\2/\3|' >units
sed 's/^/box /' units | hw - >boxes
sed 's/^/truth /' units | hw - >counters
n=$(wc -l <counters)
is "$(grep -o 'value=[^ ]*' counters | sort -u | wc -l)" "$n" \
	"all $n counters hold different values"
isnt "$(($(grep -o 'ctl=[^ ]*' counters | sort -u | wc -l) > n * 9 / 10))" 0 "so do controls"
is "$(cut -d' ' -f1 boxes | sort -u | tr '\n' ' ')" 'box=0x0 box=0x1 ' \
	"some boxes are frozen"
isnt "$(grep -o 'filter=0x[^0][^ ]*' boxes | sort -u | wc -l)" 0 "filters"
is "$(grep -c ' left=0$' counters)" "$n" "nothing counts while all is frozen"

# Accesses to the global control have a class of their own.
hw count reset
is "$(/root/regs msr 0 0x2ff0)" 0x0 'what it freezes cannot be read'
/root/regs msr 0 0x2ff0 0
is "$(accesses global-ctl reads) $(accesses global-ctl writes) $(accesses box-ctl writes)" \
	'1 1 0' 'one read, one write of the global control'
is "$(hw global all)" "device=0/0 global=0x0
device=1/0 global=0x1" "it is its package's"
fails "there are no others" hw global 2/0
hw global 1/0 =0
is "$(hw global 1/0) $(accesses global-ctl writes)" "device=1/0 global=0x0 1" \
	"firmware's accesses are not counted"

hw box 0/0/0 poke box 0
sleep 0.01
like "$(hw truth 0/0/0 1)" 'counted=0 happened=0 .* left=[1-9]' \
	"what was left running counts, and nothing asked for it"

# Bits 8 and 9 of the box control reset a frozen box, except some registers.
for unit in 0/0/0 0/6/0 0/8/0; do
	box $unit 1
	ctl=$(field ctl $unit) value=$(field value $unit)
	filter=$(hw box $unit | grep -o 'filter=[^ ]*')
	[ $unit != 0/6/0 ] || clock=$(fixed value $unit)
	box $unit 0x201
	is "$(field value $unit)" '0x0 0x0 0x0 0x0 ' "$unit: bit 9 resets the counters"
	is "$(field ctl $unit)" "$ctl" "$unit: and no control"
	box $unit 0x101
	case $unit in
	0/8/0) is "$(field ctl $unit)" "$(echo "$ctl" |
		sed 's/........ /00000000 /g')" \
		"$unit: bit 8 resets the lower halves of controls" ;;
	*) is "$(field ctl $unit)" \
		'0x00000000 0x00000000 0x00000000 0x00000000 ' \
		"$unit: bit 8 resets the controls" ;;
	esac
	like "$(hw box $unit)" "^box=0x1 .* $filter " "$unit: not the filter"
done
is "$(fixed value 0/6/0) $(fixed ctl 0/6/0)" "$clock 0x00000000" \
	"the fixed counter keeps its value, its control is reset"
like "$(fixed value 0/6/0)" '0x[0-9a-f]{6}' "which is something"
is "$(hw illegal)" '' 'nothing of that is illegal'
S

in_vm "a kind machine" --kernel 6.12 --drivers none --program regs --copy "$TMP/registers.sh" \
	--machine "$(machine gnr-2s "${g}['frozen'] = False
m['power_on'] = 'zero'
m['reset'] = 'all'")" <<'S'
. /root/registers.sh
modprobe msr

is "$(hw global all | grep -c =0x0)" 2 "nothing is frozen"
for unit in 0/0/0 0/6/0 0/8/0; do
	is "$(field ctl $unit)$(field value $unit)" \
		'0x00000000 0x00000000 0x00000000 0x00000000 0x0 0x0 0x0 0x0 ' \
		"$unit: zero at power-on"
	like "$(hw box $unit)" '^box=0x0 .* status=0x0 filter=0x0' "$unit: the box, too"
	hw box $unit poke ctl 1 0x12340000005
done
hw box 0/6/0 preload 4 12345
box 0/6/0 0x301
box 0/8/0 0x301
is "$(fixed value 0/6/0)" 0x0 "the fixed counter is reset"
is "$(field ctl 0/8/0)" '0x00000000 0x00000000 0x00000000 0x00000000 ' \
	"so are whole controls"
S
finish
