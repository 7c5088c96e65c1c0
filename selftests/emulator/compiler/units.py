# SPDX-License-Identifier: GPL-2.0-only
"""Convert a description of PMON discovery to units, registers and table words."""

from . import check, free

ACCESS = {"msr": 0, "mmio": 1, "pci": 2, "reserved": 3}

# Unit types whose MMIO controls are 64 bits wide: CXL boxes.
WIDE_CONTROLS = (12, 13, 17)

# The bits that controls of a unit type implement, if not all. A Ubox's control ends at
# bit 28, because its threshold has five bits.
CTL_BITS = {5: 0x1fffffff}
ALL_BITS = 2 ** 64 - 1

# Range of the units' MSRs; other MSRs of the processor are outside.
MSR_FIRST, MSR_LAST = 0x2000, 0x3fff

# BARs other than the unit BAR, to which addresses of an invalid table may lead.
BARS = ("table", "tpmi", "telemetry")

SLOT = 0x8000           # window of a unit in the unit BAR
SLOT_UNIT = 0x2800      # offset of the unit, as on Sapphire Rapids
AUTO_BUS = 0x10         # bus of PCI units with automatic addresses, counted from the root bus
AUTO_OFFSET = 0x438
AUTO_DEVICE = "8086:324a"

# With "all", a reset of a box clears all controls and counters. With "documented", it
# leaves the upper halves of PCI controls and the fixed counter.
RESETS = ("documented", "all")

NO_REGISTERS = {"counters": 0, "width": 0, "ctl": 0, "ctl_stride": 0, "ctl_bytes": 0,
                "ctr": 0, "ctr_stride": 0, "status": 0, "filter": 0}


class Unit:
    """A unit: a record in the table, and registers."""

    def __init__(self):
        self.moves = False      # the address is relative to the unit BAR
        self.gap = False        # at a physical address, see gap.py and block.py
        self.device = None      # PCI id of the function of a PCI unit


class Layout:
    """Hands out slots of the unit BAR, addresses in the gap, and PCI functions."""

    def __init__(self, package, gap):
        self.slots = 0
        self.segment, self.bus = package.segment, package.bus
        self.gap = gap
        self.functions = 0

    def window(self):
        self.slots += 1
        return (self.slots - 1) * SLOT

    def slot(self):
        return self.window() + SLOT_UNIT

    def function(self):
        self.functions += 1
        return (1 + (self.functions - 1) // 8) << 3 | (self.functions - 1) % 8

    def bytes(self):
        size = self.slots * SLOT
        return 1 << (size - 1).bit_length() if size else 0


def registers(node, unit):
    """Return the layout of the registers; the access type selects the defaults."""
    wide = unit.access == "pci" or unit.type in WIDE_CONTROLS
    stride = {"msr": 1, "mmio": 8 if wide else 4}.get(unit.access, 8)
    reg = {
        "counters": node.num("counters", 4, 255),
        "width": node.num("width", 48, 255),
        "ctl": node.num("ctl_offset", {"msr": 2, "mmio": 0x40}.get(unit.access, 0x38), 255),
        "ctl_stride": node.num("ctl_stride", stride, 64),
        "ctr": node.num("ctr_offset", 8, 255),
        "ctr_stride": node.num("ctr_stride", 1 if unit.access == "msr" else 8, 64),
        "status": node.num("status_offset", 0, 255),
        "filter": node.num("filter_offset", 0, 255),
    }
    if not node.flag("box", True):
        reg["boxless"] = 1
    if node.flag("enable_bit", False):
        reg["enable"] = 1
    narrow = unit.access == "mmio" and reg["ctl_stride"] == 4
    reg["ctl_bytes"] = node.num("ctl_bytes", 4 if narrow else 8, 8)
    if node.flag("fixed", False):
        reg["fixed_ctl"] = node.num("fixed_ctl_offset", 0x54, 255)
        reg["fixed_ctr"] = node.num("fixed_ctr_offset", 0x38, 255)
        reg["fixed_width"] = node.num("fixed_width", 48, 64)
        reg["fixed_ctl_bytes"] = node.num("fixed_ctl_bytes", 4, 8)
    return reg


def pci_address(node, unit, layout, bus_step, index):
    if check.number(node.raw("address")) is not None:
        unit.address, unit.kind = node.num("address", limit=2 ** 64 - 1), "none"
        return
    if node.raw("address") == "auto":
        place = check.Node({}, node.file, f"{node.path}.address")
        unit.bus, unit.devfn = layout.bus + AUTO_BUS, layout.function()
    else:
        place = node.node("address")
        unit.bus = place.num("bus", limit=255) + bus_step
        unit.devfn = check.devfn(place, "devfn")
        if index:
            unit.devfn += index * check.devfn(place, "step", "01.0")
        else:
            place.has("step")
        if unit.bus > 255 or unit.devfn > 255:
            place.fail("", "is behind the last bus or device", "use lower numbers")
    unit.place = place.num("offset", AUTO_OFFSET, 0xfff)
    unit.device = check.pci_id(place, "device", AUTO_DEVICE)
    unit.exists = place.flag("exists", True)
    unit.express = place.flag("express", True)
    place.done()
    unit.segment = layout.segment
    unit.address = (1 << 31 | layout.segment << 28 | unit.bus << 20 | unit.devfn << 12 |
                    unit.place)


def mmio_address(node, unit, layout, step, index):
    address = node.raw("address")
    if address == "auto" and layout.gap.takes(unit.type):
        unit.address = unit.place = layout.gap.unit(node, unit.type)
        unit.gap = True
        return
    if address in ("auto", "bar"):
        unit.address = layout.slot()
    elif isinstance(address, dict):
        place = node.node("address")
        layout.slot()
        if place.has("physical"):
            unit.address = unit.place = place.num("physical") + index * step
            unit.gap = True
            place.done()
            return
        unit.address = place.num("bar_offset") + index * step
        place.done()
    else:       # any other address has no register
        unit.address = node.num("address", limit=2 ** 64 - 1) + index * step
        unit.kind = "none"
        return
    unit.moves, unit.place = True, unit.address


def address(node, unit, layout, bus_step, index):
    step = node.num("step", 0x10 if unit.access == "msr" else 0)
    unit.kind, unit.place = unit.access, 0
    if unit.access == "pci":
        pci_address(node, unit, layout, bus_step, index)
    elif unit.access == "mmio":
        mmio_address(node, unit, layout, step, index)
    else:
        unit.address = node.num("address", limit=2 ** 64 - 1) + index * step
        unit.place = unit.address
        inside = MSR_FIRST <= unit.address <= MSR_LAST
        if unit.access == "reserved" or not inside:
            unit.kind = "none"


def table_words(node, unit):
    """Return the three qwords of a unit's record; the key "table" replaces values."""
    lie = node.node("table")
    reg = unit.reg
    q0 = (lie.num("counters", reg["counters"], 255) |
          lie.num("ctl_offset", reg["ctl"], 255) << 8 |
          lie.num("width", reg["width"], 255) << 16 |
          lie.num("ctr_offset", reg["ctr"], 255) << 24 |
          lie.num("status_offset", reg["status"], 255) << 32 |
          ACCESS[lie.word("access", unit.access, ACCESS)] << 62)
    q2 = lie.num("type", unit.type, 0xffff) | lie.num("id", unit.id, 0xffff) << 16
    moves = unit.moves and not (lie.has("address") or lie.has("q1"))
    if isinstance(lie.raw("address"), dict):
        place = lie.node("address")
        moves = place.word("bar", None, BARS)
        q1 = place.num("offset", 0)
        place.done()
    else:
        q1 = lie.num("address", unit.address, 2 ** 64 - 1)
    words = [(lie.num("q0", q0, 2 ** 64 - 1), False),
             (lie.num("q1", q1, 2 ** 64 - 1), moves),
             (lie.num("q2", q2, 2 ** 64 - 1), False)]
    lie.done()
    return words


def bare_record(node):
    """Return a unit that has three qwords in the table, but no registers."""
    words = [check.number(text) for text in node.raw("record")]
    if len(words) != 3 or any(w is None or not 0 <= w < 2 ** 64 for w in words):
        node.fail("record", "is not a record", '["0x..", "0x..", "0x.."]')
    unit = Unit()
    unit.type = node.num("type", words[2] & 0xffff, 0xffff)
    unit.id = node.num("id", words[2] >> 16 & 0xffff, 0xffff)
    unit.access, unit.kind = "reserved", "none"
    unit.place = unit.address = words[1]
    unit.reg = dict(NO_REGISTERS)
    unit.words = [(word, False) for word in words]
    unit.listed, unit.dead, unit.resets_all, unit.ctl_lacks = True, False, False, 0
    return unit


def numbers_of(node):
    """Return the unit numbers of an entry: consecutive, or a list."""
    if not node.has("ids"):
        first = node.num("id", 0, 0xffff)
        return range(first, first + node.num("count", 1, 1023))
    numbers = [check.number(n) for n in node.raw("ids")]
    if any(n is None or not 0 <= n <= 0xffff for n in numbers):
        node.fail("ids", "is no list of numbers", "[2, 4, 6]")
    return numbers


def units_of(node, layout, bus_step, reset):
    """Return the units of an entry, which are alike except for number and address."""
    if node.has("record"):
        result = [bare_record(node) for _ in range(node.num("count", 1, 1023))]
        node.done()
        return result
    result = []
    for index, number in enumerate(numbers_of(node)):
        unit = Unit()
        unit.type = node.num("type", limit=0xffff)
        unit.id = number
        unit.access = node.word("access", None, ACCESS)
        unit.reg = registers(node, unit)
        address(node, unit, layout, bus_step, index)
        if unit.kind == "none":
            unit.place = unit.address
        unit.words = table_words(node, unit)
        unit.listed = node.flag("listed", True)
        unit.dead = node.flag("dead", False)
        unit.resets_all = node.word("reset", reset, RESETS) == "all"
        unit.ctl_lacks = ALL_BITS ^ node.num("ctl_bits", CTL_BITS.get(unit.type, ALL_BITS),
                                             ALL_BITS)
        result.append(unit)
    node.done()
    return result


# cpu.model of processors whose units Linux 7.2 unfreezes: GNR, GNR-D, SRF, GRR and CWF.
FROZEN_MODELS = (173, 174, 175, 182, 221)


def global_record(node, layout, max_units, stride, frozen):
    """Return the unit of the first record, which has the global control."""
    access = node.word("access", "msr", ACCESS)
    unit = Unit()
    unit.kind, unit.place = access, 0
    if access == "mmio" and node.raw("address", "auto") == "auto":
        unit.address = unit.place = layout.slot()
        unit.moves = True
    else:
        unit.address = unit.place = node.num("address", 0x2ff0, 2 ** 64 - 1)
        if access != "msr" or not MSR_FIRST <= unit.address <= MSR_LAST:
            unit.kind = "none"
    status = node.num("status_offset", 2 if access == "msr" else 8, 255)
    q0 = (node.num("type", 0, 255) | stride << 8 | max_units << 16 |
          ACCESS[access] << 62)
    q2 = status | node.num("num_status", 1, 0xffff) << 8
    unit.words = [(node.num("q0", q0, 2 ** 64 - 1), False),
                  (node.num("q1", unit.address, 2 ** 64 - 1),
                   unit.moves and not node.has("q1")),
                  (node.num("q2", q2, 2 ** 64 - 1), False)]
    unit.reg = dict(NO_REGISTERS, status=status)
    unit.box = int(node.flag("frozen", frozen and unit.kind != "none"))
    unit.write_only = not node.flag("readable", False)
    node.done()
    return unit


def switch(node):
    """Return a second control register. It stops units of the same access type while bit 0
    is set or, with "run", unless all bits of "run" are set."""
    unit = Unit()
    unit.kind = unit.access = node.word("access", None, ACCESS)
    address = node.node("address") if unit.kind == "mmio" else node
    unit.place = address.num("bar_offset" if unit.kind == "mmio" else "address")
    address.done() if unit.kind == "mmio" else None
    unit.address, unit.moves = unit.place, unit.kind == "mmio"
    unit.run = node.num("run", 0, 2 ** 32 - 1)
    unit.reg, unit.box, unit.write_only = dict(NO_REGISTERS), int(not unit.run), False
    node.done()
    return unit


class Discovery:
    """A discovery device: DVSEC, table and units."""

    def __init__(self, node, package, gap, server):
        layout, bus_step = Layout(package, gap), package.bus_step
        self.units = []
        for entry in node.nodes("units"):
            self.units += units_of(entry, layout, bus_step, server.reset)
        self.stride = node.num("stride", 8, 255)
        listed = [u for u in self.units if u.listed]
        count = len(listed)
        if node.raw("max_units", "auto") != "auto":
            count = node.num("max_units", limit=1023)
        self.globe = global_record(node.node("global"), layout, count, self.stride,
                                   server.model in FROZEN_MODELS)
        self.switches = [switch(entry) for entry in node.nodes("switches")]
        self.free = free.FreeRunning(node, layout, package.bus, bus_step)
        self.unit_bytes = max(layout.bytes(), node.num("unit_bytes", 0, 1 << 28))
        if self.unit_bytes & self.unit_bytes - 1:
            node.fail("unit_bytes", "is not the size of a BAR", "a power of two")
        self.dvsec(node.node("dvsec"))
        self.words = self.table([self.globe] + listed)
        self.bytes = self.table_bytes(len(listed))
        if node.has("raw"):
            data = server.read_raw(node, "raw")
            self.bytes = max(len(data), 8)
            self.words = [(i, int.from_bytes(data[i:i + 8], "little"), False)
                          for i in range(0, len(data), 8)]
        node.done()

    def dvsec(self, node):
        self.vendor = node.num("vendor", 0x8086, 0xffff)
        self.id = node.num("id", 1, 0xffff)
        self.rev = node.num("rev", 1, 15)
        self.entries = node.num("entries", 1, 255)
        self.size = node.num("entry_size", 2 * self.stride & 0xff, 255)
        self.bir = node.num("bir", 0, 7)
        self.offset = node.num("offset", 0, 1 << 20)
        if self.offset % 8:
            node.fail("offset", "is not a multiple of 8", "the low bits are the BIR")
        self.place = node.num("place", self.offset, 1 << 20)
        node.done()

    def table(self, records):
        """Return the table's qwords. Of records that overlap, only the last is complete."""
        step = self.stride * 8
        if not step:
            records = records[:1]
        return [(i * step + 8 * q, value, moves)
                for i, unit in enumerate(records)
                for q, (value, moves) in enumerate(unit.words)
                if q < max(self.stride, 1) or i == len(records) - 1]

    def table_bytes(self, listed):
        return listed * self.stride * 8 + max(24, self.stride * 8)
