#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write machines whose dies respond in every permitted way: unkind.py DIR SET

Writes descriptions of servers into DIR and prints their paths. SET is "all" (all dies),
"ten" (ten dies), or "43" (one die of 43 modules, as in real servers). The dies differ
where the specification leaves a choice. SERVER.dies has a line PKG/DOM NAME FLAG... for
each die, with flags for its expected behaviour; SERVER.modules has a line PKG/DOM/MODULE
for each module.

Flags: frequency (in force on all modules, for ever), mesh or nomesh (a read of mesh0
responds or not), dead (after that read no module responds), late (modules lag the die).
"""
import json
import os
import sys

ECHO = ("full", "none", "zeroed", "status")
DIE = {"collects": True, "computed": "computed", "latches": "latches"}
# Some latencies exceed 1 ms, the timeout of the kernel's driver; pmon_plr's readers wait 2 ms.
LATENCY = {"at once": (0, 0), "100 us": (100000, 0), "jitter": (600000, 900000)}
BUSY = "0x0000000100000001"
CORES = {"unkind-alone": 20, "unkind-pairs": 20, "unkind-ten": 12}
RESERVED = 0xfffffffffff70000  # of MSR 0x54, above the domain


def die(name, echo="full", level="collects", latency="100 us", modules=2, flags=(), **keys):
    """Return a die: its name, its keys in a machine file, and its flags."""
    ns, more = LATENCY[latency]
    keys = dict(keys, modules=modules, echo=echo, die_level_follows=DIE[level],
                mailbox_ns=ns, mailbox_jitter_ns=more)
    if "frequency" in flags:
        keys["in_force"] = BUSY
    if not {"mesh", "nomesh"} & set(flags):
        flags = (*flags, "mesh")
    return name.replace(" ", "-"), keys, flags


def alone():
    """Yield dies that differ from a kind die in one value each."""
    yield die("kind")
    for echo in ECHO[1:]:
        yield die(f"echo {echo}", echo=echo)
    yield die("echo by kind", echo={"read": "full", "write": "status", "mesh_read": "none",
                                    "mesh_write": "zeroed"})
    for level in list(DIE)[1:]:
        yield die(f"die {level}", level=level)
    for latency in ("at once", "jitter"):
        yield die(f"latency {latency}", latency=latency)
    yield die("die late", die_lag_ns=10000000)
    yield die("modules late", module_lag_ns=10000000, flags=("late",))
    yield die("frequency", flags=("frequency",))
    yield die("sparse", modules=[1, 9, 200])
    yield die("unknown busy", modules=[2, 5], unknown_answers="busy")
    yield die("no mesh", mesh=0, unknown_answers="busy", flags=("nomesh", "dead"))
    yield die("mesh busy", mesh_answers="busy", flags=("nomesh", "dead"))
    yield die("mesh ones", mesh_answers="ones", flags=("nomesh",))
    yield die("mesh dead", mesh_answers="dead", flags=("nomesh", "dead"))


def pairs():
    """Yield dies with each pair of values of echo, die level and latency, FREQUENCY in force."""
    for e, echo in enumerate(ECHO):
        for d, level in enumerate(DIE):
            latency = list(LATENCY)[(e + d) % 3]
            yield die(f"{echo} {level} {latency}", echo, level, latency,
                      flags=("frequency",))


def all_at_once():
    """Yield dies with all unkind values at once, at least one for each die level."""
    for level, mesh in (("collects", "dead"), ("computed", "busy"), ("latches", "dead")):
        yield die(f"all {level}", "status", level, "jitter", [3, 77, 255], mesh_answers=mesh,
                  unknown_answers="busy", flags=("frequency", "nomesh", "dead"))
    yield die("all by kind", {"read": "none", "write": "full", "mesh_read": "status",
                              "mesh_write": "zeroed"},
              "latches", "jitter", [0, 128], mesh=0, unknown_answers="busy",
              flags=("frequency", "nomesh", "dead"))


def ids(keys):
    """Return the module IDs of a die."""
    return range(keys["modules"]) if isinstance(keys["modules"], int) else keys["modules"]


def count(dies):
    return sum(len(ids(keys)) for _, keys, _ in dies)


def server(out, name, dies, reserved):
    """Write a server of two packages with equally many modules, and one CPU in each module.

    MSR 0x54 of each CPU also has the bits `reserved`. Servers with the same number of CPUs
    boot alike, so one boot is enough for all of them.
    """
    half = -(-len(dies) // 2)
    packages, cores = [dies[:half], dies[half:]], CORES[name]
    machine = {"name": name, "packages": [], "pm_logical_id_reserved": reserved,
               "cpu": {"model": 173, "stepping": 1, "packages": 2, "cores": cores,
                       "cpus_per_module": 1}}
    lines, places = [], []
    for pkg, dies in enumerate(packages):
        for _, keys, _ in dies:
            if isinstance(keys["modules"], int):
                keys["modules"] += cores - count(dies)
                break
        plr = []
        for dom, (what, keys, flags) in enumerate(dies):
            plr.append(dict(keys, instance=dom))
            lines.append(f"{pkg}/{dom} {what} {' '.join(flags)}\n")
            for module in ids(keys):
                places.append(f"{pkg}/{dom}/{module}\n")
        machine["packages"].append({
            "bus": 128 * pkg, "node": pkg,
            "tpmi": {"features": [{"id": "0x0c", "entries": max(8, half)}], "plr": plr}})
    path = os.path.join(out, name)
    for suffix, text in (("json", json.dumps(machine, indent=1)), ("dies", "".join(lines)),
                         ("modules", "".join(places))):
        with open(f"{path}.{suffix}", "w", encoding="utf-8") as f:
            f.write(text)
    print(path + ".json")


def forty_three(out):
    """Write the machine gnr-43 with FREQUENCY in force."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(out, "unkind-43")
    with open(os.path.join(here, "../../machines/gnr-43.json"), encoding="utf-8") as f:
        machine = json.load(f)
    machine["packages"][0]["tpmi"]["plr"][0]["in_force"] = BUSY
    with open(path + ".json", "w", encoding="utf-8") as f:
        json.dump(machine, f)
    with open(path + ".dies", "w", encoding="utf-8") as f:
        f.write("0/0 forty-three frequency mesh\n")
    print(path + ".json")


def main():
    out, which = sys.argv[1:]
    if which == "43":
        forty_three(out)
        return
    singles, worst = list(alone()), list(all_at_once())
    if which == "all":
        server(out, "unkind-alone", singles, 0)
        server(out, "unkind-pairs", list(pairs()) + worst, RESERVED)
        return
    few = {"echo-status", "echo-none", "die-computed", "die-latches", "latency-jitter",
           "sparse", "mesh-dead"}
    server(out, "unkind-ten", [d for d in singles if d[0] in few] + worst[1:], RESERVED)


main()
