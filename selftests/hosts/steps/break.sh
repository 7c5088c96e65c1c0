#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# break missing|failing: what becomes of the modules before the next boot.
. "$(dirname "$0")/common.sh"

kept_modules=/var/tmp/modules
dir=$(dirname "$(dpkg -L "openpmon-modules-$(uname -r)" | grep /pmon_uncore.ko)")
case $1 in
missing)
	# As a host is that boots a kernel for which there are none.
	mkdir -p $kept_modules
	mv "$dir"/*.ko $kept_modules/
	depmod
	fails 'they are gone' modinfo pmon_uncore
	;;
failing)
	# As one is whose module was built for a kernel with another configuration
	# (of another release it may be, with versions of symbols).
	mv $kept_modules/*.ko "$dir/"
	sed -i 's| mod_unload | mod_unloax |' "$dir/pmon_uncore.ko"
	depmod
	like "$(modinfo -F vermagic pmon_uncore)" mod_unloax 'one is for no kernel'
	;;
esac
finish
