#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""layers.py [--edges|--circles DIR]: check that files use only lower layers.

Each file in layers/ describes a directory of sources. Its first line that is no
comment names the directory. Each other line is a layer, the topmost first, and lists
files (box is box.c and box.h). A file may use only files of lower layers and files
joined to it by +. An included header is a use, and so is the name of a function or
variable. Prints each use that is not downwards, files in no layer, names without a file.

--edges prints lines "user -> used (a name)", --circles the files that use each other.
"""

import pathlib
import re
import sys

from c_text import code_of

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLES = pathlib.Path(__file__).resolve().parent / "layers"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
WORD = re.compile(r'[A-Za-z_]\w*')


def outside(text):
    """Return the text outside braces, with the outermost braces."""
    out, depth = [], 0
    for c in text:
        depth -= c == "}"
        if depth == 0:
            out.append(c)
        depth += c == "{"
    return "".join(out)


def definitions(text):
    """Return the names of functions and variables that are not static."""
    found = set()
    for piece in re.split(r';|(?<=\})(?=\s*\n)', outside(text)):
        piece = " ".join(piece.split())
        if re.match(r'(?:[A-Z_]+\([^)]*\) ?)*(?:static|extern|typedef)\b', piece):
            continue
        function = re.match(r'[\w\s*]*?\b(\w+)\s*\(.*\)[^=]*\{\}$', piece)
        variable = re.match(r'(?:const |struct |unsigned |union |enum )*\w+[\w\s*]*?[\s*](\w+)'
                            r'(?:\[[^]]*\])*\s*(?:=.*)?$', piece)
        if function and not function[1].isupper():
            found.add(function[1])
        elif variable and "(" not in piece.split("=")[0]:
            found.add(variable[1])
        macro = re.match(r'(?:DEFINE_PER_CPU\((?:[^,]*), |LIST_HEAD\(|DEFINE_MUTEX\()(\w+)\)',
                         piece)
        if macro:
            found.add(macro[1])
    return found


def means(text, name):
    """Does the name in this text mean a function or variable of another file?"""
    if re.search(rf'\b{name}\s*\(', text):
        return True
    return not re.search(rf'\b(?!return\b|case\b|else\b)\w+[\s*]+{name}\s*[=;,)\[]',
                         text)


class File:
    """A .c file and its header, or only one of them."""

    def __init__(self, name):
        self.name, self.text, self.words = name, "", set()
        self.defines, self.includes = set(), set()

    def add(self, path):
        raw = path.read_text()
        self.includes |= {pathlib.Path(i).stem for i in INCLUDE.findall(raw)}
        text = DIRECTIVE.sub("", code_of(raw))
        if path.suffix == ".c":
            self.defines |= definitions(text)
            self.add_code(text)
        else:
            # In a header only words in bodies of inline functions are uses.
            for body in re.findall(r'^\{.*?^\}', text, re.S | re.M):
                self.add_code(body)

    def add_code(self, text):
        text = re.sub(r'\b(?:struct|union|enum)\s+\w+', 'int', text)
        self.text += text
        self.words |= set(WORD.findall(text))


def files_of(directory):
    files = {}
    for path in sorted((ROOT / directory).glob("*.[ch]")):
        files.setdefault(path.stem, File(path.stem)).add(path)
    return files


def uses(files):
    """Return {(file, file that it uses): a name or header that it uses}."""
    where, edges = {}, {}
    for f in files.values():
        for name in f.defines:
            where.setdefault(name, f.name)
    for f in files.values():
        for i in sorted(f.includes):
            if i in files and i != f.name:
                edges[f.name, i] = f"{i}.h"
        for name in sorted(f.words & where.keys()):
            if where[name] != f.name and means(f.text, name):
                edges[f.name, where[name]] = name
    return edges


def circles(edges):
    """Return groups of files that use each other, directly or through other files."""
    nodes = {n for e in edges for n in e}
    reach = {n: {b for a, b in edges if a == n} for n in nodes}
    changed = True
    while changed:
        changed = False
        for n in nodes:
            more = set().union(*(reach[m] for m in reach[n])) if reach[n] else set()
            if not more <= reach[n]:
                reach[n] |= more
                changed = True
    return {frozenset(m for m in nodes if m in reach[n] and n in reach[m])
            for n in nodes if n in reach[n]}


def check(table):
    lines = [l.split("#")[0].split() for l in table.read_text().splitlines()]
    lines = [l for l in lines if l]
    directory, layers = lines[0][0], lines[1:]
    files, level, part = files_of(directory), {}, {}
    for depth, joined in ((d, j) for d, names in enumerate(layers) for j in names):
        for name in joined.split("+"):
            if name in level:
                print(f"{directory}/{name}: is in two layers")
            level[name], part[name] = -depth, joined
    for name in sorted(files.keys() - level.keys()):
        print(f"{directory}/{name}: is in no layer of {table.relative_to(ROOT)}")
    for name in sorted(level.keys() - files.keys()):
        print(f"{table.relative_to(ROOT)}: there is no {directory}/{name}")
    for (user, used), name in sorted(uses(files).items()):
        if user in level and used in level and level[used] >= level[user] and \
                part[used] != part[user]:
            print(f"{directory}/{user} uses {used}, which is not below it: {name}")


def main(arguments):
    if arguments[:1] == ["--edges"]:
        for (user, used), name in sorted(uses(files_of(arguments[1])).items()):
            print(f"{user} -> {used} ({name})")
    elif arguments[:1] == ["--circles"]:
        for group in circles(uses(files_of(arguments[1]))):
            print(" ".join(sorted(group)))
    else:
        tables = sorted(TABLES.iterdir())
        if not tables:
            print(f"there is no table in {TABLES.relative_to(ROOT)}")
        for table in tables:
            check(table)


main(sys.argv[1:])
