#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Count every R2PCIe event of perf's list for the Xeon E5 v2, by perf's name, on both
# sockets: counts are the hardware's. Each alias has the list's encoding. All pairs of
# events, and random larger groups, open if and only if there is a counter for each event,
# and no event is on a counter that cannot count it. VNA credits of QPI have the extra
# select bit. Loading writes nothing; used boxes are handed back cleared and running.
# kernels: 6.1 6.12 newest
# check: 6.12
. "$(dirname "$0")/../lib/tap.sh"

linux=$("$ROOT/selftests/lib/build/source" 6.12)
for list in names groups; do
	"$CASES/lib/r2pcie-events.py" "$linux" ivytown R2PCIe "$list" >"$TMP/$list"
done
is "$(wc -l <"$TMP/names")" 61 'perf lists 61 events of R2PCIe'

each_vm --machine ivt-2s --drivers none --timeout 400 --copy "$TMP/names" --copy "$TMP/groups" \
	--program hold <<'SCRIPT'
runs 'the module loads with r2pcie=maybe' modprobe pmon_r2pcie r2pcie=maybe
is "$(dmesg | grep -c 'pmon_r2pcie: r2pcie=ma? is neither Y nor N: doing nothing$')" 1 \
	'the log has one line on the bad value of r2pcie'
is "$(ls -d /sys/bus/pci/drivers/pmon_r2pcie 2>/dev/null)" '' 'r2pcie=maybe binds no function'
rmmod pmon_r2pcie
hw count reset
modprobe pmon_r2pcie r2pcie=Y qpi=Y
is "$(hw count | grep -cE 'class=(box-ctl|event-ctl|counter|filter|status|global-ctl|config) .*writes=[^0]')" \
	0 'loading writes no register'
is "$(cd $PMUS && ls -d uncore_* | tr '\n' ' ')" \
	'uncore_qpi_0 uncore_qpi_1 uncore_r2pcie ' 'a PMU is registered for R2PCIe and each port of QPI'
is "$(sort $PMUS/uncore_r2pcie/functions)" '0000:7f:13.1 0
0000:ff:13.1 1' 'the PMU has a function in each package'
is "$(cat $PMUS/uncore_r2pcie/cpumask)" 0,2 'the PMU has a designated CPU in each package'

# Names
is "$(r2pcie_wrong_aliases)" '' "each alias has the encoding of perf's list"
is "$(ls $PMUS/uncore_r2pcie/events | wc -l)" 61 'the PMU has 61 aliases and no other'

# Counts
awk '{ print tolower($1), $3, $4 }' names | r2pcie_wrong_counts 2 >wrong
is "$(wc -l <got)" 122 'all 61 events are counted in both packages'
is "$(cat wrong)" '' "each count of the 61 events is the hardware's"
hw truth reset
uncore_counts 0.05 uncore_r2pcie/event=0x1/ >got
for package in 0 1; do
	is "$(awk -v p=$package '$1 == p { print $2 }' got)" \
		"$(uncore_truth_of $package/$R2PCIE/0 0x400001)" "event=0x1 counts exactly in package $package"
done

# Terms
hw truth reset
uncore_counts 0.01 uncore_r2pcie/event=0x10,umask=0x10,thresh=3,edge=1/ >got
is "$(awk '$1 == 0 { print $2 }' got)" "$(uncore_truth_of 0/$R2PCIE/0 0x3441010)" \
	'threshold and edge reach the control'
uncore_counts 0.01 uncore_qpi_1/vna_credit_returns/,uncore_qpi_1/vna_credit_return_occupancy/,uncore_qpi_1/event=0x1c/ >got
is "$(awk '$1 == 1 { print $2 }' got)" "$(uncore_truth_of 1/$QPI/1 0x60001c)
$(uncore_truth_of 1/$QPI/1 0x60001b)
$(uncore_truth_of 1/$QPI/1 0x40001c)" 'VNA credits of QPI count with and without the extra select bit'
hw truth reset
uncore_counts 0.01 uncore_r2pcie/config=0x400001/ >got
is "$(awk '$1 == 0 { print $2 }' got)" "$(uncore_truth_of 0/$R2PCIE/0 0x400001)" \
	'bit 22 in config counts as the event without the bit'

# refused EVENT NAME: check that perf cannot open EVENT
refused() {
	like "$(perf stat -a -e "$1" -- true 2>&1)" '<not supported>|Invalid|unknown term' "$2"
}
refused uncore_r2pcie/event=1,inv=1/ 'perf refuses inv on v2'
refused uncore_r2pcie/event=1,edge=1/ 'perf refuses edge without a threshold on R2PCIe'
refused uncore_qpi_1/event=0x14,edge=1/ 'perf refuses edge without a threshold on QPI'
for bit in 0x10000 0x20000 0x80000 0x100000 0x200000 0x800000; do
	refused uncore_r2pcie/config=$bit/ "perf refuses bit $bit of the control"
done
refused uncore_r2pcie/event=1,config1=1/ 'perf refuses a bit of config1'
refused uncore_qpi_0/event=0x38/ 'perf refuses QPI packets that match registers of others'
is "$(hw count | grep 'class=global-ctl ')" 'class=global-ctl reads=0 writes=0 bytes=0' \
	'no global control is accessed'

# Groups
hw truth reset
is "$(hold_wrong_groups uncore_r2pcie <groups)" '' 'groups open if and only if there is a counter for each event'
is "$(hw illegal)" '' 'no access is made that the manual forbids'
is "$(hold_wrong_groups uncore_r2pcie <<-'G'
	1 0x1 0x1 0x1 0x1
	0 0x1 0x1 0x1 0x1 0x1
	0 0x107 0x108 0x109
	1 0x107 0x109 0x1010 0x813
	0 0x813 0x123
	1 0x813 0x1010 0x107 0x10a
G
)" '' 'groups made by hand open or fail as expected'
hw truth controls | sed -n 's|^unit=0/12288/0 ctl=\([^ ]*\) .* counters=\(.*\)|\1 \2|p' >used
awk 'FILENAME == "used" { mask[$1] = $2; next }
	{ print $1, ($2 in mask) ? mask[$2] : "-", $3 }' used controls |
	while read -r name mask counters; do
		[ "$mask" != - ] && [ $((mask & ~counters)) = 0 ] ||
			echo "$name $mask $counters"
	done >wrong
is "$(cat wrong)" '' 'each event counts only on counters that can count the event'
is "$(dmesg | grep pmon_r2pcie | grep -v 'r2pcie=ma[?]')" '' 'the log has no other line of pmon_r2pcie'
is "$(cat $PMUS/uncore_r2pcie/disturbed)" '0 0
1 0' 'disturbed is 0 in both packages'

# Reset a box between two readings. They are so far apart that a counter of 44 bits
# might have wrapped, so only the state of the box shows the reset.
hw truth reset
perf stat -x'|' -I 500 -C 0 -e uncore_r2pcie/event=0x1/ -o reset -- sleep 12 &
perf=$!
sleep 3
kill -STOP $perf
hw box 0/$R2PCIE/0 poke box 0x30103
sleep 9
kill -CONT $perf
wait
got=$(awk -F'|' '/r2pcie/ { n += $2 } END { printf "%.0f", n }' reset)
# The reset must not be counted as a wrap of 2^44.
between 1 "$got" $(((1 << 44) - 1)) 'a reset of the box is not counted as a wrap'
runs 'pmon_r2pcie unloads' rmmod pmon_r2pcie
for package in 0 1; do
	is "$(hw box $package/$R2PCIE/0 | sed -n 's/ .*//p') $(hw truth \
		$package/$R2PCIE/0 | grep -vc 'ctl=0x00000000 ')" 'box=0x30000 0' \
		"package $package is handed back cleared and running"
done
SCRIPT
finish
