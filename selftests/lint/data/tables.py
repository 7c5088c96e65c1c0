# SPDX-License-Identifier: GPL-2.0-only
"""What `client`, `dmr` and `r2pcie` need: a driver's tables as a program prints them,
those of the kernel's own driver as they stand in its source, and a verdict.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent

results = []


def verdict(wrong, name, looked):
    """One TAP line: nothing is wrong, and something was looked at."""
    wrong = list(wrong) if looked else ["nothing to compare"]
    results.append(not wrong)
    print(f"{'not ok' if wrong else 'ok'} {len(results)} - {name} ({looked})")
    for line in wrong[:20]:
        print(f"#   {line}")


def differ(ours, theirs, name, looked=None):
    """Both are the same, as a whole."""
    verdict((f"{x}: only {'ours' if x in ours else 'theirs'}"
             for x in sorted(set(ours) ^ set(theirs), key=str)),
            name, len(theirs) if looked is None else looked)


def finish():
    print(f"1..{len(results)}")
    sys.exit(0 if all(results) else 1)


def source(version):
    """Where the kernel's source of that version is."""
    return pathlib.Path(subprocess.run(
        [ROOT / "selftests/lib/build/source", version], check=True,
        capture_output=True, text=True).stdout.strip())


# ---- ours ------------------------------------------------------------------

def number(word):
    return int(word, 0) if re.fullmatch(r"0x[0-9a-f]+|\d+", word) else word


def dump(program, *arguments):
    """The words of each line that this program prints."""
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
    """What is between the braces of this definition."""
    m = re.search(rf"\b{re.escape(name)}(?:\[[^]]*\])?(?: __initconst)? = \{{\n(.*?)\n\}};",
                  text, re.S)
    return m.group(1)


def definition(name, text):
    """What a macro stands for, without comments and in one line, or None."""
    m = re.search(rf"^#define {re.escape(name)}[ \t]+((?:.*\\\n)*.*)", text, re.M)
    return m and re.sub(r"/\*.*?\*/", "", m.group(1)).replace("\\\n", " ").strip()


def value(expression, text):
    """Of a number, or of what is defined as a sum of bits."""
    defined = definition(expression, text)
    if defined:
        return value(defined, text)
    expression = re.sub(r"BIT\((\d+)\)", r"(1 << \1)", expression)
    expression = re.sub(r"\b[A-Z]\w+", lambda m: str(value(m.group(0), text)),
                        expression)
    return eval(expression)     # pylint: disable=eval-used


def mask_of(text):
    """The bits of "8-15,32-55"."""
    bits = 0
    for part in text.split(","):
        low, _, high = part.partition("-")
        bits |= (1 << int(high or low) + 1) - (1 << int(low))
    return bits


def attributes(text):
    """Name of the C variable: the term, and the bits of config that it is."""
    return {m[0]: (m[1], mask_of(m[2])) for m in re.findall(
        r'DEFINE_UNCORE_FORMAT_ATTR\((\w+), (\w+), "config:([\d,-]+)"\)', text)}


def member(text, name):
    m = re.search(rf"\.{name}\s*= (.*),", text)
    return m and m.group(1)


def called(text):
    """What a struct intel_uncore_type is called."""
    return member(text, "name").strip('"')


def fields(text, driver, discovery):
    """The terms of a struct intel_uncore_type's formats, or the generic ones."""
    group = member(text, "format_group")
    file, name = discovery, "generic_uncore_formats_attr"
    if group:
        file, name = driver, member(block(group.strip("&"), driver), "attrs")
    table = attributes(file)
    return {table[a] for a in re.findall(r"format_attr_(\w+)\.attr",
                                         block(name, file))}
