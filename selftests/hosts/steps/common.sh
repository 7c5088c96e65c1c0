# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the steps share. They run in the guest, as root, once a boot is over.
. "$(dirname "$0")/guest.sh"

PMUS=/sys/bus/event_source/devices
kept=/var/tmp/before
# What is in the guest's PATH is Debian's, but for these files.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# settle: everything that this boot starts has been started
settle() {
	systemctl is-system-running --wait >/dev/null
	udevadm settle
}

pmus() {
	(cd $PMUS && ls -d uncore_* 2>/dev/null)
}

# events: those of the PMUs that are there, by name, and one by its number of
# each PMU that has terms for that
events() {
	local pmu name

	for pmu in $(pmus); do
		for name in "$PMUS/$pmu"/events/*; do
			case ${name##*/} in
			'*' | *.scale | *.unit | *.per-pkg | *.snapshot) ;;
			*) echo "$pmu/${name##*/}/" ;;
			esac
		done
		[ ! -e "$PMUS/$pmu/format/umask" ] || echo "$pmu/event=0x1,umask=0x1/"
	done
}

# opens <EVENTS: those of them that can be opened, by one perf
opens() {
	local list=()

	while read -r name; do
		list+=(-e "$name")
	done
	[ "${#list[@]}" != 0 ] || return 0
	perf stat -x '|' -a -o /run/perf "${list[@]}" sleep 1 2>/run/perf.err ||
		cat /run/perf.err >&2
	awk -F'|' '$3 != "" && $1 != "<not supported>" { print $3 }' /run/perf | sort
}

# warnings: what this boot's journal has of them, without what differs each time:
# numbers, which modules are there when the kernel warns of something, and that an
# emulated CPU had to wait for a real one.
warnings() {
	journalctl -b -p warning -o cat --no-pager |
		grep -vE '^(Modules linked in|hrtimer: interrupt took)' |
		sed -E 's/0x[0-9a-f]+|[0-9a-f]{8,}|[0-9]+(\.[0-9]+)*/N/g' | sort -u
}

units() {
	systemctl list-units --failed --plain --no-legend | cut -d' ' -f1 | sort
}

# files: all of this host but what it has of running: names, and of what configures
# it the contents, too
files() {
	find / -xdev \( -path /t -o -path /tmp -o -path /var/tmp -o -path /var/log \
		-o -path /var/cache -o -path /var/backups -o -path /var/lib/dpkg \
		-o -path /var/lib/systemd/timers -o -path /var/lib/systemd/random-seed \
		-o -path /root \) -prune -o -print | sort
	find /etc /usr/lib/modprobe.d /lib/modules/*/modules.* -type f \
		! -name '*-' ! -name '*.bin' -exec sha256sum {} + | sort -k 2
}

live() {
	[ "$(cat "/sys/module/$1/initstate" 2>/dev/null)" = live ]
}

# healthy: no unit has failed, and the journal is as it was
healthy() {
	is "$(units)" "$(cat $kept/units)" 'no unit has failed that had not before'
	# That they are out of tree, and whose signature they have; that the host
	# went down by a panic, which is a step of its own; and that a module is for
	# no kernel, which break.sh has made of it.
	is "$(warnings | comm -13 $kept/warnings - |
		grep -vE '^pmon\w*: (loading out-of-tree module taints kernel|module verification failed)|^File /var/log/journal/.* uncleanly shut down|^pmon_uncore: version magic .* mod_unloax ')" \
		'' 'the journal has no new warning'
}
