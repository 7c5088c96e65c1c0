# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Shared by build and modules, which make Debian packages below $out. Source it
# after selftests/lib/build/lib.sh.

version=$("$ROOT/tools/package-version")
here=$ROOT/tools/packaging/debian
who="${DEBFULLNAME:-openpmon developers} <${DEBEMAIL:-openpmon@localhost}>"
date=${SOURCE_DATE_EPOCH:-$(git -C "$ROOT" log -1 --format=%ct 2>/dev/null ||
	stat -c %Y "$ROOT/tools/version")}
export SOURCE_DATE_EPOCH=$date OPENPMON_VERSION=$version
command -v dpkg-deb >/dev/null || die "missing: apt-get install dpkg"
umask 022
mkdir -p "$OWN/deb"
# Several may be made at a time; those that are done are in $OWN/deb.
out=$(mktemp -d "$OWN/deb.XXXXXX")
trap 'rm -rf "$out"' EXIT

# fill FILE: one of the templates, on standard output
fill() {
	sed -e "s|@VERSION@|$version|g" -e "s|@MAINTAINER@|$who|g" \
		-e "s|@DEPENDS@|${depends-}|g" -e "s|@KERNEL@|${kernel-}|g" \
		"$here/$1"
}

# documents PACKAGE: what /usr/share/doc has
documents() {
	local doc=$1/usr/share/doc/${1##*/}

	mkdir -p "$doc"
	cp "$here/copyright" "$doc/copyright"
	{
		echo "${1##*/} ($version) unstable; urgency=medium"
		printf '\n  * See changes.rst, in openpmon-tools.\n\n'
		echo " -- $who  $(date -R -u -d "@$date")"
	} | gzip -9n >"$doc/changelog.gz"
	chmod 644 "$doc"/*
}

# pack PACKAGE [TEMPLATE]: the directory below $out becomes a package
pack() {
	local dir=$out/$1 template=${2:-$1} script

	mkdir -p "$dir/DEBIAN"
	fill "$template.control" >"$dir/DEBIAN/control"
	echo "Installed-Size: $(du -ks --apparent-size --exclude=DEBIAN "$dir" |
		cut -f1)" >>"$dir/DEBIAN/control"
	for script in postinst prerm postrm; do
		fill "$template.$script" >"$dir/DEBIAN/$script"
		chmod 755 "$dir/DEBIAN/$script"
	done
	(cd "$dir" && { [ ! -d etc ] || find etc -type f; } | sed 's|^|/|' | sort) \
		>"$dir/DEBIAN/conffiles"
	[ -s "$dir/DEBIAN/conffiles" ] || rm "$dir/DEBIAN/conffiles"
	(cd "$dir" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' |
		sort | xargs md5sum) >"$dir/DEBIAN/md5sums"
	chmod 644 "$dir"/DEBIAN/{control,md5sums}
	dpkg-deb --root-owner-group -Zxz -b "$dir" "$out" >/dev/null
	rm -rf "$dir"
}

# publish: prints the paths of what was packed; older ones of a day ago go
publish() {
	local deb

	find "$OWN/deb" -name '*.deb' -mmin +1440 -delete
	for deb in "$out"/*.deb; do
		mv "$deb" "$OWN/deb/"
		echo "$OWN/deb/${deb##*/}"
	done
}
