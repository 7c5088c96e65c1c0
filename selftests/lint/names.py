#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""names.py: check the names of the drivers against the glossary.

The file `names` has two kinds of lines. "DIR: PREFIX..." has the prefixes of functions and
types of a directory, also of static functions, which stack dumps show. "not DIR WORD...: WHY"
has words that no identifier below DIR, tests apart, may contain, because they had several
meanings or are not the field's; WHY has the words to use instead. Comments and strings
are not checked.

More rules: a function named is_, has_ or was_ returns bool; no two functions differ only by
a tense; an exported function has kernel-doc. Prints each violation.
"""

import pathlib
import re
import sys

from c_text import code_of

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIST = pathlib.Path(__file__).resolve().parent / "names"
FUNCTION = re.compile(r'^(?!return|else|typedef|extern)[A-Za-z_][\w \t*]*?[\s*](\w+)\(', re.M)
TYPE = re.compile(r'^(?:struct|union|enum) (\w+) \{', re.M)
BOOL = re.compile(r'^(?!return|else)([A-Za-z_][\w \t]*?)[\s*]+(\w*(?:\b|_)(?:is|has|was)_\w+)\(', re.M)
EXPORT = re.compile(r'^EXPORT_SYMBOL\w*\((\w+)\);', re.M)
# Irregular verbs.
TENSES = {"begin": "began", "find": "found", "freeze": "frozen", "give": "given",
          "hold": "held", "keep": "kept", "leave": "left", "lose": "lost",
          "take": "taken", "write": "written"}
EXCEPT = re.compile(r'\w+_(?:show|store|read)$|(?:to|typeof)_\w+$|[A-Z_0-9]+$|__\w+$')


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def check_prefixes(directory, prefixes):
    for path in sorted((ROOT / directory).glob("*.[ch]")):
        text = code_of(path.read_text())
        # Check functions in sources, and types in headers.
        for m in (FUNCTION if path.suffix == ".c" else TYPE).finditer(text):
            if not f"{m[1]}_".startswith(prefixes) and not EXCEPT.match(m[1]):
                print(f"{path.relative_to(ROOT)}:{line_of(text, m.start(1))}: {m[1]} "
                      f"does not begin with {' or '.join(prefixes)}")


def check_word(directory, word, why):
    part = re.compile(rf'(?:\b|_){word}(?:\b|_)', re.I)
    for path in sorted((ROOT / directory).rglob("*.[ch]")):
        text = "" if "tests" in path.parts else code_of(path.read_text())
        for m in part.finditer(text):
            print(f"{path.relative_to(ROOT)}:{line_of(text, m.start())}: {word}: {why}")


def past_of(word):
    doubled = word + word[-1] if word else word
    return TENSES.get(word), f"{word}d", f"{word}ed", f"{doubled}ed"


def check_tenses(functions):
    for name, where in sorted(functions.items()):
        words = name.split("_")
        for i, word in enumerate(words):
            for past in filter(None, past_of(word)):
                other = "_".join([*words[:i], past, *words[i + 1:]])
                if other in functions:
                    print(f"{where}: {name} and {other} differ by a tense only")


def check_functions():
    functions, docs, exported = {}, "", {}
    for path in sorted((ROOT / "drivers").glob("*/*.[ch]")) + \
            sorted((ROOT / "include/pmon").glob("*.h")):
        text, name = path.read_text(), path.relative_to(ROOT)
        docs += text
        code = code_of(text)
        for m in BOOL.finditer(code):
            if m[1].split()[-1] != "bool":
                print(f"{name}:{line_of(code, m.start(2))}: {m[2]} does not return bool")
        functions.update((m[1], f"{name}:{line_of(code, m.start(1))}")
                         for m in FUNCTION.finditer(code))
        exported.update((m[1], f"{name}:{line_of(code, m.start(1))}")
                        for m in EXPORT.finditer(code))
    check_tenses(functions)
    for name, where in exported.items():
        if name in functions and f" * {name}() - " not in docs:
            print(f"{where}: {name} is exported without kernel-doc")


def main():
    check_functions()
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        line = line.partition("#")[0].strip()
        head, colon, rest = line.partition(":")
        words = head.split()
        if not line:
            continue
        if words[:1] == ["not"] and len(words) >= 3 and rest:
            for word in words[2:]:
                check_word(words[1], word, rest.strip())
        elif len(words) == 1 and rest:
            check_prefixes(words[0], tuple(rest.split()))
        else:
            sys.exit(f"{LIST.relative_to(ROOT)}:{number}: not understood: {line}")
        if not (ROOT / words[words[:1] == ["not"]]).is_dir():
            print(f"{LIST.relative_to(ROOT)}:{number}: there is no such directory")


main()
