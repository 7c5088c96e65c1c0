#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.1 6.12
# kernels: 6.1 6.12 newest
# Check the module of each CPU where package, power domain, module, logical processor and
# CPU number do not follow from each other: packages have different domains, domains
# different modules, and CPUs are in no order. Expected places come from
# MSR_PM_LOGICAL_ID, decoded by hand (Intel's TPMI specification: domain in [15:11],
# module in [10:3], logical processor in [2:0]), and from the kernel's own driver.
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# Columns: CPU, its register, package, domain, module, and the reason of this module.
# Package 0 has a domain 1 and package 1 a domain 0, two domains of package 1 have a
# module 6, and so on. So a driver that swaps or leaves out a number finds another module,
# not none.
cat >"$TMP/places" <<'T'
0  0x0928 0 1 37  FREQUENCY
1  0x1832 0 3 6   CURRENT
2  0x0811 0 1 2   POWER
3  0x0008 0 0 1   THERMAL
4  0x0929 0 1 37  FREQUENCY
5  0x1830 0 3 6   CURRENT
6  0x0059 1 0 11  PLATFORM
7  0x1643 1 2 200 MCP
8  0x1035 1 2 6   RAS
9  0x0030 1 0 6   MISC
10 0x1640 1 2 200 MCP
11 0x0058 1 0 11  PLATFORM
T
# package BUS "INSTANCE MODULES"...: print a package of the machine file
package() {
	local one instances=''

	for one in "${@:2}"; do
		instances+="${instances:+, }{ \"instance\": ${one% *}, \"modules\": ${one#* } }"
	done
	printf '{ "bus": %d, "tpmi": { "plr": [ %s ] } }' "$1" "$instances"
}
cat >"$TMP/places.json" <<-JSON
	{ "name": "places",
	  "cpu": { "model": 173, "packages": 2, "cores": 6, "cpus_per_module": 1 },
	  "pm_logical_id": { $(awk '{ printf "%s\"%s\": \"%s\"", (NR == 1 ? "" : ", "), $1, $2 }' "$TMP/places") },
	  "packages": [ $(package 0 '0 2' '1 40' '3 7'), $(package 128 '0 12' '2 201') ] }
JSON

each_vm --machine "$TMP/places.json" --drivers none \
	--copy "$TMP/places" <<'SCRIPT'

bit() {
	plr_names | awk -v name="$1" '$2 == name { print $1 }'
}
# Print each module once, with the value and the name of its reason.
sort -u -k 3,6 /root/places | while read -r cpu msr package domain module reason; do
	echo "$package/$domain/$module $(plr_value "$(bit "$reason")") $reason"
done >/root/modules
# fill: set each module's reason
fill() {
	while read -r module value reason; do
		echo "plr $module =$value"
	done </root/modules | hw - >/dev/null
}
# expected: print online CPUs with their expected reasons
expected() {
	while read -r cpu msr package domain module reason; do
		[ "$(cat $CPUS/cpu$cpu/online 2>/dev/null || echo 1)" = 0 ] ||
			echo "cpu$cpu $reason"
	done </root/places | sort
}
shown() {
	for dir in $CPUS/cpu[0-9]*/plr; do
		[ ! -e "$dir" ] || echo "$(basename "${dir%/plr}") $(cat $dir/reasons)"
	done | sort
}
# list, lists: print each `cpus` file, of a domain or a module, that has a wrong list
list() {
	[ "$1" = "$(cat "$2")" ] || echo "$2: $(cat "$2"), not $1"
}
lists() {
	list 3 $PMON/pkg0-dom0/cpus
	list 0,2,4 $PMON/pkg0-dom1/cpus
	list 1,5 $PMON/pkg0-dom3/cpus
	list 6,9,11 $PMON/pkg1-dom0/cpus
	list 7-8,10 $PMON/pkg1-dom2/cpus
	list 3 $PMON/pkg0-dom0/plr/core1/cpus
	list 0,4 $PMON/pkg0-dom1/plr/core37/cpus
	list 2 $PMON/pkg0-dom1/plr/core2/cpus
	list 1,5 $PMON/pkg0-dom3/plr/core6/cpus
	list 6,11 $PMON/pkg1-dom0/plr/core11/cpus
	list 9 $PMON/pkg1-dom0/plr/core6/cpus
	list 7,10 $PMON/pkg1-dom2/plr/core200/cpus
	list 8 $PMON/pkg1-dom2/plr/core6/cpus
}

plr_kernel
fill
if [ -e /lib/peers/intel_plr_tpmi.ko ]; then
	modprobe -q intel_tpmi_power_domains || modprobe -q tpmi_power_domains
	insmod /lib/peers/intel_plr_tpmi.ko
	cat /sys/kernel/debug/tpmi-*/plr/domain*/status | grep '^cpu[0-9]' | sort >/root/peer
	expected | diff - /root/peer >/root/differences
	is "$(cat /root/differences)" "" "intel_plr_tpmi finds each CPU in the expected module"
	rmmod intel_plr_tpmi
fi

modprobe pmon_plr
is "$(cd $PMON && echo pkg*-dom*)" "pkg0-dom0 pkg0-dom1 pkg0-dom3 pkg1-dom0 pkg1-dom2" \
	"all five domains of two packages are shown"
is "$(cd $PMON && ls -d pkg*-dom*/plr/core* | tr '\n' ' ')" "$(
	)pkg0-dom0/plr/core1 pkg0-dom1/plr/core2 pkg0-dom1/plr/core37 pkg0-dom3/plr/core6 $(
	)pkg1-dom0/plr/core11 pkg1-dom0/plr/core6 pkg1-dom2/plr/core200 pkg1-dom2/plr/core6 " \
	"only modules with CPUs have a directory"
is "$(shown)" "$(expected)" "each CPU's link leads to the reasons of its own module"
is "$(lists)" "" "each directory lists its own CPUs"
is "$(cat $PMON/pkg1-dom2/package_id) $(cat $PMON/pkg1-dom2/domain_id)" "1 2" \
	"package_id and domain_id of a domain are its own"
# ---- hotplug: each CPU but the first goes and comes back, in descending order
for cpu in 11 10 9 8 7 6 5 4 3 2 1; do
	echo 0 >$CPUS/cpu$cpu/online
	[ "$(shown)" = "$(expected)" ] || echo "without cpu$cpu: $(shown)"
	echo 1 >$CPUS/cpu$cpu/online
	[ "$(shown)" = "$(expected)" ] || echo "with cpu$cpu again: $(shown)"
done >/root/wrong
is "$(cat /root/wrong)" "" "a CPU that goes offline and online keeps its module"
is "$(lists)" "" "each directory lists its own CPUs after hotplug"

# ---- events: on the CPU of each module in cpumask, an event counts that module's reason
while read -r module value reason; do
	echo "plr $module $value 0 600000000000"
done </root/modules | hw plr schedule -
for domain in $PMON/pkg*-dom*/plr; do
	echo all >$domain/gate
	echo 50 >$domain/interval_ms
done
pmu=/sys/bus/event_source/devices/plr
events=
for reason in frequency current power thermal platform mcp ras misc; do
	events="$events -e plr/$reason/"
done
# An event counts from its second poll on. Try again if some events do not count, because
# on a busy host this poll may be late.
for try in 1 2 3 4 5; do
	# shellcheck disable=SC2086 # words
	perf stat -x, -a -A -o /root/stat $events -- sleep 1
	# Any CPU of a module may be in cpumask.
	awk 'NR == FNR { of["CPU" $1] = $3 "/" $4 "/" $5; next }
		FNR > 1 && split($0, word, ",") > 4 && word[2] + 0 > 0 {
			print of[word[1]], toupper(substr(word[4], 5, length(word[4]) - 5))
		}' /root/places /root/stat | sort >/root/counted
	[ "$(wc -l </root/counted)" -lt "$(wc -l </root/modules)" ] || break
done
is "$(cat /root/counted)" "$(awk '{ print $1, $3 }' /root/modules | sort)" \
	"only the event of each module's own reason counts"
hw plr stop
for domain in $PMON/pkg*-dom*/plr; do
	echo 0 >$domain/interval_ms
done

# ---- writes: a clear reaches its own module and no other
hw plr clear
fill
echo all >$CPUS/cpu10/plr/clear
is "$(while read -r module value reason; do
	[ "$(hw plr $module)" = $value ] || echo "$module $(hw plr $module)"
done </root/modules)" "1/2/200 0x0000000000000000" "a clear through a CPU's link clears the module's bits alone"

# ---- a package goes and comes back: all stays in its place
echo 0000:00:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind
is "$(lists)" "" "directories of an unbound package list the same CPUs"
is "$(plr_error $CPUS/cpu0/plr/reasons)" "No such device" "reasons of an unbound package give ENODEV"
plr_bind 0000:00:03.1
is "$(lists)" "" "directories of a package that is bound again list the same CPUs"
is "$(tr ',' '\n' <$pmu/cpumask | awk -F- '{ n += $NF - $1 + 1 } END { print n }')" 8 \
	"cpumask has a CPU of each of eight modules after the bind"
hw plr clear
fill
is "$(shown)" "$(expected)" "each CPU's link leads to its own module after the bind"
plr_unload
SCRIPT
finish
