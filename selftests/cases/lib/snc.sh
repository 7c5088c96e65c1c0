# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of uncore-snc, beside uncore.sh. /root/perf is a perf of 6.16
# or later. It says for which CPU it opened an event, and $CPUS of which package
# and node that is; the hardware says which box of which package counted what.

# The event that counts in all boxes, and its control.
SNC_EVENT=event=0x05,umask=0xcf

# snc_start NODES: so many NUMA nodes in a package
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

# counted: "PACKAGE/TYPE/ID NODE COUNT" of each CHA and memory controller, by the
# hardware, and by the nodes that they belong to on Granite Rapids: CHAs by their
# number in equal parts, memory controllers as perf knows them.
counted() {
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

# count_all [OPTIONS]: perf on all CHAs and memory controllers
count_all() {
	hw truth reset
	/root/perf stat -x'|' -o /tmp/stat -e "uncore_cha_*/$SNC_EVENT/" \
		-e "uncore_imc_*/$SNC_EVENT/" "$@" 2>/tmp/said
}

# by_box: what perf printed for each CPU, as `counted` prints it; the package and
# the node are those of the CPU
by_box() {
	awk -F'|' 'NR == FNR { split($0, c, " "); cpu[c[1]] = c[2]; node[c[1]] = c[3]; next }
		/^CPU/ {
			split($4, pmu, /[_\/]/)
			print cpu[$1] "/" (pmu[2] == "cha" ? 0 : 6) "/" pmu[3],
			      node[$1], $2
		}' "$CPUS" /tmp/stat | sort
}

# sums FIELD: of lines as `counted` prints them, "PLACE TYPE SUM" with the node
# (2) or the package (1) for a place
sums() {
	sed 's|/| |g' | awk -v by="$([ "$1" = 1 ] && echo 1 || echo 4)" \
		'{ sum[$by " " $2] += $5 }
		END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' | sort
}

# by_place: what perf printed for each node or package, as `sums` prints it
by_place() {
	awk -F'|' '/^[NS][0-9]/ {
			print substr($1, 2), (index($5, "cha") ? 0 : 6), $3
		}' /tmp/stat | sort
}

# every_box NAME: the last count_all -A has each box of each package once, at its own
# node, and exactly what it counted
every_box() {
	counted >/tmp/counted
	by_box >/tmp/by_box
	is "$(wc -l </tmp/by_box)" "$(hw units | grep -c 'type=[06] ')" "$1: all boxes"
	is "$(diff /tmp/counted /tmp/by_box)" '' "$1: each at its node, exactly"
}
