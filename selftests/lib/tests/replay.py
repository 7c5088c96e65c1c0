# SPDX-License-Identifier: GPL-2.0-only
"""replay.py plans MACHINE... | damage SEED COUNT MACHINE... | refused MACHINE

plans: make a dump of each machine, and a machine of the dump; both machines must have
the same plan, but for lines without data in a dump. damage: change a dump at random,
COUNT times; the result must be a machine, or an error message. Prints a line for each
failure. refused: print the memory claimed for a dump with two rejected memory
controllers and rejected free-running counters; and the message for a truncated dump.
"""

import copy
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "../../emulator"))

from compiler import check, server  # noqa: E402

FREE = {1: "iio", 6: "imc", 48: "iio"}
BAR_FIRST = 0x800000000


def name(segment, bus, devfn):
    return f"{segment:04x}:{bus:02x}:{devfn >> 3:02x}.{devfn & 7}"


def capability(line):
    """Four dwords, of a line of the plan."""
    word = {key: int(value, 0) for key, value in (w.split("=") for w in line.split())}
    second = word["entries"] << 16 | word["size"] << 24
    if "vsec" in word:
        words = (0x1000b, word["id"] | word["rev"] << 16, second, word["pointer"])
    else:
        words = (0x10023, word["vendor"] | word["rev"] << 16, word["id"] | second,
                 word["pointer"])
    return [hex(w) for w in words]


class Host:
    """The output of `pmonctl dump` on a machine."""

    def __init__(self, machine):
        self.machine, self.bar_next = machine, BAR_FIRST
        self.pci, self.discovery, self.tpmi, self.domains = [], [], [], []
        for package in machine.package:
            for device in package.devices:
                self.add_device(package, device)
            for block in package.blocks:
                self.add_table(package, block, None, {})
        self.add_functions()

    def bar(self, bars, number, size):
        self.bar_next = -(-self.bar_next // size) * size
        bars[number] = (self.bar_next, size)
        self.bar_next += size

    def add_device(self, package, d):
        bars, function = {}, name(package.segment, package.bus, d.devfn)
        caps = [capability(line) for line in d.capabilities()]
        table, region = d.discovery, d.tpmi
        if table:
            self.bar(bars, d.table_bar, d.bar_bytes(d.table_bar, table.place + table.bytes))
            if table.unit_bytes:
                self.bar(bars, d.unit_bar, table.unit_bytes)
        if region:
            self.bar(bars, d.tpmi_bar, server.bar_bytes(region.bytes()))
        if d.telemetry:
            self.bar(bars, d.telemetry_bar, d.telemetry_bytes())
        if table:
            self.add_table(package, d, function, bars)
        if region:
            self.add_region(package, region, function)
        entry = self.function(function, d.vendor, d.device, package.node_of(package.bus))
        entry.update(power="D0", capabilities=caps, bars=[
            {"bar": n, "start": hex(at), "bytes": hex(size)} for n, (at, size) in bars.items()])
        self.pci.append(entry)

    @staticmethod
    def function(function, vendor, device, node):
        entry = {"function": function, "vendor": hex(vendor), "device": hex(device),
                 "class": "0x088000", "root_bus": True}
        if node is not None:
            entry["node"] = node
        return entry

    def add_table(self, package, d, function, bars):
        table = d.discovery
        words = {at: value + (bars[d.bars()[moves]][0] if moves else 0)
                 for at, value, moves in table.words}
        records = 1 + sum(unit.listed for unit in table.units)
        data = b"".join(words.get(i * table.stride * 8 + 8 * q, 0).to_bytes(8, "little")
                        for i in range(records) for q in range(3))
        self.discovery.append({
            **({"address": hex(d.base)} if not function and d.apart else {}),
            "name": "t", "package": package.number, "function": function, "platform": "p",
            "table": data.hex(), "rejected": [{"type": "900", "id": "0", "field": "counters", "value": "0x0",
                          "reason": "no counter"}], "free_running": [
                {"name": FREE[unit.type & 0xfff] + "_free_running", "id": unit.id,
                 "width": unit.width} for unit in table.free.units]})

    def add_region(self, package, region, function):
        self.tpmi.append({
            "name": "t", "package": package.number, "partition": region.partition,
            "function": function,
            "table": b"".join(row.to_bytes(8, "little") for row in region.pfs).hex()})
        # As pmonctl dump: the devices of a package are not distinguished.
        if sum(bool(d.tpmi) for d in package.devices) > 1:
            function = None
        for i, plr in enumerate(region.plr):
            if plr.state == "live":
                self.add_domain(package, region.first_domain + i, plr, function)

    def add_domain(self, package, number, plr, function):
        modules, cpus = {}, self.machine.cpus
        for cpu, msr, value in self.machine.msrs:
            if (msr == 0x54 and value != "gp" and value >> 11 == number and
                    cpu // cpus == package.number):
                modules.setdefault(value >> 3 & 255, []).append(str(cpu))
        self.domains.append({
            "name": "d", "package": package.number, "domain": number, "function": function,
            "version": f"{plr.header >> 5}.{plr.header & 31}", "meshes": plr.meshes,
            "modules": [{"module": m, "cpus": ",".join(c)} for m, c in modules.items()]})

    def add_functions(self):
        have = {entry["function"] for entry in self.pci}
        config = {}
        for package in self.machine.package:
            for c in package.functions.configs:
                config.setdefault((c.segment, c.bus, c.devfn), {})[hex(c.at)] = hex(c.value)
        for place, text in self.machine.functions().items():
            if name(*place) not in have:
                vendor, device = (int(w.split("=")[1], 16) for w in text.split(",")[1:3])
                entry = self.function(name(*place), vendor, device,
                                      self.machine.bus_package(*place[:2]).node_of(place[1]))
                # As on hosts; used by drivers on Grand Ridge only.
                if device == 0x09a2:
                    entry["config"] = {"0x3f4": "0x0"}
                if place in config:
                    entry["config"] = config.pop(place)
                self.pci.append(entry)
                have.add(name(*place))
        # of QEMU's own host bridge
        for place, words in config.items():
            if name(*place) not in have:
                entry = self.function(name(*place), 0x8086, 0x29c0, None)
                self.pci.append({**entry, "config": words})

    def cpus(self):
        m = self.machine
        for package in range(m.packages):
            nodes = m.nodes[package]
            for core in range(m.cores):
                for thread in range(m.threads):
                    yield {"cpu": package * m.cpus + core * m.threads + thread,
                           "package": package, "core": core,
                           # Linux 6.9 and later number dies of all packages.
                           "die": package * m.dies + core * m.dies // m.cores,
                           "node": nodes[core * len(nodes) // m.cores]}

    def dump(self):
        m = self.machine
        return {"kind": "openpmon dump", "format": 1, "pmonctl": "0", "host": {},
                "cpu": {"name": "c", "family": m.family, "model": m.model,
                        "stepping": m.stepping, "hypervisor": m.hypervisor},
                "cpus": list(self.cpus()), "pci": self.pci, "discovery": self.discovery,
                "tpmi": self.tpmi, "domains": self.domains}


def told(machine):
    """Lines of the plan with data in a dump."""
    for line in machine.plan():
        key = line.split()[0]
        words = [w for w in line.split() if not w.startswith((
            "die_level=", "follows=", "mailbox_ns=", "mesh_mode="))]
        if key == "plr" and "state=live" not in words:
            continue
        if key not in ("machine", "rapl", "sst", "bits"):
            yield " ".join(words)
    for pair in machine.arguments("plan", None):
        # Functions to which nothing leads are not in a machine of a dump.
        if "device=0x2880" not in pair[1]:
            yield " ".join(pair)


def load(path, data):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(data, f)
    return server.Server(path)


def plans(machines, path):
    for file in machines:
        first = server.Server(file)
        try:
            second = load(path, Host(first).dump())
        except check.DescriptionError as e:
            print(f"{file}: {e}")
            continue
        for note in second.notes:
            print(f"{file}: {note}")
        for line in sorted(set(told(first)) ^ set(told(second))):
            print(f"{file}: in one of two plans: {line}")


ODD = (None, True, -1, 0, 7, 255, 2 ** 16, 2 ** 64, "", "0x", "0000:00:00.0", "ffff:ff:1f.7",
       "\0", "../x", "9" * 400, [], [[]], {}, {"bar": 0}, 0.5, "f" * 4096)


def damage(random_, data):
    """One value somewhere becomes another, or goes."""
    node = data
    while True:
        keys = list(node) if isinstance(node, dict) else range(len(node))
        key = random_.choice(keys)
        below = node[key]
        if isinstance(below, (dict, list)) and below and random_.random() < 0.9:
            node = below
            continue
        if random_.random() < 0.2:
            del node[key]
        elif isinstance(below, str) and len(below) > 8 and random_.random() < 0.5:
            at = random_.randrange(len(below))
            node[key] = below[:at] + random_.choice("0123456789abcdefx:") + below[at + 1:]
        else:
            node[key] = copy.deepcopy(random_.choice(ODD))
        return


def damaged(seed, count, machines, path):
    random_ = random.Random(seed)
    refused = 0
    for file in machines:
        whole = Host(server.Server(file)).dump()
        for n in range(count):
            data = copy.deepcopy(whole)
            for _ in range(random_.randint(1, 4)):
                damage(random_, data)
            try:
                list(told(load(path, data)))
            except check.DescriptionError as e:
                refused += 1
                if not str(e).strip():
                    print(f"{file}: {seed}/{n}: refused without a reason")
            except Exception as e:  # pylint: disable=broad-except
                print(f"{file}: {seed}/{n}: {type(e).__name__}: {e}")
    print(f"# {refused} of {count * len(machines)} refused")


def refused(file, path):
    first = server.Server(file)
    data = Host(first).dump()
    table = first.package[0].devices[0].discovery
    imcs = [u.address for u in table.units if u.type == 6][:2]
    free = min(u.place for u in table.free.units if u.type == 0x1006)
    entries = data["discovery"][0]["free_running"]
    entries.remove(next(e for e in entries if e["name"].startswith("imc")))
    for number, address in enumerate([*imcs, free]):
        data["discovery"][0]["rejected"].append({
            "type": "6", "id": str(number % 2), "field": "address", "value": hex(address),
            "reason": "claimed by something else" if number else "is memory"})
    second = load(path, data)
    print(second.append)
    print(*second.notes, sep="\n")
    for line in sorted(set(told(first)) ^ set(told(second))):
        print(f"in one of two plans: {line}")
    with open(path, "r+", encoding="utf-8") as f:
        f.truncate(f.read().index('"pci"') + 9)
    try:
        server.Server(path)
    except check.DescriptionError as e:
        print(str(e).replace(path, "FILE"))


def main():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "dump.json")
        if sys.argv[1] == "plans":
            plans(sys.argv[2:], path)
        elif sys.argv[1] == "refused":
            refused(sys.argv[2], path)
        else:
            damaged(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:], path)


main()
