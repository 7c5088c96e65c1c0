# SPDX-License-Identifier: GPL-2.0-only
"""Control characters in files and names: output has no terminal sequences, JSON is valid."""
import pathlib
import re

import pytest

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

def put(host, name, *lines):
    """Make a file with these lines, which may have bytes that are no UTF-8."""
    data = "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")
    return host.put_bytes(name, data)

@pytest.fixture
def nasty(host):
    """Make a host with NASTY in each name or text."""
    host.discovery_function()
    put(host, "0000:00:03.1/power_state", "D3" + NASTY)
    host.discovery(0)
    for file in "owner", "mode", "platform", "fingerprint":
        put(host, f"pkg0-uncore0/{file}", file + NASTY)
    put(host, "pkg0-uncore0/units",
        "6 imc% 0 mmio% 0x1% 4% 48 uncore_imc%_0 owner%".replace("%", NASTY), "wrong" + NASTY)
    put(host, "pkg0-uncore0/rejected", "6% 4% width% 0x7f% wide %".replace("%", NASTY))
    put(host.tpmi("on"), "pkg0-tpmi0/mode", "mode" + NASTY)
    host.domain(0, 0, "0-1").core(0, 0, 0, "0-1", "POWER")
    plr = "pkg0-dom0/plr"
    put(host, "pkg0-dom0/cpus", "0-1" + NASTY)
    put(host, f"{plr}/core0/cpus", "0-1" + NASTY)
    put(host, f"{plr}/core0/reasons", "POWER" + NASTY)
    put(host, f"{plr}/mesh1{NASTY}/reasons", "POWER")
    put(host, f"{plr}/mesh2{NASTY}/reasons", "HEAT" + NASTY)
    put(host, f"{plr}/die/reasons", "POWER" + NASTY)
    put(host.installed("pmon_uncore"), "proc/sys/kernel/osrelease", "6.0" + NASTY)
    return put(host, "proc/sys/kernel/perf_event_paranoid", "2" + NASTY)

def test_list_is_clean(nasty):
    clean(nasty.pmonctl("list", status=1, err="line not understood"), "Platform platform%: ",
          "imc%  0 ", "imc%_0", "socket 0 type 6% id 4%: width% = 0x7f%, wide %",
          "left to owner%; ", "0-1%", ': "wrong%"')

def test_doctor_is_clean(nasty):
    clean(nasty.pmonctl("doctor --verbose", status=1, err="line not understood"), "asleep (D3%)",
          "left to owner%", "of the die: POWER%", "for kernel 6.0%", "is 2%)")

def test_doctor_is_clean_where_a_link_leads(nasty):
    nasty.put("0000:00:03.1/power_state").link("../driver" + NASTY, "0000:00:03.1/driver")
    clean(nasty.pmonctl("doctor --verbose", status=1, err="line not understood"), "present, driver driver%")

def test_plr_is_clean(nasty):
    clean(nasty.pmonctl("plr", status=1, err="die/reasons"), "mesh1% ", "mesh2%", "pkg0-dom0/plr/die/reasons")

def test_the_name_of_a_file_in_a_message_is_clean(nasty):
    nasty.unreadable(f"pkg0-dom0/plr/mesh2{NASTY}/reasons")
    nasty.put("pkg0-dom0/plr/die/reasons", "POWER").put("pkg0-dom0/plr/core0/reasons", "POWER")
    clean(nasty.pmonctl("plr", status=1, err="plr/mesh2"), "plr/mesh2%/reasons: Is a directory")

def texts(value):
    """Return all texts of a JSON document."""
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in values for text in texts(each)]

@pytest.mark.parametrize("command", ["list", "doctor", "plr"])
def test_json_is_clean_and_has_the_escaped_texts(nasty, command):
    run = clean(nasty.pmonctl(command + " --json", status=1,
                              err="die/reasons" if command == "plr" else "line not understood"))
    assert sum(text.count(NICE) for text in texts(run.json())) >= 3

def test_adopt_is_clean(nasty):
    nasty.live("pmon", "pmon_uncore", "intel_uncore")
    pmu = "uncore_a" + NASTY
    nasty.pmu(pmu, **{"event" + NASTY: "config:0-7"}).put(f"{pmu}/events/read{NASTY}", "event=1")
    put(nasty, "pkg0-uncore0/pmus", f"pmu {pmu} -", f"pmu uncore_b{NASTY} uncore_c{NASTY}",
        "format event config:0-7")
    clean(nasty.pmonctl("adopt --dry-run uncore", status=2, err="nothing was changed"),
          "uncore_a%  ", "uncore_b%", "term event% is lost, event read% is lost")

@pytest.fixture
def watched(nasty):
    """Make a domain that is watched, with one limited mesh."""
    nasty.put("proc/uptime", "1036800.00").passing(end=2000).domain(0, 0, "0-1")
    put(nasty, f"pkg0-dom0/plr/mesh1{NASTY}/reasons", "POWER")
    for part in "die", "mesh0", "mesh1" + NASTY:
        put(nasty, f"pkg0-dom0/plr/{part}/time_in_reason", "observed 1 1036800000 1")
    return nasty.append(f"pkg0-dom0/plr/mesh1{NASTY}/time_in_reason", "POWER 1 1036800000 1")

def test_watch_is_clean(watched):
    clean(watched.pmonctl("plr --watch"), "0/0/mesh1%: POWER")

def test_watch_is_clean_as_json(watched):
    run = clean(watched.pmonctl("plr --watch --json"))
    assert "mesh1" + NICE in [part["name"] for line in run.json_lines()
                              for domain in line["domains"] for part in domain["parts"]]

def test_a_line_feed_in_a_value_begins_no_line(host):
    host.spr().put("pkg0-uncore0/platform", "spr", "Platform gnr: 9 packages")
    host.pmonctl("list").has(r"Platform spr\x0aPlatform gnr: 9 packages: 1 socket*").lacks("Platform gnr*")
    assert host.pmonctl("list --json").json()["devices"]

# ---- in a locale of UTF-8, text is printed unchanged

def test_other_alphabets_are_printed_as_they_are(host):
    host.spr().put("pkg0-uncore0/platform", 'Zwölf "größer" \\ 한국 😀')
    host.pmonctl("list", env=UTF8).has('Platform Zwölf "größer" \\ 한국 😀: *')
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

def uses(regex, *allowed):
    return [f"{path.name}: {line}" for path in SOURCES.glob("*.c") if path.name not in allowed
            for line in path.read_text().splitlines() if re.search(regex, line)]

def test_output_c_alone_prints():
    """It escapes all output."""
    assert not uses(r"\b(v?f?printf|f?puts|f?putc|putchar|fputc|f?write|perror|psignal)\(",
                    "output.c", "files.c", "sysfs.c")

def test_nothing_uses_a_shell_or_searches_for_programs():
    """Only `stat -- JOB` searches PATH for a program, as env(1) does."""
    found = uses(r"\b(popen|system|exec[lv]p?e?|posix_spawnp)\(")
    assert not [use for use in found if not re.match(r"process\.c:.*posix_spawnp", use)]
