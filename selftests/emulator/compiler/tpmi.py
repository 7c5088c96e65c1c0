# SPDX-License-Identifier: GPL-2.0-only
"""Plan TPMI: features, PFS words, TPMI_INFO and PLR instances."""
from . import check, sst

# Features of shipping two-socket machines: id, entries, dwords per entry, offset in
# KiB, attribute.
DEFAULT = [
    (0x80, 1, 0x0c, 0x04, 1), (0x00, 1, 0x60, 0x08, 1), (0x01, 5, 0x0a, 0x0c, 1),
    (0x02, 5, 0x0c, 0x10, 1), (0x03, 2, 0x06, 0x14, 0), (0x04, 1, 0x14, 0x18, 1),
    (0x05, 5, 0xfe, 0x1c, 1), (0x0a, 5, 0x0a, 0x24, 1), (0x06, 1, 0x06, 0x28, 1),
    (0x0c, 5, 0x0a, 0x2c, 1), (0x0d, 1, 0x06, 0x30, 1), (0x81, 1, 0x04, 0x34, 1),
    (0xfd, 5, 0x123, 0x38, 1), (0xfe, 3, 0x123, 0x40, 1), (0xff, 1, 0x123, 0x44, 1),
]
CONTROL, INFO, PLR, BMC = 0x80, 0x81, 0x0c, 0x0d

# In the order of the models' enum pmon_die_mode.
DIE_FOLLOWS = (False, True, "computed", "latches")

# In the order of the models' enum pmon_mesh_mode.
MESH_ANSWERS = ("ok", "busy", "ones", "dead")

# In the order of the models' enum pmon_plr_kind and enum pmon_echo.
COMMAND_KINDS = ("read", "write", "mesh_read", "mesh_write")
ECHOES = ("full", "none", "zeroed", "status")

BAR_LIMIT = 1 << 20

ENABLED, WRITE_BLOCKED, READ_BLOCKED, LOCKED = 1, 1 << 4, 1 << 5, 1 << 31


class Feature:
    """A row of the PFS."""

    def __init__(self, fid, entries, size, cap_offset, attribute):
        self.id, self.entries, self.size = fid, entries, size
        self.cap_offset, self.attribute = cap_offset, attribute
        self.present = self.enabled = True
        self.locked = fid != CONTROL
        self.read_blocked = self.write_blocked = fid == BMC

    def change(self, node):
        self.entries = node.num("entries", self.entries, 255)
        self.size = node.num("size", self.size, 0xffff)
        self.cap_offset = node.num("cap_offset", self.cap_offset, 0xffff)
        self.attribute = node.num("attribute", self.attribute, 3)
        for key in ("present", "enabled", "locked", "read_blocked", "write_blocked"):
            setattr(self, key, node.flag(key, getattr(self, key)))
        node.done()

    def word(self):
        return (self.id | self.entries << 8 | self.size << 16 |
                self.cap_offset << 32 | self.attribute << 48)

    def state(self):
        return (ENABLED * self.enabled | WRITE_BLOCKED * self.write_blocked |
                READ_BLOCKED * self.read_blocked | LOCKED * self.locked)

    def end(self):
        return self.cap_offset * 1024 + self.entries * self.size * 4


class Plr:
    """A PLR instance, one for each power domain."""

    def __init__(self):
        self.state, self.header, self.ids, self.meshes = "absent", 0, (), 0
        self.die_level, self.follows, self.mailbox_ns, self.jitter_ns = 0, 1, 100000, 0
        self.mesh_mode, self.unknown_busy = 0, False
        self.die_lag_ns, self.module_lag_ns = 0, 0
        self.echo = [0] * len(COMMAND_KINDS)
        self.core, self.mesh, self.in_force = {}, {}, {}

    def read(self, node):
        header = node.raw("header", 1)
        self.state = header if header in ("absent", "fused") else "live"
        if self.state == "live":
            self.header = node.num("header", 1, 2 ** 64 - 1)
        self.read_modules(node)
        self.read_mailbox(node)
        follows = node.raw("die_level_follows", True)
        if follows not in DIE_FOLLOWS:
            node.fail("die_level_follows", f"{follows!r} is none of them",
                      'true, false, "computed" or "latches"')
        self.follows = DIE_FOLLOWS.index(follows)
        self.die_lag_ns = node.num("die_lag_ns", 0, 10 ** 12)
        self.module_lag_ns = node.num("module_lag_ns", 0, 10 ** 12)
        # By default a live die has had a limit reason since boot.
        latched = {self.ids[0]: 1} if self.state == "live" and self.ids else {}
        self.core = node.numbers("core") if node.has("core") else latched
        self.mesh = node.numbers("mesh_bits")
        self.in_force = self.read_in_force(node)
        bits = 0
        for value in (*self.core.values(), *self.mesh.values()):
            bits |= value & 0xffffffff
        self.die_level = node.num("die_level", bits if self.follows else 0, 0xffffffff)
        for key, values, there in (("core", self.core, self.ids),
                                   ("mesh_bits", self.mesh, range(self.meshes)),
                                   ("in_force", self.in_force, self.ids)):
            if any(module not in there for module in values):
                node.fail(key, "names a module that is not there",
                          f"this instance has {len(there)}")
        node.done()

    def read_modules(self, node):
        """Read the module IDs (a list, or a number of IDs from 0 on) and the number of mesh IDs."""
        modules = node.raw("modules", 0)
        if isinstance(modules, list):
            self.ids = tuple(sorted(n for n in map(check.number, modules)
                                    if n is not None and 0 <= n < 256))
            if len(set(self.ids)) != len(modules):
                node.fail("modules", "is no list of IDs", "each once, 0 to 255")
        else:
            self.ids = tuple(range(node.num("modules", 0, 256)))
        self.meshes = node.num("mesh", 1 if self.state == "live" else 0, 256)

    def read_mailbox(self, node):
        self.mailbox_ns = node.num("mailbox_ns", 100000, 10 ** 12)
        self.jitter_ns = node.num("mailbox_jitter_ns", 0, 10 ** 12)
        self.mesh_mode = MESH_ANSWERS.index(
            node.word("mesh_answers", "ok", MESH_ANSWERS))
        self.unknown_busy = node.word("unknown_answers", "zero", ("zero", "busy")) == "busy"
        echo = node.raw("echo", "full")
        if isinstance(echo, str):
            self.echo = [ECHOES.index(node.word("echo", "full", ECHOES))] * len(COMMAND_KINDS)
        else:
            kinds = node.node("echo")
            self.echo = [ECHOES.index(kinds.word(kind, "full", ECHOES))
                         for kind in COMMAND_KINDS]
            kinds.done()

    def read_in_force(self, node):
        """Return {module: bits in force}; a number in the description is for all modules."""
        value = node.raw("in_force", {})
        if isinstance(value, dict):
            return node.numbers("in_force")
        return dict.fromkeys(self.ids, node.num("in_force", limit=2 ** 64 - 1))

    def plan(self, number):
        bitmap = sum(1 << module for module in self.ids)
        words = [f"ids{n}={bitmap >> 64 * n & (1 << 64) - 1:#x}" for n in range(4)]
        words += [f"echo_{kind}={value}" for kind, value in zip(COMMAND_KINDS, self.echo)]
        return (f"state={self.state} header={self.header:#x} modules={len(self.ids)} "
                f"meshes={self.meshes} die_level={self.die_level:#x} "
                f"follows={self.follows:d} mailbox_ns={self.mailbox_ns} "
                f"jitter_ns={self.jitter_ns} seed={number} mesh_mode={self.mesh_mode} "
                f"die_lag_ns={self.die_lag_ns} module_lag_ns={self.module_lag_ns} "
                f"unknown_busy={self.unknown_busy:d} " + " ".join(words))


def watts(value, unit=3):
    return value << unit


def limit(value, window=0x6e):
    """Return a register with an enabled limit in watts over a window of time."""
    return watts(value) | window << 18 | 1 << 62


# Domains of power limits in the order of shipping machines, with values of a large
# processor. The header has a flag for each register, in the order of RAPL_KEYS.
RAPL_UNIT = 3 | 14 << 6 | 10 << 12   # 1/8 W, 1/16384 J, 1/1024 s
RAPL_KEYS = ("header", "unit", "pl1", "pl2", "pl3", "pl4", "reserved", "energy", "perf",
             "info", "domain")
RAPL_DEFAULT = {
    "socket": (2, 180000, {
        "unit": RAPL_UNIT, "pl1": limit(500), "pl2": limit(600, 0x0e), "pl4": limit(1050, 0),
        # Start energy close to 2^32, so that it wraps soon after power-on.
        "energy": 0xff000000, "perf": 0,
        "info": watts(500) | watts(230) << 18 | watts(750) << 36 | 0x6e << 54}),
    "dram": (4, 30000, {
        "unit": RAPL_UNIT, "pl1": 0, "energy": 0x12345678, "perf": 0,
        "info": watts(60) | watts(15) << 18 | watts(120) << 36}),
    "platform": (1, 420000, {
        "unit": RAPL_UNIT, "pl1": watts(1200), "pl2": watts(1400), "energy": 0,
        "info": watts(1200) | watts(1500) << 36, "domain": 1}),
}


class Rapl:
    """A domain of power limits."""

    def __init__(self, node, kind, index, package):
        number, power, registers = RAPL_DEFAULT[kind]
        self.index = index
        self.present = node.flag("present", True)
        self.power_mw = node.num("power_mw", power, 10 ** 9)
        self.registers = dict(registers)
        # Only package 0 has the root domain of the platform.
        if kind == "platform" and package:
            self.registers["domain"] = 0
        for key in RAPL_KEYS[1:]:
            if node.has(key):
                self.registers[key] = node.num(key, limit=2 ** 64 - 1)
        flags = sum(1 << RAPL_KEYS.index(key) for key in self.registers)
        self.registers["header"] = node.num(
            "header", 1 | number << 8 | 1 << 16 | flags << 32, 2 ** 64 - 1)
        node.done()

    def plan(self):
        words = [f"{key}={value:#x}" for key, value in self.registers.items()]
        return f"index={self.index} power_mw={self.power_mw} " + " ".join(words)


class Tpmi:
    """A TPMI device."""

    def __init__(self, node, package, partition, place, read_raw):
        self.features = self.feature_list(node)
        self.plr = self.instances(node)
        rapl = node.node("rapl")
        self.rapl = [Rapl(rapl.node(kind), kind, index, package)
                     for index, kind in enumerate(RAPL_DEFAULT)]
        rapl.done()
        self.sst = sst.instances(node, self.features, self.plr)
        self.partition = partition
        self.info(node.node("info"), package, place)
        self.stuck = node.word("control", "ok", ("ok", "stuck")) == "stuck"
        vsec = node.node("vsec")
        self.vsec_id = vsec.num("id", 0x42, 0xffff)
        self.rev = vsec.num("rev", 1, 15)
        self.entries = vsec.num("entries", len(self.features), 255)
        self.size = vsec.num("entry_size", 2, 255)
        self.bir = vsec.num("bir", 1, 7)
        self.offset = vsec.num("offset", 0, 1 << 20)
        vsec.done()
        self.pfs = [f.word() for f in self.features]
        if node.has("raw"):
            data = read_raw(node, "raw")
            self.pfs = [int.from_bytes(data[i:i + 8], "little")
                        for i in range(0, len(data), 8)]
        node.done()

    def feature_list(self, node):
        """Return the rows: an entry changes the default row with its id, or adds a row."""
        rows = {row[0]: Feature(*row) for row in DEFAULT}
        for entry in node.nodes("features"):
            fid = entry.num("id", limit=255)
            if fid not in rows:
                last = max(f.end() for f in rows.values())
                rows[fid] = Feature(fid, 1, 2, -(-last // 4096) * 4, 1)
            rows[fid].change(entry)
        return [f for f in rows.values() if f.present]

    def instances(self, node):
        count = next((f.entries for f in self.features if f.id == PLR), 0)
        plr = [Plr() for _ in range(count)]
        for entry in node.nodes("plr"):
            number = entry.num("instance", limit=255)
            if number >= count:
                entry.fail("instance", f"{number} is not there",
                           f"feature 0x0c has {count} entries")
            plr[number].read(entry)
        return plr

    def info(self, node, package, place):
        mask = 0
        for number, plr in enumerate(self.plr):
            mask |= (plr.state == "live") << number
        segment, bus, devfn = place
        self.partition = node.num("partition", self.partition, 3)
        mask = node.num("cdie_mask", mask, 0xffff)
        # Instance 0 is the first die of the device, not of the package.
        self.first_domain = 0
        if self.partition and mask:
            self.first_domain = (mask & -mask).bit_length() - 1
        version = node.num("major", 0, 7) << 5 | node.num("minor", 2, 31)
        self.info0 = node.num("header", version, 2 ** 64 - 1)
        self.package = node.num("package", package, 255)
        self.info1 = (node.num("devfn", devfn, 255) | node.num("bus", bus, 255) << 8 |
                      self.package << 16 | node.num("segment", segment, 255) << 24 |
                      self.partition << 32 | mask << 34 |
                      node.flag("lock", True) << 63)
        node.done()

    def bytes(self):
        """Return the size of the region. Features that end after BAR_LIMIT have no registers."""
        inside = [f.end() for f in self.features if f.end() <= BAR_LIMIT]
        return self.offset + max(inside, default=4096)


def logical_ids(node, regions, cpus, per_module):
    """Return MSR 0x54 of each CPU of a package: domain, module, logical processor.

    A package may have several TPMI devices. Modules of live instances, in order, have
    equally many consecutive CPUs each. Modules left over have no CPU, like modules whose
    cores are disabled.
    """
    modules = sorted((tpmi.first_domain + number, module) for tpmi in regions
                     for number, plr in enumerate(tpmi.plr) if plr.state == "live"
                     for module in plr.ids)
    if not modules:
        return None
    if not per_module:
        per_module, rest = divmod(cpus, len(modules))
        if rest or not per_module:
            node.fail("cpus_per_module", f"{cpus} CPUs do not divide among "
                      f"{len(modules)} modules", "give it as a number")
    if cpus > len(modules) * per_module:
        node.fail("cpus_per_module", "leaves CPUs without a module",
                  "add modules to tpmi.plr")
    ids = []
    for cpu in range(cpus):
        domain, module = modules[cpu // per_module]
        ids.append(domain << 11 | module << 3 | cpu % per_module)
    return ids
