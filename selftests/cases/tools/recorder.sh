#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test the flight recorder: at a signal it writes the bandwidth of the last seconds, close
# to the emulated rate, and the limits of that time. It drops older seconds and old files,
# and leaves nothing in the kernel at its end.
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

in_vm gnr-2s --kernel 6.12 --machine gnr-2s --copy "$ROOT/tools/recorder/recorder" <<'SCRIPT'
cd /root
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
# Make the link that udev makes; bash needs it for <(...).
ln -s /proc/self/fd /dev/fd
instances=/sys/kernel/tracing/instances
# Slow mkdir down, so that a reload of the service (USR2) comes during its start.
mkdir slow
printf '#!/bin/sh\nsleep 2\nexec busybox mkdir "$@"\n' >slow/mkdir
chmod +x slow/mkdir
PATH=/root/slow:$PATH bash recorder /root/early 5 &
recorder=$!
sleep 1
kill -USR2 $recorder
becomes '[ -d $instances/openpmon-recorder ]'
sleep 2
runs 'the recorder goes on if USR2 comes during its start' kill -0 $recorder
kill $recorder
wait $recorder
bash recorder /root/rec 5 >/root/log 2>&1 &
recorder=$!
becomes '[ -d $instances/openpmon-recorder ]'
sleep 9
echo 'plr 0/0/3 0x0000040000000004 0 600000000000' | hw plr schedule -
sleep 3
kill -USR2 $recorder
becomes '[ -e "$(ls rec/limits.2* 2>/dev/null)" ]'
csv=$(ls rec/bandwidth.2*.csv)
is "$(wc -l <$csv)" 6 'USR2 makes the recorder write a header and five seconds'
like "$(head -n 1 $csv)" '^time,.*mem' "the recorder's file has a column of memory bandwidth"
# Expected MB/s (bytes per us): each half of 12 controllers moves 264 lines of 64 bytes in 1 us.
awk -F, -v want=$((2 * 12 * 264 * 64)) '
	NR == 1 { for (i = 2; i <= NF; i++) if ($i ~ /^s(ocket)?0[.]mem(ory)?[.]read_MB_s$/) at = i; next }
	{ n++; if ($at > want * 0.9 && $at < want * 1.1) good++; else print at, $at, want }
	END { exit !(at && n == 5 && good >= 4) }' $csv >odd
is "$? $(cat odd)" '0 ' 'recorded bandwidth is within a tenth of the emulated rate'
like "$(cat rec/limits.2*)" 'plr_reasons: .*POWER' "the recorder's limits have POWER of these seconds"
like "$(head -n 1 rec/limits.2*)" '^# 20.* is [0-9.]* s$' "the recorder's limits begin with both clocks"
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	touch -d '2020-01-01' rec/bandwidth.202001010000$((n + 10)).csv rec/limits.202001010000$((n + 10))
done
sleep 1
kill -USR2 $recorder
becomes '[ "$(ls rec | wc -l)" = 16 ]'
is "$(ls rec | wc -l) $(ls rec/*.2020* | wc -l)" '16 12' 'the recorder keeps 16 files and drops the oldest'
kill $recorder
wait $recorder
is $? 0 'the recorder exits with 0 after a signal'
is "$(ls $instances)" '' 'the recorder leaves no trace instance at its end'
is "$(cat log)" '' 'the recorder prints nothing'
modprobe -r pmon_plr pmon_uncore 2>/dev/null
rmmod pmon_plr pmon_uncore 2>/dev/null
fails 'the recorder ends without boxes and limits' timeout 20 bash recorder /root/rec 5
SCRIPT
finish
