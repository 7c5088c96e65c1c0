# SPDX-License-Identifier: GPL-2.0-only
"""Library of `client`, `dmr`, `r2pcie` and `run`: read our drivers' tables, which a program
prints; read tables in the source of the kernel's driver; print verdicts.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent

results = []


def verdict(wrong, name, looked):
    """Print a line of TAP: ok if nothing is wrong and something was compared."""
    wrong = list(wrong) if looked else ["nothing to compare"]
    results.append(not wrong)
    print(f"{'not ok' if wrong else 'ok'} {len(results)} - {name} ({looked})")
    for line in wrong[:20]:
        print(f"#   {line}")


def differ(ours, theirs, name, looked=None):
    """Print a line of TAP: ok if ours and theirs are equal sets."""
    verdict((f"{x}: only {'ours' if x in ours else 'theirs'}"
             for x in sorted(set(ours) ^ set(theirs), key=str)),
            name, len(theirs) if looked is None else looked)


def finish():
    print(f"1..{len(results)}")
    sys.exit(0 if all(results) else 1)


def source(version):
    """Return the path of the kernel's source of that version."""
    return pathlib.Path(subprocess.run(
        [ROOT / "selftests/lib/build/source", version], check=True,
        capture_output=True, text=True).stdout.strip())


# ---- ours ------------------------------------------------------------------

def number(word):
    return int(word, 0) if re.fullmatch(r"0x[0-9a-f]+|\d+", word) else word


def dump(program, *arguments):
    """Compile and run a program of lint/data; return the words of each printed line."""
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run(
            ["gcc", "-std=gnu11", "-DPMON_HOST_TEST", "-I", ROOT / "include",
             "-I", ROOT / "selftests/kunit/host/include", "-o", f"{tmp}/dump",
             ROOT / "selftests/lint/data" / program], check=True)
        said = subprocess.run([f"{tmp}/dump", *arguments], check=True,
                              capture_output=True, text=True).stdout
    return [[number(word) for word in line.split()]
            for line in said.splitlines()]


# ---- the kernel's driver ----------------------------------------------------

def block(name, text):
    """Return the text between the braces of a definition."""
    m = re.search(rf"\b{re.escape(name)}(?:\[[^]]*\])?(?: __initconst)? = \{{\n(.*?)\n\}};",
                  text, re.S)
    return m.group(1)


def definition(name, text):
    """Return the text of a macro, without comments and in one line, or None."""
    m = re.search(rf"^#define {re.escape(name)}[ \t]+((?:.*\\\n)*.*)", text, re.M)
    return m and re.sub(r"/\*.*?\*/", "", m.group(1)).replace("\\\n", " ").strip()


def value(expression, text):
    """Return the value of an expression of numbers and macros."""
    defined = definition(expression, text)
    if defined:
        return value(defined, text)
    expression = re.sub(r"BIT\((\d+)\)", r"(1 << \1)", expression)
    expression = re.sub(r"\b[A-Z]\w+", lambda m: str(value(m.group(0), text)),
                        expression)
    return eval(expression)     # pylint: disable=eval-used


def mask_of(text):
    """Return the mask for a list of bits such as "8-15,32-55"."""
    bits = 0
    for part in text.split(","):
        low, _, high = part.partition("-")
        bits |= (1 << int(high or low) + 1) - (1 << int(low))
    return bits


def attributes(text):
    """Return {name of the C variable: (term, bits of config)}."""
    return {m[0]: (m[1], mask_of(m[2])) for m in re.findall(
        r'DEFINE_UNCORE_FORMAT_ATTR\((\w+), (\w+), "config:([\d,-]+)"\)', text)}


def member(text, name):
    m = re.search(rf"\.{name}\s*= (.*),", text)
    return m and m.group(1)


def called(text):
    return member(text, "name").strip('"')


def fields(text, driver, discovery):
    """Return the terms of a struct intel_uncore_type; generic terms if it has no format_group."""
    group = member(text, "format_group")
    file, name = discovery, "generic_uncore_formats_attr"
    if group:
        file, name = driver, member(block(group.strip("&"), driver), "attrs")
    table = attributes(file)
    return {table[a] for a in re.findall(r"format_attr_(\w+)\.attr",
                                         block(name, file))}
