# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of cases that keep events open by /root/hold (hold.c);
# source after guest.sh and uncore.sh.

# hold_start: start hold, for `hold_run`
hold_start() {
	[ -p /tmp/hold-commands ] || mkfifo /tmp/hold-commands
	# Start hold first, because opening the fifo for writing waits for a reader.
	/root/hold >/tmp/held </tmp/hold-commands &
	exec 3>/tmp/hold-commands
}

# hold_run COMMAND: have hold run a command, and wait until the command has ended
hold_run() {
	held_lines=$(wc -l </tmp/held)
	printf '%s\n! echo done %d\n' "$*" "$held_lines" >&3
	until grep -q "^done $held_lines\$" /tmp/held; do sleep 0.02; done
}

# hold_reading: print hold's reading of each event: a count, "end", or the name of an error
hold_reading() {
	tag=t$(wc -l </tmp/held)
	hold_run "read $tag"
	sed -n "s/^$tag [^ ]* [^ ]* //p" /tmp/held | tr '\n' ' ' | sed 's/ $//'
}

# hold_wrong_groups PMU <GROUPS: open a group on CPU 0 for each line of GROUPS; perf should
# accept lines "1 CONFIG...", and refuse lines "0 CONFIG...". Print each line that fails.
hold_wrong_groups() {
	cat >/tmp/groups
	sed "s/^[01]/group $1 0/" /tmp/groups | /root/hold | paste -d' ' - /tmp/groups |
		grep -vE '^(yes 1|EINVAL 0) '
}

# hold_lines PMU: print the number of pmon's lines about that PMU in the kernel's log
hold_lines() {
	uncore_messages "pmon.*$1" | wc -l
}

# hold_one_line PMU NAME: wait for a line as in `lines`, and check that there is only one
hold_one_line() {
	becomes "[ \"\$(hold_lines $1)\" -ge 1 ]"
	is "$(hold_lines "$1")" 1 "$2: the log has one line on the PMU"
	note "$(uncore_messages "pmon.*$1")"
}

# hold_end: close all events and end hold
hold_end() {
	exec 3>&-
	wait
}

# hold_file_of PMU FILE PACKAGE: print a package's value from a file with a line for each
# package
hold_file_of() {
	awk -v package="$3" '$1 == package { print $2 }' "$PMUS/$1/$2" 2>/dev/null
}
