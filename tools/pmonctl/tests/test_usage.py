# SPDX-License-Identifier: GPL-2.0-only
"""The command line, the first screen, and hosts without hardware to show."""
import pytest

from host import VERSION
from result import checks, facts, same

MMIO = "package power limit 1 (long term), set by MMIO (software, firmware)"

@pytest.mark.parametrize("command, message", [
    # an unknown command, and the command that may be meant
    ("lsit", "unknown command lsit (list?)"), ("listt", "unknown command listt (list?)"),
    ("help lst", "(list?)"), ("hlep", "(help?)"), ("bandwi" "th", "(bw?)"),
    # a word of another program
    ("top", "unknown command top (bw*?)"), ("watch", "unknown command watch (bw*?)"),
    ("bandwidth", "unknown command bandwidth (bw*?)"),
    ("bw --duration 1", "bw has no option --duration (did you mean --for?)"),
    ("bw 1", "unexpected argument: 1 (did you mean -i 1?)"), ("plr 1", "unexpected argument: 1 (did you mean -i 1?)"),
    # surplus, unknown and abbreviated words
    ("list now", "unexpected argument: now"), ("plr POWER", "unexpected argument: POWER"),
    ("plr -x", "-x: no such option"), ("plr -x", "Try: pmonctl help plr"), ("bw -xn", ": -x: no such option"),
    ("bw -xn", "Try: pmonctl help bw"), ("bw --csv -xn", ": -x: no such option"),
    ("bw --csv -xn", "Try: pmonctl help bw"), ("adopt --persit uncore", "(did you mean --persist?)"),
    ("plr --c 1", "--c: short for several"), ("bw --watch=3", "--watch=3: takes no value"),
    ("list --watch", "list has no option --watch"), ("plr -o CPUS", "plr has no option --output"),
    ("release --persist", "release has no option --persist"), ("adopt gpu", "gpu: no such area"),
    ("stat", "needs a job"), ("stat --", "needs a job"),
    # options that contradict each other
    ("bw --csv --json", "do not go together"), ("adopt --now --next-boot uncore", "do not go together"),
    ("plr --cpu 0 --socket 0", "do not go together"), ("plr --once --watch", "do not go together"),
    ("plr --watch --clear", "do not go together"), ("plr --clear -i 1", "--clear looks once"),
    *((f"plr --once {option}", "--once") for option in ("-i 1", "-n 2", "--for 2", "--csv", "--clear"))])
def test_wrong_usage_is_explained(host, command, message):
    host.pmonctl(command, status=64, err=message)

VALUES = [
    ("bw --for", ["0", "0.01", "x", "1x", "-1", "9999999", "1e99", ""], "not a duration"),
    ("bw -i", ["1x"], "--interval 1x: not a duration"),
    ("bw -n", ["0"], "--count 0: not a number of intervals"),
    ("bw --kind", ["memory,ram"], "--kind ram: no such kind"),
    ("plr --socket", ["-1", "x", "1x", "", "99999999999999999999"], "not a socket number"),
    ("plr --watch --cpu", ["x"], "not a list of CPUs"),
    ("plr --cpu", ["", "x", "3-", "-3", "3-2", "1,,2", "1,", "1 2", "8192,"], "not a list of CPUs"),
    ("plr --cpu", ["8192", "0-8192", "18446744073709551616", "0-4000000000"], ": not a list of CPUs from 0 to 8191"),
    ("plr --clear", ["WARMTH"], "--clear WARMTH: no such reason"),
    ("explain --", ["", "0x", "power_plr", "12345678901234567", "-1", " 1", "1_0"], "neither the name of a reason")]

@pytest.mark.parametrize("command, value, message", [
    (command, value, message) for command, values, message in VALUES for value in values])
def test_a_wrong_value_is_refused(host, command, value, message):
    host.domain(0, 0, 0).pmonctl(command, value, status=64, err=message)

# Words of the command, its messages, and a word that no message has
@facts({
    **{f"{word!r}, a word that is near to nothing, means no command": (["", word], f"unknown command {word}", "?)")
       for word in ("zzz", "")},
    "an option that the command lacks means no other of its kind": (
        ["list --colour"], ["list has no option --colour", "Try: pmonctl help list"], "mean"),
    "no option is meant that the command does not take": (["release --persit"], "--persit", "mean"),
    **{f"{options.split()[0]}, an option of a command, needs the command": (
        [options], ["--* needs a command, such as pmonctl * --*", "Try: pmonctl --help"], "mean")
       for options in ("--clear", "--watch", "--csv -n 3", "--socket 1", "--dry-run", "--file /x", "-i 1")}})
def test_meaning_fact(host, fact):
    words, err, missing = fact
    run = host.pmonctl(*words, status=64, err=err)
    assert missing not in run.err and not run.out

NO_HARDWARE = 77, "no supported hardware:"

test_fact = checks("host", {
    "version prints those of pmonctl and of loaded modules": (
        lambda h: h.put("sys/module/pmon/version", "0.8").live("pmon_plr"), "--version",
        "pmon 0.8", f"pmonctl {VERSION}", f"pmon_plr {VERSION}", "!pmon_uncore *"),
    "help prints the usage": (same, "help", "Usage: pmonctl *COMMAND]"),
    "a host that has nothing has no first screen": (same, "", NO_HARDWARE, "!*"),
    **{f"JSON of {command} says that there is no supported hardware": (same, f"{command} --json", NO_HARDWARE, {"format": 3},
        '*"error": "no supported hardware: *') for command in ("list", "plr", "doctor", "bw")},
    "the device 09a7 of another vendor is not ours": (
        lambda h: h.pci("0000:00:03.1", "0x1af4", "0x09a7"), "list", NO_HARDWARE),
    "a class directory that cannot be read is an error": (
        lambda h: h.discovery_function().put("sys/class/pmon"), "list", (2, "cannot be read; run as root")),
    "an empty class directory beside modules leads to the log": (
        lambda h: h.discovery_function().folder("sys/class/pmon").live("pmon_uncore"), "list", (2, "kernel log"))})

def test_an_option_may_follow_the_command_whatever_the_environment_says(host):
    run = host.pmonctl("list --json", status=77, err="no supported hardware", env={"POSIXLY_CORRECT": "1"})
    assert "error" in run.json()

@pytest.fixture
def busy(moving):
    """Make two sockets with all kinds of traffic, two limited modules, one at a turbo limit."""
    moving.domain(0, 0, "0-3")
    for m in 0, 1:
        moving.core(0, 0, m, m, "POWER")
        moving.put(f"pkg0-dom0/plr/core{m}/time_in_reason", "observed 9 1000000 1",
                   "POWER 9 1000000 1", "POWER_PKG_PL1_MMIO 9 1000000 1")
    moving.core(0, 0, 2, 2, "FREQUENCY")
    moving.put("pkg0-dom0/plr/core2/time_in_reason", "observed 9 1000000 1", "FREQUENCY 9 1000000 1")
    moving.put("pkg0-dom0/plr/die/time_in_reason", "observed 9 1000000 1")
    moving.put("proc/uptime", "1000.00").live("pmon_uncore", "pmon_plr").paranoid(0)
    return moving.discovery(0).installed()

def powered(busy):
    """Make package 0 draw 300 W. Package 1 has a temperature, too, but no powercap zone."""
    busy.domain(1, 0, "4-5").core(1, 0, 0, 4, "none")
    busy.zone(":0", "package-0", 500, energy_uj=100000000, max_energy_range_uj=262143328850)
    for package in 0, 1:
        busy.files(f"sys/class/hwmon/hwmon{package + 3}/", f"""
            name coretemp
            temp1_label Package id {package}
            temp1_input {71900 - 7000 * package}""")
    busy.put("sys/class/hwmon/hwmon1/name", "nvme").put("sys/class/hwmon/hwmon1/temp1_label", "Composite")
    return busy.passing(
        'echo $((100000000 + to * 300000)) >"$root/sys/class/powercap/intel-rapl:0/energy_uj"')

def test_one_screen_has_at_most_24_lines(busy):
    assert len(busy.pmonctl().lines) <= 24

@pytest.mark.parametrize("command", ["list", "bw --watch", "bw --watch --csv", "bw --watch --json", "plr --watch"])
def test_output_that_cannot_be_written_is_an_error_and_ends_watch(busy, command):
    busy.pmonctl(command, status=2, stdout=open("/dev/full", "w"),
                 err="cannot write the output: No space left on device")

test_busy_fact = checks("busy", {
    "one screen has host, bandwidth, limits and the next command": (
        same, "", {"memory all": "29360 4194 33554", "memory 1": "14680 4194 18874", "cxl -": "1049 0 1049",
                   "upi 0": "1049 10486 11534", "upi 1": "0 0 0", "iio 0": "262 524 786"},
        "HOST *, platform spr, Linux 6.18-tree, pmonctl *", "DOCTOR fine",
        [("REASON", "MODULES", "SOCKETS", "MEANING"), ("POWER_PKG_PL1_MMIO", "2", "0", MMIO)],
        "LIMITS 2 of 3 modules limited now, 1 at a turbo limit (FREQUENCY alone)",
        "socket 0: power and its limits are not known on this kernel", "Next: pmonctl plr"),
    "the three worst reasons are shown and how many more there are": (
        lambda h: h.append("pkg0-dom0/plr/core1/time_in_reason", *(f"{reason} 9 1000000 1" for reason in (
            "RAS", "THERMAL", "PLATFORM"))),
        "", (1,), "PLATFORM 1 0 *", "THERMAL 1 0 *", "RAS 1 0 *", "(1 more: pmonctl plr)", "!POWER*"),
    "power and temperature are shown also of a package that nothing limits": (
        powered, "", "socket 0: 300 W of 500 W (PL1), ? W (PL2), 72 C", "socket 1: 65 C", "!*its limits are not known*"),
    "JSON has power and temperature": (powered, "--json", {"power": [
        {"socket": 0, "watts": 300, "pl1_watts": 500, "celsius": 72}, {"socket": 1, "celsius": 65}]}),
    "JSON has the first screen": (same, "--json", '!*"problem"*', {
        "format": 3, "ms": 1000, "sockets/0/read_bytes_s": 14000 << 20, "sockets/1/read_bytes_s": 14000 << 20,
        "findings/0/level": "ok", "domains/0/parts/1/now": ["POWER", "POWER_PKG_PL1_MMIO"]}),
    "limits that nobody watches are not known": (
        lambda h: h.remove("pkg0-dom0/plr/*/time_in_reason"), "",
        "LIMITS not known: no program monitors them; *", "!*limited now*")})
