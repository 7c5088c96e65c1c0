#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run R2PCIe functions without response, Uboxes that are missing, do not respond or
# contradict each other, and a function that vanishes while it counts: each gives one
# line, valid boxes count exactly, and no count is invented.
# contract: pulled
# all kernels: 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# hostile NAME LINES SERVED MACHINE-CODE [COMMAND]: boot a faulty machine. LINES are
# "BUS REASON;..." in the log, SERVED the packages with a PMU; COMMAND runs before the
# module loads.
hostile() {
	local file

	file=$(machine ivt-2s "m['r2pcie'] = $4")
	each_vm --as "$1" --machine "$file" --drivers none --set want="$2" --set served="$3" \
		--set command="${5-}" <<'SCRIPT'
eval "$command"
modprobe pmon_r2pcie r2pcie=Y
is "$(dmesg | sed -n 's/.*0000:\(..\):13.1: pmon_r2pcie: not served: /\1 /p' | sort | tr '\n' ';')" \
	"$want" 'the log has one line for each function that is not served'
is "$(sed 's/.* //' $PMUS/uncore_r2pcie/functions 2>/dev/null | tr '\n' ' ')" "$served" 'valid functions are served'
for package in $served; do
	hw truth reset
	uncore_counts 0.01 uncore_r2pcie/event=1/ >got
	is "$(awk -v p=$package '$1 == p { print $2 }' got)" \
		"$(uncore_truth_of $package/$R2PCIE/0 0x400001)" "package $package counts exactly"
	is "$(wc -l <got)" "$(echo $served | wc -w)" 'packages that are not served have no count'
done
is "$(dmesg | grep pmon_r2pcie: | grep -vc 'are left to others')" "$(echo "$want" | tr -dc ';' | wc -c)" \
	'the log has no other line of pmon_r2pcie'
is "$(hw illegal)" '' 'no access is made that the manual forbids'
runs 'pmon_r2pcie unloads from faulty functions' rmmod pmon_r2pcie
SCRIPT
}

# Kill the function after boot, because the kernel finds no dead function at boot.
hostile 'a box that is not there' 'ff it does not answer;' '0 ' \
	'[{}]' "hw box 1/\$R2PCIE/0 dead"
hostile 'two of one number' \
	'7f another Ubox has the same node id;ff another Ubox has the same node id;' '' \
	"[{}, {'ubox': {'node': 0}}]"
# The packages' own Uboxes come after sixteen others.
hostile 'more Uboxes than there can be' \
	'7f no Ubox on its bus or a higher bus;ff no Ubox on its bus or a higher bus;' '' \
	"[{}, {}]
m['packages'] = [{'oobmsm': [], 'functions': [{'bus': 16, 'devfn': f'{n:02x}.0',
	'device': '8086:0e1e', 'config': {'0x40': 0, '0x54': 0}} for n in range(16)]},
	{'oobmsm': [], 'bus': 128}]"
hostile 'a package without CPUs' \
	'7f no CPU of its package was ever online;' '1 ' \
	"[{'ubox': {'node': 3, 'map': 0x608}}, {'ubox': {'map': 0x608}}]"

each_vm --as vanishes --machine ivt-2s --drivers none <<'SCRIPT'
modprobe pmon_r2pcie r2pcie=Y
hw truth reset
# One perf for each package: after a failed event perf does not read further CPUs.
cpus=$(cat $PMUS/uncore_r2pcie/cpumask)
for n in 0 1; do
	perf stat -x'|' -o stat.$n -C $(echo $cpus | cut -d, -f$((n + 1))) \
		-e uncore_r2pcie/event=1/ -- cat /tmp/end &
done
engine_until_counting 0/$R2PCIE/0 0x400001
engine_until_counting 1/$R2PCIE/0 0x400001
hw box 0/$R2PCIE/0 dead
sleep 0.5
engine_end_counts
is "$(awk -F'|' 'END { print $1 }' stat.0)" '<not counted>' \
	'an event whose box died is <not counted>'
is "$(awk -F'|' 'END { print $1 }' stat.1)" "$(uncore_truth_of 1/$R2PCIE/0 0x400001)" \
	'the event of the other package counts exactly'
uncore_counts 0.05 uncore_r2pcie/event=1/ >got
is "$(awk '$1 == 0 { print $2 }' got)" '<not' 'a new event of a dead box is <not counted>'
echo 1 >$BUS/0000:7f:13.1/remove
is "$(cat $PMUS/uncore_r2pcie/functions)" '0000:ff:13.1 1' 'a removed function is not in the file functions'
hw truth reset
uncore_counts 0.01 uncore_r2pcie/event=1/ >got
is "$(awk '$1 == 1 { print $2 }' got)" "$(uncore_truth_of 1/$R2PCIE/0 0x400001)" \
	'the other package counts exactly after a removal'
# put_back EVENT WHO: make both boxes respond and be found again; check that one PMU serves
# both. WHO describes this PMU in the name of the row.
put_back() {
	hw box 0/$R2PCIE/0 ok
	hw box 1/$R2PCIE/0 ok
	echo 1 >/sys/bus/pci/rescan
	is "$(sort $PMUS/uncore_r2pcie/functions | tr '\n' ' ')" \
		'0000:7f:13.1 0 0000:ff:13.1 1 ' "$2 serves both functions when they are put back"
	hw truth reset
	uncore_counts 0.01 uncore_r2pcie/event=$1/ >got
	is "$(cut -d' ' -f2 got | sort)" \
		"$(for n in 0 1; do uncore_truth_of $n/$R2PCIE/0 0x40000$1; done | sort)" \
		'both functions count exactly when they are put back'
}
put_back 2 'the old one'
# Remove both functions while they are dead: the PMU goes with the last function.
hw box 0/$R2PCIE/0 dead
hw box 1/$R2PCIE/0 dead
echo 1 >$BUS/0000:7f:13.1/remove
echo 1 >$BUS/0000:ff:13.1/remove
is "$(ls $PMUS | grep -c uncore_r2pcie)" 0 'no PMU is registered once both functions are removed'
put_back 3 'a new one'
runs 'pmon_r2pcie unloads after removals' rmmod pmon_r2pcie
SCRIPT
finish
