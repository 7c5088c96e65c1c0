#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The log keeps what it promises while hardware sets bits at random, people
# read and clear, and every domain is watched: nothing appears that was not
# set, and what was set is shown until it is cleared by name. The exception is
# counted: a bit that is set between the read and the clear of its module, and
# it shows at the die.
# STRESS_BITS: how often each instance sets some (slow/plr-stress.sh has more).
# contract: reasons
# all kernels: 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s --drivers none --timeout 900 <<SCRIPT
bits=${STRESS_BITS:-400}
$(cat <<'BODY'
modprobe pmon_plr mesh=1
cd $PMON

# Only this name is ever cleared.
T=8

# reader SECONDS: bits do not go by themselves
reader() {
	while [ ! -e /root/stop ]; do
		for f in pkg*-dom*/plr/core*/raw; do
			read -r now <$f || echo "$f: cannot be read"
			name=${f%/raw} name=${f%%/*}_${name##*/}
			name=was_${name%-dom*}_${name#*-dom}
			eval "was=\${$name:-0}"
			[ $((was & ~now & ~T)) = 0 ] || echo "$f: $now after $was"
			eval "$name=\$now"
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
is "$(head -n 5 /root/wrong)" "" "nothing that was shown has gone without being cleared"
sleep 0.1
for d in pkg*-dom*; do echo 0 >$d/plr/interval_ms; done

# What each module should show, from what became of every bit that was set.
hw plr log >/root/log
lost=0 window=0 total=0
while read -r ns place value state rest; do
	id=${place#*=}
	p=${id%%/*} id=${id#*/}
	name=${place%%=*}_${p}_${id%%/*}_${id#*/} die=die_${p}_${id%%/*}
	value=${value#*=}
	total=$((total + 1))
	eval "all_$name=\$((all_$name | value))"
	case $state in
	*lost)
		lost=$((lost + 1))
		eval "$die=\$(($die | value & 0xffffffff))"
		case $rest in *window=1*) window=$((window + 1)) ;; esac
		;;
	*) eval "keep_$name=\$((keep_$name | value))" ;;
	esac
done </root/log
is "$total" $((4 * bits)) "every bit that was set has a fate"
note "$total times bits were set, $lost of them in the window of a clear"
is "$((lost - window))" 0 "none was cleared that had not been read, but in that window"

checked=0
for d in pkg*-dom*; do
	p=${d%-dom*} p=${p#pkg}
	i=${d#*-dom}
	for scope in $d/plr/core* $d/plr/mesh0; do
		n=${scope##*/}
		case $n in core*) n=plr_${p}_${i}_${n#core} ;; *) n=mesh_${p}_${i}_0 ;; esac
		read -r shown <$scope/raw
		eval "all=\$((all_$n + 0)) keep=\$((keep_$n + 0))"
		[ $((keep & ~T & ~shown)) = 0 ] || echo "$scope: $shown misses some of $(printf '%x' $keep)"
		[ $((shown & ~all)) = 0 ] || echo "$scope: $shown, but only $(printf '%x' $all) were set"
		checked=$((checked + 1))
	done
	read -r shown <$d/plr/die/raw
	eval "low=\$((die_${p}_${i} + 0))"
	[ $((low & ~T & ~shown)) = 0 ] || echo "$d die: $shown misses some of $(printf '%x' $low)"
done >/root/wrong
is "$(cat /root/wrong)" "" "what was set is shown, nothing else, and what was lost shows at the die"

# A name that was cleared all the time is shown when it comes again.
hw plr stop
for m in 0/0/0 0/0/1 0/0/2 0/0/3 0/1/0 0/1/1 1/0/0 1/0/1 1/0/2 1/0/3 1/1/0 1/1/1; do
	hw plr $m $T
done
is "$(cat pkg*-dom*/plr/core*/reasons | grep -c THERMAL)" 12 "a name that was cleared comes again"
for f in pkg*-dom*/plr/*/clear; do echo all >$f; done
is "$(cat pkg*-dom*/plr/*/reasons | sort -u)" none "and all is cleared"
finish
BODY
)
SCRIPT
finish
