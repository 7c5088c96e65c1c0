#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check machine descriptions: the emulator starts all of selftests/machines, also hostile
# ones; tables are as on real machines; the message that refuses a wrong description has
# file, key and remedy.
# kernels: 6.12
# coverage: no, none of our drivers
. "$(dirname "$0")/../lib/tap.sh"

ARGS=$ROOT/selftests/emulator/qemu-args
QEMU=$("$ROOT/selftests/lib/build/qemu") || exit 1

cpu='"cpu": { "model": 173, "packages": 1, "cores": 2 }'
echo "{ \"name\": \"m\", $cpu, \"packages\": [ { \"tpmi\": {} } ] }" >"$TMP/tpmi-alone.json"
echo "{ \"name\": \"m\", $cpu, \"packages\": [ {} ] }" >"$TMP/neither.json"
for file in "$ROOT"/selftests/machines/*.json "$ROOT"/selftests/machines/hostile/*.json \
	"$TMP"/tpmi-alone.json "$TMP"/neither.json; do
	mapfile -t args < <("$ARGS" "$file")
	runs "the emulator starts ${file##*/}" timeout 30 "$QEMU" "${args[@]}" -nodefaults \
		-display none -S -monitor stdio <<<quit
done

# described: read a description. plan NAME PATTERN TEXT: check for TEXT in a line of its plan
described() {
	cat >"$TMP/m.json"
}
plan() {
	is "$("$ARGS" --plan "$TMP/m.json" | grep -E -m 1 -- "$2" | grep -oE -- "$3")" \
		"$3" "$1"
}
# field NAME PATTERN MASK VALUE: check the bits MASK of a dword, and that its other bits are
# not 0, as on servers
field() {
	local value

	value=$("$ARGS" --plan "$TMP/m.json" | sed -nE "/$2/{s/.*value=//p;q}")
	is "$(printf '%#x, %s' $((value & $3)) \
		$((value & ~$3 ? 1 : 0)))" "$4, 1" "$1"
}

described <<'DESCRIPTION'
{ "name": "m", "cpu": { "model": 173, "packages": 2, "cores": 6, "threads": 2 },
  "packages": [ {
    "discovery": { "units": [
      { "type": 6, "id": 3, "access": "mmio", "address": "auto", "status_offset": "0x5c" },
      { "type": 8, "access": "pci", "address": { "bus": "0x7e", "devfn": "01.1", "offset": "0x318" } } ] },
    "tpmi": { "plr": [ { "instance": 0, "modules": 2 }, { "instance": 1, "modules": 2 },
                       { "instance": 2, "modules": 2 } ] } } ] }
DESCRIPTION
plan "the first qword of an IMC has type, access and status" '^word .* at=64 ' 'value=0x4000005c08304004'
plan "the second qword of an IMC has the address of its first channel" '^word pkg=0 .* at=72 ' 'value=0xa8222800'
plan "the address of package 1's IMC is 8 MiB further" '^word pkg=1 .* at=72 ' 'value=0xa8a22800'
plan "IMCs of package 1 are in a gap of physical memory" '^gap pkg=1 ' 'base=0xa8800000 bytes=0x800000'
plan "the third qword of an IMC has type and id" '^word .* at=80 ' 'value=0x30006'
plan "a PCI address has bit 31, bus, function and offset" '^word pkg=0 .* at=136 ' 'value=0x87e09318'
plan "a PCI address of package 1 has package 1's bus" '^word pkg=1 .* at=136 ' 'value=0x8fe09318'
plan "the PFS has a row of PLR" '^pfs pkg=0 dev=0 index=9 ' 'value=0x1002c000a050c'
plan "PLR's feature is behind 0xb000" '^feature pkg=0 .* id=0xc ' 'base=0xb000 entries=5 bytes=40'
plan "TPMI_INFO of package 0 is as in the dumps" '^tpmi pkg=0' 'info0=0x2 info1=0x8000001c00000019'
plan "TPMI_INFO of package 1 is as in the dumps" '^tpmi pkg=1' 'info1=0x8000001c00018019'
plan "MSR 0x54 of the third CPU has module 1" '^msr address=0x54 cpu=2 ' 'value=0x8'
plan "MSR 0x54 of a CPU in the second domain has domain 1" '^msr address=0x54 cpu=5 ' 'value=0x801'
plan "MSR 0x54 of package 1's first CPU is 0" '^msr address=0x54 cpu=12 ' 'value=0x0'

described <<'DESCRIPTION'
{ "name": "m", "cpu": { "model": 143, "packages": 4, "cores": 2 },
  "packages": [ { "upi": { "bus": 30, "chop": "mcc" }, "msm": { "buses": { "0": 0, "9": "0x20" } },
    "functions": [ { "bus": 30, "devfn": "1f.0", "device": "8086:1234", "config": { "0x40": "0x12345678" } } ],
    "discovery": { "units": [ { "type": 6, "access": "mmio", "address": "auto" } ],
      "free_running": [ { "layout": "spr-iio", "count": 2 }, { "layout": "spr-imc", "bus": 30 } ] } } ] }
DESCRIPTION
# The first UPI link is function 1.1, devfn 9. Register 0x94 has node << 16 | port << 8.
field "link 0 of package 0 ends at link 2 of package 1" '^config segment=0 bus=30 devfn=9 at=0x94 ' 0xf1f00 0x10200
field "link 2 of package 1 ends at link 0 of package 0" '^config segment=0 bus=94 devfn=25 at=0x94 ' 0xf1f00 0
field "link 2 of package 1 is trained" '^config segment=0 bus=94 devfn=25 at=0x120 ' 0x10 0x10
field "a link whose partner would have no port is not trained" '^config segment=0 bus=94 devfn=33 at=0x120 ' 0x10 0
field "the UBOX has its node" '^config segment=0 bus=222 devfn=0 at=0xc0 ' 7 0x3
field "bus numbers of I/O stacks move with the package" '^config segment=0 bus=64 devfn=24 at=0x198 ' 0xff00 0x6000
plan \
	"the mask of valid bus numbers moves with the package" '^config segment=0 bus=64 devfn=24 at=0x1a0 ' 'value=0x201'
field "a register has the variant of the die" '^config segment=0 bus=30 devfn=243 at=0x94 ' 0xc0 0x40
plan \
	"a described dword is in the function's configuration space" '^config segment=0 bus=30 devfn=248 at=0x40 ' 'value=0x12345678'
plan "the clock of IIO 1 has its address" '^unit pkg=0 .*type=4097 id=1 ' 'address=0x341e'
plan \
	"data in and out of IIO 1 have eight counters" '^free pkg=0 .*type=4097 id=1 umask=0x30' 'at=0x3fa count=8 stride=1'
plan "a function has the base of the memory controllers" '^config segment=0 bus=94 devfn=1 at=0xd0 ' 'value=0x151'
field \
	"a function has the offset of the first memory controller" '^config segment=0 bus=94 devfn=1 at=0xd8 ' 0x7ff 0x200

described <<'DESCRIPTION'
{ "name": "m", "cpu": { "model": 143, "packages": 4, "cores": 1 }, "memory_mib": 1024,
  "packages": [ { "bus": ["0x6a", "0xe8", "0x6a", "0xe8"], "segment": [0, 0, 1, 1],
    "bus_nodes": { "0x7e": null }, "oobmsm": { "shape": "spr" },
    "upi": { "bus": "0x7e", "links": 0, "m3upi": 1 },
    "discovery": { "dvsec": { "bir": 1 }, "units": [
      { "type": 12, "ids": [2, 6], "access": "mmio", "address": "auto" },
      { "type": 9, "access": "pci", "address": { "bus": "0x7e", "devfn": "05.1", "offset": "0xa0", "device": "8086:3246" } } ] } } ] }
DESCRIPTION
plan "a PCI address in the second segment has its bus number" '^word pkg=3 .* at=200 ' 'value=0x9fe290a0'
plan "a unit in the second segment has its offset" '^unit pkg=3 .*type=9 id=0' 'access=pci address=0xa0'
plan "the second segment has its memory" '^segment ' 'number=1 first=0xaa000000 last=0xafffffff'
plan "a unit of a list has its number" '^unit pkg=0 .*type=12 id=6' 'id=6'
plan "a table in BAR 1 makes the BAR as large as on servers" '^table pkg=0' 'bar_bytes=262144'
plan \
	"the table has its DVSEC" '^capability pkg=0 .* id=1 ' 'at=0x100 vendor=0x8086 id=1 rev=1 entries=1 size=16 pointer=0x1'
plan "the telemetry has its VSEC" '^capability pkg=0 .*vsec=1' 'at=0x160 vsec=1 id=0x41'
args() { "$ARGS" "$TMP/m.json" | grep -E -- "$1"; }
like "$(args '^pxb.*=root1-e8,')" 'bus=segment1,bus_nr=232,addr=0x2,numa_node=3$' \
	"a root bus has the node of its package"
like "$(args '^pxb.*=root1-fe,')" 'bus=segment1,bus_nr=254,addr=0x3$' \
	"a root bus without a node has none in its arguments"
is "$(args 'device=0x3241') $(args 'device=0x3246' | wc -l)" ' 4' "the machine has M3UPI and no UPI"

described <<'DESCRIPTION'
{ "name": "m", "cpu": { "model": 143, "packages": 1, "cores": 2 }, "memory_controllers": "bar",
  "packages": [ {
    "discovery": { "units": [ { "type": 6, "count": 2, "access": "mmio", "address": "auto" } ],
      "free_running": [ { "layout": "spr-imc", "bus": 30 } ] } } ] }
DESCRIPTION
plan "IMCs with memory_controllers=bar are in a BAR" '^word .* at=136 ' 'value=0xa800 moves=3'
plan "8086:3251 has the address in the BAR" '^config segment=0 bus=30 devfn=1 at=0xd8 ' 'shift=12 mask=0x7ff'
is "$("$ARGS" --plan "$TMP/m.json" | grep -c '^gap ')" 0 "IMCs in a BAR leave no gap"
sed -i 's/"bar"/"reserved"/' "$TMP/m.json"
plan "IMCs with memory_controllers=reserved are in a reserved gap" '^gap ' 'reserved=1'

# refused WHAT PATTERN <JSON: check that a description is refused with the message PATTERN
refused() {
	described
	if message=$("$ARGS" --plan "$TMP/m.json" 2>&1 >/dev/null); then
		not_ok "qemu-args refuses $1" "accepted"
	else
		like "$message" "^qemu-args: [^:]*m.json: ([a-z0-9_.]|\\[[0-9]+\\])*$2" "qemu-args refuses $1"
	fi
}
cpu='"name": "m", "cpu": { "model": 143, "packages": 1, "cores": 2 }'
refused "an unknown key" 'colour: is not a key.*known: .*packages' <<<"{ $cpu, \"packages\": [ {} ], \"colour\": 1 }"
refused "an unknown key of a unit" \
	'packages\[0\].discovery.units\[0\].adress: is not a key' \
	<<<"{ $cpu, \"packages\": [ { \"discovery\": { \"units\": [ { \"type\": 1, \"access\": \"msr\", \"address\": 1, \"adress\": 2 } ] } } ] }"
refused "a number that does not fit" 'units\[0\].counters: 0x100 does not fit.*at most 0xff' \
	<<<"{ $cpu, \"packages\": [ { \"discovery\": { \"units\": [ { \"type\": 1, \"access\": \"msr\", \"address\": 1, \"counters\": 256 } ] } } ] }"
refused "a missing address" 'units\[0\].address: is missing' \
	<<<"{ $cpu, \"packages\": [ { \"discovery\": { \"units\": [ { \"type\": 1, \"access\": \"msr\" } ] } } ] }"
refused "a word for a number" "packages\[0\].bus: 'first' is not an unsigned number" \
	<<<"{ $cpu, \"packages\": [ { \"bus\": \"first\" } ] }"
refused "a root bus too few" 'packages\[0\].bus: does not give each package' \
	<<<'{ "name": "m", "cpu": { "model": 143, "packages": 2, "cores": 2 }, "packages": [ { "bus": [ 1 ] } ] }'
refused "a node that is a word" 'bus_nodes: is not understood' \
	<<<"{ $cpu, \"packages\": [ { \"bus_nodes\": { \"0x7e\": \"first\" } } ] }"
refused "a place that PCI does not have" "oobmsm.devfn: '20.0' is not a PCI device" \
	<<<"{ $cpu, \"packages\": [ { \"oobmsm\": { \"devfn\": \"20.0\" } } ] }"
refused "an access that nobody has" "access: 'io' is not known; one of msr, mmio" \
	<<<"{ $cpu, \"packages\": [ { \"discovery\": { \"units\": [ { \"type\": 1, \"access\": \"io\" } ] } } ] }"
refused "too few packages" 'packages: has 2 entries for 1' <<<"{ $cpu, \"packages\": [ {}, {} ] }"
refused "a limit of a module that is not there" 'plr\[0\].core: names a module' \
	<<<"{ $cpu, \"packages\": [ { \"tpmi\": { \"plr\": [ { \"instance\": 0, \"modules\": 1, \"core\": { \"1\": 1 } } ] } } ] }"
refused "modules that do not divide" 'cpus_per_module: 2 CPUs do not divide' \
	<<<"{ $cpu, \"packages\": [ { \"tpmi\": { \"plr\": [ { \"instance\": 0, \"modules\": 3 } ] } } ] }"
refused "two packages in one node" 'cpu.nodes: does not give each package' \
	<<<'{ "name": "m", "cpu": { "model": 143, "packages": 2, "cores": 2, "nodes": [ [ 3, 4 ], [ 4, 5 ] ] }, "packages": [ {} ] }'
refused "nodes that cores do not divide" 'cpu.nodes: does not divide' \
	<<<'{ "name": "m", "cpu": { "model": 143, "packages": 1, "cores": 3, "nodes": [ [ 0, 1 ] ] }, "packages": [ {} ] }'
refused "free-running counters of nobody" "layout: 'icx' is not known; one of spr-iio" \
	<<<"{ $cpu, \"packages\": [ { \"discovery\": { \"free_running\": [ { \"layout\": \"icx\" } ] } } ] }"
refused "more channels than there is room" 'units\[0\]: is one more memory channel' \
	<<<"{ $cpu, \"packages\": [ { \"discovery\": { \"units\": [ { \"type\": 6, \"count\": 25, \"access\": \"mmio\", \"address\": \"auto\" } ] } } ] }"
refused "memory where controllers are" 'memory_mib: reaches to' <<<"{ $cpu, \"memory_mib\": 2700, \"packages\": [ {} ] }"
refused "half a dword" 'config.0x42: is not a dword' \
	<<<"{ $cpu, \"packages\": [ { \"functions\": [ { \"bus\": 3, \"devfn\": \"01.0\", \"config\": { \"0x42\": 1 } } ] } ] }"
refused "CXL memory that no window can have" 'size_mib: 100 is no multiple of 256' \
	<<<"{ $cpu, \"packages\": [ {} ], \"cxl\": [ { \"size_mib\": 100 } ] }"
refused "a CPMU without counters" 'counters.*is 0' \
	<<<"{ $cpu, \"packages\": [ {} ], \"cxl\": [ { \"cpmu\": [ { \"counters\": 0 } ] } ] }"
echo '{ "name": ' >"$TMP/m.json"
fails "qemu-args refuses broken JSON" "$ARGS" "$TMP/m.json"
finish
