#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""names.py: do names in the drivers say whose they are, in the glossary's words?

The file names beside this one has two kinds of lines. "DIR: PREFIX..." says how
the names of a directory's functions and types begin, static ones too, so that a
stack dump tells whose a function is. "not DIR WORD: WHY" is a word that no
identifier below DIR, tests apart, has as a part, because it had several meanings or is none of
the field's; WHY says what is used in its place. Comments and strings are not
looked at. Prints what is wrong, and nothing if all is well.
"""

import pathlib
import re
import sys

from c_text import code_of

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIST = pathlib.Path(__file__).resolve().parent / "names"
FUNCTION = re.compile(r'^(?!return|else|typedef|extern)[A-Za-z_][\w \t*]*?[\s*](\w+)\(', re.M)
TYPE = re.compile(r'^(?:struct|union|enum) (\w+) \{', re.M)
# Named by the macros of sysfs and modules, after a file or a parameter; what
# leads from a member to its structure.
EXCEPT = re.compile(r'\w+_(?:show|store|read)$|(?:to|typeof)_\w+$|[A-Z_0-9]+$|__\w+$')


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def check_prefixes(directory, prefixes):
    for path in sorted((ROOT / directory).glob("*.[ch]")):
        text = code_of(path.read_text())
        # A type that is in one file only needs no prefix.
        for m in (FUNCTION if path.suffix == ".c" else TYPE).finditer(text):
            if not f"{m[1]}_".startswith(prefixes) and not EXCEPT.match(m[1]):
                print(f"{path.relative_to(ROOT)}:{line_of(text, m.start(1))}: {m[1]} "
                      f"does not begin with {' or '.join(prefixes)}")


def check_word(directory, word, why):
    part = re.compile(rf'(?:\b|_){word}(?:\b|_)', re.I)
    for path in sorted((ROOT / directory).rglob("*.[ch]")):
        text = "" if path.parent.name == "tests" else code_of(path.read_text())
        for m in part.finditer(text):
            print(f"{path.relative_to(ROOT)}:{line_of(text, m.start())}: {word}: {why}")


def main():
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        line = line.partition("#")[0].strip()
        head, colon, rest = line.partition(":")
        words = head.split()
        if not line:
            continue
        if words[:1] == ["not"] and len(words) == 3 and rest:
            check_word(words[1], words[2], rest.strip())
        elif len(words) == 1 and rest:
            check_prefixes(words[0], tuple(rest.split()))
        else:
            sys.exit(f"{LIST.relative_to(ROOT)}:{number}: not understood: {line}")
        if not (ROOT / words[words[:1] == ["not"]]).is_dir():
            print(f"{LIST.relative_to(ROOT)}:{number}: there is no such directory")


main()
