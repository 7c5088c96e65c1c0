# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Test pmonctl explain with raw registers.

# cpu_model FAMILY MODEL
cpu_model() {
	put proc/cpuinfo 'processor	: 0' "cpu family	: $1" "model		: $2"
}
# shellcheck disable=SC2034 # there is no hardware to begin anew
plr_latched=kept	# so that plr.sh does not run hw plr clear
# The names come from the specification, not from the driver's table.
# shellcheck source=selftests/cases/lib/plr.sh
. "$here/../../../selftests/cases/lib/plr.sh"
plr_names >"$tmp/names"
values=$(while read -r bit _; do
	plr_value "$bit"
done <"$tmp/names" | paste -sd' ')

rows <<END
explain: names, meanings, and what to compare each with | : a nothing |
	0 explain 0x0000040000000004 0 power
> 0x0000040000000004: POWER POWER_PKG_PL1_MSR_TPMI
> POWER
>  power limit of the socket or the platform (RAPL)
>  compare the limits in /sys/class/powercap with the part's TDP
> POWER_PKG_PL1_MSR_TPMI
>  package power limit 1 (long term), set by MSR or TPMI (software, firmware)
>  compare the limits in /sys/class/powercap with the part's TDP
>
> 0x0000000000000000: none
>
> POWER
>  power limit of the socket or the platform (RAPL)
>  compare the limits in /sys/class/powercap with the part's TDP
explain: % is hexadecimal | 0 explain % | 0x0000040000000004: POWER POWER_PKG*
% 40000000004 0X0000040000000004 0000040000000004
explain: '%' is wrong usage | 64 explain -- '%' | - neither the name of a reason
% '' 0x power_pl 12345678901234567 -1 ' 1' 1_0
explain: without a name, all of them | 0 explain | FREQUENCY: turbo ratio limit * |
	POWER_PKG_PL1_PCS: package power limit 1 (long term), set by PCS, * | ! RSVD*
explain: also in JSON, a value each | 0 explain --json
= names = [v["reasons"][0]["name"] for v in m["values"]]
= assert "POWER_PKG_PL1_PCS" in names and not [n for n in names if n.startswith("RSVD")]
explain: all ones are no reasons | 1 explain ffffffffffffffff | *no reasons: the device is gone*
explain: also in JSON | 1 explain --json ffffffffffffffff | : is_json | *"error": "all ones"*
explain: --json holds every reason | 0 explain --json 0x0000040000400004
= assert m["format"] == 2
= v, = m["values"]
= assert (v["value"], v["coarse"], v["fine"]) == ("0x0000040000400004", "0x00400004", "0x00000400")
= assert [(r["bit"], r["name"], r["coarse"]) for r in v["reasons"]] == [
=     (2, "POWER", "POWER"), (22, "RSVD_COARSE22", None),
=     (42, "POWER_PKG_PL1_MSR_TPMI", "POWER")]
= assert all(r["meaning"] and r["remedy"] for r in v["reasons"])
explain: every bit has its name and a meaning | 0 explain --json $values
= names = [[line.split()[1]] for line in open("$tmp/names")]
= assert len(names) == 64
= assert names == [[r["name"] for r in v["reasons"]] for v in m["values"]]
= assert all(r["meaning"] for v in m["values"] for r in v["reasons"])
# ---- meanings of bits that depend on the CPU
explain: on Diamond Rapids bits have their names and meanings | : cpu_model 19 1 |
	0 explain 0x0100080000000200 | *: ICCMAX POWER_PKG_PL1_CSR ICCMAX_MODULE_LEVEL |
	maximum current (ICCmax), by dynamic frequency capping |
	package power limit 1 (long term), set by the BIOS |
	maximum current (ICCmax) of this module, by dynamic frequency capping |
	heavy vector code on many cores: spread or shift the work
explain: what it has no more is reserved | 0 explain 0x2000000000000000 | RSVD_FINE29 |
	no meaning in the specification
explain: on Granite Rapids those of the specification | : cpu_model 6 173 |
	0 explain 0x0100080000000200 | *: DFC POWER_PKG_PL1_MMIO DFC_UFS
explain: on another host, too | : cpu_model 6 300 | 0 explain 4 | *: POWER
explain: numbers where limits are recorded that nothing is known of |
	: put pkg0-dom0/domain_id 0 | 0 explain 0x0000040000000004 | *: COARSE2 FINE10 |
	*not known of this CPU model*
END
