# SPDX-License-Identifier: GPL-2.0-only
"""Hostile files and names: output has no terminal sequences, JSON is valid, no endless file is read."""
import os
import pathlib
import re

import pytest

from result import ABSENT, checks, facts

# Two terminal sequences, control characters of one byte and two, bytes that are not UTF-8, and a
# character that reverses text.
BYTES = b"\033[2J\033]0;x\007\233\302\205\177\377\355\240\200\342\200\256"
NASTY = BYTES.decode(errors="surrogateescape")
# The escaped form that pmonctl prints
NICE = r"\x1b[2J\x1b]0;x\x07\x9b\xc2\x85\x7f\xff\xed\xa0\x80\xe2\x80\xae"
UTF8 = {"LC_ALL": "C.UTF-8"}
SOURCES = pathlib.Path(__file__).parents[1]

def clean(run, *texts):
    """Assert that the output is printable, and has each text, with NICE in the place of %."""
    __tracebackhide__ = True
    output = run.out + run.err
    assert not re.search(r"[^ -~\n]", output), ascii(output)
    for each in texts:
        assert each.replace("%", NICE) in output, f"no {each!r} in\n{output}"
    return run

def put(host, name, line):
    """Make a file with this line, which has NASTY in the place of each %."""
    return host.put_bytes(name, line.replace("%", NASTY).encode(errors="surrogateescape") + b"\n")

@pytest.fixture
def nasty(host):
    """Make a host with NASTY in names and texts."""
    put(host.discovery_function(), "0000:00:03.1/power_state", "D3%")
    host.discovery(0)
    for file in "owner", "mode", "platform", "fingerprint":
        put(host, f"pkg0-uncore0/{file}", file + "%")
    put(host, "pkg0-uncore0/units", "6 imc% 0 mmio% 0x1% 4% 48 uncore_imc%_0 owner%\nwrong%")
    put(host, "pkg0-uncore0/rejected", "6% 4% width% 0x7f% wide %")
    put(host.domain(0, 0, "0-1"), "pkg0-dom0/cpus", "0-1%")
    put(host.installed("pmon_uncore"), "proc/sys/kernel/osrelease", "6.0%")
    return put(host, "proc/sys/kernel/perf_event_paranoid", "2%")

WRONG = "line not understood"

def test_a_table_and_a_message_are_clean(nasty):
    clean(nasty.pmonctl("list", status=1, err=WRONG), "Platform platform%: ",
          "imc%  0 ", "imc%_0", "socket 0 type 6% id 4%: width% = 0x7f%, wide %",
          "left to owner%; ", "0-1%", ': "wrong%"')

def test_findings_of_doctor_are_clean(nasty):
    clean(nasty.pmonctl("doctor --verbose", status=1, err=WRONG), "asleep (D3%)",
          "left to owner%", "for kernel 6.0%", "is 2%)")

def test_a_line_of_watch_is_clean(host):
    host.put("proc/uptime", "1036800.00").passing(end=2000).domain(0, 0, "0-1")
    for part in "die", "mesh1" + NASTY:
        put(host, f"pkg0-dom0/plr/{part}/time_in_reason", "observed 1 1036800000 1\nPOWER 1 1036800000 1")
    put(host, f"pkg0-dom0/plr/mesh1{NASTY}/reasons", "POWER")
    clean(host.pmonctl("plr --watch"), "0/0/mesh1%: POWER")

def texts(value):
    """Return all texts of a JSON document."""
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in values for text in texts(each)]

def test_json_is_clean_and_has_the_escaped_texts(nasty):
    run = clean(nasty.pmonctl("list --json", status=1, err=WRONG))
    assert sum(text.count(NICE) for text in texts(run.json())) > 10

def test_a_line_feed_in_a_value_begins_no_line(host):
    host.spr().put("pkg0-uncore0/platform", "spr", "Platform gnr: 9 packages")
    host.pmonctl("list").shows(r"Platform spr\x0aPlatform gnr: 9 packages: 1 socket*").lacks("Platform gnr*")
    assert host.pmonctl("list --json").json()["devices"]

# ---- in a locale of UTF-8, text is printed unchanged

def test_other_alphabets_are_printed_as_they_are(host):
    host.spr().put("pkg0-uncore0/platform", 'Zwölf "größer" \\ 한국 😀')
    host.pmonctl("list", env=UTF8).shows('Platform Zwölf "größer" \\ 한국 😀: *')
    m = host.pmonctl("list --json", env=UTF8).json()
    assert m["devices"][0]["platform"] == 'Zwölf "größer" \\ 한국 😀'

# All kinds of invalid UTF-8; the last is a valid character that is not printable.
@pytest.mark.parametrize("text", [
    b"\200", b"\300\200", b"\301\277", b"\302", b"\302x", b"\340\200\200", b"\355\277\277",
    b"\342\202", b"\360\200\200\200", b"\364\220\200\200", b"\367\277\277\277",
    b"\370\210\200\200\200", b"\376", b"\363\240\201\201"], ids=lambda text: text.hex())
def test_invalid_bytes_are_escaped(host, text):
    host.spr().put_bytes("pkg0-uncore0/platform", b"a" + text)
    clean(host.pmonctl("list", env=UTF8), r"Platform a\x")
    clean(host.pmonctl("list --json", env=UTF8)).json()

@pytest.mark.parametrize("begin", ["", "--", "-"], ids=["word", "option", "letter"])
def test_an_argument_is_clean_in_messages(host, begin):
    clean(host.pmonctl("", begin + NASTY, status=64, env=UTF8, err="pmonctl: "))

def test_a_word_of_a_million_letters_is_cut_and_widens_no_other_row(host):
    host.spr().put("pkg0-uncore0/units", f"6 {'x' * 1000000} 0 mmio 0x1 4 48 - -",
                   *(f"6 imc{i} 0 mmio 0x1 4 48 - -" for i in range(200)))
    run = host.pmonctl("list")
    units = [unit for unit, in run.table("UNIT")]
    assert "x" * 16 + "..." in units
    assert len([unit for unit in units if unit.startswith("imc")]) == 200
    assert max(len(line) for line in run.out.splitlines()) <= 100

# ---- pmonctl ends soon on hostile trees

def limited(host):
    """Make a CPU whose module is limited."""
    host.domain(0, 0, 0).put("pkg0-dom0/plr/die/reasons", "POWER").core(0, 0, 0, 0, "POWER")
    return host.cpu(0, 0, 0, 0)

def pipe(host, name):
    host.at(name).unlink(missing_ok=True)
    os.mkfifo(host.at(name))
    return host

def endless(host):
    os.truncate(host.spr().at("pkg0-uncore0/units"), 1 << 40)
    return host

test_fact = checks("host", {
    "a link of a CPU leads to a module or nowhere": (
        lambda h: limited(h).link("../../../../class/pmon/pkg0-dom0/plr/..", "sys/devices/system/cpu/cpu0/plr"),
        "plr --cpu 0", (2, "cpu0/plr: no limits are shown")),
    "list does not wait for a pipe": (
        lambda h: pipe(h.spr(), "pkg0-uncore0/rejected"), "list", (1, "pkg0-uncore0/rejected: Invalid argument")),
    "watch does not wait for a pipe": (
        lambda h: pipe(limited(h), "pkg0-dom0/plr/die/time_in_reason"), "plr --watch",
        (2, "no program monitors this domain")),
    "clear does not wait for a pipe": (
        lambda h: pipe(limited(h), "pkg0-dom0/plr/die/clear"), "plr --clear", (1, "die/clear")),
    "a file without end is not read to its end": (endless, "list", (1, "pkg0-uncore0/units: File too large")),
    "a file that is no text is an error": (
        lambda h: h.spr().put_bytes("pkg0-uncore0/units", b"6 imc 0 mmio 0x1 4 48 - -\n\0more"), "list",
        (1, "pkg0-uncore0/units: Invalid argument")),
    **{f"a package of the number {number} has none": (
        lambda h, number=number: h.spr().put("pkg0-uncore0/package_id", number), "list --json",
        (1, "pkg0-uncore0/package_id: Invalid argument"), {"devices/*/socket": [ABSENT], "devices/0/platform": "spr"})
       for number in ("4294967296", "99999999999999999999", "-1", "1x")}})

# ---- sources

# Functions that no source calls but these
@facts({
    "output.c alone prints, as it escapes all output": (
        r"v?f?printf|f?puts|f?putc|putchar|fputc|f?write|perror|psignal", "output.c", "files.c", "sysfs.c"),
    "output.c alone makes texts of JSON": (r"json_(s?n?pack|v?s?print|string\w*|loads?\w*)", "output.c"),
    "nothing uses a shell or searches for programs": (r"popen|system|exec[lv]p?e?",),
    "stat alone searches PATH, as env(1) does": ("posix_spawnp", "process.c")})
def test_source_fact(fact):
    functions, *allowed = fact
    assert not [f"{path.name}: {line}" for path in SOURCES.glob("*.c") if path.name not in allowed
                for line in path.read_text().splitlines() if re.search(rf"\b({functions})\(", line)]
