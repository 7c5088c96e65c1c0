# SPDX-License-Identifier: GPL-2.0-only
"""Hosts that lack the hardware, a part of it, or modules.

Each command must name the host and the next command to run, which must work.
"""
from result import facts

ALL = ["", "list", "bw", "doctor", "metrics", "adopt"]
GENERIC = "rmmod pmon_uncore && modprobe pmon_uncore generic=1"
TABLE = "23000100 86800101 0100"
EPYC = "AMD EPYC 9654 96-Core Processor"
FROM_GNR = "openpmon shows limits from Granite Rapids on"
E5 = "Intel(R) Xeon(R) CPU E5-2690 v3"

def cpu(host, name, flag=""):
    """Make a host with this processor and with modules installed, not loaded."""
    host.folder("sys/bus/pci/devices").pauses().paranoid(3)
    host.put("proc/cpuinfo", "vendor_id\t: GenuineIntel", "cpu family\t: 6", "model\t\t: 173",
             f"model name\t: {name}", f"flags\t\t: fpu vme {flag}".rstrip())
    return host.installed("pmon", "pmon_uncore", "pmon_plr", "pmon_cxl", "pmon_r2pcie")

def epyc(host):
    return cpu(host, EPYC)

def gnr(host):
    return cpu(host, "Intel(R) Xeon(R) 6972P").discovery_function()

def boxes_alone(host):
    return gnr(host).live("pmon", "pmon_uncore").discovery(0).limits()

def virtual(host):
    return cpu(host, "Intel(R) Xeon(R) Platinum 8480+", "hypervisor")

def e5(host):
    cpu(host, E5).pci("0000:7f:13.1", "0x8086", "0x2f34")
    return host.pci("0000:7f:08.2", "0x8086", "0x2f32")

def e5_counts(host):
    e5(host).live("intel_uncore").topology(0, 0)
    return host.box("uncore_imc_0", 20, 0, "cas_count_read=5*0.25@8", "cas_count_write=6*0.25@1")

# A host, the exit status and message of commands
@facts({
    "a host of AMD is named beside the way to PMUs of the kernel": (
        epyc, 77, f": {EPYC}: *; for the PMUs of its kernel: ls /sys/bus/event_source/devices", *ALL),
    "a host of AMD has no limits for openpmon": (epyc, 77, f": {EPYC}: {FROM_GNR}", "plr"),
    "the host of a virtual machine may have more": (
        virtual, 77, "a virtual machine, Intel(R) Xeon(R) Platinum 8480+: *its host may have more: run pmonctl there",
        *ALL, "plr"),
    "a host with CXL memory alone needs its module": (
        lambda h: epyc(h).expander("cxl_pci"), 2, "openpmon's modules are not loaded; try: modprobe pmon_cxl",
        "list", "bw", "metrics"),
    "a host with CXL memory alone has no limits": (
        lambda h: epyc(h).expander("cxl_pci"), 77, f"{EPYC}: {FROM_GNR}", "plr"),
    "a Xeon E5 without intel_uncore needs the driver of memory controllers": (
        e5, 2, "try: modprobe intel_uncore", "bw", "metrics"),
    "a Xeon E5 has no limits": (e5, 77, f"{E5}: {FROM_GNR}", "plr"),
    "firmware may hide the limits": (
        lambda h: gnr(h).config_space(4096, TABLE).live("pmon_uncore").discovery(0), 77,
        "Xeon(R) 6972P: 8086:09a7 is there without TPMI, where limits are", "plr"),
    "without modules the command that loads modules is named": (
        gnr, 2, "try: modprobe -a pmon_uncore pmon_plr", "list", "bw", "plr", "metrics"),
    "with one module loaded the other is named": (boxes_alone, 2, "are not loaded; try: modprobe pmon_plr", "plr"),
    "with both modules loaded the kernel's own is named": (
        lambda h: boxes_alone(h).remove("sys/bus/auxiliary").live("pmon_plr"), 2,
        "no devices of TPMI; try: modprobe intel_vsec_tpmi", "plr"),
    "with all modules loaded a host without TPMI devices records limits elsewhere": (
        lambda h: boxes_alone(h).remove("sys/bus/auxiliary").live("pmon_plr", "intel_vsec_tpmi"), 77,
        "record them in MSRs 64Fh and 6B1h, which it does not read", "plr"),
    "a container without modules does not know the host": (
        lambda h: gnr(h).remove("lib"), 2, "try: modprobe -a pmon_uncore pmon_plr", "list"),
    "an Ice Lake has PMUs of the kernel": (
        lambda h: cpu(h, "Intel(R) Xeon(R) Platinum 8380").config_space(4096), 77,
        "Platinum 8380: 8086:09a7 is there, with neither a table *ls /sys/bus/event_source", *ALL),
    "a terminal does not act on the name of a processor": (
        lambda h: cpu(h, "\033[2JEvil"), 77, r"\x1b[2JEvil", "")})
def test_fact(host, fact):
    make, status, message, *commands = fact
    make(host)
    for command in commands:
        host.pmonctl(command, status=status, err=message)

# A host, the exit status of doctor, the next command, and patterns of the first screen
@facts({
    "CXL memory alone leads to pmon_cxl": (lambda h: epyc(h).expander("cxl_pci"), 0, "modprobe pmon_cxl",
                                             "HOST *, AMD EPYC 9654 96-Core*", "Next: modprobe pmon_cxl"),
    "CXL memory that no driver has leads to the driver": (
        lambda h: epyc(h).expander(), 0, "modprobe cxl_pci", "Next: modprobe cxl_pci"),
    "R2PCIe of a Xeon E5 is for openpmon": (e5_counts, 0, "pmonctl adopt r2pcie",
                                            f"HOST *, {E5}, Linux*", "Next: pmonctl bw --watch"),
    "a host without modules leads to the first": (gnr, 1, "modprobe pmon_uncore",
        "DOCTOR 1 problem, first: pmon_uncore: not loaded*", "Next: modprobe pmon_uncore"),
    "a host without TPMI leads to the module of boxes": (
        lambda h: gnr(h).config_space(4096, TABLE), 1, "modprobe pmon_uncore"),
    "a host with one module leads to the other": (boxes_alone, 1, "modprobe pmon_plr")})
def test_next_fact(host, fact):
    make, status, command, *patterns = fact
    make(host).pmonctl("doctor", status=status).shows(f"Next: {command}")
    host.pmonctl(status=status).shows(*patterns)

# Boxes of a function that was given to a virtual machine are listed, not driven.
def test_a_virtual_machine_with_a_function_learns_what_drives_its_boxes(host):
    virtual(host).discovery_function().live("pmon_uncore").discovery(0)
    host.put("pkg0-uncore0/mode", "hypervisor").put("pkg0-uncore0/owner", "none").unit(0, "6 imc 0 mmio 0x1 4 48 - -")
    host.pmonctl("bw", status=2, err=f"this is a virtual machine; try: {GENERIC}")
    for command in "doctor", "":
        host.pmonctl(command).shows(f"Next: {GENERIC}")
    host.pmonctl("list").shows("1 box is listed but not driven: this is a virtual machine; try: *generic=1*")

def test_a_host_with_cxl_memory_alone_counts_with_its_module(host):
    epyc(host).expander("cxl_pci").live("pmon_cxl").cxl_pmu(70, "cxl_pmu_mem0.0", 16384)
    host.memory("mem0", "0000:c1:00.0", "0x1")
    for command in "bw", "":
        assert host.pmonctl(command).rates()["cxl -"] == "1049 0 1049"
    host.pmonctl("list").shows("mem0 0000:c1:00.0*")
    host.pmonctl("doctor").shows("Next: pmonctl bw")

def test_a_xeon_e5_is_told_that_another_driver_has_its_boxes(host):
    e5(host).pmonctl("list").shows("*pmonctl doctor shows their driver*")
    host.pmonctl("doctor --verbose").shows(
        "note intel_uncore not loaded: it has the other boxes *; modprobe intel_uncore shows them")

def test_a_xeon_e5_with_intel_uncore_has_memory(host):
    e5_counts(host).pmonctl("bw").shows({"memory 0": "2097 262 2359"})

def test_adopt_is_no_help_for_boxes_without_a_table_that_stand_still(host):
    e5_counts(host).edit("counts", " [81]$", " 0").pmonctl("bw", status=1, err=["count nothing", "!adopt uncore"])

def test_without_tpmi_the_module_of_limits_is_not_missing(host):
    for command in "list", "bw", "metrics":
        gnr(host).config_space(4096, TABLE).pmonctl(
            command, status=2, err=["are not loaded; try: modprobe pmon_uncore", "!pmon_plr"])

def test_doctor_says_that_firmware_hides_the_limits(host):
    gnr(host).config_space(4096, TABLE).live("pmon_uncore").discovery(0).put("pkg0-uncore0/platform", "gnr")
    host.folder("0000:00:03.1/pmon/pkg0-uncore0").pmonctl("doctor").shows(
        "note limits not shown: 8086:09a7 has no TPMI, firmware hides it; look for*")
