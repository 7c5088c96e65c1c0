# SPDX-License-Identifier: GPL-2.0-only
"""CXL devices that go, come back different, or come later; and two CPMUs that count the same."""
import re

import pytest

from result import same

PMU = "cxl_pmu_mem0.0"
READ = r"^openpmon_cxl_read_bytes_total\{pmu=\"%s\"\} (\d+)$"

@pytest.fixture
def card(moving):
    """Let the device have a serial number and a link, as pmon_cxl's PMUs do."""
    moving.put(f"{PMU}/serial", "0x1")
    return moving.folder("0000:c1:00.0").link("../../../pci/devices/0000:c1:00.0", f"{PMU}/device")

def leaves(host, begin, until, number, end, more=""):
    """Let the device go at a time, and come back with a PMU of this type; end pmonctl at another."""
    pmu = f'"$root"/sys/bus/event_source/devices/{PMU}'
    host.edit("counts", "^(70 .* )([0-9]+)$", rf"\1\2 0 0 0 {begin} 999999")
    return host.passing(f"""
        [ $to != {begin} ] || rm {pmu}/device
        [ $to != {until} ] || {{
            echo {number} >{pmu}/type
            ln -s ../../../pci/devices/0000:c1:00.0 {pmu}/device
        }}
        {more}""", end)

OPEN = 'ls -l /proc/$PPID/fd | grep -c /counts >>"$root/open"'

def closed(host):
    """Return the number of events that were closed, after a first look at those that were open."""
    first, *_, last = host.read("open").split()
    return int(first) - int(last)

def test_events_of_a_device_that_is_gone_are_closed_and_the_reason_is_named(card):
    leaves(card, 1000, 0, 70, 3000, OPEN)
    card.pmonctl("bw --kind cxl -i 1 -n 3 --json", status=1, err="cxl_pmu_mem0.0: its device is gone")
    assert closed(card) == 2

def test_stat_closes_the_events_of_a_device_that_is_gone(card):
    leaves(card, 2000, 0, 70, None, OPEN)
    card.pmonctl("stat", *card.job(5000), err=["its device is gone", "cxl - ? ? ? ?"])
    assert closed(card) == 2

@pytest.fixture
def different(card):
    """Let the device count twice as much if it comes back as another PMU."""
    return card.append("counts", "71 1e9800250001 0 32768", "71 1e9800210002 0 0")

def test_a_device_that_comes_back_different_is_counted_again(different):
    leaves(different, 1000, 3000, 71, None)
    runs = different.pmonctl("bw --kind cxl -i 1 -n 6 --json").json_lines()
    rates = [each["flows"][0].get("read_bytes_s") for each in runs]
    assert rates[0] == 16384 * 64000 and rates[1:3] == [None, None] and rates[-1] == 32768 * 64000

def test_columns_of_csv_stay_while_a_device_is_gone(different):
    leaves(different, 1000, 3000, 71, None).cxl_pmu(72, "cxl_pmu_mem1.0", 16384)
    head, *lines = different.pmonctl("bw --kind cxl -i 1 -n 6 --csv").lines
    assert head == "time,cxl.read_MB_s,cxl.write_MB_s" and {line.count(",") for line in lines} == {2}
    assert lines[-1].split(",")[1] == "3145.7"

KEEPS = 'cp "$root/out.prom" "$root/last.prom" 2>/dev/null || :'

def last_file(host, seconds):
    """Run metrics for so long, and return the last file before the end."""
    host.pmonctl(f"metrics --for {seconds} -i 4 --file", host.root / "out.prom")
    return host.read("last.prom")

def test_metrics_go_on_with_a_device_that_comes_back_different(different):
    leaves(different, 4000, 6000, 71, None, KEEPS.replace("last", "$to"))
    different.pmonctl("metrics --for 16 -i 4 --file", different.root / "out.prom")
    total = [int(re.search(READ % PMU, different.read(f"{at}.prom"), re.M)[1]) for at in (8500, 12500)]
    assert total[1] - total[0] == 4 * 32768 * 64000

def test_metrics_add_a_device_that_comes_later(card):
    card.cxl_pmu(72, "cxl_pmu_mem1.0", 8192).folder("later")
    later = card.at("cxl_pmu_mem1.0").rename(card.root / "later/cxl_pmu_mem1.0")
    card.passing(f'[ $to != 10000 ] || mv {later} "$root/sys/bus/event_source/devices/"\n{KEEPS}')
    assert re.search(READ % "cxl_pmu_mem1.0", last_file(card, 80), re.M)

def test_a_device_that_is_gone_for_a_minute_is_dropped(card):
    assert 'openpmon_unknown_boxes{kind="cxl"}' not in last_file(leaves(card, 4000, 0, 70, None, KEEPS), 80)

def test_a_device_that_comes_back_after_it_was_dropped_is_counted_again(different):
    assert re.search(READ % PMU, last_file(leaves(different, 4000, 90000, 71, None, KEEPS), 140), re.M)

@pytest.fixture
def twins(moving):
    """Let the device have a second CPMU, which counts a little less, and another device."""
    moving.cxl_pmu(71, "cxl_pmu_mem0.1", 16000)
    return moving.cxl_pmu(72, "cxl_pmu_mem10.0", 1000)

def test_of_two_cpmus_of_a_device_the_row_has_the_one_that_counts_more(twins):
    twins.check(same, "bw --kind cxl", {"cxl -": "1113 0 1113"})
    twins.check(same, "bw --kind cxl --json", {"sockets/*/read_bytes_s": [17384 * 64000], "sockets/*/boxes": [2]})
    twins.check(same, "bw --kind cxl --boxes", {
        f"cxl - cxl_pmu_{pmu}": rate for pmu, rate in (
            ("mem0.0", "1049 0 1049"), ("mem0.1", "1024 0 1024"), ("mem10.0", "64 0 64"))})

def test_metrics_have_one_series_of_a_device_with_two_cpmus(twins):
    run = twins.pmonctl("metrics --for 2")
    assert re.findall(r'^openpmon_cxl_read_bytes_total.*', run.out, re.M) == [
        f'openpmon_cxl_read_bytes_total{{pmu="cxl_pmu_mem0.0"}} {2 * 16384 * 64000}',
        f'openpmon_cxl_read_bytes_total{{pmu="cxl_pmu_mem10.0"}} {2 * 1000 * 64000}']

def test_a_cpmu_that_counts_one_way_is_added(twins):
    twins.remove("cxl_pmu_mem0.1/events/m2s_rwd_memwr", "cxl_pmu_mem0.0/events/s2m_drs_memdata")
    twins.check(same, "bw --kind cxl", {"cxl -": "- - -"})
    twins.check(same, "bw --kind cxl --boxes", {"cxl - cxl_pmu_mem0.1": "1024 - -"})

@pytest.fixture
def unserved(moving):
    """Let pmon_cxl have a CPMU that it rejects, and one that waits for the events of another."""
    moving.expander("cxl_pci").memory("mem0", "0000:c1:00.0", "0x2").locates(4).live("pmon_cxl")
    moving.put(f"{PMU}/serial", "0x1").parameter("pmon_cxl", "unbound", 0)
    (moving.at("0000:c1:00.0") / "mem0").mkdir()
    return moving.put("sys/class/pmon/cxl/unserved", "cxl_pmu_mem0.0 0000:c1:00.0 waits 2",
        "cxl_pmu_mem0.1 0000:c1:00.0 rejected capability 0x14 has counters that wrap",
        "cxl_pmu_mem0.2 0000:c1:00.0 error -12")

REASONS = ["cxl_pmu_mem0.0 waits for 2 events of the device with serial 0x1; close them",
           "cxl_pmu_mem0.1 rejected: capability 0x14 has counters that wrap",
           "cxl_pmu_mem0.2 cannot be served: ENOMEM"]

def test_doctor_has_each_cpmu_that_nobody_serves_with_the_reason(unserved):
    unserved.pmonctl("doctor", status=1).shows(*(f"problem 0000:c1:00.0 {why}*" for why in REASONS))

def test_doctor_counts_cpmus_of_the_locator_that_have_no_pmu(unserved):
    unserved.put_bytes("sys/class/pmon/cxl/unserved", b"")
    unserved.remove(PMU).pmonctl("doctor", status=1).shows(
        "problem 0000:c1:00.0 1 of 1 CPMUs served by nobody; dmesg | grep pmon_cxl may show why")

def test_list_has_no_pmu_of_another_device(unserved):
    unserved.check(same, "list", [("DRIVEN BY", "COUNTS"), *(("nobody", why) for why in REASONS)])
    unserved.check(same, "list --json", {
        "cxl/*/units": [[]], "cxl/0/unserved/*/why": [why.split(" ", 1)[1] for why in REASONS]})

def test_doctor_has_a_function_whose_table_is_not_listed(host):
    host.config_space(4096, "23000100 86800801 01000000").folder("sys/class/pmon")
    host.live("pmon_uncore")
    host.pmonctl("doctor", status=1).shows(
        "problem 0000:00:03.1 has a table of counter boxes, and nobody serves a box; dmesg *")
    host.folder("0000:00:03.1/pmon/pkg0-uncore0")
    host.pmonctl("doctor", status=1).lacks("*nobody serves a box*")

@pytest.mark.parametrize("owner, finding", [
    ("-", "problem socket 0 nobody drives a box; dmesg *"),
    ("openpmon", "problem socket 1 has no table of counter boxes: firmware hides it; *")])
def test_doctor_has_sockets_of_which_nobody_drives_a_box(host, owner, finding):
    host.discovery_function().discovery(0).unit(0, f"6 imc 0 mmio 0x1 4 48 uncore_imc_0 {owner}")
    host.topology(0, 0).topology(8, 1).put("sys/devices/system/cpu/online", "0,8").live("pmon_uncore")
    host.pmonctl("doctor", status=1).shows(finding)
