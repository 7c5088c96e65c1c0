# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
#
# Define paths and functions for the scripts `install` and `uninstall`, here and in ../dkms.
#
#   KVER     kernel release, default the running one; or 6.1, 6.12, newest, as for make
#   DESTDIR  prefix of every path, for packages; default none
#   PREFIX   directory for pmonctl, its manual page and the service: /usr/local (default)
#            or /usr

root=$(cd "$(dirname "$0")/../../.." && pwd)
kver=${KVER:-$(uname -r)}
case $kver in
6.1 | 6.12 | newest | *-rt | *-cloud)
	# shellcheck disable=SC2016 # for that shell
	kver=$(bash -c '. "$0/selftests/lib/build/lib.sh" && kver "$1"' "$root" "$kver") ;;
esac
dest=${DESTDIR:-}
prefix=${PREFIX:-/usr/local}
prefix=${prefix%/}

updates=$dest/lib/modules/$kver/updates
modules=$updates/openpmon
program=$dest$prefix/sbin/pmonctl
manual=$dest$prefix/share/man/man8/pmonctl.8
completion=$dest$prefix/share/bash-completion/completions/pmonctl
boot=$dest$prefix/libexec/openpmon/boot

# Users read the manual pages, and other services the rules, whatever root's umask is.
umask 022

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# with_apt TEXT: print TEXT, which names apt, where apt is the way to install
with_apt() {
	! command -v dpkg >/dev/null || echo "$1"
}

# Is there a kernel in this directory of modules? A removed kernel leaves directories.
is_kernel() {
	[ -d "$1/kernel" ] || [ -e "$1/modules.builtin" ]
}

need_kernel() {
	[ -n "$dest" ] || is_kernel "/lib/modules/$kver" ||
		die "kernel $kver is not installed; give DESTDIR= to stage elsewhere"
}

need_root() {
	[ -n "$dest" ] || [ "$(id -u)" = 0 ] ||
		die "only root can change /lib/modules; give DESTDIR= to stage elsewhere"
}

# Refuse other prefixes, because systemd would not find the service there, and udev would
# load the modules early. The script `uninstall` still removes files of such a prefix.
need_prefix() {
	case $prefix in
	/usr | /usr/local) ;;
	*) die "PREFIX=${PREFIX:-}: systemd and modprobe look for files below /usr and /usr/local only" ;;
	esac
}

# Print the installed kernels that have our modules. A staged tree may have no kernel, so do
# not test it.
kernels() {
	for dir in "$dest"/lib/modules/*/updates/openpmon; do
		tree=${dir%/updates/openpmon}
		[ -d "$dir" ] || continue
		[ -z "$dest" ] && ! is_kernel "$tree" || echo "${tree##*/}"
	done
}

# has_dkms: test for our hook, or our sources in DKMS, which would build the modules again
has_dkms() {
	[ -e "$dest/etc/kernel/postinst.d/openpmon-dkms" ] ||
		[ -d "$dest/var/lib/dkms/openpmon" ]
}

# stop_services stop|disable: stop the services before a new installation, or stop and
# disable them for good. Ignore errors, because a unit unknown to systemd needs neither.
stop_services() {
	[ -d /run/systemd/system ] || return 0
	for unit in openpmon-metrics openpmon-recorder openpmon; do
		case $1 in
		stop) systemctl -q stop $unit.service ;;
		disable) systemctl -q disable --now $unit.service ;;
		esac 2>/dev/null || :
	done
}

# service enable|disable: without DESTDIR reload systemd, if it runs; `enable` also enables the unit
service() {
	[ -z "$dest" ] && [ -d /run/systemd/system ] || return 0
	systemctl daemon-reload
	[ "$1" != enable ] || systemctl -q enable openpmon.service
}

# Run depmod, except for a staged tree, for which the package's scripts run it.
index() {
	[ -n "$dest" ] || depmod "$kver"
}
