#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write a machine whose discovery tables are damaged at random.

usage: tables.py SEED TABLES OUT

OUT.json is the machine: two packages with TABLES tables each. Half of the
units of a table are well-formed and have registers behind them; the others
were well-formed until some of their bits or fields got other values. Some
tables are damaged as a whole: their head, or the capability that leads there.

OUT.expect has what must become of the units, a line each:

    good PACKAGE TYPE ID     is listed and counts
    bad PACKAGE TYPE ID      is rejected; it breaks a rule of the format

and of the tables, "table HASH". What damage left within the rules is neither:
it may be listed or not, as the machine has something at its address or not.
The rules are written here from the format's description, not from the driver.
"""

import hashlib
import json
import random
import sys

ONES = 2 ** 64 - 1
MSR, MMIO, PCI = range(3)
COUNTER_MSRS = ((0x2000, 0x2fef), (0x3000, 0x3fff))
# Types with a name on this platform have more rules than are written here.
FIRST_NAMELESS = 32
STRIDES = {MSR: (1, 1, 1), MMIO: (4, 4, 8), PCI: (8, 4, 8)}


def bits(value, low, high):
    return value >> low & ((1 << high - low + 1) - 1)


def pack(access, counters, width, ctl, ctr, status, address, kind, number):
    return [counters | ctl << 8 | width << 16 | ctr << 24 | status << 32 |
            access << 62, address, kind | number << 16]


def run(first, count, step, size):
    """The offsets of registers of one kind."""
    return set().union(*(range(first + i * step, first + i * step + size)
                         for i in range(count)))


def breaks_a_rule(record):
    """True, False, or None where only the machine can tell."""
    if ONES in record:
        return True
    if not any(record):
        return False
    q0, address, q2 = record
    if not q0 or not address:
        return None     # unused, whatever type it has
    if bits(q2, 0, 15) < FIRST_NAMELESS:
        return None
    counters, ctl = bits(q0, 0, 7), bits(q0, 8, 15)
    width, ctr = bits(q0, 16, 23), bits(q0, 24, 31)
    status, access = bits(q0, 32, 39), bits(q0, 62, 63)
    if access > PCI or not 1 <= counters <= 64 or not 32 <= width <= 64:
        return True
    step, size, counter = STRIDES[access]
    one = access == MSR
    box = run(0, 1, 0, 1 if one else 4)
    controls = run(ctl, counters, step, size)
    values = run(ctr, counters, 1 if one else 8, 1 if one else counter)
    if box & controls or box & values or controls & values:
        return True
    if status and status in box | controls | values:
        return True
    if not one and (ctl % 4 or ctr % (8 if access == MMIO else 4)):
        return True
    last = max(box | controls | values)
    return bad_address(access, address, last)


def bad_address(access, address, last):
    if access == MSR:
        return not any(low <= address and address + last <= high
                       for low, high in COUNTER_MSRS)
    if access == MMIO:
        if address % 8 or address < 1 << 20 or address + last >= 1 << 52:
            return True
        return True if address + last < 1 << 30 else None   # memory
    offset = bits(address, 0, 11)
    if not address >> 31 & 1 or address >> 32 or offset % 4:
        return True
    return True if offset < 0x40 or offset + last > 0xfff else None


class Maker:
    def __init__(self, seed, tables):
        self.random = random.Random(seed)
        self.tables = tables
        self.lines = []

    def good(self, package, table):
        n = table + 1
        yield {"type": 6, "id": 100 + n, "access": "mmio", "address": "auto",
               "status_offset": "0x5c", "fixed": True}
        yield {"type": 900, "id": n, "access": "msr", "address": hex(0x3a00 + 0x10 * n)}
        yield {"type": 901, "id": n, "access": "pci",
               "address": {"bus": (package << 7) + 0x20, "devfn": f"{n:02x}.0",
                           "offset": "0x438", "device": "8086:324a"}}
        for kind, number in ((6, 100 + n), (900, n), (901, n)):
            self.lines.append(f"good {package} {kind} {number}")

    def record(self, number):
        """A record that follows the rules."""
        r = self.random
        access = r.choice((MSR, MMIO, PCI))
        ctl, ctr, address = {
            MSR: (2, 8, 0x2100 + 0x10 * r.randrange(0x60)),
            MMIO: (0x40, 8, 0xfd000000 + 0x1000 * number),
            PCI: (0x38, 8, 1 << 31 | 0x7e0a400)}[access]
        return pack(access, 4, 48, ctl, ctr, 0, address, 950, number)

    def damage(self, record):
        r = self.random
        how = r.randrange(5)
        if how == 0:        # some bits
            for _ in range(r.randint(1, 8)):
                record[r.randrange(3)] ^= 1 << r.randrange(64)
        elif how == 1:      # a field, to a boundary
            low = r.choice((0, 8, 16, 24, 32))
            value = r.choice((0, 1, 2, 7, 8, 9, 10, 31, 32, 63, 64, 65, 127, 128, 255))
            record[0] = record[0] & ~(0xff << low) | value << low
        elif how == 2:      # another address
            record[1] = r.choice((0, 1, 0xfff, 0x1fff, 0x2ff0, 0x2fff, 0x4000, 0xc0000080,
                                  1 << 32, 1 << 51, 1 << 52, 1 << 63, ONES - 1,
                                  r.getrandbits(64), r.getrandbits(32)))
        elif how == 3:      # another kind of access
            record[0] ^= r.randint(1, 3) << 62
        else:               # a word
            record[r.randrange(3)] = r.choice((0, ONES, r.getrandbits(64)))
        return record

    def bad(self, package, number):
        while True:
            record = self.damage(self.record(number))
            broken = breaks_a_rule(record)
            kind, unit = bits(record[2], 0, 15), bits(record[2], 16, 31)
            # what may be used must not be in the way of what shall be used
            if broken or (kind not in (6, 900, 901) and record[1] >> 8 not in (0x3a, 0x3b)):
                break
        if broken:
            self.lines.append(f"bad {package} {kind} {unit}")
        return {"record": [hex(q) for q in record]}

    def head(self, table):
        """Damage to the table as a whole."""
        r = self.random
        how = r.randrange(4)
        if how == 0:
            table["stride"] = r.choice((0, 1, 2))
        elif how == 1:
            table["max_units"] = r.choice((0, 1, 200, 1023))
        elif how == 2:
            table["global"] = {q: hex(r.choice((0, ONES, r.getrandbits(64))))
                               for q in ("q0", "q1", "q2")}
        else:
            table["dvsec"] = r.choice(({"bir": 6}, {"bir": 7}, {"offset": 8}, {"id": 2},
                                       {"vendor": "0x1e98"}, {"offset": 0x1000000}))

    def table(self, package, number):
        before = len(self.lines)
        table = {"stride": self.random.choice((3, 4, 8, 17)),
                 "units": list(self.good(package, number))}
        for i in range(self.random.randint(3, 9)):
            table["units"].append(self.bad(package, number * 16 + i))
        self.random.shuffle(table["units"])
        if number % 4 == 3:
            self.head(table)
            del self.lines[before:]
        digest = hashlib.sha256(json.dumps(table, sort_keys=True).encode())
        self.lines.append(f"table {digest.hexdigest()[:16]}")
        return table

    def package(self, number):
        return {"bus": number << 7, "node": number,
                "oobmsm": [{"devfn": f"{0x8 + i // 7:02x}.{1 + i % 7}"}
                           for i in range(self.tables)],
                "discovery": [self.table(number, i) for i in range(self.tables)]}

    def machine(self):
        return {"name": "tables",
                "msr": {"0x2ffe": 0},
                "cpu": {"model": 143, "packages": 2, "cores": 2},
                "packages": [self.package(n) for n in range(2)]}


def main():
    seed, tables, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    maker = Maker(seed, tables)
    machine = maker.machine()
    with open(out + ".json", "w", encoding="utf-8") as f:
        json.dump(machine, f, indent=1)
    with open(out + ".expect", "w", encoding="utf-8") as f:
        print(*maker.lines, sep="\n", file=f)


main()
