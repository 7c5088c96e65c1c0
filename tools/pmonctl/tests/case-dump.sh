# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016,SC2034
# Test pmonctl dump. Cases in guests test that a dump becomes an emulated machine.

# real: make a host with a discovery table, a die, maps of memory, a log and a CXL device
real() {
	put proc/cpuinfo 'model name	: Xeon' 'cpu family	: 6' 'model		: 173' \
		'stepping	: 1' 'microcode	: 0x2b' 'flags		: fpu hypervisor'
	put proc/sys/kernel/hostname secret-host
	put proc/sys/kernel/osrelease 6.18-tree
	files sys/class/dmi/id/ <<-'END'
	product_serial SN1
	sys_vendor Vendor
	product_name Board
	bios_version 1.0
	END
	topology 0 0
	put sys/devices/system/cpu/cpu0/topology/core_id 3
	mkdir -p "$root/sys/devices/system/cpu/cpu0/node1" \
		"$root/sys/devices/pci0000:00/0000:00:03.1/pmon"
	put dev/cpu/0/msr ''
	printf '\010\010\000\000\000\000\000\000' |
		dd of="$root/dev/cpu/0/msr" bs=1 seek=84 conv=notrunc status=none
	put 0000:00:00.1/vendor 0x8086
	put 0000:00:00.1/device 0x3251
	head -c 256 /dev/zero >"$functions/0000:00:00.1/config"
	printf '\221\001' | dd of="$functions/0000:00:00.1/config" bs=1 seek=208 \
		conv=notrunc status=none
	put 0000:17:00.0/vendor 0x15b3
	put 0000:17:00.0/device 0x1017
	put 0000:17:00.0/class 0x020000
	config_space 4096 '\0043\0000\0001\0000\0206\0200\0001\0001\0001\0000\0001\0003\0000\0000\0000\0000'
	put 0000:00:03.1/resource '0x0000000000001000 0x0000000000002fff 0x40200' \
		'0x0000000000000000 0x0000000000000000 0x0'
	put 0000:00:03.1/power_state D0
	mv "$functions/0000:00:03.1"/* "$root/sys/devices/pci0000:00/0000:00:03.1/"
	rmdir "$functions/0000:00:03.1"
	link ../../../devices/pci0000:00/0000:00:03.1 sys/bus/pci/devices/0000:00:03.1
	spr
	live pmon_plr
	put sys/module/pmon_plr/version 0.8
	mkdir -p "$root/sys/devices/pci0000:00/0000:00:03.1/pmon"
	mv "$class/pkg0-uncore0" "$root/sys/devices/pci0000:00/0000:00:03.1/pmon/"
	link ../../devices/pci0000:00/0000:00:03.1/pmon/pkg0-uncore0 sys/class/pmon/pkg0-uncore0
	printf '\001\000\377' >"$class/pkg0-uncore0/table"
	unit 0 6 imc_free_running 2 mmio 0x2 3 48 x openpmon
	put pkg0-uncore0/rejected '6 1 address 0xc8a00000 claimed by something else'
	domain 0 1 0
	core 0 1 5 0 none
	put proc/iomem '00000000-0009ffff : System RAM' '  00001000-00001fff : Kernel code' \
		'c8800000-c8ffffff : Reserved' '  c8a00000-c8a00fff : secret_driver'
	files sys/firmware/memmap/0/ <<-'END'
	start 0x0
	end 0x9ffff
	type System RAM
	END
	mkdir -p "$root/sys/firmware/acpi/tables"
	{
		head -c 44 /dev/zero
		printf '\000\000\000\200\000\000\000\000\001\000\000\377\000\000\000\000'
	} >"$root/sys/firmware/acpi/tables/MCFG"
	put log '<6>[    1.0] pci_bus 0000:00: root bus resource [mem 0xa0000000-0xafffffff]' \
		'<6>[    2.0] secret: password' '<4>[    3.0] pmon_uncore: package 0: a line'
	box uncore_type_6_0 24 0
	memory mem0 0000:c1:00.0 0x5e
	put sys/devices/pci0000:c0/0000:c1:00.0/mem0/numa_node 1
}

rows <<'END'
dump: what a host has | : a real | 0 dump
= assert m['kind'] == 'openpmon dump' and m['format'] == 1 and m['modules'] == {'pmon_plr': '0.8'}
= assert m['host'] == {'name': 'secret-host', 'serial': 'SN1', 'vendor': 'Vendor',
=     'product': 'Board', 'bios': '1.0', 'kernel': '6.18-tree'}, m['host']
= assert m['cpu'] == {'name': 'Xeon', 'family': 6, 'model': 173, 'stepping': 1,
=     'microcode': '0x2b', 'hypervisor': True}, m['cpu']
= assert m['cpus'] == [{'package': 0, 'core': 3, 'node': 1, 'cpu': 0}], m['cpus']
= assert m['pm_logical_id'] == {'0': '0x808'}, m['pm_logical_id']
= pci = {f['function']: f for f in m['pci']}
= assert pci['0000:00:00.1']['config']['0xd0'] == '0x191', pci
= assert len(pci['0000:00:00.1']['config']) == 5
= oob = pci['0000:00:03.1']
= assert oob['bars'] == [{'bar': 0, 'start': '0x1000', 'bytes': '0x2000'}], oob
= assert oob['capabilities'] == [['0x10023', '0x1018086', '0x3010001', '0x0']], oob
= assert oob['root_bus'] and oob['power'] == 'D0' and '0000:17:00.0' in pci
= t = m['discovery'][0]
= assert t['table'] == '0100ff' and t['function'] == '0000:00:03.1', t
= assert t['free_running'] == [{'name': 'imc_free_running', 'id': 2, 'width': 48}]
= assert t['rejected'] == [{'type': '6', 'id': '1', 'field': 'address',
=     'value': '0xc8a00000', 'reason': 'claimed by something else'}]
= d = m['domains'][0]
= assert d['domain'] == 1 and d['modules'] == [{'module': 5, 'cpus': '0'}] and d['meshes'] == 1
= assert [r['name'] for r in m['iomem']] == ['System RAM', 'Reserved', 'secret_driver']
= assert m['iomem'][2] == {'first': '0xc8a00000', 'last': '0xc8a00fff', 'depth': 1,
=     'name': 'secret_driver'}
= assert m['memmap'] == [{'first': '0x0', 'last': '0x9ffff', 'type': 'System RAM'}]
= assert m['mcfg'] == [{'base': '0x80000000', 'segment': 1, 'first_bus': 0, 'last_bus': 255}]
= assert len(m['log']) == 2 and 'password' not in str(m['log'])
= assert m['pmus'] == [{'name': 'uncore_type_6_0', 'type': 24, 'cpumask': '0'}], m['pmus']
= assert m['cxl'][0]['numa_node'] == '1' and m['cxl'][0]['serial'] == '0x5e', m['cxl']
dump: nothing of it names the host with --redact | 0 dump --redact | ! *secret* | ! *SN1* |
	! *0x5e* | ! *17:00.0* | *"name": "other"*
= assert '0000:17:00.0' not in [f['function'] for f in m['pci']]
= assert m['discovery'][0]['table'] == '0100ff' and len(m['iomem']) == 3
dump: reasons that cannot be read: the rest | : unreadable "$class/pkg0-dom1/plr/core5/reasons" |
	1 dump | *"error": "EISDIR"* | : is_json
dump: bandwidth and limits of the moment | : a moving; domain 0 0 0-3; core 0 0 1 1 POWER | 1 dump
= s = m['moment']
= assert [x['read_bytes_s'] for x in s['sockets'] if x['kind'] == 'memory'] == [14000 << 20] * 2
= assert [p['reasons'] for p in s['domains'][0]['parts'] if p['name'] == 'core1'] == [['POWER']]
dump: no driver behind a stack is named where it is redacted | : put uncore_iio_3/die0 0000:15;
	link /sys/bus/pci/drivers/nvme sys/devices/pci0000:15/0000:16:00.0/driver;
	link ../../../devices/pci0000:15/0000:16:00.0 sys/bus/pci/devices/0000:16:00.0 |
	1 dump --redact | ! *nvme*
dump: it is in the whole one | 1 dump | *"devices": "nvme 0000:16:00.0"*
dump: a table that cannot be read: the rest | : a real; rm "$class/pkg0-uncore0/table" | 1 dump |
	- pkg0-uncore0/table: No such file | *openpmon dump*
dump: no table: the rest, and what is missing | : a discovery_function; mkdir -p "$class" | 1 dump |
	- no discovery table in * | *openpmon dump*
dump: no such hardware | : a nothing; mkdir -p "$functions" | 77 dump
END
