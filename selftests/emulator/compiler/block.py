# SPDX-License-Identifier: GPL-2.0-only
"""Core building blocks of Diamond Rapids: dies with a discovery table that no PCI
function has. An MSR of their CPUs says where it is; its units are behind it.
"""

from . import gap, units

MSR = 0x710
BYTES = 2 << 20
UNITS = 0x20000         # behind the table
NUMBERS = 100000        # added to the numbers of units, times one more than the
                        # block's, so that those of all blocks differ for "hw"


class Block:
    """One of them."""

    # what a PCI device has
    vendor = device = table_bar = tpmi_bar = unit_bar = 0
    telemetry_bar = telemetry_id = 0
    d3 = telemetry = rom = False
    tpmi = port = unit_port = None

    def __init__(self, server, package, index, number, node):
        self.index, self.number = index, number
        self.base = gap.end(server.packages) + BYTES * (
            package.number * server.blocks + number)
        self.listed = node.flag("msr", True)
        self.discovery = units.Discovery(node, package.bus, package.bus_step,
                                         gap.Gap(package.number, "bar"), server)
        if self.discovery.unit_bytes > BYTES - UNITS:
            node.fail("units", "are more than a block has room for",
                      f"at most {(BYTES - UNITS) // units.SLOT}")
        self.discovery.unit_bytes = 0
        for unit in [self.discovery.globe, *self.discovery.units]:
            self.settle(unit)
        self.discovery.words = [(at, value + (self.base + UNITS) * bool(moves), False)
                                for at, value, moves in self.discovery.words]

    def settle(self, unit):
        if unit.moves:
            unit.place += self.base + UNITS
            unit.gap = True
        if unit is not self.discovery.globe:
            unit.id += NUMBERS * (self.number + 1)

    @staticmethod
    def bars():
        return {}

    def plan(self, package):
        yield (f"gap pkg={package} base={self.base:#x} bytes={BYTES:#x} "
               f"table={self.index}")


def check_room(node, server):
    """Behind the packages' gaps."""
    if gap.end(server.packages) + BYTES * server.packages * server.blocks > gap.LOW_END:
        node.fail("packages", "have more blocks than there is room for", "fewer")


def msrs(package, cpus):
    """The CPUs of a package belong to its blocks in order, to each as many."""
    for cpu in range(cpus):
        block = package.blocks[cpu * len(package.blocks) // cpus]
        if block.listed:
            yield package.number * cpus + cpu, MSR, block.base
