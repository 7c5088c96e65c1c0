# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl explain: raw registers and names of reasons."""
import pathlib
import subprocess

import pytest

PLR = pathlib.Path(__file__).parents[3] / "selftests/cases/lib/plr.sh"

def specified():
    """Return the bits and names of the specification, not of the driver's table."""
    # plr_latched keeps plr.sh from clearing hardware.
    names = subprocess.run(["sh", "-c", f"plr_latched=kept; . {PLR}; plr_names | while read -r bit "
                            'name; do echo "$(plr_value "$bit") $name"; done'],
                           capture_output=True, text=True, check=True).stdout
    return [line.split()[:2] for line in names.splitlines()]

def test_names_have_meanings_and_say_what_to_compare_with(host):
    run = host.pmonctl("explain 0x0000040000000004 0 power").has(
        "0x0000040000000004: POWER POWER_PKG_PL1_MSR_TPMI", "0x0000000000000000: none",
        "power limit of the socket or the platform (RAPL)",
        "package power limit 1 (long term), set by MSR or TPMI (software, firmware)")
    assert run.lines.count("compare the limits in /sys/class/powercap with the part's TDP") == 3
    assert run.lines.count("POWER") == 2

@pytest.mark.parametrize("value", ["40000000004", "0X0000040000000004", "0000040000000004"])
def test_a_register_is_hexadecimal(host, value):
    host.pmonctl("explain", value).has("0x0000040000000004: POWER POWER_PKG*")

@pytest.mark.parametrize("part, names", [
    ("PROCHOT", ["PLATFORM_PROCHOT"]), ("XXPROCHOT", ["PLATFORM_PROCHOT"]), ("hot_vr", ["PLATFORM_HOT_VR"]),
    ("PL1_PCS", ["POWER_PKG_PL1_PCS", "POWER_PLATFORM_PL1_PCS"])])
def test_a_part_of_a_name_finds_all_reasons_that_contain_it(host, part, names):
    run = host.pmonctl("explain", part)
    assert [line for line in run.out.splitlines() if line and line[0] != " "] == names

def test_without_a_name_all_reasons_are_explained(host):
    host.pmonctl("explain").has("FREQUENCY: turbo ratio limit * ",
        "POWER_PKG_PL1_PCS: package power limit 1 (long term), set by PCS, *").lacks("RSVD*")
    m = host.pmonctl("explain --json").json()
    names = [v["reasons"][0]["name"] for v in m["values"]]
    assert "POWER_PKG_PL1_PCS" in names and not [n for n in names if n.startswith("RSVD")]

def test_all_ones_are_no_reasons(host):
    host.pmonctl("explain ffffffffffffffff", status=1).has("*no reasons: the device is gone*")
    run = host.pmonctl("explain --json ffffffffffffffff", status=1)
    assert run.json()["values"][0]["error"] == "all ones"

def test_json_has_every_reason_of_a_register(host):
    m = host.pmonctl("explain --json 0x0000040000400004").json()
    assert m["format"] == 3
    v, = m["values"]
    assert (v["value"], v["coarse"], v["fine"]) == ("0x0000040000400004", "0x00400004", "0x00000400")
    assert [(r["bit"], r["name"], r["coarse"]) for r in v["reasons"]] == [
        (2, "POWER", "POWER"), (22, "RSVD_COARSE22", None), (42, "POWER_PKG_PL1_MSR_TPMI", "POWER")]
    assert all(r["meaning"] and r["remedy"] for r in v["reasons"])

def test_every_bit_has_the_name_of_the_specification_and_a_meaning(host):
    bits = specified()
    assert len(bits) == 64
    m = host.pmonctl("explain --json", *(value for value, _ in bits)).json()
    assert [[name] for _, name in bits] == [[r["name"] for r in v["reasons"]] for v in m["values"]]
    assert all(r["meaning"] for v in m["values"] for r in v["reasons"])

def test_diamond_rapids_has_its_own_names_and_meanings(host):
    host.cpu_model(19, 1).pmonctl("explain 0x0100080000000200").has(
        "*: ICCMAX POWER_PKG_PL1_CSR ICCMAX_MODULE_LEVEL",
        "maximum current (ICCmax), by dynamic frequency capping",
        "package power limit 1 (long term), set by the BIOS",
        "maximum current (ICCmax) of this module, by dynamic frequency capping",
        "heavy vector code on many cores: spread or shift the work")

def test_bits_that_diamond_rapids_lacks_are_reserved(host):
    host.cpu_model(19, 1).pmonctl("explain 0x2000000000000000").has(
        "RSVD_FINE29", "no meaning in the specification")

@pytest.mark.parametrize("model, value, names", [
    (173, "0x0100080000000200", "DFC POWER_PKG_PL1_MMIO DFC_UFS"), (300, "4", "POWER")])
def test_other_hosts_have_the_names_of_the_specification(host, model, value, names):
    host.cpu_model(6, model).pmonctl("explain", value).has(f"*: {names}")

def test_a_host_with_limits_of_an_unknown_model_has_numbers(host):
    host.cpu_model(6, 300).put("pkg0-dom0/domain_id", 0).pmonctl(
        "explain 0x0000040000000004").has("*: COARSE2 FINE10", "*not known of this CPU model*")
