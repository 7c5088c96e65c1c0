# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Define functions for the scripts `build` and `modules`, which put a package's files below
# $out/debian. Source after selftests/lib/build/lib.sh.

command -v dh_builddeb >/dev/null || die "missing: apt-get install debhelper"
version=$("$ROOT/tools/package-version")
here=$ROOT/tools/packaging/debian
who="${DEBFULLNAME:-openpmon developers} <${DEBEMAIL:-openpmon@localhost}>"
date=${SOURCE_DATE_EPOCH:-$(git -C "$ROOT" log -1 --format=%ct 2>/dev/null ||
	stat -c %Y "$ROOT/tools/version")}
export SOURCE_DATE_EPOCH=$date OPENPMON_VERSION=$version DEB_RULES_REQUIRES_ROOT=no
umask 022
# With OPENPMON_LEAVES (make MODULES=plr) the packages have only the modules for limits.
if [ -n "${OPENPMON_LEAVES:-}" ]; then
	stem=openpmon-plr other=openpmon what='performance limits'
	text=' Kernel modules that show as files what has limited the performance of each\n core of Intel servers since Granite Rapids. They touch no counter.'
else
	stem=openpmon other=openpmon-plr what='uncore counters and performance limits'
	text=' Kernel modules that give perf the counters outside the cores that Intel\n servers since Sapphire Rapids list in PCI space, and that show as files what\n has limited the performance of each core since Granite Rapids.'
fi
mkdir -p "$OWN/deb"
# Use a directory per build, as several may run at a time. Finished packages go to $OWN/deb.
out=$(mktemp -d "$OWN/deb.XXXXXX")
trap 'rm -rf "$out"' EXIT

# prepare PACKAGE...: set up debhelper for these packages, in $out
prepare() {
	local file to

	export DH_OPTIONS="${*/#/-p}"
	mkdir "$out/debian"
	for file in "$here"/{control,copyright,openpmon-*}; do
		to=${file##*/}
		case $to in *-tools.*) ;; openpmon-*) to=$stem${to#openpmon} ;; esac
		sed -e "s|@VERSION@|$version|g" -e "s|@MAINTAINER@|$who|g" \
			-e "s|@KERNEL@|${kernel=none}|g" -e "s|@NAME@|$stem|" -e "s|@OTHER@|$other|" \
			-e "s|@WHAT@|$what|" -e "s|@TEXT@|$text|" "$file" \
			>"$out/debian/${to/-modules/-modules-$kernel}"
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

# pack: make the packages and print their paths; remove packages older than a day
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
