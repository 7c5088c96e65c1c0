# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl bw on hosts with boxes that are frozen, unresponsive, in use, or offline."""
import re
import subprocess

import pytest

from result import checks, facts, same

FROZEN = "socket 1: boxes are frozen by firmware; this kernel's intel_uncore leaves them so; "
MAYBE = "boxes count nothing and may be frozen by firmware"

def frozen_all(host):
    """Freeze the boxes of both packages, which have no CHAs."""
    return host.edit("counts", "^([235]0 [0-9a-f]+ [08]) .*", r"\1 0")

def unresponsive(host):
    """Let a box not respond: the driver reads all ones, and its event ends in error."""
    host.left_to("openpmon").recount(20, 5, 0, "8 0 0 0 500 60000")
    return host.put("uncore_imc_0/unresponsive", "0 1", "1 0").put("uncore_imc_0/disturbed", "0 1", "1 0")

MEMORY_0, MEMORY_1, UPI_0 = "14680 0 14680", "14680 4194 18874", "1049 10486 11534"
IN_USE = "uncore_imc_0: all counters are in use"

# How a host is changed, the command, rates, and a part of each message
@facts({
    "frozen boxes are unknown, not idle": (lambda h: h.frozen(), "bw", {
        "memory 1": "? ? ?", "upi 1": "? ? ?", "memory 0": MEMORY_0, "upi 0": UPI_0}, FROZEN, "pmonctl adopt uncore"),
    "frozen boxes are unknown where memory was not asked for": (
        lambda h: h.frozen(), "bw --kind upi", {"upi 0": UPI_0, "upi 1": "? ? ?"}, "socket 1: boxes are frozen by firmware;"),
    "memory may be idle where a clock ticks": (
        lambda h: h.frozen().recount(40, 1, 8, 2000000), "bw", {"memory 1": "0 0 0"}),
    "a PMU with a number for its type may have the clock": (
        lambda h: h.stands_still().box("uncore_type_0_0", 40, "0,8").append("counts", "40 1 8 2000000"),
        "bw", {"memory 1": "0 0 0"}),
    "all memory of a package is not idle where no clock can be counted": (
        lambda h: h.stands_still(), "bw", {"memory 1": "? ? ?"}, "socket 1: " + MAYBE),
    "one message names both frozen sockets": (frozen_all, "bw", {"memory 0": "? ? ?"}, "socket 0-1: " + MAYBE),
    "adopt is no help for frozen boxes that openpmon has": (
        lambda h: frozen_all(h).put("uncore_imc_0/frozen_ns", "0 1", "1 1"), "bw", {},
        "socket 0-1: boxes count nothing and may be frozen; pmonctl doctor"),
    "an unresponsive box is unknown and named": (
        unresponsive, "bw", {"memory 0": "? ? ?", "memory 1": MEMORY_1},
        "uncore_imc_0 of socket 0: no response; pmonctl doctor"),
    "of three unresponsive boxes one is named": (
        lambda h: unresponsive(h).put("uncore_imc_10/unresponsive", "0 1", "1 1"), "bw", {},
        "uncore_imc_0 of socket 0 and 2 more boxes: no response; pmonctl doctor"),
    "a box that cannot be counted makes no sum": (
        lambda h: h.recount(20, 5, 0, "EBUSY"), "bw", {"memory 0": "? ? ?", "memory 1": MEMORY_1}, IN_USE)})
def test_fact(moving, fact):
    change, command, rates, *err = fact
    moving.check(change, command, (int(bool(err)), *err), rates)

# Lines of doctor and of the first screen about boxes that are not counted
@facts({
    "doctor tells somebody else to be root once": (lambda h: h.frozen().put("nobody"), "doctor",
        f"problem counting {FROZEN}as root: pmonctl adopt uncore"),
    "doctor reports frozen boxes": (lambda h: h.frozen(), "doctor", f"problem counting {FROZEN}pmonctl adopt uncore",
                                    "Next: pmonctl adopt uncore"),
    "the first screen does not call frozen boxes fine": (
        lambda h: h.frozen(), "", "DOCTOR 1 problem, first: counting: socket 1: boxes are frozen by firmware; *", {"memory 1": "? ? ?"},
        "Next: pmonctl adopt uncore"),
    "doctor does not say that an unresponsive box was changed": (
        unresponsive, "doctor", "problem uncore_imc_0 1 of its boxes does not respond*", "!*something else*"),
    "the first screen does not call an unresponsive box fine": (
        unresponsive, "", "DOCTOR 1 problem, first: uncore_imc_0: *"),
    "doctor names boxes that cannot be counted": (
        lambda h: h.recount(20, 5, 0, "EBUSY"), "doctor", f"problem counting {IN_USE}"),
    "the first screen names boxes that cannot be counted": (
        lambda h: h.recount(20, 5, 0, "EBUSY"), "", f"DOCTOR 1 problem, first: counting: {IN_USE[:-7]}*"),
    "doctor names a box without a counter beside another problem": (
        lambda h: h.recount(20, 5, 0, "8 0 0 60000").discovery(0).put("pkg0-uncore0/rejected", "6 1 width 0xff wide"),
        "doctor", "problem boxes 1 rejected; *", "problem counting uncore_imc_0 of socket 0: no value: *"),
    "doctor names the rights that counting needs": (
        lambda h: h.forbidden().paranoid(3), "doctor",
        "problem counting uncore_imc_0: counting needs root, or CAP_SYS_ADMIN*",
        "Next: uncore_imc_0: counting needs root, or CAP_SYS_ADMIN*")})
def test_shown_fact(moving, fact):
    change, command, *patterns = fact
    change(moving.live("pmon_uncore").paranoid(0).installed())
    moving.pmonctl(command, status=1).shows(*patterns)

def test_frozen_boxes_have_no_peak_on_a_screen(moving):
    run = moving.frozen().on_terminal("bw --watch -n 1", status=1, err=FROZEN)
    peaks = {(r["KIND"], r["SOCKET"]): (r["TOTAL"], r["PEAK"]) for r in run.records("KIND", "PEAK")}
    assert peaks["memory", "1"] == peaks["memory", "all"] == ("?", "?")
    assert peaks["memory", "0"] == ("14680", "14680")

def test_a_box_that_cannot_be_counted_is_empty_in_csv(moving):
    values = moving.recount(20, 5, 0, "EBUSY").pmonctl("bw --csv", status=1, err=IN_USE).lines[1]
    assert values.startswith("2") and ",,,14680.1,4194.3," in values

# Its events do not fail.
def test_watch_has_no_number_of_a_box_from_the_second_in_which_it_stops(moving):
    moving.left_to("openpmon").recount(20, 5, 0, "8 -8 1000")
    moving.passing("[ $to -lt 2000 ] || echo '0 1' "
                   '>"$root/sys/bus/event_source/devices/uncore_imc_0/unresponsive"', 4000)
    assert watched(moving, 0, status=1, err="no response") == [",14680.1,0.0"] + [",,"] * 3

# The limit has room for the events of three memory boxes, and not for the fourth box.
FEW = ["prlimit", "--nofile=18:18"]
TOO_MANY = "too many open files: ulimit -n is 18, and * are needed"

def test_with_too_few_files_each_box_is_in_its_package_and_unknown(moving):
    moving.nodes("0-7", "8-15").pmonctl("bw", status=1, under=FEW, err=TOO_MANY).shows({
        "memory 0": MEMORY_0, **dict.fromkeys(["memory 1", "cxl -", "upi 0", "upi 1", "iio 0"], "? ? ?")})

def test_with_too_few_files_json_has_unknown_boxes_and_null(moving):
    m = moving.pmonctl("bw --json", status=1, under=FEW, err=TOO_MANY).json()
    assert 1 in [s["unknown"] for s in m["sockets"]]
    assert {None, 2097152000} <= {f["read_bytes_s"] for f in m["flows"]}

def test_the_number_of_files_that_are_said_to_be_needed_is_enough(moving):
    run = moving.pmonctl("bw", status=1, under=FEW, err=TOO_MANY)
    needed = re.search(r"and (\d+) are needed", run.err)[1]
    moving.pmonctl("bw", under=["prlimit", f"--nofile={needed}:{needed}"]).shows({"iio 0": "262 524 786"})

# ---- --watch: what comes back has numbers again

def watched(host, socket, **how):
    """Return the values of memory that `bw --watch --csv` prints, without times."""
    run = host.pmonctl(f"bw --watch --csv --kind memory --socket {socket}", **how)
    return [re.sub("^[^,]*", "", line) for line in run.lines[1:]]

FULL, BOTH = ",14680.1,0.0", ",14680.1,4194.3"

@facts({
    "watch has numbers of an event once another event leaves its counter, after 2 s": (
        "8 0 0 2000", [",,", ",,", FULL, FULL]),
    "watch has numbers again of an event that is in error state from 1 s to 2 s": (
        "8 0 0 0 1000 2000", [FULL, ",,", FULL, FULL])})
def test_watch_fact(moving, fact):
    rate, values = fact
    moving.left_to("openpmon").recount(20, 5, 0, rate).passing(end=4000)
    assert watched(moving, 0) == values

def test_watch_has_no_numbers_of_an_interval_in_part_where_cpus_were_offline(host):
    assert watched(host.goes_off(2500, 4000, 7000), 1) == [BOTH, BOTH, ",,", ",,", BOTH, BOTH, BOTH]

def test_one_line_says_that_a_package_goes_offline_and_one_that_it_is_back(host):
    run = host.goes_off(2000, 4000, 7000).pmonctl("bw --watch --csv --kind memory", err=[
        "socket 1: not counted, all of its CPUs are offline", "all sockets are counted again"])
    assert len(run.err.splitlines()) == 2

def test_a_package_is_not_called_offline_if_its_cpus_are_not(host):
    host.goes_off(2000, 4000, 7000)
    host.edit("sbin/pause", "^(.*4000.*)cpus", r'\1sed -i "/^20 5 8 /d" "$root/counts"; cpus')
    host.pmonctl("bw --watch --csv --kind memory", status=1,
                 err="socket 1: not counted, events cannot be opened again (EINVAL)")

def test_a_package_counts_again_also_with_too_few_files_for_the_rest(host):
    host.goes_off(2000, 4000, 7000).pmonctl(
        "bw --watch --csv --kind memory,upi", status=1, under=["prlimit", "--nofile=22:22"],
        err=["all sockets are counted again", "too many open files: ulimit -n is 22, and 36 are needed"])

@pytest.fixture
def offline(host):
    """Take the second package offline from the start until 2 s."""
    host.goes_off(0, 2000, 4000)
    subprocess.run([host.at("sbin/pause"), "0", "0"], check=True)
    return host

def test_a_package_that_is_offline_from_the_start_counts_later(offline):
    assert watched(offline, 1, err="socket 1: not counted, ") == [
        ",,", ",,", ",12582.9,2097.2", ",12582.9,2097.2"]

OFFLINE = 1, "socket 1: not counted, all of its CPUs are offline"

test_offline_fact = checks("offline", {
    "list says that a package is offline": (
        same, "list", (1,), "Socket 1: all of its CPUs are offline, its boxes are not counted."),
    "doctor calls a package that is offline a problem": (
        lambda h: h.live("pmon_uncore").paranoid(0).installed(), "doctor", (1,),
        "problem socket 1 all of its CPUs are offline: its boxes are not counted; write 1 to *"),
    "a package that is offline is unknown, and the message says why": (same, "bw", OFFLINE, {"memory 1": "? ? ?"}),
    "boxes of the kernel's driver are unknown while a package is offline": (
        lambda h: h.edit("pkg1-uncore0/units", "uncore_imc_10 openpmon", "- intel_uncore"),
        "bw --boxes --kind memory", OFFLINE, {"memory 1 uncore_imc_10": "? ? ?"}),
    "a package that is offline lacks its own boxes, not those of another": (
        lambda h: h.unit(0, "6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon"), "bw --boxes --kind memory", OFFLINE,
        {"memory 1 uncore_imc_10": "? ? ?", "memory 1 uncore_imc_0": None})})
