# SPDX-License-Identifier: GPL-2.0-only
"""Plan free-running counters, which are beside the units of the discovery table."""

from . import check

TYPE = 0x1000           # added to the type of the units

# Type of the units, access, rows of counters. A row has the first unit mask, the address
# in unit 0, the stride of units, the number of counters and their stride. Except with
# "msr", an address is an offset in a space: of a memory controller, or of FIXED.
LAYOUTS = {
    "spr-iio": (1, "msr", ((0x10, 0x340e, 0x10, 1, 1), (0x20, 0x3800, 0x10, 8, 1),
                           (0x30, 0x3808, 0x10, 8, 1))),
    "gnr-iio": (1, "msr", ((0x10, 0x290e, 0x10, 1, 1), (0x20, 0x360e, 0x80, 8, 0x10),
                           (0x30, 0x2e0e, 0x80, 8, 0x10))),
    "spr-imc": (6, "mmio", ((0x10, 0x22b0, 0, 1, 8), (0x20, 0x2318, 0, 2, 8))),
    "dmr-itc": (48, "memory", ((0x10, 0x4d40, 0, 8, 8), (0x20, 0x6b00, 0, 8, 8),
                               (0x30, 0x6b60, 0, 8, 8), (0x40, 0x6bb0, 0, 1, 8))),
    "client-imc": (6, "memory", ((0x10, 0x40, 0, 1, 8), (0x20, 0x58, 0, 1, 8),
                                 (0x30, 0xa0, 0, 1, 8))),
}

# For "memory": physical addresses of the spaces, and the range around them (base, bytes,
# reserved). On clients coreboot chooses the address, and the host bridge has it.
FIXED = {
    "dmr-itc": ((0x1ffff6ae7000, 0x1ffff6aef000, 0x1ffff6aff000, 0x1ffff6b07000),
                (0x1ffff6ae7000, 0x28000, False)),
    "client-imc": ((0xfedcd800, 0xfeddd800), (0xfedc0000, 0x20000, True)),
}


class Free:
    """The free-running counters beside one unit."""

    def __init__(self, layout, number, width, slot, gap):
        unit_type, self.access, rows = LAYOUTS[layout]
        self.type, self.id, self.width = unit_type + TYPE, number, width
        self.rows = [(umask, at + number * step, count, stride)
                     for umask, at, step, count, stride in rows]
        self.place, self.gap = slot, gap
        if self.access == "memory":
            self.access, self.place, self.gap = "mmio", FIXED[layout][0][number], True
        if self.access == "msr":
            self.place = min(row[1] for row in self.rows)
            self.rows = [(umask, at - self.place, count, stride)
                         for umask, at, count, stride in self.rows]

    def plan(self, at):
        counters = sum(row[2] for row in self.rows)
        yield (f"unit {at} access={self.access} address={self.place:#x} free=1 "
               f"type={self.type} id={self.id} counters={counters} "
               f"width={self.width} ctl=0 ctl_stride=0 ctl_bytes=0 ctr=0 "
               "ctr_stride=0 status=0 filter=0" + " gap=1" * self.gap)
        for umask, offset, count, stride in self.rows:
            yield (f"free {at} type={self.type} id={self.id} umask={umask:#x} "
                   f"at={offset:#x} count={count} stride={stride}")


class FreeRunning:
    """All free-running counters of a discovery device."""

    def __init__(self, node, layout, bus, bus_step):
        self.units = []
        self.controllers = None     # (bus, devfn), start of each space, in a gap?
        self.fixed = None           # physical address, bytes, reserved?
        for entry in node.nodes("free_running"):
            self.read(entry, layout, bus, bus_step)

    def read(self, node, layout, bus, bus_step):
        name = node.word("layout", None, LAYOUTS)
        first, width = node.num("id", 0, 255), node.num("width", 48, 64)
        memory = LAYOUTS[name][1] == "memory"
        if memory:
            self.fixed = FIXED[name][1]
        slots, gap = [], LAYOUTS[name][1] == "mmio" and layout.gap.takes(LAYOUTS[name][0])
        for number in range(first, first + node.num("count", 1, 255)):
            slot = None
            if LAYOUTS[name][1] == "mmio":
                slot = layout.gap.space(number) if gap else layout.window()
                slots.append(slot)
            if memory and number >= len(FIXED[name][0]):
                node.fail("count", "is more than there are spaces",
                          f"{len(FIXED[name][0])}")
            # Addresses in packages other than 0 are not documented.
            if not memory or not layout.gap.number:
                self.units.append(Free(name, number, width, slot, gap))
        if slots:
            if node.has("bus"):
                bus = node.num("bus", limit=255) + bus_step
            self.controllers = ((bus, check.devfn(node, "devfn", "00.1")), slots, gap)
        node.done()
