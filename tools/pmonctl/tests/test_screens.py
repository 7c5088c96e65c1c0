# SPDX-License-Identifier: GPL-2.0-only
"""Screens on a terminal of 80 columns, on hosts like the emulated servers gnr-2s and gnr-43."""
import itertools
import random
import re

import pytest

from host import UPTIME

PL1 = "POWER_PKG_PL1_MSR_TPMI"
def gnr_2s(host, owner):
    """Make gnr-2s, with boxes that an owner drives."""
    host.moving().cpu_model(6, 173).live("pmon_uncore", "pmon_plr", "intel_uncore")
    host.installed("pmon_uncore", "pmon_plr").paranoid(3)
    for p in 0, 1:
        host.discovery(p).put(f"pkg{p}-uncore0/platform", "gnr").put(f"pkg{p}-uncore0/owner", owner)
        for number, name, count in (0, "cha", 8), (30, "iio_free_running", 28), (6, "imc", 12):
            for i in range(count):
                pmu = f"uncore_{name}_{i}" if owner == "openpmon" else "-"
                host.folder(f"uncore_{name}_{i}").unit(p, f"{number} {name} {i} mmio 0x19000 4+1 48 {pmu} {owner}")
    return host.dies(2, 2, lambda *_: {}, modules=3)

def watched(host):
    """Make a Granite Rapids with openpmon's class."""
    host.discovery_function().folder("sys/class/pmon").pauses().put("proc/uptime", f"{UPTIME}.00")
    return host.cpu_model(6, 173)

TURBO, POWER, HEAT = (dict.fromkeys(reasons, 5) for reasons in (
    ("FREQUENCY", "FREQUENCY_CDYN1"), ("POWER", PL1), ("THERMAL", "THERMAL_PER_CORE")))
LIMITED = 1, 3, 5, 11, 13, 15, 21, 23, 25, 31, 33, 35, 41

@pytest.fixture
def gnr_43(host):
    """Make three dies of 43 modules at turbo limits; power limits 14 of the first die, temperature one of these."""
    return watched(host).dies(1, 3, lambda _, die, module: (
        {**POWER, **HEAT} if (die, module) == (0, 7) else POWER if die == 0 and module in LIMITED else TURBO))

def mixed(socket, die, module):
    """Return the limits of a module of two sockets of three dies, which differ without a pattern."""
    dice = random.Random(1000 * socket + 100 * die + module)
    return dice.choice([POWER] * 4 + [{**POWER, **HEAT}, HEAT, {**TURBO, **HEAT}] + [TURBO] * 3)

@pytest.fixture
def eagle(host):
    return watched(host).dies(2, 3, mixed, siblings=258)

def on_screen(host, command="", cols=80, **how):
    """Run pmonctl on a terminal, whose width no line exceeds."""
    __tracebackhide__ = True
    run = host.on_terminal(command, cols=cols, **how)
    assert max(len(line) for line in run.out.splitlines()) <= cols
    return run

def test_each_box_of_gnr_2s_fits(host):
    assert "memory 1 uncore_imc_10" in on_screen(gnr_2s(host, "openpmon"), "bw --boxes").rates()

def test_messages_break_at_blanks(host):
    gnr_2s(host, "openpmon").remove("uncore_upi_0/events/rx*").left_to("intel_uncore")
    run = on_screen(host, "bw --kind upi,cxl")
    assert run.rates() == {"cxl -": "1049 0 1049", "upi 0": "- 10486 -", "upi 1": "- 0 -"}
    assert run.lines[-2:] == ["upi read: the kernel's driver has no events for this;",
                              "pmonctl adopt uncore adds them"]

def test_the_list_of_gnr_2s_leaves_out_columns_that_do_not_fit(host):
    run = on_screen(gnr_2s(host, "intel_uncore"), "list").shows(
        "Platform gnr: 2 sockets, 96 boxes, 4 performance-limit domains",
        "96 boxes are left to intel_uncore; pmonctl adopt uncore hands them over.")
    heads = "UNIT", "ID", "SOCKET", "PMU", "DRIVEN BY"
    assert tuple(run.records("UNIT")[0]) == heads
    assert run.table(*heads)[0] == ("cha", "0-7", "0-1", "uncore_cha_{0..7}", "intel_uncore")

def test_findings_of_gnr_2s_keep_their_column(host):
    run = on_screen(gnr_2s(host, "intel_uncore"), "doctor")
    assert run.out.splitlines() == [
        "note  boxes  96 left to intel_uncore; pmonctl adopt uncore hands them over",
        "note  perf   only root and CAP_SYS_ADMIN may count (perf_event_paranoid is 3);",
        "             with kernel.perf_event_paranoid=2 CAP_PERFMON suffices",
        "ok: 7 things; --verbose shows them", "Next: pmonctl adopt uncore"]

def columns(run, *heads):
    """Return the texts of a table's columns without the ends of lines, at which cells break."""
    lines = run.out[run.out.index(heads[0] + " "):].split("\n\n")[0].splitlines()
    lines = lines[:next((n for n, line in enumerate(lines) if line.startswith("socket ")), None)]
    begins = [lines[0].index(head) for head in heads]
    return [" ".join(line[begin:end].strip() for line in lines[1:]).split()
            for begin, end in zip(begins, [*begins[1:], None])]

def test_limits_of_gnr_43_break_within_their_columns(gnr_43):
    run = on_screen(gnr_43, "plr").shows("14 of 129 modules limited now, 115 at a turbo limit (FREQUENCY alone)")
    where, cpus, now = columns(run, "WHERE", "CPUS", "NOW")
    limited = ",".join(map(str, LIMITED))
    assert (where[0], "".join(where[1:])) == ("0/0/core7", "0/0/core" + limited)
    assert (cpus[0], "".join(cpus[1:])) == ("7", limited)
    assert now == ["THERMAL_PER_CORE", PL1, PL1]

def test_the_first_screen_of_gnr_43_breaks_within_its_columns(gnr_43):
    run = on_screen(gnr_43, status=1).shows("HOST *, platform -, Linux*", "BANDWIDTH nothing can be counted",
        "LIMITS 14 of 129 modules limited now, 115 at a turbo limit (FREQUENCY alone)", "Next: pmonctl plr")
    assert re.search(r"^DOCTOR  3 problems .* is in\n {8}force: temperature of this core \(1 of 129 modules\)$",
                     run.out, re.M)
    reasons, modules, _, meanings = columns(run, "REASON", "MODULES", "SOCKETS", "MEANING")
    assert dict(zip(reasons, modules)) == {"THERMAL_PER_CORE": "1", PL1: "14"}
    assert " ".join(meanings) == ("temperature of this core package power limit 1 (long term), "
                                  "set by MSR or TPMI (software, firmware)")

def test_on_60_columns_no_word_is_cut_and_a_line_keeps_its_indent(gnr_43):
    run = on_screen(gnr_43, "plr", cols=60).shows("--once does not.")
    assert re.search("^    part's TDP", run.out, re.M)

def test_on_60_columns_the_second_column_of_help_stays_one(host):
    assert re.search("^ {24}next$", on_screen(host, "help adopt", cols=60).out, re.M)

def test_mixed_limits_of_258_modules_are_summed_up_but_for_all(eagle):
    run = on_screen(eagle, "plr").shows("*of 258 modules limited now,*", "(* more rows: pmonctl plr --all)")
    assert len(run.lines) <= 70
    modules = [mixed(*at) for at in itertools.product(range(2), range(3), range(43))]
    assert dict(run.table("REASON", "MODULES")) == {
        reason: str(sum(reason in each for each in modules)) for reason in ("THERMAL_PER_CORE", PL1)}
    assert len(on_screen(eagle, "plr --all").lacks("(* more rows*").lines) > 70

@pytest.fixture
def three_limits(host):
    """Limit a module by power, and earlier by temperature, a second by temperature, a third by a turbo limit."""
    limits = [{PL1: 5, "THERMAL_PER_CORE": 0}, {"THERMAL_PER_CORE": 5}, {"FREQUENCY_CDYN1": 5}]
    return watched(host).dies(1, 1, lambda _, die, module: limits[module], modules=3).cpu(2, 0, 0, 2)

def coloured(host, command="", no_color="", **how):
    """Run pmonctl on a terminal; replace the escape sequence of a colour by <NUMBER>."""
    __tracebackhide__ = True
    run = host.on_terminal(command, cols=120, env={"NO_COLOR": no_color}, **how)
    run.out = re.sub("\033\\[([0-9]*)m", r"<\1>", run.raw)
    return run

def test_limits_in_force_have_the_colour_of_their_kind_and_turbo_limits_none(three_limits):
    rows = {r["WHERE"]: (r["NOW"], r["SINCE"])
            for r in coloured(three_limits, "plr").records("WHERE", "NOW", "SINCE")}
    assert rows["0/0/core0"] == (f"<33>{PL1}<>", "THERMAL_PER_CORE 2 h ago")
    assert rows["0/0/core1"] == ("<31>THERMAL_PER_CORE<>", "-")
    coloured(three_limits, "plr").shows(PL1)      # the heading of its meaning
    assert coloured(three_limits, "plr --cpu 2").table("WHERE", "NOW") == [("0/0/core2", "FREQUENCY_CDYN1")]
    coloured(three_limits, status=1).shows("<31>THERMAL_PER_CORE<> 1 0 temperature of this core")

def test_no_color_and_pipes_have_no_colours(three_limits):
    assert "<3" not in coloured(three_limits, "plr", no_color="1").out
    run = three_limits.pmonctl("plr", env={"NO_COLOR": ""})
    assert ("0/0/core1", "THERMAL_PER_CORE") in run.table("WHERE", "NOW")
