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
# functions that were removed and that something still holds. Not of intel_uncore,
# which has gone: it leaves the types of its boxes (guest.sh notes where it was).
touch /tmp/peer-code
awk 'function of_peer(block,   i, at, when) {
		if (!match(block, / 0xffffffff[ac][0-9a-f]+/))
			return 0
		at = substr(block, RSTART + 1, RLENGTH - 1) ""
		match(block, /jiffies [0-9]+/)
		when = substr(block, RSTART + 8, RLENGTH - 8) + 0
		for (i = 1; i <= peers; i++)
			if (at >= first[i] && at <= last[i] && when <= until[i])
				return 1
		return 0
	}
	FILENAME == "/tmp/peer-code" {
		first[++peers] = $1 ""
		last[peers] = $2 ""
		until[peers] = $3 + 0
		next
	}
	(/\[pmon/ || /pci_alloc_dev/ || (/ 0xffffffff[ac]/ && !/ \[[a-z_0-9]+\]/)) &&
	!of_peer($0) {
		printf "unreferenced object%s", $0
	}' /tmp/peer-code RS='unreferenced object' "$leaks"
