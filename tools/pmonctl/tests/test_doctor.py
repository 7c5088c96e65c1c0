# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl doctor: what keeps a host from being counted, and the next command to run."""
import os
import subprocess

import pytest

from host import KERNEL
from result import checks, facts, same, squeezed

BOOT = ("cpu 1", "btime 1700000000")
MEANT_FOR = "0000:c1:00.0/driver_override"
CARD = "pci0000:40/0000:40:01.0/0000:41:00.0/0000:42:01.0"
OWN = "kernel/drivers/platform/x86/intel"

@pytest.fixture
def healthy(host):
    """Make a host without problems."""
    host.pci("0000:00:03.1", "0x8086", "0x09a7", "intel_vsec").pci("0000:00:04.0", "0x8086", "0x1234")
    host.put("0000:00:03.1/power_state", "D0").live("pmon_uncore", "pmon_plr").limits()
    host.installed("pmon_uncore", "pmon_plr").paranoid(0).spr()
    return host.domain(0, 0, "0-1").core(0, 0, 0, "0-1", "none")

def adopted(host, *areas):
    """Make the files of adopt --persist, but empty."""
    for area in areas:
        host.put(f"etc/modprobe.d/openpmon-{area}.conf")
    return host

def kernels(host, driver="intel_uncore"):
    """Adopt uncore, and let another driver, which is loaded, have the boxes."""
    return adopted(host, "uncore").live("intel_uncore").put("pkg0-uncore0/owner", driver)

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

def table_in(host, vendor):
    """Move the discovery table to a function that no list has."""
    host.config_space(4096, "23000100 8680c000 0100").pci("0000:00:0a.0", vendor, "0x1234")
    host.at("0000:00:03.1/config").rename(host.at("0000:00:0a.0/config"))
    return host

def behind_bridges(host, path):
    """Make a function 8086:09a7 at a path, such as behind bridges."""
    host.put(f"sys/devices/{path}/vendor", "0x8086").put(f"sys/devices/{path}/device", "0x09a7")
    return host.link(f"../../../devices/{path}", f"sys/bus/pci/devices/{path.rpartition('/')[2]}")

def cxl(host, driver="", cpmu=None):
    """Make a CXL memory device, and load pmon_cxl; with cpmu, a driver or "", add a CPMU."""
    host.expander(driver).put(MEANT_FOR, "(null)")
    host.parameter("pmon_cxl", "unbound", 0)
    if cpmu is not None:
        host.folder("sys/bus/cxl/devices/pmu_mem0.0")
    if cpmu:
        host.link(f"../../drivers/{cpmu}", "sys/bus/cxl/devices/pmu_mem0.0/driver")
    return host

def boxes(host, **files):
    """Make files of PMUs, such as imc_0_disturbed="1 0"."""
    for name, text in files.items():
        pmu, _, file = name.rpartition("_")
        host.put(f"uncore_{pmu}/{file}", *text.split(", "))
    return host

def ring(host, driver, area=None):
    """Make a Xeon E5: two functions of R2PCIe of a driver, one of QPI."""
    host.remove("sys").pci("0000:7f:13.1", "0x8086", "0x0e34", driver)
    host.pci("0000:ff:13.1", "0x8086", "0x0e34", driver).pci("0000:7f:08.2", "0x8086", "0x0e32")
    return adopted(host.live("intel_uncore").installed("pmon_r2pcie"), *[area] * bool(area))

def each_ring(host):
    """Make a function of each number that R2PCIe and QPI have."""
    for number in "3c43 2f34 6f34 3c41 3c42 0e33 0e3a 2f32 2f33 2f3a 6f32 6f33 6f3a".split():
        host.pci(f"0000:80:10.{number}", "0x8086", "0x" + number)
    return host

def module_file(host, content, lockdown="none [integrity] confidentiality"):
    """Unload pmon_plr, make its file, without compression, and a lockdown."""
    host.unload("pmon_plr").remove(f"lib/modules/{KERNEL}/updates/pmon_plr.ko.xz")
    host.put("sys/kernel/security/lockdown", lockdown)
    return host.put(f"lib/modules/{KERNEL}/updates/pmon_plr.ko", content).depmod()

def vsec(host, folder, tpmi_folder=None):
    """Put intel_vsec and intel_vsec_tpmi into these directories; remove TPMI devices."""
    host.put(f"lib/modules/{KERNEL}/{folder}/intel_vsec.ko.xz")
    if tpmi_folder:
        host.put(f"lib/modules/{KERNEL}/{tpmi_folder}/intel_vsec_tpmi.ko")
    return host.depmod().remove("sys/bus/auxiliary")

def not_built(host, reason, *files):
    """Let the build of modules have failed for a reason."""
    for file in files:
        host.put(file)
    host.unload("pmon_plr").installed("pmon_uncore")
    return host.put("var/lib/openpmon/builds/6.18-tree", reason)

def enabled(host, unit, runs=False):
    """Enable a service on a host with systemd."""
    host.folder("run/systemd/system").folder("run/systemd/units")
    if runs:
        host.link("/0123", f"run/systemd/units/invocation:{unit}")
    return host.link("/lib/x", f"etc/systemd/system/multi-user.target.wants/{unit}")

BMC = ["FREQUENCY_PCS_TRL", "MISC_PCS_PSTATE", "POWER_PKG_PL1_PCS", "POWER_PLATFORM_PL2_PCS"]
@facts({
    # The discovery function
    **{f"a device that a guest has by {driver} is a problem": (
        lambda h, driver=driver: h.link("/" + driver, "0000:00:03.1/driver"), f"problem *{driver}*")
       for driver in ("vfio-pci", "pci-stub")},
    "a device that sleeps is a problem": (
        lambda h: h.put("0000:00:03.1/power_state", "D3hot"), "problem *asleep (D3hot)*"),
    "a module is not missed where nothing records limits": (
        lambda h: for_device(h, "auxiliary:intel_vsec.tpmi-plr"), "ok *pmon_uncore *loaded*", "!*pmon_plr*"),
    "the function is the device of limits where the kernel has no TPMI": (
        lambda h: for_device(h, "pci:v00008086d000009A7sv*"), "problem *not loaded; modprobe pmon_plr*"),
    "a kernel without a name is a problem": (lambda h: h.unload("pmon_plr").remove("proc/sys/kernel").paranoid(0),
        "problem *osrelease, with the version to look for, cannot be read*"),
    "a kernel with a path for its name is a problem": (
        lambda h: h.unload("pmon_plr").put("proc/sys/kernel/osrelease", "../.."),
        "problem *osrelease, with the version to look for, cannot be read*"),
    "boxes of nobody are a note": (
        lambda h: h.unit(0, "6 imc 1 mmio 0x1 4 48 - -").put("pkg0-uncore0/mode", "observe"),
        "note *1 listed, and not driven; rmmod pmon_uncore && modprobe pmon_uncore "
        "mode=on uses them nevertheless: the module was loaded with mode=observe*"),
    # Limits
    "limits that cannot be read are a problem": (
        lambda h: h.remove("pkg0-dom0/plr/die/reasons"), "problem *dom0 *cannot be read*"),
    "a mailbox that does not answer is a problem": (lambda h: h.unreadable("pkg0-dom0/plr/core0/reasons"),
        "problem *pkg0-dom0 *the modules cannot be read (EISDIR)*", "!ok *pkg0-dom0*"),
    **{f"{reason}, a limit that a BMC has set, is a problem": (
        lambda h, reason=reason: h.put("pkg0-dom0/plr/core0/time_in_reason", "observed 9 9 1", f"{reason} 9 9 1"),
        f"problem *limits *{reason} is in force: *; ask who manages the BMC*") for reason in BMC},
    "limits of another driver are a note": (lambda h: h.remove("pkg0-dom0").live("intel_plr_tpmi"),
        "note *limits *left to intel_plr_tpmi; pmonctl adopt plr*"),
    # Other functions with tables
    "a table in a function that no list has is a note": (
        lambda h: table_in(h, "0x8086"), "note *0000:00:0a.0 *discovery table (DVSEC 23h, id 1)*in no list*"),
    "a table of another vendor is none": (lambda h: table_in(h, "0x1022"), "!*0000:00:0a.0*"),
    "the table of a card is a note": (
        lambda h: behind_bridges(h, CARD), "note *0000:42:01.0 *on a card, such as a GPU*ignored*"),
    # CXL memory devices
    "a CXL device of cxl_pci whose CPMU has no driver is fine": (
        lambda h: cxl(h, "cxl_pci", ""), "ok *0000:c1:00.0 *driver cxl_pci*", "!*pmu_mem*"),
    "a CXL device of another class is fine": (
        lambda h: cxl(h, "cxl_pci").put("0000:c1:00.0/class", 1), "ok *driver cxl_pci*"),
    "a CXL device without a driver is a note": (cxl, "note *0000:c1:00.0 *pmon_cxl with unbound=1*"),
    "a CXL device without a driver is fine with unbound=1": (
        lambda h: cxl(h).parameter("pmon_cxl", "unbound", 1), "ok *loaded with unbound=1*"),
    "a CXL device of a virtual machine is a note": (
        lambda h: cxl(h, "vfio-pci"), "note *0000:c1:00.0 *bound to vfio-pci*"),
    "a CXL device that is meant for a virtual machine is a note": (
        lambda h: cxl(h, "cxl_pci").put(MEANT_FOR, "vfio-pci"), "note *meant for vfio-pci*"),
    "a CXL device that is meant for cxl_pci, which has it, is fine": (
        lambda h: cxl(h, "cxl_pci").put(MEANT_FOR, "cxl_pci"), "ok *driver cxl_pci*"),
    "a CXL device that is meant for cxl_pci and has no driver is a note": (
        lambda h: cxl(h).put(MEANT_FOR, "cxl_pci"), "note *meant for cxl_pci*"),
    "a CXL device without a CPMU is a note": (lambda h: cxl(h, "cxl_pci").locates(3).unload("pmon_cxl"),
        "note *0000:c1:00.0 *has no CPMU*cxlhost*", "!*modprobe pmon_cxl*", "!*driver cxl_pci*"),
    "a CXL device with a CPMU that pmon_cxl drives is fine": (
        lambda h: cxl(h, "cxl_pci").locates(4).folder("0000:c1:00.0/mem0").folder("cxl_pmu_mem0.0"),
        "ok *driver cxl_pci*"),
    "a CPMU of cxl_pmu is a note where pmon_cxl is not loaded": (
        lambda h: cxl(h, "cxl_pci", "cxl_pmu").live("cxl_pmu").unload("pmon_cxl"),
        "note *pmu_mem0.0 *left to cxl_pmu; pmonctl adopt cxl*", "!*modprobe pmon_cxl*"),
    "CPMUs that were adopted are fine": (lambda h: adopted(cxl(h, "cxl_pci", ""), "cxl"), "ok *cxl *adopted (*"),
    "a CXL device is a note where pmon_cxl has mode=off": (
        lambda h: cxl(h, "cxl_pci", "").parameter("pmon_cxl", "mode", "off"),
        "note *c1:00.0 *rmmod pmon_cxl && modprobe pmon_cxl mode=on uses *: the module was loaded "
        "with mode=off*", "!*driver cxl_pci*"),
    "adopted CPMUs that the kernel's driver has are a problem": (
        lambda h: adopted(cxl(h, "cxl_pci", "cxl_pmu").live("cxl_pmu"), "cxl"),
        "problem *cxl *adopted (*), but pmon_cxl drives no device, and cxl_pmu is loaded in its place; "
        "pmonctl adopt --persist --now cxl hands it over*", "!ok *cxl *adopted*"),
    # The states of boxes on real servers
    "units in the place of something else are a problem": (
        lambda h: h.put("pkg0-uncore0/rejected", "6 0 address 0xa8000000 claimed by something else",
                        "5 1 address 0x1 in the first megabyte"),
        "problem *places *1 units rejected for their address, such as type 6 id 0 at 0xa8000000: claimed by "
        "something else; rmmod pmon_uncore && modprobe pmon_uncore placement=kernel uses them*"),
    "units that are used there are a note": (
        lambda h: h.parameter("pmon_uncore", "placement", "kernel"), "note *places *placement=kernel: *"),
    "boxes that another program disturbs are a note with their sum": (
        lambda h: boxes(h, cha_1_disturbed="0 0, 1 0", cha_2_disturbed="0 3, 1 0", imc_0_disturbed="0 1"),
        "note *uncore_cha_2 *changed or reset by another program, or lost as a box did not respond "
        "(times: 4, PMUs: 2); *"),
    "boxes that nothing disturbs are fine": (
        lambda h: boxes(h, cha_1_disturbed="0 0, 1 0", x_disturbed="x -1", imc_0_unresponsive="0 0, 1 0"),
        "ok *boxes*", "!*uncore_*"),
    "a box that does not respond is a problem": (lambda h: boxes(h, imc_0_unresponsive="0 0, 1 1"),
        "problem *uncore_imc_0 *1 of its boxes does not respond (all ones) and is not counted*"),
    # Boxes and limits that were adopted. A fleet may have one configuration for different hosts.
    "adopted areas are fine": (lambda h: adopted(h, "uncore", "plr"),
        "ok *uncore *adopted (*/etc/modprobe.d/openpmon-uncore.conf*", "ok *plr *adopted*"),
    "adopted boxes that nobody drives are a problem": (lambda h: adopted(h, "uncore").unload("pmon_uncore"),
        "problem *uncore *pmon_uncore is not loaded, and intel_uncore is kept away; pmonctl release*"),
    # After a fallback the kernel's driver keeps the boxes, even if pmon_uncore is loaded later.
    "adopted boxes that the kernel's driver has are a problem": (
        kernels, "problem *uncore *adopted (*), but pmon_uncore drives no device, and intel_uncore is loaded "
        "in its place; pmonctl adopt --persist --now uncore hands it over; so does a reboot*"),
    "boxes adopted for the next boot are a note": (
        lambda h: kernels(h).put_bytes("pkg0-uncore0/units", b"").put("proc/stat", *BOOT).unit(
            0, "6 imc 0 mmio 0x1 4 48 - intel_uncore"),
        "note *uncore *openpmon drives the counter boxes from the next boot on (*/etc/modprobe.d/*); "
        "reboot, or pmonctl adopt --persist --now uncore",
        "note *boxes *left to intel_uncore; reboot, or pmonctl adopt --persist --now uncore hands*",
        "Next: reboot, or pmonctl adopt --persist --now uncore"),
    **{f"boxes adopted {when} are a problem": (
        lambda h, at=at: kernels(h).put("proc/stat", *BOOT).dated("etc/modprobe.d/openpmon-uncore.conf", at),
        "problem *uncore *hands it over; so does a reboot*")
       for when, at in (("before the boot", 1600000000), ("by a wrong clock", 4000000000))},
    "boxes adopted until the next boot may be a problem": (
        lambda h: h.put("run/modprobe.d/openpmon-uncore.conf").live("intel_uncore").put("pkg0-uncore0/owner", "mixed"),
        "problem *; pmonctl adopt uncore hands it over*"),
    "a module that was adopted and loaded to do nothing is a problem": (
        lambda h: adopted(h, "uncore").remove("pkg0-uncore0").parameter("pmon_uncore", "mode", "off"),
        "problem *uncore *drives no device, and intel_uncore is kept away; rmmod * mode=on uses*"),
    "boxes adopted on an unknown CPU model are a problem": (
        lambda h: kernels(h, "none").put("pkg0-uncore0/mode", "unknown-model"),
        "problem *uncore *in its place; rmmod * generic=1 *: openpmon does not support this CPU model*"),
    "adopted boxes that the kernel's driver has in one package are a problem": (
        lambda h: adopted(h, "uncore").live("intel_uncore").discovery(1).put("pkg1-uncore0/owner", "mixed").unit(
            1, "6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon", "8 upi 0 msr 0x1 4 48 - intel_uncore"),
        "problem *uncore *drives no device, and intel_uncore is loaded in its place*"),
    "adopted boxes beside one of nobody are fine": (
        lambda h: adopted(h, "uncore").unit(0, "8 upi 0 msr 0x1 4 48 - -"), "ok *uncore *adopted*"),
    "adopted areas may be missing on a host": (
        lambda h: adopted(for_device(cxl(h, "cxl_pci"), "pci:v00008086").live("intel_uncore").remove(
            "0000:0*", "sys/class/pmon", "sys/module/pmon_u*"), "uncore", "plr", "r2pcie", "qpi"),
        "ok *uncore *adopted (*; this host has no counter boxes*", "!*pmon_uncore*",
        "ok *plr *adopted (*; this host has no performance limits*",
        "ok *r2pcie *; this host has no R2PCIe boxes", "ok *qpi *; this host has no QPI boxes"),
    "limits and CPMUs that were adopted may be missing beside boxes": (
        lambda h: adopted(for_device(h, "auxiliary:intel_vsec.tpmi-plr"), "plr", "cxl"),
        "ok *plr *adopted (*; this host has no performance limits*",
        "ok *cxl *adopted (*); this host has no CPMUs of CXL devices"),
    "adopted limits that the kernel's driver has are a problem": (
        lambda h: adopted(h, "plr").remove("pkg0-dom0").live("intel_plr_tpmi"),
        "problem *plr *but pmon_plr drives no device, and intel_plr_tpmi is loaded in its place; *"),
    # R2PCIe and QPI
    "a function that was adopted and is not bound is a problem": (
        lambda h: adopted(h, "r2pcie").pci("0000:7f:13.1", "0x8086", "0x0e34").live("intel_uncore", "pmon_r2pcie"),
        "problem *r2pcie *but pmon_r2pcie drives no device, and intel_uncore is loaded in its place*"),
    "functions of a Xeon E5 are notes": (lambda h: ring(h, "ivbep_uncore"),
        "note *R2PCIe *2 functions, 0 driven by openpmon; pmonctl adopt r2pcie hands them over",
        "note *QPI *1 function, 0 driven by openpmon; pmonctl adopt qpi hands them over"),
    "functions of each Xeon E5 and E7 are known": (
        lambda h: each_ring(ring(h, "ivbep_uncore")), "note *R2PCIe *5 functions, *", "note *QPI *11 functions, *"),
    "R2PCIe that was adopted and whose module is not loaded is a problem": (
        lambda h: ring(h, "ivbep_uncore", "r2pcie"),
        "problem *r2pcie *but pmon_r2pcie is not loaded, and intel_uncore is loaded in its place; "
        "pmonctl release*", "problem *pmon_r2pcie *not loaded; modprobe pmon_r2pcie*"),
    "R2PCIe that was adopted is fine": (
        lambda h: ring(h, "pmon_r2pcie", "r2pcie").live("pmon_r2pcie").put("uncore_r2pcie/cpumask", "0,8"), "ok *R2PCIe *2 functions, 2 driven by openpmon*", "ok *r2pcie *adopted*"),
    "R2PCIe of a socket without a UBOX is a problem": (
        lambda h: ring(h, "pmon_r2pcie", "r2pcie").live("pmon_r2pcie").put("uncore_r2pcie/cpumask", 0),
        "problem *R2PCIe *1 of 2 functions not served; dmesg *"),
    "QPI that was adopted and whose module is not there is a problem": (
        lambda h: ring(h, "ivbep_uncore", "qpi").installed("pmon_uncore"), "problem *qpi *pmon_r2pcie is not loaded*",
        "problem *no such module for kernel 6.18-tree; in openpmon's sources: make install*"),
    # Modules of the host
    **{f"a module that is not signed, of {len(content)} bytes, cannot be loaded under lockdown": (
        lambda h, content=content: module_file(h, content),
        "problem *pmon_plr *not loaded, and cannot be: it is not signed*",
        "!*modprobe pmon_plr*", "note *signed modules only*")
       for content in ("x", "of more bytes than a signature")},
    "a module that is signed can be loaded under lockdown": (lambda h: module_file(h, "~Module signature appended~"),
        "problem *pmon_plr *not loaded; modprobe pmon_plr*"),
    "a module that is not signed can be loaded without lockdown": (
        lambda h: module_file(h, "of more bytes than a signature", "[none] x"),
        "problem *pmon_plr *not loaded; modprobe*"),
    "an intel_vsec that is not the kernel's is a problem without TPMI devices": (
        lambda h: vsec(h, "updates/dkms", OWN),
        "problem *intel_vsec */lib/modules/6.18-tree/updates/dkms/intel_vsec.ko.xz is not this kernel's "
        "own, and there are no TPMI devices: *; remove the package*"),
    **{f"an intel_vsec is no problem where {why}": (change, "!*intel_vsec.ko*", "!*TPMI devices*")
       for why, change in {
           "TPMI devices exist": lambda h: vsec(h, "updates/dkms", OWN).limits(),
           "both modules are the kernel's": lambda h: vsec(h, OWN, OWN),
           "neither module is the kernel's": lambda h: vsec(h, "updates", "updates"),
           "intel_vsec_tpmi is missing": lambda h: vsec(h, "updates")}.items()},
    "the reason why modules were not built is named": (
        lambda h: not_built(h, "no headers: apt-get install linux-headers", "var/lib/dpkg/status"),
        "problem *pmon_plr *not built for kernel 6.18-tree: no headers*",
        "Next: apt-get install linux-headers && /usr/libexec/openpmon/build $(uname -r)"),
    "make dkms-install has its own command to build": (
        lambda h: not_built(h, "it failed", "usr/local/libexec/openpmon/build"),
        "problem *it failed; when this is solved: /usr/local/libexec/openpmon/build $(uname -r)"),
    "modules from before an upgrade are a note": (lambda h: h.put("sys/module/pmon_plr/version", "0.8"),
        "note *modules *.*, 0.8, pmonctl *.*: loaded before the upgrade; reboot, or*"),
    "modules from before there were versions are a note": (lambda h: h.remove("sys/module/pmon*/version"),
        "note *modules unknown, pmonctl *.*: loaded before the upgrade*"),
    "installed modules of a third version are a note": (
        lambda h: alias(h, "x", "pmon").depmod().put("sys/module/pmon_plr/version", "0.8"),
        "note *modules *, 0.8, pmonctl *: other versions are installed; install modules and pmonctl of one*"),
    "one loaded module of another version is a note": (
        lambda h: h.depmod().put("sys/module/pmon_plr/version", "0.9"), "note *modules *.*, 0.9, pmonctl *"),
    # The service, which keeps openpmon out after failed boots
    **{f"strikes of kernel {kernel}, whose name begins alike, are not of this one": (
        lambda h, kernel=kernel: h.strikes(kernel + " 9.1", 2), "!problem *", f"note *service *kernel {kernel}, *")
       for kernel in ("6.18-tre", "6.18-tree5", "6.18")},
    "adopted areas are not given back while openpmon is out": (
        lambda h: adopted(h.unload("pmon_uncore").live("intel_uncore").remove("sys/class/pmon").strikes(
            "6.18-tree 9.1", 2), "uncore"),
        "note *uncore *adopted*", "!*pmonctl release*", "!*pmonctl adopt*", "problem *service *"),
    "one strike is none": (lambda h: h.strikes("6.18-tree 9.1", 1), "!*service*"),
    "strikes that are no number are none": (
        lambda h: h.put("var/lib/openpmon/strikes/6.18-tree 9.1", "x"), "!*service*"),
    "the word openpmon.off of the command line is a note": (
        lambda h: h.put("proc/cmdline", "root=/dev/vda openpmon.off quiet"), "note *service *openpmon.off *"),
    "a word that begins with openpmon.off is none": (
        lambda h: h.put("proc/cmdline", "openpmon.offset=1"), "!*service*"),
    # Files of the host
    "memory decoding that nobody switches on is a problem": (
        lambda h: h.remove("0000:00:03.1/driver").put_bytes("0000:00:03.1/config", bytes(64)),
        "problem *0000:00:03.1 *memory decoding is off, * echo 1 >/sys/bus/pci/devices/0000:00:03.1/enable and *",
        "Next: echo 1 >/sys/bus/pci/devices/0000:00:03.1/enable"),
    "memory decoding that is on is no problem": (
        lambda h: h.put_bytes("0000:00:03.1/config", b"\0\0\0\0\2\0\0\0"), "!*memory decoding*"),
    "boxes are not missed where limits alone are installed": (
        lambda h: h.unload("pmon_uncore").live("pmon", "intel_uncore").remove("pkg0-uncore0").installed(
            "pmon", "pmon_plr"), "!*pmon_uncore*", "!*adopt*"),
    "from Debian's level 3 on CAP_SYS_ADMIN may count": (
        lambda h: h.paranoid(3), "note *only root and CAP_SYS_ADMIN may count*"),
    **{f"{unit}, which is enabled and does not run, is a problem": (lambda h, unit=unit: enabled(h, unit),
        f"problem *service *{unit} is enabled, but does not run; systemctl status {unit}*")
       for unit in ("openpmon-metrics.service", "openpmon-recorder.service")},
    "a service that is enabled and runs is no problem": (
        lambda h: enabled(h, "openpmon-metrics.service", runs=True), "!*is enabled*"),
    "a level that cannot be read is a problem": (lambda h: h.remove("proc/sys/kernel/perf_event_paranoid"),
        "problem *read (ENOENT): who may count is not known*")})
def test_fact(healthy, fact):
    change, *patterns = fact
    problem = any(pattern.startswith("problem") for pattern in patterns)
    healthy.check(change, "doctor --verbose", (int(problem),), *patterns)

@pytest.mark.parametrize("command", ["doctor", ""])
def test_a_limit_of_a_bmc_in_any_module_is_a_problem_while_doctor_looks(healthy, command):
    healthy.core(0, 0, 1, 1, "none").put("proc/uptime", "1000.00").passing("""
        printf '%s\\n' 'observed 9 1001000 900 1' 'POWER_PKG_PL2_PCS 9 1000900 1000100 1' \\
            >"$class/pkg0-dom0/plr/core1/time_in_reason" """)
    healthy.pmonctl(command, status=1).shows(
        "problem limits POWER_PKG_PL2_PCS is in force: *; ask who manages the BMC: *" if command else
        "DOCTOR 1 problem, first: limits: POWER_PKG_PL2_PCS is*")

@pytest.fixture
def opens(healthy):
    """Make a PMU for limits, and list the numbers of open events in each pause."""
    healthy.box("plr", 80, 0).put("counts", "80 0 0 1").put("open")
    return healthy.passing('ls -l "/proc/$PPID/fd" | grep -c "$root/counts$" >>"$root/open"')

@pytest.mark.parametrize("options, opened", [("", True), ("--once", False)])
def test_doctor_opens_an_event_to_monitor_limits_but_for_once(opens, options, opened):
    opens.pmonctl("doctor " + options)
    assert ("1" in opens.read("open").split()) == opened

test_rights_fact = checks("healthy", {
    "doctor has a limit of a BMC that another program monitors, without an event": (
        lambda h: h.put("pkg0-dom0/plr/core0/active", "POWER_PKG_PL2_PCS"), "doctor --once", (1,),
        "problem limits POWER_PKG_PL2_PCS is in force: *"),
    "adopted boxes whose owner cannot be read are adopted": (
        lambda h: adopted(h, "uncore").unreadable("pkg0-uncore0/owner"), "doctor --verbose",
        (1, "pkg0-uncore0/owner: Is a directory"), "ok *uncore *adopted*"),
    "an intel_vsec of others does not matter without TPMI": (
        lambda h: vsec(h, "updates/dkms", OWN).remove("sys/bus/pci"), "doctor", (77, "no supported hardware"),
        "!*TPMI devices*"),
    "without rights doctor does not say that all is well": (
        lambda h: h.unreadable("pkg0-uncore0/units"), "doctor --verbose", (1, "pkg0-uncore0/units: Is a directory"),
        "problem *files *cannot be read, so findings may be missing; run as root*")})

# Functions without a table. A DVSEC with the ID 1 leads to a table of boxes, a VSEC with the ID 66 to
# TPMI, which may have the registers of limits.
@facts({
    "another table is no supported hardware": (
        lambda h: h.config_space(4096, "23000100 86800101 0200"), (77, "neither a table")),
    "another vendor's table is no supported hardware": (
        lambda h: h.config_space(4096, "23000100 86810101 0100"), (77, "neither a table")),
    "firmware may hide the table and show TPMI": (
        lambda h: h.config_space(4096, "0b000100 42000101 0000"), (1,), "problem tables *firmware hides it*",
        "!*modprobe pmon_uncore*"),
    "a configuration space of 256 bytes is a problem": (
        lambda h: h.config_space(256), (1,), "problem PCI *256 bytes*pci=nommconf*", "!*modprobe*"),
    "without rights a table is taken to be there": (lambda h: h.config_space(64), (1,), "problem *pmon_uncore*"),
    "a card alone is no supported hardware": (
        lambda h: behind_bridges(h, CARD), (77, "no supported hardware"), "!*"),
    "a function of the host itself is supported hardware": (
        lambda h: behind_bridges(h, "pci0000:00/0000:00:03.1"), (1,), "ok *:00:03.1 *present*"),
    "a container without /sys is an error": (lambda h: h.remove("sys/bus"), (2, "/sys: not here"))})
def test_table_fact(host, fact):
    change, *expected = fact
    host.check(change, "doctor --verbose", *expected)

def test_list_names_the_option_of_a_configuration_space_of_256_bytes(host):
    host.config_space(256).pmonctl("list", status=2, err="pci=nommconf")

def test_openpmon_may_be_out_on_this_kernel_and_on_another(healthy):
    healthy.unload("pmon_uncore", "pmon_plr")
    healthy.strikes("6.18-tree 9.1", 2).strikes("6.18-rt 9.1", 3).strikes("6.18 9.1", 1)
    run = healthy.check(same, "doctor --verbose", (1,), "problem *service *openpmon is out until 2026-12-0*, then until the "
                 "next boot: * 9.1 on kernel 6.18-tree, *journalctl*",
                 "note *service *openpmon is out until 2026-12-0*9.1 on kernel 6.18-rt, *",
                 "!*kernel 6.18, *", "note *pmon_uncore *not loaded; the service keeps*", "!*modprobe pmon*",
                 "Next: journalctl -k -b -1")
    assert run.out.count("until 2026-12-06") + run.out.count("until 2026-12-07") == 2

# ---- functions without a table. A DVSEC with the ID 1 leads to a table of boxes, a VSEC with
def test_a_healthy_host_is_fine(healthy):
    assert healthy.pmonctl("doctor --verbose").lines == squeezed("""
        ok  0000:00:03.1  present, driver intel_vsec
        ok  pmon_uncore   loaded, 0 users
        ok  pmon_plr      loaded, 0 users
        ok  boxes         1 driven by openpmon
        ok  pkg0-dom0     1 module, reasons of the die: none
        ok  perf          everybody may count
        Next: pmonctl bw""")
    levels = [f["level"] for f in healthy.pmonctl("doctor --json").json()["findings"]]
    assert levels and set(levels) == {"ok"}

def test_problems_come_first_then_notes_then_the_next_command(host):
    host.discovery_function().discovery(0).live("pmon_uncore").paranoid(2)
    host.unit(0, "6 imc 0 mmio 0xfe000000 4+1 48 uncore_imc_0 intel_uncore")
    host.put("pkg0-uncore0/rejected", "6 1 width 0xff wide")
    assert host.pmonctl("doctor", status=1).lines == squeezed("""
        problem boxes 1 rejected; pmonctl list shows why
        note boxes 1 left to intel_uncore; pmonctl adopt uncore hands them over
        note perf only root and CAP_PERFMON may count (perf_event_paranoid is 2)
        ok: 2 things; --verbose shows them
        Next: pmonctl list""")
