#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Stress the software log with random hardware bits, readers, clears and monitoring of
# every domain. Only bits that were set appear, and they are shown until they are cleared
# by name. One exception is counted: a bit that is set between the read and the clear of
# its module is lost there and shows at the die. The two mailboxes of a package echo commands in
# different ways. STRESS_BITS: number of bits for each instance; without it the number depends on
# the kernel.
# contract: reasons busy
# all kernels: 6.12 sanitizer 6.12-rt
# races: yes
# check: none
. "$(dirname "$0")/../lib/tap.sh"

machine=$(machine gnr-2s '
plr = m["packages"][0]["tpmi"]["plr"]
plr[0].update(echo="status", mailbox_jitter_ns=600000)
plr[1].update(echo={"read": "none", "write": "zeroed", "mesh_read": "status", "mesh_write": "none"})
')
for k in $KERNELS; do
bits=400
case $k in
# Let CPUs really run at the same time. With more bits the log would be longer than the
# emulator can return.
sanitizer | kcsan | *-rt) bits=2000; export OPENPMON_PARALLEL=1 ;;
esac
in_vm "$k" --kernel "$k" --machine "$machine" --drivers none --timeout 900 <<SCRIPT
bits=${STRESS_BITS:-$bits}
$(cat <<'BODY'
# The rest needs the arrays of bash.
[ "${BASH-}" ] || exec bash "$0"
plr_load mesh=1
cd $PMON

# The function clearer clears THERMAL with its fine reason, and no other.
T=0x0080000000000008

# reader: report bits that disappear by themselves
reader() {
	local f now
	local -A was

	while [ ! -e /root/stop ]; do
		for f in pkg*-dom*/plr/core*/raw; do
			read -r now <$f || echo "$f: cannot be read"
			[ $((${was[$f]:-0} & ~now & ~T)) = 0 ] || echo "$f: $now after ${was[$f]}"
			was[$f]=$now
		done
	done
}
clearer() {
	while [ ! -e /root/stop ]; do
		for f in pkg*-dom*/plr/*/clear; do
			echo THERMAL >$f || echo "$f: cannot be cleared"
		done
	done
}
for d in pkg*-dom*; do echo 10 >$d/plr/interval_ms; done
hw plr random $(($(cut -d. -f1 /proc/uptime) + 7)) 1000000 $bits
for n in 1 2; do reader & clearer & done >/root/wrong 2>&1
until [ "$(hw plr log | wc -l)" -ge $((4 * bits)) ]; do sleep 0.2; done
: >/root/stop
wait
is "$(head -n 5 /root/wrong)" "" "no reason disappears without a clear"
sleep 0.1
for d in pkg*-dom*; do echo 0 >$d/plr/interval_ms; done

# From the fate of every bit that was set, compute the bits that each module should show.
declare -A all keep
total=0 lost=0 window=0
hw plr log | tr =/ '  ' >/root/log
while read -r _ _ kind p i m _ value _ state rest; do
	die=pkg$p-dom$i/plr/die scope=pkg$p-dom$i/plr/core$m
	[ $kind = plr ] || scope=pkg$p-dom$i/plr/mesh0
	total=$((total + 1))
	all[$scope]=$((${all[$scope]:-0} | value))
	if [ $state = lost ]; then
		lost=$((lost + 1)) window=$((window + ${rest##* }))
		scope=$die value=$((value & 0xffffffff))
	fi
	keep[$scope]=$((${keep[$scope]:-0} | value))
done </root/log
is "$total" $((4 * bits)) "every bit that was set has a fate"
note "$total times bits were set, $lost of them in the window of a clear"
is "$((lost - window))" 0 "no unread bit is cleared outside the known window"

for scope in pkg*-dom*/plr/{core*,mesh0,die}; do
	read -r shown <$scope/raw
	[ $((${keep[$scope]:-0} & ~T & ~shown)) = 0 ] ||
		printf '%s: %s misses some of %x\n' $scope $shown ${keep[$scope]}
	[[ $scope == */die ]] || [ $((shown & ~${all[$scope]:-0})) = 0 ] ||
		printf '%s: %s, but only %x were set\n' $scope $shown ${all[$scope]:-0}
done >/root/wrong
is "$(cat /root/wrong)" "" "files show the bits that were set, and the die those lost"

# THERMAL, which was cleared all the time, is shown when it is set again.
hw plr stop
for m in 0/0/0 0/0/1 0/0/2 0/0/3 0/1/0 0/1/1 1/0/0 1/0/1 1/0/2 1/0/3 1/1/0 1/1/1; do
	hw plr $m $T
done
is "$(cat pkg*-dom*/plr/core*/reasons | grep -c THERMAL)" 12 "a reason that was cleared is shown when set again"
for f in pkg*-dom*/plr/*/clear; do echo all >$f; done
is "$(cat pkg*-dom*/plr/*/reasons | sort -u)" none "all reasons show none after a clear of all"
BODY
)
SCRIPT
done
finish
