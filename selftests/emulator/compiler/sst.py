# SPDX-License-Identifier: GPL-2.0-only
"""Make registers of Speed Select (TPMI feature 0x05), with frequency levels of live dies.

The registers are those that drivers/platform/x86/intel/speed_select_if of Linux
reads. Register numbers and offsets are in units of eight bytes. The offsets are those of a
shipping server whose registers are in the test data of Intel's pepc.
"""
from . import check

FEATURE = 0x05

# Offsets in an instance: SST-CP and SST-PP. In SST-PP the levels follow five registers.
CP, PP = 1, 12
PP_REGISTERS = 5
# Offsets in a level, which begins with frequencies: SST-BF, SST-TF, the end.
BF, TF, LEVEL = 12, 14, 22

# Frequencies of each level of a die, in 100 MHz: base, then turbo with up to a quarter,
# a half, three quarters and all cores active.
LEVELS = {0: (20, (39, 37, 35, 32)), 3: (23, (39, 38, 36, 34))}
# A decrement of the turbo limits for each row; three more rows are not used.
ROWS = (0, 2, 6)
LOWEST = 8

# Registers of an instance whose die is fused off.
FUSED = {word: 2 ** 64 - 1 for word in range(256)}


def pack(values):
    return sum(value << 8 * i for i, value in enumerate(values))


def buckets(modules):
    """Return the largest number of active cores for each turbo limit."""
    return [max(min(1, modules), modules * quarter // 4) for quarter in range(1, 5)]


def level(modules, base, turbo):
    """Return the twelve registers of frequencies, and those of SST-BF and SST-TF.

    An IO die has no cores and no turbo.
    """
    turbo = turbo if modules else (0,) * 4
    words = [
        pack((base, base - 2, base - 4, base - 6)),
        pack((modules, modules)) | 500 * 8 << 32 | 95 << 47 | 64 << 55,  # TDP, temperature, memory
        (1 << min(modules, 64)) - 1,
        0,
        *(pack(max(ratio - less, 0) for ratio in turbo) for less in ROWS), 0, 0, 0,
        pack(buckets(modules)),
        pack((turbo[0], base, LOWEST, LOWEST, 24, 18, LOWEST)),
    ]
    supported = 1 << 12
    return {**dict(enumerate(words)), BF: supported | (base + 3) << 13 | (base - 2) << 21,
            TF: supported | pack((0, 0, 30, 28, 25))}


def live(node, modules):
    mask = sum(1 << number for number in LEVELS)
    offsets = {number: PP_REGISTERS + LEVEL * number for number in LEVELS}
    now = node.num("level", 0, 7)
    state = node.flag("bf", False) | node.flag("tf", False) << 1
    status = now | node.flag("locked", False) << 3 | state << 8
    words = {
        0: 0x01 | 3 << 8 | CP << 16 | PP << 24,
        CP: 1 << 4,
        PP: 1 | 1 << 4 | mask << 12 | mask << 20 | LEVEL << 34 | 1 << 42,
        PP + 1: BF << 8 | TF << 16,
        PP + 2: sum(at << 8 * number for number, at in offsets.items()),
        PP + 3: status, PP + 4: status,
    }
    for number, (base, turbo) in LEVELS.items():
        for word, value in level(modules, base, turbo).items():
            words[PP + offsets[number] + word] = value
    return words


def instances(node, features, plr):
    """Return the registers of each instance of the feature."""
    count = next((f.entries for f in features if f.id == FEATURE), 0)
    entries = {entry.num("instance", limit=31): entry for entry in node.nodes("sst")}
    nothing = check.Node({}, node.file, node.path)
    result = []
    for number in range(min(count, 32)):
        entry = entries.pop(number, nothing)
        die = plr[number] if number < len(plr) else None
        if die and die.state == "fused":
            words = dict(FUSED)
        else:
            words = live(entry, len(die.ids) if die and die.state == "live" else 0)
        words.update(entry.numbers("registers"))
        entry.done()
        result.append({word: value for word, value in words.items() if value})
    for number, entry in entries.items():
        entry.fail("instance", f"{number} is not there", f"feature 0x05 has {count} entries")
    return result
