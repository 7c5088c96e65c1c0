# SPDX-License-Identifier: GPL-2.0-only
"""Plan PCI functions whose configuration space locates registers."""

from . import check

INTEL = 0x8086

# The Ubox: the node id of its processor, and a map of all node ids.
UBOX, NODE_ID, NODE_MAP = 0x3250, 0xc0, 0xd4
# A UPI link: the bit for a trained link, and the node and port at its other end.
UPI, UPI_SLOT, M3UPI, M3UPI_SLOT = 0x3241, 1, 0x3246, 5
LINK_STATUS, LINK_TRAINED, LINK_PARTNER = 0x120, 1 << 4, 0x94
# The MSM: a mask of the root buses of a processor, and their bus numbers.
MSM, BUS_MASK, BUS_LOW, BUS_HIGH = 0x09a6, 0x1a0, 0x190, 0x1c0
# The function with the variant of the die.
CAPABILITIES, CHOP = 0x325b, 0x94
CHOPS = {"mcc": 1, "xcc": 3}
# Registers of memory controllers: a base in units of 8 MiB, and an offset for each
# controller, in pages.
MC, MC_BASE, MC_OFFSET = 0x3251, 0xd0, 0xd8
MC_BASE_SHIFT, MC_BASE_MASK, MC_SHIFT, MC_MASK = 23, 0x1fffffff, 12, 0x7ff
# Software uses only some bits of the dwords above. All others are set except the highest,
# because all-ones would mean an unresponsive device.
OTHERS, OTHER_BUS = 0x7fffffff, 0xa5
NODE_ID_MASK, NODE_MAP_MASK, CHOP_MASK = 0x7, 0xffffff, 0xc0
LINK_PARTNER_MASK = 0xf << 16 | 0x1f << 8


def argument(vendor, device, kind=None):
    """Return the argument of -device for a function; kind is the class."""
    return (f"pmon-function,vendor={vendor:#x},device={device:#x}" +
            (f",class={kind:#x}" if kind is not None else ""))


class Config:
    """A dword of configuration space; with `moves` it has part of an address in a BAR."""

    def __init__(self, place, at, value, moves=None):
        self.segment, self.bus, self.devfn = place
        self.at, self.value = at, value
        self.moves = moves      # (device index, shift, mask)

    def plan(self, package):
        line = (f"config segment={self.segment} bus={self.bus} devfn={self.devfn} "
                f"at={self.at:#x} value={self.value:#x}")
        if self.moves:
            index, shift, mask = self.moves
            line += f" pkg={package} dev={index} shift={shift} mask={mask:#x}"
        return line


class Functions:
    """The functions of one package, and dwords of any function there."""

    def __init__(self, number, packages, root, step):
        self.number, self.packages = number, packages
        self.segment, self.root, self.step = root.segment, root.bus, step
        self.places, self.configs = {}, []
        self.plain = set()      # functions without capabilities

    def add(self, bus, devfn, device, vendor=INTEL, plain=False, kind=None):
        self.places[bus, devfn] = argument(vendor, device, kind)
        if plain:
            self.plain.add((bus, devfn))

    def config(self, bus, devfn, at, value, moves=None):
        self.configs.append(Config((self.segment, bus, devfn), at, value, moves))

    def part(self, bus, devfn, at, value, mask):
        """Add a dword with a value in the bits of a mask, and with OTHERS in its other bits."""
        self.config(bus, devfn, at, value | OTHERS & ~mask)

    def read(self, node):
        for entry in node.nodes("functions"):
            self.read_function(entry)
        if node.has("upi"):
            self.read_upi(node.node("upi"))
        if node.has("msm"):
            self.read_msm(node.node("msm"))

    def bus(self, node, default=None):
        number = node.num("bus", default, 255) + self.step
        if number > 255:
            node.fail("bus", "is behind the last bus", "use a lower number")
        return number

    def read_function(self, node):
        bus, devfn = self.bus(node), check.devfn(node, "devfn")
        if node.has("device"):
            vendor, device = check.pci_id(node, "device")
            kind = node.num("class", limit=0xffff) if node.has("class") else None
            self.add(bus, devfn, device, vendor, kind=kind)
        for at, value in node.numbers("config").items():
            if at % 4 or at > 0xffc or not 0 <= value < 2 ** 32:
                node.fail(f"config.{at:#x}", "is not a dword of configuration space",
                          '{ "0x94": 0 }')
            self.config(bus, devfn, at, value)
        node.done()

    # ---- UPI ---------------------------------------------------------------

    def partner(self, link, links):
        """Return (package, port) at a link's other end, or None; links go to packages in turn."""
        others = self.packages - 1
        if not others:
            return None
        turn, port = link % others, link // others * others
        to = (self.number + 1 + turn) % self.packages
        port += (self.number - to - 1) % self.packages
        return (to, port) if port < links else None

    def read_upi(self, node):
        bus, links = self.bus(node), node.num("links", 4, 4)
        others = node.num("m3upi", links, 4)
        devfn = check.devfn(node, "ubox", "00.0")
        self.add(bus, devfn, UBOX)
        self.part(bus, devfn, NODE_ID, node.num("node", self.number, 7), NODE_ID_MASK)
        identity = sum(i << 3 * i for i in range(8))
        self.part(bus, devfn, NODE_MAP, node.num("map", identity, 2 ** 32 - 1), NODE_MAP_MASK)
        down = {check.number(link) for link in node.raw("down", [])}
        for link in range(links):
            self.add(bus, (UPI_SLOT + link) << 3 | 1, UPI)
            at = (UPI_SLOT + link) << 3 | 1
            partner = self.partner(link, links)
            trained = partner is not None and link not in down
            to, port = partner if trained else (0, 0)
            self.part(bus, at, LINK_STATUS, trained * LINK_TRAINED, LINK_TRAINED)
            self.part(bus, at, LINK_PARTNER, to << 16 | port << 8, LINK_PARTNER_MASK)
        for link in range(others):
            self.add(bus, (M3UPI_SLOT + link) << 3 | 1, M3UPI)
        if node.has("chop"):
            value = CHOPS[node.word("chop", None, CHOPS)] << 6
            devfn = 0x1e << 3 | 3
            self.add(bus, devfn, CAPABILITIES)
            self.part(bus, devfn, CHOP, value, CHOP_MASK)
        node.done()

    # ---- bus numbers -------------------------------------------------------

    def read_msm(self, node):
        """Add the function with bus numbers: byte i has the number of root bus i."""
        devfn = check.devfn(node, "devfn", "03.0")
        self.add(self.root, devfn, MSM)
        words, mask = {}, 0
        for bus, number in node.numbers("buses").items():
            if not 0 <= bus < 32 or number + self.step > 255:
                node.fail(f"buses.{bus}", "is not a bus of a processor", "0 to 31")
            at = (BUS_LOW if bus < 16 else BUS_HIGH) + bus % 16 // 4 * 4
            words.setdefault(at, [OTHER_BUS] * 4)[bus % 4] = number + self.step
            mask |= 1 << bus
        self.config(self.root, devfn, BUS_MASK, node.num("mask", mask, 2 ** 32 - 1))
        for at, value in sorted(words.items()):
            self.config(self.root, devfn, at, int.from_bytes(value, "little"))
        node.done()

    # ---- memory controllers ------------------------------------------------

    def memory_controllers(self, place, index, spaces, gap):
        """Add addresses of spaces; without a gap the spaces are in the BAR of device "index"."""
        bus, devfn = place
        self.add(bus, devfn, MC)
        if gap:
            # isst_if_mmio uses the whole dword, so servers set no other bits in it.
            self.config(bus, devfn, MC_BASE, spaces[0] >> MC_BASE_SHIFT)
        else:
            self.config(bus, devfn, MC_BASE, 0, (index, MC_BASE_SHIFT, MC_BASE_MASK))
        for number, space in enumerate(spaces):
            at = MC_OFFSET + 4 * number
            if gap:
                self.part(bus, devfn, at, space >> MC_SHIFT & MC_MASK, MC_MASK)
            else:               # the address fills other bits, too
                self.config(bus, devfn, at, space, (index, MC_SHIFT, OTHERS))
