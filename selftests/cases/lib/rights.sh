# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of the rights cases, which need /root/rights; source after
# guest.sh and plr.sh.

# rights_load: load pmon_plr and pmon_uncore, whose files group 7 may read
rights_load() {
	# at boot a guest's root directory is open to root alone
	chmod 755 /
	echo 'options intel_uncore uncore_no_discover=1' \
		>/etc/modprobe.d/test.conf
	plr_kernel
	modprobe pmon gid=7
	modprobe pmon_plr
	modprobe pmon_uncore
}

# rights_accessed: print the classes of registers with accesses since `hw count reset`
rights_accessed() {
	hw count | awk -F'[ =]' '{
		for (i = 3; i <= 5; i += 2)
			if ($(i + 1) > 0)
				print $2, $i "=" $(i + 1)
	}'
}

# rights_settled: wait until polls for earlier readers have ended in all domains
rights_settled() {
	# Polling that has just begun does not show in the file `active` yet.
	sleep 0.2
	for rights_die in "$PMON"/pkg*-dom*/plr/die; do
		while cat "$rights_die/active" >/dev/null 2>&1; do
			sleep 0.02
		done
	done
}
