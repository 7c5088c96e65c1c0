# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest: load what `run --drivers` asks for. Its output goes to
# standard error of run; failing here fails the run.

# load MODULE...: each that this kernel has, with one process. A machine need not
# have what a module of ours is for.
load() {
	modprobe -a "$@" 2>/vm/said && return
	grep -v 'Module .* not found' /vm/said >&2
	! grep -v 'Module .* not found' /vm/said |
		grep -qv "'pmon_.*No such device"
}

# What udev has loaded on a real host before anybody asks for counters.
platform='intel_vsec intel_vsec_tpmi'

# The kernel's drivers may refuse a machine.
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

# cxl: what there is to load for a CXL memory device, if there is one
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
