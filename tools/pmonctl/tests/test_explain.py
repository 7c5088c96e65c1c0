# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl explain: raw registers and names of reasons."""
import pathlib
import subprocess

from result import checks, same

PLR = pathlib.Path(__file__).parents[3] / "selftests/cases/lib/plr.sh"

def specified():
    """Return the bits and names of the specification, not of the driver's table."""
    # plr_latched keeps plr.sh from clearing hardware.
    names = subprocess.run(["sh", "-c", f"plr_latched=kept; . {PLR}; plr_names | while read -r bit "
                            'name; do echo "$(plr_value "$bit") $name"; done'],
                           capture_output=True, text=True, check=True).stdout
    return [line.split()[:2] for line in names.splitlines()]

def test_every_bit_has_the_name_of_the_specification_and_a_meaning(host):
    bits = specified()
    assert len(bits) == 64
    m = host.pmonctl("explain --json", *(value for value, _ in bits)).json()
    assert [[name] for _, name in bits] == [[r["name"] for r in v["reasons"]] for v in m["values"]]
    assert all(r["meaning"] for v in m["values"] for r in v["reasons"])

def diamond_rapids(host):
    return host.cpu_model(19, 1)

MEANING = "package power limit 1 (long term), set by MSR or TPMI (software, firmware)"

test_fact = checks("host", {
    "names and registers have meanings": (
        same, "0x0000040000000004 0 power", "0x0000040000000004: POWER POWER_PKG_PL1_MSR_TPMI",
        "0x0000000000000000: none", "POWER", "power limit of the socket or the platform (RAPL)", MEANING,
        "compare the limits in /sys/class/powercap with the part's TDP"),
    "names and registers are values of JSON": (same, "--json 0x0000040000000004 0 power", {
        "values/*/reasons/*/name": [["POWER", "POWER_PKG_PL1_MSR_TPMI"], [], ["POWER"]]}),
    **{f"{value} is a register, which is hexadecimal": (same, value, "0x0000040000000004: POWER POWER_PKG*")
       for value in ("40000000004", "0X0000040000000004", "0000040000000004")},
    **{f"{word}, a part of a name, finds all reasons that contain it": (same, f"--json {word}", {
        "values/*/reasons/*/name": [names]}) for word, names in {
            "PROCHOT": ["PLATFORM_PROCHOT"], "XXPROCHOT": ["PLATFORM_PROCHOT"], "hot_vr": ["PLATFORM_HOT_VR"],
            "PL1_PCS": ["POWER_PKG_PL1_PCS", "POWER_PLATFORM_PL1_PCS"]}.items()},
    "without a name all reasons are explained": (same, "", "FREQUENCY: turbo ratio limit * ",
        "POWER_PKG_PL1_PCS: package power limit 1 (long term), set by PCS, *", "!RSVD*"),
    "without a name JSON has all reasons": (same, "--json", '*"name": "POWER_PKG_PL1_PCS"*', '!*"name": "RSVD*'),
    "all ones are no reasons": (same, "ffffffffffffffff", (1,), "*no reasons: the device is gone*"),
    "all ones are an error in JSON": (same, "--json ffffffffffffffff", (1,), {"values/0/error": "all ones"}),
    "JSON has every reason of a register": (same, "--json 0x0000040000400004", {
        "format": 3, "values/0/value": "0x0000040000400004", "values/0/coarse": "0x00400004",
        "values/0/fine": "0x00000400", "values/0/reasons/*/bit": [2, 22, 42], "values/0/reasons/2/meaning": MEANING,
        "values/0/reasons/*/name": ["POWER", "RSVD_COARSE22", "POWER_PKG_PL1_MSR_TPMI"],
        "values/0/reasons/*/coarse": ["POWER", None, "POWER"],
        "values/0/reasons/1/remedy": "please report it, with the CPU model",
        "values/0/reasons/2/remedy": "compare the limits in /sys/class/powercap with the part's TDP"}),
    "Diamond Rapids has its own names and meanings": (
        diamond_rapids, "0x0100080000000200", "*: ICCMAX POWER_PKG_PL1_CSR ICCMAX_MODULE_LEVEL",
        "maximum current (ICCmax), by dynamic frequency capping",
        "package power limit 1 (long term), set by the BIOS",
        "maximum current (ICCmax) of this module, by dynamic frequency capping",
        "heavy vector code on many cores: spread or shift the work"),
    "bits that Diamond Rapids lacks are reserved": (
        diamond_rapids, "0x2000000000000000", "RSVD_FINE29", "no meaning in the specification"),
    "Granite Rapids has the names of the specification": (
        lambda h: h.cpu_model(6, 173), "0x0100080000000200", "*: DFC POWER_PKG_PL1_MMIO DFC_UFS"),
    "a host without limits has the names of the specification": (lambda h: h.cpu_model(6, 300), "4", "*: POWER"),
    "a host with limits of an unknown model has numbers": (
        lambda h: h.cpu_model(6, 300).put("pkg0-dom0/domain_id", 0), "0x0000040000000004", "*: COARSE2 FINE10",
        "*not known of this CPU model*")}, "explain ")
