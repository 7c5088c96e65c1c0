#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Ten seconds of limits that come and go in all modules, with two and with four CPUs per
# module: perf's counts, by module (-A) and by package (--per-socket), are the time that
# each reason was in force, within an interval per edge.
# all kernels: 6.12-rt
. "$(dirname "$0")/../lib/tap.sh"

srf=$(machine srf-1s 'm["cpu"]["packages"] = 2')
for k in $KERNELS; do
	for machine in gnr-2s "$srf"; do
		in_vm "$k $(basename "$machine" .json | cut -c1-6)" --kernel "$k" \
			--machine "$machine" --drivers none --timeout 900 <<'SCRIPT'
plr_load
plr_quick
# With FREQUENCY, which is timed by the turn of the modules else.
for dir in $PMON/pkg*-dom*/plr; do echo FREQUENCY POWER THERMAL >$dir/gate; done
sockets=$(ls -d $PMON/pkg*-tpmi* | wc -l)
modules=$(ls -d $PMON/pkg*-dom*/plr/core* | wc -l)
is "$(tr ',' '\n' <$CPUS/cpu0/plr/cpus | wc -l) $(cat $CPUS/cpu0/plr/cpus)" \
	"1 0-$(($(nproc) / modules - 1))" "$(($(nproc) / modules)) CPUs per module"

# Each reason of each module: limits of 20 to 600 ms, pauses of 150 to 1400 ms,
# in whole milliseconds, until 9.5 s. In every second module THERMAL stays away.
for dir in $PMON/pkg*-dom*/plr/core*; do
	echo "${dir#$PMON/pkg}" | sed 's,-dom,/,; s,/plr/core,/,'
done | awk '
	function between(low, high) { return low + int(rand() * (high - low)) }
	BEGIN {
		srand(20261120)
		split("0x0000000100000001 0x0000040000000004 0x0080000000000008", value, " ")
	}
	{
		for (n = 1; n <= 3 - NR % 2; n++)
			for (t = between(50, 900); t < 8900; t += between(150, 1400)) {
				start = t
				t += between(20, 600)
				printf "plr %s %s %d000000 %d000000\n", $1, value[n], start, t
			}
	}' >/root/schedule
note "$(wc -l </root/schedule) limits in $modules modules"
is "$(plr_time 10 frequency=0 frequency_cdyn0=32 power=2 power_pkg_pl1_msr_tpmi=42 thermal=3 thermal_per_core=55)" \
	"$((6 * modules)) $((5 * modules)) $((6 * sockets))" \
	"each of $modules modules in $sockets packages: 6 reasons for as long as they were in force"
SCRIPT
	done
done
finish
