# SPDX-License-Identifier: GPL-2.0-only
"""Place the registers of memory controllers, HBM and CXL, which are in no BAR.

The registers are, as on Sapphire Rapids, in 8 MiB of physical addresses without a
device and outside the windows of host bridges. PCI function 8086:3251 has the address.
"""

# Places: not in the firmware's memory map; reserved there; above 4 GiB; in the unit BAR.
KINDS = ("unmapped", "reserved", "high", "bar")
LOW = KINDS[:2]

IMC = 6                     # type of a channel's unit in the table
OTHERS = (12, 13, 14, 17, 24)   # CXL and HBM
BASE = 0xa8000000           # of package 0; behind low memory, before ECAM
HIGH = 1 << 44              # base of package 0 with "high"
BYTES = 8 << 20             # of each package
LOW_END = 0xb0000000        # with more memory than this, q35 puts only 2 GiB below 4 GiB

FIRST, STEP = 0x200000, 0x80000     # first space of a controller, and distance to the next
CHANNELS, CHANNEL = 2, 0x8000       # channels of a controller
UNIT = 0x22800                      # offset of the first channel's unit
MOST = (BYTES - FIRST) // STEP
SLOT, SLOT_UNIT = 0x8000, 0x2800    # slots of other units, before the controllers


class Gap:
    """Addresses of one package's controllers, handed out in order."""

    def __init__(self, number, kind):
        self.number, self.kind, self.units, self.others = number, kind, 0, 0
        self.base = (HIGH if kind == "high" else BASE) + number * BYTES

    def takes(self, unit_type):
        return self.kind != "bar" and unit_type in (IMC, *OTHERS)

    def space(self, number):
        return self.base + FIRST + number * STEP

    def other(self, node):
        if self.others == FIRST // SLOT:
            node.fail("", "is one more unit of CXL or HBM than a package has room for",
                      f'at most {FIRST // SLOT}, or "address": "bar"')
        self.others += 1
        return self.base + (self.others - 1) * SLOT + SLOT_UNIT

    def unit(self, node, unit_type):
        if unit_type != IMC:
            return self.other(node)
        controller, channel = divmod(self.units, CHANNELS)
        if controller == MOST:
            node.fail("", "is one more memory channel than a package has room for",
                      f'at most {MOST * CHANNELS}, or "address": "bar"')
        self.units += 1
        return self.space(controller) + UNIT + channel * CHANNEL

    def plan(self, package):
        if self.kind != "bar":
            yield (f"gap pkg={package} base={self.base:#x} bytes={BYTES:#x}" +
                   " reserved=1" * (self.kind == "reserved") +
                   " high=1" * (self.kind == "high"))


def end(packages):
    """Return the end of the gaps of all packages."""
    return BASE + packages * BYTES


def check_memory(node, mib, packages, kind):
    """Fail if gaps reach into ECAM, or if memory reaches into gaps, unless QEMU splits it."""
    low = mib << 20
    if kind in LOW and BASE < low < LOW_END:
        node.fail("memory_mib", "reaches to where memory controllers are",
                  f'at most {BASE >> 20}, or "memory_controllers": "bar"')
    if kind in LOW and packages * BYTES > LOW_END - BASE:
        node.fail("memory_controllers", "do not fit below ECAM", '"bar"')
