# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl dump. What becomes of a dump has a case of its own, in guests.

# words AT VALUE...: dwords of the configuration space of $function
words() {
	at=$1
	shift
	for word; do
		printf '%b' "$(printf '\\0%03o\\0%03o\\0%03o\\0%03o' \
			$((word & 255)) $((word >> 8 & 255)) \
			$((word >> 16 & 255)) $((word >> 24)))" |
			dd of="$function/config" bs=1 seek=$((at)) conv=notrunc \
				2>/dev/null
		at=$((at + 4))
	done
}

# the host: one package, a table of two records, TPMI and two modules
host() {
	new_tree "dump-$1"
	mkdir -p "$root/proc/sys/kernel" "$root/sys/class/dmi/id"
	echo secret-name >"$root/proc/sys/kernel/hostname"
	echo secret-serial >"$root/sys/class/dmi/id/product_serial"
	echo Product >"$root/sys/class/dmi/id/product_name"
	printf '%s\t: %s\n' 'cpu family' 6 model 173 'model name' 'A "CPU"' \
		stepping 1 flags 'fpu vme hypervisor' >"$root/proc/cpuinfo"
	for each in 0 1; do
		cpu $each
		mkdir -p "$root/sys/devices/system/cpu/cpu$each/topology" \
			"$root/sys/devices/system/cpu/cpu$each/node0"
		echo 0 >"$root/sys/devices/system/cpu/cpu$each/topology/physical_package_id"
		echo $each >"$root/sys/devices/system/cpu/cpu$each/topology/core_id"
	done
	function=$root/sys/devices/pci0000:00/0000:00:03.1
	mkdir -p "$function/pmon" "$root/sys/bus/pci/devices" "$(class)"
	ln -s ../../../devices/pci0000:00/0000:00:03.1 "$root/sys/bus/pci/devices/"
	echo 0x8086 >"$function/vendor"
	echo 0x09a7 >"$function/device"
	echo D0 >"$function/power_state"
	printf '0x%016x 0x%016x 0x%016x\n' 0xfe000000 0xfe000fff 0x200 0 0 0 >"$function/resource"
	truncate -s 4096 "$function/config"
	words 0x100 0x14010023 0x01018086 0x10010001 0x0
	# a serial number, which is nobody's business, and a capability behind it
	words 0x140 0x20010003 0x11223344 0x55667788
	words 0x200 0x0001000b 0x01010042 0x020f0000 0x1
	for each in uncore0 tpmi0; do
		mkdir "$function/pmon/pkg0-$each"
		ln -s "../../devices/pci0000:00/0000:00:03.1/pmon/pkg0-$each" "$(class)/pkg0-$each"
	done
	# a domain stays when its function goes
	mkdir -p "$root/sys/devices/virtual/pmon/pkg0-dom0"
	ln -s ../../devices/virtual/pmon/pkg0-dom0 "$(class)/pkg0-dom0"
	discovery 0
	unit 0 6 imc 0 mmio 0xfe000800 4+1 48 uncore_imc_0 openpmon uncore_type_6_0
	unit 0 4097 iio_free_running 3 msr 0x340e 17 48 uncore_iio_free_running_3 openpmon -
	rejected 0 6 1 width 0xff wider than a register
	printf '\001\002\377' >"$(class)/pkg0-uncore0/table"
	tpmi 0 on
	put pkg0-tpmi0/partition 0
	printf '\014\000' >"$(class)/pkg0-tpmi0/table"
	domain 0 0 0-1
	core 0 0 3 0-1 none
}

host all
run 0 dump && silent && is_json && python3 - "$tmp/out" <<-'END'
	import json, sys
	d = json.load(open(sys.argv[1]))
	assert d["kind"] == "openpmon dump" and d["format"] == 1
	assert d["host"]["name"] == "secret-name" and d["host"]["serial"] == "secret-serial"
	assert d["cpu"] == {"name": 'A "CPU"', "family": 6, "model": 173, "stepping": 1,
		"hypervisor": True}
	assert [(c["cpu"], c["package"], c["core"], c["node"]) for c in d["cpus"]] \
		== [(0, 0, 0, 0), (1, 0, 1, 0)]
	f, = d["pci"]
	assert f["function"] == "0000:00:03.1" and f["root_bus"]
	assert f["bars"] == [{"bar": 0, "start": "0xfe000000", "bytes": "0x1000"}]
	assert f["capabilities"] == [["0x14010023", "0x1018086", "0x10010001", "0x0"],
		["0x1000b", "0x1010042", "0x20f0000", "0x1"]]
	t, = d["discovery"]
	assert t["function"] == "0000:00:03.1" and t["table"] == "0102ff"
	assert t["free_running"] == [{"name": "iio_free_running", "id": 3, "width": 48}]
	assert t["rejected"] == [{"type": "6", "id": "1", "field": "width", "value": "0xff",
		"reason": "wider than a register"}]
	assert d["tpmi"][0]["table"] == "0c00"
	assert d["domains"][0]["modules"] == [{"module": 3, "cpus": "0-1"}]
	assert d["domains"][0]["meshes"] == 1
	END
verdict $? "dump: the host"
run 0 dump --redact && is_json && ! grep -q secret "$tmp/out" && grep -q Product "$tmp/out"
verdict $? "dump: --redact"
run 0 dump && ! grep -qi '11223344\|55667788' "$tmp/out"
verdict $? "dump: no serial number of a PCI function"

# config DEVICE AT VALUE: what a function that has no table says of itself there
config() {
	host "config-$1"
	function=$root/sys/devices/pci0000:15/0000:15:00.0
	mkdir -p "$function"
	ln -s ../../../devices/pci0000:15/0000:15:00.0 "$root/sys/bus/pci/devices/"
	echo 0x8086 >"$function/vendor"
	echo "$1" >"$function/device"
	truncate -s 4096 "$function/config"
	words "$2" "$3"
	run 0 dump && is_json && python3 -IS - "$tmp/out" "$2" "$3" <<-'END'
		import json, sys
		f = [f for f in json.load(open(sys.argv[1]))["pci"]
			if f["function"] == "0000:15:00.0"]
		assert f[0]["config"].get(sys.argv[2]) == sys.argv[3], f
	END
}
# The dwords that the driver reads: what it takes for them, from its source.
topology=$here/../../../drivers/uncore/package.c
define() {
	sed -n "s/^#define $1[	 ]*//p" "$topology"
}
for pair in MESH2IIO_DEVICE:SAD_CONTROL_CFG PCU_DEVICE:PCU_CAPID4 \
	MSM_DEVICE:MSM_BUSES_VALID; do
	config "$(define ${pair%:*})" "$(define ${pair#*:})" 0x20
	verdict $? "dump: what the driver reads of ${pair%:*}"
done
config 0x09a2 0x3f4 0x20
verdict $? "dump: which place a root bus of Grand Ridge has"

# A list of capabilities that goes in circles ends.
host circle
words 0x200 0x1000000b
run 0 dump && is_json && [ "$(grep -c 0x1000000b "$tmp/out")" = 1 ]
verdict $? "dump: capabilities in a circle"

host cold
echo D3cold >"$function/power_state"
run 0 dump && is_json && ! grep -q capabilities "$tmp/out"
verdict $? "dump: a function in D3cold is not asked"

host gone
rm "$(class)/pkg0-tpmi0/table"
run 1 dump && is_json && complains 'pkg0-tpmi0/table'
verdict $? "dump: a table that cannot be read"
rm "$(class)/pkg0-uncore0/table"
run 2 dump && complains 'pkg0-uncore0/table' && prints </dev/null
verdict $? "dump: without tables there is nothing to send"
host large
head -c 30000 /dev/zero >"$(class)/pkg0-tpmi0/table"
run 1 dump && is_json && complains 'pkg0-tpmi0/table'
verdict $? "dump: a table that is too large"
new_tree dump-none
run 77 dump && is_json
verdict $? "dump: no supported hardware is 77"
