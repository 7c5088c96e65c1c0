# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Define functions for the steps, which run in the guest, as root, after a boot.
. "$(dirname "$0")/guest.sh"

PMUS=/sys/bus/event_source/devices
kept=/var/tmp/before
# Set the PATH of Debian, because guest.sh sets another one.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# settle: wait until the boot has started all units
settle() {
	systemctl is-system-running --wait >/dev/null
	udevadm settle
}

pmus() {
	(cd $PMUS && ls -d uncore_* 2>/dev/null)
}

# events: print the named events of all PMUs, and event=1,umask=1 of each PMU with a umask
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

# opens <EVENTS: print the events that perf can open
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

# warnings: print the warnings of this boot's journal without parts that differ at each
# boot: numbers, lists of modules, and delays of emulated CPUs
warnings() {
	journalctl -b -p warning -o cat --no-pager |
		grep -vE '^(Modules linked in|hrtimer: interrupt took|sched: DL replenish lagged)' |
		sed -E 's/0x[0-9a-f]+|[0-9a-f]{8,}|[0-9]+(\.[0-9]+)*/N/g' | sort -u
}

units() {
	systemctl list-units --failed --plain --no-legend | cut -d' ' -f1 | sort
}

# files: print the names of all files that a running host does not change, and digests
# of configuration files
files() {
	find / -xdev \( -path /t -o -path /tmp -o -path /var/tmp -o -path /var/log \
		-o -path /var/cache -o -path /var/backups -o -path /var/lib/dpkg \
		-o -path /var/lib/systemd/timers -o -path /var/lib/systemd/random-seed \
		-o -path /root \) -prune -o -print | sort
	find /etc /usr/lib/modprobe.d /lib/modules/*/modules.* -type f \
		! -name '*-' ! -name '*.bin' -exec sha256sum {} + | sort -k 2
}

# as_nobody FILE: read a file as a user without rights
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups cat "$1"
}

# read_by_all WHAT FILE..., read_by_root WHAT FILE...: check who reads files that services write, as
# rights.rst has it
read_by_all() {
	for file in "${@:2}"; do
		runs "everybody reads $1" as_nobody "$file"
	done
}

read_by_root() {
	for file in "${@:2}"; do
		runs "$1 is there" test -e "$file"
		fails "root alone reads $1" as_nobody "$file"
	done
}

live() {
	[ "$(cat "/sys/module/$1/initstate" 2>/dev/null)" = live ]
}

# healthy: check that since before.sh no unit has failed and the journal has no new warning
healthy() {
	is "$(units)" "$(cat $kept/units)" 'no unit has failed that had not before'
	# Warnings of taint, of the panic and of the module that break.sh has damaged are
	# expected.
	is "$(warnings | comm -13 $kept/warnings - |
		grep -vE '^pmon\w*: (loading out-of-tree module taints kernel|module verification failed)|^File /var/log/journal/.* uncleanly shut down|^pmon_uncore: version magic .* mod_unloax ')" \
		'' 'the journal has no new warning'
}
