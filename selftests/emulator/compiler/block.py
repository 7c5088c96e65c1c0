# SPDX-License-Identifier: GPL-2.0-only
"""Make discovery tables that belong to no PCI function: those of the core building blocks
of Diamond Rapids, and of client processors. An MSR has the address of a table; the units
follow the table.
"""

from . import gap, units

MSR = 0x710
BYTES = 2 << 20
FABRIC = 32 << 20       # bytes of a block with an address in the description
UNITS = 0x20000         # offset of the units from the table
NUMBERS = 100000        # distance from the unit numbers of a table to those of the next,
                        # because "hw" names the units of all tables by number


class Block:
    """A table and its units."""

    # Attributes of PCI devices. server.py reads them from blocks, too, where they mean nothing.
    vendor = device = table_bar = tpmi_bar = unit_bar = 0
    d3 = telemetry = rom = wide = False
    tpmi = port = unit_port = None

    def __init__(self, server, package, index, number, node):
        self.index, self.number = index, number
        self.base = gap.end(server.packages) + BYTES * (
            package.number * server.blocks + number)
        self.bytes, self.units = BYTES, UNITS
        self.apart = node.has("base")
        if self.apart:
            self.base = node.num("base", limit=2 ** 52) + package.number * FABRIC
            self.bytes, self.units = FABRIC, 0
        self.msr = MSR
        if isinstance(node.raw("msr", True), bool):
            self.listed = node.flag("msr", True)
        else:
            self.listed, self.msr = True, node.num("msr", limit=0xffff)
        self.first = NUMBERS * (number + bool(package.devices))
        self.discovery = units.Discovery(node, package, gap.Gap(package.number, "bar"),
                                         server)
        if self.discovery.unit_bytes > self.bytes - self.units:
            node.fail("units", "are more than a block has room for",
                      f"at most {(self.bytes - self.units) // units.SLOT}")
        self.discovery.unit_bytes = 0
        for unit in [self.discovery.globe, *self.discovery.switches]:
            self.settle(unit)
        for unit in self.discovery.units:
            self.settle(unit)
            unit.id += self.first
        self.discovery.words = [(at, value + (self.base + self.units) * bool(moves), False)
                                for at, value, moves in self.discovery.words]

    def settle(self, unit):
        if unit.moves:
            unit.place += self.base + self.units
            unit.gap = True

    @staticmethod
    def bars():
        return {}

    @staticmethod
    def capabilities():
        return ()

    @staticmethod
    def bar_bytes(_bar, size):
        return size

    def plan(self, package):
        yield (f"gap pkg={package} base={self.base:#x} bytes={self.bytes:#x} "
               f"table={self.index}" + " reserved=1 high=1" * self.apart)


def check_room(node, server):
    """Check that the tables, which are behind the gaps of packages, fit below LOW_END."""
    if gap.end(server.packages) + BYTES * server.packages * server.blocks > gap.LOW_END:
        node.fail("packages", "have more blocks than there is room for", "fewer")


def msrs(package, cpus):
    """Yield (CPU, MSR, value); a package's blocks get, in order, equally many CPUs."""
    for cpu in range(cpus):
        block = package.blocks[cpu * len(package.blocks) // cpus]
        if block.listed:
            yield package.number * cpus + cpu, block.msr, block.base
