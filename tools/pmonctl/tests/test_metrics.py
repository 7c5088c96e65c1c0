# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl metrics on hosts with events that count. cases/tools/metrics.sh runs promtool.

8 counts of 0.25 MiB a ms are 2000 MiB/s, the rate of the first of a package's two boxes. The
second box has 12000 MiB/s. Events of a box take turns, and are scaled to the whole time.
"""
import fnmatch
import itertools
import textwrap

import pytest

from host import VERSION
from result import facts, same

MIB = 1 << 20
MEMORY = 'openpmon_memory_read_bytes_total{package="0"}'
MEMORY_1 = 'openpmon_memory_read_bytes_total{package="1"}'
CYCLES = 'openpmon_uncore_cycles_total{package="0"}'
CXL = 'openpmon_cxl_read_bytes_total{pmu="cxl_pmu_mem0.0"}'
UNKNOWN = 'openpmon_unknown_boxes{kind="memory"}'

def samples(text):
    """Return {series: value} of the metrics in a text."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}

def metrics(host, command="", **how):
    """Run `pmonctl metrics`, and return its samples."""
    __tracebackhide__ = True
    return samples(host.pmonctl("metrics " + command, **how).out)

def named(found, pattern):
    """Return the series whose names match a pattern of the shell, without brackets."""
    return fnmatch.filter(found, pattern)

def has_series(host, change, options, expected, err=(), status=None):
    """Change a host; run metrics, which must have these values, or None for a pattern that no series matches."""
    __tracebackhide__ = True
    found = metrics(change(host), options, status=int(bool(err)) if status is None else status, err=err)
    assert {name: found.get(name, named(found, name) or None) for name in expected} == expected

def limited(kind, part, reason, package=0, domain=1):
    return (f'openpmon_{kind}_total{{package="{package}",domain="{domain}",part="{part}",'
            f'reason="{reason}"}}')

def loaded(host):
    """Load two modules. The service counts one failed boot of this kernel, and two of another."""
    host.live("pmon", "pmon_plr").put("proc/sys/kernel/osrelease", "6.18-tree")
    return host.strikes("6.18-tree 9.1", 1).strikes("6.18 9.1", 2)

def ends_in(host, begin, heals):
    """Let an event of the first box, and a clock, be in error state between two times."""
    host.box("uncore_cha_0", 40, 0, f"clockticks=1@2000000 0 0 0 {begin} {heals}")
    return host.recount(20, 5, 0, f"8 0 0 0 {begin} {heals}")

def ports(host):
    """Make a CXL port, and one of the host, whose event counts in both packages."""
    host.cxl_pmu(71, "cxl_pmu_port_0000_c0_00_0.0", 16384)
    return host.box("uncore_cxlcm_2", 82, "0,8", "rxc_pack_buf_inserts.mem_data=41*0.25@4,8")

NO_BYTES = {f'openpmon_{kind}{{package="1"}}': None for kind in ("memory*", "upi*", "uncore*")}
UNKNOWN_CXL = 'openpmon_unknown_boxes{kind="cxl"}'
SECONDS = 'openpmon_cxl_request_seconds_total{pmu="cxl_pmu_mem0.0",way="read"}'
REQUESTS = 'openpmon_cxl_requests_total{pmu="cxl_pmu_mem0.0",way="read"}'

# How a host is changed, options, and values of series, or None where no series matches a pattern.
# Events of a box take turns of a second each, so four events have four turns in 16 s.
@facts({
    "packages, nodes, stacks and devices have bytes": (lambda h: h.nodes("0-7", "8-15"), "--for 1", {
        MEMORY: 14000 * MIB, CXL: 1000 * MIB, UNKNOWN: 0,
        'openpmon_memory_written_bytes_total{package="0"}': 0,
        'openpmon_memory_written_bytes_total{package="1"}': 4000 * MIB,
        'openpmon_memory_node_written_bytes_total{package="1",node="1"}': 4000 * MIB,
        'openpmon_upi_received_bytes_total{package="0"}': 1000 * MIB,
        'openpmon_upi_sent_bytes_total{package="0"}': 10000 * MIB,
        'openpmon_iio_sent_bytes_total{package="0"}': 500 * MIB,
        'openpmon_iio_stack_sent_bytes_total{package="0",stack="3"}': 500 * MIB}),
    "HBM is no memory of DIMMs": (lambda h: h.hbm(), "--for 4", {
        MEMORY: 4 * 14000 * MIB, 'openpmon_hbm_read_bytes_total{package="0"}': 4 * 500 * MIB,
        'openpmon_hbm_written_bytes_total{package="0"}': 4 * 250 * MIB, 'openpmon_unknown_boxes{kind="hbm"}': 0}),
    # 8000 counts of 10^-7 MiB are 838.86 bytes.
    "bytes are whole numbers": (
        lambda h: h.hbm("0.0000001"), "--for 4", {'openpmon_hbm_read_bytes_total{package="0"}': 839}),
    "each millisecond is measured": (same, "--for 1.001", {"openpmon_measured_seconds_total": 1.001}),
    "bytes of a CXL card have the node of its memory": (lambda h: h.in_node(), "--for 4", {
        'openpmon_cxl_read_bytes_total{pmu="cxl_pmu_mem0.0",node="2"}': 4000 * MIB}),
    "ports of CXL devices and of the host have series": (ports, "--for 4", {
        'openpmon_cxl_port_read_bytes_total{pmu="cxl_pmu_port_0000_c0_00_0.0"}': 4194304000,
        'openpmon_cxl_host_read_bytes_total{pmu="uncore_cxlcm_2",package="1"}': 8388608000,
        "openpmon_cxl_host_written*": None}),
    # A request takes 340 clocks of 2 GHz, 10^7 are made a second. Two events and two groups take turns.
    "requests have a time and a number": (lambda h: h.latency(), "--for 32", {
        SECONDS: 54.4, REQUESTS: 320000000, '*way="write"*': None}),
    # The second turn of the reads' group ends at 14 s. From 16 s on, fewer than one waits on average.
    "requests of turns without an average are left out": (
        lambda h: h.latency().recount(70, "1e9800310001", 0, "3400000 -2400000 16000"), "--for 32",
        {SECONDS: 23.8, REQUESTS: 140000000}),
    "clocks and requests are no bytes": (lambda h: h.latency(), "--for 4", {CXL: 4 * 1000 * MIB, UNKNOWN_CXL: 0}),
    "clocks and requests take no counter": (
        lambda h: h.latency().recount(70, "1e9800310001", 0, "EBUSY"), "--for 4",
        {CXL: 4 * 1000 * MIB, UNKNOWN_CXL: 0}),
    "a box that cannot be counted makes no sum": (
        lambda h: h.recount(20, 5, 0, "EBUSY"), "--for 1", {UNKNOWN: 1, MEMORY: None, MEMORY_1: 14000 * MIB},
        "all counters are in use"),
    "frozen boxes have no series": (
        lambda h: h.frozen(), "--for 1", {UNKNOWN: 2, MEMORY: 14000 * MIB, CYCLES: 2000000000, **NO_BYTES}),
    "an event in error makes no sum": (
        lambda h: ends_in(h, 4500, 60000), "--for 16", {UNKNOWN: 1, MEMORY: None, CYCLES: None}),
    # In the first box the second turn of an event, from 4 to 5 s, fails; its third turn counts for
    # the time since 5 s. The clock of 2 GHz misses the time from 4.5 to 6 s.
    "an event that ended in error counts again without the time it missed": (
        lambda h: ends_in(h, 4500, 6000), "--for 16",
        {UNKNOWN: 0, CYCLES: 29000000000, MEMORY: (16 * 12000 + 12 * 2000) * MIB}),
    "an unresponsive box makes no sum before its events fail": (
        lambda h: h.put("uncore_imc_0/unresponsive", "0 1", "1 0"), "--for 1",
        {UNKNOWN: 1, MEMORY: None, MEMORY_1: 14000 * MIB}),
    # The event has no counter from its first turn to its second, so totals lack that time.
    "a long time without a counter is not made up for": (
        lambda h: h.recount(20, 5, 0, "8 0 0 7000"), "--for 16", {MEMORY: (16 * 12000 + 11 * 2000) * MIB}),
    "a box is unknown until its event has a counter": (
        lambda h: h.recount(20, 5, 0, "8 0 0 60000"), "--for 16", {UNKNOWN: 1, MEMORY: None}),
    "a package has no cycles while its CPUs are offline": (
        lambda h: off_and_on(h, 4000, 20000), "--for 16", {CYCLES: 32000000000, '*cycles_total{package="1"}*': None},
        "socket 1: not counted, ", 0),
    # Without adopt no event counts links, or what is written through stacks.
    "traffic that no event counts has no series": (
        lambda h: h.left_to("intel_uncore").events_of_kernel(), "", {
            'openpmon_iio_received_bytes_total{package="0"}': 250 * MIB, "openpmon_iio_sent*": None,
            "openpmon_upi*": None}, "upi, iio write: * pmonctl adopt uncore", 0),
    "loaded modules have series, and the service does not keep them out": (loaded, "", {
        **{f'openpmon_module_info{{module="{module}",version="{VERSION}"}}': 1 for module in ("pmon", "pmon_plr")},
        f'openpmon_out{{kernel="6.18-tree",version="{VERSION}"}}': 0, "*pmon_uncore*": None})})
def test_fact(moving, fact):
    has_series(moving, *fact)

def test_the_service_that_keeps_openpmon_out_has_a_series_where_nothing_is_left_to_count(host):
    host.discovery_function().put("proc/sys/kernel/osrelease", "6.18-tree")
    found = metrics(host.strikes("6.18-tree 9.1", 2), status=1, err="the service keeps openpmon's modules out")
    assert found['openpmon_out{kernel="6.18-tree",version="9.1"}'] == 1
    assert not named(found, "*module_info*")

def off_and_on(host, begin, until):
    """Take all CPUs of the second package offline for a time."""
    return host.goes_off(begin, until, 20000).box("uncore_cha_0", 40, "0,8", "clockticks=1@2000000,2000000")

# The package's totals lack the time in which its CPUs were offline.
def test_a_package_whose_cpus_were_offline_counts_again(host):
    found = metrics(off_and_on(host, 4000, 6000), "--for 16", err=[
        "socket 1: not counted, all of its CPUs ", "all sockets are counted again"])
    cycles = found['openpmon_uncore_cycles_total{package="1"}']
    assert found[UNKNOWN] == 0 and 20e9 <= cycles < 30e9 and cycles % 1e7 == 0
    assert MEMORY_1 in found

def test_the_value_of_a_label_is_escaped(moving):
    moving.discovery(0).put("pkg0-uncore0/platform", 'a"b\\c', "d")
    run = moving.pmonctl("metrics")
    assert f'openpmon_info{{version="{VERSION}",platform="a\\"b\\\\c\\nd"}} 1\n' in run.out

def six(host):
    """Make two sockets of three dies of 43 modules; FREQUENCY limits all, THERMAL one of a die."""
    host.discovery_function().folder("sys/class/pmon").pauses()
    return host.dies(2, 3, lambda socket, die, module: {
        "FREQUENCY": 9, "FREQUENCY_CDYN0": 9, **({"THERMAL": 9} if module == 7 else {})})

def test_a_record_that_was_not_read_in_this_time_has_no_time_to_divide_by(host):
    found = metrics(six(host), status=1, err="no PMU has events")
    for kind in "limited_seconds", "reason_observed_seconds":
        assert found[limited(kind, "modules", "FREQUENCY", 0, 0)] == 0
    assert not named(found, "*unknown_boxes*")

# Modules of a die have 50 series: watched, observed, 3 each of ten coarse reasons and of six fine
# ones that alerts name; here also 3 of CDYN0. The die has the observed time.
@pytest.mark.parametrize("options, least, most", [
    ("", 6 * (50 + 3 + 1), 6 * (50 + 3 + 1)), ("--modules", 1000, 100000)], ids=["six sets", "of each module"])
def test_a_host_with_258_modules_has_series(host, options, least, most):
    six(host).passing("sed -i -E 's/ 9000(000)?( |$)/ 9900\\1\\2/g' \"$class\"/*/plr/*/time_in_reason")
    found = metrics(host, options, status=1, err="no PMU has events")
    assert least <= sum(len(named(found, f"openpmon_{kind}*")) for kind in (
        "limited", "observed", "reason", "watched")) <= most

# ---- limits

def with_limits(host):
    """Limit the die and two modules by POWER for 1 s; after the start one module twice for 2.5 s, others for 1.25 s."""
    host.domain(0, 1, "0-2").core(0, 1, 2, "0-1", "POWER").core(0, 1, 3, 2, "POWER")
    for part in "die", "core2", "core3":
        host.put(f"pkg0-dom1/plr/{part}/time_in_reason", "observed 1000 2 - 1",
                 "POWER 1000 2 - 3", "THERMAL 0 - - 0")
    host.passing("""
        [ "$from" = 0 ] || exit
        cd "$class/pkg0-dom1/plr"
        printf '%s\\n' 'observed 3600 2 - 1' 'POWER 3500 2 - 5' 'POWER_PKG_PL1_MMIO 2000 2 - 1' \\
            'THERMAL 0 - - 0' >core2/time_in_reason
        printf '%s\\n' 'observed 3600 2 - 1' 'POWER 2250 2 - 4' |
            tee die/time_in_reason >core3/time_in_reason""")
    return host.zone(":0", "package-0", 350, energy_uj=2500000, constraint_1_name="short_term")

def own_time(host):
    """Observe FREQUENCY for 0.1 s in two modules; it limits one of them for all of this time."""
    for part in "core2", "core3":
        host.put(f"pkg0-dom1/plr/{part}/time_in_reason", "observed 1000 2 - 1",
                 "POWER 1000 2 - 3 1500", "FREQUENCY 0 - - 0 0", "FREQUENCY_CDYN0 0 - - 0 0")
    return host.passing("""
        [ "$from" = 0 ] || exit
        cd "$class/pkg0-dom1/plr"
        printf '%s\\n' 'observed 3600 2 - 1' 'POWER 3500 2 - 5 3600' 'FREQUENCY 100 2 - 1 100' \\
            'FREQUENCY_CDYN0 0 - - 0 100' >core2/time_in_reason
        printf '%s\\n' 'observed 3600 2 - 1' 'POWER 2250 2 - 4 2900' 'FREQUENCY 0 - - 0 100' \\
            'FREQUENCY_CDYN0 0 - - 0 100' >core3/time_in_reason""")

def unmonitored(host):
    for part in "die", "core2", "core3":
        host.put(f"pkg0-dom1/plr/{part}/time_in_reason", "observed 0 - -", "POWER 0 - - 0 0")
    return host.remove("sbin/pause").pauses()

def anew(host):
    """Let the driver be loaded again: its times begin at 0, and totals must not decrease."""
    host.forbidden().put("pkg0-dom1/plr/core2/time_in_reason", "POWER 5000 2 -")
    return host.put("pkg0-dom1/plr/core3/time_in_reason", "POWER 2250 2 -").edit("sbin/pause", "3500", "250")

POWER_SECONDS = limited("limited_seconds", "modules", "POWER")
POWER_TIMES = limited("limited_times", "modules", "POWER")
POWER_OBSERVED = limited("reason_observed_seconds", "modules", "POWER")
OBSERVED = 'openpmon_observed_seconds_total{package="0",domain="1",part="modules"}'
WATCHED = 'openpmon_watched_modules{package="0",domain="1"}'
RIGHTS = "counting needs root"

@facts({
    "limits are counted since the start, and fine ones apart": (same, "--for 2", {
        POWER_SECONDS: 3.75, limited("limited_seconds", "die", "POWER"): 1.25,
        POWER_TIMES: 3, limited("limited_times", "die", "POWER"): 1,
        limited("limited_fine_seconds", "modules", "POWER_PKG_PL1_MMIO"): 2,
        limited("limited_fine_times", "modules", "POWER_PKG_PL1_MMIO"): 1, OBSERVED: 5.2, WATCHED: 2,
        "openpmon_limited_seconds*_PL1*": None, 'openpmon_limited_fine*"POWER"*': None, "*core*": None}),
    "a reason of modules has series of 0 before it limits for the first time": (same, "", {
        limited("limited_seconds", "modules", "RAS"): 0, limited("limited_times", "modules", "PLATFORM"): 0,
        limited("limited_fine_seconds", "modules", "POWER_PKG_PL1_PCS"): 0,
        limited("reason_observed_seconds", "modules", "RAS"): 5.2,
        '*part="die",reason="RAS"*': None, "*PROCHOT*": None, "*RSVD*": None}),
    "limits of a die without a monitor have no series": (unmonitored, "", {
        "openpmon_limited*": None, "*observed_seconds*": None, WATCHED: 0}),
    "a mesh that answers is no module": (lambda h: h.put("pkg0-dom1/plr/mesh0/reasons", "none"), "--for 2", {
        WATCHED: 2, "openpmon_watched_modules*": [WATCHED], "*mesh*": None}),
    "each reason has its own observed time": (own_time, "--for 2", {
        POWER_OBSERVED: 3.5, limited("reason_observed_seconds", "modules", "FREQUENCY"): 0.2,
        limited("limited_seconds", "modules", "FREQUENCY"): 0.1, OBSERVED: 5.2, "*CDYN*": None}),
    "the record of an older driver has one observed time for all reasons": (
        same, "--for 2", {POWER_OBSERVED: 5.2}),
    "an older driver does not count onsets": (
        lambda h: h.edit("sbin/pause", " [0-9]'", "'").edit("pkg0-dom1/plr/*/time_in_reason", " [0-9]'", "'"),
        "--for 2", {POWER_SECONDS: 3.75, POWER_TIMES: None}),
    "modules adds series of each module": (same, "--modules --for 2", {
        limited("limited_seconds", "core2", "POWER"): 2.5, limited("limited_times", "core3", "POWER"): 1,
        POWER_SECONDS: 3.75}),
    "power of a package has series as far as it can be read": (same, "", {
        'openpmon_package_energy_joules_total{package="0"}': 2.5, "*short_term*": None,
        'openpmon_package_power_limit_watts{package="0",limit="long_term"}': 350}),
    "limits take no rights": (
        lambda h: h.forbidden(), "--for 2", {POWER_SECONDS: 3.75, "openpmon_memory*": None}, RIGHTS),
    "a time may begin anew": (anew, "--for 2", {POWER_SECONDS: 0.25}, RIGHTS),
    "the record of a device that comes is of before the start": (
        lambda h: h.forbidden().remove("pkg0-dom1/plr/core?/time_in_reason"), "--for 2", {POWER_SECONDS: 0}, RIGHTS),
    "a time of three years is in milliseconds, too": (
        lambda h: h.edit("sbin/pause", "POWER 3500", "POWER 99000003500"), "--modules --for 2",
        {limited("limited_seconds", "core2", "POWER"): 99000002.5})})
def test_limits_fact(moving, fact):
    has_series(with_limits(moving), *fact)

def test_help_says_that_a_number_of_times_is_of_onsets(moving):
    with_limits(moving).pmonctl("metrics").shows("# HELP openpmon_limited_times_total Onsets *")

# ---- metrics --file, which writes a file anew each interval until a signal ends it

IIO = 'openpmon_iio_received_bytes_total{package="0"}'
ENERGY = 'openpmon_package_energy_joules_total{package="0"}'
ZONE = "sys/class/powercap/intel-rapl:0"

class Written:
    """Files that pmonctl writes in the directory `written`, with copies of each second."""

    def __init__(self, host):
        self.host = host.folder("written").folder("kept")

    def run(self, seconds, options="-i 4", script="", **how):
        """Run pmonctl for so long; copy pmon.prom, list files and count events in each pause."""
        __tracebackhide__ = True
        self.host.passing("""
            files=$root/written kept=$root/kept
            [ ! -e "$files/pmon.prom" ] || cp "$files/pmon.prom" "$kept/$from"
            [ ! -e "$files" ] || find "$files" -type f -printf "$from %i %m %f\\n" >>"$kept/names"
            ls -l "/proc/$PPID/fd" | grep -c "$root/counts$" >>"$kept/open"
            """ + textwrap.dedent(script), 1000 * seconds if seconds else None)
        run = self.host.pmonctl("metrics --file", self.host.at("written/pmon.prom"),
                                *options.split(), umask=0o077, **how)
        assert not run.out
        return self

    def at(self, second):
        """Return the samples of the file at a second."""
        return samples(self.host.read(f"kept/{second}000"))

    def gained(self, series, begin, end):
        """Return by how many MiB a series grew between two seconds."""
        return (self.at(end)[series] - self.at(begin)[series]) / MIB

    def open(self):
        """Return the numbers of open events in turn, and for how many pauses."""
        lines = self.host.read("kept/open").split()
        return [(int(number), len(list(turns))) for number, turns in itertools.groupby(lines)]

@pytest.fixture
def moves(moving):
    """Let one event of a box count at a time. PCIe devices write 250 MiB/s, and 1000 MiB/s from 6 s on."""
    for number in 20, 30, 50, 70:
        moving.put(f"counters/{number}", 1)
    return Written(moving.recount(60, 20, 0, "1 3 6000")).run(17)

def test_a_file_has_more_than_the_last_by_what_was_moved_since(moves):
    assert [moves.gained(IIO, 4, 8), moves.gained(IIO, 8, 12)] == [2500, 4000]
    assert [moves.gained(MEMORY, 8, 12), moves.gained(MEMORY, 12, 16)] == [56000, 56000]

def test_each_file_comes_whole_in_the_place_of_the_last_and_the_last_goes_at_the_end(moves):
    seen = [line.split() for line in moves.host.read("kept/names").splitlines()]
    times = [int(when) for when, *_ in seen]
    assert min(times) >= 4000 and len(set(times)) == len(times)
    assert {(mode, name) for _, _, mode, name in seen} == {("644", "pmon.prom")}
    assert len(list(itertools.groupby(inode for _, inode, _, _ in seen))) == 4
    for second in 4, 8, 12, 16:
        assert moves.host.read(f"kept/{second}000").splitlines()[-1].startswith("openpmon_")
    assert not moves.host.at("written/pmon.prom").exists()

def test_each_file_says_over_how_long_it_counted(moves):
    assert [moves.at(second)["openpmon_measured_seconds_total"] for second in (4, 16)] == [4, 16]

def test_no_more_events_are_opened_than_at_first(moves):
    assert moves.open() == [(24, 34)]

# From 4 to 8 s, the time of the second file, two turns of half a second fail. pmonctl enables the
# clock's event again after 1, 2, 4 and 8 failed reads, so the clock misses 4.25 to 8 s.
def test_a_file_lacks_what_was_missed_before_it(moving):
    moving.box("uncore_cha_0", 40, 0, "clockticks=1@2000000 0 0 0 4250 6250")
    moving.recount(20, 5, 0, "8 0 0 0 4250 6250")
    last = Written(moving).run(17).at(16)
    assert last[UNKNOWN] == 0 and last[CYCLES] == 24500000000
    assert last[MEMORY] == (16 * 12000 + 12 * 2000) * MIB

@pytest.mark.parametrize("interval", ["-i 1", "-i 2", ""])
def test_the_file_stays_after_the_time_that_was_asked_for(moving, interval):
    files = Written(moving).run(0, f"{interval} --for 3")
    assert "openpmon_measured_seconds_total 3.000\n" in files.host.read("written/pmon.prom")

def test_the_file_goes_if_a_signal_ends_the_time_that_was_asked_for(moving):
    files = Written(moving).run(6, "-i 1 --for 30")
    assert files.at(4) and not moving.at("written/pmon.prom").exists()

# The default interval of 15 s has 15 turns, which two or four events of a box share unevenly.
def test_files_grow_evenly_within_1_percent(moving):
    files = Written(moving).run(75, "")
    for name in MEMORY, IIO, 'openpmon_upi_sent_bytes_total{package="0"}':
        grown = [files.gained(name, begin, begin + 15) for begin in (15, 30, 45)]
        assert 0 < min(grown) and max(grown) <= 1.01 * min(grown)

def test_a_cxl_device_uses_three_counters_at_a_time(host):
    Written(host.latency().put("counters/70", 3)).run(17)

# If the event of a domain cannot be opened at first, pmonctl tries again until modules have values.
def test_the_event_of_a_domain_is_opened_again_before_the_last_is_closed(moving):
    moving.domain(0, 1, "0-1").core(0, 1, 2, "0-1", "POWER").core(0, 1, 3, "0-1", "POWER")
    moving.box("plr", 80, 0).append("counts", "80 40 0 EBUSY").put("gapless/80", 1)
    files = Written(moving).run(17, script="""
        counts=$(sed "s/ EBUSY$/ 0/" "$root/counts")
        [ "$from" != 4000 ] || echo "$counts" >"$root/counts" """)
    assert files.open() == [(24, 16), (25, 18)]

def test_a_module_that_comes_later_is_in_the_file(moving):
    moving.domain(0, 1, "0-1").core(0, 1, 2, 0, "none").domain(1, 1, 8).core(1, 1, 3, 8, "none")
    moving.box("plr", 80, "0,8").append("counts", "80 40 0 0", "80 40 8 0").put("gapless/80", 1)
    last = Written(moving).run(17, script="""
        cd "$class"
        [ "$to" -lt 5000 ] || mkdir -p pkg0-dom1/plr/core7
        for part in pkg?-dom1/plr/die pkg?-dom1/plr/core?; do
            echo "observed $to 2 1 0" >$part/time_in_reason
        done
        power=$((to < 13000 ? 0 : to < 15000 ? to - 13000 : 2000))
        [ "$to" -lt 5000 ] || echo "POWER $power 2 - 1" >>pkg0-dom1/plr/core7/time_in_reason
        """).at(16)
    assert last['openpmon_watched_modules{package="0",domain="1"}'] == 2
    assert last['openpmon_watched_modules{package="1",domain="1"}'] == 1
    assert last[limited("limited_seconds", "modules", "POWER")] == 2

# ---- energy, in the files at 4, 8, 12 and 16 s

GROWS = f'echo $(((550 + to / 10) % 1000))000000 >"$root/{ZONE}/energy_uj"'
# A package without online CPUs has no zone, here from 9 to 13 s.
AWAY = f"""
    zone=$root/{ZONE}
    [ "$from" != 9000 ] || mv "$zone" "$kept/zone"
    [ "$from" != 13000 ] || mv "$kept/zone" "$zone"
    [ ! -e "$zone" ] || {GROWS.replace("$root/" + ZONE, "$zone")}"""

def energies(host, script, wraps_at):
    """Return the joules in the files."""
    host.zone(":0", "package-0", energy_uj=2500000, max_energy_range_uj=wraps_at)
    files = Written(host).run(17, script=script)
    return [files.at(second).get(ENERGY) for second in (4, 8, 12, 16)]

@pytest.mark.parametrize("script, wraps_at, joules", [
    # The count wraps at 1000 J. It is 950 J in the first file, and gains 400 J every 4 s.
    (GROWS, 1000000000, [950, 1350, 1750, 2150]),
    # An interval is longer than the count lasts.
    (GROWS.replace("to / 10", "to * 2875 / 10000"), 1000000000, [700, 1850, 3000, 4150]),
    # When the zone is back, its count goes on.
    (AWAY, 1000000000, [950, 1350, None, 2150]),
    # At 9 s a reset lowers the count. A wrap instead would mean 262 kJ in half a second.
    (GROWS.replace("(550 + to / 10) % 1000", "550 + to / 10 - (to < 9000 ? 0 : 1000)"),
     262143328850, [950, 1350, 1700, 2100])],
    ids=["its count wraps", "its count lasts less than an interval", "its zone was away",
         "its count was reset"])
def test_energy_goes_on_where(moving, script, wraps_at, joules):
    assert energies(moving, script, wraps_at) == joules

def test_energy_begins_anew_where_its_zone_was_away_for_longer_than_its_count_lasts(moving):
    script = AWAY.replace("to / 10", "to * 2875 / 10000")
    before, last, none, new = energies(moving, script, 1000000000)
    assert [before, last, none] == [700, 1850, None]
    assert new < last

# ---- the directory: pmonctl writes into the one that it found at its start

def test_the_file_stays_in_its_directory_wherever_that_goes(moving):
    Written(moving).run(10, script="""
        [ "$from" != 4000 ] || { mv "$files" "$kept/moved" && mkdir "$files"; }
        [ ! -e "$kept/moved/pmon.prom" ] || cp "$kept/moved/pmon.prom" "$kept/there" """)
    assert not list(moving.at("written").iterdir()) and not list(moving.at("kept/moved").iterdir())
    assert "openpmon_measured_seconds_total 8.000\n" in moving.read("kept/there")

# The service does not try again after status 64.
def test_a_directory_that_is_missing_is_wrong_usage_and_is_not_made(moving):
    moving.pmonctl("metrics --file", moving.at("none/pmon.prom"), "-i", 4, status=64,
                   err="pmon.prom: No such file or directory")
    assert not moving.at("none").exists()
