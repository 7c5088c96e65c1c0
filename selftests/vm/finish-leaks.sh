# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest, after the command: print the leaks that kmemleak finds, if
# this kernel has it. An object counts once it is 5 s old and was found
# unreferenced and unchanged in two scans.
leaks=/sys/kernel/debug/kmemleak
[ -e "$leaks" ] && [ ! -e /vm/no-leaks ] || exit 0
rmmod pmon_plr pmon_uncore pmon 2>/dev/null
echo scan >"$leaks"
sleep 5.2
echo scan >"$leaks"
cat "$leaks"
