# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest: load each module of suites and print what debugfs says of them.
# Arguments: module names.
results=/sys/kernel/debug/kunit
if [ -e /root/kunit.ko ]; then
	insmod /root/kunit.ko || exit
else
	modprobe kunit || exit
fi
for module; do
	echo "# suites of $module"
	insmod "/root/$module.ko" || exit
	for suite in "$results"/*/results; do
		cat "$suite"
	done
	rmmod "$module" || exit
done
rmmod kunit
