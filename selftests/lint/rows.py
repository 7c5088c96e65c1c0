#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""rows.py [--draw COUNT SEED] [FILE...]: check that names of test rows stand alone.

Reads the name in each call of a check (is, like, runs) in shell tests, also through functions
that hand a parameter on as a name or as the beginning of one. The part after the last colon is a
sentence, so it neither begins nor ends with a word that leans on another row (and, of, it,
which). --draw prints COUNT names at random, for a reader to judge.
"""

import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = ["selftests/cases/*/*.sh", "tools/packaging/*/*test"]
# The number of the argument that is the name: in guests, and in tests of packages.
CHECKS = {"is": 3, "isnt": 3, "like": 3, "unlike": 3, "between": 4, "runs": 1, "fails": 1,
          "fails_with": 2, "not_written": 2, "exits": 2, "logged": 3, "ok": 1, "not_ok": 1}
PACKAGES = {"try": 1, "verdict": 2}
LEANS = re.compile(
    r"(?:and|nor|but|or|of|that|those|these|this|which|what|who|whose|where|it|its|none|they|their|"
    r"them|also|so|likewise|without|with|to|for|by|as|then|now|again|too|neither|not|nothing|until|"
    r"unless|there)\b|"
    r"(?:ones?|another|(?:the )?others?|the same)(?: (?:is|are|was|were|has|have|does|do|can|may|"
    r"that|which|with|without|in|on|at|when|if|too)\b|$)|"
    r".*\b(?:likewise|as well|too|that|those|these|its?|so|them|they)$", re.I)
FUNCTION = re.compile(r"^([ \t]*)(\w+)\(\) ?\{(?:.*\}$|[\s\S]*?^\1\})", re.M)
BLANK = re.compile(r"(?:[ \t]|\\\\?\n)+")


def after(text, at):
    """Return the end of a character, a quoted string or an expansion at `at`."""
    char = text[at]
    if char == "\\":
        return at + 2
    if char == "'":
        return text.index("'", at + 1) + 1
    if char == '"':
        at += 1
        while text[at] != '"':
            at = after(text, at) if text[at] in "\\$" else at + 1
        return at + 1
    if char == "$" and text[at + 1] in "({":
        close, at = {"(": ")", "{": "}"}[text[at + 1]], at + 2
        while text[at] != close:
            if text[at] == "(" == {")": "("}.get(close):
                at = after("$" + text[at:], 0) + at - 1
            else:
                at = after(text, at) if close == ")" or text[at] in '\\$"' else at + 1
        return at + 1
    return at + 1


def words(text, at):
    """Yield the words of the command whose first argument is behind `at`."""
    while (blank := BLANK.match(text, at)) and (at := blank.end()) < len(text):
        start = at
        while at < len(text) and text[at] not in " \t\n;&|)<>" and not BLANK.match(text, at):
            at = after(text, at)
        if at == start:
            return
        yield start, text[start:at]


def calls(text, known):
    """Yield (offset, function, name) of each call of a check."""
    call = re.compile(r"(?:^[ \t]*|(?:&&|\|\||;|\bthen|\bdo|\belse|\)|\{|!)[ \t]+)(?:! )?("
                      + "|".join(known) + r")(?=[ \t])", re.M)
    for m in call.finditer(text):
        if "#" in text[text.rfind("\n", 0, m.start(1)) + 1:m.start(1)].split("'")[0]:
            continue
        try:
            found = list(words(text, m.end()))[known[m[1]] - 1]
        except (IndexError, ValueError):
            continue
        yield *found[:1], m[1], found[1]


def wrappers(text, known):
    """Return `known` and each function of `text` that hands a parameter on as a name."""
    known = dict(known)
    bodies = {m[2]: m[0] for m in FUNCTION.finditer(text)}
    known = {f: n for f, n in known.items() if f not in bodies or f in CHECKS}
    while True:
        found = {}
        for function, body in bodies.items():
            if function in known:
                continue
            for at, _, name in calls(body, known):
                given = re.match(r'"?\$\{?(\w+)', name)
                if given and not given[1].isdigit():
                    given = re.search(rf'\b{given[1]}="?\$\{{?(\d)', body)
                    at = given.start() if given else at
                if given:
                    shifted = re.findall(r"(?:^|[;\t ])shift(?: (\d))?", body[:at])
                    found[function] = int(given[1]) + sum(int(n or 1) for n in shifted)
                    break
        if not found:
            return known
        known.update(found)


def rows(path, known):
    """Yield (line, name, is it only the beginning of names?) of each row."""
    text = path.read_text()
    local = wrappers(text, known)
    for at, function, name in calls(text, local):
        plain = re.sub(r"""^["']|["']$""", "", name)
        if re.search(r"[A-Za-z]", re.sub(r"\$\w+|\$\{.*?\}", "", plain)):
            yield text.count("\n", 0, at) + 1, plain, function not in {**CHECKS, **PACKAGES}


def main():
    arguments = sys.argv[1:]
    draw = [int(n) for n in arguments[1:3]] if arguments[:1] == ["--draw"] else []
    named = [pathlib.Path(name).resolve() for name in arguments[3 if draw else 0:]]
    known, names = CHECKS, []
    for path in sorted(ROOT.glob("selftests/cases/lib/*.sh")):
        known = {**wrappers(path.read_text(), CHECKS), **known}
    for path in named or sorted(p for tests in TESTS for p in ROOT.glob(tests)):
        checks = known if path.suffix == ".sh" else PACKAGES
        for line, name, is_begun in rows(path, checks):
            names.append(f"{path.relative_to(ROOT)}:{line}: {name}")
            last = name.rsplit(": ", 1)[-1]
            few = " " not in name.strip() and not is_begun
            if not draw and (LEANS.match(last) or few):
                print(names[-1])
    if draw:
        random.seed(draw[1])
        print(*random.sample(names, draw[0]), sep="\n")


main()
