# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest, after the command: print the leaks that kmemleak finds, if
# this kernel has it. An object counts once it is 5 s old and was found
# unreferenced and unchanged in two scans.
leaks=/sys/kernel/debug/kmemleak
[ -e "$leaks" ] || exit 0
rmmod pmon_plr pmon_uncore pmon_cxl pmon_r2pcie pmon 2>/dev/null
echo scan >"$leaks"
sleep 5.5
echo scan >"$leaks"
# Ours are those with one of our modules in the trace, or with code that is gone
# and no module that is there: the kernel's own drivers leak, too. And PCI
# functions that were removed and that something still holds.
awk 'BEGIN { RS = "unreferenced object" }
	/\[pmon/ || /pci_alloc_dev/ || (/ 0xffffffff[ac]/ && !/ \[[a-z_0-9]+\]/) {
		printf "unreferenced object%s", $0
	}' "$leaks"
