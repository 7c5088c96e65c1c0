# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl doctor: what keeps a host from being counted, and the next command to run."""
import os
import subprocess

import pytest

from host import KERNEL
from result import squeezed

BOOT = ("cpu 1", "btime 1700000000")
CARD = "pci0000:40/0000:40:01.0/0000:41:00.0/0000:42:01.0"
OWN = "kernel/drivers/platform/x86/intel"

@pytest.fixture
def healthy(host):
    """Make a host without problems."""
    host.pci("0000:00:03.1", "0x8086", "0x09a7", "intel_vsec").pci("0000:00:04.0", "0x8086", "0x1234")
    host.put("0000:00:03.1/power_state", "D0").live("pmon_uncore", "pmon_plr").limits()
    host.installed("pmon_uncore", "pmon_plr").paranoid(0).spr()
    return host.domain(0, 0, "0-1").core(0, 0, 0, "0-1", "none")

def doctor(host, status, *patterns, command="doctor --verbose", err=()):
    """Run doctor; it must have these lines, and none for a pattern that begins with "!"."""
    __tracebackhide__ = True
    run = host.pmonctl(command, status=status, err=err)
    run.has(*(p for p in patterns if p[0] != "!"))
    return run.lacks(*(p[1:] for p in patterns if p[0] == "!"))

def adopted(host, *areas):
    """Make the files of adopt --persist, but empty."""
    for area in areas:
        host.put(f"etc/modprobe.d/openpmon-{area}.conf")
    return host

def owner(host, driver, package=0):
    return host.put(f"pkg{package}-uncore0/owner", driver)

# ---- the discovery function

@pytest.mark.parametrize("driver", ["vfio-pci", "pci-stub"])
def test_a_device_that_a_guest_has_is_a_problem(healthy, driver):
    healthy.link("/" + driver, "0000:00:03.1/driver")
    doctor(healthy, 1, f"problem *{driver}*")

def test_a_device_that_sleeps_is_a_problem(healthy):
    healthy.put("0000:00:03.1/power_state", "D3hot")
    doctor(healthy, 1, "problem *asleep (D3hot)*")

def alias(host, pattern, module):
    """Make a module file with this alias, of version 0.7."""
    modules = host.at(f"lib/modules/{KERNEL}/updates")
    for path in modules.glob(module + ".ko*"):
        path.unlink()
    host.put_bytes("modinfo", f"alias={pattern}\0version=0.7\0".encode())
    subprocess.run([os.environ.get("CC", "cc"), "-x", "c", "-c", "-o", host.at("empty.o"), "-"],
                   stdin=subprocess.DEVNULL, check=True)
    subprocess.run(["objcopy", "--add-section", f".modinfo={host.at('modinfo')}",
                    host.at("empty.o"), modules / f"{module}.ko"], check=True)
    return host

def for_device(host, pattern):
    """Unload pmon_plr, and make it a module for devices that match a pattern."""
    host.remove("sys/module/pmon_plr", "sys/bus/auxiliary", "pkg0-dom0")
    alias(host, "pci:v00008086d000009A7sv*sd*bc*sc*i*", "pmon_uncore")
    return alias(host, pattern, "pmon_plr").depmod()

def test_a_module_is_not_missed_where_nothing_records_limits(healthy):
    doctor(for_device(healthy, "auxiliary:intel_vsec.tpmi-plr"), 0,
           "ok *pmon_uncore *loaded*", "!*pmon_plr*")

def test_the_function_is_the_device_of_limits_where_the_kernel_has_no_tpmi(healthy):
    doctor(for_device(healthy, "pci:v00008086d000009A7sv*"), 1,
           "problem *not loaded; modprobe pmon_plr*")

@pytest.mark.parametrize("release", [None, "../.."])
def test_a_kernel_without_a_name_or_with_a_path_is_a_problem(healthy, release):
    healthy.unload("pmon_plr")
    if release:
        healthy.put("proc/sys/kernel/osrelease", release)
    else:
        healthy.remove("proc/sys/kernel")
        healthy.paranoid(0)
    doctor(healthy, 1, "problem *osrelease, with the version to look for, cannot be read*")

def test_boxes_of_nobody_are_a_note(healthy):
    healthy.unit(0, "6 imc 1 mmio 0x1 4 48 - -").put("pkg0-uncore0/mode", "observe")
    doctor(healthy, 0, "note *1 listed, and not driven; rmmod pmon_uncore && modprobe pmon_uncore "
           "mode=on uses them nevertheless: the module was loaded with mode=observe*")

# ---- limits

def test_limits_that_cannot_be_read_are_a_problem(healthy):
    doctor(healthy.remove("pkg0-dom0/plr/die/reasons"), 1, "problem *dom0 *cannot be read*")

def test_a_mailbox_that_does_not_answer_is_a_problem(healthy):
    doctor(healthy.unreadable("pkg0-dom0/plr/core0/reasons"), 1,
           "problem *pkg0-dom0 *the modules cannot be read (EISDIR)*", "!ok *pkg0-dom0*")

def record(host, *lines, part="core0"):
    return host.put(f"pkg0-dom0/plr/{part}/time_in_reason", "observed 9 9 1", *lines)

@pytest.mark.parametrize("reason", ["FREQUENCY_PCS_TRL", "MISC_PCS_PSTATE", "POWER_PKG_PL1_PCS",
                                    "POWER_PLATFORM_PL2_PCS"])
def test_a_limit_that_a_bmc_has_set_is_a_problem(healthy, reason):
    doctor(record(healthy, f"{reason} 9 9 1"), 1,
           f"problem *limits *{reason} is in force: *; ask who manages the BMC*")

def test_other_limits_are_no_problem(healthy):
    doctor(record(healthy, "POWER_PKG_PL1_MMIO 9 9 1", "FREQUENCY_CDYN1 9 9 1"), 0, "!problem *")

def test_a_limit_of_a_bmc_that_is_over_is_no_problem(healthy):
    healthy.put("pkg0-dom0/plr/core0/reasons", "FREQUENCY FREQUENCY_PCS_TRL")
    doctor(record(healthy, "FREQUENCY_PCS_TRL 9 9 -"), 0, "!problem *")

def test_limits_of_another_driver_are_a_note(healthy):
    doctor(healthy.remove("pkg0-dom0").live("intel_plr_tpmi"), 0,
           "note *limits *left to intel_plr_tpmi; pmonctl adopt plr*")

@pytest.mark.parametrize("command", ["doctor", ""])
def test_a_limit_of_a_bmc_in_any_module_is_a_problem_while_doctor_looks(healthy, command):
    healthy.core(0, 0, 1, 1, "none").put("proc/uptime", "1000.00").passing("""
        printf '%s\\n' 'observed 9 1001000 900 1' 'POWER_PKG_PL2_PCS 9 1000900 1000100 1' \\
            >"$class/pkg0-dom0/plr/core1/time_in_reason" """)
    if command:
        doctor(healthy, 1, "problem limits POWER_PKG_PL2_PCS is in force: *; "
               "ask who manages the BMC: *", command=command)
    else:
        healthy.pmonctl(status=1).has("DOCTOR 1 problem, first: limits: POWER_PKG_PL2_PCS is*")

@pytest.fixture
def opens(healthy):
    """Make a PMU for limits, and list the numbers of open events in each pause."""
    healthy.box("plr", 80, 0).put("counts", "80 0 0 1")
    return healthy.passing('ls -l "/proc/$PPID/fd" | grep -c "$root/counts$" >>"$root/open"')

def test_doctor_opens_an_event_to_monitor_limits(opens):
    doctor(opens, 0, command="doctor")
    assert "1" in opens.read("open").split()

def test_doctor_once_leaves_the_record_in_place_and_opens_no_event(opens):
    doctor(opens, 0, command="doctor --once")
    assert not opens.at("open").exists() or "1" not in opens.read("open").split()

def test_doctor_once_has_a_limit_of_a_bmc_that_another_program_monitors(opens):
    opens.put("pkg0-dom0/plr/core0/active", "POWER_PKG_PL2_PCS")
    doctor(opens, 1, "problem limits POWER_PKG_PL2_PCS is in force: *", command="doctor --once")

# ---- other functions with tables

TABLE = "23000100 8680c000 0100"

@pytest.mark.parametrize("vendor, is_there", [("0x8086", True), ("0x1022", False)])
def test_a_table_in_a_function_that_no_list_has_is_a_note_if_it_is_intels(healthy, vendor, is_there):
    healthy.config_space(4096, TABLE)
    healthy.pci("0000:00:0a.0", vendor, "0x1234")
    healthy.at("0000:00:03.1/config").rename(healthy.at("0000:00:0a.0/config"))
    doctor(healthy, 0, "note *0000:00:0a.0 *discovery table (DVSEC 23h, id 1)*in no list*"
           if is_there else "!*0000:00:0a.0*")

def behind_bridges(host, path):
    """Make a function 8086:09a7 at a path, such as behind bridges."""
    host.put(f"sys/devices/{path}/vendor", "0x8086").put(f"sys/devices/{path}/device", "0x09a7")
    return host.link(f"../../../devices/{path}", f"sys/bus/pci/devices/{path.rpartition('/')[2]}")

def test_the_table_of_a_card_is_a_note(healthy):
    doctor(behind_bridges(healthy, CARD), 0, "note *0000:42:01.0 *on a card, such as a GPU*ignored*")

# ---- CXL memory devices

def cxl(host, driver="", cpmu=None):
    """Make a CXL memory device, and load pmon_cxl; with cpmu, a driver or "", add a CPMU."""
    host.expander(driver).put("0000:c1:00.0/driver_override", "(null)")
    host.parameter("pmon_cxl", "unbound", 0)
    if cpmu is not None:
        host.folder("sys/bus/cxl/devices/pmu_mem0.0")
    if cpmu:
        host.link(f"../../drivers/{cpmu}", "sys/bus/cxl/devices/pmu_mem0.0/driver")
    return host

def meant_for(host, driver):
    return host.put("0000:c1:00.0/driver_override", driver)

@pytest.mark.parametrize("change, patterns", [
    (lambda h: cxl(h, "cxl_pci", ""), ["ok *0000:c1:00.0 *driver cxl_pci*", "!*pmu_mem*"]),
    (lambda h: cxl(h, "cxl_pci").put("0000:c1:00.0/class", 1), ["ok *driver cxl_pci*"]),
    (cxl, ["note *0000:c1:00.0 *pmon_cxl with unbound=1*"]),
    (lambda h: cxl(h).parameter("pmon_cxl", "unbound", 1), ["ok *loaded with unbound=1*"]),
    (lambda h: cxl(h, "vfio-pci"), ["note *0000:c1:00.0 *bound to vfio-pci*"]),
    (lambda h: meant_for(cxl(h, "cxl_pci"), "vfio-pci"), ["note *meant for vfio-pci*"]),
    (lambda h: meant_for(cxl(h, "cxl_pci"), "cxl_pci"), ["ok *driver cxl_pci*"]),
    (lambda h: meant_for(cxl(h), "cxl_pci"), ["note *meant for cxl_pci*"]),
    (lambda h: cxl(h, "cxl_pci").locates(3).unload("pmon_cxl"), [
        "note *0000:c1:00.0 *has no CPMU*cxlhost*", "!*modprobe pmon_cxl*", "!*driver cxl_pci*"]),
    (lambda h: cxl(h, "cxl_pci").locates(4).folder("0000:c1:00.0/mem0").folder("cxl_pmu_mem0.0"), [
        "ok *driver cxl_pci*"]),
    (lambda h: cxl(h, "cxl_pci", "cxl_pmu").live("cxl_pmu").unload("pmon_cxl"), [
        "note *pmu_mem0.0 *left to cxl_pmu; pmonctl adopt cxl*", "!*modprobe pmon_cxl*"]),
    (lambda h: adopted(cxl(h, "cxl_pci", ""), "cxl"), ["ok *cxl *adopted (*"]),
    (lambda h: cxl(h, "cxl_pci", "").parameter("pmon_cxl", "mode", "off"), [
        "note *c1:00.0 *rmmod pmon_cxl && modprobe pmon_cxl mode=on uses *: the module was loaded "
        "with mode=off*", "!*driver cxl_pci*"])],
    ids=["with cxl_pci", "of another class", "without a driver", "without a driver, unbound=1",
         "of a virtual machine", "meant for a virtual machine", "meant for cxl_pci, which has it",
         "meant for cxl_pci, of no driver", "without a CPMU", "with a CPMU",
         "of cxl_pmu, pmon_cxl not loaded", "adopted", "pmon_cxl mode=off"])
def test_a_cxl_device_is_no_problem(healthy, change, patterns):
    doctor(change(healthy), 0, *patterns)

def test_adopted_cpmus_that_the_kernels_driver_has_are_a_problem(healthy):
    adopted(cxl(healthy, "cxl_pci", "cxl_pmu").live("cxl_pmu"), "cxl")
    doctor(healthy, 1, "problem *cxl *adopted (*), but pmon_cxl drives no device, and cxl_pmu is "
           "loaded in its place; pmonctl adopt --persist --now cxl hands it over*",
           "!ok *cxl *adopted*")

# ---- the states of boxes on real servers

def test_units_in_the_place_of_something_else_are_a_problem(healthy):
    healthy.put("pkg0-uncore0/rejected", "6 0 address 0xa8000000 claimed by something else",
                "5 1 address 0x1 in the first megabyte")
    doctor(healthy, 1, "problem *places *1 units rejected for their address, such as type 6 id 0 at "
           "0xa8000000: claimed by something else; rmmod pmon_uncore && modprobe pmon_uncore "
           "placement=kernel uses them*")

def test_units_that_are_used_there_are_a_note(healthy):
    doctor(healthy.parameter("pmon_uncore", "placement", "kernel"), 0,
           "note *places *placement=kernel: *")

def test_boxes_that_another_program_disturbs_are_a_note_with_their_sum(healthy):
    healthy.put("uncore_cha_1/disturbed", "0 0", "1 0").put("uncore_cha_2/disturbed", "0 3", "1 0")
    healthy.put("uncore_imc_0/disturbed", "0 1")
    doctor(healthy, 0, "note *uncore_cha_2 *changed or reset by another program, or lost as a box "
           "did not respond (times: 4, PMUs: 2); *")

def test_boxes_that_nothing_disturbs_are_fine(healthy):
    healthy.put("uncore_cha_1/disturbed", "0 0", "1 0").put("uncore_x/disturbed", "x -1")
    healthy.put("uncore_imc_0/unresponsive", "0 0", "1 0")
    doctor(healthy, 0, "ok *boxes*", "!*uncore_*")

def test_a_box_that_does_not_respond_is_a_problem(healthy):
    healthy.put("uncore_imc_0/unresponsive", "0 0", "1 1")
    doctor(healthy, 1, "problem *uncore_imc_0 *1 of its boxes does not respond (all ones) and is "
           "not counted*")

# ---- boxes and limits that were adopted

def test_adopted_areas_are_fine(healthy):
    doctor(adopted(healthy, "uncore", "plr"), 0,
           "ok *uncore *adopted (*/etc/modprobe.d/openpmon-uncore.conf*", "ok *plr *adopted*")

def test_adopted_boxes_that_nobody_drives_are_a_problem(healthy):
    doctor(adopted(healthy, "uncore").unload("pmon_uncore"), 1,
           "problem *uncore *pmon_uncore is not loaded, and intel_uncore is kept away; "
           "pmonctl release*")

# After a fallback the kernel's driver keeps the boxes, even if pmon_uncore is loaded later.
def test_adopted_boxes_that_the_kernels_driver_has_are_a_problem(healthy):
    owner(adopted(healthy, "uncore").live("intel_uncore"), "intel_uncore")
    doctor(healthy, 1, "problem *uncore *adopted (*), but pmon_uncore drives no device, and "
           "intel_uncore is loaded in its place; pmonctl adopt --persist --now uncore hands it "
           "over; so does a reboot*")

def test_boxes_adopted_for_the_next_boot_are_a_note(healthy):
    owner(adopted(healthy, "uncore").live("intel_uncore"), "intel_uncore")
    healthy.put_bytes("pkg0-uncore0/units", b"").unit(0, "6 imc 0 mmio 0x1 4 48 - intel_uncore")
    healthy.put("proc/stat", *BOOT)
    doctor(healthy, 0, "note *uncore *openpmon drives the counter boxes from the next boot on "
           "(*/etc/modprobe.d/*); reboot, or pmonctl adopt --persist --now uncore",
           "note *boxes *left to intel_uncore; reboot, or pmonctl adopt --persist --now uncore hands*",
           "Next: reboot, or pmonctl adopt --persist --now uncore")

@pytest.mark.parametrize("when", [1600000000, 4000000000])
def test_boxes_adopted_before_the_boot_or_by_a_wrong_clock_are_a_problem(healthy, when):
    owner(adopted(healthy, "uncore").live("intel_uncore"), "intel_uncore").put("proc/stat", *BOOT)
    os.utime(healthy.at("etc/modprobe.d/openpmon-uncore.conf"), (when, when))
    doctor(healthy, 1, "problem *uncore *hands it over; so does a reboot*")

def test_boxes_adopted_until_the_next_boot_may_be_a_problem(healthy):
    owner(healthy.put("run/modprobe.d/openpmon-uncore.conf").live("intel_uncore"), "mixed")
    doctor(healthy, 1, "problem *; pmonctl adopt uncore hands it over*")

def test_a_module_that_was_adopted_and_loaded_to_do_nothing_is_a_problem(healthy):
    adopted(healthy, "uncore").remove("pkg0-uncore0").parameter("pmon_uncore", "mode", "off")
    doctor(healthy, 1, "problem *uncore *drives no device, and intel_uncore is kept away; "
           "rmmod * mode=on uses*")

def test_boxes_adopted_on_an_unknown_cpu_model_are_a_problem(healthy):
    owner(adopted(healthy, "uncore").live("intel_uncore"), "none")
    doctor(healthy.put("pkg0-uncore0/mode", "unknown-model"), 1,
           "problem *uncore *in its place; rmmod * generic=1 *: openpmon does not support this "
           "CPU model*")

def test_adopted_boxes_whose_owner_cannot_be_read_are_adopted(healthy):
    doctor(adopted(healthy, "uncore").unreadable("pkg0-uncore0/owner"), 1, "ok *uncore *adopted*",
           err="pkg0-uncore0/owner: Is a directory")

def test_adopted_boxes_that_the_kernels_driver_has_in_one_package_are_a_problem(healthy):
    adopted(healthy, "uncore").live("intel_uncore").discovery(1)
    healthy.unit(1, "6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon",
                 "8 upi 0 msr 0x1 4 48 - intel_uncore")
    doctor(owner(healthy, "mixed", 1), 1, "problem *uncore *drives no device, and intel_uncore is "
           "loaded in its place*")

def test_adopted_boxes_beside_one_of_nobody_are_fine(healthy):
    doctor(adopted(healthy, "uncore").unit(0, "8 upi 0 msr 0x1 4 48 - -"), 0, "ok *uncore *adopted*")

# A fleet may have one configuration for different hosts.
def test_what_was_adopted_may_be_missing_on_a_host(healthy):
    for_device(cxl(healthy, "cxl_pci"), "pci:v00008086")
    healthy.remove("0000:0*", "sys/class/pmon", "sys/module/pmon_u*")
    adopted(healthy.live("intel_uncore"), "uncore", "plr", "r2pcie", "qpi")
    doctor(healthy, 0, "ok *uncore *adopted (*; this host has no counter boxes*", "!*pmon_uncore*",
           "ok *plr *adopted (*; this host has no performance limits*",
           "ok *r2pcie *; this host has no R2PCIe boxes", "ok *qpi *; this host has no QPI boxes")

def test_limits_and_cpmus_that_were_adopted_may_be_missing_beside_boxes(healthy):
    adopted(for_device(healthy, "auxiliary:intel_vsec.tpmi-plr"), "plr", "cxl")
    doctor(healthy, 0, "ok *plr *adopted (*; this host has no performance limits*",
           "ok *cxl *adopted (*); this host has no CPMUs of CXL devices")

def test_adopted_limits_that_the_kernels_driver_has_are_a_problem(healthy):
    adopted(healthy, "plr").remove("pkg0-dom0").live("intel_plr_tpmi")
    doctor(healthy, 1, "problem *plr *but pmon_plr drives no device, and intel_plr_tpmi is loaded "
           "in its place; *")

# ---- R2PCIe and QPI

@pytest.fixture
def ring(healthy):
    """Make a function that makes a Xeon E5: two functions of R2PCIe of a driver, one of QPI."""
    def make(driver, area=None):
        healthy.remove("sys")
        healthy.pci("0000:7f:13.1", "0x8086", "0x0e34", driver)
        healthy.pci("0000:ff:13.1", "0x8086", "0x0e34", driver)
        healthy.pci("0000:7f:08.2", "0x8086", "0x0e32").live("intel_uncore").installed("pmon_r2pcie")
        return adopted(healthy, area) if area else healthy
    return make

def test_a_function_that_was_adopted_and_is_not_bound_is_a_problem(healthy):
    adopted(healthy, "r2pcie").pci("0000:7f:13.1", "0x8086", "0x0e34")
    doctor(healthy.live("intel_uncore", "pmon_r2pcie"), 1,
           "problem *r2pcie *but pmon_r2pcie drives no device, and intel_uncore is loaded in its "
           "place*")

def test_functions_of_a_xeon_e5_are_notes(ring):
    doctor(ring("ivbep_uncore"), 0,
           "note *R2PCIe *2 functions, 0 driven by openpmon; pmonctl adopt r2pcie hands them over",
           "note *QPI *1 function, 0 driven by openpmon; pmonctl adopt qpi hands them over")

def test_functions_of_each_xeon_e5_and_e7_are_known(ring):
    host = ring("ivbep_uncore")
    for number in ("3c43 2f34 6f34 3c41 3c42 0e33 0e3a 2f32 2f33 2f3a 6f32 6f33 6f3a").split():
        host.pci(f"0000:80:10.{number}", "0x8086", "0x" + number)
    doctor(host, 0, "note *R2PCIe *5 functions, *", "note *QPI *11 functions, *")

def test_r2pcie_adopted_and_its_module_not_loaded_is_a_problem(ring):
    doctor(ring("ivbep_uncore", "r2pcie"), 1, "problem *r2pcie *but pmon_r2pcie is not loaded, and "
           "intel_uncore is loaded in its place; pmonctl release*",
           "problem *pmon_r2pcie *not loaded; modprobe pmon_r2pcie*")

def test_r2pcie_that_was_adopted_is_fine(ring):
    host = ring("pmon_r2pcie", "r2pcie").live("pmon_r2pcie").put("uncore_r2pcie/cpumask", "0,8")
    doctor(host, 0, "ok *R2PCIe *2 functions, 2 driven by openpmon*", "ok *r2pcie *adopted*")

def test_r2pcie_of_a_socket_without_a_ubox_is_a_problem(ring):
    host = ring("pmon_r2pcie", "r2pcie").live("pmon_r2pcie").put("uncore_r2pcie/cpumask", "0")
    doctor(host, 1, "problem *R2PCIe *1 of 2 functions not served; dmesg *")

def test_qpi_adopted_and_its_module_not_there_is_a_problem(ring):
    doctor(ring("ivbep_uncore", "qpi").installed("pmon_uncore"), 1,
           "problem *qpi *pmon_r2pcie is not loaded*",
           "problem *no such module for kernel 6.18-tree; in openpmon's sources: make install*")

# ---- modules of the host

def module_file(host, content):
    """Unload pmon_plr, and make its file, without compression."""
    host.unload("pmon_plr").remove(f"lib/modules/{KERNEL}/updates/pmon_plr.ko.xz")
    return host.put(f"lib/modules/{KERNEL}/updates/pmon_plr.ko", content).depmod()

def lockdown(host, levels="none [integrity] confidentiality"):
    return host.put("sys/kernel/security/lockdown", levels)

@pytest.mark.parametrize("content", ["x", "of more bytes than a signature"])
def test_a_module_that_is_not_signed_cannot_be_loaded_under_lockdown(healthy, content):
    doctor(lockdown(module_file(healthy, content)), 1,
           "problem *pmon_plr *not loaded, and cannot be: it is not signed*",
           "!*modprobe pmon_plr*", "note *signed modules only*")

def test_a_module_that_is_signed_can_be_loaded_under_lockdown(healthy):
    doctor(lockdown(module_file(healthy, "~Module signature appended~")), 1,
           "problem *pmon_plr *not loaded; modprobe pmon_plr*")

def test_a_module_that_is_not_signed_can_be_loaded_without_lockdown(healthy):
    doctor(lockdown(module_file(healthy, "of more bytes than a signature"), "[none] x"), 1,
           "problem *pmon_plr *not loaded; modprobe*")

def vsec(host, folder, tpmi_folder=None):
    """Put intel_vsec and intel_vsec_tpmi into these directories; remove TPMI devices."""
    host.put(f"lib/modules/{KERNEL}/{folder}/intel_vsec.ko.xz")
    if tpmi_folder:
        host.put(f"lib/modules/{KERNEL}/{tpmi_folder}/intel_vsec_tpmi.ko")
    return host.depmod().remove("sys/bus/auxiliary")

def test_an_intel_vsec_that_is_not_the_kernels_is_a_problem_without_tpmi_devices(healthy):
    doctor(vsec(healthy, "updates/dkms", OWN), 1,
           "problem *intel_vsec */lib/modules/6.18-tree/updates/dkms/intel_vsec.ko.xz is not this "
           "kernel's own, and there are no TPMI devices: *; remove the package*")

@pytest.mark.parametrize("folders", [["updates/dkms", OWN], [OWN, OWN], ["updates", "updates"],
                                     ["updates"]],
                         ids=["TPMI devices exist", "both are the kernel's", "neither is",
                              "intel_vsec_tpmi is missing"])
def test_an_intel_vsec_that_keeps_nobody_from_tpmi_is_no_problem(healthy, folders):
    vsec(healthy, *folders)
    if folders[0] == "updates/dkms":
        healthy.limits()
    doctor(healthy, 0, "!*intel_vsec.ko*", "!*TPMI devices*")

def test_an_intel_vsec_of_others_does_not_matter_without_tpmi(healthy):
    vsec(healthy, "updates/dkms", OWN).remove("sys/bus/pci")
    doctor(healthy, 77, "!*TPMI devices*", command="doctor", err="no supported hardware")

def test_the_reason_why_modules_were_not_built_is_told(healthy):
    healthy.unload("pmon_plr").installed("pmon_uncore")
    healthy.put("var/lib/openpmon/builds/6.18-tree", "no headers: apt-get install linux-headers")
    healthy.put("var/lib/dpkg/status")
    doctor(healthy, 1, "problem *pmon_plr *not built for kernel 6.18-tree: no headers*",
           "Next: apt-get install linux-headers && /usr/libexec/openpmon/build $(uname -r)")

def test_make_dkms_install_has_its_own_command_to_build(healthy):
    healthy.unload("pmon_plr").installed("pmon_uncore")
    healthy.put("usr/local/libexec/openpmon/build")
    healthy.put("var/lib/openpmon/builds/6.18-tree", "it failed")
    doctor(healthy, 1,
           "*it failed; when this is solved: /usr/local/libexec/openpmon/build $(uname -r)")

def test_modules_from_before_an_upgrade_are_a_note(healthy):
    healthy.put("sys/module/pmon_plr/version", "0.8")
    doctor(healthy, 0, "note *modules *.*, 0.8, pmonctl *.*: loaded before the upgrade; reboot, or*")

def test_modules_from_before_there_were_versions_are_a_note(healthy):
    healthy.remove("sys/module/pmon*/version")
    doctor(healthy, 0, "note *modules unknown, pmonctl *.*: loaded before the upgrade*")

def test_installed_modules_of_a_third_version_are_a_note(healthy):
    alias(healthy, "x", "pmon").depmod().put("sys/module/pmon_plr/version", "0.8")
    doctor(healthy, 0, "note *modules *, 0.8, pmonctl *: other versions are installed; install "
           "modules and pmonctl of one*")

def test_one_loaded_module_of_another_version_is_a_note(healthy):
    healthy.depmod().put("sys/module/pmon_plr/version", "0.9")
    doctor(healthy, 0, "note *modules *.*, 0.9, pmonctl *")

# ---- the service, which keeps openpmon out after failed boots

def test_openpmon_may_be_out_on_this_kernel_and_on_another(healthy):
    healthy.unload("pmon_uncore", "pmon_plr")
    healthy.strikes("6.18-tree 9.1", 2).strikes("6.18-rt 9.1", 3).strikes("6.18 9.1", 1)
    run = doctor(healthy, 1, "problem *service *openpmon is out until 2026-12-0*, then until the "
                 "next boot: * 9.1 on kernel 6.18-tree, *journalctl*",
                 "note *service *openpmon is out until 2026-12-0*9.1 on kernel 6.18-rt, *",
                 "!*kernel 6.18, *", "note *pmon_uncore *not loaded; the service keeps*", "!*modprobe pmon*",
                 "Next: journalctl -k -b -1")
    assert run.out.count("until 2026-12-06") + run.out.count("until 2026-12-07") == 2

@pytest.mark.parametrize("kernel", ["6.18-tre", "6.18-tree5", "6.18"])
def test_strikes_of_a_kernel_whose_name_begins_alike_are_not_of_this_one(healthy, kernel):
    doctor(healthy.strikes(kernel + " 9.1", 2), 0, "!problem *", f"note *service *kernel {kernel}, *")

def test_what_was_adopted_is_not_given_back_while_openpmon_is_out(healthy):
    healthy.unload("pmon_uncore").live("intel_uncore").remove("sys/class/pmon")
    healthy.strikes("6.18-tree 9.1", 2).put("etc/modprobe.d/openpmon-uncore.conf", "x")
    doctor(healthy, 1, "note *uncore *adopted*", "!*pmonctl release*", "!*pmonctl adopt*")

@pytest.mark.parametrize("strikes", ["1 1795996800", "x"])
def test_one_strike_is_none_and_no_number_is_none(healthy, strikes):
    healthy.put("var/lib/openpmon/strikes/6.18-tree 9.1", strikes)
    doctor(healthy, 0, "!*service*")

@pytest.mark.parametrize("line, is_off", [("root=/dev/vda openpmon.off quiet", True),
                                          ("openpmon.offset=1", False)])
def test_the_word_openpmon_off_of_the_command_line_is_a_note(healthy, line, is_off):
    doctor(healthy.put("proc/cmdline", line), 0,
           "note *service *openpmon.off *" if is_off else "!*service*")

# ---- files of the host

def test_memory_decoding_that_nobody_switches_on_is_a_problem(healthy):
    healthy.remove("0000:00:03.1/driver").put_bytes("0000:00:03.1/config", bytes(64))
    doctor(healthy, 1, "problem *0000:00:03.1 *memory decoding is off, * echo 1 "
           ">/sys/bus/pci/devices/0000:00:03.1/enable and *",
           "Next: echo 1 >/sys/bus/pci/devices/0000:00:03.1/enable")

def test_memory_decoding_that_is_on_is_no_problem(healthy):
    doctor(healthy.put_bytes("0000:00:03.1/config", b"\0\0\0\0\2\0\0\0"), 0, "!*memory decoding*")

def test_boxes_are_not_missed_where_limits_alone_are_installed(healthy):
    healthy.unload("pmon_uncore").live("pmon", "intel_uncore").remove("pkg0-uncore0")
    doctor(healthy.installed("pmon", "pmon_plr"), 0, "!*pmon_uncore*", "!*adopt*")

def test_from_debians_level_3_on_cap_sys_admin_may_count(healthy):
    doctor(healthy.paranoid(3), 0, "note *only root and CAP_SYS_ADMIN may count*")

def enabled(host, unit):
    """Enable a service on a host with systemd."""
    host.folder("run/systemd/system").folder("run/systemd/units")
    return host.link("/lib/x", f"etc/systemd/system/multi-user.target.wants/{unit}")

@pytest.mark.parametrize("unit", ["openpmon-metrics.service", "openpmon-recorder.service"])
def test_a_service_that_is_enabled_and_does_not_run_is_a_problem(healthy, unit):
    doctor(enabled(healthy, unit), 1,
           f"problem *service *{unit} is enabled, but does not run; systemctl status {unit}*")

def test_a_service_that_is_enabled_and_runs_is_no_problem(healthy):
    enabled(healthy, "openpmon-metrics.service").link(
        "/0123", "run/systemd/units/invocation:openpmon-metrics.service")
    doctor(healthy, 0, "!*is enabled*")

def test_a_level_that_cannot_be_read_is_a_problem(healthy):
    doctor(healthy.remove("proc/sys/kernel/perf_event_paranoid"), 1,
           "problem *read (ENOENT): who may count is not known*")

def test_without_rights_doctor_does_not_say_that_all_is_well(healthy):
    doctor(healthy.unreadable("pkg0-uncore0/units"), 1,
           "problem *files *cannot be read, so findings may be missing; run as root*",
           err="pkg0-uncore0/units: Is a directory")

# ---- functions without a table. A DVSEC with the ID 1 leads to a table of boxes, a VSEC with
# the ID 66 to TPMI, which may have the registers of limits.
TPMI = "0b000100 42000101 0000"
OTHER = "23000100 86800101 0200"
FOREIGN = "23000100 86810101 0100"

@pytest.mark.parametrize("capability", [OTHER, FOREIGN], ids=["another table", "another vendor's"])
def test_neither_a_table_nor_tpmi_is_no_supported_hardware(host, capability):
    host.config_space(4096, capability).pmonctl("doctor --verbose", status=77, err="neither a table")

def test_firmware_may_hide_the_table_and_show_tpmi(host):
    doctor(host.config_space(4096, TPMI), 1, "problem tables *firmware hides it*",
           "!*modprobe pmon_uncore*")

def test_a_configuration_space_of_256_bytes_is_a_problem(host):
    doctor(host.config_space(256), 1, "problem PCI *256 bytes*pci=nommconf*", "!*modprobe*")
    host.pmonctl("list", status=2, err="pci=nommconf")

def test_without_rights_a_table_is_taken_to_be_there(host):
    doctor(host.config_space(64), 1, "problem *pmon_uncore*")

def test_a_card_alone_is_no_supported_hardware(host):
    run = behind_bridges(host, CARD).pmonctl("doctor --verbose", status=77, err="no supported hardware")
    assert not run.out

def test_a_function_of_the_host_itself_is_supported_hardware(host):
    doctor(behind_bridges(host, "pci0000:00/0000:00:03.1"), 1, "ok *:00:03.1 *present*")

def test_a_container_without_sys_is_an_error(host):
    host.remove("sys/bus").pmonctl("doctor --verbose", status=2, err="/sys: not here")

# ---- whole screens

def test_a_healthy_host_is_fine(healthy):
    assert doctor(healthy, 0).lines == squeezed("""
        ok  0000:00:03.1  present, driver intel_vsec
        ok  pmon_uncore   loaded, 0 users
        ok  pmon_plr      loaded, 0 users
        ok  boxes         1 driven by openpmon
        ok  pkg0-dom0     1 module, reasons of the die: none
        ok  perf          everybody may count
        Next: pmonctl bw""")

def test_json_has_the_findings(healthy):
    levels = [f["level"] for f in healthy.pmonctl("doctor --json").json()["findings"]]
    assert levels and set(levels) == {"ok"}

def test_problems_come_first_then_notes_then_the_next_command(host):
    host.discovery_function().discovery(0).live("pmon_uncore").paranoid(2)
    host.unit(0, "6 imc 0 mmio 0xfe000000 4+1 48 uncore_imc_0 intel_uncore")
    host.put("pkg0-uncore0/rejected", "6 1 width 0xff wide")
    assert doctor(host, 1, command="doctor").lines == squeezed("""
        problem boxes 1 rejected; pmonctl list shows why
        note boxes 1 left to intel_uncore; pmonctl adopt uncore hands them over
        note perf only root and CAP_PERFMON may count (perf_event_paranoid is 2)
        ok: 2 things; --verbose shows them
        Next: pmonctl list""")
