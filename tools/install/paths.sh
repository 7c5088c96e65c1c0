# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
#
# Where things go. Sourced by install and uninstall, which must agree.
#
#   KVER     kernel release, default the running one
#   DESTDIR  put in front of every path, for packages; default none
#   PREFIX   of pmonctl and its manual page, default /usr/local

root=$(cd "$(dirname "$0")/../.." && pwd)
kver=${KVER:-$(uname -r)}
dest=${DESTDIR:-}
prefix=${PREFIX:-/usr/local}

updates=$dest/lib/modules/$kver/updates
modules=$updates/openpmon
program=$dest$prefix/sbin/pmonctl
manual=$dest$prefix/share/man/man8/pmonctl.8
completion=$dest$prefix/share/bash-completion/completions/pmonctl
boot=$dest$prefix/libexec/openpmon/boot

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

need_root() {
	[ -n "$dest" ] || [ "$(id -u)" = 0 ] ||
		die "only root can change /lib/modules; give DESTDIR= to stage elsewhere"
}

# service enable|disable: of this system, where systemd runs it
service() {
	[ -z "$dest" ] && [ -d /run/systemd/system ] || return 0
	systemctl daemon-reload
	[ "$1" != enable ] || systemctl -q enable openpmon.service
}

# A staged tree has no module index; the package's scripts run depmod.
index() {
	[ -n "$dest" ] || depmod "$kver"
}
