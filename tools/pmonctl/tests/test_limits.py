# SPDX-License-Identifier: GPL-2.0-only
"""Limits on hosts of real size: faults decide, and a time belongs to one reason."""
import json
import os
import pathlib
import re

import pytest

from host import UPTIME, VERSION
from result import ABSENT, checks, same

RULES = pathlib.Path(__file__).parents[2] / "metrics/openpmon-rules.yml"
PL1 = ("POWER", "POWER_PKG_PL1_MSR_TPMI")
HEAT = ("THERMAL", "THERMAL_PER_CORE")

def of(seconds, reasons):
    """Return reasons that limit for so many seconds."""
    return {reason: seconds for reason in reasons}

@pytest.fixture
def server(moving):
    """Make a Granite Rapids of two sockets that counts, with all modules of openpmon loaded."""
    moving.cpu_model(6, 173).live("pmon_uncore", "pmon_plr").paranoid(0)
    moving.installed("pmon_uncore", "pmon_plr").put("proc/uptime", f"{UPTIME}.00")
    for package in 0, 1:
        moving.discovery(package).put(f"pkg{package}-uncore0/platform", "gnr")
        moving.unit(package, "6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon")
    return moving

@pytest.mark.parametrize("reason, is_problem", [
    ("THERMAL", True), ("MISC", True), ("FREQUENCY_PCS_TRL", True), ("PLATFORM_HOT_VR", True),
    ("POWER_PKG_PL1_MSR_TPMI", False), ("FREQUENCY_CDYN1", False), ("RSVD_COARSE20", False)])
def test_a_fault_in_force_is_a_problem_and_no_other_limit(server, reason, is_problem):
    server.dies(1, 1, lambda *_: {reason: 60}, modules=2)
    server.pmonctl(status=int(is_problem))
    run = server.pmonctl("doctor", status=int(is_problem))
    assert (f"{reason} is in force" in run.out) == is_problem

def seen(host):
    """Let a fault be on record alone."""
    return host.dies(1, 1, lambda *_: {}, modules=2).put("pkg0-dom0/plr/core1/reasons", "PLATFORM PLATFORM_PROCHOT")

def ages(host):
    """Limit one of four modules by power for 2 h and by heat for 12 s, the others by both for 1 s."""
    return host.dies(1, 1, lambda socket, die, module: {
        **of(1 if module else 7200, PL1), **of(1 if module else 12, HEAT)}, modules=4)

def hot(host):
    return host.dies(1, 1, lambda *_: of(12, HEAT), modules=1)

def prochot(host):
    """Let PROCHOT limit all modules of two sockets, and RAS one."""
    return host.dies(2, 1, lambda socket, die, module: of(300, (
        "PLATFORM", "PLATFORM_PROCHOT", *(["RAS"] if (socket, module) == (1, 7) else []))))

def clocked(host):
    """Limit one of four modules by heat, the others by power; each has a frequency."""
    host.dies(1, 1, lambda socket, die, module: of(12, HEAT) if module == 1 else of(60, PL1), modules=4)
    for cpu, khz in enumerate([2100000, 800000, 2600000, 2400000]):
        at = f"sys/devices/system/cpu/cpu{cpu}/cpufreq"
        host.put(f"{at}/scaling_cur_freq", khz).put(f"{at}/cpuinfo_max_freq", 3900000)
    return host

def platform(host):
    """Limit a module by the power of the platform."""
    host.dies(1, 1, lambda *_: of(60, ("POWER", "POWER_PLATFORM_PL1_MSR_TPMI")), modules=1)
    return host.zone(":0", "package-0", 500, energy_uj=5000000).zone(":1", "psys", 700, energy_uj=5000000)

def unknown(host):
    """Let the die be limited, and nobody know of its modules."""
    host.dies(1, 1, lambda *_: {}, modules=3).record("pkg0-dom0/plr/die", of(60, ("POWER",)))
    return host.unreadable("pkg0-dom0/plr/core*/reasons")

test_fact = checks("server", {
    "the first screen does not call a fault on record alone a problem": (seen, "", "DOCTOR fine"),
    "doctor notes a fault that was seen": (seen, "doctor", "Next: pmonctl bw",
        "note limits seen since the last clear: PLATFORM_PROCHOT; pmonctl plr shows when and where"),
    "a reason has its own age, or a range where modules differ": (
        ages, "plr", "0/0/core0-3 0-3 THERMAL_PER_CORE for 1 s to 12 s, POWER_PKG_PL1_MSR_TPMI for 1 s to 2 h -"),
    "JSON has the ages of a reason where modules differ": (ages, "plr --json", {"rows/*/now_s": [ABSENT], "rows/*/now": [[
        {"reason": "THERMAL_PER_CORE", "least_s": 1, "most_s": 12},
        {"reason": "POWER_PKG_PL1_MSR_TPMI", "least_s": 1, "most_s": 7200}]]}),
    **{f"a time of {seconds} s is shown in its unit": (
        lambda h, seconds=seconds: h.dies(1, 1, lambda *_: of(seconds, HEAT), modules=1), "plr",
        f"0/0/core0 0 THERMAL_PER_CORE{words} -") for seconds, words in (
            (9, ""), (10, " for 10 s"), (119, " for 119 s"), (120, " for 2 min"), (7199, " for 119 min"), (7200, " for 2 h"))},
    "a turbo limit lends its age to no other reason": (
        lambda h: h.dies(1, 1, lambda *_: {**of(7200, ("FREQUENCY", "FREQUENCY_CDYN1")), **of(12, HEAT)}, modules=2),
        "plr", "0/0/core0-1 0-1 THERMAL_PER_CORE for 12 s -"),
    "one power limit of 258 modules with different turbo records is one row": (
        lambda h: h.dies(2, 3, lambda socket, die, module: of(60, (
            *PL1, "FREQUENCY", f"FREQUENCY_CDYN{(socket + die + module) % 5}"))), "plr", "258 of 258 modules limited now",
        [("WHERE", "NOW"), ("0-1/0-2/core0-42", "POWER_PKG_PL1_MSR_TPMI for 60 s")]),
    "no frequency is left out": (hot, "plr", "!*GHZ*"),
    "JSON has no frequency that is a guess": (hot, "plr --json", {"rows/*/khz_least": [ABSENT]}),
    "sockets without known power share a line": (
        lambda h: h.dies(2, 1, lambda *_: of(60, PL1), modules=1), "plr",
        "sockets 0-1: power and its limits are not known on this kernel"),
    "PROCHOT on all modules is a problem of the first screen": (prochot, "", (1,),
        "DOCTOR 2 problems (pmonctl doctor), first: limits: PLATFORM_PROCHOT is in force: * (86 of 86 modules)",
        "PLATFORM_PROCHOT 86 0-1 *", "Next: pmonctl plr", "!DOCTOR fine"),
    "PROCHOT on all modules and RAS on one are problems of doctor": (prochot, "doctor", (1,),
        "problem limits PLATFORM_PROCHOT is in force: *; the BMC's event log: *",
        "problem limits RAS is in force: * (1 of 86 modules)*", "Next: pmonctl plr"),
    "plr of modules at faults has no problem": (prochot, "plr"),
    "GHz are the lowest and highest of a row, and the highest there is": (
        clocked, "plr", [("WHERE", "GHZ"), ("0/0/core1", "0.8 of 3.9"), ("0/0/core0,2-3", "2.1-2.6 of 3.9")]),
    "GHz of the first screen are those of a reason": (
        clocked, "", (1,), [("REASON", "GHZ"), ("THERMAL_PER_CORE", "0.8 of 3.9"), (PL1[1], "2.1-2.6 of 3.9")]),
    "JSON has the frequencies of a row": (clocked, "plr --json", {
        "rows/0/khz_least": 800000, "rows/0/khz_most": 800000, "rows/0/khz_highest": 3900000}),
    "a platform power limit has the power of the platform": (
        platform, "plr", "socket 0: 0 W of 500 W (PL1), ? W (PL2)", "*zone psys of powercap*", "!*TDP*",
        "platform (psys): 0 W of 700 W (PL1), ? W (PL2)"),
    "the platform is no package of metrics": (platform, "metrics", '!*package="-2"*'),
    "the power of a platform is not known without its zone": (
        lambda h: platform(h).remove("sys/class/powercap/intel-rapl:1"), "plr", "platform: * powercap has no zone psys"),
    "limits that nobody knows are not 0 of all modules": (
        unknown, "plr", (1, "core0/reasons"), "!*alone*",
        "not known which of 3 modules are limited now; 3 of 3 modules cannot be read")})

def test_alerts_name_each_fault_and_no_other_reason(server):
    kinds = {reason["name"]: (reason["kind"], reason["coarse"]) for value in
             json.loads(server.pmonctl("explain --json").out)["values"] for reason in value["reasons"]}
    patterns = re.findall(r'limited_?\w*(?::share)?\{reason=~?"([^"]+)"', RULES.read_text())
    for name, (kind, coarse) in kinds.items():
        alerts = any(re.fullmatch(pattern, one) for pattern in patterns for one in (name, coarse))
        assert alerts == (kind == "fault"), name

def test_a_limit_that_began_before_the_job_has_no_onset_in_it(server):
    """The second read of a module, at 700 ms, finds the limit; the driver counts that as an onset."""
    server.dies(1, 1, lambda *_: of(60, PL1), modules=2)
    server.edit("pkg0-dom0/plr/*/time_in_reason", "10000000", "9990000")    # before this run
    server.observing("""
        for part in core0 core1; do
            echo "POWER $observed $now 9999000 $count $observed" >>$part/time_in_reason
        done""", first="""
        count=0 observed=9000000
        [ $to -lt 700 ] || { count=1 observed=$((9000000 + to - 600)); }""")
    server.pmonctl("stat", *server.job(5000), err="POWER * * 0 2")

def hot_core(socket, die, module):
    """Turbo limits everywhere, PL1 on socket 0, and one hot core on socket 1."""
    return {**of(9000, ("FREQUENCY", f"FREQUENCY_CDYN{module % 4}")),
            **(of(60, PL1) if socket == 0 and module < 41 - 12 * die else {}),
            **(of(12, HEAT) if (socket, die, module) == (1, 1, 12) else {})}

def test_watch_has_the_hot_core_of_socket_1_on_its_first_screen(server):
    server.dies(2, 3, hot_core)
    run = server.on_terminal("plr --watch -n 2")
    assert all(len(line) <= 80 for line in run.out.splitlines())
    run.shows("* 88 of 258 modules limited now, 170 at a turbo limit (FREQUENCY alone)",
            "every 1 s; q quits", "1/1/core12 184 # THERMAL_PER_CORE for 12 s",
            "1/1/core12 184 ## THERMAL_PER_CORE for 12 s").lacks("*CDYN*")

def test_the_history_of_a_row_is_the_share_of_its_modules_with_one_of_its_reasons(server):
    server.dies(1, 1, lambda socket, die, module: of(60, PL1) if module else {}, modules=3)
    server.append("pkg0-dom0/plr/core0/time_in_reason", "POWER 0 - - 0 0", "POWER_PKG_PL1_MSR_TPMI 0 - - 0 0")
    server.passing("""
        [ "$to" = 2000 ] || exit 0
        cp "$class/pkg0-dom0/plr/core1/time_in_reason" "$class/pkg0-dom0/plr/core0"
    """)
    run = server.on_terminal("plr --watch -n 3", env={"LC_ALL": "C.UTF-8"})
    assert run.table("WHERE", "HISTORY") == [("0/0/core1-2", "█")]
    run.shows("0/0/core0-2 0-2 ▆█ *", "0/0/core0-2 0-2 ▆██ *")

def test_lines_that_do_not_fit_on_the_screen_are_counted_below_it(server):
    server.dies(1, 1, lambda socket, die, module: {PL1[1]: 60, f"RSVD_FINE{[22, 27, 28, 30, 31][module % 5]}": 60,
                                                    **({"QOS": 60} if module % 2 else {})}, modules=10)
    run = server.on_terminal("plr --watch -n 1", rows=18, cols=120).shows("REASON*", "(* more lines)")
    assert len(re.findall(r"^0/0/\S+", run.out, re.M)) > 2

def test_into_a_file_258_modules_that_enter_a_limit_together_are_one_line_and_turbo_none(server):
    server.dies(2, 3, lambda *_: {})
    server.passing("""
        now=$((10000000 + to)) times="900 $((10000000 + to)) 9999000 1 9000000" power=
        turbo="FREQUENCY_CDYN$((to / 1000 % 3)) $times"
        [ $to -lt 3000 ] || power=$(printf '%s\\n' "POWER $times" "POWER_PKG_PL1_PCS $times")
        for part in "$class"/pkg*/plr/[cd]*; do
            printf "observed 9000000 $now 900 1\\n$turbo\\n$power\\n" >$part/time_in_reason
        done
        """, end=6000)
    run = server.pmonctl("plr --watch")
    assert [line.split(" ", 1)[1] for line in run.lines] == [
        "watching 264 parts", "0-1/0-2/core0-42: POWER_PKG_PL1_PCS"]

def test_an_interval_is_a_table_each_with_its_time(server):
    server.dies(2, 3, hot_core)
    run = server.pmonctl("plr -i 1 -n 2")
    assert len(re.findall(r"^(?:\d\d:){2}\d\d +88 of 258 modules limited now", run.out, re.M)) == 2
    assert sum(line.startswith("1/1/core12 ") for line in run.lines) == 2

@pytest.mark.parametrize("command, lines", [("bw -i 1", "over 1.0 s"), ("plr -i 1", "limited now")])
def test_an_interval_alone_goes_on_until_interrupted(server, command, lines):
    server.dies(1, 1, hot_core).passing(end=5000)
    assert len(re.findall(rf"^\d\d:\d\d:\d\d +.*{lines}", server.pmonctl(command).out, re.M)) >= 4

def test_csv_has_a_number_of_modules_for_each_reason(server):
    server.dies(2, 3, hot_core)
    head, *lines = (line.split(",") for line in server.pmonctl("plr -n 2 --csv").out.splitlines())
    assert len(lines) == 2
    assert dict(zip(head, lines[1])).items() >= {
        "modules": "258", "limited": "88", "turbo": "170", "not_known": "0", "THERMAL_PER_CORE": "1",
        "POWER": "87", "PLATFORM": "0", "FREQUENCY": "258"}.items()

def test_json_is_a_document_a_line_and_so_is_an_error(server):
    documents = server.dies(1, 1, hot_core).pmonctl("plr -n 2 --json").json_lines()
    assert [document["modules"]["limited"] for document in documents] == [41, 41]
    server.check(same, "plr -n 2 --json --socket 7", (64, "no such socket"), {
        "error": "no limits of this socket are shown"})
    server.stands_still().live("pmon_uncore")
    *_, last = server.pmonctl("bw -n 2 --json", status=1, err="frozen").json_lines()
    assert "frozen" in last["error"]

def test_columns_are_obeyed_for_pipes_when_they_are_set(server):
    server.dies(1, 1, lambda socket, die, module: of(60, PL1) if module % 2 else of(12, HEAT))
    run = server.pmonctl("plr", env={"COLUMNS": "80"})
    assert 60 < max(map(len, run.out.splitlines())) < 80
    assert max(map(len, server.pmonctl("plr").out.splitlines())) > 100

@pytest.mark.parametrize("command", ["plr --csv -n 2", "bw --csv -n 2", "plr --watch -n 2"])
def test_csv_and_changes_have_a_line_each_whatever_columns_says(server, command):
    server.dies(1, 1, lambda socket, die, module: of(60, PL1) if module % 2 else of(12, HEAT))
    assert len(server.pmonctl(command, env={"COLUMNS": "40"}).out.splitlines()) == 3

def test_each_document_has_host_time_and_version(server):
    server.dies(1, 1, lambda *_: {}, modules=1)
    for command in "", "plr", "doctor", "list", "bw", "explain":
        document = server.pmonctl(f"--json {command}").json()
        assert document["version"] == VERSION and document["host"] == os.uname().nodename
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d", document["time"])
    assert os.uname().nodename in server.pmonctl().lines[0]
