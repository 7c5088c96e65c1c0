#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""words.py [-v PATH...]: check the English of comments, messages and documents.

Reads comments, kernel-doc and messages of C and Python sources (a message is a string of
four words or more), comments of shell, awk, Kbuild, Kconfig and Makefile, documents and
manual pages. Headings, questions, and fields of an ABI file except its description do not
count. Three limits hold for each folder in HELD and for the first comments of all cases:

- No sentence begins with What, Those, One that and the like, which have no noun.
- Verbs of persons (ask, say, know, want): at most 4 for 1,000 words of a folder.
- Pronouns (it, that, which): at most 5 for 100 words of a folder of C, 5.5 of one with
  documents or shell, 7 of any file above 300 words.

For comparison, Linux 6.12: for 100 words 4.6 pronouns in drivers/perf/cxl_pmu.c, 4.1 in
arm-cmn.c, 1.1 to 2.7 in arch/x86/events/intel/uncore*.c; 0.8 to 3.8 verbs of persons for
1,000 words; no sentence without a noun. Prints file:line: of each sentence that breaks a
limit. -v prints the figures of each file and all such sentences below PATH.
"""

import bisect
import pathlib
import re
import sys

from c_text import PIECE

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Folders and files that the limits hold for.
HELD = [
    "Documentation",
    "CONTRIBUTING.md",
    "Kconfig",
    "README.md",
    "drivers/core",
    "drivers/cxl",
    "drivers/plr",
    "drivers/r2pcie",
    "drivers/uncore",
    "drivers/vfalls",
    "include",
    "selftests",
    "selftests/emulator",
    "selftests/guest",
    "selftests/kunit",
    "tools",
    "tools/pmonctl",
]
CASES = "selftests/cases"
# Strings of C programs in these folders name test rows, so they are not read.
ROWS = {"tests", "cases", "guest", "kunit"}

VERBS = re.compile(
    r"\b(?:tells?|told|asks?|asked|asking|says?|said|saying|believe[sd]?|doubt(?:s|ed)?|"
    r"trust(?:s|ed)?|vouch(?:es|ed)?|knows?|knew|forgets?|forgot(?:ten)?|wish(?:es|ed)?|"
    r"wants?|wanted|ow(?:es?|ed)|hurr(?:y|ied))\b", re.I)
HEADLESS = re.compile(
    r"\W*(?:What|Those|That of|Whoever|Which|One that|The same|Who|Whether|Such)\b")
# Comments beside code begin in lower case.
HEADLESS_REMARK = re.compile(r"\W*(?:what|those|that of|whoever|one that)\b")
PRONOUNS = re.compile(
    r"\b(?:it|its|that|this|these|those|one|ones|they|them|their|such|which|what)\b", re.I)
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
PROSE = re.compile(r"\(?[A-Za-z][a-z'-]*[.,;:)]*")
SENTENCE = re.compile(r"(?<=[.;:!?])\s+(?=[^\sa-z])|\n[ \t]*(?=\n)|\n\s*(?=@\w|[-*] )")
ADJACENT = re.compile(r'"\s*"')
ABI_FIELD = re.compile(r"^(?:What|Date|KernelVersion|Contact|Users):.*(?:\n[ \t]+\S.*)*", re.M)
PYTHON = re.compile(
    r'(?:^[ \t]*#.*\n)+|"""[\s\S]*?"""|#.*|' +
    r'"(?:\\.|[^"\\\n])*"(?:\s*f?"(?:\\.|[^"\\\n])*")*|\'(?:\\.|[^\'\\\n])*\'', re.M)
# Macros of mdoc outside sentences, and macros whose arguments are words.
MDOC_BREAK = re.compile(r"^\.(?:\\\"|(?:Bl|Dd|Dl|Dt|El|It|Nd|Nm|Os|Pp|Sh|Xr)\b).*", re.M)
MDOC_WORDS = re.compile(r"^\.[A-Z][a-z] .*", re.M)
C_FILES, BUILD_FILES = {".c", ".h", ".S"}, {"Kbuild", "Kconfig", "Makefile"}
SHELL_FILES = {".sh", ".awk", ".in"}
# Lines that a program reads.
DIRECTIVE = re.compile(
    r"^[ \t]*#(?:!.*|.*SPDX.*| shellcheck .*|"
    r" (?:contract|check|kernels|all kernels|races|coverage|last block):.*)", re.M)
VERBS_MOST, FILE_MOST, LONG_FILE = 4, 7, 300


def blank(m):
    """Return a match with blanks for all characters but newlines."""
    return re.sub(r"[^\n]", " ", m[0])


def hide(m):
    """Return a match with "x" for each letter: its words count, but break no limit."""
    return re.sub(r"[A-Za-z]", "x", m[0])


def c_pieces(text, is_test):
    """Yield (offset, text) of each comment and each message."""
    at = 0
    while m := PIECE.search(text, at):
        at = m.end()
        if m[0][0] == '"':
            # Adjacent literals are one message.
            while more := re.compile(r'\s*"(?:\\.|[^"\\\n])*"').match(text, at):
                at = more.end()
            string = re.sub(r"\\[nt]", "  ", ADJACENT.sub(blank, text[m.start() + 1:at - 1]))
            if not is_test and is_message(string):
                yield m.start() + 1, string
        elif m[0][0] == "/" and "SPDX" not in m[0]:
            yield m.start(), re.sub(r"^/[/*]+|\*/$|^[ \t]*\*+", blank, m[0], flags=re.M)


def is_message(string):
    return sum(bool(PROSE.fullmatch(w)) for w in string.split()) >= 4


def python_pieces(text):
    for m in PYTHON.finditer(text):
        if m[0].lstrip()[0] == "#":
            yield m.start(), re.sub(r"^[ \t]*#(?:!.*|.*SPDX.*)?", blank, m[0], flags=re.M)
        elif m[0].startswith('"""') or is_message(m[0]):
            yield m.start() + 1, re.sub(r'["\']', " ", m[0][1:-1])


def manual_pieces(text):
    """Yield (offset, text) of parts of a manual page; hide the arguments of macros."""
    text = MDOC_BREAK.sub(lambda m: blank(m)[:-1] + "\0", text)
    text = MDOC_WORDS.sub(lambda m: " " * 3 + hide(re.match(r".*", m[0][3:])), text)
    at = 0
    for piece in text.split("\0"):
        yield at, piece
        at += len(piece) + 1


def shell_pieces(text):
    for m in re.finditer(r"(?:^[ \t]*#(?: .*|)\n)+", DIRECTIVE.sub(blank, text), re.M):
        # In a table leave out the first column, which two blanks separate from the second.
        piece = re.sub(r"^[ \t]*#", blank, m[0], flags=re.M)
        yield m.start(), re.sub(r"^ *\S.*?(?=   ?\S)", blank, piece, flags=re.M)


def build_pieces(text):
    for m in re.finditer(r"(?:^[ \t]*#.*\n)+|^\thelp\n(?:\t  .*\n|\n)+", text, re.M):
        piece = re.sub(r"^[ \t]*#|\thelp|.*SPDX.*", blank, m[0], flags=re.M)
        yield m.start(), piece


def document_pieces(text):
    text = ABI_FIELD.sub(blank, text)
    text = re.sub(r"^Description:", blank, text, flags=re.M)
    # Blank out headings, rules of tables and directives. Hide literals: their words count.
    text = re.sub(r"^(?!\.\. |[ \t]|\n).*\n([=~^\"#-])\1{2,}$|^[ \t]*[=+-][=+ -]{2,}$", blank, text,
                  flags=re.M)
    text = re.sub(r"(?<=::)\n\s*\n([ \t]+).*(?:\n(?:\1.*|[ \t]*$))*|^```[^`]*^```|``[^`]+``",
                  hide, text, flags=re.M)
    text = re.sub(r"^[ \t]*\.\. .*|^#+ .*", blank, text, flags=re.M)
    # Separate the cells of a table.
    yield 0, re.sub(r"(?<=[^\s])(?: {2,}|\t+)(?=\S)", lambda m: "\n" * len(m[0]), text)


def sentences(path, head_only):
    """Yield (line, sentence, does it begin a comment or message in code?) of a file."""
    text = path.read_text(errors="replace")
    if head_only:
        text = re.match(r"(?:#.*\n|\n)*", text)[0]
    lines = [m.start() for m in re.finditer("\n", text)]
    code = path.suffix in C_FILES | {".py"}
    if path.suffix == ".py":
        pieces = python_pieces(text)
    elif path.suffix == ".8":
        pieces = manual_pieces(text)
    elif code:
        pieces = c_pieces(text, bool(ROWS & set(path.relative_to(ROOT).parts)))
    elif path.name in BUILD_FILES:
        pieces = build_pieces(text)
    elif is_shell(path):
        pieces = shell_pieces(text)
    else:
        pieces = document_pieces(text)
    for start, piece in pieces:
        at = 0
        for m in [*SENTENCE.finditer(piece), None]:
            end = m.start() if m else len(piece)
            raw = piece[at:end]
            said = " ".join(raw.split())
            first = start + at + len(raw) - len(raw.lstrip())
            if said and not said.endswith("?"):
                yield bisect.bisect_left(lines, first) + 1, said, code and not at
            at = m.end() if m else end


class Count:
    """Count the words of a file or folder, and collect sentences for each limit."""

    def __init__(self):
        self.words = self.verbs = self.pronouns = 0
        self.headless, self.persons, self.dense = [], [], []

    def read(self, path, head_only=False):
        name = path.relative_to(ROOT)
        for line, said, is_remark in sentences(path, head_only):
            where = f"{name}:{line}: "
            words, pronouns = len(WORD.findall(said)), PRONOUNS.findall(said)
            verbs = VERBS.findall(said)
            self.words += words
            self.verbs += len(verbs)
            self.pronouns += len(pronouns)
            if words > 1 and (HEADLESS.match(said) or
                              (is_remark and HEADLESS_REMARK.match(said))):
                self.headless.append(f"{where}no noun at its beginning: {said[:200]}")
            if verbs:
                self.persons.append(where + ", ".join(verbs) + ": " + said[:200])
            if len(pronouns) * 100 > 2 * FILE_MOST * words or len(pronouns) > 3:
                self.dense.append(where + ", ".join(pronouns) + ": " + said[:200])
        return self

    def add(self, other):
        for key, value in vars(other).items():
            setattr(self, key, getattr(self, key) + value)

    def verb_rate(self):
        return 1000 * self.verbs / max(self.words, 1)

    def pronoun_rate(self):
        return 100 * self.pronouns / max(self.words, 1)

    def __str__(self):
        return (f"{self.words} words, {len(self.headless)} headless, verbs of persons "
                f"{self.verb_rate():.1f} for 1,000, pronouns {self.pronoun_rate():.1f} for 100")


def is_shell(path):
    if path.suffix in SHELL_FILES:
        return True
    return not path.suffix and path.read_bytes()[:2] == b"#!"


def files_of(folder):
    path = ROOT / folder
    found = [path] if path.is_file() else sorted(path.rglob("*"))
    return [p for p in found if p.is_file() and not p.name.endswith(".mod.c") and
            "__pycache__" not in p.parts and
            (p.suffix in C_FILES | {".8", ".md", ".py", ".rst"} or p.name in BUILD_FILES or
             p.parent.match("ABI/testing") or is_shell(p))]


def cases():
    return sorted(p for p in (ROOT / CASES).glob("*/*.sh") if p.parent.name != "lib")


def limit(folder):
    """Return the limit of pronouns for 100 words."""
    files = [p for p in files_of(folder) if p.suffix in C_FILES or is_shell(p)]
    return 5 if files and not any(map(is_shell, files)) else 5.5


def check(folder, files, most):
    total = Count()
    if not files:
        print(f"{folder}: there is nothing to read")
    for path, count in files:
        total.add(count)
        print(*count.headless, sep="\n", end="\n" * bool(count.headless))
        if count.words > LONG_FILE and count.pronoun_rate() > FILE_MOST:
            print(f"{path.relative_to(ROOT)}: {count}: more than {FILE_MOST} pronouns",
                  *count.dense, sep="\n")
    if total.verb_rate() > VERBS_MOST:
        print(f"{folder}: {total}: more than {VERBS_MOST} verbs", *total.persons, sep="\n")
    if total.pronoun_rate() > most:
        print(f"{folder}: {total}: more than {most} pronouns", *total.dense, sep="\n")


def check_folder(folder):
    check(folder, [(path, Count().read(path)) for path in files_of(folder)], limit(folder))


def show(folder):
    total = Count()
    for path in files_of(folder):
        count = Count().read(path)
        total.add(count)
        print(f"{path.relative_to(ROOT)}: {count}",
              *count.headless, *count.persons, *count.dense, sep="\n  ")
    print(f"{folder}: {total}")


if sys.argv[1:2] == ["-v"]:
    for argument in sys.argv[2:] or HELD:
        show(pathlib.Path(argument).resolve().relative_to(ROOT))
else:
    for argument in sys.argv[1:] or HELD:
        check_folder(argument)
    if not sys.argv[1:]:
        check(CASES, [(path, Count().read(path, True)) for path in cases()], 5.5)
