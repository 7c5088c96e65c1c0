# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Shared by build and modules, which put what a package has below $out/debian. Source
# it after selftests/lib/build/lib.sh.

command -v dh_builddeb >/dev/null || die "missing: apt-get install debhelper"
version=$("$ROOT/tools/package-version")
here=$ROOT/tools/packaging/debian
who="${DEBFULLNAME:-openpmon developers} <${DEBEMAIL:-openpmon@localhost}>"
date=${SOURCE_DATE_EPOCH:-$(git -C "$ROOT" log -1 --format=%ct 2>/dev/null ||
	stat -c %Y "$ROOT/tools/version")}
export SOURCE_DATE_EPOCH=$date OPENPMON_VERSION=$version DEB_RULES_REQUIRES_ROOT=no
umask 022
mkdir -p "$OWN/deb"
# Several may be made at a time; those that are done are in $OWN/deb.
out=$(mktemp -d "$OWN/deb.XXXXXX")
trap 'rm -rf "$out"' EXIT

# prepare PACKAGE...: debhelper works on these now, in $out
prepare() {
	local file name

	export DH_OPTIONS="${*/#/-p}"
	mkdir "$out/debian"
	for file in "$here"/{control,copyright,openpmon-*}; do
		name=${file##*/}
		sed -e "s|@VERSION@|$version|g" -e "s|@MAINTAINER@|$who|g" \
			-e "s|@KERNEL@|${kernel=none}|g" "$file" \
			>"$out/debian/${name/-modules/-modules-$kernel}"
	done
	cat >"$out/debian/changelog" <<-END
		openpmon ($version) unstable; urgency=medium

		  * See changes.rst, in openpmon-tools.

		 -- $who  $(date -R -u -d "@$date")
	END
	cd "$out" || return
	dh_installdocs
	dh_installchangelogs
}

# pack: makes them and prints their paths; older ones of a day ago go
pack() {
	local deb

	dh_fixperms
	dh_shlibdeps
	dh_installdeb
	dh_gencontrol
	dh_md5sums
	dh_builddeb --destdir="$out" -- -Zxz >/dev/null
	find "$OWN/deb" -name '*.deb' -mmin +1440 -delete
	for deb in "$out"/*.deb; do
		mv "$deb" "$OWN/deb/"
		echo "$OWN/deb/${deb##*/}"
	done
}
