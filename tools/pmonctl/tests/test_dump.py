# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl dump. Cases in guests test that a dump becomes an emulated machine."""
from result import ABSENT, checks

FUNCTION = "sys/devices/pci0000:00/0000:00:03.1"

def processor(host):
    host.put("proc/cpuinfo", "model name\t: Xeon", "cpu family\t: 6", "model\t\t: 173",
             "stepping\t: 1", "microcode\t: 0x2b", "flags\t\t: fpu hypervisor")
    host.topology(0, 0).folder("sys/devices/system/cpu/cpu0/node1").files("", """
        proc/sys/kernel/hostname secret-host
        proc/sys/kernel/osrelease 6.18-tree
        sys/class/dmi/id/product_serial SN1
        sys/class/dmi/id/sys_vendor Vendor
        sys/class/dmi/id/product_name Board
        sys/class/dmi/id/bios_version 1.0
        sys/devices/system/cpu/cpu0/topology/core_id 3""")
    host.put_bytes("dev/cpu/0/msr", bytes(84) + bytes.fromhex("0808000000000000"))

def functions(host):
    host.pci("0000:00:00.1", "0x8086", "0x3251").put_bytes("0000:00:00.1/config", bytes(208) + b"\x91\1" + bytes(46))
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
    host.files("sys/firmware/memmap/0/", "start 0x0\nend 0x9ffff\ntype System RAM")
    host.put_bytes("sys/firmware/acpi/tables/MCFG",
                   bytes(44) + bytes.fromhex("00000080 00000000 010000ff 00000000"))
    host.put("log", "<6>[    1.0] pci_bus 0000:00: root bus resource [mem 0xa0000000-0xafffffff]",
             "<6>[    2.0] secret: password", "<4>[    3.0] pmon_uncore: package 0: a line")

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

def behind_a_stack(host):
    """Put an NVMe disk behind a stack of a host that counts."""
    path = "pci0000:15/0000:16:00.0"
    host.moving().put("uncore_iio_3/die0", "0000:15").link(f"../../../devices/{path}", "sys/bus/pci/devices/0000:16:00.0")
    return host.link("/sys/bus/pci/drivers/nvme", f"sys/devices/{path}/driver")

NO_TABLE = 1, "no discovery table"
DISK = '*"devices": "nvme 0000:16:00.0"*'
LINE = "[    3.0] pmon_uncore: a line"

test_fact = checks("host", {
    "a dump names its format, modules and host": (real, "dump", {
        "kind": "openpmon dump", "format": 1, "modules": {"pmon_plr": "0.8"},
        "host": {"name": "secret-host", "serial": "SN1", "vendor": "Vendor", "product": "Board", "bios": "1.0",
                 "kernel": "6.18-tree"}}),
    "a dump has processors": (real, "dump", {
        "cpu": {"name": "Xeon", "family": 6, "model": 173, "stepping": 1, "microcode": "0x2b", "hypervisor": True},
        "cpus": [{"package": 0, "core": 3, "node": 1, "cpu": 0}], "pm_logical_id": {"0": "0x808"}}),
    "a dump has PCI functions": (real, "dump", {
        "pci/*/function": ["0000:00:00.1", "0000:00:03.1", "0000:17:00.0"],
        "pci/0/config": {"0xd0": "0x191", "0xd8": "0x0", "0xdc": "0x0", "0xe0": "0x0", "0xe4": "0x0"},
        "pci/1/bars": [{"bar": 0, "start": "0x1000", "bytes": "0x2000"}], "pci/1/root_bus": True, "pci/1/power": "D0",
        "pci/1/capabilities": [["0x10023", "0x1018086", "0x3010001", "0x0"]]}),
    "a dump has discovery tables": (real, "dump", {
        "discovery/0/table": "0100ff", "discovery/0/function": "0000:00:03.1",
        "discovery/0/free_running": [{"name": "imc_free_running", "id": 2, "width": 48}],
        "discovery/0/rejected": [{"type": "6", "id": "1", "field": "address", "value": "0xc8a00000",
                                  "reason": "claimed by something else"}]}),
    "a dump has domains": (real, "dump", {
        "domains/0/domain": 1, "domains/0/modules": [{"module": 5, "cpus": "0"}], "domains/0/meshes": 1}),
    "a dump has maps of memory": (real, "dump", {
        "iomem/*/name": ["System RAM", "Reserved", "secret_driver"],
        "iomem/2": {"first": "0xc8a00000", "last": "0xc8a00fff", "depth": 1, "name": "secret_driver"},
        "memmap": [{"first": "0x0", "last": "0x9ffff", "type": "System RAM"}],
        "mcfg": [{"base": "0x80000000", "segment": 1, "first_bus": 0, "last_bus": 255}]}),
    "a dump has lines of the log that concern openpmon alone": (
        real, "dump", '*"log":*', "*root bus resource*", "*package 0: a line*", "!*password*"),
    "a dump has 500 lines of the log": (lambda h: real(h).put("log", *["<4>" + LINE] * 500), "dump", {"log": [LINE] * 500}),
    "a dump has no more lines of the log": (lambda h: real(h).put("log", *["<4>" + LINE] * 501), "dump", {"log": [LINE] * 500}),
    "a dump has PMUs and CXL devices": (real, "dump", {
        "pmus": [{"name": "uncore_type_6_0", "type": 24, "cpumask": "0"}], "cxl/0/numa_node": "1", "cxl/0/serial": "0x5e"}),
    "redact leaves out all that names the host": (
        real, "dump --redact", {"discovery/0/table": "0100ff", "iomem/2/name": "other"},
        "!*secret*", "!*SN1*", "!*0x5e*", "!*17:00.0*"),
    "reasons that cannot be read leave the rest": (
        lambda h: real(h).unreadable("pkg0-dom1/plr/core5/reasons"), "dump", (1,), '*"error": "EISDIR"*',
        {"kind": "openpmon dump"}),
    "a dump has bandwidth and limits of the moment": (
        lambda h: h.moving().domain(0, 0, "0-3").core(0, 0, 1, 1, "POWER"), "dump", NO_TABLE, {
            "moment/sockets/0/read_bytes_s": 14000 << 20, "moment/sockets/1/read_bytes_s": 14000 << 20,
            "moment/domains/0/parts/*/reasons": [[], ["POWER"]]}),
    "drivers behind a stack are named": (behind_a_stack, "dump", NO_TABLE, DISK),
    "redact names no drivers behind a stack": (behind_a_stack, "dump --redact", NO_TABLE, "!*nvme*"),
    "a table that cannot be read leaves the rest": (
        lambda h: real(h).remove("pkg0-uncore0/table"), "dump", (1, "pkg0-uncore0/table: No such file"), "*openpmon dump*"),
    "a table may have 24576 bytes": (
        lambda h: real(h).put_bytes("pkg0-uncore0/table", bytes(24576)), "dump", {"discovery/0/table": "00" * 24576}),
    "a table of more than 24576 bytes is an error": (
        lambda h: real(h).put_bytes("pkg0-uncore0/table", bytes(24577)), "dump",
        (1, "pkg0-uncore0/table: File too large"), {"discovery/0/table": ABSENT}),
    "a host without a table has the rest, and says what is missing": (
        lambda h: h.discovery_function().folder("sys/class/pmon"), "dump", NO_TABLE, "*openpmon dump*"),
    "a host without hardware has no dump": (
        lambda h: h.folder("sys/bus/pci/devices"), "dump", (77, "no supported hardware"))})
