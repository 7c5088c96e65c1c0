# SPDX-License-Identifier: GPL-2.0-only
"""Bugs made by rules: bounds, masks, guards, returns, the order of two writes,
signs and steps. In the pure files, which user space can test in seconds."""
import random
import re

LEAVES = ("core", "uncore", "plr")


def pure_files(root):
    """The files that a leaf's tests include: (leaf, path)."""
    for leaf in LEAVES:
        text = (root / f"drivers/{leaf}/tests/pure.c").read_text()
        for name in re.findall(r'#include "\.\./(\w+\.c)"', text):
            yield leaf, f"drivers/{leaf}/{name}"


def swap(pattern, replacement, name):
    return re.compile(pattern), replacement, name


# A place in a line: what there becomes what.
RULES = [
    swap(r"(?<![-<>=!])<(?![<=])(?=.*[;){])", "<=", "a bound: < is <="),
    swap(r"(?<![<])<=", "<", "a bound: <= is <"),
    swap(r"(?<![->=])>(?![>=])(?=.*[;){])", ">=", "a bound: > is >="),
    swap(r"(?<![>])>=", ">", "a bound: >= is >"),
    swap(r"==", "!=", "a guard: == is !="),
    swap(r"!=", "==", "a guard: != is =="),
    swap(r"&&", "||", "a guard: && is ||"),
    swap(r"\|\|", "&&", "a guard: || is &&"),
    swap(r"if \(!", "if (", "a guard: not is lost"),
    swap(r"if \((?=[a-z])(?=[^=<>&|]*\)$)", "if (!", "a guard is turned round"),
    swap(r"& ~", "& ", "a mask: not is lost"),
    swap(r"\|= ", "= ", "a mask: or is lost"),
    swap(r"&= ", "= ", "a mask: and is lost"),
    swap(r" - 1\b", "", "a step: one less is lost"),
    swap(r" \+ 1\b", "", "a step: one more is lost"),
    swap(r" \+ (?=[a-z(])", " - ", "a sum is a difference"),
    swap(r" - (?=[a-z(])", " + ", "a difference is a sum"),
    swap(r"<<", ">>", "a shift the other way"),
    swap(r"return true;", "return false;", "a return: true is false"),
    swap(r"return false;", "return true;", "a return: false is true"),
    swap(r"return -E\w+;", "return 0;", "a return: an error is none"),
    swap(r"return NULL;", None, "a return"),
    swap(r"\+\+", "--", "a step the other way"),
]
STATEMENT = re.compile(r"^\t+[a-z][^=]*(\w+\(.*\)|[\w\]>.-]+ [|&+-]?= .*|.*\+\+|.*--);$")
DECLARATION = re.compile(r"^\t+(const |static )*(struct |enum |unsigned |u\d+ |int |bool |size_t |char |long )")
CALL = re.compile(r"^\t+\w+\(.*\);$")


def mutations(lines):
    """(line, new line or None to swap with the next, name) of a file."""
    # Declarations are not lost: it would not compile.
    inside = comment = False
    for n, line in enumerate(lines):
        comment = comment or line.lstrip().startswith("/*")
        if comment:
            comment = "*/" not in line
            continue
        if line.startswith("{"):
            inside = True
        elif line.startswith("}"):
            inside = False
        if not inside or "//" in line or '"' in line:
            continue
        for pattern, new, name in RULES:
            if new is None:
                continue
            for m in pattern.finditer(line):
                yield n, line[:m.start()] + new + line[m.end():], name
        if STATEMENT.match(line) and not DECLARATION.match(line) and \
                not line.lstrip().startswith("return"):
            indent = line[:len(line) - len(line.lstrip())]
            yield n, f"{indent};", "a statement is lost"
            if n + 1 < len(lines) and STATEMENT.match(lines[n + 1]) and \
                    CALL.match(line) and CALL.match(lines[n + 1]) and \
                    lines[n + 1].startswith(indent) and \
                    not lines[n + 1].startswith(indent + "\t") and \
                    lines[n - 1].rstrip().endswith((";", "{", "}", "")) and \
                    not re.match(r"\t+(if|for|while|else|scoped)", lines[n - 1]):
                yield n, None, "two calls change places"


def context(lines, first, last):
    """Lines around them, so many that there is one such place in the file."""
    text = "\n".join(lines)
    while text.count("\n".join(lines[first:last + 1])) != 1:
        if first:
            first -= 1
        elif last + 1 < len(lines):
            last += 1
    return first, last


def fresh(root, count, seed):
    """(file, test, name, old lines, new lines) of so many, by this seed."""
    every = []
    for leaf, file in pure_files(root):
        lines = (root / file).read_text().splitlines()
        for n, new, name in mutations(lines):
            last = n if new is not None else n + 1
            first, end = context(lines, n, last)
            changed = [new] if new is not None else [lines[n + 1], lines[n]]
            every.append((file, f"kunit {leaf}", f"line {n + 1}: {name}",
                          lines[first:end + 1],
                          lines[first:n] + changed + lines[last + 1:end + 1]))
    random.Random(seed).shuffle(every)
    # As many of each kind as there are: some rules fit everywhere.
    chosen, kinds = [], {}
    for mutant in every:
        kinds.setdefault(mutant[2].split(": ", 1)[1], []).append(mutant)
    while len(chosen) < count and any(kinds.values()):
        for queue in kinds.values():
            if queue and len(chosen) < count:
                chosen.append(queue.pop())
    return chosen
