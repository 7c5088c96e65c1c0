#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write scripts for an emulated server from the documents' blocks that run perf or pmonctl.

blocks.py MACHINE DIR [first]   write DIR/PAGE.LINE for each block that MACHINE can run;
                                first: only the first such block of each page
blocks.py                       print pages that have such blocks and no row in ON, and
                                stale rows of ON

A block is a literal block, with or without prompts. If a comment begins with the name of a
processor, the lines up to the next comment are only for that processor."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
BOTH = "spr-2s gnr-2s"
# The machines of each page, or the case, if a page has a case of its own.
ON = {
    "README.md": BOTH,
    "admin-guide/adopt": BOTH,
    "admin-guide/cxl": "case cxl/examples",
    "admin-guide/events": BOTH,
    "admin-guide/job": "case plr/task",
    "admin-guide/plr": "gnr-2s",
    "admin-guide/production": "ptl-1s",
    "admin-guide/r2pcie": "ivt-2s",
    "admin-guide/recipes": BOTH,
    "admin-guide/slow-host": "gnr-2s",
    "admin-guide/uncore": BOTH,
    "admin-guide/vfalls": "case vfalls/calls",
}
PROCESSORS = {"spr-2s": "Sapphire", "gnr-2s": "Granite"}
RUNS = re.compile(r"(?:^|[;&|]\s*|\w=\S+\s+|nohup )"
                  r"(?:perf (?:stat|record|script|list) |pmonctl(?: |$))", re.M)
# Guests have no compiler, no systemd and no recorder (tools-recorder covers the
# recorder).
NOT_THERE = re.compile(r"(?:apt-get [^\n]*\\\n[^\n]*|make [^\n]*|systemctl [^\n]*"
                       r"|[^\n]*/var/lib/openpmon/recorder[^\n]*)\n")


def commands(block):
    """Return the lines that a person types: those with a prompt, if there are any, else all."""
    lines = block.splitlines()
    if any(re.match(r"[#$] [a-z]", line) for line in lines):
        lines = [line[2:] for line in lines if re.match(r"[#$] [a-z]", line)]
    return lines


def for_machine(lines, machine):
    """Leave out comments, and lines below a comment that names another processor."""
    mine, kept = True, []
    for line in lines:
        if line.startswith("# "):
            names = [m for m, word in PROCESSORS.items() if line[2:].startswith(word)]
            mine = not names or machine in names
        elif mine:
            kept.append(line)
    return kept


def blocks(path):
    """Yield (line number, lines) of each block that runs perf or pmonctl."""
    text = path.read_text()
    fence = r"\n\n((?:    .*\n|\n(?=    ))+)" if path.suffix == ".md" else \
        r"::\n\n((?:    .*\n|\n(?=    ))+)"
    for m in re.finditer(fence, text):
        block = re.sub(r"^    ", "", m.group(1), flags=re.M)
        lines = commands(block)
        if RUNS.search("\n".join(lines)):
            yield text.count("\n", 0, m.start(1)) + 1, lines


def pages():
    docs = ROOT / "Documentation"
    for path in [ROOT / "README.md", *sorted(docs.rglob("*.rst"))]:
        name = path.name if path.suffix == ".md" else str(path.relative_to(docs).with_suffix(""))
        found = list(blocks(path))
        if found:
            yield name, found


if len(sys.argv) == 1:
    have = dict(pages())
    for name in sorted(set(have) ^ set(ON)):
        print(f"{name}: ", "not in ON" if name in have else "has no such block")
    for name, where in ON.items():
        case = where.removeprefix("case ")
        if case != where and not (ROOT / f"selftests/cases/{case}.sh").exists():
            print(f"{name}: no such case: {case}")
else:
    machine, to, first = sys.argv[1], pathlib.Path(sys.argv[2]), "first" in sys.argv[3:]
    for name, found in pages():
        for number, lines in found:
            text = NOT_THERE.sub("", "\n".join(for_machine(lines, machine)) + "\n")
            if machine not in ON.get(name, "").split() or not RUNS.search(text):
                continue
            # Wait for jobs in the background.
            to.joinpath(f"{name.split('/')[-1]}.{number:03}").write_text(text + "wait\n")
            if first:
                break
