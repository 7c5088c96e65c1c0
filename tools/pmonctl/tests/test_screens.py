# SPDX-License-Identifier: GPL-2.0-only
"""Screens on a terminal of 80 columns, on hosts like the emulated servers gnr-2s and gnr-43."""
import re

import pytest

from host import PMUS
from result import squeezed
from screens import NO_POWER, PL1, RECORD_MOVES

BOXES = """
    0 cha 7 msr 4 48
    2 iio 3 msr 4 48
    30 iio_free_running 3 msr 17 48
    3 irp 3 msr 4 48
    4 pcu 1 msr 4 48
    5 ubox 0 msr 2 48
    6 imc 11 mmio 4+1 48
    8 upi 2 pci 4 48
    16 b2cmi 3 pci 4 48
    17 b2cxl 1 mmio 4 48
    25 mdf 3 msr 4 48"""

def boxes(host, owner):
    """Make the units of gnr-2s, driven by an owner, and their PMUs."""
    for p in 0, 1:
        host.discovery(p).put(f"pkg{p}-uncore0/platform", "gnr").put(f"pkg{p}-uncore0/owner", owner)
    for line in BOXES.strip().splitlines():
        number, name, last, access, counters, width = line.split()
        for i in range(int(last) + 1):
            pmu = f"uncore_{name}_{i}" if owner == "openpmon" else "-"
            host.folder(f"{PMUS}/uncore_{name}_{i}")
            for p in 0, 1:
                host.unit(p, f"{number} {name} {i} {access} 0x19000 {counters} {width} {pmu} {owner}")

def gnr_2s(host, owner):
    """Make gnr-2s, with boxes that an owner drives."""
    host.moving().cpu_model(6, 173).live("pmon_uncore", "pmon_plr", "intel_uncore")
    host.installed("pmon_uncore", "pmon_plr").paranoid(3)
    boxes(host, owner)
    cpu = 0
    for p in 0, 1:
        for d, modules in enumerate((4, 2)):
            host.domain(p, d, f"{cpu}-{cpu + 2 * modules - 1}")
            for m in range(modules):
                host.core(p, d, m, f"{cpu}-{cpu + 1}", "none")
                cpu += 2
    return host

def watched(host):
    """Make a Granite Rapids, 1000 s after boot, with openpmon's class."""
    host.discovery_function().folder("sys/class/pmon").pauses().put("proc/uptime", "1000.00")
    return host.cpu_model(6, 173)

def in_force(host, package, domain, module, cpus, reasons):
    """Make a module that these reasons limit since 960 s."""
    host.core(package, domain, module, cpus, reasons)
    host.put(f"pkg{package}-dom{domain}/plr/core{module}/time_in_reason", "observed 9000 1000000 900 1",
             *(f"{reason} 9000 1000 960 1 9000" for reason in reasons.split()))

@pytest.fixture
def gnr_43(host):
    """Make three dies of 43 modules with turbo limits.

    Power limits 14 modules of the first die, and temperature limits one of these, too.
    """
    watched(host)
    for d in 0, 1, 2:
        host.domain(0, d, f"{86 * d}-{86 * d + 85}")
        for m in range(43):
            cpu = 86 * d + 2 * m
            reasons = "FREQUENCY FREQUENCY_CDYN1"
            if (d, m) == (0, 7):
                reasons = f"POWER THERMAL {PL1} THERMAL_PER_CORE"
            elif d == 0 and m % 10 in (1, 3, 5):
                reasons = f"POWER {PL1}"
            in_force(host, 0, d, m, f"{cpu}-{cpu + 1}", reasons)
    return host

@pytest.fixture
def eagle(host):
    """Make two sockets of three dies; a die has 43 modules of two CPUs, limited in mixed ways."""
    watched(host)
    seed, cpu = 7, 0
    for p in 0, 1:
        for d in 0, 1, 2:
            host.domain(p, d, f"{cpu}-{cpu + 42},{cpu + 258}-{cpu + 300}")
            for m in range(43):
                seed = seed * 1103515245 % 2147483648 + 12345
                reasons = ([f"POWER {PL1}"] * 4 + [
                    f"POWER THERMAL {PL1} THERMAL_PER_CORE", "THERMAL THERMAL_PER_CORE",
                    "FREQUENCY THERMAL FREQUENCY_CDYN1 THERMAL_PER_CORE"] +
                    ["FREQUENCY FREQUENCY_CDYN1"] * 3)[seed // 65536 % 10]
                in_force(host, p, d, m, f"{cpu},{cpu + 258}", reasons)
                cpu += 1
    return host

def on_screen(host, command="", cols=80, **how):
    """Run pmonctl on a terminal, whose width no line exceeds."""
    __tracebackhide__ = True
    run = host.on_terminal(command, cols=cols, **how)
    assert max(len(line) for line in run.out.splitlines()) <= cols
    return run

def test_each_box_of_gnr_2s_fits(host):
    assert on_screen(gnr_2s(host, "openpmon"), "bw --boxes").rates() == {
        "memory 0 uncore_imc_0": "2097 0 2097", "memory 0 uncore_imc_10": "12583 0 12583",
        "memory 1 uncore_imc_0": "2097 2097 4194", "memory 1 uncore_imc_10": "12583 2097 14680",
        "cxl - cxl_pmu_mem0.0": "1049 0 1049", "upi 0 uncore_upi_0": "1049 10486 11534",
        "upi 1 uncore_upi_0": "0 0 0", "iio 0 uncore_iio_free_running_3": "262 524 786"}

def test_messages_break_at_blanks(host):
    gnr_2s(host, "openpmon").remove("uncore_upi_0/events/rx*").left_to("intel_uncore")
    run = on_screen(host, "bw --kind upi,cxl")
    assert run.rates() == {"cxl -": "1049 0 1049", "upi 0": "- 10486 -", "upi 1": "- 0 -"}
    assert run.lines[-2:] == ["upi read: the kernel's driver has no events for this;",
                              "pmonctl adopt uncore adds them"]

def test_the_first_screen_of_gnr_2s_fits(host):
    run = on_screen(gnr_2s(host, "openpmon")).has("HOST *, platform gnr, Linux 6.18-tree, *", "DOCTOR fine",
        "LIMITS not known: no program monitors them; pmonctl plr shows *limits", "Next: pmonctl bw --watch")
    assert run.rates()["iio 0"] == "262 524 786"

def test_the_list_of_gnr_2s_leaves_out_columns_that_do_not_fit(host):
    run = on_screen(gnr_2s(host, "intel_uncore"), "list")
    assert run.lines[0] == "Platform gnr: 2 sockets, 96 boxes, 4 performance-limit domains"
    lasts = {line.split()[1]: int(line.split()[2]) for line in BOXES.strip().splitlines()}
    order = "cha iio irp pcu ubox imc upi b2cmi b2cxl mdf iio_free_running".split()
    heads = "UNIT", "ID", "SOCKET", "PMU", "DRIVEN BY"
    assert tuple(run.records("UNIT")[0]) == heads
    assert run.table(*heads) == [
        (name, f"0-{lasts[name]}" if lasts[name] else "0", "0-1",
         f"uncore_{name}_" + (f"{{0..{lasts[name]}}}" if lasts[name] else "0"), "intel_uncore")
        for name in order]
    assert run.table("DOMAIN", "SOCKET", "ID", "MODULES", "CPUS") == [
        ("pkg0-dom0", "0", "0", "4", "0-7"), ("pkg0-dom1", "0", "1", "2", "8-11"),
        ("pkg1-dom0", "1", "0", "4", "12-19"), ("pkg1-dom1", "1", "1", "2", "20-23")]
    assert run.lines[-1] == "96 boxes are left to intel_uncore; pmonctl adopt uncore hands them over."

def test_findings_of_gnr_2s_keep_their_column(host):
    run = on_screen(gnr_2s(host, "intel_uncore"), "doctor")
    assert run.out.splitlines() == [
        "note  boxes  96 left to intel_uncore; pmonctl adopt uncore hands them over",
        "note  perf   only root and CAP_SYS_ADMIN may count (perf_event_paranoid is 3);",
        "             with kernel.perf_event_paranoid=2 CAP_PERFMON suffices",
        "ok: 7 things; --verbose shows them", "Next: pmonctl adopt uncore"]

def test_limits_of_gnr_43_break_within_their_columns(gnr_43):
    assert on_screen(gnr_43, "plr").lines == [RECORD_MOVES, *squeezed(f"""
        14 of 129 modules limited now, 115 at a turbo limit (FREQUENCY alone)

        REASON                  MODULES  SOCKETS
        THERMAL_PER_CORE              1  0
        {PL1}       14  0

        WHERE                      CPUS                       NOW
        0/0/core7                  14-15                      THERMAL_PER_CORE
                                                              {PL1}
        0/0/core1,3,5,11,13,15,    2-3,6-7,10-11,22-23,       {PL1}
        21,23,25,31,33,35,41       26-27,30-31,42-43,46-47,
                                   50-51,62-63,66-67,70-71,
                                   82-83

        THERMAL_PER_CORE
            temperature of this core
            fans, air flow, heat sink; temperatures with: sensors, ipmitool sdr
        {PL1}
            package power limit 1 (long term), set by MSR or TPMI (software, firmware)
            compare the limits in /sys/class/powercap with the part's TDP
        {NO_POWER}""")]

def test_the_first_screen_of_gnr_43_breaks_within_its_columns(gnr_43):
    run = on_screen(gnr_43, status=1)
    assert re.match(r"HOST \S+, \d{4}-\d\d-\d\d \d\d:\d\d, platform -, Linux", run.lines[0])
    assert run.lines[run.lines.index("DOCTOR 3 problems (pmonctl doctor), first: limits: "
                                     "THERMAL_PER_CORE is in"):] == squeezed(f"""
        DOCTOR  3 problems (pmonctl doctor), first: limits: THERMAL_PER_CORE is in
                force: temperature of this core (1 of 129 modules)

        BANDWIDTH  nothing can be counted

        LIMITS  14 of 129 modules limited now, 115 at a turbo limit (FREQUENCY alone)
        REASON                  MODULES  SOCKETS  MEANING
        THERMAL_PER_CORE              1  0        temperature of this core
        {PL1}       14  0        package power limit 1 (long term),
                                                  set by MSR or TPMI (software,
                                                  firmware)
        {NO_POWER}

        Next: pmonctl plr""")

def test_on_60_columns_no_word_is_cut_and_a_line_keeps_its_indent(gnr_43):
    run = on_screen(gnr_43, "plr", cols=60).has("--once does not.")
    assert re.search("^    part's TDP", run.out, re.M)

def test_on_60_columns_the_second_column_of_help_stays_one(host):
    assert re.search("^ {24}next$", on_screen(host, "help adopt", cols=60).out, re.M)

def having(host, reason):
    """Count the modules whose record has a reason."""
    return sum(bool(re.search(f"^{reason} ", path.read_text(), re.M))
               for path in host.paths("sys/class/pmon/*/plr/core*/time_in_reason"))

def test_mixed_limits_of_258_modules_are_summed_up(eagle):
    run = on_screen(eagle, "plr")
    assert len(run.lines) <= 70
    assert dict(run.table("REASON", "MODULES")) == {
        reason: str(having(eagle, reason)) for reason in ("THERMAL_PER_CORE", PL1)}
    run.has("*of 258 modules limited now,*", "(* more rows: pmonctl plr --all)")

def test_all_shows_every_row(eagle):
    run = on_screen(eagle, "plr --all").lacks("(* more rows*")
    assert len(run.lines) > 70

@pytest.fixture
def three_limits(host):
    """Limit three modules.

    Temperature limits one, and later power; temperature a second; a turbo limit the third.
    """
    watched(host).domain(0, 0, "0-5").cpu(4, 0, 0, 2)
    host.core(0, 0, 0, "0-1", f"{PL1} THERMAL_PER_CORE")
    host.core(0, 0, 1, "2-3", "THERMAL_PER_CORE").core(0, 0, 2, "4-5", "FREQUENCY_CDYN1")
    for module, reason in enumerate((PL1, "THERMAL_PER_CORE", "FREQUENCY_CDYN1")):
        host.put(f"pkg0-dom0/plr/core{module}/time_in_reason", "observed 9000 1000000 900 1",
                 f"{reason} 9000 1000 960 1")
    return host

def coloured(host, command="", no_color="", **how):
    """Run pmonctl on a terminal; replace the escape sequence of a colour by <NUMBER>."""
    __tracebackhide__ = True
    run = host.on_terminal(command, cols=120, env={"NO_COLOR": no_color}, **how)
    run.out = re.sub("\033\\[([0-9]*)m", r"<\1>", run.raw)
    return run

def test_limits_in_force_have_the_colour_of_their_kind(three_limits):
    rows = {r["WHERE"]: (r["NOW"], r["SINCE"])
            for r in coloured(three_limits, "plr").records("WHERE", "NOW", "SINCE")}
    assert rows["0/0/core0"] == (f"<33>{PL1}<>", "THERMAL_PER_CORE up to 17 min ago")
    assert rows["0/0/core1"] == ("<31>THERMAL_PER_CORE<>", "-")
    coloured(three_limits, "plr").has(PL1)

def test_a_turbo_limit_has_no_colour(three_limits):
    run = coloured(three_limits, "plr --cpu 4")
    assert run.table("WHERE", "NOW") == [("0/0/core2", "FREQUENCY_CDYN1")]

def test_the_first_screen_has_colours(three_limits):
    coloured(three_limits, status=1).has("<31>THERMAL_PER_CORE<> 1 0 temperature of this core")

def test_no_color_and_pipes_have_no_colours(three_limits):
    assert "<3" not in coloured(three_limits, "plr", no_color="1").out
    run = three_limits.pmonctl("plr", env={"NO_COLOR": ""})
    assert ("0/0/core1", "THERMAL_PER_CORE") in run.table("WHERE", "NOW")
