# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest, after the command, if the kernel has kmemleak: unload the suite, and print
# its leaks, which are objects older than 5 s, unreferenced and unchanged in two scans.
leaks=/sys/kernel/debug/kmemleak
[ -e "$leaks" ] || exit 0
rmmod pmon_plr pmon_uncore pmon_cxl pmon_r2pcie pmon 2>/dev/null
echo scan >"$leaks"
sleep 5.5
echo scan >"$leaks"
# Create the file, which rmmod() of guest.sh writes only if it unloads intel_uncore.
touch /tmp/peer-code
awk -f /vm/leaks /tmp/peer-code "$leaks"
