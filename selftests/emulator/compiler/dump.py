# SPDX-License-Identifier: GPL-2.0-only
"""Convert the output of `pmonctl dump` to the description of a machine.

A dump comes from a stranger, so all values are checked here, or by the readers of
descriptions; no value is used as a file name. `notes` lists differences from the
host.
"""

import functools
import os
import re

from . import check, functions, gap, ring, tpmi, units
from .claimed import MOST as CLAIMS_MOST

KIND = "openpmon dump"
SEGMENTS_LAST = 7       # an address in a table has three bits for the segment
MOST_CPUS = 64          # more would boot for minutes
INTEL = 0x8086
# Functions of QEMU and of the models' bench, which are never taken from a dump.
OWN_VENDORS = (0x1b36, 0x1af4, 0x1234)
OWN = ((INTEL, 0x29c0), (INTEL, 0x2918), (INTEL, 0x2922), (INTEL, 0x2930),
       (INTEL, 0x2934), (INTEL, 0x0d93), (INTEL, 0x7075))
OOBMSM = ((INTEL, 0x09a7), (INTEL, 0x09a1))
MC = (INTEL, 0x3251)
DVSEC, VSEC = 0x23, 0x0b
PMON_DVSEC, TPMI_VSEC, SDSI_VSEC = 1, 0x42, 0x41
TELEMETRY = (2, 4)
BAR_MOST = 1 << 28
CHA_MODELS, CHA_COUNT = (143, 207), "0x2ffe"
# UPI and M3UPI, which drivers find without a table: (type, first slot, offset).
LINKS = {(INTEL, functions.UPI): (8, functions.UPI_SLOT, 0x318),
         (INTEL, functions.M3UPI): (9, functions.M3UPI_SLOT, 0xa0)}
# Each root bus has this function. A large server has more root buses than there are slots
# here, so the function's configuration is kept only on Grand Ridge, where drivers read it.
PLACE, PLACE_MODELS = (INTEL, 0x09a2), (182,)
CHA, CHA_FILTER = 0, 0x0e
DIAMOND_RAPIDS = (19, 1)
# Types with fields above bit 31, for which pmon_uncore assumes controls 8 bytes apart.
DMR_WIDE = (6, 23, 24, 30, 31, 35, 36, 38, 43, 47, 48, 49)
UBOX, DMR_UBOX_BITS = 5, "0xffffffff"
# Client processors with a table in memory, and machines with their other registers.
CLIENTS = {(6, 0xcc): "ptl-1s.json"}
CLIENT_MSR, CLIENT_BYTES = 0x201e, 32 << 20
HOST_BRIDGE = "0000:00:00.0"
# The fixed counter of a memory controller.
DMR_FIXED = {"fixed_ctl_offset": 0x10, "fixed_ctr_offset": 0x18, "fixed_ctl_bytes": 8}
# Reasons for rejection that lie in the host's memory map. The machine's map differs, so the
# machine claims the address of a unit to have the unit rejected.
CLAIMED = "claimed by something else"
MAPPED = (CLAIMED, "is memory", "is memory of the firmware", "inside PCI configuration space",
          "behind a bridge to other devices", "inside another device",
          "not inside a BAR of the device")
PAGE, FREE_SPACE = 0x1000, 0x3000   # FREE_SPACE: bytes of free-running counters
MOST_CLAIMED = 1 << 32              # reserve= takes only addresses below this
CPMU = re.compile(r"cxl_pmu_mem\d+\.\d+$")
FUNCTION = re.compile(r"([0-9a-f]{4}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$")


MACHINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../machines")


def text_of(bus_devfn):
    return f"{bus_devfn >> 3:02x}.{bus_devfn & 7}"


class Function:
    """A PCI function of the dump."""

    def __init__(self, node):
        found = FUNCTION.match(node.word("function"))
        if not found:
            node.fail("function", "is no PCI function", '"0000:00:03.1"')
        self.segment, self.bus, slot, number = (int(part, 16) for part in found.groups())
        if self.segment > SEGMENTS_LAST or slot > 31:
            node.fail("function", "is in a PCI segment that cannot be had here",
                      f"segments up to {SEGMENTS_LAST}")
        self.root = self.segment, self.bus
        self.name, self.devfn = found[0], slot << 3 | number
        self.id = (node.num("vendor", limit=0xffff), node.num("device", limit=0xffff))
        node.has("class")
        node.has("driver")
        self.node = node.num("node", 64, 64)
        self.on_root = node.flag("root_bus", True)
        self.asleep = node.raw("power") in ("D3hot", "D3cold")
        self.bars = {}
        for bar in node.nodes("bars"):
            self.bars[bar.num("bar", limit=6)] = (
                bar.num("start", limit=2 ** 64 - 1), bar.num("bytes", limit=2 ** 64 - 1))
            bar.done()
        self.config = {at: value for at, value in node.numbers("config").items()
                       if value != "gp"}
        self.capability = {}    # {(kind, id): words of the first}
        capabilities = node.raw("capabilities", [])
        if not isinstance(capabilities, list):
            node.fail("capabilities", "is not a list", "four dwords each")
        for words in capabilities:
            self.add_capability(node, words)
        node.done()

    def add_capability(self, node, words):
        numbers = [check.number(w) for w in words] if isinstance(words, list) else []
        if len(numbers) != 4 or any(n is None or not 0 <= n < 2 ** 32 for n in numbers):
            node.fail("capabilities", "has one that is not four dwords", '["0x1", ...]')
        kind = numbers[0] & 0xffff
        number = numbers[2 if kind == DVSEC else 1] & 0xffff
        self.capability.setdefault((kind, number), numbers)

    def is_own(self):
        return self.id[0] in OWN_VENDORS or self.id in OWN

    def id_text(self):
        return f"{self.id[0]:04x}:{self.id[1]:04x}"

    def config_text(self):
        return {f"{at:#x}": f"{value:#x}" for at, value in self.config.items()}

    def is_wide(self):
        """True if the function has at most three BARs, of 64 bits each, and one above 4 GiB."""
        numbers = [bar for bar in self.bars if bar < 6]
        return (0 < len(numbers) < 4 and not any(bar % 2 for bar in numbers) and
                any(self.bars[bar][0] >> 32 for bar in numbers))

    def bar_of(self, address):
        for bar, (start, size) in self.bars.items():
            if bar < 6 and start <= address < start + size:
                return bar, address - start
        return None


class Table:
    """A discovery table of the dump."""

    def __init__(self, node, every):
        node.word("name")
        self.node = node
        self.package = node.num("package", limit=255)
        self.platform = node.word("platform", "unknown")
        # None for a table in memory, like that of a core building block
        self.function = function_of(node, every) if node.has("function") else None
        self.words = words_of(node, 3 * 1024)
        node.has("mode")
        self.address = node.num("address", 0, 2 ** 52) if node.has("address") else None
        self.rejected = set()
        self.refused = {}       # {(type, id, address): reason}
        self.chas = 0
        for entry in node.nodes("rejected"):
            self.read_rejected(entry)
        self.free = {}
        for entry in node.nodes("free_running"):
            kind = entry.word("name").split("_")[0]
            first, width = entry.num("id", limit=255), entry.num("width", 48, 64)
            low, count, _ = self.free.get(kind, (first, 0, width))
            self.free[kind] = (min(low, first), count + 1, width)
            entry.done()
        self.add_refused_free()
        node.done()

    def records(self):
        if not self.words or len(self.words) % 3:
            self.node.fail("table", "is not made of records", "24 bytes each")
        return [self.words[i:i + 3] for i in range(0, len(self.words), 3)]

    def read_rejected(self, entry):
        kind, number = check.number(entry.word("type")), check.number(entry.word("id"))
        field, reason = entry.word("field"), entry.raw("reason", "")
        value = check.number(entry.raw("value"))
        if field == "chas":
            self.chas = entry.num("value", limit=1024)
        if field == "address" and reason in MAPPED and value is not None:
            self.refused[kind, number, value] = reason
        else:
            self.rejected.add((kind, number))
        entry.done()

    def add_refused_free(self):
        """Add the free-running counters whose rejections have type IMC, but no record."""
        records = {(bits(q2, 0, 15), bits(q2, 16, 31), q1) for q1, q2 in
                   zip(self.words[4::3], self.words[5::3])}
        self.free_refused = {number: reason for (kind, number, value), reason in
                             self.refused.items() if kind == gap.IMC and
                             (kind, number, value) not in records}
        for number in sorted(self.free_refused):
            low, count, width = self.free.get("imc", (number, 0, 48))
            self.free["imc"] = (min(low, number), count + 1, width)


def function_of(node, every):
    """Return the PCI function of an entry."""
    found = every.get(node.word("function"))
    if not found:
        node.fail("function", "is not in pci", "dump all functions")
    return found


def words_of(node, most):
    """Return the qwords of a table, which is one line in hexadecimal."""
    text = node.raw("table", "")
    try:
        data = bytes.fromhex(text)
    except (TypeError, ValueError):
        node.fail("table", "is not a table", "bytes in hexadecimal")
    if len(data) % 8 or len(data) > most * 8:
        node.fail("table", f"has {len(data)} bytes", f"whole qwords, {most} at most")
    return [int.from_bytes(data[i:i + 8], "little") for i in range(0, len(data), 8)]


def bits(value, low, high):
    return value >> low & ((1 << high - low + 1) - 1)


def place_of(address):
    """Return segment, bus and devfn of a unit in configuration space."""
    return bits(address, 28, 30), bits(address, 20, 27), bits(address, 12, 19)


def hexes(words):
    return [f"{word:#x}" for word in words]


class Claims:
    """Memory to claim, so that drivers reject the units there."""

    def __init__(self, machine):
        self.machine, self.taken, self.used = machine, [], []

    def add(self, reason, address, size=1):
        if address + size > MOST_CLAIMED:
            self.machine.note(f"the unit at {address:#x} may not be rejected")
            return
        self.taken.append((address & ~(PAGE - 1), -(-(address + size) // PAGE) * PAGE))
        if reason != CLAIMED:
            self.machine.note(f"refused is as {CLAIMED}, and not: {reason}")

    def ranges(self):
        """Return ranges; neighbours are joined unless a used address is between them."""
        result = []
        for first, end in sorted(self.taken):
            if result and not any(result[-1][1] <= at < first for at in self.used):
                result[-1][1] = max(result[-1][1], end)
            else:
                result.append([first, end])
        for first, _ in result[CLAIMS_MOST:]:
            self.machine.note(f"units from {first:#x} on may not be rejected")
        return [{"address": f"{first:#x}", "bytes": f"{end - first:#x}"}
                for first, end in result[:CLAIMS_MOST]]


class Units:
    """Entries of a description, made of the records of a table."""

    def __init__(self, machine, table, space):
        self.machine, self.table, self.space = machine, table, space
        self.function = table.function
        self.slots = 0

    def unit(self, record):
        """Return the entry for a record; a rejected record gets no registers."""
        q0, address, q2 = record
        access = bits(q0, 62, 63)
        kind, number = bits(q2, 0, 15), bits(q2, 16, 31)
        counters, width = bits(q0, 0, 7), bits(q0, 16, 23)
        bare = {"record": hexes(record), "type": kind, "id": number}
        if access == 2:
            self.machine.wanted.add(place_of(address))
        refused = self.table.refused.get((kind, number, address)) if access == 1 else None
        if refused and not self.space.takes(kind):
            self.machine.claims.add(refused, address)
            return bare
        if (kind, number) in self.table.rejected or not counters or width > 64:
            return bare
        entry = {"type": kind, "id": number, "counters": counters, "width": width,
                 "ctl_offset": bits(q0, 8, 15), "ctr_offset": bits(q0, 24, 31),
                 "status_offset": bits(q0, 32, 39),
                 "table": {"q0": f"{q0:#x}", "q2": f"{q2:#x}"}}
        if kind == gap.IMC and access == 1:
            entry["fixed"] = True
        if access == 0:
            entry.update(access="msr", address=f"{address:#x}")
            if kind == CHA:
                entry["filter_offset"] = CHA_FILTER
        elif access == 1:
            self.mmio(entry, address, refused)
            if self.machine.is_dmr() and kind in DMR_WIDE:
                entry["ctl_stride"] = 8
            if self.machine.is_dmr() and kind == gap.IMC:
                entry.update(DMR_FIXED)
        elif access == 2 and self.machine.function(place_of(address)):
            self.pci(entry, address)
            if self.machine.is_dmr() and kind == UBOX:
                entry["ctl_bits"] = DMR_UBOX_BITS
        else:
            return bare
        return entry

    def pci(self, entry, address):
        function = self.machine.function(place_of(address))
        entry["access"] = "pci"
        entry["address"] = {"bus": function.bus, "devfn": text_of(function.devfn),
                            "offset": f"{address & 0xfff:#x}", "device": function.id_text()}
        entry["table"]["q1"] = f"{address:#x}"

    def mmio(self, entry, address, refused):
        entry["access"] = "mmio"
        if not self.function:
            self.slots += 1
            entry["address"] = "bar"
            return
        place = self.function.bar_of(address)
        if place:
            self.slots += 1
            entry["address"] = {"bar_offset": f"{place[1]:#x}"}
            return
        entry["address"] = "auto"
        fake = check.Node({}, self.table.node.file, self.table.node.path)
        if not self.space.takes(entry["type"]):
            self.slots += 1
            self.machine.note(f"units of type {entry['type']} are elsewhere")
            return
        here = self.space.unit(fake, entry["type"])
        if here != address:
            self.machine.note(f"units of type {entry['type']} are elsewhere")
        if refused:
            self.machine.claims.add(refused, here)
        else:
            self.machine.claims.used.append(here)

    def control(self, record):
        """Return the entry for the global record."""
        q0, address, q2 = record
        globe = {"access": ("msr", "mmio", "pci", "reserved")[bits(q0, 62, 63)],
                 "address": f"{address:#x}", "q0": f"{q0:#x}", "q2": f"{q2:#x}",
                 "status_offset": bits(q2, 0, 7)}
        if not self.function:
            globe.update(address="auto", frozen=True, readable=True)
            return globe
        place = self.function.bar_of(address)
        if globe["access"] == "mmio" and place:
            if place[1] == self.slots * units.SLOT + units.SLOT_UNIT:
                globe["address"] = "auto"
            else:
                self.machine.note("the control of all units is not there")
        return globe


class Machine:
    """The description made of a dump."""

    def __init__(self, root):
        self.root = root
        self.notes, self.wanted, self.claims = [], set(), Claims(self)
        if root.num("format") != 1:
            root.fail("format", "is not known", "a dump of this version")
        # Facts about the host and its software are no part of a machine.
        for key in ("kind", "pmonctl", "modules", "host", "iomem", "memmap", "mcfg", "log",
                    "moment", "qualify"):
            root.has(key)
        self.cards = sum(CPMU.match(str(node.raw("name"))) is not None
                         for node in root.nodes("pmus"))
        root.has("cxl")
        self.msrs = root.numbers("pm_logical_id")
        self.functions = {}
        for node in root.nodes("pci"):
            function = Function(node)
            self.functions[function.name] = function
        self.places = {(*f.root, f.devfn): f for f in self.functions.values()}
        self.read_cpus(root.node("cpu"), root.nodes("cpus"))
        self.has_free_imc = False
        self.tables = [Table(node, self.functions) for node in root.nodes("discovery")]
        self.regions = [self.region(node) for node in root.nodes("tpmi")]
        self.domains = [self.domain(node) for node in root.nodes("domains")]
        root.done()

    def is_dmr(self):
        return (self.cpu["family"], self.cpu["model"]) == DIAMOND_RAPIDS

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def function(self, place):
        found = self.places.get(place)
        return None if found is None or found.is_own() or not found.on_root else found

    # ---- CPUs ----------------------------------------------------------------

    def read_cpus(self, cpu, cpus):
        cpu.has("name")
        cpu.has("microcode")
        self.cpu = {key: cpu.num(key, limit=255) for key in ("family", "model")}
        self.cpu["stepping"] = cpu.num("stepping", 0, 15)
        if cpu.flag("hypervisor", False):
            self.cpu["hypervisor"] = True
        cpu.done()
        self.packages, cores = {}, {}
        for node in cpus:
            number = node.num("cpu", limit=65535)
            package, die = node.num("package", limit=255), node.num("die", 0, 1023)
            place = (package, die, node.num("core", 0, 65535))
            cores.setdefault(place, []).append((number, node.num("node", 0, 63)))
            node.done()
        for place in sorted(cores):
            self.packages.setdefault(place[0], []).append((place[1], sorted(cores[place])))
        self.check_cpus()
        self.shrink()

    def check_cpus(self):
        shapes = {(len(cores), len(dict.fromkeys(d for d, _ in cores)),
                   len(threads)) for cores in self.packages.values() for _, threads in cores}
        if len(shapes) != 1:
            self.root.fail("cpus", "packages or cores are not alike", "all CPUs online")
        self.cores, self.dies, self.threads = shapes.pop()
        if len(self.packages) > 16 or self.threads > 2 or self.cores % self.dies:
            self.root.fail("cpus", "cannot be had here", "16 packages, 2 threads at most")

    def shrink(self):
        """Keep fewer cores, from all dies of each package."""
        nodes = {len({n for _, threads in cores for _, n in threads})
                 for cores in self.packages.values()}
        keep = self.cores
        while keep > 1 and (len(self.packages) * keep * self.threads > MOST_CPUS or
                            keep % self.dies or any(keep % n for n in nodes)):
            keep -= 1
        if keep != self.cores:
            self.note(f"{keep} of {self.cores} cores of each package")
        self.order = []         # CPU numbers of the dump, in the order of the machine
        self.cpu["nodes"] = []
        for package in sorted(self.packages):
            cores = [self.packages[package][i * self.cores // keep][1] for i in range(keep)]
            self.cpu["nodes"].append(list(dict.fromkeys(
                node for core in cores for _, node in core)))
            self.order += [cpu for core in cores for cpu, _ in core]
        self.kept = keep
        self.cpu.update(packages=len(self.packages), cores=keep, threads=self.threads)
        if self.dies > 1:
            self.cpu["dies"] = self.dies

    def package_of(self, number, node):
        """Return a package's number in the description, where numbers begin at 0."""
        every = sorted(self.packages)
        if number not in every:
            node.fail("package", f"{number} has no CPU", "one of " + str(every))
        return every.index(number)

    # ---- TPMI ----------------------------------------------------------------

    def region(self, node):
        node.word("name")
        number, part = node.num("package", limit=255), node.num("partition", 0, 3)
        function = function_of(node, self.functions)
        rows = words_of(node, 255)
        node.done()
        return number, part, function, rows

    def domain(self, node):
        node.word("name")
        package, number = node.num("package", limit=255), node.num("domain", limit=31)
        function = function_of(node, self.functions) if node.has("function") else None
        version = re.match(r"(\d)\.(\d\d?)$", node.word("version"))
        if not version:
            node.fail("version", "is no version", '"0.1"')
        modules = {}
        for entry in node.nodes("modules"):
            modules[entry.num("module", limit=255)] = cpu_list(entry, "cpus")
            entry.done()
        meshes = node.num("meshes", 0, 256)
        node.done()
        header = int(version[1]) << 5 | int(version[2])
        return package, number, function, header, modules, meshes

    def logical_ids(self):
        """Return MSR 0x54 of each CPU, or None without domains."""
        if not self.domains:
            return None
        if self.msrs:
            return {str(i): f"{self.msrs[cpu]:#x}" if cpu in self.msrs else "gp"
                    for i, cpu in enumerate(self.order)}
        ids = {}
        for package, number, _, _, modules, _ in self.domains:
            for module, cpus in modules.items():
                for i, cpu in enumerate(cpus):
                    if cpu in self.order:
                        ids[self.order.index(cpu)] = number << 11 | module << 3 | i & 7
        return {str(i): f"{ids[i]:#x}" if i in ids else "gp" for i in range(len(self.order))}

    def domains_of(self, region):
        """Return the domains of a region. Domains without a function are dealt to the devices
        of the package in the order of partitions."""
        number, part, function, _ = region
        parts = sorted(r[1] for r in self.regions if r[0] == number)
        mine = [d for d in self.domains if d[0] == number]
        known, others = [d for d in mine if d[2] is function], [d for d in mine if not d[2]]
        first, end = (len(others) * n // len(parts) for n in
                      (parts.index(part), parts.index(part) + 1))
        return known + others[first:end]

    def tpmi(self, region):
        number, part, function, rows = region
        mine = self.domains_of(region)
        mask = sum(1 << d[1] for d in mine)
        first = (mask & -mask).bit_length() - 1 if part and mask else 0
        features = {row[0]: {"id": row[0], "present": False} for row in tpmi.DEFAULT}
        for row in rows:
            fid = bits(row, 0, 7)
            features.pop(fid, None)
            features[fid] = {"id": fid, "entries": bits(row, 8, 15), "size": bits(row, 16, 31),
                             "cap_offset": bits(row, 32, 47), "attribute": bits(row, 48, 49),
                             "present": True}
        entries = [{"instance": d[1] - first, "header": d[3], "mesh": d[5],
                    "modules": max(d[4], default=-1) + 1} for d in mine]
        words = function.capability.get((VSEC, TPMI_VSEC), [0, 0x10042, 2 << 24, 1])
        return {"features": list(features.values()), "plr": entries,
                "info": {"package": number, "partition": part, "cdie_mask": f"{mask:#x}"},
                "vsec": {"rev": words[1] >> 16 & 15, "entries": words[2] >> 16 & 255,
                         "entry_size": words[2] >> 24, "bir": words[3] & 7,
                         "offset": words[3] & ~7}}, rows

    # ---- devices -------------------------------------------------------------

    def devices(self, package):
        """Return a package's devices: those with its tables or regions, and others by node."""
        number = sorted(self.packages)[package]
        tables = [t for t in self.tables if t.function]
        mine = {t.function.name for t in tables if t.package == number}
        known = {t.function.name for t in tables}
        mine |= {r[2].name for r in self.regions if r[0] == number and r[2].name not in known}
        known |= {r[2].name for r in self.regions}
        for function in self.functions.values():
            if function.id in OOBMSM and function.on_root and function.name not in known:
                home = [p for p, nodes in enumerate(self.cpu["nodes"])
                        if function.node in nodes]
                if (home or [0])[0] == package:
                    mine.add(function.name)
        return [self.functions[name] for name in sorted(mine)]

    @staticmethod
    def dvsec(function):
        words = function.capability.get((DVSEC, PMON_DVSEC))
        if not words:
            return {}
        return {"vendor": words[1] & 0xffff, "rev": words[1] >> 16 & 15,
                "entries": words[2] >> 16 & 255, "entry_size": words[2] >> 24,
                "bir": words[3] & 7, "offset": words[3] & ~7, "id": words[2] & 0xffff}

    def table(self, function, space):
        """Return the discovery of a device, or None."""
        table = next((t for t in self.tables if t.function is function), None)
        capability = (DVSEC, PMON_DVSEC) in function.capability
        if not table:
            return {"dvsec": self.dvsec(function)} if capability else None
        if not table.words:
            # The dump lacks the registers that the capability locates.
            return {"dvsec": self.dvsec(function), "max_units": 0}
        records = table.records()
        made = Units(self, table, space)
        entries = [made.unit(record) for record in records[1:]]
        if self.cpu["model"] in CHA_MODELS:
            entries += self.links(function.root, entries)
        head = records[0][0]
        result = {"dvsec": self.dvsec(function), "global": made.control(records[0]),
                  "stride": bits(head, 8, 15), "units": entries,
                  "unit_bytes": self.unit_bytes(function)}
        free = self.free_running(table, space)
        if free:
            result["free_running"] = free
        return result

    def blocks(self, package, space):
        """Return a package's tables in memory, in the order of the dump."""
        result = []
        for table in self.tables:
            if table.function or table.package != sorted(self.packages)[package]:
                continue
            if not self.is_dmr():
                result.append(self.client_block(table))
                continue
            records = table.records()
            made = Units(self, table, space)
            result.append({"units": [made.unit(record) for record in records[1:]],
                           "global": made.control(records[0]),
                           "stride": bits(records[0][0], 8, 15)})
        return result

    def client_block(self, table):
        """Return a client processor's table, with registers without a record from CLIENTS."""
        name = CLIENTS.get((self.cpu["family"], self.cpu["model"]))
        if not name:
            table.node.fail("function", "is not there: the table is in memory",
                            "such tables can be had here of Panther Lake and Diamond Rapids")
        if table.address is None:
            table.node.fail("address", "is not there", "dump with the module msr loaded")
        like = check.load(os.path.join(MACHINES, name)).data["packages"][0]["blocks"][0]
        records = table.records()
        listed = [self.client_unit(table, record) for record in records[1:]]
        return {"msr": CLIENT_MSR, "base": f"{table.address:#x}", "global": like["global"],
                "switches": like["switches"], "stride": bits(records[0][0], 8, 15),
                "units": listed + [u for u in like["units"] if u.get("listed") is False],
                "free_running": like["free_running"]}

    @staticmethod
    def client_unit(table, record):
        q0, address, q2 = record
        place = address - table.address
        inside = 0 <= place < CLIENT_BYTES
        return {"type": bits(q2, 0, 15), "id": bits(q2, 16, 31), "access": "mmio",
                "address": {"bar_offset": place} if inside else {"physical": address},
                "counters": bits(q0, 0, 7), "width": bits(q0, 16, 23),
                "ctl_offset": bits(q0, 8, 15), "ctr_offset": bits(q0, 24, 31),
                "status_offset": bits(q0, 32, 39)}

    def rings(self):
        """Return R2PCIe of each socket, with the Ubox on the same bus."""
        result = []
        for number, (device, ports, ubox, *_) in ring.VERSIONS.items():
            for function in self.functions.values():
                if function.id != (INTEL, device) or not function.on_root:
                    continue
                beside = [f for f in self.functions.values() if f.root == function.root]
                entry = {"version": number, "bus": function.bus,
                         "devfn": text_of(function.devfn),
                         "qpi": sum(f.id[1] in ports for f in beside), "ubox": {"exists": False}}
                for f in beside:
                    if f.id == (INTEL, ubox) and ring.NODE_ID in f.config:
                        entry["ubox"] = {"bus": f.bus, "devfn": text_of(f.devfn),
                                         "node": f.config[ring.NODE_ID],
                                         "map": f.config[ring.NODE_MAP]}
                result.append((function.bus, entry))
        return [entry for _, entry in sorted(result, key=lambda pair: pair[0])]

    def links(self, root, entries):
        """Yield the links without a record, because drivers find them all the same."""
        listed = {(e["address"]["bus"], e["address"]["devfn"]) for e in entries
                  if e.get("access") == "pci"}
        for function in self.places.values():
            kind, slot, offset = LINKS.get(function.id, (0, 0, 0))
            number, devfn = (function.devfn >> 3) - slot, text_of(function.devfn)
            if (kind and function.devfn & 7 == 1 and 0 <= number < 4 and
                    self.near(function.root) == root and (function.bus, devfn) not in listed):
                yield {"type": kind, "id": number, "access": "pci", "status_offset": 4,
                       "listed": False, "address": {
                           "bus": function.bus, "devfn": devfn, "offset": offset,
                           "device": function.id_text()}}

    def unit_bytes(self, function):
        """Return the size of the BAR for units, chosen as in server.py."""
        if function.is_wide():
            return 0
        free = [0, 1, 2, 3, 4, 5]
        for key, bar in (((DVSEC, PMON_DVSEC), 0), ((VSEC, TPMI_VSEC), 1), (None, 2)):
            words = function.capability.get(key)
            bar = words[3] & 7 if words else bar
            bar = bar if bar in free else free[0]
            free.remove(bar)
        size = function.bars.get(bar, (0, 0))[1]
        if size > BAR_MOST:
            self.note("the BAR of units is smaller")
        return size if size <= BAR_MOST else 0

    def claim_spaces(self, table, space, first, count):
        for number in range(first, first + count):
            if number in table.free_refused:
                self.claims.add(table.free_refused[number], space.space(number), FREE_SPACE)
            else:
                self.claims.used.append(space.space(number))

    def free_running(self, table, space):
        family = "spr" if self.cpu["model"] in CHA_MODELS else "gnr"
        layout = "dmr-itc" if self.is_dmr() else f"{family}-iio"
        result = []
        for kind, (first, count, width) in sorted(table.free.items()):
            entry = {"id": first, "count": count, "width": width}
            if kind == "iio":
                result.append({"layout": layout, **entry})
            elif kind == "imc":
                bus = next((f.bus for f in self.functions.values() if f.id == MC and
                            self.near(f.root) == table.function.root), None)
                if bus is not None:
                    self.has_free_imc = True
                    result.append({"layout": "spr-imc", "bus": bus, **entry})
                    self.claim_spaces(table, space, first, count)
            else:
                self.note(f"counters of {kind} that run by themselves are not there")
        return result

    def near(self, root):
        """Return the last root bus with a device, among those up to root in root's segment."""
        roots = {f.root for f in self.functions.values() if f.id in OOBMSM and f.on_root}
        return max((other for other in roots if other <= root and other[0] == root[0]),
                   default=min(roots, default=(0, 0)))

    def oobmsm(self, function):
        device = {"id": function.id_text(), "devfn": text_of(function.devfn),
                  "d3": function.asleep, "rom": 6 in function.bars,
                  "wide": function.is_wide()}
        found = [number for kind, number in function.capability
                 if kind == DVSEC and number in TELEMETRY]
        device["telemetry"] = bool(found)
        if (VSEC, SDSI_VSEC) in function.capability:
            device["shape"] = "spr"
        elif found:
            device["telemetry_id"] = found[0]
        return device

    @functools.cached_property
    def controllers(self):
        """Return "high" if memory controllers are above 4 GiB, unless reserve= must claim units."""
        high = any(q1 >> 32 for t in self.tables if t.function and t.words
                   for q0, q1, q2 in t.records()[1:]
                   if bits(q0, 62, 63) == 1 and bits(q2, 0, 15) == gap.IMC and
                   not t.function.bar_of(q1))
        return "high" if high and not any(t.refused for t in self.tables) else gap.KINDS[0]

    def package(self, package):
        devices = self.devices(package)
        if not devices:
            return self.package_without(package)
        space = gap.Gap(package, self.controllers)
        first = devices[0]
        entry = {"segment": first.segment, "bus": first.bus, "proximity": first.node < 64,
                 "oobmsm": [self.oobmsm(f) for f in devices],
                 "discovery": [], "tpmi": []}
        if first.node < 64:
            entry["node"] = first.node
        for device, function in zip(entry["oobmsm"], devices):
            entry["discovery"].append(self.table(function, space))
            units = (entry["discovery"][-1] or {}).get("units", [])
            if any("bar" in str(u.get("address")) for u in units):
                device["wide"] = False
            region = next((r for r in self.regions if r[2] is function), None)
            entry["tpmi"].append(self.tpmi(region)[0] if region else None)
            if function.root != first.root:
                self.root.fail("pci", "has devices of one package on two buses", "one bus")
        blocks = self.blocks(package, space)
        if blocks:
            entry["blocks"] = blocks
        entry["functions"] = self.others(first.root, devices)
        entry["bus_nodes"] = self.bus_nodes(first)
        return entry

    def package_without(self, package):
        """Return a package without devices; any tables are in memory."""
        blocks = self.blocks(package, None)
        if not blocks and (self.tables or self.regions):
            self.root.fail("pci", f"has no device for package {package}", "one for each")
        entry = {"bus": package * 256 // len(self.packages), "oobmsm": [],
                 "node": self.cpu["nodes"][package][0]}
        if blocks:
            bridge = self.functions.get(HOST_BRIDGE)
            entry.update(blocks=blocks, functions=[
                {"bus": 0, "devfn": "00.0", "config": bridge.config_text()}] if bridge else [])
        return entry

    def bus_nodes(self, first):
        """Return {bus: node} of the package's root buses on other nodes than the first device."""
        return {str(f.bus): f.node if f.node < 64 else None for f in self.functions.values()
                if f.on_root and self.near(f.root) == first.root and f.node != first.node
                and first.node < 64}

    def others(self, root, devices):
        """Return the functions that locate counters, or that have units of a table."""
        result = []
        for function in self.places.values():
            if (function in devices or function.is_own() or not function.on_root or
                    self.near(function.root) != root or function.id == MC and self.has_free_imc):
                continue
            config = function.config_text()
            if function.id == PLACE and self.cpu["model"] not in PLACE_MODELS:
                config = {}
            if config or function.id in LINKS or (*function.root, function.devfn) in self.wanted:
                entry = {"bus": function.bus, "devfn": text_of(function.devfn),
                         "device": function.id_text()}
                if config:
                    entry["config"] = config
                result.append(entry)
        return result

    def description(self):
        platform = self.tables[0].platform if self.tables else "host"
        name = re.sub(r"[^a-z0-9-]", "", platform)[:16] or "host"
        machine = {"name": f"{name}-{len(self.packages)}s-dump", "cpu": self.cpu}
        chas = [t.chas for t in self.tables if t.chas]
        if self.cpu["model"] in CHA_MODELS:
            listed = [sum(q2 & 0xffff == CHA for q2 in t.words[5::3]) for t in self.tables]
            machine["msr"] = {CHA_COUNT: max(chas or listed or [0])}
        ids = self.logical_ids()
        if ids:
            modules = min(sum(max(d[4], default=-1) + 1 for d in self.domains if d[0] == p)
                          for p in self.packages)
            machine["cpu"]["cpus_per_module"] = min(
                8, -(-self.kept * self.threads // max(modules, 1)))
            machine["pm_logical_id"] = ids
        if len(self.packages) > 4:
            machine["memory_mib"] = 384 * len(self.packages)
        machine["packages"] = [self.package(p) for p in range(len(self.packages))]
        rings = self.rings()
        if rings:
            machine["r2pcie"] = rings
        if self.controllers != gap.KINDS[0]:
            machine["memory_controllers"] = self.controllers
        if any("blocks" in p and not p["oobmsm"] for p in machine["packages"]):
            machine["memory_controllers"] = gap.KINDS[-1]
        if self.cards:
            self.note(f"key pmus: {self.cards} of CXL are not there: dumps have no registers of them")
        if not (self.tables or self.regions or rings):
            self.root.fail("discovery", "is empty, and so is tpmi; R2PCIe is not in pci",
                           "a host with one of them; CXL devices alone cannot be had here")
        claimed = self.claims.ranges()
        if claimed:
            machine["claimed"] = claimed
        return machine


def cpu_list(node, key):
    """Return the CPU numbers of a list like "0-3,8", which may be empty."""
    numbers = []
    for part in filter(None, str(node.raw(key, "")).split(",")):
        found = re.match(r"(\d{1,5})(?:-(\d{1,5}))?$", part)
        if not found:
            node.fail(key, f"{part!r} is not a list of CPUs", '"0-3,8"')
        numbers += range(int(found[1]), int(found[2] or found[1]) + 1)
    return numbers


def is_dump(data):
    return isinstance(data, dict) and data.get("kind") == KIND


def describe(root):
    """Return the description of a machine, and differences from the host."""
    machine = Machine(root)
    return machine.description(), machine.notes
