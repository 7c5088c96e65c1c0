# SPDX-License-Identifier: GPL-2.0-only
"""Put bugs into C code of the kernel's style, by rules.

mutations(text) yields (rule, edits), where edits is a list of (start, end, new text). Edits
do not change the number of lines. EXCLUDED has statements whose bugs no test needs to find.
"""
import re

# Rules for text in functions: name, old text, new text.
SWAPS = [(name, re.compile(old), new) for name, old, new in (
    ("< is <=", r" < ", " <= "),
    ("<= is <", r" <= ", " < "),
    ("> is >=", r" > ", " >= "),
    (">= is >", r" >= ", " > "),
    ("== is !=", r" == ", " != "),
    ("!= is ==", r" != ", " == "),
    ("&& is ||", r" &&(?=\s)", " ||"),
    ("|| is &&", r" \|\|(?=\s)", " &&"),
    ("! is dropped", r"!(?=[\w(])", ""),
    ("~ is dropped", r"~(?=[\w(])", ""),
    ("|= is =", r" \|= ", " = "),
    ("&= is =", r" &= ", " = "),
    ("+= is =", r" \+= ", " = "),
    ("-= is =", r" -= ", " = "),
    ("+ 1 is dropped", r" \+ 1\b", ""),
    ("- 1 is dropped", r" - 1\b", ""),
    ("+ is -", r" \+ (?!1\b)", " - "),
    ("- is +", r" - (?!1\b)", " + "),
    ("<< is >>", r" << ", " >> "),
    (">> is <<", r" >> ", " << "),
    ("& is |", r"(?<=[\w)]) & (?!~)", " | "),
    ("| is &", r" \| ", " & "),
    ("++ is --", r"\+\+(?=;)", "--"),
    ("-- is ++", r"--(?=;)", "++"),
    ("min is max", r"\bmin(?=(_t|3)?\()", "max"),
    ("max is min", r"\bmax(?=(_t|3)?\()", "min"),
    ("true is false", r"\btrue\b", "false"),
    ("false is true", r"\bfalse\b", "true"),
    ("an error is none", r"(?<=return )-E[A-Z0-9]+(?=;)", "0"),
    ("NULL for a pointer", r"(?<=return )&[\w>.\[\]-]+(?=;)", "NULL"),
    ("? and : change places", r"\? ([\w>.-]+) : ([\w>.-]+)(?=[;,)])", r"? \2 : \1"),
)]
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-f]+|\d+)(?=[uUlL]{0,3}\b)(?!\.)")
NAME = re.compile(r"(?<![\w-])([A-Z][A-Z0-9]+_)[A-Z0-9_]+\b(\(?)")
CONDITION = re.compile(r"\b(if|while) (?=\()")
# Match a statement that begins with no keyword; of_statements() leaves out declarations.
STATEMENT = re.compile(
    r"(?<=[;{})\w])[ \t]*\n(?:[ \t]*\n)*\t+((?!return\b|goto\b|case\b|break\b|continue\b|default\b|"
    r"if\b|for\b|while\b|else\b|do\b|switch\b|scoped_guard\b)[\w*(>.\[\]+-][^;{}]*);")
DECLARATION = re.compile(
    r"(const |static |struct |enum |union |unsigned |signed |void \*|[us](8|16|32|64) |"
    r"__[lb]e\d+ |int |bool |char |long |u?int\d+_t |s?size_t |FILE |DIR |\w+_t |"
    r"[A-Z_]+\(\w*,? ?\w*\)$|\w+ __free)")
LOCK = re.compile(r"(?:\w*_)?((?:un)?lock|\bdown|\bup)(?=_|\()\w*\((.*)\)$", re.S)
GUARD = re.compile(r"guard\(\w+\)\(")
RELEASE = re.compile(r"(k?v?free|\w*_put|put_\w+|\w*unregister\w*|\w*_cancel\w*|\w*iounmap|"
                     r"\w*_destroy\w*|\w*_free|synchronize_\w+|flush_\w+|fclose|close|free)\(")

# Make no mutants of these statements; each pattern has a reason.
EXCLUDED = [(re.compile(pattern), reason) for pattern, reason in (
    (r"\b(pr|dev|pci)_(err|warn|notice|info|dbg|emerg|crit)\w*\(", "the text of the log"),
    (r"\b(lockdep_\w+|WARN_ON\w*|BUILD_BUG_ON\w*|static_assert|might_sleep)\(",
     "assertions: a check of the code itself, silent where it is right"),
    (r"\b(MODULE_\w+|EXPORT_SYMBOL\w*|module_param\w*)\(", "descriptions of a module"),
    (r"\b(cond_resched|cpu_relax|smp_\w*mb|barrier|trace_\w+)\(",
     "politeness, tracing, and the order of memory, which an emulated CPU keeps anyway"),
    (r"return -ENOMEM\b|return ERR_PTR\(-ENOMEM\)", "an allocation that fails: no test makes one fail"),
    (r"\b(GFP_[A-Z]+|0[67][0-7][0-7]|__GFP_\w+)\b.*;", "how memory is asked for; file modes"),
    (r"^\s*(char|u8|u16|u32|u64|int|bool|unsigned \w+) \w+\[[^\]]*\]$",
     "a larger array: nothing that a test could see"),
    (r"\b(__attribute__|__printf|__aligned|__packed|noinline|__always_inline)\b",
     "attributes for the compiler"),
    (r"\bsizeof\(\w+\) [-+] 1\b", "the last byte of a buffer, which is always 0"),
)]
# Only lockdep, KASAN and the search for leaks find the bugs of these rules.
CHECKED = ("a lock is not taken", "a lock is kept", "a release is dropped")


def blank(text):
    """Blank comments, strings, and directives other than a plain #define."""
    def blanks(match):
        return re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])+'",
                  blanks, text, flags=re.S)
    text = re.sub(r"^#[ \t]*define(?:[^\n]*\\\n)+[^\n]*", blanks, text, flags=re.M)
    return re.sub(r"^#[ \t]*(?!define \w+[ \t(])[^\n]*", blanks, text, flags=re.M)


def closing(code, at):
    """Return the offset of the parenthesis that closes the one at @at."""
    depth = 0
    for n in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[n], 0)
        if not depth:
            return n
    return at


def regions(code):
    """Yield (start, end, in a function?) of function bodies, tables and #define lines."""
    for body in re.finditer(r"^\{\n.*?^\}", code, re.M | re.S):
        yield *body.span(), True
    for table in re.finditer(r"^[^\s#}][^\n]*= \{\n.*?^\};", code, re.M | re.S):
        yield *table.span(), False
    for line in re.finditer(r"^#define \w+[^\n]*", code, re.M):
        yield line.start() + len("#define "), line.end(), False


def whole(code, at):
    """Return the statement around @at; of a compound statement, the head up to "{"."""
    first = max(code.rfind(c, 0, at) for c in ";{}") + 1
    last = min((n for n in (code.find(c, at) for c in ";{") if n >= 0), default=len(code))
    return code[first:last].strip() + code[last:last + 1]


def empty(code, start, end):
    """Return an edit that empties a statement but keeps its lines."""
    return start, end, ";" + "\n" * code.count("\n", start, end)


def of_statements(text, code, start, end):
    """Yield mutations that drop a statement or exchange two neighbours."""
    found = [m.span(1) for m in STATEMENT.finditer(code, start, end)
             if not DECLARATION.match(m[1]) and ("(" in m[1] or "=" in m[1])]
    locks = [(a, b, LOCK.match(code, a, b)) for a, b in found]
    last = None
    for a, b, lock in locks:
        if GUARD.match(code, a):
            yield "a lock is not taken", [empty(code, a, b + 1)]
        elif lock and lock[1] in ("lock", "down"):
            yield "a lock is not taken", [empty(code, a, b + 1)] + [
                empty(code, c, d + 1) for c, d, other in locks if other and c > a and
                other[1] in ("unlock", "up") and other[2] == lock[2]]
        elif lock:
            yield "a lock is kept", [empty(code, a, b + 1)]
        elif RELEASE.match(code, a):
            yield "a release is dropped", [empty(code, a, b + 1)]
        else:
            yield "a statement is dropped", [empty(code, a, b + 1)]
            if last and not lock and code[last[1] + 1:a].isspace() and \
                    re.match(r"[\w>.-]+\(", code[a:b]) and "\n\n" not in code[last[1]:a]:
                yield "two statements change places", [
                    (*last, text[a:b]), (a, b, text[last[0]:last[1]])]
        # A statement alone under a condition does not change places.
        alone = re.search(r"(\)|else)\s*$", code[:a])
        last = None if lock or alone else (a, b)
    for m in re.finditer(r"\bscoped_guard ?\(", code[start:end]):
        close = closing(code, start + m.end() - 1)
        yield "a lock is not taken", [(start + m.start(), close + 1, "if (1)")]


def of_function(text, code, start, end):
    for rule, pattern, new in SWAPS:
        for m in pattern.finditer(code, start, end):
            yield rule, [(*m.span(), m.expand(new))]
    for m in CONDITION.finditer(code, start, end):
        a, b = m.end() + 1, closing(code, m.end())
        yield "a condition is turned round", [(a, a, "!("), (b, b, ")")]
        yield "a condition never holds", [(a, a, "("), (b, b, ") && 0")]
        if m[1] == "if":
            yield "a condition always holds", [(a, a, "("), (b, b, ") || 1")]
    yield from of_statements(text, code, start, end)


def mutations(text):
    code = blank(text)
    names = sorted({m.group(1, 2, 0) for m in NAME.finditer(code)})
    for start, end, is_function in regions(code):
        found = list(of_function(text, code, start, end)) if is_function else []
        for m in NUMBER.finditer(code, start, end):
            hexa = m[1].startswith("0x")
            new = f"0x{int(m[1], 16) + 1:0{len(m[1]) - 2}x}" if hexa else str(int(m[1]) + 1)
            found.append(("a number is one more", [(*m.span(1), new)]))
        for m in NAME.finditer(code, start, end):
            alike = [n[2] for n in names if n[:2] == m.group(1, 2)]
            if len(alike) > 1 and code[start - 8:start] != "#define ":
                new = alike[(alike.index(m[0]) + 1) % len(alike)]
                found.append(("a constant is another", [(*m.span(), new)]))
        for rule, edits in found:
            statement = whole(code, edits[0][0])
            if not any(pattern.search(statement) for pattern, _ in EXCLUDED):
                yield rule, edits


def damaged(text, edits):
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
