# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl list: boxes, domains and CXL devices."""
from result import ABSENT, checks, same

CXL = "CXL DEVICE", "ADDRESS", "SERIAL", "NODE", "PMU", "EVENTS", "DRIVEN BY", "COUNTS"

def two_sockets(host):
    for p in 0, 1:
        host.discovery(p).unit(p, *(f"0 cha {i} msr 0x20{i}0 4 48 uncore_cha_{i} openpmon" for i in range(4)),
            *(f"6 imc {i} mmio 0xfe00{i} 4+1 48 uncore_imc_{i} openpmon" for i in range(12)),
            "4 pcu 0 msr 0x3000 4 48 uncore_pcu openpmon", "30 - 0 pci 0x80109318 8 32 uncore_type_30_0 openpmon")
        host.domain(p, 0, f"{4 * p}-{4 * p + 3}").core(p, 0, 0, f"{4 * p}-{4 * p + 1}", "none")
        host.core(p, 0, 10, f"{4 * p + 2}-{4 * p + 3}", "none")
    return host.unit(0, *(f"8 upi {i} pci 0x1 4 48 uncore_upi_{i} intel_uncore" for i in (0, 1, 3)))

def test_boxes_alike_share_a_row_and_sockets_alike_a_set(host):
    run = two_sockets(host).pmonctl("list")
    assert run.lines[0] == "Platform spr: 2 sockets, 39 boxes, 2 performance-limit domains"
    assert run.table("UNIT", "ID", "SOCKET", "ACCESS", "COUNTERS", "BITS", "PMU", "DRIVEN BY") == [
        ("cha", "0-3", "0-1", "msr", "4", "48", "uncore_cha_{0..3}", "openpmon"),
        ("pcu", "0", "0-1", "msr", "4", "48", "uncore_pcu", "openpmon"),
        ("imc", "0-11", "0-1", "mmio", "4+1", "48", "uncore_imc_{0..11}", "openpmon"),
        ("upi", "0-1,3", "0", "pci", "4", "48", "uncore_upi_{0,1,3}", "intel_uncore"),
        ("type 30", "0", "0-1", "pci", "8", "32", "uncore_type_30_0", "openpmon")]
    assert run.table("DOMAIN", "SOCKET", "ID", "MODULES", "CPUS") == [
        ("pkg0-dom0", "0", "0", "2", "0-3"), ("pkg1-dom0", "1", "0", "2", "4-7")]
    assert run.lines[-1] == \
        "3 boxes are left to intel_uncore; pmonctl adopt uncore hands them over."

def test_pmus_of_the_kernels_driver_have_its_names_also_where_they_differ(host):
    host.left_to("intel_uncore").unit(0, "25 mdf 0 msr 0x1000 4 48 - intel_uncore",
                                      "14 mchbm 0 mmio 0x1 4 48 - intel_uncore")
    for each in "imc_0", "type_8_0", "mdf_sbo_0", "mdf_sbo_1", "hbm_0":
        host.pmu("uncore_" + each, event="config:0-7")
    units = dict(host.pmonctl("list").table("UNIT", "PMU"))
    assert units == {"iio": "-", "imc": "uncore_imc_0", "upi": "uncore_type_8_0",
                     "mchbm": "uncore_hbm_0", "mdf": "uncore_mdf_sbo_{0..1}"}

def cpmu(host, pmu, serial, address, *events):
    """Make a CXL PMU of a PCI function, or with a memory device's name; the kernel's driver has no serial number."""
    if serial:
        host.put(f"{pmu}/serial", serial)
    if address:
        host.link(f"../../../../devices/pci0000:c0/{address}", f"{pmu}/device")
    for event in events:
        host.put(f"{pmu}/events/{event}", "config=0x1e98000000000001")

def cxl_devices(host):
    host.memory("mem0", "0000:c1:00.0", "0xccf3e97e").memory("mem10", "0000:c5:00.0", "0x0")
    cpmu(host, "cxl_pmu_mem0.0", "0xccf3e97e", "", "clock_ticks", "m2s_req_memrd", "s2m_ndr_cmp",
         "read_bytes", "read_bytes.scale", "read_bytes.unit")
    host.put("cxl_pmu_mem0.0/chmus", 2)
    cpmu(host, "cxl_pmu_mem0.1", "", "", "ddr_act", "rd_queue_occ", "mc_rd_resid_cnt")
    port = "cxl_pmu_port_0000_c"
    cpmu(host, port + "0_00_0.0", "0x0", "0000:c0:00.0", "clock_ticks", "m2s_req_memrd")
    cpmu(host, port + "0_00_0.1", "0x0", "0000:c0:00.0", "d2h_req_rdcurr")
    cpmu(host, port + "2_00_0.0", "0xa5", "0000:c2:00.0", "m2s_req_memrd")
    cpmu(host, "cxl_pmu_pci_0000_c9_00_0.0", "0xccf3e97f", "0000:c9:00.0", "devload_light",
         "retry_event_trig_by_x", "thermal_throttle_event")
    return host

def test_cxl_devices_and_their_pmus_ports_functions_and_hot_ranges(host):
    serial = "0xccf3e97e"
    assert cxl_devices(host).pmonctl("list").table(*CXL) == [
        ("mem0", "0000:c1:00.0", serial, "-", "cxl_pmu_mem0.0", "4", "openpmon", "clock, CXL.mem"),
        ("mem0", "0000:c1:00.0", serial, "-", "cxl_pmu_mem0.1", "3", "cxl_pmu", "DDR, queues"),
        ("mem0", "0000:c1:00.0", serial, "-", "-", "-", "nobody", "hot ranges (2 CHMU)"),
        ("mem10", "0000:c5:00.0", "-", "-", "-", "-", "nobody", "-"),
        ("port", "0000:c0:00.0", "-", "-", "cxl_pmu_port_0000_c0_00_0.0", "2", "openpmon", "clock, CXL.mem"),
        ("port", "0000:c0:00.0", "-", "-", "cxl_pmu_port_0000_c0_00_0.1", "1", "openpmon", "CXL.cache"),
        ("port", "0000:c2:00.0", "0xa5", "-", "cxl_pmu_port_0000_c2_00_0.0", "1", "openpmon", "CXL.mem"),
        ("function", "0000:c9:00.0", "0xccf3e97f", "-", "cxl_pmu_pci_0000_c9_00_0.0", "3",
         "openpmon", "DevLoad, retries, throttling")]

def belongs(host):
    """Let two CXL devices belong to nodes."""
    cxl_devices(host).put("sys/bus/cxl/devices/mem0/numa_node", 0)
    return host.put("sys/bus/cxl/devices/mem10/numa_node", 1)

def regions(host):
    """Make a region of mem10 that dax has, and one of mem0 that is memory."""
    belongs(host).region(0, "mem10", "0x2080000000").region(1, "mem0", "0x4080000000")
    host.put("sys/bus/cxl/devices/region0/dax_region0/dax0.0/target_node", 3)
    host.put("sys/devices/system/memory/block_size_bytes", "8000000")
    return host.folder("sys/devices/system/memory/memory2064/node2")

def interleaved(host):
    """Make a second region of mem0, with two targets, and sizes of memory."""
    at = "sys/bus/cxl/devices/region2"
    regions(host).region(2, "mem0", "0x6080000000").decoder(22, 3).put(f"{at}/target0", "decoder21.0")
    host.put(f"{at}/target1", "decoder22.3").put(f"{at}/interleave_ways", 2)
    return host.files("sys/devices/pci0000:c0/0000:c", """
        1:00.0/mem0/ram/size 0x2000000000
        5:00.0/mem10/ram/size 0x800000000
        5:00.0/mem10/pmem/size 0x800000000""")

def card(host, block):
    """Make a CXL device that no driver counts, and a block in its register locator."""
    return host.expander("cxl_pci").memory("mem0", "0000:c1:00.0", "0x1").locates(block)

def rejected(host):
    return host.spr().put("pkg0-uncore0/rejected", "6 3 counters 12 more than the 8 that fit",
                          "6 4 width 0x7f", "- - stride 0x2 records overlap")

CARD = "mem0", "0000:c1:00.0", "0x1", "-", "-", "-", "nobody"
UNREADABLE = 1, "pkg0-uncore0/units: Is a directory"

def unreadable(host):
    return host.spr().unreadable("pkg0-uncore0/units")

test_fact = checks("host", {
    "JSON has every unit and domain": (two_sockets, "--json", {
        "format": 3, "devices/*/name": ["pkg0-uncore0", "pkg1-uncore0"], "devices/*/rejected": [[], []],
        "devices/1/units/*/type": [0] * 4 + [6] * 12 + [4, 30], "devices/1/units/17/name": None,
        "devices/1/units/4": {"type": 6, "name": "imc", "id": 0, "access": "mmio", "address": "0xfe000",
                              "counters": "4+1", "width": 48, "pmu": "uncore_imc_0", "owner": "openpmon"},
        "domains/1": {"name": "pkg1-dom0", "socket": 1, "domain": 0, "cpus": "4-7", "modules": [0, 10]}}),
    "rejected units are named and the status is degraded": (
        rejected, "", (1,), "Platform spr: 1 socket, 1 box, 3 rejected", "Rejected, and not touched:",
        "socket 0 type 6 id 3: counters = 12, more than the 8 that fit", "socket 0 type 6 id 4: width = 0x7f",
        "socket 0 whole table: stride = 0x2, records overlap"),
    "JSON has the reason of a rejected unit": (
        rejected, "--json", (1,), {"devices/0/rejected/0/reason": "more than the 8 that fit"}),
    "lines that are not understood are reported": (
        lambda h: h.spr().unit(0, "0 six imc 0 mmio 0x1 4 48 x openpmon", "6 imc").put("pkg0-uncore0/rejected", 6), "",
        (1, 'line not understood: "6 imc"', 'line not understood: "0 six imc 0 ', 'line not understood: "6"')),
    "columns that a later version appends are ignored": (
        lambda h: h.spr().put("pkg0-uncore0/units", "6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon more columns"), "",
        "imc *"),
    "boxes that cannot be read are not called none": (
        unreadable, "", UNREADABLE, "Platform spr: 1 socket, boxes that cannot be read", "!*0 boxes*"),
    "boxes that cannot be read are an error in JSON": (
        unreadable, "--json", UNREADABLE, {"devices/*/error": ["unreadable"], "devices/0/units": ABSENT}),
    "boxes that cannot be read are not called none without a package": (
        lambda h: unreadable(h).remove("pkg0-uncore0/package_id"), "", UNREADABLE,
        "What /sys/class/pmon lists cannot be read."),
    "files larger than a page are read whole": (
        lambda h: h.spr().unit(0, *(f"0 cha {i} msr 0x1 4 48 uncore_cha_{i} openpmon" for i in range(1000))), "",
        "*uncore_cha_{0..999}*"),
    "JSON has CXL devices": (cxl_devices, "--json", {
        "cxl/*/kind": ["memory"] * 2 + ["port"] * 2 + ["function"], "cxl/0/chmus": 2, "cxl/1/address": "0000:c5:00.0",
        "cxl/0/units/1": {"pmu": "cxl_pmu_mem0.1", "owner": "cxl_pmu",
                          "events": ["ddr_act", "mc_rd_resid_cnt", "rd_queue_occ"]},
        "cxl/2/units/*/owner": ["openpmon"] * 2, "cxl/2/serial": None, "cxl/3/name": ABSENT}),
    "CXL devices stand beside boxes": (
        lambda h: cxl_devices(h).spr(), "", [("UNIT", "PMU"), ("imc", "uncore_imc_0")],
        "mem0 * cxl_pmu_mem0.0 *"),
    # The memory of a card is a separate node without CPUs, not the node to which the card belongs.
    "a CXL device has the node to which it belongs without a region": (
        belongs, "--json", {"cxl/*/node": [0, 1, ABSENT, ABSENT, ABSENT]}),
    "a region of dax or of memory has the node": (
        regions, "--json", {"cxl/*/node": [2, 3, ABSENT, ABSENT, ABSENT]}),
    "the table has the node of a region": (regions, "", "mem0 * 2 cxl_pmu_mem0.0 *", "mem10 * 3 - *"),
    "regions have size, decoder, ways and position": (
        interleaved, "", "mem0 128 region1 - 0 decoder21.0 hdm=0x1", "mem0 128 region2 2 0 decoder21.0 hdm=0x1",
        "mem0 128 region2 2 1 decoder22.3 hdm=0x8", "mem10 64 region0 - 0 decoder20.0 hdm=0x1"),
    "JSON has size, decoder, ways and position of regions": (interleaved, "--json", {
        "cxl/0/size": 128 << 30, "cxl/2/size": ABSENT, "cxl/0/regions/2": {
            "region": "region2", "decoder": "decoder22.3", "ways": 2, "position": 1, "hdm_decoder": 3}}),
    "a CXL device without a CPMU is told from one that nobody drives": (
        lambda h: card(h, 3), "", [CXL, (*CARD, "no CPMU")]),
    "a CXL device with a CPMU is driven by nobody": (lambda h: card(h, 4), "", [CXL, (*CARD, "-")]),
    "JSON has a CXL device without a CPMU": (
        lambda h: card(h, 3), "--json", {"cxl/0/cpmu": False, "cxl/0/units": []})}, "list ")
