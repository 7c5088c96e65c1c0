# SPDX-License-Identifier: GPL-2.0-only
"""Plan R2PCIe, the link layer of QPI and the Ubox of Xeon E5 v1 to v4 and E7 v2 to v4."""

from . import check

# By version: device ids of R2PCIe, of QPI ports and of the Ubox, slots of R2PCIe and of
# the Ubox, and the width of R2PCIe counters.
VERSIONS = {
    1: (0x3c43, (0x3c41, 0x3c42), 0x3ce0, "13.1", "0b.3", 44),
    2: (0x0e34, (0x0e32, 0x0e33, 0x0e3a), 0x0e1e, "13.1", "0b.3", 44),
    3: (0x2f34, (0x2f32, 0x2f33, 0x2f3a), 0x2f1e, "10.1", "10.5", 48),
    4: (0x6f34, (0x6f32, 0x6f33, 0x6f3a), 0x6f1e, "10.1", "10.5", 48),
}
QPI_SLOTS = (0x08 << 3 | 2, 0x09 << 3 | 2, 0x0a << 3 | 2)
QPI_WIDTH = 48
NODE_ID, NODE_MAP = 0x40, 0x54


class Ring:
    """The functions of one socket, on its bus of uncore devices."""

    def __init__(self, node, package, packages):
        self.package = package.number
        version = node.num("version", 2, 4)
        if version not in VERSIONS:
            node.fail("version", f"{version} is not known", "1 to 4")
        self.version = version
        device, self.qpi, ubox, place, ubox_place, width = VERSIONS[version]
        last = 0x7f if packages == 1 else package.bus + 256 // packages - 1
        self.bus = node.num("bus", last, 255)
        self.devfn = check.devfn(node, "devfn", place)
        self.width = node.num("width", width, 64)
        self.qpi = self.qpi[:node.num("qpi", 2, len(self.qpi))]
        self.dead = node.flag("dead", False)
        package.functions.add(self.bus, self.devfn, device)
        for port, link in enumerate(self.qpi):
            package.functions.add(self.bus, QPI_SLOTS[port], link)
        self.read_ubox(node, package, packages, (ubox, ubox_place))
        node.done()

    def read_ubox(self, node, package, packages, default):
        """Add the Ubox, whose map has the nodes of all sockets, in order."""
        ubox = node.node("ubox")
        if ubox.flag("exists", True):
            bus = ubox.num("bus", self.bus, 255)
            devfn = check.devfn(ubox, "devfn", default[1])
            package.functions.add(bus, devfn, default[0], plain=True)
            identity = sum(i << 3 * i for i in range(min(packages, 8)))
            package.functions.config(bus, devfn, NODE_ID,
                                     ubox.num("node", package.number, 2 ** 32 - 1))
            package.functions.config(bus, devfn, NODE_MAP,
                                     ubox.num("map", identity, 2 ** 32 - 1))
        ubox.done()

    def plan(self):
        at = f"ring pkg={self.package} version={self.version} bus={self.bus}"
        yield (f"{at} qpi=0 id=0 devfn={self.devfn} width={self.width}" +
               " dead=1" * self.dead)
        for port in range(len(self.qpi)):
            yield f"{at} qpi=1 id={port} devfn={QPI_SLOTS[port]} width={QPI_WIDTH}"


def read(root, packages):
    """Read one entry for all sockets, or one for each; other processors have none."""
    entries = root.nodes("r2pcie")
    if not entries:
        return []
    if len(entries) not in (1, len(packages)):
        root.fail("r2pcie", f"has {len(entries)} entries for {len(packages)} packages",
                  "give one entry for all, or one for each")
    if len(entries) == 1:
        entries = [check.Node(entries[0].data, entries[0].file, entries[0].path)
                   for _ in packages]
    return [Ring(node, package, len(packages))
            for node, package in zip(entries, packages)]
