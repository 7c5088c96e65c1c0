#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0-only
"""passed.py [--write DIR]: keep the date on which each job of make check-all last passed.

The list is the file `passed`. --write adds the jobs that passed today, from the results
of selftests/check in DIR. Without --write, prints the jobs that are not in the list, or
whose last pass is more than a week older than the newest pass in the list.
"""

import datetime
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIST = ROOT / "selftests/lint/passed"
WEEK = datetime.timedelta(days=7)


def read(text):
    """Return {job: day of its last pass} from the text of the list."""
    days, day = {}, None
    for line in text.splitlines():
        if re.fullmatch(r"\d{4}-\d\d-\d\d", line):
            day = datetime.date.fromisoformat(line)
        elif day:
            days.update((job, day) for job in line.split())
    return days


def jobs():
    return subprocess.run([ROOT / "selftests" / "check", "--all", "--list"], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout.split()


def passed(directory):
    """Yield jobs with passes and no failures; `check` writes "PASSED FAILED SKIPPED CPU NAME"."""
    for path in pathlib.Path(directory).glob("*.result"):
        good, bad, _, _, name = path.read_text(encoding="utf-8").split()
        if good != "0" and bad == "0":
            yield name


def render(days, known):
    for day in sorted({days[j] for j in known if j in days}, reverse=True):
        yield f"{day}\n" + textwrap.fill(
            " ".join(j for j in known if days.get(j) == day), 98, initial_indent="    ",
            subsequent_indent="    ", break_on_hyphens=False) + "\n"


def main():
    days, known = read(LIST.read_text(encoding="utf-8") if LIST.exists() else ""), jobs()
    if sys.argv[1:2] == ["--write"]:
        days.update((job, datetime.date.today()) for job in passed(sys.argv[2]))
        LIST.write_text("\n".join(render(days, known)), encoding="utf-8")
        return
    oldest = max(days.values(), default=datetime.date.today()) - WEEK
    late = [j for j in known if days.get(j, datetime.date.min) < oldest]
    if late:
        print(textwrap.fill("not passed lately: " + " ".join(late), 98,
                            break_on_hyphens=False))


main()
