# SPDX-License-Identifier: GPL-2.0-only
"""Hosts that lack the hardware, a part of it, or modules.

Each command must name the host and the next command to run, which must work.
"""
import pytest

from host import KERNEL

ALL = ["", "list", "bw", "doctor", "metrics", "adopt"]
GENERIC = "rmmod pmon_uncore && modprobe pmon_uncore generic=1"
TABLE = "23000100 86800101 0100"
EPYC = "AMD EPYC 9654 96-Core Processor"
E5 = "Intel(R) Xeon(R) CPU E5-2690 v3"

def cpu(host, name, flag=""):
    """Make a host with this processor and with modules installed, not loaded."""
    host.folder("sys/bus/pci/devices").pauses().paranoid(3)
    host.put("proc/cpuinfo", "vendor_id\t: GenuineIntel", "cpu family\t: 6", "model\t\t: 173",
             f"model name\t: {name}", f"flags\t\t: fpu vme {flag}".rstrip())
    return host.installed("pmon", "pmon_uncore", "pmon_plr", "pmon_cxl", "pmon_r2pcie")

def all_say(host, status, message, *commands):
    __tracebackhide__ = True
    for command in commands:
        host.pmonctl(command, status=status, err=message)

def next_step(host, status, command):
    __tracebackhide__ = True
    host.pmonctl("doctor", status=status).has(f"Next: {command}")

@pytest.fixture
def epyc(host):
    return cpu(host, EPYC)

@pytest.fixture
def gnr(host):
    return cpu(host, "Intel(R) Xeon(R) 6972P").discovery_function()

@pytest.fixture
def virtual(host):
    return cpu(host, "Intel(R) Xeon(R) Platinum 8480+", "hypervisor")

@pytest.fixture
def e5(host):
    cpu(host, E5).pci("0000:7f:13.1", "0x8086", "0x2f34")
    return host.pci("0000:7f:08.2", "0x8086", "0x2f32")

def test_a_host_of_amd_is_named_with_what_its_kernel_counts(epyc):
    all_say(epyc, 77, f": {EPYC}: ", *ALL, "plr")
    all_say(epyc, 77, "; for the PMUs of its kernel: ls /sys/bus/event_source/devices",
            "", "list", "bw", "adopt")
    all_say(epyc, 77, "openpmon shows limits from Granite Rapids on", "plr")

def test_the_host_of_a_virtual_machine_may_have_more(virtual):
    all_say(virtual, 77, "a virtual machine, Intel(R) Xeon(R) Platinum 8480+: *its host may have "
            "more: run pmonctl there", *ALL, "plr")

# Boxes of a function that was given to a virtual machine are listed, not driven.
def test_a_virtual_machine_with_a_function_learns_what_drives_its_boxes(virtual):
    virtual.discovery_function().live("pmon_uncore").discovery(0)
    virtual.put("pkg0-uncore0/mode", "hypervisor").put("pkg0-uncore0/owner", "none")
    virtual.unit(0, "6 imc 0 mmio 0x1 4 48 - -")
    all_say(virtual, 2, f"this is a virtual machine; try: {GENERIC}", "bw", "metrics")
    next_step(virtual, 0, GENERIC)
    virtual.pmonctl().has(f"Next: {GENERIC}")
    virtual.pmonctl("list").has("1 box is listed but not driven: this is a virtual machine; try: *generic=1*")

def test_a_host_with_cxl_memory_alone_needs_its_module(epyc):
    epyc.expander("cxl_pci")
    all_say(epyc, 2, "openpmon's modules are not loaded; try: modprobe pmon_cxl", "list", "bw", "metrics")
    all_say(epyc, 77, f"{EPYC}: openpmon shows limits from Granite Rapids on", "plr")
    next_step(epyc, 0, "modprobe pmon_cxl")
    epyc.pmonctl().has("HOST *, AMD EPYC 9654 96-Core*", "Next: modprobe pmon_cxl")

def test_a_host_with_cxl_memory_alone_counts_with_its_module(epyc):
    epyc.expander("cxl_pci").live("pmon_cxl").cxl_pmu(70, "cxl_pmu_mem0.0", 16384)
    epyc.memory("mem0", "0000:c1:00.0", "0x1")
    assert epyc.pmonctl("bw").rates()["cxl -"] == "1049 0 1049"
    epyc.pmonctl("list").has("mem0 0000:c1:00.0*")
    next_step(epyc, 0, "pmonctl bw")
    run = epyc.pmonctl().has("Next: pmonctl bw --watch")
    assert run.rates()["cxl -"] == "1049 0 1049"

def test_cxl_memory_that_no_driver_has_needs_the_driver(epyc):
    next_step(epyc.expander(), 0, "modprobe cxl_pci")
    epyc.pmonctl().has("Next: modprobe cxl_pci")

def test_a_xeon_e5_without_intel_uncore_learns_what_has_its_memory_controllers(e5):
    all_say(e5, 2, "try: modprobe intel_uncore", "bw", "metrics")
    e5.pmonctl("list").has("*pmonctl doctor shows their driver*")
    all_say(e5, 77, "Xeon(R) CPU E5-2690 v3: openpmon shows limits from Granite Rapids on", "plr")
    e5.pmonctl("doctor --verbose").has(
        "note intel_uncore not loaded: it has the other boxes *; modprobe intel_uncore shows them")

@pytest.fixture
def e5_counts(e5):
    e5.live("intel_uncore").topology(0, 0)
    e5.box("uncore_imc_0", 20, 0, "cas_count_read=5*0.25", "cas_count_write=6*0.25")
    return e5.rates("20 0 5=8 6=1")

def test_a_xeon_e5_with_intel_uncore_has_memory_and_r2pcie_for_openpmon(e5_counts):
    assert e5_counts.pmonctl("bw").rates()["memory 0"] == "2097 262 2359"
    next_step(e5_counts, 0, "pmonctl adopt r2pcie")
    run = e5_counts.pmonctl().has(f"HOST *, {E5}, Linux*", "Next: pmonctl bw --watch")
    assert run.rates()["memory 0"] == "2097 262 2359"

def test_adopt_is_no_help_for_boxes_without_a_table_that_stand_still(e5_counts):
    e5_counts.edit("counts", " [81]$", " 0")
    run = e5_counts.pmonctl("bw", status=1, err="count nothing")
    assert "adopt uncore" not in run.err

# ---- Granite Rapids, with modules missing

def test_without_tpmi_the_module_of_boxes_is_missing(gnr):
    gnr.config_space(4096, TABLE)
    for command in "list", "bw", "metrics":
        run = gnr.pmonctl(command, status=2, err="are not loaded; try: modprobe pmon_uncore")
        assert "pmon_plr" not in run.err
    next_step(gnr, 1, "modprobe pmon_uncore")

def test_firmware_may_hide_the_limits(gnr):
    gnr.config_space(4096, TABLE).live("pmon_uncore").discovery(0)
    gnr.put("pkg0-uncore0/platform", "gnr").folder("0000:00:03.1/pmon/pkg0-uncore0")
    all_say(gnr, 77, "Xeon(R) 6972P: 8086:09a7 is there without TPMI, where limits are", "plr")
    gnr.pmonctl("doctor").has("note limits not shown: 8086:09a7 has no TPMI, firmware hides it; look for*")

def test_without_modules_the_command_that_loads_them_is_told(gnr):
    all_say(gnr, 2, "try: modprobe -a pmon_uncore pmon_plr", "list", "bw", "plr", "metrics")
    next_step(gnr, 1, "modprobe pmon_uncore")
    gnr.pmonctl(status=1).has("DOCTOR 1 problem, first: pmon_uncore: not loaded*",
                              "Next: modprobe pmon_uncore")

@pytest.fixture
def boxes_alone(gnr):
    return gnr.live("pmon", "pmon_uncore").discovery(0).limits()

def test_with_one_module_loaded_the_other_is_told(boxes_alone):
    next_step(boxes_alone, 1, "modprobe pmon_plr")
    all_say(boxes_alone, 2, "are not loaded; try: modprobe pmon_plr", "plr")

def test_with_both_modules_loaded_the_kernels_own_is_told(boxes_alone):
    boxes_alone.remove("sys/bus/auxiliary").live("pmon_plr")
    all_say(boxes_alone, 2, "no devices of TPMI; try: modprobe intel_vsec_tpmi", "plr")
    all_say(boxes_alone.live("intel_vsec_tpmi"), 77, "record them in MSRs 64Fh and 6B1h, which it does not read", "plr")

def test_without_installed_modules_the_command_that_installs_them_is_told(gnr):
    gnr.installed()
    all_say(gnr, 2, f"not installed for kernel {KERNEL}; try: in openpmon's sources: make install",
            "list", "bw", "plr")
    next_step(gnr, 1, "in openpmon's sources: make install")

def test_a_container_without_modules_does_not_know_the_host(gnr):
    all_say(gnr.remove("lib"), 2, "try: modprobe -a pmon_uncore pmon_plr", "list")

def test_an_ice_lake_learns_what_its_kernel_counts(host):
    cpu(host, "Intel(R) Xeon(R) Platinum 8380").config_space(4096)
    all_say(host, 77, "Platinum 8380: 8086:09a7 is there, with neither a table *ls "
            "/sys/bus/event_source", *ALL)

def test_a_terminal_does_not_act_on_the_name_of_a_processor(host):
    cpu(host, "\033[2JEvil").pmonctl(status=77, err=r"\x1b[2JEvil")
