# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of the rights cases, beside guest.sh and plr.sh;
# /root/rights is there.

# rights_load: both drivers; group 7 may read
rights_load() {
	# a guest's root directory is open to root alone
	chmod 755 /
	echo 'options intel_uncore uncore_no_discover=1' \
		>/etc/modprobe.d/test.conf
	plr_kernel
	modprobe pmon gid=7
	modprobe pmon_plr
	modprobe pmon_uncore
}

# accessed: the classes of registers that were touched since `hw count reset`
accessed() {
	hw count | awk '{
		for (i = 2; i <= NF; i++) {
			split($i, pair, "=")
			if (pair[1] != "bytes" && pair[2] > 0)
				print substr($1, 7), $i
		}
	}'
}

# settled: no domain is watched any more for what was allowed before
settled() {
	# A poll that has just begun shows nothing yet.
	sleep 0.2
	for rights_die in "$PMON"/pkg*-dom*/plr/die; do
		while cat "$rights_die/active" >/dev/null 2>&1; do
			sleep 0.02
		done
	done
}
