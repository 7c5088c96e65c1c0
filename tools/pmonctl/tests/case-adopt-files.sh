# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016,SC2012
# Test which files `adopt` and `release` write and remove. Both must follow no links.

# settled: make a tree in which `adopt` loads and unloads nothing
settled() {
	mkdir -p "$root/run" "$root/etc/modprobe.d"
	discovery_function
	spr
	live pmon_uncore pmon_plr
	paranoid 0
	adoption >"$root/victim"
}
# alone: is adopt's file the only one in /etc/modprobe.d?
alone() {
	[ "$(ls -A "$root/etc/modprobe.d")" = openpmon-uncore.conf ]
}
# written: is adopt's file complete, ordinary, and readable for modprobe?
written() {
	[ ! -h "$conf" ] && adoption | cmp - "$conf" && [ "$(stat -c %a "$conf")" = 644 ] && alone
}
# linked: is adopt's file still the link of the test, with an unchanged target?
linked() {
	[ "$(readlink "$conf")" = ../../victim ] && adoption | cmp - "$root/victim" && alone
}
# in_the_way COMMAND...: make a tree; run COMMAND with adopt's file as last argument
in_the_way() {
	a settled
	conf=$root/etc/modprobe.d/openpmon-uncore.conf
	"$@" "$conf"
}
# full ARG...: run pmonctl with a limit of 0 bytes for files; put output and status into err
full() {
	# The limit does not apply to standard output, which is a pipe.
	(
		ulimit -f 0
		"$PMONCTL_TEST" "$@" 2>&1
		echo "exits with $?"
	) | cat >"$tmp/err"
}

mkdir "$tmp/outside"
why='- etc/modprobe.d/openpmon-uncore.conf: is a link, or not an ordinary file'
rows <<END
adopt: a link in the place of its file | : in_the_way ln -s ../../victim |
	2 adopt --persist uncore | $why | : linked
release: a link in the place of the file | 2 release uncore | $why | : linked
doctor: a link in the place of the file | 0 doctor | note *openpmon-uncore.conf is a link*
adopt: what is in the place of its file (%) | : in_the_way % | 2 adopt --persist uncore | $why |
	: alone
% mkdir mkfifo
END
rows <<'END'
adopt: a link by a name that can be foreseen | : in_the_way true;
	ln -s ../../victim "$root/etc/modprobe.d/.openpmon-uncore.conf.new" |
	0 adopt --persist uncore | : written
release: a file with something behind its end | : printf '\0mine\n' >>"$conf" |
	2 release uncore | : [ -e "$conf" ]
adopt: a directory outside the tree | : in_the_way true; rmdir "$root/etc/modprobe.d";
	ln -s "$tmp/outside" "$root/etc/modprobe.d" | 2 adopt --persist uncore |
	- cannot be written | : [ -z "$(ls -A "$tmp/outside")" ]
adopt: others can read what is written, whatever the umask | : in_the_way true |
	: (umask 077 && run 0 adopt --persist uncore) && written |
	: (umask 077 && run 0 adopt uncore) && [ "$(stat -c %a "$root/run/modprobe.d")" = 755 ]
adopt: what cannot be written is not there, nor its directory (%) | : in_the_way true |
	: full adopt % uncore; complains 'cannot be written: File too large' 'exits with 2' |
	: [ -z "$(find "$root/run" "$root/etc/modprobe.d" -mindepth 1)" ]
% --persist ''
adopt: the file has no messages in it with % | : in_the_way true |
	: "$PMONCTL_TEST" adopt --persist uncore >"$tmp/err" 2>&1 %; written
% '0<&-' '1>&-' '2>&-' '0<&- 1>&- 2>&-'
END

# The file is complete and synchronised before its rename; then the directory is synchronised.
if command -v strace >/dev/null && [ "$(id -u)" = 0 ]; then
	in_the_way true
	strace -f -o "$tmp/trace" -e trace=openat,write,fchmod,fsync,renameat \
		"$PMONCTL_TEST" adopt --persist uncore >/dev/null 2>&1
	sed -n 's/^[0-9]* *\([a-z]*\)(.*/\1/p' "$tmp/trace" | tr '\n' ' ' |
		grep -q 'openat write fchmod fsync renameat fsync' &&
		grep 'O_CREAT' "$tmp/trace" | grep -q 'O_EXCL.*O_NOFOLLOW'
	verdict $? "adopt: written, synchronised, renamed, and synchronised again"
fi
