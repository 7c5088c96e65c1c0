# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl plr: limits in force, from the driver's time_in_reason, and limits on record."""
import os
import re
import shutil

import pytest

from result import ABSENT, facts, same, squeezed

NOW = 1036800000        # ms since boot: 12 days
PL1 = "POWER_PKG_PL1_MSR_TPMI"
RECORD_MOVES = "Looking moves the hardware's record into openpmon's log; --once does not."
NO_POWER = "socket 0: power and its limits are not known on this kernel"
WHERE = "WHERE", "CPUS", "NOW", "SINCE"

def put(host, part, *lines, package=0):
    return host.put(f"pkg{package}-dom0/plr/{part}/time_in_reason", *lines)

def observed(host, part, *lines):
    """Make the record of a part until now, with one line per reason."""
    return put(host, part, f"observed {NOW} {NOW} 1000", *lines)

def reasons(host, part, text):
    return host.put(f"pkg0-dom0/plr/{part}/reasons", text)

def limited(host, part, **times):
    """Make the record of a part until now, whose reasons are latched, too."""
    return observed(reasons(host, part, " ".join(times)), part, *(f"{reason} {each}" for reason, each in times.items()))

@pytest.fixture
def two(host):
    """Make a die and three modules; the die and two modules have bits latched since boot."""
    host.pauses().put("proc/uptime", "1036800.00").domain(0, 0, "0-2")
    reasons(host, "die", "POWER").core(0, 0, 2, 2, "none")
    for m in 0, 1:
        host.core(0, 0, m, m, f"POWER {PL1}")
    return host

@pytest.fixture
def watched(two):
    """Make the tree of two(), with an empty record of each part."""
    for part in "die", "core0", "core1", "core2":
        observed(two, part)
    return two

@pytest.fixture
def in_force(watched):
    """Limit core1 for 2 h until now, core0 until 10 s ago."""
    observed(watched, "die", "POWER 100 1036800000 1036799900")
    observed(watched, "core0", "POWER 300000 1036790000 -", f"{PL1} 300000 1036790000 -")
    return observed(watched, "core1", "POWER 7300000 1036800000 1029600000",
                    f"{PL1} 7200000 1036800000 1029600000")

@pytest.fixture
def in_turn(watched):
    """Make a function that limits core1 by THERMAL, but polls it only from a time in ms on."""
    def make(begin):
        put(watched.discovery_function(), "core1", old := "observed 1036799000 1036799000 1000 0")
        return watched.observing(f"""
            [ $to -ge {begin} ] || echo "{old}" >core1/time_in_reason
            [ $to -lt {begin} ] || echo "THERMAL 100 $now $now 1" >>core1/time_in_reason""")
    return make

@pytest.mark.parametrize("begin, command, line", [
    (1400, "plr", f"0/0/core1 1 THERMAL {PL1} up to 13 d ago"),
    (1400, "", "LIMITS 1 of 3 modules limited now"),
    (1400, "", "THERMAL 1 0 temperature: thermal throttling"),
    (1400, "--json", {"modules/limited": 1, "modules/before": 1, "domains/0/parts/1/reasons": ["POWER", PL1],
                      "domains/0/parts/1/now": []}),
    (9000, "plr", f"0/0/core1 1 ? {PL1} up to 13 d ago"),
    (9000, "", "LIMITS 0 of 3 modules limited now, 1 not known")])
def test_a_module_whose_turn_comes_late_is_waited_for_and_not_known_without(in_turn, begin, command, line):
    in_turn(begin).check(same, command, (int(command != "plr"),), line)

TURBO = "9000 1036791000 1036000000 1"
POWER = "1000 1036799000 1036798000 1"

@pytest.fixture
def busy(host):
    """Make 43 modules at the turbo limit, polled 9 s ago, as it is every 10 s; POWER, polled 1 s ago, limits core7."""
    host.pauses().put("proc/uptime", "1036800.00").domain(0, 0, "0-42")
    limited(host, "die", FREQUENCY=TURBO, POWER=POWER)
    for m in range(43):
        limited(host.core(0, 0, m, m, "none").cpu(m, 0, 0, m), f"core{m}", FREQUENCY=TURBO, FREQUENCY_CDYN1=TURBO)
    return limited(host, "core7", FREQUENCY=TURBO, POWER=POWER, FREQUENCY_CDYN1=TURBO, POWER_PKG_PL1_PCS=POWER)

def by_bmc(host):
    """Let a BMC have lowered the turbo limit of all modules."""
    for m in range(43):
        limited(host, f"core{m}", FREQUENCY=TURBO, FREQUENCY_PCS_TRL=TURBO)
    return host

@pytest.fixture
def powercap(busy):
    """Make two sockets. The first takes 498 J in 1 s, and its energy count wraps; the other's cannot be read."""
    busy.domain(1, 0, 43).core(1, 0, 0, 43, "POWER")
    put(busy, "die", f"observed {NOW} {NOW} 1000 0", package=1)
    put(busy, "core0", f"observed {NOW} {NOW} 1000 0", f"POWER {POWER}", package=1)
    busy.zone(":0", "package-0", 500, 600, energy_uj=999800000, max_energy_range_uj=1000000000)
    busy.zone(":0:0", "dram").zone("-mmio:0", "package-0").zone(":1", "package-1", 350).zone(":2", "package-0", 1)
    return busy.passing('[ "$to" -lt 1000 ] || '
                        'echo 497800000 >"$root/sys/class/powercap/intel-rapl:0/energy_uj"')

def none_in_sense(line):
    return lambda host: put(host, "core1", line, "THERMAL 1 2")

def old(host):
    """Let POWER have limited two modules 10 and 9 hours ago."""
    return limited(limited(host, "core0", POWER="60000 1000800000 -"), "core1", POWER="60000 1004400000 -")

def with_mesh(host):
    return reasons(observed(host, "mesh0"), "mesh0", "POWER")

def others(host):
    """Let another program see POWER in core1."""
    return host.put("pkg0-dom0/plr/core1/active", "POWER")

def turbo_on_record(host):
    for part in "die", "core0", "core1":
        reasons(host, part, "FREQUENCY")
    return host

NO_SOCKET = 64, "--socket 7: no such socket"
MODES = {"observe": "with mode=observe", "unknown-model": "does not support this CPU model", "on": "kernel log shows why"}
LATCHED = ("0/0/core0-1", "0-1", "-", f"{PL1} up to 12 d ago")
UNKNOWN = ("0/0/core0-1", "0-1", "?", f"{PL1} up to 12 d ago")

# A host, a change of it, words of the command, rows of the table, and lines
@facts({
    "a limit latched at boot is old, and a fine reason implies its coarse one": (
        "watched", same, "", [WHERE, LATCHED], RECORD_MOVES, "0 of 3 modules limited now, 2 more since the last clear",
        "0/0/core2: not limited"),
    "a limit in force has its time, its meaning and what to compare": (
        "in_force", same, "", [WHERE, ("0/0/core1", "1", f"{PL1} for 2 h", "-"), ("0/0/core0", "0", "-", f"{PL1} 10 s ago")],
        "1 of 3 modules limited now, 1 more since the last clear", "0/0/core2: not limited",
        "package power limit 1 (long term), set by MSR or TPMI (software, firmware)",
        "compare the limits in /sys/class/powercap with the part's TDP", NO_POWER),
    "parts without a monitor are not known": (
        "two", same, "", [WHERE, UNKNOWN], "0 of 3 modules limited now, 2 now or before (?)",
        "0/0/core2: not limited", "!0/0/die*"),
    "the age of a limit is rounded up": ("two", lambda h: h.put("proc/uptime", "1036801.00"), "",
                                         [(*UNKNOWN[:3], f"{PL1} up to 13 d ago")]),
    **{f"a line like {line!r} is left out": ("two", none_in_sense(line), "", [WHERE, UNKNOWN]) for line in (
        "POWER", "POWER -1 -1 -1", "WARMTH 1 2 3", "POWER 99999999999999999999 1 1", "POWER\t1 x y")},
    "a row for several parts has the age of the most recent limit": (
        "watched", old, "", [WHERE, ("0/0/core0-1", "0-1", "-", "POWER 9 h ago")]),
    "a mesh that answers is a part": (
        "watched", with_mesh, "", [WHERE, ("0/0/mesh0", "-", "-", "POWER up to 12 d ago"), LATCHED]),
    "a turbo limit is counted apart, and a reason is in force whenever it was seen": (
        "busy", same, "", [WHERE, ("0/0/core7", "7", "POWER_PKG_PL1_PCS", "-")], NO_POWER,
        "1 of 43 modules limited now, 42 at a turbo limit (FREQUENCY alone)",
        "ask who manages the BMC: power capping, turbo limits, profiles", "!*not limited"),
    "a turbo limit is a limit where its CPU was asked for": (
        "busy", same, "--cpu 3", [WHERE, ("0/0/core3", "3", "FREQUENCY_CDYN1 for 13 min", "-")], "1 of 1 modules limited now"),
    "the driver of power is named where it is not loaded": ("busy", lambda h: h.installed("intel_rapl_tpmi"), "",
        "socket 0: power and its limits are not known without a driver: modprobe intel_rapl_tpmi"),
    "sockets that power limits show watts and their limits": ("powercap", same, "",
        "socket 0: 498 W of 500 W (PL1), 600 W (PL2)", "socket 1: ? W of 350 W (PL1), ? W (PL2)"),
    "watts of a few milliseconds are not known": (
        "powercap", lambda h: h.put("step", 1000000).put("pkg0-dom0/plr/core7/active", "POWER POWER_PKG_PL1_PCS"),
        "--once --socket 0", "socket 0: ? W of 500 W (PL1), 600 W (PL2)"),
    "a look takes no time to draw power in": ("powercap", same, "--once --socket 0", "!socket*"),
    "sockets without a limit have no line of power": ("watched", same, "", "!socket*"),
    "limits that others watch are shown to who only looks": (
        "in_force", others, "--once", "1 of 3 modules limited now, 1 now or before (?)"),
    "JSON has limits that others watch": ("in_force", others, "--once --json", {
        "domains/0/parts/1/active": ABSENT, "domains/0/parts/2/active": ["POWER"]}),
    "a turbo limit that is only on record is none now": (
        "watched", turbo_on_record, "", RECORD_MOVES, "0 of 3 modules limited now, 2 at a turbo limit before",
        "0/0/core2: not limited", "!WHERE*"),
    "JSON has the number of onsets": ("busy", same, "--json --cpu 7", {
        "domains/0/parts/0/history/1/count": 1,
        "domains/0/parts/0/now": ["FREQUENCY", "POWER", "FREQUENCY_CDYN1", "POWER_PKG_PL1_PCS"]}),
    "a mesh that cannot be read is a part": (
        "watched", lambda h: with_mesh(h).unreadable("pkg0-dom0/plr/mesh0/reasons"), "",
        (1, "mesh0/reasons"), "0/0/mesh0: unreadable (EISDIR)"),
    "limits that cannot be read are not called none": (
        "host", lambda h: h.domain(0, 0, "0-1").unreadable("pkg0-dom0/plr/die/reasons", "pkg0-dom0/plr/mesh0/reasons"),
        "", (1, "die/reasons"), "The limits cannot be read.", "!*No limit*"),
    "the turbo limit of a busy host is one line": (
        "host", lambda h: large(h, lambda _: ("FREQUENCY", "FREQUENCY_CDYN0")), "",
        "0 of 144 modules limited now, 144 at a turbo limit (FREQUENCY alone)", "!0/*", "!1/*", "!WHERE*"),
    "modules with the same reasons share a row": (
        "mixed", same, "", [WHERE, ("0/1/core0-6,9-23", "24-30,33-47,168-174,177-191", "?", PL1),
                            ("0/1/core7", "31,175", "?", "THERMAL_PER_CORE")], "0/1/core8: not limited",
        "0 of 144 modules limited now, 120 at a turbo limit (FREQUENCY alone), 23 now or before (?)"),
    # CPUs and sockets
    "each module of CPUs is shown once with its turbo limit": (
        "two_packages", same, "--cpu 2-5,3,7", [WHERE, ("0/0/core1", "2-3", "?", "FREQUENCY_CDYN1")],
        "0 of 2 modules limited now, 1 now or before (?)", "1/2/core5: not limited"),
    "CPUs without limits are named, and the others shown": (
        "two_packages", same, "--cpu 2-3,8,9-8191", (1, "cpu8-8191/plr: no limits are shown: there is no such CPU"),
        "0/0/core1 2-3 ? FREQUENCY_CDYN1"),
    "a socket shows its parts alone": ("two_packages", same, "--socket 0", "0/0/core0*", "!1/*"),
    "CPUs without limits have no output": ("two_packages", same, "--cpu 8", (2, "cpu8/plr: no limits are shown: "), "!*"),
    "no limits of CPUs are an error in JSON": ("two_packages", same, "--cpu 8 --json", (2, "cpu8/plr: "), {
        "error": "no limits of these CPUs are shown"}),
    "a socket that does not exist has no output": ("two_packages", same, "--socket 7", NO_SOCKET, "!*"),
    "no limits of a socket are an error in JSON": ("two_packages", same, "--socket 7 --json", NO_SOCKET, {
        "error": "no limits of this socket are shown"}),
    "a CPU selects its part in JSON": (
        "two_packages", same, "--cpu 3 --json", {"domains/*/parts/*/name": [["core1"]]}),
    "a file may have a long list of CPUs": (
        "two_packages", lambda h: h.put("pkg0-dom0/plr/core1/cpus", ",".join(map(str, range(8192)))),
        "--socket 0 --json", {"domains/0/parts/2/name": "core1"}),
    "JSON has the error of a part": ("broken", same, "--json", (1, "core2/reasons"), {"domains/1/parts/3/error": "ENOENT"}),
    # Hosts without limits. The number 4294967295 is none.
    **{f"a domain without its {file} is of no package with one": (
        "two", lambda h, file=file: h.remove(f"pkg0-dom0/{file}"), "", (77, "pmonctl: no supported hardware"), "!*")
       for file in ("package_id", "domain_id")},
    "hardware without PLR is no supported hardware": ("tpmi", same, "", (77, "no supported hardware")),
    "another driver may have the hardware": (
        "tpmi", lambda h: h.discovery(0).limits().live("intel_plr_tpmi"), "", (2, "intel_plr_tpmi")),
    "hardware that another driver had needs the module to be loaded again": (
        "tpmi", lambda h: h.discovery(0).limits(), "", (2, "load it again")),
    **{f"TPMI in mode {mode} without domains is explained": (
        "host", lambda h, mode=mode: h.discovery_function().tpmi(mode), "", (2, why)) for mode, why in MODES.items()},
    # Limits that --clear has cleared
    "JSON has what was cleared": ("to_clear", same, "--cpu 0 --clear POWER --json", {
        "domains/0/parts/0/cleared": ["POWER"], "domains/0/parts/0/reasons": ["POWER", "POWER_FAST_RAPL"]}),
    "JSON has every part now and its history": ("in_force", same, "--json", {
        "format": 3, "uptime_ns": NOW * 10**6, "domains/0/socket": 0, "domains/0/domain": 0, "domains/0/cpus": "0-2",
        "domains/0/parts/*/name": ["die", "core0", "core1", "core2"], "domains/0/parts/2/now": ["POWER", PL1],
        "domains/0/parts/2/history/0": {"reason": "POWER", "last_ns": NOW * 10**6, "limited_ns": 7300 * 10**9,
                                        "since_ns": 1029600 * 10**9},
        "domains/0/parts/1/history/0/since_ns": ABSENT,
        "domains/0/parts/3": {"name": "core2", "cpus": "2", "reasons": [], "now": []}}),
    "JSON has the rows, the worst first": ("apart", same, "--json", {
        "modules": {"all": 4, "limited": 1, "turbo": 1, "turbo_before": 0, "before": 1, "unsure": 0, "unreadable": 0},
        "reasons/*/reason": ["THERMAL_PER_CORE", "POWER"], "reasons/*/modules": [1, 0], "reasons/*/sockets": ["0", "0"],
        "reasons/*/record_modules": [1, 0], "rows/*/where": ["0/0/core0", "0/0/die", "0/0/core1"],
        "rows/*/now/*/reason": [["THERMAL_PER_CORE"], ["POWER"], []], "rows/*/parts": [1, 1, 1], "rows/0/cpus": "0",
        "rows/0/now/0/least_s": 60, "rows/0/now/0/most_s": 60, "rows/0/known": True,
        "rows/2/record": [{"reason": "THERMAL_PER_CORE", "age_s": 300, "at_most": False}]}),
    "a reason of the die alone has a row, and each module is counted once": (
        "apart", same, "", "POWER die 0", "THERMAL_PER_CORE 1 0", "0/0/core3: not limited",
        [WHERE, ("0/0/core0", "0", "THERMAL_PER_CORE for 60 s", "-"), ("0/0/die", "-", "POWER", "-"),
         ("0/0/core1", "1", "-", "THERMAL_PER_CORE 5 min ago")], "0/0/die alone: its mesh, or a module without a CPU",
        "1 of 4 modules limited now, 1 at a turbo limit (FREQUENCY alone), 1 more since the last clear"),
    "a turbo limit that a BMC has lowered is none of a busy host": (
        "busy", by_bmc, "", "43 of 43 modules limited now", "turbo ratio limit set out of band (BMC)",
        "ask who manages the BMC: power capping, turbo limits, profiles", "0/0/core0-42 * FREQUENCY_PCS_TRL for 13 min *",
        "!*turbo limit (*")})
def test_fact(request, fact):
    fixture, change, words, *expected = fact
    request.getfixturevalue(fixture).check(change, "plr " + words, *expected)

def test_each_socket_has_one_line_also_where_numbers_of_cpus_alternate(powercap):
    powercap.cpu(43, 1, 0, 0).cpu(44, 0, 0, 8)
    run = powercap.pmonctl("plr --cpu 7,43,44").shows("socket 0: *")
    assert len([line for line in run.lines if line.startswith("socket ")]) == 2

@pytest.fixture
def apart(watched):
    """Limit the die alone by POWER, a module by THERMAL, one by a turbo limit after THERMAL, one by a turbo limit."""
    turbo, hot, past = "9000 1036800000 1036000000 1", "9000 1036800000 1036740000 1", "9000 1036500000 - 1"
    observed(watched.core(0, 0, 3, 3, "none"), "core3")
    limited(watched, "die", POWER="9000 1036800000 1036799000 1", THERMAL=hot, FREQUENCY=turbo)
    limited(watched, "core0", THERMAL=hot, THERMAL_PER_CORE=hot)
    limited(watched, "core1", FREQUENCY=turbo, THERMAL=past, THERMAL_PER_CORE=past)
    return limited(watched, "core2", FREQUENCY=turbo)

# The fifth file is that of the mesh, which does not answer here.
def test_one_file_that_asks_the_hardware_is_read_of_each_part(watched):
    if not shutil.which("strace") or os.getuid():
        pytest.skip("needs strace and root")
    watched.pmonctl("plr", env={"LSAN_OPTIONS": "detect_leaks=0", "ASAN_OPTIONS": "detect_leaks=0"},
                    under=["strace", "-f", "-e", "trace=openat,openat2", "-o", watched.at("trace")])
    assert watched.read("trace").count('/reasons"') == 5

def large(host, of_die):
    """Make two packages of three dies; a die has 24 modules of two CPUs, at turbo limits but for one die."""
    host.dies(2, 3, lambda socket, die, module: dict.fromkeys(
        of_die(module) if (socket, die) == (0, 1) else ("FREQUENCY", "FREQUENCY_CDYN0"), 1), 24, siblings=144)
    return host.remove("pkg*/plr/*/time_in_reason")

@pytest.fixture
def mixed(host):
    return large(host, lambda module: {7: ("FREQUENCY", "THERMAL", "THERMAL_PER_CORE"), 8: ()}.get(
        module, ("POWER", PL1)))

def test_a_table_is_as_wide_as_the_terminal_and_nothing_is_cut(mixed):
    run = mixed.on_terminal("plr", cols=60).shows("*(FREQUENCY*")
    assert max(len(line) for line in run.out.splitlines()) <= 60

@pytest.fixture
def two_packages(host):
    """Make package 0 with modules 0 and 1, package 1 with module 5, and links of CPUs."""
    host.domain(0, 0, "0-3").domain(1, 2, "4-7").core(0, 0, 0, "0-1", "none")
    host.core(0, 0, 1, "2-3", "FREQUENCY FREQUENCY_CDYN1").core(1, 2, 5, "4-7", "none")
    for cpu, place in (2, (0, 0, 1)), (3, (0, 0, 1)), (4, (1, 2, 5)), (5, (1, 2, 5)), (7, (1, 2, 5)):
        host.cpu(cpu, *place)
    return host.folder("sys/devices/system/cpu/cpu8")

@pytest.fixture
def broken(host):
    """Make each file `reasons` of package 1 unreadable, and remove one of them."""
    for p in 0, 1:
        host.domain(p, 0, f"{8 * p}-{8 * p + 7}")
        for c in 0, 1, 2, 10:
            host.core(p, 0, c, 8 * p + c, "none")
    host.unreadable("pkg1-dom0/plr/die/reasons", "pkg1-dom0/plr/core*/reasons")
    return host.remove("pkg1-dom0/plr/core2/reasons")

def test_parts_with_one_error_share_a_line_and_the_rest_is_shown(broken):
    assert broken.pmonctl("plr --once", status=1, err="die/reasons: Is a directory").lines == squeezed("""
        No limit is recorded; 4 of 8 modules cannot be read.

        1/0/die core0-1,10: unreadable (EISDIR)
        1/0/core2: unreadable (ENOENT)
        0/0/core0-2,10: not limited""")
    broken.pmonctl("plr", status=1, err="core2/reasons")

def test_without_rights_everybody_sees_what_everybody_may_read(watched):
    if os.getuid():
        pytest.skip("needs root")
    observed(watched, "core1", "POWER_PKG_PL1_MMIO 7300000 1036800000 1029600000")
    for path in watched.paths("pkg0-dom0/plr/*/reasons"):
        path.chmod(0)
    shutil.copy(watched.program, watched.at("test"))
    for path in watched.root.parent.parent, watched.root.parent, watched.root:
        path.chmod(0o755)
    watched.program = watched.at("test")
    run = watched.pmonctl("plr", status=2, err=["needs root, or the group", "rights.rst"],
                          under=["setpriv", "--reuid", "65534", "--clear-groups"])
    assert len(run.err.splitlines()) == 1
    assert ("0/0/core1", "1", "POWER_PKG_PL1_MMIO for 2 h", "-") in run.table(*WHERE)

@pytest.fixture
def tpmi(host):
    """Make TPMI without limits."""
    return host.discovery_function().live("pmon_plr").folder("sys/bus/auxiliary/devices/intel_vsec.tpmi-uncore.0")

@pytest.mark.parametrize("mode, why", [*MODES.items()])
def test_list_explains_tpmi_without_domains(host, mode, why):
    host.discovery_function().tpmi(mode).pmonctl("list").shows(f"*limits are not shown: *{why}*")

@pytest.fixture
def to_clear(host):
    reasons(host.domain(0, 0, "0-2"), "die", "POWER THERMAL")
    host.core(0, 0, 0, 0, "POWER POWER_FAST_RAPL").core(0, 0, 1, 1, "THERMAL THERMAL_PER_CORE")
    return host.core(0, 0, 2, 2, "none").cpu(0, 0, 0, 0)

ALL = {"die": "POWER THERMAL", "core0": "POWER POWER_FAST_RAPL", "core1": "THERMAL THERMAL_PER_CORE", "core2": ""}

# Files that cannot be written, words of the command, the number of cleared parts, and texts written
@facts({
    "clear clears the limits that it has shown": ([], "--clear", 3, ALL),
    "clear with names leaves the others": (
        [], "--clear power POWER_FAST_RAPL", 2, {"die": "POWER", "core0": "POWER POWER_FAST_RAPL", "core1": ""}),
    "clear of a CPU leaves the others": ([], "--cpu 0 --clear POWER", 1, {"core0": "POWER", "die": ""}),
    "a clear that fails is reported and the others are done": (["core0/clear"], "--clear", 2, {"core1": ALL["core1"]})})
def test_clear_fact(to_clear, fact):
    broken, words, number, texts = fact
    to_clear.unreadable(*(f"pkg0-dom0/plr/{file}" for file in broken))
    to_clear.pmonctl("plr " + words, status=len(broken), err=broken).shows(
        "*POWER_FAST_RAPL*", f"Cleared in {number} part{'s' * (number > 1)}.")
    assert {part: to_clear.read(f"pkg0-dom0/plr/{part}/clear").strip("\n") for part in texts} == texts

def test_clear_begins_with_modules_whose_reasons_a_computed_die_repeats(to_clear):
    to_clear.remove("pkg0-dom0/plr/die/clear").unreadable("pkg0-dom0/plr/core0/clear")
    run = to_clear.pmonctl("plr --clear", status=1, err="die/clear")
    assert re.findall("[a-z0-9]*/clear", run.err) == ["core0/clear", "die/clear"]

# ---- --watch: a line for each change of a limit in force

POWER_TO_5_S = """
    [ $to -lt 3000 ] || [ $to -ge 5000 ] || echo "POWER $((to - 2000)) $now -" >>core0/time_in_reason"""
POWER_TO = """
    [ $to -lt 3000 ] || [ $to -gt {end} ] || since=$now
    [ $to -lt 3000 ] || echo "POWER $to $((now < {NOW} + {end} ? now : {NOW} + {end})) ${{since--}}" >>core0/time_in_reason"""
CORE0 = ["watching 4 parts", "0/0/core0: POWER", "0/0/core0: none"]

# A script after the record of observed time and one before it, the end in ms, and lines without times
@facts({
    "watch has a line for each change and ends well": (POWER_TO_5_S, "", 7000, CORE0),
    # The device is removed: all records end.
    "watch says once that a part is not known any more": (
        '[ $to -lt 2000 ] || echo "POWER $to $now $since 1" >>core0/time_in_reason',
        "since=1000; [ $to -lt 3500 ] || { since=- now=1036803000; }", 9000,
        [*CORE0[:2], "0/0/core0-2: not known"]),
    **{f"watch goes on where a limit lasts until {end} ms and there is one more module from 5000 ms": (
        POWER_TO.format(NOW=NOW, end=end), "[ $to -lt 5000 ] || mkdir -p core3", 9000, CORE0) for end in (5000, 7000)},
    "watch adds a module that comes later": (
        '[ $to -lt 4000 ] || echo "POWER 1000 $now 1000" >>core3/time_in_reason', "[ $to -lt 4000 ] || mkdir -p core3",
        9000, [CORE0[0], "0/0/core3: POWER"]),
    # core1 is limited once, in a poll that begins at 2.1 s. The record changes only when the poll
    # ends, at 3.2 s, but then has the time 2.1 s.
    "watch shows a limit whatever time its poll began": (
        f'[ $to -lt 3200 ] || echo "THERMAL 100 {NOW + 2100} - 1" >>core1/time_in_reason', "", 6000,
        [CORE0[0], "0/0/core1: THERMAL", "0/0/core1: none"])})
def test_watch_fact(watched, fact):
    script, first, end, lines = fact
    run = watched.observing(script, end, first).pmonctl("plr --watch")
    assert [line.split(" ", 1)[1] for line in run.lines] == lines

def test_watch_goes_on_beside_a_part_without_a_record(watched):
    watched.observing(POWER_TO_5_S + "\nrm core2/time_in_reason", 7000).remove("pkg0-dom0/plr/core2/time_in_reason")
    watched.pmonctl("plr --watch").shows("* 0/0/core0: POWER")

def test_watch_has_a_document_for_each_interval_in_json(watched):
    now = [[one["reason"] for row in m["rows"] for one in row["now"]]
           for m in watched.observing(POWER_TO_5_S, 7000).pmonctl("plr --watch --json").json_lines()]
    assert now.count(["POWER"]) == 3 and now[-1] == [] and len(now) == 6

def test_q_ends_watch(watched):
    watched.put("keys", 1).passing(end=4000)
    watched.on_terminal("plr --watch", rows=8, cols=60, keys="q").lacks("*limited now*")

def test_watch_draws_a_strip_for_a_limited_module(watched):
    observed(watched, "core0", "POWER 100 1036800000 1036799900").passing(end=4000)
    run = watched.on_terminal("plr --watch", rows=8, cols=60, env={"NO_COLOR": ""}).lacks("0/0/core1*")
    assert any(re.fullmatch(r"0/0/core0 0 #+ POWER", line) for line in run.lines)
    assert "  \033[33mPOWER\033[m\033[K" in run.raw
