# SPDX-License-Identifier: GPL-2.0-only
"""CXL devices that go, come back different, or come later; and two CPMUs that count the same."""
import re

import pytest

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


def cxl_lines(run):
    return [[flow for flow in each["flows"] if flow["kind"] == "cxl"] for each in run.json_lines()]


OPEN = 'ls -l /proc/$PPID/fd | grep -c /counts >>"$root/open"'


def closed(host):
    """Return the number of events that were closed, after a first look at those that were open."""
    first, *_, last = host.read("open").split()
    return int(first) - int(last)


def test_events_of_a_device_that_is_gone_are_closed(card):
    leaves(card, 1000, 0, 70, 3000, OPEN)
    card.pmonctl("bw --kind cxl -i 1 -n 3 --json", status=1, err="is gone")
    assert closed(card) == 2


def test_a_device_that_comes_back_different_is_counted_again(card):
    card.rates("71 0 1e9800250001=32768 1e9800210002=0")
    leaves(card, 1000, 3000, 71, None)
    run = card.pmonctl("bw --kind cxl -i 1 -n 6 --json")
    rates = [flow.get("read_bytes_s") for (flow,) in cxl_lines(run)]
    assert rates[0] == 16384 * 64000 and rates[1:3] == [None, None]
    assert rates[-1] == 32768 * 64000


def test_columns_of_csv_stay_while_a_device_is_gone(card):
    card.rates("71 0 1e9800250001=32768 1e9800210002=0")
    leaves(card, 1000, 3000, 71, None).cxl_pmu(72, "cxl_pmu_mem1.0", 16384)
    head, *lines = card.pmonctl("bw --kind cxl -i 1 -n 6 --csv").lines
    assert head == "time,cxl.read_MB_s,cxl.write_MB_s"
    assert [line.split(",")[1] for line in lines][-1] == "3145.7"
    assert {line.count(",") for line in lines} == {2}


def test_the_reason_is_named_while_a_device_is_gone(card):
    leaves(card, 1000, 0, 70, None)
    card.pmonctl("bw --kind cxl -i 1 -n 3 --csv", status=1,
                 err="cxl_pmu_mem0.0: its device is gone")


def test_stat_closes_the_events_of_a_device_that_is_gone(card):
    leaves(card, 2000, 0, 70, None, OPEN)
    card.pmonctl("stat", *card.job(5000), err=["its device is gone", "cxl - ? ? ? ?"])
    assert closed(card) == 2


def test_metrics_go_on_with_a_device_that_comes_back_different(card):
    card.rates("71 0 1e9800250001=32768 1e9800210002=0")
    leaves(card, 4000, 6000, 71, None, 'cp "$root/out.prom" "$root/$to.prom" 2>/dev/null || :')
    card.pmonctl("metrics --for 16 -i 4 --file", card.root / "out.prom")
    total = [int(re.search(READ % PMU, card.read(f"{at}.prom"), re.M)[1]) for at in (8500, 12500)]
    assert total[1] - total[0] == 4 * 32768 * 64000


def test_metrics_add_a_device_that_comes_later(card):
    card.cxl_pmu(72, "cxl_pmu_mem1.0", 8192)
    (card.root / "later").mkdir()
    later = card.at("cxl_pmu_mem1.0").rename(card.root / "later/cxl_pmu_mem1.0")
    card.passing(f"""
        [ $to != 10000 ] || mv {later} "$root/sys/bus/event_source/devices/"
        cp "$root/out.prom" "$root/last.prom" 2>/dev/null || :""")
    card.pmonctl("metrics --for 80 -i 4 --file", card.root / "out.prom")
    assert re.search(READ % "cxl_pmu_mem1.0", card.read("last.prom"), re.M)


def test_a_device_that_is_gone_for_a_minute_is_dropped(card):
    leaves(card, 4000, 0, 70, None, 'cp "$root/out.prom" "$root/last.prom" 2>/dev/null || :')
    card.pmonctl("metrics --for 80 -i 4 --file", card.root / "out.prom")
    assert 'openpmon_unknown_boxes{kind="cxl"}' not in card.read("last.prom")


# ---- two CPMUs of a device

@pytest.fixture
def twins(moving):
    """Let the device have a second CPMU, which counts a little less, and another device."""
    moving.cxl_pmu(71, "cxl_pmu_mem0.1", 16000)
    return moving.cxl_pmu(72, "cxl_pmu_mem10.0", 1000)


def test_of_two_cpmus_of_a_device_the_row_has_the_one_that_counts_more(twins):
    assert twins.pmonctl("bw --kind cxl").rates() == {"cxl -": "1113 0 1113"}
    run = twins.pmonctl("bw --kind cxl --json").json()
    assert [(row["read_bytes_s"], row["boxes"]) for row in run["sockets"]] == [(17384 * 64000, 2)]
    assert twins.pmonctl("bw --kind cxl --boxes").rates() == {
        "cxl - cxl_pmu_mem0.0": "1049 0 1049", "cxl - cxl_pmu_mem0.1": "1024 0 1024",
        "cxl - cxl_pmu_mem10.0": "64 0 64"}


def test_metrics_have_one_series_of_a_device_with_two_cpmus(twins):
    run = twins.pmonctl("metrics --for 2")
    assert re.findall(r'^openpmon_cxl_read_bytes_total.*', run.out, re.M) == [
        f'openpmon_cxl_read_bytes_total{{pmu="cxl_pmu_mem0.0"}} {2 * 16384 * 64000}',
        f'openpmon_cxl_read_bytes_total{{pmu="cxl_pmu_mem10.0"}} {2 * 1000 * 64000}']


def test_a_cpmu_that_counts_one_way_is_added(twins):
    twins.remove("cxl_pmu_mem0.1/events/m2s_rwd_memwr").remove("cxl_pmu_mem0.0/events/s2m_drs_memdata")
    assert twins.pmonctl("bw --kind cxl").rates() == {"cxl -": "- - -"}
    assert twins.pmonctl("bw --kind cxl --boxes").rates()["cxl - cxl_pmu_mem0.1"] == "1024 - -"
