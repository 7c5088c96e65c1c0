# SPDX-License-Identifier: GPL-2.0-only
"""A remedy is possible on this host now, or says why it is not."""
import pathlib
import re

import pytest

REPOSITORY = pathlib.Path(__file__).parents[3]
OFF = "boot without openpmon.off, which keeps openpmon's modules out"

@pytest.fixture
def granite(host):
    """Make a Granite Rapids whose installed modules are not loaded."""
    host.discovery_function().limits().cpu_model(6, 173).paranoid(0)
    return host.installed("pmon", "pmon_uncore", "pmon_plr")

def test_openpmon_off_is_no_problem_and_nothing_loads_what_it_keeps_out(granite):
    granite.put("proc/cmdline", "root=/dev/sda openpmon.off quiet")
    granite.pmonctl().shows("DOCTOR fine").lacks("*modprobe*")
    run = granite.pmonctl("doctor").lacks("*modprobe*", "problem*")
    run.shows(f"note pmon_uncore not loaded; {OFF}", "Next: pmonctl bw")
    for command in "plr", "bw", "list":
        granite.pmonctl(command, status=2, err=OFF)

def test_openpmon_off_takes_adopt_away_from_what_another_driver_has(granite):
    granite.put("proc/cmdline", "openpmon.off").left_to("intel_uncore")
    granite.pmonctl("list").shows(f"*left to intel_uncore; {OFF}.").lacks("*adopt*")
    granite.pmonctl("doctor").shows(f"note boxes * left to intel_uncore; {OFF}").lacks("*adopt*")

@pytest.mark.parametrize("packages, remedy", [
    (False, "in openpmon's sources: make install"),
    (True, "install openpmon-modules-6.18-tree, or openpmon-dkms")])
def test_missing_modules_are_installed_as_the_others_were(granite, packages, remedy):
    granite.installed()
    if packages:
        granite.put("var/lib/dpkg/info/openpmon-tools.list")
    granite.pmonctl("doctor", status=1).shows(f"problem pmon_uncore no such module for kernel 6.18-tree; {remedy}",
                                            f"Next: {remedy}")
    granite.pmonctl("plr", status=2, err=f"not installed for kernel 6.18-tree; try: {remedy}")

@pytest.mark.parametrize("dpkg", [False, True])
def test_a_failed_build_is_mended_by_apt_where_there_is_dpkg(granite, dpkg):
    granite.installed().put("var/lib/openpmon/builds/6.18-tree",
                            "its headers are missing: apt-get install linux-headers-6.18-tree")
    if dpkg:
        granite.put("var/lib/dpkg/status")
    run = granite.pmonctl("doctor", status=1)
    assert ("apt-get" in run.out) == dpkg
    run.shows("problem pmon_uncore not built for kernel 6.18-tree: its headers are missing; *build*")

def test_who_is_not_root_is_told_to_be_it(granite):
    granite.put("nobody").pmonctl("doctor", status=1).shows("Next: as root: modprobe pmon_uncore")

@pytest.mark.parametrize("name, content, has, lacks", [
    ("nobody", "", "; try: as root: rmmod pmon_uncore && modprobe", "; try: rmmod"),
    ("proc/cmdline", "openpmon.off", f"; {OFF}", "rmmod")])
def test_a_mode_is_overridden_where_that_is_possible(host, name, content, has, lacks):
    host.discovery_function().discovery(0).unit(0, "6 imc 0 mmio 0x1 4 48 - -")
    host.put("pkg0-uncore0/mode", "hypervisor").tpmi("observe").put(name, content)
    for command, status, hidden in (("list", 0, "1 box is listed but not driven"), ("list", 0, "limits are not shown"),
                                    ("bw", 2, "no box is driven"), ("plr", 2, "no performance-limit domain")):
        run = host.pmonctl(command, status=status, err=hidden if status else ())
        said, = (line for line in (run.out + run.err).splitlines() if hidden in line)
        assert has.replace("pmon_uncore", "pmon_plr" if "limit" in hidden else "pmon_uncore") in said
        assert lacks not in said

@pytest.mark.parametrize("make, message", [
    (lambda h: h.pci("0000:7f:13.1", "0x8086", "0x0e34").put("nobody"), "try: as root: modprobe intel_uncore"),
    (lambda h: h.discovery_function().discovery(0).put("proc/cmdline", "openpmon.off"), f"doctor shows why; {OFF}")])
def test_what_would_count_is_named_where_it_is_possible(host, make, message):
    assert "pmonctl adopt" not in make(host).pmonctl("bw", status=2, err=message).err

def test_doctor_has_the_reasons_for_a_place_from_the_driver(host):
    reasons = re.findall('"(.*)"', (REPOSITORY / "include/pmon/uncore_places.h").read_text())
    assert len(reasons) == 7
    for path in REPOSITORY.glob("tools/pmonctl/*.c"):
        assert not [reason for reason in reasons if reason in path.read_text()], path.name
    host.discovery_function().spr().put("pkg0-uncore0/rejected", *(f"6 1 address 0x1 {reason}" for reason in reasons))
    host.pmonctl("doctor", status=1).shows("problem places 7 units rejected for their address*placement=kernel*")
