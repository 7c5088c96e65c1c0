#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""reach.py [--list] [--limit] [DIR...]: functions that perf's callbacks reach.

A stranger reads an event from open to count: this counts what has to be read. The
sources are those of DIR (drivers/core drivers/uncore include), their inline
functions included. It begins with the functions in an initialiser of struct pmu, for
each such initialiser anew. A function reaches each one that its body names, by a
call or by its address, also within a macro of ours; a call through a member of a
structure reaches all functions that an initialiser sets that member to. What a
timer, a work item or a notifier calls is reached only if it is named.

--list: prints them by file, with their lines. --limit: exit status 1 above LIMIT.
"""

import pathlib
import re
import sys

from c_text import code_of

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ["drivers/core", "drivers/uncore", "include"]
# An event from open to count: functions, and files.
LIMIT = (90, 12)

DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
MACRO = re.compile(r'#\s*define\s+(\w+)(.*)', re.S)
FUNCTION = re.compile(r'\b(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*(?:__\w+(?:\([^()]*\))?\s*)*$')
WORD = re.compile(r'[A-Za-z_]\w*')
# A call through a pointer: of a member, not of a variable of that name.
INDIRECT = re.compile(r'(?:->|\.)\s*(\w+)\s*\(')
ASSIGNED = re.compile(r'\.\s*(\w+)\s*=\s*&?\s*(\w+)\s*(?=[,}\n])')
# An initialiser of struct pmu, alone or within a function.
PMU_HEAD = re.compile(r'\bstruct\s+pmu\s*(?:\)|\w+\s*=)')
PMU = re.compile(r'(\bstruct\s+pmu\s*(?:\)|\w+\s*=))\s*(\{[^}]*\})')
NO_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "defined"}


class Function:
    """A function, or a macro, which is passed through and not counted."""

    def __init__(self, name, path, line, body, macro=False, static=False):
        self.name, self.path, self.line, self.macro = name, path, line, macro
        self.static = static
        self.words = set(WORD.findall(body))
        self.members = set(INDIRECT.findall(body))


class Sources:
    """All functions of some directories, by name, and what members are set to."""

    def __init__(self, directories):
        self.named, self.members, self.callbacks = {}, {}, []
        for directory in directories:
            for path in sorted((ROOT / directory).rglob("*.[ch]")):
                if "tests" not in path.parts:
                    self.add(path.relative_to(ROOT))

    def add(self, path):
        text = code_of((ROOT / path).read_text())

        def cut(m):
            macro = MACRO.match(m[0].lstrip())
            if macro:
                line = text.count("\n", 0, m.start()) + 1
                self.put(Function(macro[1], path, line, macro[2], macro=True))
            return "\n" * m[0].count("\n")
        text = DIRECTIVE.sub(cut, text)
        depth, begin, start = 0, 0, 0
        for i, c in enumerate(text):
            if c == "{":
                if depth == 0:
                    start = i
                depth += 1
            elif c == "}":
                depth -= 1
                if depth == 0:
                    self.block(path, text, begin, start, text[start:i + 1])
                    begin = i + 1
            elif c == ";" and depth == 0:
                begin = i + 1

    def block(self, path, text, begin, start, body):
        """What is in braces: a function, an initialiser, or a type."""
        head = " ".join(text[begin:start].split())
        function = FUNCTION.search(head) if "=" not in head else None
        if function and function[1] not in NO_NAMES and not function[1].isupper():
            line = text.count("\n", 0, start) + 1
            self.put(Function(function[1], path, line, body,
                              static=bool(re.search(r'\bstatic\b', head))))
        for kind, inner in [(head + "=", body)] + PMU.findall(body):
            if PMU_HEAD.search(kind):
                line = text.count("\n", 0, start) + 1
                values = {value for _, value in ASSIGNED.findall(inner)}
                self.callbacks.append((f"{path}:{line}", path, values))
                # perf calls these, not one of our own structures of functions.
                body = body.replace(inner, "")
        for member, value in ASSIGNED.findall(body):
            self.members.setdefault(member, set()).add(value)

    def put(self, function):
        self.named.setdefault(function.name, []).append(function)

    def find(self, name, user=None):
        """What a name stands for: in the same file first, else what is not static."""
        found = self.named.get(name, [])
        here = [f for f in found if user and f.path == user.path]
        return here or [f for f in found if not f.static or f.path.suffix == ".h"]

    def reached(self, path, roots):
        seen, queue = set(), []

        def visit(name, user=None):
            for f in self.find(name, user):
                if f not in seen:
                    seen.add(f)
                    queue.append(f)
        for root in roots:
            for f in self.named.get(root, []):
                if f.path == path or not f.static:
                    visit(root, f)
        while queue:
            f = queue.pop()
            for name in f.words - {f.name}:
                visit(name, f)
            for member in f.members:
                for value in self.members.get(member, ()):
                    for g in self.named.get(value, []):
                        visit(value, g)
        return [f for f in seen if not f.macro]


def show(files):
    for path in sorted(files):
        print(path)
        for f in sorted(files[path], key=lambda f: f.line):
            print(f"  {f.line:5} {f.name}")


def main(arguments):
    options = {a for a in arguments if a.startswith("--")}
    unknown = options - {"--list", "--limit"}
    directories = [a for a in arguments if a not in options] or SOURCES
    if unknown or not all((ROOT / d).is_dir() for d in directories):
        sys.exit(__doc__.split(":")[0])
    sources = Sources(directories)
    above = False
    for where, path, roots in sources.callbacks:
        files = {}
        for f in sources.reached(path, roots):
            files.setdefault(f.path, []).append(f)
        if not files:
            continue
        functions = sum(map(len, files.values()))
        above |= functions > LIMIT[0] or len(files) > LIMIT[1]
        if "--list" in options:
            show(files)
        print(f"{where}: perf's callbacks reach {functions} functions in {len(files)} "
              f"files (at most {LIMIT[0]} in {LIMIT[1]})")
    if not sources.callbacks:
        sys.exit("there are no callbacks of perf")
    if "--limit" in options and above:
        sys.exit(1)


main(sys.argv[1:])
