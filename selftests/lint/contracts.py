#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""contracts.py [--of JOB [LOG]]: print each line of the contracts (LINES) with its tests.

The head of a case has the IDs of its lines, `# contract: ID...`; in a KUnit suite such a comment
is for all cases up to the next such comment. --of prints the lines of JOB, most frequent first; of
a KUnit job only lines of cases that failed in LOG. Errors are a line without a case of
`make check`, a KUnit case without a line, and an unknown ID.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = ROOT / "selftests" / "cases"
SUITES = ROOT / "drivers"

LINES = {
    "load": "Loading writes no register.",
    "load-reads": "Loading reads tables, headers, MSR 54h, and MSRs that name a table.",
    "asleep": "A device in D3 is not touched.",
    "undecoded": "A device without memory decoding is not touched.",
    "given": "A device passed to a virtual machine is not touched.",
    "freeze": "A global control is written at the first event, so that boxes run.",
    "freeze-tick": "A global control is written at each tick, so that boxes go on.",
    "freeze-second": "A freeze by another program ends within a second.",
    "levels": "A change that nobody heard is wrong for 30 s at most.",
    "handback": "Unloading hands used boxes back cleared and running.",
    "handback-end": "Shutdown and kexec hand used boxes back cleared and running.",
    "handback-others": "Boxes that were not used are left alone.",
    "unknown": "On an unknown model all is listed and nothing registered.",
    "guest": "In a virtual machine all is listed and nothing registered.",
    "addresses": "Addresses of a table are used only inside what the platform may have.",
    "root": "A table is used only if its function is on a host root bus.",
    "packages": "A table belongs to the package of its CPUs and of TPMI.",
    "links": "Links have the packages of their PCI functions, and the ends in their registers.",
    "encoding": "An event control gets what the kernel's own driver writes for the event.",
    "idle": "With nothing open there is no timer, no thread and no interrupt.",
    "owner": "Two drivers never have one box of a table.",
    "owner-cxl": "Two drivers never have one CPMU.",
    "owner-plr": "Two drivers never have one PLR instance.",
    "owner-r2pcie": "Two drivers never have one function of R2PCIe; adopt and release change "
                    "whose it is.",
    "names": "Names are from perf's lists.",
    "names-kernel": "Names are those of the kernel's own driver.",
    "cpumask": "The designated CPU of a package is an online housekeeping CPU.",
    "follow": "Events follow the designated CPU, and counts are kept when the last CPU goes "
              "offline.",
    "refused": "A bit that no term covers is refused.",
    "groups": "A group that can't be scheduled is refused.",
    "torn": "No reading is torn.",
    "wrap": "No wrap is lost.",
    "nmi": "Counts can be read in an NMI.",
    "within": "Counts can be read inside an access to the same box.",
    "setup": "A box that becomes active is set up completely: six writes for a group of four.",
    "setup-cxl": "A CPMU takes no more accesses than with the kernel's own driver.",
    "control": "A control is read at each tick, and when an event of a second or longer stops.",
    "reset": "A reset of a box by others is detected at the next tick, logged and counted.",
    "slept": "A box that was in D3 is detected, logged and counted.",
    "ones": "All ones are never a reading.",
    "unresponsive": "An unresponsive box is never shown as a box without counts.",
    "tick": "The time of a tick with interrupts off has a bound.",
    "open": "No PMU is unregistered while its events are open.",
    "gone": "Events of a device that goes fail, their groups too, and the PMU goes with the last.",
    "pulled": "A PMU whose last function was pulled out serves a function that returns anew.",
    "module": "A driver is not unloaded while an event of it is open.",
    "migrate": "All events follow their CPU, also where perf moves one at a time.",
    "disabled": "A disabled event stays disabled when its CPU changes.",
    "offline": "A CPU that goes offline with nothing open costs no walk over PMUs.",
    "wildcard": "Of boxes named by a wildcard a box in D3 is left out, and the others count.",
    "rights": "Rights are as in the guide's table.",
    "rights-cost": "A refused call costs nothing.",
    "reasons": "A reason set by hardware is shown until a user clears it.",
    "notified": "Programs that wait for a file of a module are woken, also when its state becomes "
                "unknown.",
    "commands": "At most 200 mailbox commands a second and domain, in any state.",
    "gate": "Modules are read for a reason that a consumer requests.",
    "gate-others": "Modules are not read for a reason that no consumer requests.",
    "mesh": "The mesh is sent no command without mesh=1.",
    "task": "Events of a task count the time that it ran on limited modules.",
    "time": "Time in each reason only grows, and a read of it costs no access.",
    "log": "The log tells each limit in force that was not told, a line a minute and domain.",
    "events": "Each reason has an event, which monitors the domain until closed.",
    "busy": "RUN_BUSY decides when a command is done.",
    "agent": "Another agent at the mailbox is detected.",
    "die": "A die level that collects, is computed, or latches again is right in each case.",
    "domain": "A domain keeps its path until the module is unloaded.",
    "errors": "Blocked, stuck, late and vanished hardware has an error of its own each.",
    "parameters": "A bad parameter is one line, and the module does nothing.",
}


def suite_cases(text):
    """Yield each case of a KUnit suite with the IDs of the last `contract:` comment before it."""
    ids = []
    for line in text.splitlines():
        if comment := re.fullmatch(r"\s*/\* contract: (.*) \*/", line):
            ids = comment[1].split()
        elif case := re.match(r"\s+KUNIT_CASE\w*\((\w+)", line):
            yield case[1], ids


def tests():
    """Yield (file, name, IDs, whether it is a case of `make check`) for each test."""
    for path in sorted(CASES.glob("*/*.sh")):
        text = path.read_text()
        if path.parent.name not in ("lib", "slow"):
            ids = " ".join(re.findall(r"^# contract: (.*)$", text, re.M)).split()
            yield (path, f"{path.parent.name}-{path.stem}", ids,
                   not re.search(r"^# check: (none|sanitizer)$", text, re.M))
    for path in sorted(SUITES.glob("*/tests/**/*_test.c")):
        text = path.read_text()
        suite = re.search(r'\.name = "(\w+)"', text)[1]
        for case, ids in suite_cases(text):
            yield path, f"{suite}.{case}", ids, False


def holders():
    """Return {ID: cases and KUnit suites}, and errors."""
    held, wrong, checked = {line: [] for line in LINES}, [], set()
    for path, name, ids, is_checked in tests():
        for line in ids:
            if line not in held:
                wrong.append(f"{path.name}: no line of the contracts is {line}")
            elif name.split(".")[0] not in held[line]:
                held[line].append(name.split(".")[0])
            if is_checked:
                checked.add(line)
        if not ids and path.suffix == ".c":
            wrong.append(f"{path.name}: {name} holds no line of the contracts")
    wrong += [f"{line}: no case of make check holds it" for line in held if line not in checked]
    return held, wrong


def broken(job, log=None):
    """Return the lines of a failed job; for KUnit those of the failed cases in the log."""
    lines, suite, failed = collections.Counter(), None, {job}
    suites = {name.split(".")[0] for _, name, _, _ in tests()}
    if log and job.startswith("kunit-"):
        for line in pathlib.Path(log).read_text().splitlines():
            begin = re.search(r"# Subtest: (\w+)", line)
            if begin and begin[1] in suites:
                suite = begin[1]
            elif bad := re.search(r"not ok \d+ (\w+)", line):
                failed.add(f"{suite}.{bad[1]}")
    for _, name, ids, _ in tests():
        lines.update(ids if name in failed else [])
    return [f"contract: {LINES[line]}" for line, _ in lines.most_common() if line in LINES]


def check():
    """Return errors of the cases."""
    return holders()[1]


def main():
    if sys.argv[1:2] == ["--of"]:
        print(*broken(*sys.argv[2:]), sep="\n")
        return
    cases, wrong = holders()
    if wrong:
        sys.exit("\n".join(wrong))
    for line, text in LINES.items():
        print(f"{text}\n    {', '.join(cases[line])}")


if __name__ == "__main__":
    main()
