# SPDX-License-Identifier: GPL-2.0-only
"""Plan CXL memory devices and their performance monitoring units (CXL 3.1, 8.2.7)."""

import zlib

VENDOR = 0x1e98
FIRST_BUS = 0xc0        # root bus of the host bridge of the first device, ...
BUSES = 4               # ... and its distance to the next
BLOCK_CPMU = 4
BAR = 5                 # QEMU's device does not use this BAR
STRIDE = 0x10000
ROOT, UP, DOWN = range(3)
CONFIGURATION = {"free": 0, "fixed": 1, "any": 2}

# Pairs of event group and mask of its events, from CXL's table 13-5 with the ECN of March 2024.
EVERY_GROUP = (
    (0x0000, 0x00000001), (0x0010, 0x00017ffe), (0x0011, 0x004080f2),
    (0x0012, 0x0000000e), (0x0013, 0x0000a172), (0x0014, 0x00000003),
    (0x0020, 0x0000ffff), (0x0021, 0x00002636), (0x0022, 0x00000077),
    (0x0023, 0x00007777), (0x0024, 0x000000ff), (0x0025, 0x00000007),
    (0x0030, 0x0000000f), (0x0031, 0x00000003), (0x8000, 0x0000ffff),
    (0x8001, 0x0000000f), (0x8002, 0x00000003), (0x8003, 0x0000000f),
    (0x8004, 0x00000003))


class Cpmu:
    """The register block of one CPMU."""

    def __init__(self, node, index, bar=BAR, first=0):
        self.counters = node.num("counters", 8, 64)
        self.width = node.num("width", 48, 255)
        self.filters = node.num("filters", 3, 255)
        self.version = node.num("version", 1, 15)
        self.message = node.num("msi", 8 + index, 15)
        self.flags = (node.flag("write_frozen", True) << 48 |
                      node.flag("freeze", True) << 49 |
                      node.flag("interrupt", True) << 50)
        if not self.counters:
            node.fail("counters", "is 0", "at least 1")
        self.entry = (node.num("bir", bar, 7) |
                      node.num("block", BLOCK_CPMU, 255) << 8 |
                      node.num("offset", (first + index) * STRIDE, 2 ** 64 - 1))
        self.events = [self.capability(c) for c in node.nodes("capabilities")] or [
            VENDOR << 48 | group << 32 | mask for group, mask in EVERY_GROUP]
        if len(self.events) > 32:
            node.fail("capabilities", "are too many", "at most 32")
        self.configuration = [CONFIGURATION["any"]] * self.counters
        for kind, key in (("fixed", "fixed"), ("free", "free_running")):
            for counter in node.nodes(key):
                self.own(counter, CONFIGURATION[kind])
        self.lies = node.numbers("registers")
        node.done()

    @staticmethod
    def capability(node):
        value = (node.num("vendor", VENDOR, 0xffff) << 48 |
                 node.num("group", limit=0xffff) << 32 |
                 node.num("mask", limit=0xffffffff))
        node.done()
        return value

    def own(self, node, kind):
        """Read a fixed or free-running counter; its event and terms are read-only."""
        counter = node.num("counter", limit=self.counters - 1)
        self.configuration[counter] = (
            kind | node.flag("edge", False) << 11 | node.flag("invert", False) << 12 |
            node.num("threshold", 1, 255) << 16 |
            node.num("mask", 1, 0xffffffff) << 24 |
            node.num("capability", limit=31) << 59)
        node.done()

    def plan(self, at):
        cap = (self.counters - 1 | self.width << 8 | (len(self.events) - 1) << 20 |
               self.filters << 32 | self.message << 44 | self.flags |
               self.version << 60)
        yield f"cpmu {at} cap={cap:#x}"
        for i, value in enumerate(self.events):
            yield f"cpmu-register {at} at={0x100 + 8 * i:#x} value={value:#x}"
        for i, value in enumerate(self.configuration):
            yield f"cpmu-register {at} at={0x200 + 8 * i:#x} value={value:#x}"
        for offset, value in self.lies.items():
            yield f"cpmu-register {at} at={offset:#x} value={value:#x} lie=1"


class Device:
    """A memory device below a root port."""

    def __init__(self, node, index, name, nodes):
        self.index = index
        self.node = node.num("node", nodes[0], max(nodes))
        self.size = node.num("size_mib", 256, 4096)
        if not self.size or self.size % 256:
            node.fail("size_mib", f"{self.size} is no multiple of 256", "256")
        self.serial = node.num("serial", zlib.crc32(f"{name} {index}".encode()),
                               2 ** 64 - 1)
        self.cpmus = [Cpmu(n, i) for i, n in enumerate(node.nodes("cpmu"))]
        self.ports = self.all_ports(node)
        self.mapped = node.flag("mapped", True)
        self.entries = node.raw("entries", [])
        node.done()

    def all_ports(self, node):
        """Return {level: CPMUs} of the root port and of the ports of a switch."""
        ports = {ROOT: self.port_cpmus(node.node("port"))} if node.has("port") else {}
        self.switch = node.has("switch")
        if self.switch:
            switch = node.node("switch")
            for level, key in ((UP, "up"), (DOWN, "down")):
                ports[level] = (self.port_cpmus(switch.node(key))
                                if switch.has(key) else [])
            switch.done()
        return ports

    @staticmethod
    def port_cpmus(node):
        """Return the CPMUs of a port; their registers are behind 64 KiB of component registers."""
        cpmus = [Cpmu(n, i, bar=0, first=1) for i, n in enumerate(node.nodes("cpmu"))]
        node.done()
        return cpmus

    def plan_port(self, number, level):
        at = f"dev={number}"
        yield f"cxl {at} port={self.index} level={level}"
        for index, cpmu in enumerate(self.ports[level]):
            yield f"locator {at} value={cpmu.entry:#x}"
            yield from cpmu.plan(f"{at} cpmu={index}")

    def plan(self):
        at = f"dev={self.index}"
        yield f"cxl {at}" + " unmapped=1" * (not self.mapped)
        for number, cpmu in enumerate(self.cpmus):
            yield f"locator {at} value={cpmu.entry:#x}"
            yield from cpmu.plan(f"{at} cpmu={number}")
        for value in self.entries:
            yield f"locator {at} value={int(value, 0) if isinstance(value, str) else value:#x}"


class Cxl:
    """All CXL devices, each with a host bridge and a window."""

    def __init__(self, nodes, name, numa):
        self.devices = [Device(n, i, name, numa) for i, n in enumerate(nodes)]

    def machine(self):
        """Return the options for CXL in QEMU's argument "-M"."""
        return ",cxl=on" * bool(self.devices) + "".join(
            f",cxl-fmw.{d.index}.targets.0=cxlhost{d.index}"
            f",cxl-fmw.{d.index}.size={d.size}M" for d in self.devices)

    def plan(self):
        for device in self.devices:
            yield from device.plan()
        ports = [(d, level) for d in self.devices for level in d.ports]
        for number, (device, level) in enumerate(ports, len(self.devices)):
            yield from device.plan_port(number, level)

    def objects(self):
        for d in self.devices:
            yield "-object", f"memory-backend-ram,id=cxlram{d.index},size={d.size}M"

    def arguments(self, slot):
        for d in self.devices:
            yield (f"pxb-cxl,id=cxlhost{d.index},bus=pcie.0,"
                   f"bus_nr={FIRST_BUS + BUSES * d.index},"
                   f"addr={slot + d.index:#x},numa_node={d.node}")
            yield (f"cxl-rp,id=cxlport{d.index},bus=cxlhost{d.index},port=0,"
                   f"addr=0.0,chassis=64,slot={d.index}")
            bus = f"cxlport{d.index}"
            if d.switch:
                yield f"cxl-upstream,id=cxlup{d.index},bus={bus}"
                yield (f"cxl-downstream,id=cxldown{d.index},bus=cxlup{d.index},"
                       f"port=0,chassis=65,slot={64 + d.index}")
                bus = f"cxldown{d.index}"
            yield (f"cxl-type3,id=cxl{d.index},bus={bus},"
                   f"volatile-memdev=cxlram{d.index},sn={d.serial:#x}")

    def boot(self):
        """Yield all that a kernel without drivers sees of the devices."""
        for d in self.devices:
            yield (f"cxl {d.size} {d.mapped} {len(d.cpmus)} {d.entries} "
                   f"{[c.entry for c in d.cpmus]} "
                   f"{[c.entry for cpmus in d.ports.values() for c in cpmus]}")
