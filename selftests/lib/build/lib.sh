# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# Library of the scripts in this directory. Each script builds an artefact in
# $CACHE/<name>-<key> and prints the path.

set -euo pipefail

ROOT=$(cd "${BASH_SOURCE[0]%/*}/../../.." && pwd)
CACHE=${OPENPMON_CACHE:-$ROOT/.cache}
[ -d "$CACHE" ] || mkdir -p "$CACHE"
CACHE=$(cd "$CACHE" && pwd)
# OWN is for artefacts of this tree's sources, since several trees may share a cache.
OWN=$CACHE
case $CACHE in
"$ROOT"/*) ;;
*) OWN=$CACHE/trees/$(echo "$ROOT" | sha256sum | cut -c1-12) && mkdir -p "$OWN" ;;
esac
# Scripts started by a script use the same number of jobs.
export OPENPMON_JOBS=${OPENPMON_JOBS:-$(nproc)}
JOBS=$OPENPMON_JOBS
export LC_ALL=C
# The PATH of a user has no depmod.
export PATH=$PATH:/usr/sbin:/sbin

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# lock NAME: hold the lock of an artefact until the script ends
lock() {
	exec {LOCK_FD}>"$CACHE/$1.lock"
	flock "$LOCK_FD"
}

# lock_own NAME: hold the lock of an artefact of this tree
lock_own() {
	exec {LOCK_FD}>"$OWN/$1.lock"
	flock "$LOCK_FD"
}

# build_once NAME FILE [RESULT]: if FILE exists, print RESULT (or FILE) and end the script;
# otherwise take the lock of NAME
build_once() {
	[ ! -e "$2" ] || { echo "${3-$2}"; exit; }
	lock "$1"
	[ ! -e "$2" ] || { echo "${3-$2}"; exit; }
}

# quiet LOG COMMAND...: run a command with its output in LOG; on failure, print the errors
# to stderr. COMMAND does not inherit the lock.
quiet() {
	local log=$1 rc=0

	shift
	mkdir -p "$(dirname "$log")"
	"$@" >"$log" 2>&1 </dev/null {LOCK_FD}>&- || rc=$?
	if [ "$rc" != 0 ]; then
		echo "${0##*/}: failed: $*" >&2
		grep -E -A3 'error: |undefined!|ERROR' "$log" |
			head -n 40 >&2 || tail -n 30 "$log" >&2
		echo "${0##*/}: the whole log is $log" >&2
	fi
	return $rc
}
LOCK_FD=9

# key FILE|STRING...: print a short digest of files and strings
key() {
	local a sum

	sum=$(for a in "$@"; do
		if [ -f "$a" ]; then cat "$a"; else echo "$a"; fi
	done | sha256sum)
	echo "${sum:0:12}"
}

# newest_release: print the newest kernel of Debian 13's backports that has both an image
# and headers, because a mirror may have one without the other
newest_release() {
	local names all taken

	# Leave out 6.12, which is Debian 13's own kernel and no backport.
	names=$(debian_apt 13 apt-cache pkgnames linux- |
		sed -nE 's/^linux-(image|headers)-([0-9.]+\+deb13-amd64)$/\2 \1/p' |
		grep -v '^6\.12\.') || true
	all=$(sed -n 's/ image$//p' <<<"$names" | sort -V | tail -n 1)
	taken=$(sed -n 's/ headers$//p' <<<"$names" |
		grep -xFf <(sed -n 's/ image$//p' <<<"$names") | sort -V | tail -n 1) || true
	[ -n "$taken" ] ||
		die "newest: Debian 13's backports have no package" \
			"linux-headers-${all:-<release>+deb13-amd64}"
	[ "$taken" = "$all" ] ||
		all="$taken, as there is no package linux-headers-$all"
	echo "newest is $all (Debian 13's backports)" >&2
	echo "$taken"
}

# kver 6.1|6.12|newest|6.1-rt|6.12-rt|6.1-cloud|6.12-cloud|newest-cloud|RELEASE: print the
# release of that Debian kernel, looked up once a week, or RELEASE itself
kver() {
	local meta known

	case $1 in
	6.1) meta=linux-headers-amd64 ;;
	6.12) meta=linux-headers-6.12-amd64 ;;
	newest) meta= ;;
	6.1-cloud) meta=linux-headers-cloud-amd64 ;;
	6.12-cloud) meta=linux-headers-6.12-cloud-amd64 ;;
	newest-cloud) known=$(kver newest) && echo "${known%-amd64}-cloud-amd64"; return ;;
	6.1-rt) meta=linux-headers-rt-amd64 ;;
	6.12-rt) meta=linux-headers-6.12-rt-amd64 ;;
	*) echo "$1"; return ;;
	esac
	known=$CACHE/release-$1
	if [ -z "$(find "$known" -mtime -7 -size +0 2>/dev/null)" ]; then
		if [ -n "$meta" ]; then
			debian_apt 12 apt-cache depends "$meta" 2>/dev/null |
				sed -n 's/^  Depends: linux-headers-//p' | head -n 1
		else
			newest_release
		fi >"$known.$$" || { rm -f "$known.$$"; exit 1; }
		[ -s "$known.$$" ] ||
			die "no package $meta is known: run tools/setup"
		mv "$known.$$" "$known"
	fi
	cat "$known"
}

is_debian13() {
	case $1 in *+deb13*) ;; *) return 1 ;; esac
}

# needs_debian13 RELEASE: is this a kernel of Debian 13 whose compiler is not installed? A
# compiler in the cache, which kernel_build adds to PATH, counts as not installed.
needs_debian13() {
	is_debian13 "$1" || return
	case $(command -v x86_64-linux-gnu-gcc-14) in
	'' | "$CACHE"/*) ;;
	*) return 1 ;;
	esac
}

# apt_for RELEASE TOOL ARGUMENT...: run an apt tool for the Debian of that kernel
apt_for() {
	if is_debian13 "$1"; then
		debian_apt 13 "${@:2}"
	else
		debian_apt 12 "${@:2}"
	fi
}

# is_checked NAME: does selftests/lib/build/checked build that kernel?
is_checked() {
	case $1 in sanitizer | kcsan | coverage) ;; *) return 1 ;; esac
}

# kernel_build KERNEL: set name, kdir (the directory to build modules in), flags (for make)
# and, for the kernel's compiler, PATH or CROSS_COMPILE. selftests/lib/build/sparc64 makes
# kernels such as sparc64-6.12, selftests/lib/build/backport those such as
# backport-6.1-class.
kernel_build() {
	local compiler

	# Debug information takes a fifth of the time, and guests do not need it.
	flags=(KCFLAGS=-g0 CONFIG_DEBUG_INFO_BTF_MODULES=)
	# An inlined function would not count as run in the file that it is from.
	[ "$1" != coverage ] || flags=(GCOV_PROFILE=y 'KCFLAGS=-g0 -fno-early-inlining')
	if [ "${1#sparc64-}" != "$1" ]; then
		name=$1
		kdir=$("$ROOT/selftests/lib/build/sparc64" "${1#sparc64-}")/build
		export ARCH=sparc64 CROSS_COMPILE=sparc64-linux-gnu-
	elif [ "${1#backport-}" != "$1" ]; then
		name=$1
		kdir=$("$ROOT/selftests/lib/build/backport" "${1#backport-}")
	elif is_checked "$1"; then
		name=$1
		kdir=$("$ROOT/selftests/lib/build/checked" "$1")/build
	else
		name=$(kver "$1")
		kdir=$("$ROOT/selftests/lib/build/headers" "$name")
		! needs_debian13 "$name" || {
			compiler=$("$ROOT/selftests/lib/build/debian13")
			PATH=$compiler/usr/bin:$PATH
		}
	fi
}

# unpack_debs RELEASE DIR PACKAGE...: unpack packages of that kernel's Debian without an
# installation, because the machine would boot an installed kernel next.
unpack_debs() {
	local release=$1 dir=$2 deb

	shift 2
	mkdir -p "$dir"
	(
		cd "$dir"
		apt_for "$release" apt-get download "$@"
		for deb in *.deb; do
			dpkg-deb -x "$deb" .
		done
		rm -f ./*.deb
	)
}

is_host() {
	grep -qx "VERSION_ID=\"$1\"" /etc/os-release
}

# mirror debian|debian-security: print the address of this machine's mirror
mirror() {
	local found

	found=$(sed -n 's/^URIs:[[:space:]]*//p; s/^deb .*\(https\?:[^ ]*\).*/\1/p' \
		/etc/apt/sources.list /etc/apt/sources.list.d/*.{sources,list} \
		2>/dev/null | grep -m 1 "/$1/\?\$" || true)
	echo "${found:-http://deb.debian.org/$1}"
}

# source_of ADDRESS SUITE...: print an entry for apt's list of sources
source_of() {
	printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n' "$1" "${*:2}"
	printf 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n'
}

# private_apt 12|13 DIR TOOL ARGUMENT...: run an apt tool with its lists in DIR and that
# Debian as the only source: 13 with backports, and both with the security updates, as bootstrap()
# installs these kernels, too, and as 12 has 6.12 from there
private_apt() {
	local debian=$1 dir=$2 tool=$3

	shift 3
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
	if [ "$debian" = 12 ]; then
		source_of "$(mirror debian)" bookworm
		source_of "$(mirror debian-security)" bookworm-security
	else
		source_of "$(mirror debian)" trixie trixie-backports
		source_of "$(mirror debian-security)" trixie-security
	fi >"$dir/debian.sources"
	"$tool" -q -o Dir::Etc::sourcelist="$dir/debian.sources" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir/cache" \
		-o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 \
		-o Debug::NoLocking=1 "$@"
}

# debian_apt 12|13 TOOL ARGUMENT...: for 12 on a Debian 12, run this machine's apt; otherwise
# run private_apt, with lists that are updated once a week
debian_apt() {
	local dir=$CACHE/apt-debian$1

	if [ "$1" = 12 ] && is_host 12; then
		"$2" -q "${@:3}"
		return
	fi
	mkdir -p "$dir"
	(
		flock 8
		[ -n "$(find "$dir/fresh" -mtime -7 2>/dev/null)" ] || {
			private_apt "$1" "$dir" apt-get update >&2
			touch "$dir/fresh"
		}
	) 8>"$dir/lock"
	private_apt "$1" "$dir" "${@:2}"
}

# on_its_own_libraries DIR <FILES: make programs of Debian 13 run on Debian 12. Each
# program is replaced by a script that starts it with the loader and libraries in DIR.
on_its_own_libraries() {
	local dir=$1 f real

	while read -r f; do
		# Skip scripts and libraries, which have no loader.
		if ! readelf -l "$f" 2>/dev/null | grep INTERP >/dev/null; then
			continue
		fi
		real=$(dirname "$f")/.$(basename "$f").elf
		mv "$f" "$real"
		cat >"$f" <<-EOF
		#!/bin/sh
		exec $dir/usr/lib64/ld-linux-x86-64.so.2 --argv0 "\$0" \\
			--library-path $dir/usr/lib/x86_64-linux-gnu \\
			$real "\$@"
		EOF
		chmod 755 "$f"
	done
}

# verify_config CONFIG FILE...: check that CONFIG has the options of FILEs, because
# olddefconfig drops options with unmet dependencies without an error
verify_config() {
	local line missing=0

	while IFS= read -r line; do
		case $line in CONFIG_*=*) ;; *) continue ;; esac
		grep -qxF "$line" "$1" ||
			{ echo "error: not in effect: $line"; missing=1; }
	done < <(cat "${@:2}")
	return $missing
}

# peer_source RELEASE: set version to 6.12 or newest: the linux-source package with drivers
# that Debian does not build for that kernel
peer_source() {
	version=6.12
	! is_debian13 "$1" || version=newest
}

# source_version 6.1|6.12|newest: print the version of the linux-source package
source_version() {
	local known=$CACHE/release-source-$1

	if [ "$1" = newest ]; then
		cat "$("$ROOT/selftests/lib/build/source" newest)/.version"
		return
	fi
	if is_host 12; then
		dpkg-query -W -f '${Version}\n' "linux-source-$1" 2>/dev/null ||
			die "linux-source-$1 is not installed: run tools/setup"
		return
	fi
	if [ -z "$(find "$known" -mtime -7 -size +0 2>/dev/null)" ]; then
		debian_apt 12 apt-cache show "linux-source-$1" |
			sed -n 's/^Version: //p' | sort -V | tail -n 1 >"$known.$$"
		[ -s "$known.$$" ] || die "no package linux-source-$1 is known"
		mv "$known.$$" "$known"
	fi
	cat "$known"
}

# case_files: print the cases, without the folders lib, bench and events, which cases use
case_files() {
	find selftests/cases -mindepth 2 -maxdepth 2 ! -type d |
		grep -vE '^selftests/cases/(lib|bench|events)/' | sort
}

# case_name FILE: print AREA-WHAT for selftests/cases/AREA/WHAT.sh
case_name() {
	local name=${1#selftests/cases/}

	name=${name%.sh}
	echo "${name/\//-}"
}
