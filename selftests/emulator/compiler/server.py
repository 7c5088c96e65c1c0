# SPDX-License-Identifier: GPL-2.0-only
"""Make a whole machine of a description: packages, devices, plan and QEMU arguments."""

import os
import zlib

from . import block, check, claimed, cxl, dump, functions, gap, ring, tpmi, units

FIRST_EXPANDER = 0x10   # first slot of the root bus for other host bridges
BENCH = "1e.0"
MEMORY_NODE = 32        # MiB of a NUMA node without CPUs
FILLER = (0x8086, 0x09a2)
UNITS = 6               # for a BAR of units in a port; "moves" is one more than any BAR


# BARs and capabilities of a device, from public listings of servers: {BAR: bytes}, and
# (VSEC or not, offset, id) of each capability. Registers of other drivers are not public
# and read 0 here.
SHAPES = {
    "spr": ({0: 0x2000, 1: 0x40000},
            ((False, 0x100, 1), (False, 0x110, 2), (False, 0x120, 3), (False, 0x130, 4),
             (False, 0x140, 0), (True, 0x160, 0x41))),
}
CAPABILITY, CAPABILITY_STEP = 0x100, 0x40
TELEMETRY_BYTES, TELEMETRY_STEP = 0x1000, 0x400


def bar_bytes(size):
    """Return the size of a BAR, computed as in load.c."""
    return 1 << max(size - 1, 0xfff).bit_length()


class Device:
    """An OOBMSM function with tables and registers."""

    def __init__(self, server, package, index, node, parts):
        discovery, region = parts
        self.package, self.index = package, index
        self.vendor, self.device = check.pci_id(node, "id", "8086:09a7")
        self.devfn = check.devfn(node, "devfn", f"03.{index + 1}")
        self.d3 = node.flag("d3", False)
        self.telemetry = node.flag("telemetry", True)
        self.telemetry_id = node.num("telemetry_id", 2, 0xffff)
        self.rom = node.flag("rom", False)
        # Each wide BAR takes the next number, too, for the upper half of its address.
        self.wide = node.flag("wide", False)
        self.sizes, self.layout = {}, None
        if node.has("shape"):
            self.sizes, self.layout = SHAPES[node.word("shape", None, SHAPES)]
        self.port = check.devfn(node, "port") if node.has("port") else None
        self.unit_port = (check.devfn(node, "unit_port") if node.has("unit_port")
                          else None)
        node.done()
        place = (package.segment, package.bus, self.devfn)
        self.discovery = discovery and units.Discovery(
            discovery, package, package.gap, server)
        self.tpmi = region and tpmi.Tpmi(region, package.number, package.partition(),
                                         place, server.read_raw)
        if self.wide and self.discovery and self.discovery.unit_bytes:
            node.fail("wide", "leaves no BAR for units of the table", "false")
        self.choose_bars()

    def choose_bars(self):
        """Choose the BAR that each capability names, or the first free one if that is taken."""
        free = [0, 2, 4] if self.wide else [0, 1, 2, 3, 4, 5]

        def take(wanted):
            bar = wanted if wanted in free else free[0]
            free.remove(bar)
            return bar

        self.table_bar = take(self.discovery.bir if self.discovery else 0)
        if self.layout:
            self.telemetry_bar = take(1)
        self.tpmi_bar = take(self.tpmi.bir if self.tpmi and not self.wide else 1)
        if self.wide and self.tpmi:
            self.tpmi.bir = self.tpmi_bar
        # In a port, BAR 0 is for interrupts, BAR 1 for units. Three wide BARs leave none
        # for units, but then no unit is in a BAR (checked in __init__()).
        self.unit_bar = 1 if self.unit_port is not None or self.wide else take(2)
        if not self.layout:
            self.telemetry_bar = take(3)

    def bar_bytes(self, bar, size):
        return self.sizes.get(bar, bar_bytes(size))

    def telemetry_bytes(self):
        # Firmware puts 64-bit BARs above 4 GiB only if not all fit below, and 4 GiB never fit.
        return 1 << 32 if self.wide else self.bar_bytes(self.telemetry_bar, TELEMETRY_BYTES)

    def capabilities(self):
        """Yield a line of the plan for each capability: its offset, kind and target."""
        tables = {}
        if self.discovery:
            d = self.discovery
            tables[False, d.id] = (f"vendor={d.vendor:#x} id={d.id} rev={d.rev} "
                                   f"entries={d.entries} size={d.size} "
                                   f"pointer={d.bir | d.offset:#x}")
        if self.tpmi:
            t = self.tpmi
            tables[True, t.vsec_id] = (f"vsec=1 id={t.vsec_id:#x} rev={t.rev} "
                                       f"entries={t.entries} size={t.size} "
                                       f"pointer={t.bir | t.offset:#x}")
        places = self.layout
        if not places:
            kinds = list(tables) + [(False, self.telemetry_id)] * self.telemetry
            places = [(vsec, CAPABILITY + i * CAPABILITY_STEP, number)
                      for i, (vsec, number) in enumerate(kinds)]
        others = 0
        for vsec, at, number in places:
            line = tables.pop((vsec, number), None)
            if not line:
                line = ("vsec=1 " * vsec + "vendor=0x8086 " * (not vsec) +
                        f"id={number:#x} rev=1 entries=1 size=4 "
                        f"pointer={self.telemetry_bar | others * TELEMETRY_STEP:#x}")
                others += 1
            yield f"at={at:#x} {line}"

    def argument(self):
        return f"pmon-oobmsm,package={self.package.number},index={self.index}"

    def bars(self):
        """Return {base of an address in the table: BAR}; the key True is for addresses of units."""
        units = self.unit_bar if self.unit_port is None else UNITS
        return {True: units, "table": self.table_bar, "tpmi": self.tpmi_bar,
                "telemetry": self.telemetry_bar}


def segment_of(node, number):
    """Return a package's PCI segment: the description has one for all, or one for each."""
    segments = node.raw("segment", 0)
    if isinstance(segments, list):
        segments = segments[number] if number < len(segments) else None
    segments = check.number(segments)
    if segments is None or not 0 <= segments < 8:
        node.fail("segment", "does not give each package its PCI segment", "0 to 7")
    return segments


class Package:
    """A processor package with root buses and a NUMA node."""

    def __init__(self, server, number, node, step=0, nodes=0):
        self.number = number
        self.bus_step = step
        self.segment = segment_of(node, number)
        buses = node.raw("bus", 0)
        if isinstance(buses, list):
            self.bus = check.number(buses[number]) if number < len(buses) else None
            if self.bus is None or not 0 <= self.bus < 256:
                node.fail("bus", "does not give each package a root bus", "0 to 255 each")
        else:
            self.bus = node.num("bus", 0, 255) + step
        self.node = node.num("node", 0, 63) + nodes
        if not node.has("node"):
            self.node = server.nodes[number][0]
        self.proximity = node.flag("proximity", True)
        self.bus_nodes = self.read_bus_nodes(node)
        self.gap = gap.Gap(number, server.controllers)
        self.port = check.devfn(node, "port", "04.0") if node.has("port") else None
        devices = node.nodes("oobmsm")
        if not node.has("oobmsm"):
            devices = [check.Node({}, node.file, f"{node.path}.oobmsm")]
        discovery, region = node.nodes("discovery", True), node.nodes("tpmi", True)
        while len(devices) < max(len(discovery), len(region)):
            devices.append(check.Node({}, node.file, f"{node.path}.oobmsm"))
        self.devices = []
        for i, device in enumerate(devices):
            parts = (discovery[i] if i < len(discovery) else None,
                     region[i] if i < len(region) else None)
            self.devices.append(Device(server, self, i, device, parts))
        self.blocks = [block.Block(server, self, len(devices) + i, i, entry)
                       for i, entry in enumerate(node.nodes("blocks"))]
        self.functions = functions.Functions(number, server.packages, self, step)
        self.functions.read(node)
        for device in self.devices:
            if device.discovery and device.discovery.free.controllers:
                place, spaces, free = device.discovery.free.controllers
                self.functions.memory_controllers(place, device.index, spaces, free)
        node.done()

    def read_bus_nodes(self, node):
        """Read which root buses are on another node than the package, or on no node."""
        table, result = node.raw("bus_nodes", {}), {}
        for bus, value in (table.items() if isinstance(table, dict) else [("", "")]):
            number = check.number(bus)
            if number is None or (value is not None and check.number(value) is None):
                node.fail("bus_nodes", "is not understood", '{ "0x7e": null, "0x15": 1 }')
            result[number + self.bus_step] = None if value is None else check.number(value)
        return result

    def node_of(self, bus):
        """Return the node that firmware reports for a root bus, or None."""
        return self.bus_nodes.get(bus, self.node) if self.proximity else None

    def fixed_spaces(self):
        """Return (base, bytes, reserved) of free-running counters at a fixed address, or None."""
        found = (d.discovery.free.fixed for d in [*self.devices, *self.blocks]
                 if d.discovery and not self.number)
        return next(filter(None, found), None)

    def partition(self):
        """Return the number of the next TPMI device of the package."""
        return sum(device.tpmi is not None for device in self.devices)


class Server:
    """The machine of a description."""

    def __init__(self, path):
        root = check.load(path)
        self.notes = []
        if dump.is_dump(root.data):
            data, self.notes = dump.describe(root)
            root = check.Node(data, path, "")
        self.directory = os.path.dirname(os.path.abspath(path))
        self.root = root
        self.name = root.word("name")
        self.read_cpu(root.node("cpu"))
        self.memory = root.num("memory_mib", 768 * self.packages, 65536)
        self.controllers = root.word("memory_controllers", gap.KINDS[0], gap.KINDS)
        gap.check_memory(root, self.all_memory(), self.packages, self.controllers)
        self.seed = None
        if root.word("power_on", "garbage", ("garbage", "zero")) == "garbage":
            self.seed = root.num("seed", zlib.crc32(self.name.encode()), 2 ** 64 - 1)
        self.reset = root.word("reset", units.RESETS[0], units.RESETS)
        self.msrs = [(None, a, v) for a, v in root.numbers("msr").items()]
        self.read_packages(root)
        self.read_logical_ids(root)
        for package in self.package:
            if package.blocks:
                self.msrs += block.msrs(package, self.cpus)
        self.cxl = cxl.Cxl(root.nodes("cxl"), self.name,
                           [self.root_package().node, *sum(self.nodes, [])])
        self.rings = ring.read(root, self.package)
        self.append = claimed.read(root)
        root.done()

    def read_raw(self, node, key):
        path = os.path.join(self.directory, node.word(key))
        try:
            with open(path, "rb") as f:
                return f.read()
        except OSError as e:
            node.fail(key, f"{path}: {e.strerror}", "name a file beside the description")

    def read_cpu(self, node):
        self.family = node.num("family", 6, 255)
        self.model = node.num("model", limit=255)
        self.stepping = node.num("stepping", 1, 15)
        self.packages = node.num("packages", limit=16)
        self.cores = node.num("cores", limit=256)
        self.threads = node.num("threads", 1, 2)
        self.dies = node.num("dies", 1, 16)
        self.hypervisor = node.flag("hypervisor", False)
        self.per_module = node.num("cpus_per_module", 0, 8)
        self.cpus = self.cores * self.threads
        self.read_nodes(node)
        if not self.dies or self.cores % self.dies:
            node.fail("dies", "does not divide the cores of a package", "1")
        if not self.packages or not self.cpus:
            node.fail("", "has no CPU", "at least one package, core and thread")
        self.cpu_node = node
        node.done()

    def read_nodes(self, node):
        """Read the nodes of each package."""
        self.nodes = [[check.number(n) for n in (entry if isinstance(entry, list) else [entry])]
                      for entry in node.raw("nodes", range(self.packages))]
        every = sum(self.nodes, [])
        one = len(set(every)) == 1
        if (len(self.nodes) != self.packages
                or not one and len(set(every)) != len(every)
                or not all(n is not None and 0 <= n < 64 for n in every)):
            node.fail("nodes", "does not give each package nodes of its own",
                      "a number below 64 for each, or a list of them, or one for all")
        if any(not nodes or self.cores % len(nodes) for nodes in self.nodes):
            node.fail("nodes", "does not divide the cores of a package",
                      "as many cores for each of its nodes")

    def read_packages(self, root):
        entries = root.nodes("packages")
        if len(entries) not in (1, self.packages):
            root.fail("packages", f"has {len(entries)} entries for {self.packages} "
                      "packages", "give one entry for all, or one for each")
        segments = [segment_of(entries[number if len(entries) > 1 else 0], number)
                    for number in range(self.packages)]
        most = max(segments.count(segment) for segment in segments)
        step = 256 // most if self.packages > 1 else 0
        self.blocks = max(len(entry.nodes("blocks")) for entry in entries)
        block.check_room(root, self)
        self.package = []
        for number in range(self.packages):
            if len(entries) == 1:
                copy = check.Node(entries[0].data, entries[0].file, entries[0].path)
                before = segments[:number].count(segments[number])
                self.package.append(Package(self, number, copy, before * step,
                                            number))
            else:
                self.package.append(Package(self, number, entries[number]))

    def read_logical_ids(self, root):
        override = root.numbers("pm_logical_id")
        reserved = root.num("pm_logical_id_reserved", 0, 2 ** 64 - 1)
        for package in self.package:
            regions = [d.tpmi for d in package.devices if d.tpmi]
            ids = tpmi.logical_ids(self.cpu_node, regions, self.cpus,
                                   self.per_module)
            for cpu in range(self.cpus):
                number = package.number * self.cpus + cpu
                value = override.pop(number, ids[cpu] | reserved if ids else "gp")
                self.msrs.append((number, 0x54, value))
        if override:
            root.fail("pm_logical_id", f"no CPU {min(override)}", "use Linux CPU numbers")

    # ---- the plan ----------------------------------------------------------

    def plan(self):
        node = self.root_package().node_of(0)
        node = -1 if node is None else node
        yield (f"machine name={self.name} packages={self.packages} "
               f"cpus={self.cpus} root_node={node + 1}" +
               (f" seed={self.seed:#x}" if self.seed is not None else ""))
        for cpu, address, value in self.msrs:
            where = "" if cpu is None else f" cpu={cpu}"
            what = "fault=1" if value == "gp" else f"value={value:#x}"
            yield f"msr address={address:#x}{where} {what}"
        yield from self.segments_plan()
        for package in self.package:
            yield from package.gap.plan(package.number)
            for device in [*package.devices, *package.blocks]:
                yield from self.device_plan(package, device)
            for each in package.blocks:
                yield from each.plan(package.number)
            if package.fixed_spaces():
                base, size, reserved = package.fixed_spaces()
                yield (f"gap pkg={package.number} base={base:#x} bytes={size:#x} "
                       "high=1" + " reserved=1" * reserved)
            for config in package.functions.configs:
                yield config.plan(package.number)
        for socket in self.rings:
            yield from socket.plan()
        yield from self.cxl.plan()

    def segments_plan(self):
        """Yield all segments but 0; their BARs share the space after the gaps in equal parts."""
        numbers = sorted({p.segment for p in self.package} - {0})
        first = gap.end(self.packages)
        for i, number in enumerate(numbers):
            size = (gap.LOW_END - first) // len(numbers)
            yield (f"segment number={number} first={first + i * size:#x} "
                   f"last={first + (i + 1) * size - 1:#x}")

    def device_plan(self, package, d):
        at = f"pkg={package.number} dev={d.index}"
        table = d.discovery
        yield (f"device {at} vendor={d.vendor:#x} device={d.device:#x} d3={d.d3:d} "
               f"table_bar={d.table_bar} tpmi_bar={d.tpmi_bar} unit_bar={d.unit_bar} "
               f"unit_bytes={table.unit_bytes if table else 0}" +
               (f" telemetry_bar={d.telemetry_bar} telemetry_bytes={d.telemetry_bytes()}"
                if d.telemetry else "") +
               " rom=1" * d.rom + " wide=1" * d.wide + " unit_port=1" * (d.unit_port is not None))
        for line in d.capabilities():
            yield f"capability {at} {line}"
        if table:
            yield (f"table {at} offset={table.place} bytes={table.bytes} "
                   f"bar_bytes={d.bar_bytes(d.table_bar, table.place + table.bytes)}")
            for where, value, moves in table.words:
                bar = f" moves={d.bars()[moves] + 1}" if moves else ""
                yield f"word {at} at={where} value={value:#x}{bar}"
            yield (self.unit_plan(at, table.globe) + " global=1" +
                   " write_only=1" * table.globe.write_only +
                   f" box={table.globe.box:#x}" * bool(table.globe.box))
            for unit in table.switches:
                yield (self.unit_plan(at, unit) + " global=1 switch=1" +
                       f" run={unit.run:#x} box={unit.box:#x}")
            for unit in table.units:
                yield (self.unit_plan(at, unit) + f" type={unit.type} id={unit.id}" +
                       " dead=1" * unit.dead + " resets_all=1" * unit.resets_all +
                       f" ctl_lacks={unit.ctl_lacks:#x}" * bool(unit.ctl_lacks))
            for counters in table.free.units:
                yield from counters.plan(at)
        if d.tpmi:
            yield from self.tpmi_plan(at, d.tpmi)

    def unit_plan(self, at, unit):
        where = (f" segment={unit.segment} bus={unit.bus} devfn={unit.devfn}"
                 if unit.kind == "pci" else "")
        reg = dict(unit.reg, width=max(1, min(unit.reg["width"], 64)))
        fields = " ".join(f"{key}={value}" for key, value in reg.items())
        return f"unit {at} access={unit.kind} address={unit.place:#x}{where} {fields}" + " gap=1" * unit.gap

    def tpmi_plan(self, at, t):
        yield (f"tpmi {at} offset={t.offset} pfs={len(t.pfs)} info0={t.info0:#x} info1={t.info1:#x} "
               f"bytes={t.bytes()} stuck={t.stuck:d}")
        for index, word in enumerate(t.pfs):
            yield f"pfs {at} index={index} value={word:#x}"
        for f in t.features:
            yield (f"feature {at} id={f.id:#x} base={t.offset + f.cap_offset * 1024:#x} "
                   f"entries={f.entries} bytes={f.size * 4} state={f.state():#x}")
        for number, p in enumerate(t.plr):
            yield f"plr {at} {p.plan(number)}"
            for module, value in p.in_force.items():
                yield (f"in-force {at} instance={number} module={module} "
                       f"value={value:#x}")
            for mesh, values in ((0, p.core), (1, p.mesh)):
                for module, value in values.items():
                    yield (f"bits {at} instance={number} mesh={mesh} module={module} "
                           f"value={value:#x}")

        for r in t.rapl:
            if r.present:
                yield f"rapl {at} {r.plan()}"
        for number, registers in enumerate(t.sst):
            for word, value in registers.items():
                yield f"sst {at} instance={number} word={word} value={value:#x}"

    # ---- QEMU's arguments --------------------------------------------------

    def root_package(self):
        """Return the package of bus 0 of the first segment."""
        return min((p for p in self.package if not p.segment), key=lambda p: p.bus)

    def functions(self):
        """Return {(segment, bus, devfn): argument of -device}."""
        places = {}
        for package in self.package:
            at = package.segment
            for (bus, devfn), text in package.functions.places.items():
                places[at, bus, devfn] = (
                    text + ",express=off" * ((bus, devfn) in package.functions.plain))
            for d in package.devices:
                if d.port is None:
                    places[at, package.bus, d.devfn] = d.argument()
                for unit in d.discovery.units if d.discovery else []:
                    if unit.kind == "pci" and unit.exists:
                        places[at, unit.bus, unit.devfn] = (
                            functions.argument(*unit.device) +
                            ",express=off" * (not unit.express))
        for segment, bus, devfn in list(places):
            places.setdefault((segment, bus, devfn & ~7), functions.argument(*FILLER))
        return dict(sorted(places.items()))

    def bus_package(self, segment, bus):
        """Return the package of a bus. A package has the buses up to the next package's first."""
        there = [p for p in self.package if p.segment == segment]
        return max((p for p in there if p.bus <= bus), key=lambda p: p.bus,
                   default=min(there, key=lambda p: p.bus))

    @staticmethod
    def root_name(segment, bus):
        if segment:
            return f"root{segment}-{bus:x}"
        return f"root{bus:x}" if bus else "pcie.0"

    def roots(self, places):
        """Return the root buses except the first, which QEMU always has."""
        every = ({place[:2] for place in places} |
                 {(p.segment, p.bus) for p in self.package if p.devices})
        return sorted(every - {(0, 0)})

    def device_arguments(self):
        places = self.functions()
        slots, bridges = {}, []
        for segment, bus in self.roots(places):
            node = self.bus_package(segment, bus).node_of(bus)
            host = f"segment{segment}" if segment else "pcie.0"
            slot = slots.setdefault(segment, 0 if segment else FIRST_EXPANDER)
            slots[segment] += 1
            bridges.append(
                f"pxb-pcie,id={self.root_name(segment, bus)},bus={host},bus_nr={bus}"
                f",addr={slot:#x}" + f",numa_node={node}" * (node is not None))
        # QEMU's ACPI tables reverse the order of bridges; real firmware lists them by bus.
        yield from reversed(bridges)
        for (segment, bus, devfn), text in places.items():
            yield (f"{text},bus={self.root_name(segment, bus)},"
                   f"addr={devfn >> 3:#x}.{devfn & 7},multifunction=on")
        for package in self.package:
            behind = [(package.port, "edu")] if package.port is not None else []
            behind += [(d.port, d.argument()) for d in package.devices
                       if d.port is not None]
            for number, (port, device) in enumerate(behind):
                yield from self.port_arguments(package, number, port, device)
            for d in package.devices:
                if d.unit_port is not None:
                    yield (f"pmon-port,id=unitport{package.number}.{d.index},"
                           f"chassis={128 + package.number},slot={d.index},"
                           f"{self.at_root(package, d.unit_port)}")
        yield from self.cxl.arguments(slots.get(0, FIRST_EXPANDER))
        yield f"pmon-bench,bus=pcie.0,addr={BENCH}"

    def port_arguments(self, package, number, port, device):
        name = f"port{package.number}.{number}"
        yield (f"pcie-root-port,id={name},chassis={package.number},slot={number},"
               f"{self.at_root(package, port)}")
        yield f"{device},bus={name}"

    def at_root(self, package, devfn):
        root = self.root_name(package.segment, package.bus)
        return f"bus={root},addr={devfn >> 3:#x}.{devfn & 7},multifunction=on"

    def numa_arguments(self):
        share = {}
        for package, nodes in enumerate(self.nodes):
            cpus = self.cpus // len(nodes)
            for i, node in enumerate(nodes):
                first = package * self.cpus + i * cpus
                size, before = share.get(node, (0, ""))
                share[node] = (size + self.memory // self.packages // len(nodes),
                               f"{before},cpus={first}-{first + cpus - 1}")
        for node in range(max(share) + 1):
            size, cpus = share.get(node, (MEMORY_NODE, ""))
            yield "-object", f"memory-backend-ram,id=ram{node},size={size}M"
            yield "-numa", f"node,nodeid={node},memdev=ram{node}{cpus}"

    def all_memory(self):
        """Return all memory in MiB: the packages' equal shares, and nodes without CPUs."""
        every = sum(self.nodes, [])
        others = max(every) + 1 - len(set(every))
        return (sum(self.memory // self.packages // len(nodes) * len(nodes)
                    for nodes in self.nodes) + others * MEMORY_NODE)

    def boot(self):
        """Yield all that a kernel without drivers sees, and additions to its command line."""
        if self.append:
            yield f"append {self.append}"
        for pair in self.arguments("", None):
            yield " ".join(pair)
        yield f"memory controllers {self.controllers}"
        yield from self.segments_plan()
        for package in self.package:
            for each in package.blocks:
                yield f"block {each.base:#x}"
        yield from self.cxl.boot()
        for socket in self.rings:
            # A function that does not respond does not exist for a kernel.
            if socket.dead:
                yield f"dead ring {socket.bus}"
        for package in self.package:
            for d in package.devices:
                table, region = d.discovery, d.tpmi
                yield (f"{d.vendor} {d.device} {d.d3} {d.table_bar} {d.tpmi_bar} "
                       f"{d.unit_bar} {d.telemetry and (d.telemetry_bar, d.telemetry_bytes())} "
                       f"{d.rom} {d.unit_port} {d.wide}")
                if table:
                    yield (f"table {d.bar_bytes(d.table_bar, table.place + table.bytes)} "
                           f"units {table.unit_bytes}")
                if region:
                    yield f"tpmi {bar_bytes(region.bytes())}"

    def arguments(self, plan, log):
        total = self.packages * self.cpus
        hypervisor = "" if self.hypervisor else ",-hypervisor"
        yield "-L", "/usr/share/qemu"
        yield "-L", "/usr/share/seabios"
        yield "-M", "q35,i8042=off" + self.cxl.machine()
        # On few host cores, one thread for all CPUs costs half as much as one for each.
        parallel = os.environ.get("OPENPMON_PARALLEL", "0") != "0"
        yield "-accel", "tcg,thread=" + ("multi" if parallel else "single")
        # CPUID leaf 0x1f has the dies. The last leaf replaces all missing leaves, so 0x20 must
        # follow. Addresses have 46 bits if a register is above 4 GiB.
        level = "0x20" if self.dies > 1 else "0x16"
        wide = any((p.fixed_spaces() or [p.gap.base])[0] >> 32 for p in self.package)
        yield "-cpu", (f"Icelake-Server,family={self.family},model={self.model},"
                       f"stepping={self.stepping}{hypervisor},level={level}" +
                       # Without ERMS and FSRM, kernels copy bytes by words, in an eighth of
                       # the time. Keep both if instructions are counted as on a host.
                       ",-erms,-fsrm" * ("OPENPMON_ICOUNT" not in os.environ) +
                       ",phys-bits=46" * wide)
        dies = f"dies={self.dies}," * (self.dies > 1)
        yield "-smp", (f"{total},sockets={self.packages},{dies}"
                       f"cores={self.cores // self.dies},threads={self.threads}")
        yield "-m", f"{self.all_memory()}M"
        yield from self.numa_arguments()
        yield from self.cxl.objects()
        logged = f",log={log}" if log else ""
        yield "-device", f"pmon-server,plan={plan}{logged}"
        for text in self.device_arguments():
            yield "-device", text
