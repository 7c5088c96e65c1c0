#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The flight recorder: a signal writes the newest seconds of bandwidth, which are what the
# hardware counted, and the limits of that time; older ones have been overwritten, files do
# not pile up, and the end leaves nothing in the kernel.
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

in_vm gnr-2s --kernel 6.12 --machine gnr-2s --copy "$ROOT/tools/recorder/recorder" <<'SCRIPT'
. /lib/test/guest.sh
export PERF=perf6.12
cd /root
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
instances=/sys/kernel/tracing/instances
# A ring for two seconds, which a power of two may make four
sh recorder /root/rec 2 >/root/log 2>&1 &
recorder=$!
becomes '[ -d $instances/openpmon-recorder ]'
sleep 16
echo 'plr 0/0/3 0x0000040000000004 0 600000000000' | hw plr schedule -
sleep 4
read -r now _ </proc/uptime
kill -USR2 $recorder
becomes '[ "$(ls rec | grep -c "data.2")" = 1 ] && [ "$(ls rec | grep -c limits)" = 1 ]'
is "$(ls rec | sed 's/[.]2.*//' | sort | xargs)" 'bandwidth.data limits' 'a signal writes two files'
like "$(cat rec/limits.*)" 'plr_reasons: .*' 'the limit of these seconds is on record'
perf6.12 script -i rec/bandwidth.data.2* -F time,cpu,event,period >samples 2>err
# TIME EVENT...: for each second and box the sums that were read
awk '/cas_count_read_sch0/ { n++; box[$0 ~ /imc_11/]++ } END { print n + 0 }' samples >n
runs "there are samples: $(cat n)" test "$(cat n)" -gt 48
sed -n 's/.* \([0-9]*[.][0-9]*\): .*/\1/p' samples | sort -n >times
first=$(head -n 1 times) last=$(tail -n 1 times)
runs "they reach from $first to $last of $now s" awk "BEGIN {
	exit !($last > $now - 3 && $last - $first >= 2 && $last - $first < 15) }"
kill $recorder
wait $recorder
is $? 0 'a signal ends it'
is "$(ls $instances)" '' 'nothing is left in the kernel'
is "$(cat log)" '' 'without a word'
head -n 40 samples | sed 's/^/# /'
head -n 15 rec/limits.* | sed 's/^/# /'
finish
SCRIPT
finish
