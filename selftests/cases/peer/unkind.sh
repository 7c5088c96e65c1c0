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
	is "$(frozen $model)" 0 "model $model is not frozen at power-on"
done
g='m["packages"][0]["discovery"]["global"]'
is "$(frozen 173 "${g}['frozen'] = False")" 0 "boxes run at power-on if frozen is false"
is "$(frozen 143 "${g}['frozen'] = True")" 2 "boxes are frozen at power-on if frozen is true"

# seed CODE: print the seed of random values for a machine that CODE changes
seed() {
	"$ARGS" --plan "$(machine gnr-2s "$1")" | grep -oE '^machine .* seed=[^ ]*' |
		sed 's/.*seed=//'
}
is "$(seed '')" "$(seed '')" "a machine has the same garbage at each start"
isnt "$(seed '')" "$(seed 'm["name"] = "other"')" "machines with different names have different garbage"
is "$(seed 'm["seed"] = 7')" 0x7 "a machine with a seed has the garbage of the seed"
is "$(seed 'm["power_on"] = "zero"')" '' "a machine with power_on zero has no garbage"

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
device=1/0 global=0x1" "both packages are frozen at power-on"
hw units | sed 's|pkg=\([0-9]*\) type=\([0-9]*\) id=\([0-9]*\) .*|\1/\2/\3|' >units
sed 's/^/box /' units | hw - >boxes
sed 's/^/truth /' units | hw - >counters
n=$(wc -l <counters)
is "$(grep -o 'value=[^ ]*' counters | sort -u | wc -l)" "$n" \
	"all $n counters hold different values at power-on"
isnt "$(($(grep -o 'ctl=[^ ]*' counters | sort -u | wc -l) > n * 9 / 10))" 0 \
	"nine of ten controls hold different values at power-on"
is "$(cut -d' ' -f1 boxes | sort -u | tr '\n' ' ')" 'box=0x0 box=0x1 ' \
	"some boxes are frozen by their own control at power-on"
isnt "$(grep -o 'filter=0x[^0][^ ]*' boxes | sort -u | wc -l)" 0 "filters hold garbage at power-on"
is "$(grep -c ' left=0$' counters)" "$n" "no counter counts while all is frozen"

# Accesses to the global control have a class of their own.
hw count reset
is "$(/root/regs msr 0 0x2ff0)" 0x0 'the freeze of a global control cannot be read'
/root/regs msr 0 0x2ff0 0
is "$(uncore_accesses global-ctl reads) $(uncore_accesses global-ctl writes) $(uncore_accesses box-ctl writes)" \
	'1 1 0' 'hw count has one read and one write of the global control'
is "$(hw global all)" "device=0/0 global=0x0
device=1/0 global=0x1" "a global control freezes its own package alone"
fails "hw global refuses a device that does not exist" hw global 2/0
hw global 1/0 =0
is "$(hw global 1/0) $(uncore_accesses global-ctl writes)" "device=1/0 global=0x0 1" \
	"accesses of hw global are not counted"

hw box 0/0/0 poke box 0
sleep 0.01
like "$(hw truth 0/0/0 1)" 'counted=0 happened=0 .* left=[1-9]' \
	"a counter that was left running counts without an event"

# Bits 8 and 9 of the box control reset a frozen box, except some registers.
for unit in 0/0/0 0/6/0 0/8/0; do
	box $unit 1
	ctl=$(field ctl $unit) value=$(field value $unit)
	filter=$(hw box $unit | grep -o 'filter=[^ ]*')
	[ $unit != 0/6/0 ] || clock=$(fixed value $unit)
	box $unit 0x201
	is "$(field value $unit)" '0x0 0x0 0x0 0x0 ' "$unit: bit 9 of the box control resets the counters"
	is "$(field ctl $unit)" "$ctl" "$unit: bit 9 of the box control leaves the controls"
	box $unit 0x101
	case $unit in
	0/8/0) is "$(field ctl $unit)" "$(echo "$ctl" |
		sed 's/........ /00000000 /g')" \
		"$unit: bit 8 of the box control resets the lower halves of controls" ;;
	*) is "$(field ctl $unit)" \
		'0x00000000 0x00000000 0x00000000 0x00000000 ' \
		"$unit: bit 8 of the box control resets the controls" ;;
	esac
	like "$(hw box $unit)" "^box=0x1 .* $filter " "$unit: bit 8 of the box control leaves the filter"
done
is "$(fixed value 0/6/0) $(fixed ctl 0/6/0)" "$clock 0x00000000" \
	"a reset keeps the fixed counter's value and clears its control"
like "$(fixed value 0/6/0)" '0x[0-9a-f]{6}' "the fixed counter's value is garbage"
is "$(hw illegal)" '' 'no access to reset a box is illegal'
S

in_vm "a kind machine" --kernel 6.12 --drivers none --program regs --copy "$TMP/registers.sh" \
	--machine "$(machine gnr-2s "${g}['frozen'] = False
m['power_on'] = 'zero'
m['reset'] = 'all'")" <<'S'
. /root/registers.sh
modprobe msr

is "$(hw global all | grep -c =0x0)" 2 "no package is frozen on a kind machine"
for unit in 0/0/0 0/6/0 0/8/0; do
	is "$(field ctl $unit)$(field value $unit)" \
		'0x00000000 0x00000000 0x00000000 0x00000000 0x0 0x0 0x0 0x0 ' \
		"$unit: controls and counters are 0 at power-on"
	like "$(hw box $unit)" '^box=0x0 .* status=0x0 filter=0x0' \
		"$unit: box control, status and filter are 0 at power-on"
	hw box $unit poke ctl 1 0x12340000005
done
hw box 0/6/0 preload 4 12345
box 0/6/0 0x301
box 0/8/0 0x301
is "$(fixed value 0/6/0)" 0x0 "a reset clears the fixed counter on a kind machine"
is "$(field ctl 0/8/0)" '0x00000000 0x00000000 0x00000000 0x00000000 ' \
	"a reset clears whole controls on a kind machine"
S
finish
