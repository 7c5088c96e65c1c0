# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl metrics on hosts with events that count. cases/tools/metrics.sh runs promtool.

8 counts of 0.25 MiB a ms are 2000 MiB/s, the rate of the first of a package's two boxes. The
second box has 12000 MiB/s. Events of a box take turns, and are scaled to the whole time.
"""
import fnmatch

import pytest

from host import VERSION
from result import facts

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

def limited(kind, part, reason, package=0, domain=1):
    return (f'openpmon_{kind}_total{{package="{package}",domain="{domain}",part="{part}",'
            f'reason="{reason}"}}')

def ends_in(host, begin, heals):
    """Let an event of the first box, and a clock, be in error state between two times."""
    host.box("uncore_cha_0", 40, 0, "clockticks=1").append("counts", f"40 1 0 2000000 0 0 0 {begin} {heals}")
    return host.recount(20, 5, 0, f"8 0 0 0 {begin} {heals}")

def hbm(host, scale=0.25):
    host.box("uncore_mchbm_0", 33, 0, f"cas_count_read=5*{scale}", "cas_count_write=6*0.25")
    return host.rates("33 0 5=2 6=1")

def ports(host):
    """Make a CXL port, and one of the host, whose event counts in both packages."""
    host.cxl_pmu(71, "cxl_pmu_port_0000_c0_00_0.0", 16384)
    host.box("uncore_cxlcm_2", 82, "0,8", "rxc_pack_buf_inserts.mem_data=41*0.25")
    return host.rates("82 0 41=4\n82 8 41=8")

def in_node(host):
    host.region(0, "mem0", "0x2080000000")
    return host.put("sys/bus/cxl/devices/region0/dax_region0/dax0.0/target_node", 2)

def frozen(host):
    return host.stands_still().box("uncore_cha_0", 40, "0,8", "clockticks=1").rates("40 0 1=2000000\n40 8 1=0")

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
    "HBM is no memory of DIMMs": (hbm, "--for 4", {
        MEMORY: 4 * 14000 * MIB, 'openpmon_hbm_read_bytes_total{package="0"}': 4 * 500 * MIB,
        'openpmon_hbm_written_bytes_total{package="0"}': 4 * 250 * MIB, 'openpmon_unknown_boxes{kind="hbm"}': 0}),
    # 8000 counts of 10^-7 MiB are 838.86 bytes.
    "bytes are whole numbers": (
        lambda h: hbm(h, "0.0000001"), "--for 4", {'openpmon_hbm_read_bytes_total{package="0"}': 839}),
    "each millisecond is measured": (lambda h: h, "--for 1.001", {"openpmon_measured_seconds_total": 1.001}),
    "bytes of a CXL card have the node of its memory": (in_node, "--for 4", {
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
        frozen, "--for 1", {UNKNOWN: 2, MEMORY: 14000 * MIB, CYCLES: 2000000000, **NO_BYTES}),
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
        lambda h: h.recount(20, 5, 0, "8 0 0 60000"), "--for 16", {UNKNOWN: 1, MEMORY: None})})
def test_fact(moving, fact):
    change, options, expected, *err = fact
    found = metrics(change(moving), options, status=len(err), err=err)
    assert {name: found.get(name, named(found, name) or None) for name in expected} == expected

def test_loaded_modules_have_series_and_the_service_does_not_keep_them_out(moving):
    moving.live("pmon", "pmon_plr").put("proc/sys/kernel/osrelease", "6.18-tree")
    moving.put("var/lib/openpmon/strikes/6.18-tree 9.1", "1 100")
    moving.put("var/lib/openpmon/strikes/6.18 9.1", "2 100")
    found = metrics(moving)
    for module in "pmon", "pmon_plr":
        assert found[f'openpmon_module_info{{module="{module}",version="{VERSION}"}}'] == 1
    assert not named(found, "*pmon_uncore*")
    assert found[f'openpmon_out{{kernel="6.18-tree",version="{VERSION}"}}'] == 0

def test_the_service_that_keeps_openpmon_out_has_a_series_where_nothing_is_left_to_count(host):
    host.discovery_function().put("proc/sys/kernel/osrelease", "6.18-tree")
    host.put("var/lib/openpmon/strikes/6.18-tree 9.1", "2 100")
    found = metrics(host, status=1, err="the service keeps openpmon's modules out")
    assert found['openpmon_out{kernel="6.18-tree",version="9.1"}'] == 1
    assert not named(found, "*module_info*")

# Without adopt no event counts links, or what is written through stacks.
def test_traffic_that_no_event_counts_has_no_series(moving):
    moving.left_to("intel_uncore").events_of_kernel()
    found = metrics(moving, err="upi, iio write: * pmonctl adopt uncore")
    assert named(found, 'openpmon_iio_received_bytes_total{package="0"}')
    assert not named(found, "openpmon_iio_sent*") and not named(found, "openpmon_upi*")

@pytest.fixture
def off_and_on(host):
    """Make a function that takes all CPUs of the second package offline for a time."""
    def make(begin, until):
        host.goes_off(begin, until, 20000).box("uncore_cha_0", 40, "0,8", "clockticks=1")
        return host.rates("40 0 1=2000000\n40 8 1=2000000")
    return make

# The package's totals lack the time in which its CPUs were offline.
def test_a_package_whose_cpus_were_offline_counts_again(off_and_on):
    found = metrics(off_and_on(4000, 6000), "--for 16", err=[
        "socket 1: not counted, all of its CPUs ", "all sockets are counted again"])
    cycles = found['openpmon_uncore_cycles_total{package="1"}']
    assert found[UNKNOWN] == 0 and 20e9 <= cycles < 30e9 and cycles % 1e7 == 0
    assert 'openpmon_memory_read_bytes_total{package="1"}' in found

def test_a_package_has_no_cycles_while_its_cpus_are_offline(off_and_on):
    found = metrics(off_and_on(4000, 20000), "--for 16", err="socket 1: not counted, ")
    assert found[CYCLES] == 32000000000 and not named(found, '*cycles_total{package="1"}*')

@pytest.fixture
def limits(moving):
    """Limit the die and two modules by POWER for 1 s before the start, and again after it.

    After the start POWER limits one module twice, for 2.5 s in total, and the other module and the
    die once, for 1.25 s.
    """
    moving.domain(0, 1, "0-2").core(0, 1, 2, "0-1", "POWER").core(0, 1, 3, 2, "POWER")
    for part in "die", "core2", "core3":
        moving.put(f"pkg0-dom1/plr/{part}/time_in_reason", "observed 1000 2 - 1",
                   "POWER 1000 2 - 3", "THERMAL 0 - - 0")
    moving.passing("""
        [ "$from" = 0 ] || exit
        cd "$class/pkg0-dom1/plr"
        printf '%s\\n' 'observed 3600 2 - 1' 'POWER 3500 2 - 5' 'POWER_PKG_PL1_MMIO 2000 2 - 1' \\
            'THERMAL 0 - - 0' >core2/time_in_reason
        printf '%s\\n' 'observed 3600 2 - 1' 'POWER 2250 2 - 4' |
            tee die/time_in_reason >core3/time_in_reason""")
    return moving.zone(":0", "package-0", 350, energy_uj=2500000, constraint_1_name="short_term")

def test_limits_are_counted_since_the_start_and_fine_ones_apart(limits):
    found = metrics(limits, "--for 2")
    assert found[limited("limited_seconds", "modules", "POWER")] == 3.75
    assert found[limited("limited_seconds", "die", "POWER")] == 1.25
    assert found[limited("limited_times", "modules", "POWER")] == 3
    assert found[limited("limited_times", "die", "POWER")] == 1
    assert found[limited("limited_fine_seconds", "modules", "POWER_PKG_PL1_MMIO")] == 2
    assert found[limited("limited_fine_times", "modules", "POWER_PKG_PL1_MMIO")] == 1
    assert found['openpmon_observed_seconds_total{package="0",domain="1",part="modules"}'] == 5.2
    assert found['openpmon_watched_modules{package="0",domain="1"}'] == 2
    assert not named(found, "openpmon_limited_seconds*_PL1*")
    assert not named(found, 'openpmon_limited_fine*"POWER"*') and not named(found, "*core*")

def test_a_reason_of_modules_has_series_of_0_before_it_limits_for_the_first_time(limits):
    found = metrics(limits)
    assert found[limited("limited_seconds", "modules", "RAS")] == 0
    assert found[limited("limited_times", "modules", "PLATFORM")] == 0
    assert limited("reason_observed_seconds", "modules", "RAS") in found
    assert found[limited("limited_fine_seconds", "modules", "POWER_PKG_PL1_PCS")] == 0
    for pattern in '*part="die",reason="RAS"*', "*PROCHOT*", "*RSVD*":
        assert not named(found, pattern)

def test_limits_of_a_die_that_nobody_has_monitored_have_no_series(limits):
    limits.remove("sbin/pause").pauses()
    for part in "die", "core2", "core3":
        limits.put(f"pkg0-dom1/plr/{part}/time_in_reason", "observed 0 - -", "POWER 0 - - 0 0")
    found = metrics(limits)
    assert not named(found, "openpmon_limited*") and not named(found, "*observed_seconds*")
    assert found['openpmon_watched_modules{package="0",domain="1"}'] == 0

def test_a_mesh_that_answers_is_no_module(limits):
    found = metrics(limits.put("pkg0-dom1/plr/mesh0/reasons", "none"), "--for 2")
    assert found['openpmon_watched_modules{package="0",domain="1"}'] == 2
    assert len(named(found, "openpmon_watched_modules*")) == 1 and not named(found, "*mesh*")

def test_help_says_that_a_number_of_times_is_of_onsets(limits):
    limits.pmonctl("metrics").has("# HELP openpmon_limited_times_total Onsets *")

@pytest.fixture
def own_time(limits):
    """Observe FREQUENCY for 0.1 s in two modules; it limits one of them for all of this time."""
    for part in "core2", "core3":
        limits.put(f"pkg0-dom1/plr/{part}/time_in_reason", "observed 1000 2 - 1",
                   "POWER 1000 2 - 3 1500", "FREQUENCY 0 - - 0 0", "FREQUENCY_CDYN0 0 - - 0 0")
    return limits.passing("""
        [ "$from" = 0 ] || exit
        cd "$class/pkg0-dom1/plr"
        printf '%s\\n' 'observed 3600 2 - 1' 'POWER 3500 2 - 5 3600' 'FREQUENCY 100 2 - 1 100' \\
            'FREQUENCY_CDYN0 0 - - 0 100' >core2/time_in_reason
        printf '%s\\n' 'observed 3600 2 - 1' 'POWER 2250 2 - 4 2900' 'FREQUENCY 0 - - 0 100' \\
            'FREQUENCY_CDYN0 0 - - 0 100' >core3/time_in_reason""")

def test_each_reason_has_its_own_observed_time(own_time):
    found = metrics(own_time, "--for 2")
    assert found[limited("reason_observed_seconds", "modules", "POWER")] == 3.5
    assert found[limited("reason_observed_seconds", "modules", "FREQUENCY")] == 0.2
    assert found[limited("limited_seconds", "modules", "FREQUENCY")] == 0.1
    assert found['openpmon_observed_seconds_total{package="0",domain="1",part="modules"}'] == 5.2
    assert not named(found, "*CDYN*")

def test_the_record_of_an_older_driver_has_one_observed_time_for_all_reasons(limits):
    assert metrics(limits, "--for 2")[limited("reason_observed_seconds", "modules", "POWER")] == 5.2

def test_an_older_driver_does_not_count_onsets(limits):
    limits.edit("sbin/pause", " [0-9]'", "'").edit("pkg0-dom1/plr/*/time_in_reason", " [0-9]'", "'")
    found = metrics(limits, "--for 2")
    assert found[limited("limited_seconds", "modules", "POWER")] == 3.75
    assert not named(found, "*limited_times*modules*POWER*")

def test_the_value_of_a_label_is_escaped(moving):
    moving.discovery(0).put("pkg0-uncore0/platform", 'a"b\\c', "d")
    run = moving.pmonctl("metrics")
    assert f'openpmon_info{{version="{VERSION}",platform="a\\"b\\\\c\\nd"}} 1\n' in run.out

def test_modules_adds_series_of_each_module(limits):
    found = metrics(limits, "--modules --for 2")
    assert found[limited("limited_seconds", "core2", "POWER")] == 2.5
    assert found[limited("limited_times", "core3", "POWER")] == 1
    assert found[limited("limited_seconds", "modules", "POWER")] == 3.75

@pytest.fixture
def six(host):
    """Make two sockets of three dies of 43 modules; FREQUENCY limits all, THERMAL one of a die."""
    host.discovery_function().folder("sys/class/pmon").pauses()
    return host.dies(2, 3, lambda socket, die, module: {
        "FREQUENCY": 9, "FREQUENCY_CDYN0": 9, **({"THERMAL": 9} if module == 7 else {})})

@pytest.fixture
def grows(six):
    """Let the records of six() grow while pmonctl counts."""
    return six.passing("sed -i -E 's/ 9000(000)?( |$)/ 9900\\1\\2/g' \"$class\"/*/plr/*/time_in_reason")

def test_a_record_that_was_not_read_in_this_time_has_no_time_to_divide_by(six):
    found = metrics(six, status=1, err="no PMU has events")
    for kind in "limited_seconds", "reason_observed_seconds":
        assert found[limited(kind, "modules", "FREQUENCY", 0, 0)] == 0
    assert not named(found, "*unknown_boxes*")

def series(found):
    return sum(len(named(found, f"openpmon_{kind}*"))
               for kind in ("limited", "observed", "reason", "watched"))

# Modules of a die have 50 series: watched, observed, 3 each of ten coarse reasons and of six fine
# ones that alerts name; here also 3 of CDYN0. The die has the observed time.
def test_a_host_with_258_modules_has_six_sets_of_series(grows):
    assert series(metrics(grows, status=1, err="no PMU has events")) == 6 * (50 + 3 + 1)

def test_a_host_with_258_modules_has_many_series_with_modules(grows):
    assert series(metrics(grows, "--modules", status=1, err="no PMU has events")) > 1000

def test_power_of_a_package_has_series_as_far_as_it_can_be_read(limits):
    found = metrics(limits)
    assert found['openpmon_package_energy_joules_total{package="0"}'] == 2.5
    assert found['openpmon_package_power_limit_watts{package="0",limit="long_term"}'] == 350
    assert not named(found, "*short_term*")

def test_limits_take_no_rights(limits):
    found = metrics(limits.forbidden(), "--for 2", status=1, err="counting needs root")
    assert named(found, 'openpmon_limited_seconds_total{package="0",*reason="POWER"}')
    assert not named(found, "openpmon_memory*")

# After a reload of the driver its times begin at 0; totals must not decrease.
def test_a_time_may_begin_anew(limits):
    limits.forbidden().put("pkg0-dom1/plr/core2/time_in_reason", "POWER 5000 2 -")
    limits.put("pkg0-dom1/plr/core3/time_in_reason", "POWER 2250 2 -")
    limits.edit("sbin/pause", "3500", "250")
    found = metrics(limits, "--for 2", status=1, err="counting needs root")
    assert found[limited("limited_seconds", "modules", "POWER")] == 0.25

def test_the_record_of_a_device_that_comes_is_of_before_the_start(limits):
    limits.forbidden().remove("pkg0-dom1/plr/core?/time_in_reason")
    found = metrics(limits, "--for 2", status=1, err="counting needs root")
    assert found[limited("limited_seconds", "modules", "POWER")] == 0

# The module has been limited for three years.
def test_a_long_time_is_in_milliseconds_too(limits):
    limits.edit("sbin/pause", "POWER 3500", "POWER 99000003500")
    assert metrics(limits, "--modules --for 2")[limited("limited_seconds", "core2", "POWER")] == \
        99000002.5
