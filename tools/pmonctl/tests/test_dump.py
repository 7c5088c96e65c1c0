# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl dump. Cases in guests test that a dump becomes an emulated machine."""
import pytest

FUNCTION = "sys/devices/pci0000:00/0000:00:03.1"

def processor(host):
    host.put("proc/cpuinfo", "model name\t: Xeon", "cpu family\t: 6", "model\t\t: 173",
             "stepping\t: 1", "microcode\t: 0x2b", "flags\t\t: fpu hypervisor")
    host.put("proc/sys/kernel/hostname", "secret-host")
    host.put("proc/sys/kernel/osrelease", "6.18-tree")
    host.files("sys/class/dmi/id/", """
        product_serial SN1
        sys_vendor Vendor
        product_name Board
        bios_version 1.0""")
    host.topology(0, 0).put("sys/devices/system/cpu/cpu0/topology/core_id", 3)
    host.folder("sys/devices/system/cpu/cpu0/node1")
    host.put_bytes("dev/cpu/0/msr", bytes(84) + bytes.fromhex("0808000000000000"))

def functions(host):
    host.pci("0000:00:00.1", "0x8086", "0x3251")
    config = bytearray(256)
    config[208:210] = 0x91, 1
    host.put_bytes("0000:00:00.1/config", config)
    host.pci("0000:17:00.0", "0x15b3", "0x1017").put("0000:17:00.0/class", "0x020000")
    host.config_space(4096, "23000100 86800101 01000103 00000000")
    host.put("0000:00:03.1/resource", "0x0000000000001000 0x0000000000002fff 0x40200",
             "0x0000000000000000 0x0000000000000000 0x0")
    host.put("0000:00:03.1/power_state", "D0").folder("sys/devices/pci0000:00")
    host.at("0000:00:03.1").rename(host.at(FUNCTION))
    host.link("../../../devices/pci0000:00/0000:00:03.1", "sys/bus/pci/devices/0000:00:03.1")

def firmware(host):
    host.put("proc/iomem", "00000000-0009ffff : System RAM", "  00001000-00001fff : Kernel code",
             "c8800000-c8ffffff : Reserved", "  c8a00000-c8a00fff : secret_driver")
    host.files("sys/firmware/memmap/0/", """
        start 0x0
        end 0x9ffff
        type System RAM""")
    host.put_bytes("sys/firmware/acpi/tables/MCFG",
                   bytes(44) + bytes.fromhex("00000080 00000000 010000ff 00000000"))
    host.put("log", "<6>[    1.0] pci_bus 0000:00: root bus resource [mem 0xa0000000-0xafffffff]",
             "<6>[    2.0] secret: password", "<4>[    3.0] pmon_uncore: package 0: a line")

@pytest.fixture
def real(host):
    """Make a host with a discovery table, a die, maps of memory, a log and a CXL device."""
    processor(host)
    functions(host)
    host.spr().live("pmon_plr").put("sys/module/pmon_plr/version", "0.8").folder(FUNCTION + "/pmon")
    host.at("pkg0-uncore0").rename(host.at(FUNCTION + "/pmon/pkg0-uncore0"))
    host.link("../../devices/pci0000:00/0000:00:03.1/pmon/pkg0-uncore0", "pkg0-uncore0")
    host.put_bytes("pkg0-uncore0/table", b"\x01\x00\xff")
    host.unit(0, "6 imc_free_running 2 mmio 0x2 3 48 x openpmon")
    host.put("pkg0-uncore0/rejected", "6 1 address 0xc8a00000 claimed by something else")
    host.domain(0, 1, 0).core(0, 1, 5, 0, "none")
    firmware(host)
    host.box("uncore_type_6_0", 24, 0).memory("mem0", "0000:c1:00.0", "0x5e")
    return host.put("sys/devices/pci0000:c0/0000:c1:00.0/mem0/numa_node", 1)

@pytest.fixture
def dump(real):
    return real.pmonctl("dump").json()

def test_a_dump_names_its_format_modules_and_host(dump):
    assert dump["kind"] == "openpmon dump" and dump["format"] == 1
    assert dump["modules"] == {"pmon_plr": "0.8"}
    assert dump["host"] == {"name": "secret-host", "serial": "SN1", "vendor": "Vendor",
                            "product": "Board", "bios": "1.0", "kernel": "6.18-tree"}

def test_a_dump_has_processors(dump):
    assert dump["cpu"] == {"name": "Xeon", "family": 6, "model": 173, "stepping": 1,
                           "microcode": "0x2b", "hypervisor": True}
    assert dump["cpus"] == [{"package": 0, "core": 3, "node": 1, "cpu": 0}]
    assert dump["pm_logical_id"] == {"0": "0x808"}

def test_a_dump_has_pci_functions(dump):
    pci = {f["function"]: f for f in dump["pci"]}
    assert pci["0000:00:00.1"]["config"]["0xd0"] == "0x191"
    assert len(pci["0000:00:00.1"]["config"]) == 5
    oob = pci["0000:00:03.1"]
    assert oob["bars"] == [{"bar": 0, "start": "0x1000", "bytes": "0x2000"}]
    assert oob["capabilities"] == [["0x10023", "0x1018086", "0x3010001", "0x0"]]
    assert oob["root_bus"] and oob["power"] == "D0" and "0000:17:00.0" in pci

def test_a_dump_has_discovery_tables_and_domains(dump):
    t = dump["discovery"][0]
    assert t["table"] == "0100ff" and t["function"] == "0000:00:03.1"
    assert t["free_running"] == [{"name": "imc_free_running", "id": 2, "width": 48}]
    assert t["rejected"] == [{"type": "6", "id": "1", "field": "address", "value": "0xc8a00000",
                              "reason": "claimed by something else"}]
    d = dump["domains"][0]
    assert d["domain"] == 1 and d["modules"] == [{"module": 5, "cpus": "0"}] and d["meshes"] == 1

def test_a_dump_has_maps_of_memory(dump):
    assert [r["name"] for r in dump["iomem"]] == ["System RAM", "Reserved", "secret_driver"]
    assert dump["iomem"][2] == {"first": "0xc8a00000", "last": "0xc8a00fff", "depth": 1,
                                "name": "secret_driver"}
    assert dump["memmap"] == [{"first": "0x0", "last": "0x9ffff", "type": "System RAM"}]
    assert dump["mcfg"] == [{"base": "0x80000000", "segment": 1, "first_bus": 0, "last_bus": 255}]

def test_a_dump_has_lines_of_the_log_that_concern_openpmon_alone(dump):
    assert len(dump["log"]) == 2 and "password" not in str(dump["log"])

@pytest.mark.parametrize("lines, kept", [(500, 500), (501, 500)])
def test_a_dump_has_at_most_500_lines_of_the_log(real, lines, kept):
    real.put("log", *(f"<4>[    3.0] pmon_uncore: line {n}" for n in range(lines)))
    assert len(real.pmonctl("dump").json()["log"]) == kept

def test_a_dump_has_pmus_and_cxl_devices(dump):
    assert dump["pmus"] == [{"name": "uncore_type_6_0", "type": 24, "cpumask": "0"}]
    assert dump["cxl"][0]["numa_node"] == "1" and dump["cxl"][0]["serial"] == "0x5e"

def test_redact_leaves_out_all_that_names_the_host(real):
    run = real.pmonctl("dump --redact").lacks("*secret*", "*SN1*", "*0x5e*", "*17:00.0*")
    m = run.has('*"name": "other"*').json()
    assert "0000:17:00.0" not in [f["function"] for f in m["pci"]]
    assert m["discovery"][0]["table"] == "0100ff" and len(m["iomem"]) == 3

def test_reasons_that_cannot_be_read_leave_the_rest(real):
    real.unreadable("pkg0-dom1/plr/core5/reasons")
    run = real.pmonctl("dump", status=1)
    assert run.has('*"error": "EISDIR"*').json()["kind"] == "openpmon dump"

def test_a_dump_has_bandwidth_and_limits_of_the_moment(moving):
    moving.domain(0, 0, "0-3").core(0, 0, 1, 1, "POWER")
    s = moving.pmonctl("dump", status=1, err="no discovery table").json()["moment"]
    assert [x["read_bytes_s"] for x in s["sockets"] if x["kind"] == "memory"] == [14000 << 20] * 2
    assert [p["reasons"] for p in s["domains"][0]["parts"] if p["name"] == "core1"] == [["POWER"]]

def test_drivers_behind_a_stack_are_named_but_for_redact(moving):
    moving.put("uncore_iio_3/die0", "0000:15")
    path = "pci0000:15/0000:16:00.0"
    moving.link("/sys/bus/pci/drivers/nvme", f"sys/devices/{path}/driver")
    moving.link(f"../../../devices/{path}", "sys/bus/pci/devices/0000:16:00.0")
    moving.pmonctl("dump --redact", status=1, err="no discovery table").lacks("*nvme*")
    moving.pmonctl("dump", status=1, err="no discovery table").has('*"devices": "nvme 0000:16:00.0"*')

def test_a_table_that_cannot_be_read_leaves_the_rest(real):
    real.remove("pkg0-uncore0/table").pmonctl(
        "dump", status=1, err="pkg0-uncore0/table: No such file").has("*openpmon dump*")

@pytest.mark.parametrize("size, error", [(24576, None), (24577, "pkg0-uncore0/table: File too large")])
def test_a_table_has_at_most_24576_bytes(real, size, error):
    real.put_bytes("pkg0-uncore0/table", b"\1" * size)
    run = real.pmonctl("dump", status=int(bool(error)), err=error or ())
    assert run.out.count("01" * size) == (not error)

def test_a_host_without_a_table_has_the_rest_and_says_what_is_missing(host):
    host.discovery_function().folder("sys/class/pmon").pmonctl(
        "dump", status=1, err="no discovery table in ").has("*openpmon dump*")

def test_a_host_without_hardware_has_no_dump(host):
    host.folder("sys/bus/pci/devices").pmonctl("dump", status=77, err="no supported hardware")
