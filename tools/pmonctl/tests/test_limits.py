# SPDX-License-Identifier: GPL-2.0-only
"""Limits on hosts of real size: faults decide, and a time belongs to one reason."""
import json
import pathlib
import re

import pytest

RULES = pathlib.Path(__file__).parents[2] / "metrics/openpmon-rules.yml"
UPTIME = 10000
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


def record(host, part, in_force, before=()):
    """Write the driver's record of a part: seconds of each reason in force, and reasons before."""
    now = UPTIME * 1000
    host.put(f"{part}/time_in_reason", f"observed 9000000 {now} 900 1",
             *(f"{reason} {s * 1000} {now} {now - s * 1000} 1 9000000" for reason, s in in_force.items()),
             *(f"{reason} 9000 {now - 7200000} - 1 9000000" for reason in before))


def dies(host, sockets, count, limits, modules=43):
    """Make dies; limits(socket, die, module) returns the reasons in force of a module."""
    cpu = 0
    for socket in range(sockets):
        for die in range(count):
            host.domain(socket, die, f"{cpu}-{cpu + modules - 1}")
            record(host, f"pkg{socket}-dom{die}/plr/die", {})
            for module in range(modules):
                in_force = limits(socket, die, module)
                host.core(socket, die, module, cpu, " ".join(in_force) or "none")
                record(host, f"pkg{socket}-dom{die}/plr/core{module}", in_force)
                cpu += 1
    return host


# ---- faults decide

def test_prochot_on_all_modules_is_a_problem_of_front_page_and_doctor(server):
    dies(server, 2, 1, lambda socket, die, module: of(300, (
        "PLATFORM", "PLATFORM_PROCHOT", *(["RAS"] if (socket, module) == (1, 7) else []))))
    server.pmonctl(status=1).has(
        "DOCTOR 2 problems (pmonctl doctor), first: limits: PLATFORM_PROCHOT is in force: * (86 of 86 modules)",
        "PLATFORM_PROCHOT 86 0-1 *", "Next: pmonctl plr").lacks("DOCTOR fine")
    server.pmonctl("doctor", status=1).has(
        "problem limits PLATFORM_PROCHOT is in force: *; the BMC's event log: *",
        "problem limits RAS is in force: * (1 of 86 modules)*", "Next: pmonctl plr")
    server.pmonctl("plr")


@pytest.mark.parametrize("reason, is_problem", [
    ("THERMAL", True), ("MISC", True), ("FREQUENCY_PCS_TRL", True), ("PLATFORM_HOT_VR", True),
    ("POWER_PKG_PL1_MSR_TPMI", False), ("FREQUENCY_CDYN1", False), ("RSVD_COARSE20", False)])
def test_a_fault_in_force_is_a_problem_and_no_other_limit(server, reason, is_problem):
    dies(server, 1, 1, lambda *_: {reason: 60}, modules=2)
    server.pmonctl(status=int(is_problem))
    run = server.pmonctl("doctor", status=int(is_problem))
    assert (f"{reason} is in force" in run.out) == is_problem


def test_a_fault_on_record_alone_was_seen_and_is_no_problem(server):
    dies(server, 1, 1, lambda *_: {}, modules=2)
    server.put("pkg0-dom0/plr/core1/reasons", "PLATFORM PLATFORM_PROCHOT")
    server.pmonctl().has("DOCTOR fine")
    server.pmonctl("doctor").has(
        "note limits seen since the last clear: PLATFORM_PROCHOT; pmonctl plr shows when and where",
        "Next: pmonctl bw")


def test_alerts_name_each_fault_and_no_other_reason(server):
    kinds = {reason["name"]: (reason["kind"], reason["coarse"]) for value in
             json.loads(server.pmonctl("explain --json").out)["values"] for reason in value["reasons"]}
    patterns = re.findall(r'limited_?\w*(?::share)?\{reason=~?"([^"]+)"', RULES.read_text())
    for name, (kind, coarse) in kinds.items():
        alerts = any(re.fullmatch(pattern, one) for pattern in patterns for one in (name, coarse))
        assert alerts == (kind == "fault"), name


# ---- a time belongs to one reason

def test_a_reason_has_its_own_age_or_a_range_where_modules_differ(server):
    dies(server, 1, 1, lambda socket, die, module: {
        **of(1 if module else 7200, PL1), **of(1 if module else 12, HEAT)}, modules=4)
    run = server.pmonctl("plr")
    run.has("0/0/core0-3 0-3 THERMAL_PER_CORE for 1 s to 12 s, POWER_PKG_PL1_MSR_TPMI for 1 s to 2 h -")
    row, = server.pmonctl("--json plr").json()["rows"]
    assert row["now"] == [{"reason": "THERMAL_PER_CORE", "least_s": 1, "most_s": 12},
                          {"reason": "POWER_PKG_PL1_MSR_TPMI", "least_s": 1, "most_s": 7200}]
    assert "now_s" not in row


def test_a_turbo_limit_lends_its_age_to_no_other_reason(server):
    dies(server, 1, 1, lambda *_: {**of(7200, ("FREQUENCY", "FREQUENCY_CDYN1")), **of(12, HEAT)}, modules=2)
    server.pmonctl("plr").has("0/0/core0-1 0-1 THERMAL_PER_CORE for 12 s -")


def test_one_power_limit_of_258_modules_with_different_turbo_records_is_one_row(server):
    dies(server, 2, 3, lambda socket, die, module: of(
        60, (*PL1, "FREQUENCY", f"FREQUENCY_CDYN{(socket + die + module) % 5}")))
    run = server.pmonctl("plr").has("258 of 258 modules limited now")
    assert run.table("WHERE", "NOW") == [("0-1/0-2/core0-42", "POWER_PKG_PL1_MSR_TPMI for 60 s")]


def test_modules_with_only_a_turbo_record_are_counted_in_words(server):
    dies(server, 1, 1, lambda *_: {}, modules=3)
    server.put("pkg0-dom0/plr/core0/reasons", "FREQUENCY")
    server.pmonctl("plr").has("0 of 3 modules limited now, 1 at a turbo limit before", "0/0/core1-2: not limited")


def test_a_limit_that_began_before_the_job_has_no_onset_in_it(server):
    """The second read of a module, at 700 ms, finds the limit; the driver counts that as an onset."""
    dies(server, 1, 1, lambda *_: of(60, PL1), modules=2)
    server.edit("pkg0-dom0/plr/*/time_in_reason", "10000000", "9990000")    # before this run
    server.passing("""
        now=$((10000000 + to)) count=0 observed=9000000
        [ $to -lt 700 ] || { count=1 observed=$((9000000 + to - 600)); }
        printf '%d.%03d\\n' $((now / 1000)) $((now % 1000)) >"$root/proc/uptime"
        for part in die core0 core1; do
            printf '%s\\n' "observed $observed $now 900 1" >"$class/pkg0-dom0/plr/$part/time_in_reason"
        done
        for part in core0 core1; do
            echo "POWER $observed $now 9999000 $count $observed" >>"$class/pkg0-dom0/plr/$part/time_in_reason"
        done""")
    server.pmonctl("stat", *server.job(5000), err="POWER * * 0 2")
