# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Make a Debian in a directory. Source after selftests/lib/build/lib.sh.

# suite 12|13: print the name of that release
suite() {
	case $1 in
	12) echo bookworm ;;
	13) echo trixie ;;
	*) die "Debian $1: 12 or 13" ;;
	esac
}

# bootstrap 12|13 ROOT OPTION...: make a Debian in ROOT, with updates and security updates of this
# machine's mirrors, and with its apt's proxies and keys. OPTION is debootstrap's.
bootstrap() {
	local root=$2 suite file

	suite=$(suite "$1")
	shift 2
	[ "$(id -u)" = 0 ] || die "needs root, for debootstrap"
	command -v debootstrap >/dev/null || die "no debootstrap: tools/setup --all"
	debootstrap "$@" "$suite" "$root" "$(mirror debian)"
	rm -f "$root/etc/apt/sources.list"
	{
		source_of "$(mirror debian)" "$suite" "$suite-updates"
		source_of "$(mirror debian-security)" "$suite-security"
	} >"$root/etc/apt/sources.list.d/debian.sources"
	for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
		! grep -qsE 'Acquire|Proxy' "$file" || cp "$file" "$root/etc/apt/apt.conf.d/"
	done
	cp -n /etc/apt/trusted.gpg.d/debian-* "$root/etc/apt/trusted.gpg.d/" 2>/dev/null || true
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	# Packages must not start services.
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod 755 "$root/usr/sbin/policy-rc.d"
}
