# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl ends soon on hostile trees, and reads no endless file."""
import os

import pytest

@pytest.fixture
def limited(host):
    """Make a CPU whose module is limited."""
    host.domain(0, 0, 0).put("pkg0-dom0/plr/die/reasons", "POWER").core(0, 0, 0, 0, "POWER")
    return host.cpu(0, 0, 0, 0)

def pipe(host, name):
    host.at(name).unlink(missing_ok=True)
    os.mkfifo(host.at(name))
    return host

def test_a_link_of_a_cpu_leads_to_a_module_or_nowhere(limited):
    limited.link("../../../../class/pmon/pkg0-dom0/plr/..", "sys/devices/system/cpu/cpu0/plr")
    limited.pmonctl("plr --cpu 0", status=2, err="cpu0/plr: no limits are shown")

def test_list_does_not_wait_for_a_pipe(host):
    pipe(host.spr(), "pkg0-uncore0/rejected").pmonctl(
        "list", status=1, err="pkg0-uncore0/rejected: Invalid argument")

def test_watch_does_not_wait_for_a_pipe(limited):
    pipe(limited, "pkg0-dom0/plr/die/time_in_reason").pmonctl(
        "plr --watch", status=2, err="no program monitors this domain")

def test_clear_does_not_wait_for_a_pipe(limited):
    pipe(limited, "pkg0-dom0/plr/die/clear").pmonctl("plr --clear", status=1, err="die/clear")

def test_a_file_without_end_is_not_read_to_its_end(host):
    os.truncate(host.spr().at("pkg0-uncore0/units"), 1 << 40)
    host.pmonctl("list", status=1, err="pkg0-uncore0/units: File too large")

def test_a_file_that_is_no_text_is_an_error(host):
    host.spr().put_bytes("pkg0-uncore0/units", b"6 imc 0 mmio 0x1 4 48 - -\n\0more")
    host.pmonctl("list", status=1, err="pkg0-uncore0/units: Invalid argument")

@pytest.mark.parametrize("number", ["4294967296", "99999999999999999999", "-1", "1x"])
def test_a_package_without_a_sensible_number_has_none(host, number):
    host.spr().put("pkg0-uncore0/package_id", number)
    why = "pkg0-uncore0/package_id: Invalid argument"
    host.pmonctl("list", status=1, err=why)
    device, = host.pmonctl("list --json", status=1, err=why).json()["devices"]
    assert "socket" not in device and device["platform"] == "spr"
