# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of cases that keep events open, beside guest.sh and uncore.sh;
# /root/hold is there (hold.c).

# holds: starts it; `say` needs it
holds() {
	[ -p /tmp/say ] || mkfifo /tmp/say
	# In this order: who can open the one for writing finds the other.
	/root/hold >/tmp/held </tmp/say &
	exec 3>/tmp/say
}

# say COMMAND: hold has done it
say() {
	said=$(wc -l </tmp/held)
	printf '%s\n! echo done %d\n' "$*" "$said" >&3
	until grep -q "^done $said\$" /tmp/held; do sleep 0.02; done
}

# reading: what hold reads of each event: a count, "end", or the name of an error
reading() {
	tag=t$(wc -l </tmp/held)
	say "read $tag"
	sed -n "s/^$tag [^ ]* [^ ]* //p" /tmp/held | tr '\n' ' ' | sed 's/ $//'
}

# wrong_groups PMU <GROUPS: lines "1 CONFIG..." are groups that can be opened on CPU 0,
# "0 CONFIG..." such that are refused; prints those of which it is not true
wrong_groups() {
	cat >/tmp/groups
	sed "s/^[01]/group $1 0/" /tmp/groups | /root/hold | paste -d' ' - /tmp/groups |
		grep -vE '^(yes 1|EINVAL 0) '
}

# lines PMU: of the kernel's log that are about it
lines() {
	messages "pmon.*$1" | wc -l
}

# one_line PMU NAME: the log has one, in a moment
one_line() {
	becomes "[ \"\$(lines $1)\" -ge 1 ]"
	is "$(lines "$1")" 1 "$2: one line"
	note "$(messages "pmon.*$1")"
}

# releases: all events are closed, and it ends
releases() {
	exec 3>&-
	wait
}

# file_of PMU FILE PACKAGE: the value of a file with a line for each package
file_of() {
	awk -v package="$3" '$1 == package { print $2 }' "$PMUS/$1/$2" 2>/dev/null
}
