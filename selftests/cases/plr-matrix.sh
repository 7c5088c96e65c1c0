#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every speed of the mailbox, of firmware's control loop, and every pattern of
# limits, each with each: watching, clears, events and active are right, and no
# watch ends by itself.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --timeout 1200 <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
modprobe pmon_plr
plr=$PMON/pkg0-dom0/plr
cpu1=$(sed 's/[-,].*//' $plr/core1/cpus)
all="$plr/core0/active $plr/core1/active $plr/core2/active $plr/core3/active"

# limits PATTERN: what the schedule has, from now on for ten minutes
limits() {
	hw plr stop
	case $1 in
	none) return ;;
	one) echo "plr 0/0/1 0x4 0 600000000000" ;;
	all) for n in 0 1 2 3; do echo "plr 0/0/$n 0x4 0 600000000000"; done ;;
	going)
		n=0
		while [ $n -lt 400 ]; do
			echo "plr 0/0/1 0x4 ${n}00000000 ${n}50000000"
			n=$((n + 1))
		done ;;
	esac | hw plr schedule -
}

# becomes WANT: what is active becomes this, in five seconds
becomes() {
	for try in $(seq 250); do
		active=$(cat $all 2>&1 | tr '\n' ' ')
		[ "$active" != "$1" ] || return 0
		sleep 0.02
	done
	echo "active: $active"
}

# counts LEAST MOST: how much of the time observed an event counts, in percent.
# perf scales both, not by the same number; and where looks are late, one may come
# soon after another, before firmware has set its bit again.
counts() {
	perf stat -x, -C "$cpu1" -e "{plr/power/,plr/observed/}" -o /root/stat -- sleep 0.3
	awk -F, -v least="$1" -v most="$2" '
		$3 == "plr/power/" { power = $1 }
		$3 == "plr/observed/" { observed = $1 }
		END {
			share = observed > 0 ? power * 100 / observed : -1
			if (share < least || share > most)
				printf "power %s of %s; ", power, observed
		}' /root/stat
}

# now_ms: since boot, to 10 ms
now_ms() {
	read -r up rest </proc/uptime
	echo $((${up%.*} * 1000 + 1${up#*.}0 - 1000))
}

# clears: all of them, each at once although the watch uses the same mailbox, and
# each says when it was. Five milliseconds are enough for the slowest mailbox;
# the rest is for a host that is busy.
clears() {
	for dir in core0 core1 core2 core3 die; do
		from=$(now_ms)
		echo all >$plr/$dir/clear || echo "$dir cannot be cleared"
		to=$(now_ms)
		cleared=$(($(cat $plr/$dir/cleared_ns) / 1000000))
		[ $((to - from)) -le 1000 ] || echo "the clear of $dir took $((to - from)) ms"
		[ $cleared -ge $from ] && [ $cleared -le $((to + 10)) ] ||
			echo "$dir: cleared at $cleared, from $from to $to"
	done
}

# cell PATTERN: what is wrong with it
cell() {
	limits "$1"
	case $1 in
	none) becomes 'none none none none '; counts 0 0 ;;
	one) becomes 'none POWER none none '; counts 80 105 ;;
	all) becomes 'POWER POWER POWER POWER '; counts 80 105 ;;
	going)
		becomes 'none POWER none none '
		becomes 'none none none none '
		counts 1 105 ;;
	esac
	clears
	case $1 in
	none)
		reasons=$(cat $plr/core[0-3]/reasons $plr/die/reasons | sort -u)
		[ "$reasons" = none ] || echo "after the clears: $reasons" ;;
	one) becomes 'none POWER none none ' ;;
	all) becomes 'POWER POWER POWER POWER ' ;;
	esac
	cat $all 2>&1 >/dev/null
}

echo 20 >$plr/interval_ms
for latency in 0 2000 100000 300000 900000; do
	hw mailbox 0/0 slow $latency
	for step in 100000 1000000 10000000; do
		hw plr step $step
		for pattern in none one all going; do
			is "$(cell $pattern 2>&1)" '' "mailbox $latency ns, firmware $step ns, limits: $pattern"
		done
	done
done
is "$(cat $plr/interval_ms) $(dmesg | grep -c 'pkg0-dom0: ')" "20 0" "the watch goes on, and the log is quiet"
finish
SCRIPT
done
finish
