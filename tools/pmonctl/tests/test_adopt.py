# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl adopt and release: how PMUs are compared, the order of actions, and files."""
import os
import re
import shutil
import subprocess

import pytest

from host import KERNEL
from result import facts, same, squeezed

UNCORE = "etc/modprobe.d/openpmon-uncore.conf"
ADOPTION = ("# Written by pmonctl adopt; pmonctl release removes it.\n"
            "options intel_uncore uncore_no_discover=1\n")
# Modes of files hold for root, too, under this command.
WEAK = [] if os.getuid() else ["setpriv", "--bounding-set=-dac_override"]
MSR_UNIT = "6 imc 0 msr 0x1 4 48 - intel_uncore"
HANDS_OVER = ["-pmon_uncore", "-intel_uncore", "+pmon_uncore"]
HANDS_BACK = ["-pmon_uncore", "+intel_uncore", "+pmon_uncore"]
PMUS_AFTER = """
    pmu uncore_imc_0 uncore_type_6_0
    pmu uncore_imc_1 uncore_type_6_1
    format event config:0-7
    format umask config:8-15,32-55
    format edge config:18
    event clockticks event=0x1
    event cas_count_read umask=0xcf,event=0x5
    event cas_count_read.scale 0.00006103515625
    event cas_count_read.unit MiB"""

@pytest.fixture
def contested(host):
    """Make a host with openpmon and intel_uncore loaded; intel_uncore has the boxes."""
    host.handles("pmon", "pmon_uncore", "intel_uncore")
    host.installed("pmon", "pmon_uncore", "pmon-plr", "intel_uncore", "intel-plr-tpmi")
    host.discovery_function().discovery(0).put("pkg0-uncore0/owner", "intel_uncore")
    host.unit(0, "6 imc 0 mmio 0x1 4 48 - intel_uncore")
    for i in 0, 1:
        host.pmu(f"uncore_imc_{i}", event="config:0-7", umask="config:8-15", edge="config:18")
        host.files(f"uncore_imc_{i}/events/", """
            clockticks event=0x01,umask=0x00
            cas_count_read event=0x05,umask=0xcf
            cas_count_read.scale 6.103515625e-5
            cas_count_read.unit MiB""")
    return host.append("pkg0-uncore0/pmus", *squeezed(PMUS_AFTER)).put(
        "etc/modprobe.d/local.conf", "options other thing=1")

def calls(host):
    """Return the calls since the last check. +MODULE: load, -MODULE: unload."""
    path = host.at("calls")
    said = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return [line.replace("modprobe ", "+").replace("rmmod ", "-") for line in said]

def configuration(host):
    """Return names, modes and contents of all files in /etc and /run."""
    return {str(path): (path.lstat().st_mode, path.is_file() and path.read_bytes())
            for folder in ("etc", "run") for path in host.root.joinpath(folder).rglob("*")}

def loaded(host, *modules):
    return all(host.at(f"sys/module/{module}").exists() for module in modules)

def written(host, folder):
    """Is adopt's file for uncore in this directory, and complete?"""
    path = host.at(f"{folder}/modprobe.d/openpmon-uncore.conf")
    return path.exists() and path.read_text() == ADOPTION

# Losses: a change of the table of PMUs that openpmon would have, and what adopt says
LOSSES = {
    "a term that is lost": ("^format edge.*\n", "", "term edge is lost"),
    "a term with other bits": ("config:18", "config:17", "term edge changes"),
    "a term in another word": ("umask config:", "umask config1:", "term umask changes"),
    "a term with fewer bits": ("config:0-7", "config:0-6", "term event changes"),
    "a term whose bits are in another order": ("config:8-15,32-55", "config:32-55,8-15", "term umask changes"),
    "an event that is lost": ("^event clockticks.*\n", "", "event clockticks is lost"),
    "an event with another encoding": ("umask=0xcf", "umask=0xce", "event cas_count_read changes"),
    "an event with more bits than the term has": (
        "(event clockticks event=0x1)", r"\g<1>01", "event clockticks changes"),
    "an event with a term without bits": ("(event clockticks event=0x1)", r"\1,odd=1", "event clockticks changes"),
    "an event with another scale": ("scale 0.0000", "scale 0.000", "event cas_count_read.scale changes"),
    "an event with another unit": ("MiB", "MB", "event cas_count_read.unit changes")}

def on_kernel(host, release):
    host.put("proc/sys/kernel/osrelease", release)
    host.at(f"lib/modules/{KERNEL}").rename(host.at(f"lib/modules/{release}"))
    return host

def adopted(host):
    """Adopt uncore until the next boot."""
    host.pmonctl("adopt uncore")
    calls(host)
    return host

def wider(host):
    """Let the umask of the kernel's driver have bits that openpmon's lacks."""
    for i in 0, 1:
        host.put(f"uncore_imc_{i}/format/umask", "config:8-15,32-63")
    return host

def renamed(host):
    """Add PMUs that only openpmon has, and PMUs that it renames: the old name is an alias, or lacks the number."""
    for name in "uncore_mdf_sbo_0", "uncore_type_30_0", "uncore_pcu":
        host.pmu(name, event="config:0-7")
    return host.append("pkg0-uncore0/pmus", *squeezed("""
        pmu uncore_mdf_0 uncore_mdf_sbo_0
        format event config:0-7
        pmu uncore_ubox_0 uncore_type_30_0
        format event config:0-7
        pmu uncore_pcu_0 uncore_type_4_0
        format event config:0-7
        event clockticks event=0x1
        pmu uncore_cha_0 uncore_type_0_0
        pmu uncore_cha_1 uncore_type_0_1
        format event config:0-7"""))

def with_limits(host):
    """Load both drivers of limits on a host that has them."""
    return host.limits().live("intel_plr_tpmi", "pmon_plr")

def filtered(host, word, bit):
    """Let an event of both drivers use a config word, and differ in this bit of it."""
    for i in 0, 1:
        host.put(f"uncore_imc_{i}/format/filter", f"{word}:0-7")
        host.put(f"uncore_imc_{i}/events/filtered", "event=0x7,filter=0x1")
    return host.append("pkg0-uncore0/pmus", f"format filter {word}:0-7", f"event filtered event=0x7,filter=0x{bit ^ 1}")

def in_use(host, number):
    """Let so many processes have events of perf, and another one other files."""
    for pid in range(21, 21 + number):
        host.put(f"proc/{pid}/comm", "perf").link("/dev/null", f"proc/{pid}/fd/0")
        host.link("anon_inode:[perf_event]", f"proc/{pid}/fd/1")
    host.put("proc/26/comm", "cat").link("/tmp/perf_event", "proc/26/fd/0")
    return host.link("anon_inode:[eventpoll]", "proc/26/fd/1").used("intel_uncore", 2)

def looks_on(host, mode="observe"):
    """Let pmon_uncore be loaded, and only look on, now and when it is loaded again."""
    host.put("etc/modprobe.d/local.conf", "options pmon_uncore mode=observe")
    return host.put("pkg0-uncore0/mode", mode).parameter("pmon_uncore", "mode", mode)

def ring(host):
    """Make functions of R2PCIe, one of QPI, and the kernel's PMUs of these. No driver binds a function."""
    for function in "0000:7f:13.1", "0000:ff:13.1":
        host.pci(function, "0x8086", "0x0e34").put_bytes(f"{function}/driver_override", b"")
    host.pci("0000:7f:08.2", "0x8086", "0x0e32").installed("pmon", "pmon_uncore", "pmon_r2pcie", "intel_uncore")
    host.pmu("uncore_r2pcie", event="config:0-7", umask="config:8-15")
    return host.pmu("uncore_qpi_0", event="config:0-7,21", match0="config1:0-31")

def cpmus(host):
    """Make a CPMU of a CXL device, whose events are compared after the change of drivers."""
    host.handles("pmon", "pmon_cxl", "cxl_pmu").expander()
    host.pmu("cxl_pmu_mem0.0", vid="config:0-15", gid="config:16-31", mask="config:32-63")
    return host.files("cxl_pmu_mem0.0/events/", """
        clock_ticks vid=0x1e98,gid=0x00,mask=0x01
        d2h_req_rdcurr vid=0x1e98,gid=0x10,mask=0x02""")

CPMUS_OVER = ["-pmon_cxl", "-cxl_pmu", "+pmon_cxl"]
NOTHING, UNDONE, DRIVES_NONE = "nothing was changed", "all changes were undone", "would drive none of the counter boxes"

# How a contested host is changed, the command, its status and message, calls, and patterns of the output
@facts({
    "dry run compares encodings, not how they are written": (
        same, "adopt --dry-run uncore", 0, (), [], "NOW AFTERWARDS CHANGE", "uncore_imc_0-1 uncore_imc_0-1 kept",
        "uncore: adopt would do this; nothing was changed."),
    "dry run says that it is for the next boot": (same, "adopt --dry-run --next-boot uncore", 0, (), [],
        "*adopt would do this from the next boot on; nothing was changed."),
    "dry run warns where perf can hang and names the other way": (
        lambda h: on_kernel(h, "6.1.0-56-amd64"), "adopt --dry-run uncore", 0, "--persist waits for the next boot", [],
        "*adopt would do this; nothing was changed."),
    "dry run looks with a module that is loaded for it": (
        lambda h: h.remove("sys/module/pmon_uncore", "sys/module/pmon"), "adopt --dry-run uncore", 0, (), [
            "+pmon", f"insmod /lib/modules/{KERNEL}/updates/pmon_uncore.ko.xz mode=observe", "-pmon_uncore", "-pmon"]),
    "dry run of release changes nothing": (adopted, "release --dry-run uncore", 0, (), [],
        "*/run/modprobe.d/openpmon-uncore.conf: would be removed*"),
    "adopt hands the boxes over": (
        same, "adopt uncore", 0, (), HANDS_OVER, "*openpmon drives the counter boxes until the next*"),
    "adopt twice is once": (adopted, "adopt uncore", 0, (), [], "*already*"),
    "a PMU that is lost is refused": (
        lambda h: h.pmu("uncore_free_0", event="config:0-7").put("uncore_free_0/events/a", "event=1"),
        "adopt uncore", 2, NOTHING, [], "*LOST, with 1 event*"),
    "bits that the other driver drops are no loss": (wider, "adopt --dry-run uncore", 0, (), []),
    "bits that reach the hardware are a loss": (
        lambda h: wider(h).put("pkg0-uncore0/units", MSR_UNIT), "adopt --dry-run uncore", 2, NOTHING, [],
        "*term umask changes*"),
    "bits that reach the hardware may be lost if that is allowed": (
        lambda h: wider(h).put("pkg0-uncore0/units", MSR_UNIT), "adopt --allow-loss uncore", 0, (), HANDS_OVER),
    "names that perf takes as well are no loss, and others are new": (
        renamed, "adopt --dry-run uncore", 0, (), [], "uncore_mdf_sbo_0 uncore_mdf_0 kept",
        "uncore_pcu uncore_pcu_0 kept, 1 more event", "uncore_type_30_0 uncore_ubox_0 kept", "- uncore_cha_0-1 new",
        "likwid finds uncore_mdf_sbo_<n> by its path: after adopt it has no MDF counters, perf does"),
    "PMUs that openpmon has already are kept, not new": (
        lambda h: renamed(h).pmu("uncore_cha_0", event="config:0-7").pmu("uncore_cha_1", event="config:0-7").unit(
            0, *(f"0 cha {i} msr 0x20{i}0 4 48 uncore_cha_{i} openpmon" for i in (0, 1))),
        "adopt --dry-run uncore", 0, (), [],
        "uncore_cha_0-1 uncore_cha_0-1 kept", "!*new"),
    "the name of a box that is lost is refused": (
        lambda h: renamed(h).put("uncore_mdf_sbo_0/alias", "uncore_type_20_0").edit(
            "pkg0-uncore0/pmus", "uncore_mdf_sbo_0", "uncore_type_20_0"),
        "adopt --dry-run uncore", 2, NOTHING, [], "uncore_mdf_sbo_0 uncore_mdf_0 the name is lost"),
    "boxes are not handed over without the module that drives them": (
        lambda h: h.remove("sys/module/pmon*").installed("pmon", "pmon_plr", "intel_uncore"), "adopt uncore", 2,
        "uncore: pmon_uncore is not installed, only what limits need", []),
    "without the module that drives boxes there is nothing to hand over": (
        lambda h: h.remove("sys/module/pmon*").installed("pmon", "pmon_plr", "intel_uncore"), "adopt", 0, (), [],
        "*nothing to hand over*"),
    "there may be nobody to take anything from": (
        lambda h: h.installed("pmon", "pmon_uncore", "pmon_plr").unload("intel_uncore"), "adopt", 0, (), [],
        "*This kernel has no other driver*"),
    "adopt is refused while openpmon counts": (lambda h: h.used("pmon_uncore", 1), "adopt uncore", 2,
        [NOTHING, "pmon_uncore is in use by 1 user,"], []),
    "release is refused while openpmon counts": (lambda h: adopted(h).used("pmon_uncore", 1), "release uncore", 2,
        "pmon_uncore is in use by 1 user,", []),
    "adopt is undone when intel_uncore does not go": (lambda h: h.put("fails", "rmmod intel_uncore"), "adopt uncore", 2,
        UNDONE, [*HANDS_OVER[:2], *HANDS_BACK[1:]]),
    "adopt is undone when pmon_uncore does not come": (
        lambda h: h.put("fails", "modprobe pmon_uncore"), "adopt uncore", 2, "cannot be loaded again", [*HANDS_OVER, *HANDS_BACK[1:]]),
    "adopt is undone where pmon_uncore comes and only looks on": (
        lambda h: h.put("etc/modprobe.d/local.conf", "options pmon_uncore mode=observe"), "adopt --persist uncore", 2,
        [UNDONE, "drives none of the counter boxes: * mode=observe"], [*HANDS_OVER, "-pmon_uncore", *HANDS_BACK[1:]]),
    "a driver that is built in cannot be unloaded": (lambda h: h.remove("sys/module/intel_uncore/initstate"),
        "adopt uncore", 2, "is built into this kernel", []),
    "nothing is done when nothing can be compared": (
        lambda h: h.remove("pkg0-uncore0/pmus"), "adopt uncore", 2, "pkg0-uncore0/pmus", []),
    "limits have no PMU, so nothing hangs": (
        lambda h: with_limits(on_kernel(h, "6.1.0-56-amd64")), "adopt --persist plr", 0, (), ["-pmon_plr", "-intel_plr_tpmi", "+pmon_plr"]),
    "limits that would not be shown are not adopted": (
        lambda h: with_limits(h).parameter("pmon_plr", "mode", "off"), "adopt plr", 2,
        [NOTHING, "none of the performance limits: the module was loaded with mode=off"], []),
    "a dry run is refused where openpmon looks on": (looks_on, "adopt --dry-run uncore", 2, [NOTHING, DRIVES_NONE], []),
    "adopt is refused where openpmon looks on and no other driver is loaded": (
        lambda h: looks_on(h).unload("intel_uncore"), "adopt uncore", 2, [NOTHING, DRIVES_NONE], []),
    "a file of adopt is not all where openpmon looks on": (
        lambda h: looks_on(h).unload("intel_uncore").put(UNCORE, *ADOPTION.splitlines()), "adopt --persist uncore", 2, "would drive none", [], "!*already*"),
    "boxes of an unknown CPU model are not adopted": (
        lambda h: looks_on(h, "unknown-model").unload("intel_uncore").parameter("pmon_uncore", "mode", "on"),
        "adopt --persist uncore", 2, "openpmon does not support this CPU model", []),
    "a host may have no R2PCIe": (same, "adopt r2pcie", 77, "r2pcie: this host has none of these", []),
    "dry run of R2PCIe changes nothing": (
        ring, "adopt --dry-run r2pcie", 0, (), [], "uncore_r2pcie uncore_r2pcie kept"),
    "QPI would lose terms": (ring, "adopt qpi", 2, NOTHING, [], "*uncore_qpi_0 *loses the terms match*"),
    "an event of a CPMU that is lost undoes all": (lambda h: cpmus(h).put("loses"), "adopt cxl", 2,
        [UNDONE, "1 PMU of cxl_pmu would lose events or terms of the table above"],
        [*CPMUS_OVER, "-pmon_cxl", "+cxl_pmu", "+pmon_cxl"]),
    "an event of a CPMU may be lost if that is allowed": (lambda h: cpmus(h).put("loses"), "adopt --allow-loss cxl",
        0, (), CPMUS_OVER, "*event clock_ticks is lost*"),
    "CPMUs are not adopted where pmon_cxl was loaded with mode=off": (
        lambda h: cpmus(h).parameter("pmon_cxl", "mode", "off"), "adopt cxl", 2,
        [NOTHING, "pmon_cxl would drive none of the CPMUs of CXL devices: the module was loaded with mode=off"], []),
    **{f"adopt refuses {what}": (lambda h, old=old, new=new: h.edit("pkg0-uncore0/pmus", old, new), "adopt uncore", 2,
                                 NOTHING, [], f"*{loss}*") for what, (old, new, loss) in LOSSES.items()},
    **{f"an event that differs in {word} alone changes": (
        lambda h, word=word: filtered(h, word, 3), "adopt uncore", 2, NOTHING, [], "*event filtered changes*")
       for word in ("config1", "config2")},
    **{f"an event that is the same in {word} is kept": (
        lambda h, word=word: filtered(h, word, 0), "adopt --dry-run uncore", 0, (), [], "uncore_imc_0-1 uncore_imc_0-1 kept")
       for word in ("config1", "config2")},
    **{f"adopt is refused and says who of {number} uses the module": (
        lambda h, number=number: in_use(h, number), "adopt uncore", 2, [
            NOTHING, "intel_uncore is in use by 2 users",
            f"Open perf events: perf (21), perf (22), perf (23), perf (24){more}", *["!more"] * (not more)], [])
       for number, more in ((4, ""), (5, " and 1 more"))},
    "release hands the boxes back": (adopted, "release uncore", 0, (), HANDS_BACK),
    "release of what was not adopted does nothing": (same, "release", 0, (), [], "uncore: nothing was adopted*"),
    "dry run of persist after adopt says which file it would write": (
        lambda h: adopted(h).used("pmon_uncore", 1), "adopt --dry-run --persist uncore", 0, (), [],
        f"uncore: adopt would write */{UNCORE}; nothing was changed."),
    "persist after adopt moves nothing": (lambda h: adopted(h).used("pmon_uncore", 1), "adopt --persist uncore", 0, (), []),
    **{f"there is no warning on kernel {release}, which is right": (
        lambda h, release=release: on_kernel(h, release), "adopt uncore", 0, (), HANDS_OVER) for release in (
            "6.12.19-amd64", "6.12.117+deb12-amd64", "6.13.7", "6.14.0-37-generic", "7.3.4+deb13-amd64")},
    "functions of R2PCIe that are not bound are given back": (ring, "adopt r2pcie", 2, UNDONE, [
        "-intel_uncore", "+pmon_r2pcie", "+intel_uncore", "-pmon_r2pcie", "-intel_uncore", "+intel_uncore"]),
    "CPMUs are compared after the change of drivers": (cpmus, "adopt cxl", 0, (), CPMUS_OVER,
        "cxl_pmu_mem0.0 the same, or adopt is undone", "cxl_pmu_mem0.0 cxl_pmu_mem0.0 kept")})
def test_fact(contested, fact):
    change, command, status, err, called, *patterns = fact
    before = configuration(change(contested))
    contested.pmonctl(command, status=status, err=err).shows(*patterns)
    assert calls(contested) == called
    assert configuration(contested) == before or status == 0 and "--dry-run" not in command
    overridden = contested.root.glob("sys/bus/pci/devices/*/driver_override")
    assert not [path for path in overridden if path.read_text().split("\n")[0]]

def test_a_file_that_cannot_be_removed_leaves_the_boxes_adopted(contested):
    adopted(contested).at("run/modprobe.d").chmod(0o555)
    run = contested.pmonctl("release uncore", status=2, under=WEAK, err="openpmon-uncore.conf: cannot be")
    contested.at("run/modprobe.d").chmod(0o755)
    assert not run.out and loaded(contested, "pmon_uncore") and written(contested, "run")
    assert calls(contested) == ["-pmon_uncore", "+pmon_uncore"]

@pytest.mark.parametrize("commands, folders, gone", [
    (["adopt uncore"], ["run"], "none"), (["adopt --persist uncore"], ["etc"], "none"),
    (["adopt uncore", "adopt --persist uncore"], ["run", "etc"], "none"),
    (["adopt --persist uncore"], ["etc"], "sys/bus/pci")])
def test_release_removes_what_adopt_has_written_also_where_the_hardware_is_gone(contested, commands, folders, gone):
    before = configuration(contested.folder("none"))
    for command in commands:
        contested.pmonctl(command)
    assert [each for each in ("run", "etc") if written(contested, each)] == folders
    contested.remove(gone).pmonctl("release")
    assert configuration(contested) == before

@pytest.mark.parametrize("change, area, module, driver", [
    (with_limits, "plr", "pmon_plr", "intel_plr_tpmi"), (cpmus, "cxl", "pmon_cxl", "cxl_pmu")], ids=["limits", "CPMUs"])
def test_adopt_keeps_the_kernels_driver_away_until_release(contested, change, area, module, driver):
    conf = f"run/modprobe.d/openpmon-{area}.conf"
    change(contested).pmonctl(f"adopt {area}").shows(f"{area}: openpmon drives the * until the next boot (/{conf}).")
    assert calls(contested) == [f"-{module}", f"-{driver}", f"+{module}"]
    assert f"install {driver} /bin/true" in contested.read(conf).splitlines()
    contested.pmonctl(f"adopt {area}").shows("*already*")
    assert calls(contested) == []
    contested.pmonctl(f"release {area}")
    assert calls(contested) == [f"-{module}", f"+{driver}", f"+{module}"] and not contested.at(conf).exists()

def test_adopt_comes_to_its_end_when_its_output_is_not_read(contested):
    with subprocess.Popen(["sh", "-c", 'sleep 0.3; exec "$0" adopt uncore', contested.program],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=contested.environment(None)) as run:
        run.stdout.close()
        run.wait(30)
    assert written(contested, "run") and loaded(contested, "pmon_uncore")
    assert not loaded(contested, "intel_uncore")

@pytest.mark.parametrize("release", ["5.14.0-687.el9.x86_64", "6.1.0-56-amd64", "6.11.0-29-generic",
                                     "6.12.9+bpo-amd64", "6.12.18-amd64", "6.13.6"])
def test_persist_waits_for_the_next_boot_where_perf_can_hang(contested, release):
    on_kernel(contested, release).pmonctl("adopt --persist uncore").shows(
        "*from the next boot on*", "*--now hands over at once*")
    assert calls(contested) == [] and written(contested, "etc")
    contested.pmonctl("adopt --persist --now uncore", err="can hang when intel_uncore is unloaded").shows(
        "*openpmon drives the counter boxes at every boot*")

def test_a_file_that_was_edited_is_left_alone(contested):
    adopted(contested).append("run/modprobe.d/openpmon-uncore.conf", "# mine")
    for command in "release uncore", "adopt uncore":
        contested.pmonctl(command, status=2, err="was edited after pmonctl adopt")
        assert contested.read("run/modprobe.d/openpmon-uncore.conf").endswith("# mine\n")

# ---- several areas: adopt takes uncore first, then plr, then r2pcie

def test_limits_that_no_device_records_are_missing_beside_boxes(contested):
    contested.pmonctl("adopt --persist uncore plr", status=77, err="plr: this host has none of these devices")
    assert written(contested, "etc") and not contested.at("etc/modprobe.d/openpmon-plr.conf").exists()

@pytest.mark.parametrize("areas, fails", [("uncore plr", "pmon_uncore"), ("plr r2pcie", "pmon_r2pcie")])
def test_a_failure_is_worse_than_a_missing_device_in_either_order(contested, areas, fails):
    contested.pci("0000:7f:13.1", "0x8086", "0x0e34").live("pmon_r2pcie")
    contested.installed("pmon", "pmon_uncore", "pmon_r2pcie", "intel_uncore")
    contested.used("pmon_uncore", 1).used("pmon_r2pcie", 1)
    contested.pmonctl(f"adopt {areas}", status=2, err=[f"{fails} is in use", "plr: this host has none"])

def test_adopt_without_a_name_takes_a_driver_that_is_loaded_and_not_listed(contested):
    limits = with_limits(contested)
    limits.remove(f"lib/modules/{KERNEL}/updates/intel-plr-tpmi.ko.xz").depmod()
    limits.pmonctl("adopt").shows("*openpmon drives the performance limits*")
    assert loaded(limits, "pmon_plr") and not loaded(limits, "intel_plr_tpmi")
    limits.pmonctl("release plr").shows(
        "plr: released; * before adopt, unless it was intel_plr_tpmi, which is not in modules.dep.")
    assert loaded(limits, "pmon_plr")

# ---- R2PCIe: adopt hands over its PCI functions. On this host no driver binds a function.

def test_r2pcie_may_be_adopted_from_the_next_boot_on(contested):
    ring(contested).live("pmon_r2pcie").pmonctl("adopt --next-boot r2pcie").shows("*r2pcie: openpmon drives *")
    contested.at("etc/modprobe.d").chmod(0o555)
    contested.pmonctl("release r2pcie", status=2, under=WEAK, err="openpmon-r2pcie.conf: cannot be")
    contested.at("etc/modprobe.d").chmod(0o755)
    assert loaded(contested, "intel_uncore", "pmon_r2pcie")
    assert calls(contested) == ["-pmon_r2pcie", "-intel_uncore", "+pmon_r2pcie", "+intel_uncore"]

# ---- the files that adopt and release write and remove: both must follow no links

WHY = UNCORE + ": is a link, or not an ordinary file"

@pytest.fixture
def settled(host):
    """Make a host on which `adopt` loads and unloads nothing."""
    host.folder("run").folder("etc/modprobe.d").discovery_function().spr()
    host.live("pmon_uncore", "pmon_plr").paranoid(0)
    return host.put_bytes("victim", ADOPTION.encode())

def whole(host):
    """Is adopt's file complete, ordinary, readable for modprobe, and the only one?"""
    conf = host.at(UNCORE)
    return not conf.is_symlink() and conf.read_text() == ADOPTION and \
        conf.stat().st_mode & 0o777 == 0o644 and os.listdir(conf.parent) == ["openpmon-uncore.conf"]

@pytest.mark.parametrize("command", ["adopt --persist uncore", "release uncore"])
@pytest.mark.parametrize("make", [
    lambda path: path.symlink_to("../../victim"), os.mkdir, os.mkfifo,
    lambda path: path.write_bytes(ADOPTION.encode() + b"\0mine\n")], ids=["link", "directory", "pipe", "longer file"])
def test_something_else_in_the_place_of_the_file_is_left_alone(settled, make, command):
    make(settled.at(UNCORE))
    before = configuration(settled)
    settled.pmonctl(command, status=2, err=WHY)
    assert configuration(settled) == before and settled.read("victim") == ADOPTION

def test_doctor_notes_a_link_in_the_place_of_the_file(settled):
    settled.link("../../victim", UNCORE).pmonctl("doctor").shows("note *openpmon-uncore.conf is a link*")

def test_a_link_by_a_name_that_can_be_foreseen_is_not_followed(settled):
    settled.link("../../victim", "etc/modprobe.d/.openpmon-uncore.conf.new")
    settled.pmonctl("adopt --persist uncore")
    assert whole(settled)

def test_a_directory_outside_the_tree_is_not_written(settled):
    outside = settled.root.parent / "outside"
    outside.mkdir()
    settled.remove("etc/modprobe.d").link(outside, "etc/modprobe.d")
    settled.pmonctl("adopt --persist uncore", status=2, err="cannot be written")
    assert not os.listdir(outside)

def test_others_can_read_the_file_whatever_the_umask(settled):
    settled.pmonctl("adopt --persist uncore", umask=0o077)
    assert whole(settled)
    settled.pmonctl("adopt uncore", umask=0o077)
    assert settled.at("run/modprobe.d").stat().st_mode & 0o777 == 0o755

# The limit does not apply to standard output, which is a pipe.
@pytest.mark.parametrize("options", ["--persist", ""])
def test_a_file_that_cannot_be_written_is_not_there_nor_its_directory(settled, options):
    settled.pmonctl(f"adopt {options} uncore", status=2, under=["prlimit", "--fsize=0"],
                    err="cannot be written: File too large")
    assert not os.listdir(settled.at("run")) and not os.listdir(settled.at("etc/modprobe.d"))

@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_no_message_is_in_the_file_with_a_closed_descriptor(settled, closed):
    subprocess.run(["sh", "-c", f'"$0" adopt --persist uncore {closed}', settled.program],
                   env=settled.environment(None), capture_output=True, timeout=30)
    assert whole(settled)

# The file is complete and synchronised before its rename; then the directory is synchronised.
def test_the_file_is_written_synchronised_renamed_and_synchronised_again(settled):
    if not shutil.which("strace") or os.getuid():
        pytest.skip("needs strace and root")
    settled.pmonctl(
        "adopt --persist uncore", env={"LSAN_OPTIONS": "detect_leaks=0", "ASAN_OPTIONS": "detect_leaks=0"},
        under=["strace", "-f", "-o", settled.at("trace"), "-e", "trace=openat,write,fchmod,fsync,renameat"])
    trace = settled.read("trace")
    order = " ".join(re.findall(r"^\d+ +([a-z]+)\(", trace, re.M))
    assert "openat write fchmod fsync renameat fsync" in order
    assert re.search("O_CREAT.*O_EXCL.*O_NOFOLLOW", trace)
