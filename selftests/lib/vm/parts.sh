# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Library of selftests/vm/run: find the parts of a guest. A script for each part builds the
# part unless it is up to date, and prints its path. All scripts take as long as a short
# guest, so a file for each kernel keeps the printed paths until a source is newer.

# prune DIR TEST...: delete files by TESTs of `find`; another run may delete them first
prune() {
	find "$1" -maxdepth 1 "${@:2}" -delete 2>/dev/null || true
}

# there FILE: does the file exist? Updates its time, so that prune keeps it.
there() {
	touch -c "$1" && [ -e "$1" ]
}

# kernel_cpio (in a subshell): pack the initramfs, the kernel's modules, and its drivers that
# Debian does not build. OPENPMON_SHORT leaves these drivers out for kernels of Debian 13,
# as no short case uses them.
kernel_cpio() {
	local peers=() out work

	# Cloud kernels have neither TPMI nor CXL.
	case $flavour in
	*-cloud-*) ;;
	6.12.* | *+deb13-*)
		if [ -z "${OPENPMON_SHORT-}" ] || ! is_debian13 "$flavour"; then
			peers=("$("$ROOT/selftests/lib/build/plr-peer" "$flavour")"
				"$("$ROOT/selftests/lib/build/cxl-peer" "$flavour")")
		fi
		;;
	sanitizer | kcsan | coverage) peers=("$kdir"/peers/*.ko) ;;
	esac
	out=$CACHE/initramfs-kernel-$(key "$kdir" "at $base" ${peers[@]+"${peers[@]}"}).cpio
	echo "$out"
	! there "$out" || return 0
	# Delete archives that no run has used for a day.
	prune "$CACHE" -name 'initramfs-*' -mmin +1440
	work=$(mktemp -d "$CACHE/initramfs.XXXXXX")
	cp -rs "$kdir/lib" "$work/lib"
	mkdir -p "$work/lib/peers"
	[ -z "${peers[*]}" ] || cp "${peers[@]}" "$work/lib/peers/" || return
	(cd "$work" && find lib | cpio -oL -H newc -R 0:0 --quiet |
		cat "$base" -) >"$out.$$" || return
	mv "$out.$$" "$out"
	rm -rf "$work"
}

# modules_cpio (in a subshell): pack the suite's modules and an index of all modules
modules_cpio() {
	local kos=() out work lock to

	# A build must not replace the modules while they are copied.
	exec {lock}>"$OWN/modules-${built##*/}.lock"
	flock -s "$lock"
	mapfile -t kos < <(find "$built/built" -name '*.ko')
	out=$CACHE/files-modules-$(key "$kdir" ${kos[@]+"${kos[@]}"}).cpio
	echo "$out"
	! there "$out" || return 0
	work=$(mktemp -d "$CACHE/modules.XXXXXX")
	cp -rs "$kdir/lib" "$work/lib"
	to=lib/modules/$release
	mkdir -p "$work/$to/updates"
	[ -z "${kos[*]}" ] || cp "${kos[@]}" "$work/$to/updates/" || return
	[ -z "${kos[*]}" ] || strip -g "$work/$to"/updates/*.ko || return
	(cd "$work" && depmod -b . "$release" &&
		find "$to/updates" "$to"/modules.* | cpio -oL -H newc -R 0:0 --quiet) >"$out.$$" || return
	mv "$out.$$" "$out"
	rm -rf "$work"
	# Delete old archives, because each edit of a driver makes another.
	prune "$CACHE" -name 'files-modules-*' -mmin +120
}

# guest_program NAME DIR TO: build the program NAME of DIR, and copy it and its libraries
# into TO, except libraries of kmod, which are in the initramfs
guest_program() {
	(
		lock "$1-guest"
		quiet "$CACHE/logs/$1-guest.log" make -s -C "$2" STATIC=1 \
			O="$OWN/$1-guest" || exit
		cp "$OWN/$1-guest/$1" "$3/bin/"
		for lib in $(ldd "$3/bin/$1" 2>/dev/null | grep -o '=> /[^ ]*' |
			grep -vxF "$(ldd /bin/kmod | grep -o '=> /[^ ]*')"); do
			[ "$lib" = '=>' ] || install -D -m 755 "$lib" "$3$lib"
		done
	)
}

# programs_cpio (in a subshell): pack the scripts of PID 1, the library of cases and the
# suite's programs
programs_cpio() {
	local vm=$ROOT/selftests/lib/vm work out

	work=$(mktemp -d "$CACHE/programs.XXXXXX")
	mkdir -p "$work/vm" "$work/lib/test/bin" "$work/bin"
	cp "$vm/setup.sh" "$work/vm/setup"
	echo "hw illegal 2>/dev/null; true" >"$work/vm/finish-illegal"
	cp -r "$ROOT/selftests/cases/lib/." "$work/lib/test/"
	guest_program hw "$ROOT/selftests/guest/hw" "$work" &&
		guest_program pmonctl "$ROOT/tools/pmonctl" "$work" || return
	out=$CACHE/files-programs-$(cd "$work" &&
		{ find . -printf '%P %m\n'; find . -type f -exec sha256sum {} +; } |
		sort | sha256sum | cut -c1-12).cpio
	echo "$out"
	# Cases use this perf (lib/guest.sh).
	ln -s /bin/perf6.12 "$work/lib/test/bin/perf"
	if ! there "$out"; then
		(cd "$work" && find . | cpio -o -H newc -R 0:0 --quiet) \
			>"$out.$$" || return
		mv "$out.$$" "$out"
	fi
	rm -rf "$work"
	prune "$CACHE" -name 'files-programs-*' -mmin +120
}

# look DRIVERS: run the script of each part, and set the variables of parts()
look() {
	kdir=$("$ROOT/selftests/lib/build/kernel" "$kernel") || exit 125
	release=$(cat "$kdir/release")
	base=$("$ROOT/selftests/lib/build/initramfs") || exit 125
	flavour=$release
	! is_checked "$kernel" || flavour=$kernel
	if [ -e "$kernel/arch/x86/boot/bzImage" ]; then
		flavour=build built=
		case $1 in
		upstream | none) ;;
		*) die "$kernel has its own drivers only: --drivers upstream, or none" ;;
		esac
	elif ! built=$("$ROOT/selftests/lib/build/modules" "$flavour"); then
		[ "$1" = upstream ] || exit 125
		echo "vm/run: goes on without modules of ours" >&2
		built=
	fi
	qemu=$("$ROOT/selftests/lib/build/qemu") || exit 125
	initrd=$(kernel_cpio) || exit 125
	modules=
	[ -z "$built" ] || modules=$(modules_cpio) || exit 125
	programs=$(programs_cpio) || exit 125
}

# holds FILE: do the parts named in FILE exist, and is FILE newer than their sources?
holds() {
	local news

	# shellcheck disable=SC1090
	. "$1" && [ -e "$kdir/vmlinuz" ] && [ -e "$base" ] && [ -e "$initrd" ] &&
		[ -e "$modules" ] && [ -e "$programs" ] && [ -x "$qemu" ] &&
		news=$(find "$ROOT/Kbuild" "$ROOT/Kconfig" "$ROOT/include" \
			"$ROOT/drivers" "$ROOT/tools/pmonctl" "$ROOT/tools/version" \
			"$ROOT/tools/perf" "$ROOT/selftests"/{emulator,lib/build,lib/vm,vm,guest/hw} \
			"$ROOT/selftests"/{lint/sparse.h,cases/lib,kunit/host/include} \
			"$built/built" "$built/stamp" "$CACHE"/release-* \
			/var/lib/dpkg/status -cnewer "$1" -print -quit 2>&1) &&
		[ -z "$news" ]
}

# parts KERNEL DRIVERS: set kdir, release, flavour, base, built, qemu, initrd, modules
# and programs
parts() {
	local known=$OWN/parts-$1${OPENPMON_SHORT:+-short} name

	known+=${OPENPMON_LEAVES+-${OPENPMON_LEAVES// /-}}
	case $1 in */*) look "$2"; return ;; esac
	if [ -e "$known" ] && holds "$known"; then
		touch -c "$base" "$initrd" "$modules" "$programs" "${qemu%/*}"
		return
	fi
	# Give the file the time of the start, so that sources changed during look() are newer.
	: >"$known.$$"
	look "$2"
	touch -c "$base" "$initrd" "$programs"
	if [ -n "$built" ]; then
		for name in kdir release flavour base built qemu initrd modules \
			programs; do
			printf '%s=%q\n' "$name" "${!name}"
		done >"$known.new.$$"
		touch -r "$known.$$" "$known.new.$$"
		mv "$known.new.$$" "$known"
	fi
	rm "$known.$$"
}
