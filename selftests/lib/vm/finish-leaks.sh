# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest, after the command: print the leaks that kmemleak finds, if the kernel
# has kmemleak: objects older than 5 s, unreferenced and unchanged in two scans.
leaks=/sys/kernel/debug/kmemleak
[ -e "$leaks" ] || exit 0
rmmod pmon_plr pmon_uncore pmon_cxl pmon_r2pcie pmon 2>/dev/null
echo scan >"$leaks"
sleep 5.5
echo scan >"$leaks"
# rmmod() of guest.sh makes this file only if it unloads intel_uncore.
touch /tmp/peer-code
awk -f /vm/leaks /tmp/peer-code "$leaks"
