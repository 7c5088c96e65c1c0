# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest: load the drivers of `run --drivers`. The output goes to the standard error
# of `run`, which fails if this script fails.

# load MODULE...: load the modules that this kernel has, with one process. "No such
# device" of a module of the suite is no failure.
load() {
	modprobe -a "$@" 2>/vm/said && return
	grep -v 'Module .* not found' /vm/said >&2
	! grep -v 'Module .* not found' /vm/said |
		grep -qv "'pmon_.*No such device"
}

# On a real host udev loads these modules at boot.
platform='intel_vsec intel_vsec_tpmi'

# Ignore failures of intel_uncore, which may refuse a machine, and of the PLR driver.
load_upstream() {
	load intel_uncore
	# shellcheck disable=SC2086 # words
	load $platform || return
	if [ -e /lib/peers/intel_plr_tpmi.ko ]; then
		load intel_tpmi_power_domains
		insmod /lib/peers/intel_plr_tpmi.ko
	fi
	return 0
}

# cxl: print the modules for CXL memory devices, if the guest has such devices
cxl() {
	! grep -q 0x050210 /sys/bus/pci/devices/*/class || echo cxl_pci pmon_cxl
}

load_ours() {
	# shellcheck disable=SC2046,SC2086 # words
	load $platform pmon_uncore pmon_plr $(cxl)
}

case $(cat /vm/drivers) in
ours) load_ours ;;
upstream) load_upstream ;;
both) load_upstream && load_ours ;;
none | adopted) ;;
esac
