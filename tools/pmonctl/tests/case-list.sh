# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Test pmonctl list.

two_sockets() {
	for p in 0 1; do
		discovery $p
		for id in 0 1 2 3; do
			unit $p 0 cha $id msr 0x20${id}0 4 48 uncore_cha_$id openpmon
		done
		for id in 0 1 2 3 4 5 6 7 8 9 10 11; do
			unit $p 6 imc $id mmio 0xfe00${id} 4+1 48 uncore_imc_$id openpmon
		done
		unit $p 4 pcu 0 msr 0x3000 4 48 uncore_pcu openpmon
		unit $p 30 - 0 pci 0x80109318 8 32 uncore_type_30_0 openpmon
		domain $p 0 "$((p * 4))-$((p * 4 + 3))"
		core $p 0 0 "$((p * 4))-$((p * 4 + 1))" none
		core $p 0 10 "$((p * 4 + 2))-$((p * 4 + 3))" none
	done
	for id in 0 1 3; do
		unit 0 8 upi $id pci 0x1 4 48 uncore_upi_$id intel_uncore
	done
}
# cpmu PMU SERIAL ADDRESS EVENT...: make a CXL PMU, of the kernel's driver if SERIAL is empty.
# ADDRESS is the PCI function, and is empty if PMU has the name of a memory device.
cpmu() {
	pmu=$1
	[ -z "$2" ] || put "$pmu/serial" "$2"
	[ -z "$3" ] || link "../../../../devices/pci0000:c0/$3" "sys/bus/event_source/devices/$pmu/device"
	shift 3
	for event; do
		put "$pmu/events/$event" config=0x1e98000000000001
	done
}
cxl_devices() {
	memory mem0 0000:c1:00.0 0xccf3e97e
	memory mem10 0000:c5:00.0 0x0
	cpmu cxl_pmu_mem0.0 0xccf3e97e '' clock_ticks m2s_req_memrd s2m_ndr_cmp \
		read_bytes read_bytes.scale read_bytes.unit
	put cxl_pmu_mem0.0/chmus 2
	cpmu cxl_pmu_mem0.1 '' '' ddr_act rd_queue_occ mc_rd_resid_cnt
	cpmu cxl_pmu_port_0000_c0_00_0.0 0x0 0000:c0:00.0 clock_ticks m2s_req_memrd
	cpmu cxl_pmu_port_0000_c0_00_0.1 0x0 0000:c0:00.0 d2h_req_rdcurr
	cpmu cxl_pmu_port_0000_c2_00_0.0 0xa5 0000:c2:00.0 m2s_req_memrd
	cpmu cxl_pmu_pci_0000_c9_00_0.0 0xccf3e97f 0000:c9:00.0 devload_light \
		retry_event_trig_by_x thermal_throttle_event
}

rows <<'END'
list: boxes alike share a row, sockets alike a set | : a two_sockets | 0 list
> Platform spr: 2 sockets, 39 boxes, 2 performance-limit domains
>
> UNIT     ID    SOCKET  ACCESS  COUNTERS  BITS  PMU                 DRIVEN BY
> cha      0-3   0-1      msr     4         48    uncore_cha_{0..3}   openpmon
> pcu      0     0-1      msr     4         48    uncore_pcu          openpmon
> imc      0-11  0-1      mmio    4+1       48    uncore_imc_{0..11}  openpmon
> upi      0-1,3 0        pci     4         48    uncore_upi_{0,1,3}  intel_uncore
> type 30  0     0-1      pci     8         32    uncore_type_30_0    openpmon
>
> DOMAIN SOCKET  ID  MODULES  CPUS
> pkg0-dom0  0        0   2        0-3
> pkg1-dom0  1        0   2        4-7
>
> 3 boxes are left to intel_uncore; pmonctl adopt uncore hands them over.
list: --json holds every unit and domain | 0 list --json
= assert m["format"] == 2
= assert [d["name"] for d in m["devices"]] == ["pkg0-uncore0", "pkg1-uncore0"]
= u = m["devices"][1]["units"]
= assert len(u) == 18
= assert u[4] == {"type": 6, "name": "imc", "id": 0, "access": "mmio", "address": "0xfe000",
=     "counters": "4+1", "width": 48, "pmu": "uncore_imc_0", "owner": "openpmon"}, u[4]
= assert u[17]["name"] is None
= assert m["devices"][0]["rejected"] == []
= assert m["domains"][1] == {"name": "pkg1-dom0", "socket": 1, "domain": 0, "cpus": "4-7",
=     "modules": [0, 10]}
list: rejected units are named and the status is degraded | : a spr;
	put pkg0-uncore0/rejected '6 3 counters 12 more than the 8 that fit' '6 4 width 0x7f'
	'- - stride 0x2 records overlap' | 1 list | : silent
> Platform spr: 1 socket, 1 box, 3 rejected
>
> UNIT  ID  SOCKET  ACCESS  COUNTERS  BITS  PMU           DRIVEN BY
> imc   0   0        mmio    4         48    uncore_imc_0  openpmon
>
> Rejected, and not touched:
>   socket 0 type 6 id 3: counters = 12, more than the 8 that fit
>   socket 0 type 6 id 4: width = 0x7f
>   socket 0 whole table: stride = 0x2, records overlap
list: --json has rejected units | 1 list --json | : is_json |
	*"reason": "more than the 8 that fit"*
list: a line that is not understood is reported | : a spr;
	unit 0 0 six imc 0 mmio 0x1 4 48 x openpmon; unit 0 6 imc;
	put pkg0-uncore0/rejected 6 | 1 list |
	- line not understood: "6 imc" | - line not understood: "0 six imc 0 |
	- line not understood: "6"
list: columns that a later version appends are ignored | : a spr;
	put pkg0-uncore0/units '6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon more columns' |
	0 list | : silent | imc *
# In the next two rows the file `units` cannot be read.
list: nothing is said of boxes that cannot be read |
	: a spr; unreadable $class/pkg0-uncore0/units | 1 list |
	Platform spr: 1 socket, boxes that cannot be read | ! *0 boxes*
list: --json says which tables cannot be read | 1 list --json | : is_json |
	*"error": "unreadable"* | ! *"units"*
list: nothing is said where nothing can be read | : rm $class/pkg0-uncore0/package_id | 1 list |
	What /sys/class/pmon lists cannot be read.
list: files larger than a page are read whole | : a spr; for id in $(seq 0 999); do
		unit 0 0 cha $id msr 0x1 4 48 uncore_cha_$id openpmon; done | 0 list |
	*uncore_cha_{0..999}*
# ---- CXL memory devices
list: the kernel's names, also where they differ | : a left_to intel_uncore;
	unit 0 25 mdf 0 msr 0x1000 4 48 - intel_uncore; unit 0 14 mchbm 0 mmio 0x1 4 48 - intel_uncore;
	for each in imc_0 type_8_0 mdf_sbo_0 mdf_sbo_1 hbm_0; do pmu uncore_$each event=config:0-7; done |
	0 list | iio 0 * - intel_uncore | imc * uncore_imc_0 * | upi * uncore_type_8_0 * |
	mchbm * uncore_hbm_0 * | mdf * uncore_mdf_sbo_{0..1} *
list: CXL devices and their PMUs, ports, functions without a driver, hot ranges |
	: a cxl_devices | 0 list
>CXL DEVICE ADDRESS      SERIAL     NODE PMU                         EVENTS DRIVEN BY COUNTS
>mem0       0000:c1:00.0 0xccf3e97e -    cxl_pmu_mem0.0              4      openpmon  clock, CXL.mem
>mem0       0000:c1:00.0 0xccf3e97e -    cxl_pmu_mem0.1              3      cxl_pmu   DDR, queues
>mem0       0000:c1:00.0 0xccf3e97e -    -                           -      nobody    hot ranges (2 CHMU)
>mem10      0000:c5:00.0 -          -    -                           -      nobody    -
>port       0000:c0:00.0 -          -    cxl_pmu_port_0000_c0_00_0.0 2      openpmon  clock, CXL.mem
>port       0000:c0:00.0 -          -    cxl_pmu_port_0000_c0_00_0.1 1      openpmon  CXL.cache
>port       0000:c2:00.0 0xa5       -    cxl_pmu_port_0000_c2_00_0.0 1      openpmon  CXL.mem
>function   0000:c9:00.0 0xccf3e97f -    cxl_pmu_pci_0000_c9_00_0.0  3      openpmon  DevLoad, retries, throttling
list: --json has them | 0 list --json
= cxl = m["cxl"]
= assert [d["kind"] for d in cxl] == ["memory"] * 2 + ["port"] * 2 + ["function"]
= assert cxl[0]["units"][1] == {"pmu": "cxl_pmu_mem0.1", "owner": "cxl_pmu",
=     "events": ["ddr_act", "mc_rd_resid_cnt", "rd_queue_occ"]}
= assert cxl[1]["address"] == "0000:c5:00.0" and cxl[0]["chmus"] == 2
= assert len(cxl[2]["units"]) == 2 and cxl[2]["serial"] is None
= assert "name" not in cxl[3]
# The memory of a card is a separate node without CPUs, not the node to which the card belongs.
list: nodes of devices | : put sys/bus/cxl/devices/mem0/numa_node 0;
	put sys/bus/cxl/devices/mem10/numa_node 1 |
	0 list | mem0 0000:c1:00.0 0xccf3e97e 0 * | mem10 0000:c5:00.0 - 1 *
list: a region that dax has says another | : region 0 mem10 0x2080000000;
	put sys/bus/cxl/devices/region0/dax_region0/dax0.0/target_node 3 |
	0 list | mem0 * 0xccf3e97e 0 * | mem10 0000:c5:00.0 - 3 *
list: a region that is memory says another | : region 1 mem0 0x4080000000;
	put sys/devices/system/memory/block_size_bytes 8000000;
	mkdir -p "$root/sys/devices/system/memory/memory2064/node2" |
	0 list | mem0 * 0xccf3e97e 2 * | mem10 0000:c5:00.0 - 3 *
list: --json has the nodes | 0 list --json
= assert [d.get("node") for d in m["cxl"]] == [2, 3, None, None, None]
list: which memory is where | : region 2 mem0 0x6080000000;
	put sys/bus/cxl/devices/region2/target0 decoder21.0;
	put sys/bus/cxl/devices/region2/target1 decoder22.3; put sys/bus/cxl/devices/region2/interleave_ways 2;
	mkdir -p "$root/sys/devices/platform/root0/endpoint22/decoder22.3";
	link ../../../devices/platform/root0/endpoint22/decoder22.3 sys/bus/cxl/devices/decoder22.3;
	put sys/devices/pci0000:c0/0000:c1:00.0/mem0/ram/size 0x2000000000;
	put sys/devices/pci0000:c0/0000:c5:00.0/mem10/ram/size 0x800000000;
	put sys/devices/pci0000:c0/0000:c5:00.0/mem10/pmem/size 0x800000000 | 0 list |
	mem0 128 region1 - 0 decoder21.0 hdm=0x1 | mem0 128 region2 2 0 decoder21.0 hdm=0x1 |
	mem0 128 region2 2 1 decoder22.3 hdm=0x8 | mem10 64 region0 - 0 decoder20.0 hdm=0x1
list: --json has it | 0 list --json
= assert m["cxl"][0]["size"] == 128 << 30 and "size" not in m["cxl"][2]
= assert m["cxl"][0]["regions"][2] == {"region": "region2", "decoder": "decoder22.3",
=     "ways": 2, "position": 1, "hdm_decoder": 3}
list: a device without a CPMU | : a expander cxl_pci; memory mem0 0000:c1:00.0 0x1; locates 3 | 0 list |
	mem0 0000:c1:00.0 0x1 - - - nobody no CPMU
list: --json says so | 0 list --json
= assert m["cxl"][0]["cpmu"] is False and m["cxl"][0]["units"] == []
list: one whose CPMU nobody drives | : locates 4 | 0 list | mem0 0000:c1:00.0 0x1 - - - nobody -
list: beside boxes | : a cxl_devices; spr | 0 list | imc *uncore_imc_0* | mem0 *cxl_pmu_mem0.0 *
END
