#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# break missing|failing: remove or damage the modules before the next boot.
. "$(dirname "$0")/common.sh"

kept_modules=/var/tmp/modules
dir=$(dirname "$(dpkg -L "openpmon-modules-$(uname -r)" | grep /pmon_uncore.ko)")
case $1 in
missing)
	# A host may boot a kernel for which there are no modules.
	mkdir -p $kept_modules
	mv "$dir"/*.ko $kept_modules/
	depmod
	fails 'they are gone' modinfo pmon_uncore
	;;
failing)
	# Imitate a module for a kernel of another configuration: change mod_unload in its
	# version magic. Another release would be accepted, since symbols have versions.
	mv $kept_modules/*.ko "$dir/"
	sed -i 's| mod_unload | mod_unloax |' "$dir/pmon_uncore.ko"
	depmod
	like "$(modinfo -F vermagic pmon_uncore)" mod_unloax 'one is for no kernel'
	;;
esac
finish
