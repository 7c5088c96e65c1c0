# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl bw: what moves, in tables, CSV and JSON. A rate of 8 counts a ms is 2097 MB/s."""
import random
import re
import subprocess

import pytest

from conftest import SANITIZE, TESTS
from host import CLASS, PMUS
from result import ABSENT, checks, facts, same

MIB = 1 << 20
IDLE_HALF = "no average: no requests overlapped, or * cannot add them up"

def flows(run, kind):
    return [flow for flow in run.json()["flows"] if flow["kind"] == kind]

def clusters(host, model=173):
    """Give each package three clusters; memory controller 0 is in the second, 10 in the third."""
    for cpu in 2, 4, 10, 12:
        host.topology(cpu, cpu // 8)
    return host.cpu_model(6, model).nodes("0-1", "2-3", "4-7", "8-9", "10-11", "12-15")

def many_clusters(host, number):
    """Give each package so many clusters."""
    cpus = [package * 8 + cluster for package in (0, 1) for cluster in range(number)]
    for cpu in cpus:
        host.topology(cpu, cpu // 8)
    return host.cpu_model(6, 173).nodes(*cpus)

def old_host_port(host):
    """Make a CXL port as before Emerald Rapids."""
    host.box("uncore_cxlcm_2", 82, "0,8", "txc_pack_buf_inserts.mem_data=2*0.25@4,0")
    return host.box("uncore_cxldp_3", 83, "0,8")

ALL, MEMORY_0, MEMORY_1 = {"memory all": "29360 4194 33554"}, "14680 0 14680", "14680 4194 18874"
MEMORY = {**ALL, "memory 0": MEMORY_0, "memory 1": MEMORY_1}
BOXES = {"memory 0 uncore_imc_0": "2097 0 2097", "memory 0 uncore_imc_10": "12583 0 12583",
         "memory 1 uncore_imc_0": "2097 2097 4194", "memory 1 uncore_imc_10": "12583 2097 14680"}

# How a host is changed, words of the command, and all rates of kinds
@facts({
    "sockets and all sockets have sums scaled from half of the time": (same, "", {
        **MEMORY, "cxl -": "1049 0 1049", "upi 0": "1049 10486 11534", "upi 1": "0 0 0", "iio 0": "262 524 786"}),
    "one socket has no sum of all sockets": (same, "--socket 1 --kind memory", {"memory 1": MEMORY_1}),
    "boxes shows boxes of two kinds": (same, "--boxes --kind memory,upi", {
        **BOXES, "upi 0 uncore_upi_0": "1049 10486 11534", "upi 1 uncore_upi_0": "0 0 0"}),
    "a node that is a package has no row": (lambda h: h.nodes("0-7", "8-15"), "", MEMORY),
    "boxes have the node that is a package": (
        lambda h: h.nodes("0-7", "8-15"), "--boxes",
        {re.sub(r"(\d) ", r"\1 node \1 ", box, 1): rate for box, rate in BOXES.items()}),
    "clusters of an unknown processor have no rows": (lambda h: clusters(h, 0), "", MEMORY),
    "sub-NUMA clusters have sums": (clusters, "", {
        **ALL, "memory 0 node 1": "2097 0 2097", "memory 0 node 2": "12583 0 12583",
        "memory 1 node 4": "2097 2097 4194", "memory 1 node 5": "12583 2097 14680"}),
    "of two clusters eight controllers are known": (
        lambda h: h.nodes("0-1", "2-7", "8-9", "10-15").topology(2, 0).topology(10, 1).cpu_model(6, 174),
        "--boxes", {"memory 0 node 1 uncore_imc_0": "2097 0 2097", "memory 0 uncore_imc_10": "12583 0 12583",
                    "memory 1 node 3 uncore_imc_0": "2097 2097 4194", "memory 1 uncore_imc_10": "12583 2097 14680"}),
    "four clusters in a package are unknown": (lambda h: many_clusters(h, 4), "", MEMORY),
    "five clusters in a package are unknown": (lambda h: many_clusters(h, 5), "", MEMORY),
    "HBM is a kind beside the DIMMs without a sum": (
        lambda h: h.hbm(), "", {**MEMORY, "hbm 0": "524 262 786", "hbm 1": "0 1049 1049"}),
    "a PMU whose name lacks the number is none of the boxes": (
        lambda h: h.box("uncore_imc_", 90, 0, "cas_count_read=5*0.25@8"), "", MEMORY),
    "CXL has the node of the card's memory": (lambda h: h.in_node(), "", {"cxl - node 2": "1049 0 1049"}),
    "a CXL function without a driver is CXL": (
        lambda h: h.cxl_pmu(73, "cxl_pmu_pci_0000_c9_00_0.0", 32768), "", {"cxl -": "3146 0 3146"}),
    "ports of the host count CXL memory, too": (
        lambda h: h.host_ports(), "", {"cxlhost 0": "3146 262 3408", "cxlhost 1": "0 524 524"}),
    "the first CXLDP is of the first CXLCM": (lambda h: h.host_ports(), "--boxes", {
        "cxlhost 0 uncore_cxlcm_2": "1049 262 1311", "cxlhost 0 uncore_cxlcm_10": "2097 0 2097",
        "cxlhost 1 uncore_cxlcm_2": "0 524 524", "cxlhost 1 uncore_cxlcm_10": "0 0 0"}),
    "no event counts reads at the host until Emerald Rapids": (
        old_host_port, "", {"cxlhost 0": "- 1049 -", "cxlhost 1": "- 0 -"}),
    "no event counts writes at the host without CXLDP": (
        lambda h: h.host_ports().remove("uncore_cxldp_*/events/*"), "", {"cxlhost 0": "3146 - -", "cxlhost 1": "0 - -"}),
    "a direction that no event counts is a dash": (
        lambda h: h.left_to("intel_uncore").events_of_kernel(), "", {"iio 0": "262 - -"}),
    "a cluster is unknown where its CPUs are offline": (
        lambda h: clusters(h).put("sys/devices/system/node/node2/cpulist", "").put(
            "sys/devices/system/node/node2/cpu4/online", 0), "--boxes --socket 0", {
                "memory 0 uncore_imc_0": "2097 0 2097", "memory 0 uncore_imc_10": "12583 0 12583"}),
    "CXL ports stand each alone": (
        lambda h: h.cxl_pmu(71, "cxl_pmu_port_0000_c0_00_0.0", 16384).cxl_pmu(72, "cxl_pmu_port_0000_c2_00_0.0", 0),
        "", {"cxl -": "1049 0 1049", "cxl_pmu_port_0000_c0_00_0.0 -": "1049 0 1049",
             "cxl_pmu_port_0000_c2_00_0.0 -": "0 0 0"})})
def test_rates_fact(moving, fact):
    change, words, rates = fact
    kinds = {name.split()[0] for name in rates}
    found = change(moving).pmonctl("bw " + words).rates()
    assert {name: rate for name, rate in found.items() if name.split()[0] in kinds} == rates

test_fact = checks("moving", {
    "a socket without boxes is wrong usage": (same, "--socket 7", (64, "no box of that socket")),
    **{f"{value} is a duration": (same, f"--for {value}", f"Over {seconds} s") for value, seconds in [
        ("2h", "7200.0"), ("120m", "7200.0"), ("7200s", "7200.0"), ("7200000ms", "7200.0"), ("2d", "172800.0")]},
    "an interval is measured to the millisecond": (same, "--for 1.001 --json", {"ms": 1001}),
    "the time in total ends an interval that is longer": (same, "-i 5 --for 2 --json", {"ms": 2000}),
    "without a counter for the average the rates remain": (
        lambda h: delays(h.put("counters/70", 5), "EBUSY", 100, 30000), "", {"cxl -": "1049 0 1049"}, "!*AVERAGE*"),
    "a kind without sockets has the node in CSV": (
        lambda h: h.in_node(), "--kind cxl --csv", "time,node2.cxl.read_MB_s,node2.cxl.write_MB_s"),
    "JSON has a node for each package that is one": (lambda h: h.nodes("0-7", "8-15"), "--json", {
        "format": 3, "ms": 1000, "flows/*/kind": ["memory"] * 4 + ["cxl"] + ["upi"] * 2 + ["iio"],
        "flows/*/socket": [0, 0, 1, 1, ABSENT, 0, 1, 0], "flows/4/node": ABSENT, "flows/4/read_ns": ABSENT,
        "flows/3/node": 1, "flows/3/pmu": "uncore_imc_10", "flows/*/read_bytes_s": [
            2000 * MIB, 12000 * MIB, 2000 * MIB, 12000 * MIB, 1000 * MIB, 1000 * MIB, 0, 250 * MIB],
        "flows/2/write_bytes_s": 2000 * MIB, "flows/3/write_bytes_s": 2000 * MIB,
        "sockets/*/socket": [0, 1, ABSENT, 0, 1, 0], "sockets/0/boxes": 2, "sockets/1/boxes": 2,
        "sockets/0/read_bytes_s": 14000 * MIB, "sockets/1/write_bytes_s": 4000 * MIB,
        "nodes/*/node": [0, 1], "nodes/*/boxes": [2, 2], "nodes/*/read_bytes_s": [14000 * MIB] * 2,
        "nodes/*/write_bytes_s": [0, 4000 * MIB]}),
    "one node of two sockets is no node of a box": (lambda h: h.nodes("0-15"), "--kind memory --json", {
        "nodes": [], "flows/*/node": [ABSENT] * 4})}, "bw ")

@pytest.mark.parametrize("options, intervals", [
    ("-i 0.5 --for 2", 4), ("-n 4", 4), ("--watch --for 4", 4),
    # --for has the nearest number of intervals.
    ("-i 0.1 --for 1", 10), ("-i 0.1 --for 0.9", 9), ("-i 0.1 --for 1.04", 10), ("-i 0.1 --for 1.06", 11)])
def test_an_interval_is_a_line_of_csv(moving, options, intervals):
    run = moving.pmonctl("bw --csv " + options)
    assert run.out.startswith("time,socket0.memory.read_MB_s,")
    assert len(run.lines) == 1 + intervals

@pytest.mark.parametrize("command", ["bw -n 4", "bw -n 4 --watch", "bw -i 1 --for 4"])
def test_several_intervals_into_a_pipe_are_tables_with_their_time(moving, command):
    run = moving.pmonctl(command)
    assert len(re.findall(r"^\d\d:\d\d:\d\d  over 1.0 s\n\nKIND ", run.out, re.M)) == 4

def test_so_many_intervals_in_so_long_are_a_line_of_json_each(moving):
    assert [each["ms"] for each in moving.pmonctl("bw -n 4 --for 2 --json").json_lines()] == [500] * 4

def test_csv_has_values_to_a_tenth_and_times_in_milliseconds(moving):
    head, values = moving.pmonctl("bw --csv").lines
    assert head == ("time,socket0.memory.read_MB_s,socket0.memory.write_MB_s,socket1.memory.read_MB_s,"
        "socket1.memory.write_MB_s,cxl.read_MB_s,cxl.write_MB_s,socket0.upi.read_MB_s,"
        "socket0.upi.write_MB_s,socket1.upi.read_MB_s,socket1.upi.write_MB_s,"
        "socket0.iio.read_MB_s,socket0.iio.write_MB_s")
    time, _, values = values.partition(",")
    assert re.fullmatch(r"2[\d-]{9}T[\d:]{8}[.]\d{3}[+-][\d:]{5}", time)
    assert values == "14680.1,0.0,14680.1,4194.3,1048.6,0.0,1048.6,10485.8,0.0,0.0,262.1,524.3"

def test_the_first_screen_has_nine_rows_of_bandwidth_and_says_how_many_more_there_are(moving):
    moving.hbm().box("uncore_cxlcm_2", 82, "0,8", "rxc_pack_buf_inserts.mem_data=2*0.25@4,0")
    moving.check(same, "", (1,), {"upi 0": "1049 10486 11534", "upi 1": None}, "(2 more: pmonctl bw)")

@pytest.mark.parametrize("scale", ["inf", "1e308", "nan", "-1", "0"])
def test_an_event_with_a_senseless_scale_is_unknown(moving, scale):
    moving.put("uncore_upi_0/events/rx_data.scale", scale)
    rates = moving.pmonctl("bw", status=1, err="uncore_upi_0: an event cannot be opened (EINVAL)").rates()
    assert rates["upi 0"] == "? ? ?" and rates["memory 0"] == "14680 0 14680"

def delays(host, waiting=None, requests=None, above=None, written=None):
    """Let the device have these counts a ms: clocks with waiting requests, requests, clocks above a
    threshold, and clocks with 10 waiting writes.
    """
    host.latency()
    for config, rate in ("1e9800310001", waiting), ("1e98002000ff", requests), ("1e9800310002", written):
        if rate is not None:
            host.recount(70, config, 0, rate)
    if written:
        host.recount(70, "1e98002100ff", 0, 10)
    if above is not None:
        host.put("cxl_pmu_mem0.0/format/threshold", "config1:0-15").append(
            "counts", f"70 01001e9800310001 0 {above}")
    return host

NO_READ = "READ: no average: *"

@facts({
    "requests have an average time": ({}, "170 -"),
    "a device that compares requests has no average": (dict(waiting=2000000), f"READ: {IDLE_HALF}"),
    "a device that compares requests and writes has no average": (
        dict(waiting=2000000, written=1500000), "READ and WRITE: no average: *"),
    "one way may have an average": (dict(written=1500000), "170 -", "WRITE: no average: *"),
    "three clocks are no average": (dict(requests=1133334), NO_READ),
    "four clocks are an average": (dict(requests=850000), "2 -"),
    "few requests that overlap now and then have an average": (dict(waiting=34000, requests=100, above=30000), "170 -"),
    "a device that counts clocks with any request has no average": (
        dict(waiting=34000, requests=100, above=34000), NO_READ),
    "a device that compares has no average in spite of a threshold": (
        dict(waiting=2000000, requests=10000, above=30000), NO_READ),
    # A ms has 0.5 requests on average for each of these, as events count for half of the time.
    "750 requests are no proof where counters are read one by one": (
        dict(waiting=1200, requests=3, above=600), NO_READ),
    "1000 requests in half a second are a proof": (dict(waiting=1600, requests=4, above=800), "200 -")})
def test_average_fact(host, fact):
    counts, *lines = fact
    run = delays(host, **counts).pmonctl("bw").shows(*(f"cxl_pmu_mem0.0 {line}" for line in lines))
    assert ("AVERAGE ns" in run.out) == any(line[0] in "0123456789" for line in lines)
    assert ("WRITE: no" in run.out) == any("WRITE" in line for line in lines)

def test_few_requests_are_a_proof_where_counters_are_read_at_one_moment(host):
    delays(host, 400, 1, 200).put("cxl_pmu_mem0.0/format/snapshot", "config1:63")
    host.pmonctl("bw").shows("cxl_pmu_mem0.0 200 -")

@facts({
    "the average time of reads is in JSON": ({}, 1, 170),
    "an interval has its own average": (dict(waiting="3400000 -2400000 1000"), 2, 170),
    "the average ends where the device turns out to count each clock": (
        dict(waiting="34000 1966000 1000", requests=100, above=30000), 2, 170),
    # From the second second on both thresholds count the clocks with a request, half of all clocks.
    "a proof ends where a loaded device counts clocks with any request": (
        dict(waiting="1500000 -500000 1000", requests=5000, above=1000000), 3, 150)})
def test_changing_fact(host, fact):
    counts, intervals, average = fact
    run = delays(host, **counts).pmonctl(f"bw --json -i 1 -n {intervals}")
    assert [[(flow.get("read_ns"), flow.get("write_ns")) for flow in each["flows"] if flow["kind"] == "cxl"]
            for each in run.json_lines()] == [[(average, None)], *[[(None, None)]] * (intervals - 1)]

@pytest.fixture
def proofs(program, tmp_path):
    """Return a function that hands intervals to proof.c, and returns what it prints of each."""
    objects = [o for o in program.parent.glob("*.o") if o.name not in ("main.o", "host.o")]
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", f"-I{TESTS.parent}", SANITIZE, "-no-pie", "-o",
                    tmp_path / "proof", TESTS / "proof.c", *objects, "-ljansson", "-lkmod", "-lm"], check=True)
    return lambda lines: subprocess.run(tmp_path / "proof", input="\n".join(lines), text=True, check=True,
                                        capture_output=True).stdout.splitlines()

# The device counts clocks with any waiting request, and its counters are read one after the other.
def test_a_device_that_never_sums_is_not_proved_by_chance(proofs):
    dice, lines = random.Random(1), []
    for n in range(2000 * 20):      # in runs of 20 intervals of half a second; the reader alone makes requests
        own, more, late = dice.randrange(8), dice.randrange(4), dice.randrange(4)
        lines.append(f"{-1 if n % 20 else 0} 500000000 {250 * (own + more)} {250 * (own + late)} {own + more}")
    assert not [line for line in proofs(lines) if line.startswith("2 ")]

def test_two_intervals_in_a_row_are_a_proof(proofs):
    sums = "500000000 1100000 1000000 4000"
    assert proofs([f"0 {sums}", "-1 500000000 1000000 1000000 4000", f"-1 {sums}", f"-1 {sums}"]) == [
        "1 0", "0 0", "1 0", "2 1"]

def test_a_false_proof_ends_with_the_first_interval_of_load(proofs):
    waiting = [int(1e9 * share / 100) for share in range(31, 99)]      # of the clocks of a second
    assert {line.split()[1] for line in proofs(f"2 1000000000 {w} {w} {w // 250}" for w in waiting)} == {"0"}

def test_what_no_event_counts_is_unknown_in_the_history_of_a_screen(moving):
    screen = old_host_port(moving).on_terminal("bw --watch -n 1 --kind cxlhost")
    assert screen.table("KIND", "READ", "WRITE", "TOTAL", "PEAK", "HISTORY")[0] == (
        "cxlhost", "-", "1049", "-", "-", "?")

DEVICES = "nvme 0000:16:00.0, nvme 0000:17:00.0, mlx5_core 0000:18:00.0"

def behind(host, driver, path):
    host.link(f"/sys/bus/pci/drivers/{driver}", f"sys/devices/{path}/driver")
    return host.link(f"../../../devices/{path}", f"sys/bus/pci/devices/{path.rpartition('/')[2]}")

@pytest.fixture
def stack(moving):
    """Put a port, two disks and a network card behind a stack, and a disk elsewhere."""
    moving.put("uncore_iio_3/die0", "0000:15")
    for driver, path in [
            ("pcieport", "pci0000:15/0000:15:01.0"),
            ("nvme", "pci0000:15/0000:15:01.0/0000:16:00.0"),
            ("nvme", "pci0000:15/0000:15:01.0/0000:17:00.0"),
            ("mlx5_core", "pci0000:15/0000:15:02.0/0000:18:00.0"),
            ("ahci", "pci0000:16/0000:16:00.1")]:
        behind(moving, driver, path)
    return moving

def functions(host, number):
    """Put so many functions of a network card behind the stack."""
    for vf in range(1, number + 1):
        behind(host, "mlx5_core", f"pci0000:15/0000:15:02.0/0000:18:{vf // 8:02x}.{vf % 8}")
    return host

def listed_on(host, bus):
    """Let openpmon's table have a bus of the stack."""
    host.put("uncore_iio_3/die0", "0000:16").discovery(0)
    return host.unit(0, f"1 iio_free_running 3 msr 0x343e 17 48 uncore_iio_free_running_3 openpmon - 0 {bus}")

@facts({
    "the devices behind a stack are named": (same, f": {DEVICES}"),
    "of hundreds of devices the first are named": (
        lambda h: functions(h, 200), r": nvme 0000:16:00.0, .*, mlx5_core 0000:18:0.\.., \.\.\."),
    "openpmon's table has the bus of a stack": (lambda h: listed_on(h, "0000:15"), f": {DEVICES}"),
    "a bus that openpmon does not know has no devices": (lambda h: listed_on(h, "-"), ""),
    "a bus that is none leads nowhere": (lambda h: h.put("uncore_iio_3/die0", "0000:15/.."), "")})
def test_stack_fact(stack, fact):
    change, named = fact
    box, = [name for name in change(stack).pmonctl("bw --boxes").rates() if name.startswith("iio 0")]
    assert re.fullmatch("iio 0 uncore_iio_free_running_3" + named, box)

def test_json_has_all_devices_behind_a_stack(stack):
    assert flows(stack.pmonctl("bw --json"), "iio")[0]["devices"] == DEVICES
    devices = flows(functions(stack, 200).pmonctl("bw --json"), "iio")[0]["devices"]
    assert devices.count("mlx5_core") == 201

LACKS = "upi, iio write: the kernel's driver has no events for these"
ADOPT = "; pmonctl adopt uncore adds them"

def to_kernel(host):
    """Leave two units whose kinds have no events of bandwidth to the kernel's driver."""
    host.moving().left_to("intel_uncore").expander("cxl_pci").pmu("uncore_cxlcm_0", event="config:0-7")
    host.pmu("uncore_hbm_0", event="config:0-7")
    return host.unit(0, "12 cxlcm 0 mmio 0x1000 8 48 - intel_uncore", "14 mchbm 0 mmio 0x1000 4 48 - intel_uncore")

test_lack_fact = checks("host", {
    "directions that no event counts are named": (lambda h: h.before_adopt(), "bw", LACKS + ADOPT),
    "directions of kinds that were not asked for are not named": (
        lambda h: h.before_adopt(), "bw --kind iio", "iio write: *", "!upi*"),
    "CSV has a message beside the numbers": (lambda h: h.before_adopt(), "bw -n 2 --csv", (0, LACKS)),
    "stat has a message beside the report": (lambda h: h.before_adopt(), "stat -- sleep 0.2", (0, LACKS)),
    "the first screen says what is left to the kernel's drivers": (
        lambda h: h.before_adopt(), "", LACKS + ADOPT, "Next: pmonctl adopt uncore",
        "LIMITS left to intel_plr_tpmi; pmonctl adopt plr hands them over"),
    "directions are named where openpmon has no table": (
        lambda h: h.before_adopt().remove(CLASS).folder(f"{PMUS}/uncore_iio_free_running_0"),
        "bw", "upi, iio write: *"),
    "adopt is no help where openpmon has the boxes": (
        lambda h: h.moving().left_to("openpmon").events_of_kernel(), "bw", "!*adopt*"),
    "adopt is no help while the service keeps openpmon out": (
        lambda h: h.before_adopt().put("var/lib/openpmon/strikes/6.18-tree 9.1", "2 100"), "bw", LACKS, "!*adopt*"),
    "adopt is no help where only limits are installed": (
        lambda h: h.before_adopt().unload("pmon_uncore").installed("pmon", "pmon_plr"), "bw", LACKS, "!*adopt*"),
    "HBM of the kernel's driver has no events": (to_kernel, "bw --kind memory,hbm",
        "hbm: the kernel's driver has no events for this; pmonctl adopt *"),
    "ports of the host have no events of the kernel's driver": (to_kernel, "bw --kind memory,cxlhost",
        "cxlhost: the kernel's driver has no events for this; pmonctl adopt *")})

def test_what_no_event_counts_is_empty_in_csv_and_null_in_json(host):
    lacks = 0, "upi, iio write: "
    host.before_adopt().check(same, "bw --csv", lacks, "*,socket0.iio.read_MB_s,socket0.iio.write_MB_s", "*,262.1,")
    host.check(same, "bw --json", lacks, '*"write_bytes_s": null*', '!*"read_bytes_s": null*', "!*upi*")

# How a host is made, and a message of an error
@facts({
    "without rights it says which are needed": (lambda h: h.moving().forbidden().paranoid(3),
        "counting needs root, or CAP_SYS_ADMIN while kernel.perf_event_paranoid is above 2"),
    "without events of bandwidth adopt is named": (
        lambda h: h.moving().remove("uncore_*/events", "cxl_pmu_*/events"),
        "no PMU has events for bandwidth; *pmonctl adopt"),
    "CXL memory that nothing counts needs its module": (lambda h: h.expander(), "modprobe pmon_cxl"),
    "a module that is loaded is not to be loaded": (lambda h: h.expander().live("pmon_cxl"), "pmonctl: ", "modprobe")})
def test_error_fact(host, fact):
    make, message, *missing = fact
    make(host)
    run = host.pmonctl("bw", status=2, err=message)
    assert not run.out and not [word for word in missing if word in run.err]
    host.check(same, "--json bw", (2, message), {"format": 3, "error": run.err.strip().removeprefix("pmonctl: ")})

def test_a_key_shows_boxes_and_ends_no_interval(moving):
    moving.put("keys", 1)
    run = moving.on_terminal("bw --watch -n 3 --kind memory", keys="b")
    run.shows("*every 1 s, in MB/s; PEAK: of TOTAL", "uncore_imc_0 0 - 2097 0 2097 2097 ###*")
    run.lacks("*####*")

def test_q_ends_the_screen_here_before_its_first_numbers(moving):
    moving.put("keys", 1).on_terminal("bw --watch -n 2", keys="q").lacks("*MB/s*")

def test_the_interval_on_a_screen_is_exact(moving):
    moving.on_terminal("bw --watch -i 0.25 -n 1").shows("*every 0.25 s, in MB/s*")

def test_a_whole_history_fits_beside_rates_of_seven_digits(moving):
    moving.edit("counts", "([1-9][0-9]*)$", r"\g<1>00")
    run = moving.on_terminal("bw --watch -n 45 --kind memory")
    run.shows("memory all 2936013 419430 3355443 3355443 ########################").lacks("*>")

# The events of socket 1 are opened again every 4 s, the clock of socket 0 stays open.
def test_events_that_are_opened_again_leave_no_file_open(host):
    host.goes_off("2000", "4000", 30000).box("uncore_cha_0", 40, "0,8", "clockticks=1@2000000,2000000")
    host.edit("sbin/pause", r"\$to != 2000", "$((to % 4000)) != 2000")
    host.edit("sbin/pause", r"\$to != 4000", "$((to % 4000)) != 0")
    host.edit("sbin/pause", "^cpus", 'ls "/proc/$PPID/fd" | wc -l >>"$root/open"\ncpus')
    host.pmonctl("bw --watch --csv --kind memory", err="all sockets are counted again")
    opened = [int(line) for line in host.read("open").split()]
    assert max(opened[-8:]) == max(opened[:8])

# ---- hosts with boxes that are frozen, unresponsive, in use, or offline

FROZEN = "socket 1: boxes are frozen by firmware; this kernel's intel_uncore leaves them so; "
MAYBE = "boxes count nothing and may be frozen by firmware"

def frozen_all(host):
    """Freeze the boxes of both packages, which have no CHAs."""
    return host.edit("counts", "^([235]0 [0-9a-f]+ [08]) .*", r"\1 0")

def unresponsive(host):
    """Let a box not respond: the driver reads all ones, and its event ends in error."""
    host.left_to("openpmon").recount(20, 5, 0, "8 0 0 0 500 60000")
    return host.put("uncore_imc_0/unresponsive", "0 1", "1 0").put("uncore_imc_0/disturbed", "0 1", "1 0")

UPI_0 = "1049 10486 11534"
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
def test_unknown_fact(moving, fact):
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
