# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Load each module of suites in the guest and print its results from debugfs. Arguments:
# module names.
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
