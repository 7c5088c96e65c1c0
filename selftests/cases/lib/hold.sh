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

# releases: all events are closed, and it ends
releases() {
	exec 3>&-
	wait
}

# file_of PMU FILE PACKAGE: the value of a file with a line for each package
file_of() {
	awk -v package="$3" '$1 == package { print $2 }' "$PMUS/$1/$2" 2>/dev/null
}

# controls_of UNIT CONTROL: what was counted under it, by any of its counters
controls_of() {
	hw truth controls |
		sed -n "s|^unit=$1 ctl=0x0*$2 counted=\([0-9]*\) .*|\1|p"
}

# soon CONDITION: waits until it is true, for the moment that a work item takes to
# write to the log
soon() {
	for _ in $(seq 60); do
		! eval "$1" || return 0
		sleep 0.05
	done
	return 1
}
