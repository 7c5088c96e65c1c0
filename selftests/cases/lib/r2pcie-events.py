#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print events of R2PCIe or QPI as perf's lists have them.

usage: r2pcie-events.py LINUX DIRECTORY UNIT names|groups

names: "NAME ALIAS CONFIG COUNTERS", one line for each event. COUNTERS is a mask, from
    the list. For ring utilisation of version 2 (ivytown) counters 0 and 1 are
    removed from the mask, as a note in the manual requires.
groups: "WANT CONFIG..." for every pair of events, and for random groups of three to
    five; WANT is 1 if each event can have a counter of its own.
"""

import glob
import itertools
import json
import random
import sys

RING = (0x07, 0x08, 0x09, 0x0a)


def events(linux, directory, unit):
    found = []
    where = f"{linux}/tools/perf/pmu-events/arch/x86/{directory}/uncore-*.json"
    for name in sorted(glob.glob(where)):
        with open(name, encoding="utf-8") as f:
            found += [e for e in json.load(f) if e.get("Unit") == unit]
    for e in sorted(found, key=lambda e: e["EventName"]):
        code, umask = int(e.get("EventCode", "0"), 16), int(e.get("UMask", "0"), 16)
        mask = sum(1 << int(n) for n in e["Counter"].split(","))
        if unit == "R2PCIe" and directory == "ivytown" and code in RING:
            mask &= 0xc
        alias = e["EventName"].lower().split("_", 2)[2].replace(".", "_")
        yield e["EventName"], alias, code | umask << 8, mask


def fits(masks, taken=0):
    if not masks:
        return True
    return any(fits(masks[1:], taken | 1 << i) for i in range(4)
               if masks[0] & ~taken & 1 << i)


def main():
    linux, directory, unit, what = sys.argv[1:]
    every = list(events(linux, directory, unit))
    if what == "names":
        for name, alias, config, mask in every:
            print(name, alias, hex(config), hex(mask))
        return
    draw = random.Random(17)
    groups = list(itertools.combinations_with_replacement(every, 2))
    groups += [tuple(draw.choice(every) for _ in range(n))
               for n in (3, 4, 5) for _ in range(400)]
    for group in groups:
        want = fits([mask for _, _, _, mask in group])
        print(int(want), *(hex(config) for _, _, config, _ in group))


main()
