#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Boot the dump of an emulated server as a second machine: it has the same `pmonctl list`
# and the same dump, the same boxes count, and links lead to the same places. On one server
# the kernel parameter reserve= claims addresses of boxes; both machines refuse these boxes.
# MACHINES lists servers, two by default; slow/tools-replay-many.sh has more.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "${BASH_SOURCE[0]}")/../lib/tap.sh"

# of NAME OPTIONS...: boot a machine; write its list, dump and counts to $TMP/NAME.*
# shellcheck disable=SC2016 # the guest expands it
of() {
	local name=$1

	shift
	vm --kernel "$k" "${drivers[@]}" "$@" -- '
		modprobe msr
		[ -e /sys/class/pmon ] || modprobe pmon_r2pcie r2pcie=Y qpi=Y
		pmonctl list --json >/tmp/list
		echo $? >/tmp/status
		pmonctl dump --redact >/tmp/dump
		echo $? >>/tmp/status
		cat /tmp/status /tmp/list
		echo ====
		cat /tmp/dump
		echo ====
		# Print where links and stacks lead.
		grep -s . /sys/bus/event_source/devices/uncore_*/die*
		# Count on a box of each of these kinds, which together have all ways of access.
		for unit in imc cha upi m2m iio_free_running cbox r2pcie qpi; do
			pmu=$(ls -d /sys/bus/event_source/devices/uncore_${unit}_0 \
				/sys/bus/event_source/devices/uncore_${unit} 2>/dev/null | head -n 1)
			[ -n "$pmu" ] || continue
			event=event=0x1
			[ $unit != iio_free_running ] || event=event=0xff,umask=0x10
			perf6.12 stat -x, -a -e "${pmu##*/}/$event/" sleep 0.1 2>&1 |
				awk -F, "{ print \$3, (\$1 > 0) }"
		done' >"$TMP/$name.out" 2>"$TMP/$name.err"
	is $? 0 "$machine: list, dump and perf succeed on the $name machine"
	note "$(tail -n 5 "$TMP/$name.err")"
	awk -v to="$TMP/$name" 'BEGIN { n = split("list json counts", file) }
		/^====$/ { i++; next } { print >(to "." file[i + 1]) }' "$TMP/$name.out"
	touch "$TMP/$name".{list,json,counts}
}

# same FILE: print a dump without values that differ between boots, without unused functions
# and without claims of addresses, because the second machine may have fewer claims
same() {
	/usr/bin/python3 -c 'import json, re, sys
m = json.load(open(sys.argv[1]))
del m["moment"]
m["log"] = [re.sub(r"^\[ *[0-9.]*\] ", "", line) for line in m["log"]]
m["iomem"] = [r for r in m["iomem"] if r["name"] != "reserved"]
# no table leads to these functions
m["pci"] = [f for f in m["pci"] if f["device"] != "0x2880"]
print(json.dumps(m, indent=1))' "$1"
}

# NAME+ is server NAME, where reserve= claims two memory controllers and the free-running
# counters of the first package.
for k in $KERNELS; do
	for machine in ${MACHINES:-gnr-2s spr-2s+}; do
		# On ivt servers the guest loads pmon_r2pcie itself, with parameters.
		drivers=()
		case $machine in
		ivt*) drivers=(--drivers none) ;;&
		*+) claimed='reserve=0xa8222000,0x1000,0xa822a000,0x1000,0xa8202000,0x1000' ;;
		*) claimed='' ;;
		esac
		of first --machine "${machine%+}" --append "$claimed"
		is "$(grep -c 'claimed by something else' "$TMP/first.list")" \
			$((${#claimed} > 0 ? 3 : 0)) "$machine: boxes at claimed addresses are refused"
		isnt "$(grep -c ' 1$' "$TMP/first.counts")" 0 "$machine: boxes of the first machine count"
		of second --machine "$TMP/first.json"
		is "$(diff "$TMP/first.list" "$TMP/second.list")" '' \
			"$machine: pmonctl list prints the same on the machine made of the dump"
		is "$(diff <(same "$TMP/first.json") <(same "$TMP/second.json"))" '' \
			"$machine: pmonctl dump is the same on the machine made of the dump"
		is "$(cat "$TMP/second.counts")" "$(cat "$TMP/first.counts")" \
			"$machine: the same boxes count on the machine made of the dump"
	done
done
finish
