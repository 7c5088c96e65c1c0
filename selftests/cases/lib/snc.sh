# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of uncore-snc; source after uncore.sh. /root/perf is 6.16
# or later. perf prints the CPU of each count, the file $CPUS has the package and node of
# each CPU, and the hardware has the count of each box of each package.

# The event that all boxes count; its control is 0xcf05.
SNC_EVENT=event=0x05,umask=0xcf

# snc_start NODES: set variables for NODES NUMA nodes in a package, and write $CPUS
snc_start() {
	nodes=$1
	chas=$(hw units | grep -c 'pkg=0 type=0 ')
	CPUS=/tmp/cpus
	for dir in /sys/devices/system/cpu/cpu[0-9]*; do
		set -- "$dir"/node*
		echo "CPU${dir#*/cpu/cpu} $(cat "$dir/topology/physical_package_id")" \
			"${1##*/node}"
	done >$CPUS
}

# snc_counted: print "PACKAGE/TYPE/ID NODE COUNT" of each CHA and memory controller, with the
# hardware's count. On Granite Rapids each node has an equal range of CHA numbers, and the
# memory controllers that perf's table gives it.
snc_counted() {
	hw truth controls |
		sed -n 's|^unit=\([0-9]*/[06]/[0-9]*\) ctl=0x0*cf05 counted=\([0-9]*\).*|\1 \2|p' |
		awk -v nodes="$nodes" -v chas="$chas" '
		BEGIN {
			split("1 1 0 0 1 1 0 0", imc)
			if (nodes == 3)
				split("1 1 0 0 2 2 1 1 0 0 2 2", imc)
		}
		{
			split($1, unit, "/")
			node = unit[2] ? imc[unit[3] + 1] : int(unit[3] * nodes / chas)
			print $1, unit[1] * nodes + node, $2
		}' | sort
}

# count_all [OPTIONS]: run perf stat on all CHAs and memory controllers
snc_count_all() {
	hw truth reset
	/root/perf stat -x'|' -o /tmp/stat -e "uncore_cha_*/$SNC_EVENT/" \
		-e "uncore_imc_*/$SNC_EVENT/" "$@" 2>/tmp/said
}

# snc_by_box: print perf's counts of each CPU in the form of `snc_counted`, with the CPU's
# package and node
snc_by_box() {
	awk -F'|' 'NR == FNR { split($0, c, " "); cpu[c[1]] = c[2]; node[c[1]] = c[3]; next }
		/^CPU/ {
			split($4, pmu, /[_\/]/)
			print cpu[$1] "/" (pmu[2] == "cha" ? 0 : 6) "/" pmu[3],
			      node[$1], $2
		}' "$CPUS" /tmp/stat | sort
}

# snc_sums FIELD: add up the counts in lines of `snc_counted`; print "PLACE TYPE SUM", where PLACE
# is the node (FIELD 2) or the package (FIELD 1)
snc_sums() {
	sed 's|/| |g' | awk -v by="$([ "$1" = 1 ] && echo 1 || echo 4)" \
		'{ sum[$by " " $2] += $5 }
		END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' | sort
}

# snc_by_place: print perf's counts of each node or package in the form of `snc_sums`
snc_by_place() {
	awk -F'|' '/^[NS][0-9]/ {
			print substr($1, 2), (index($5, "cha") ? 0 : 6), $3
		}' /tmp/stat | sort
}

# snc_every_box NAME: check that the last `snc_count_all -A` has each box of each package once, with
# the box's node and the hardware's count
snc_every_box() {
	snc_counted >/tmp/counted
	snc_by_box >/tmp/by_box
	is "$(wc -l </tmp/by_box)" "$(hw units | grep -c 'type=[06] ')" "$1: every box has a count"
	is "$(diff /tmp/counted /tmp/by_box)" '' "$1: every box counts exactly at its node"
}
