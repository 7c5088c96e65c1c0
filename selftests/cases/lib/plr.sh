# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of the plr cases:  . /lib/test/guest.sh; . /lib/test/plr.sh

PMON=/sys/class/pmon
# shellcheck disable=SC2034
CPUS=/sys/devices/system/cpu

# plr_names: "BIT NAME" for all 64 bits, in the order of the specification.
# The driver has a table of its own; this one is what it is judged by.
plr_names() {
	plr_bit=0
	for plr_name in FREQUENCY CURRENT POWER THERMAL PLATFORM MCP RAS MISC \
		QOS DFC C C C C C C C C C C C C C C C C C C C C C C \
		FREQUENCY_CDYN0 FREQUENCY_CDYN1 FREQUENCY_CDYN2 \
		FREQUENCY_CDYN3 FREQUENCY_CDYN4 FREQUENCY_CDYN5 \
		FREQUENCY_FCT FREQUENCY_PCS_TRL CURRENT_MTPMAX \
		POWER_FAST_RAPL POWER_PKG_PL1_MSR_TPMI POWER_PKG_PL1_MMIO \
		POWER_PKG_PL1_PCS POWER_PKG_PL2_MSR_TPMI POWER_PKG_PL2_MMIO \
		POWER_PKG_PL2_PCS POWER_PLATFORM_PL1_MSR_TPMI \
		POWER_PLATFORM_PL1_MMIO POWER_PLATFORM_PL1_PCS \
		POWER_PLATFORM_PL2_MSR_TPMI POWER_PLATFORM_PL2_MMIO \
		POWER_PLATFORM_PL2_PCS F THERMAL_PER_CORE DFC_UFS \
		PLATFORM_PROCHOT PLATFORM_HOT_VR F F MISC_PCS_PSTATE F F
	do
		case $plr_name in
		C) plr_name=RSVD_COARSE$plr_bit ;;
		F) plr_name=RSVD_FINE$((plr_bit - 32)) ;;
		esac
		echo "$plr_bit $plr_name"
		plr_bit=$((plr_bit + 1))
	done
}

# plr_value BIT: the value with that bit
plr_value() {
	printf '0x%016x\n' $((1 << $1))
}

# plr_accesses CLASS...: how many accesses of these classes hw has counted
plr_accesses() {
	hw count | awk -v want=" $* " '
		{
			for (i = 1; i <= NF; i++) {
				split($i, kv, "=")
				v[kv[1]] = kv[2]
			}
			if (index(want, " " v["class"] " "))
				n += v["reads"] + v["writes"]
		}
		END { print n + 0 }'
}

# plr_total: all accesses to PLR instances
plr_total() {
	plr_accesses mailbox plr-data die-level plr-header
}

# plr_written: writes of any class but the mailbox interface
plr_written() {
	hw count | awk '
		{
			for (i = 1; i <= NF; i++) {
				split($i, kv, "=")
				v[kv[1]] = kv[2]
			}
			if (v["writes"] > 0) printf "%s=%d ", v["class"], v["writes"]
		}'
}

# plr_modules DOMAIN: numbers of the modules that have a directory
plr_modules() {
	for plr_dir in "$PMON/$1"/plr/core*; do
		echo "${plr_dir##*/core}"
	done | sort -n
}

# plr_error FILE: why reading it fails, or nothing
plr_error() {
	plr_error=$(cat "$1" 2>&1 >/dev/null) || echo "${plr_error##*: }"
}
