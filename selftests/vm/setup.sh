# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest: load what `run --drivers` asks for. Its output goes to
# standard error of run; failing here fails the run.

# have MODULE: this kernel has it
have() {
	modinfo -n "$1" >/dev/null 2>&1
}

# load MODULE...: each that exists; the kernel's drivers may refuse a machine
load() {
	for module; do
		! have "$module" || modprobe "$module" || return
	done
}

# What udev has loaded on a real host before anybody asks for counters.
load_platform() {
	load intel_vsec intel_vsec_tpmi
}

load_upstream() {
	load intel_uncore
	load_platform
	if [ -e /lib/peers/intel_plr_tpmi.ko ]; then
		load intel_tpmi_power_domains
		insmod /lib/peers/intel_plr_tpmi.ko
	fi
	return 0
}

# has_cxl: is there a CXL memory device?
has_cxl() {
	grep -q 0x050210 /sys/bus/pci/devices/*/class
}

# A machine need not have what a module is for.
load_ours() {
	load_platform
	! has_cxl || load cxl_pci
	for module in pmon_uncore pmon_plr $(! has_cxl || echo pmon_cxl); do
		! have "$module" || modprobe "$module" 2>/vm/said && continue
		cat /vm/said >&2
		grep -q 'No such device' /vm/said || return
	done
}

case $(cat /vm/drivers) in
ours) load_ours ;;
upstream) load_upstream ;;
both) load_upstream && load_ours ;;
none) ;;
esac
