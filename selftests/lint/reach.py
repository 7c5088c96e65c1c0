#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""reach.py [--list] [DIR...]: functions that perf's callbacks reach.

A stranger reads an event from open to count: this counts what has to be read. The
sources are those of DIR (drivers/core drivers/uncore include), their inline
functions included. It begins with the functions in an initialiser of struct pmu, for
each such initialiser anew. A function reaches each one that its body names, by a
call or by its address, also within a macro of ours; a call through a member of a
structure reaches all functions that an initialiser sets that member to. What a
timer, a work item or a notifier calls is reached only if it is named. A chain of
calls is as long as the functions are that it leads through, each once; functions that
call each other are one of its links, as long as they are many.

--list: prints them by file, with their lines.
"""

import pathlib
import re
import sys

from c_text import code_of

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ["drivers/core", "drivers/uncore", "include"]

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

    def named_by(self, f):
        """What a function names."""
        found = {g for name in f.words - {f.name} for g in self.find(name, f)}
        for member in f.members:
            for value in self.members.get(member, ()):
                for g in self.named.get(value, []):
                    found.update(self.find(value, g))
        return found

    def reached(self, path, roots):
        """{function: what it names}"""
        queue = [g for root in roots for f in self.named.get(root, [])
                 if f.path == path or not f.static for g in self.find(root, f)]
        edges = {}
        while queue:
            f = queue.pop()
            if f not in edges:
                edges[f] = self.named_by(f)
                queue.extend(edges[f])
        return edges


def longest_chain(edges):
    """How many functions the longest chain of calls has."""
    order, index, low, stack, longest = iter(range(len(edges))), {}, {}, [], {}

    def visit(f):
        index[f] = low[f] = next(order)
        stack.append(f)
        for g in edges[f]:
            if g not in index:
                visit(g)
            if g in stack:
                low[f] = min(low[f], low[g])
        if low[f] < index[f]:
            return
        part = set(stack[stack.index(f):])
        del stack[stack.index(f):]
        below = max((longest[h] for g in part for h in edges[g] - part), default=0)
        longest.update(dict.fromkeys(part, below + sum(not g.macro for g in part)))
    for f in edges:
        if f not in index:
            visit(f)
    return max(longest.values(), default=0)


def show(files):
    for path in sorted(files):
        print(path)
        for f in sorted(files[path], key=lambda f: f.line):
            print(f"  {f.line:5} {f.name}")


def main(arguments):
    options = {a for a in arguments if a.startswith("--")}
    unknown = options - {"--list"}
    directories = [a for a in arguments if a not in options] or SOURCES
    if unknown or not all((ROOT / d).is_dir() for d in directories):
        sys.exit(__doc__.split(":")[0])
    sources = Sources(directories)
    for where, path, roots in sources.callbacks:
        edges, files = sources.reached(path, roots), {}
        for f in edges:
            if not f.macro:
                files.setdefault(f.path, []).append(f)
        if not files:
            continue
        if "--list" in options:
            show(files)
        print(f"{where}: perf's callbacks reach {sum(map(len, files.values()))} functions "
              f"in {len(files)} files, in chains of at most {longest_chain(edges)} calls")
    if not sources.callbacks:
        sys.exit("there are no callbacks of perf")


main(sys.argv[1:])
