# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The files of adopt and release, in directories in which others have put
# things. With the other driver away adopt has only its file to write.

conf=etc/modprobe.d/openpmon-uncore.conf

# settled: no module is to be moved
settled() {
	mkdir -p "$root/run" "$root/etc/modprobe.d"
	pci 0000:00:03.1 0x8086 0x09a7
	discovery 0
	unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
	live pmon_uncore
	live pmon_plr
	paranoid 0
	echo precious >"$root/victim"
}

# precious: nobody has written to what a link leads to
precious() {
	read -r said <"$root/victim" && [ "$said" = precious ] && return 0
	echo "# the file that a link leads to was written to"
	return 1
}

# unlittered [NAME]: the directory has that beside our file, at most
unlittered() {
	for file in "$root"/etc/modprobe.d/* "$root"/etc/modprobe.d/.[!.]*; do
		case ${file##*/} in
		"${conf##*/}" | '*' | '.[!.]*' | "${1-}") ;;
		*) echo "# modprobe.d has ${file##*/}"; return 1 ;;
		esac
	done
}

# written: our file is complete, ordinary, and modprobe can read it
written() {
	[ ! -h "$root/$conf" ] && adoption | cmp - "$root/$conf" && [ "$(stat -c %a "$root/$conf")" = 644 ]
}

for link in ../../victim absolute new-victim; do
	a settled
	[ "$link" != absolute ] || link=$root/victim
	ln -s "$link" "$root/$conf.new"
	run 0 adopt --persist uncore && precious && written &&
		unlittered openpmon-uncore.conf.new
	verdict $? "adopt: a link by a name that could be foreseen: ${link##*[!.]/}"
done

for link in ../../victim absolute nowhere; do
	a settled
	[ "$link" != absolute ] || link=$root/victim
	ln -s "$link" "$root/$conf"
	run 2 adopt --persist uncore && complains "$conf: is a link" &&
		precious && [ "$(readlink "$root/$conf")" = "$link" ] && unlittered
	verdict $? "adopt: a link in the place of its file: ${link##*/}"
	run 2 release uncore && complains "$conf: is a link" &&
		[ -h "$root/$conf" ] && precious && unlittered
	verdict $? "release: a link in the place of the file: ${link##*/}"
done
run 0 doctor && has 'note *openpmon-uncore.conf is a link*'
verdict $? "doctor: a link in the place of the file"

# Also one to what adopt would have written.
a settled
run 0 adopt --persist uncore
mv "$root/$conf" "$root/elsewhere"
ln -s ../../elsewhere "$root/$conf"
run 2 release uncore && complains "$conf: is a link" && [ -h "$root/$conf" ] &&
	[ -s "$root/elsewhere" ]
verdict $? "release: a link to a file as adopt writes it"

for kind in 'mkdir' 'mkfifo'; do
	a settled
	$kind "$root/$conf"
	run 2 adopt --persist uncore && complains "$conf: is a link, or else" &&
		unlittered && run 2 release && [ -e "$root/$conf" ]
	verdict $? "adopt: not a file: $kind"
done

a settled
{
	adoption
	printf '\0mine\n'
} >"$root/$conf"
run 2 release uncore && [ -e "$root/$conf" ]
verdict $? "release: a file with something behind its end"

a settled
mkdir "$tmp/outside"
rmdir "$root/etc/modprobe.d"
ln -s "$tmp/outside" "$root/etc/modprobe.d"
run 2 adopt --persist uncore && complains 'cannot be written' &&
	[ -z "$(ls -A "$tmp/outside")" ]
verdict $? "adopt: a directory outside the tree"

for mask in 000 077; do
	a settled
	(umask $mask && run 0 adopt --persist uncore) && written
	verdict $? "adopt: the file can be read with umask $mask"
	(umask $mask && run 0 adopt uncore) &&
		[ "$(stat -c %a "$root/run/modprobe.d")" = 755 ]
	verdict $? "adopt: and the directory"
done

# Standard output must not be a file that the limit holds for.
a settled
(
	ulimit -f 0
	"$PMONCTL" --sysroot "$root" adopt --persist uncore 2>&1
	echo "exits with $?"
) | cat >"$tmp/err"
complains 'cannot be written: File too large' 'exits with 2' &&
	[ ! -e "$root/$conf" ] && unlittered
verdict $? "adopt: a file that cannot be written is no file"
(
	ulimit -f 0
	"$PMONCTL" --sysroot "$root" adopt uncore 2>&1
) | cat >"$tmp/err"
[ ! -e "$root/run/modprobe.d" ]
verdict $? "adopt: nor is the directory left that was made for it"

a settled
for closed in '0<&-' '1>&-' '2>&-' '0<&- 1>&- 2>&-'; do
	eval '"$PMONCTL" --sysroot "$root" adopt --persist uncore >"$tmp/err" \
		2>&1' "$closed"
	written
	verdict $? "adopt: the file has no messages in it with $closed"
	rm -f "$root/$conf"
done

# What is to be seen of the order: complete before it has its name, and both
# on the disk.
if command -v strace >/dev/null && [ "$(id -u)" = 0 ]; then
	a settled
	strace -f -o "$tmp/trace" -e trace=openat,write,fchmod,fsync,renameat \
		"$PMONCTL" --sysroot "$root" adopt --persist uncore >/dev/null 2>&1
	sed -n 's/^[0-9]* *\([a-z]*\)(.*/\1/p' "$tmp/trace" | tr '\n' ' ' |
		grep -q 'openat write fchmod fsync renameat fsync' &&
		grep 'O_CREAT' "$tmp/trace" | grep -q 'O_EXCL.*O_NOFOLLOW'
	verdict $? "adopt: written, synchronised, renamed, and synchronised again"
fi
