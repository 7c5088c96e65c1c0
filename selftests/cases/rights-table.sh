#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Who may count, trace, read and write, at every level of perf_event_paranoid:
# the rows of lib/rights.table, each of them tried. What is refused touches no
# register. The guide's table has the same rows.
# kernels: 6.1 6.12 7.2
# check: 7.2
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/machine.sh"
. "$(dirname "$0")/lib/hang-host.sh"

guide=$ROOT/Documentation/admin-guide/rights.rst
awk -f "$CASES/lib/rights-rst.awk" "$CASES/lib/rights.table" >"$TMP/table"
is "$(sed -n '/^==* ==* /,/^$/p' "$guide" | grep .)" "$(cat "$TMP/table")" \
	"the guide's table is made of these rows"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$(plr_lean)" --drivers none \
		--copy "$ATTACKS/rights" <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
. /lib/test/rights.sh
rights_load
pmus=/sys/bus/event_source/devices
tracing=/sys/kernel/tracing/events/pmon/plr_reasons
id=$(cat $tracing/id)
core=$PMON/pkg0-dom0/plr/core1

# attempts WHAT: how it is tried, as /root/rights takes it
attempts() {
	case $1 in
	uncore-event)
		for pmu in uncore_cha_0 uncore_imc_0 uncore_upi_0; do
			echo "event $(cat $pmus/$pmu/type) 1 cpu=0"
		done
		# its clock
		echo "event $(cat $pmus/uncore_iio_free_running_0/type) 0x10ff cpu=0" ;;
	plr-event) echo "event $(cat $pmus/plr/type) 2 cpu=0" ;;
	tracepoint-by-cpu) echo "event 2 $id cpu=0" ;;
	tracepoint-by-task) echo "event 2 $id task" ;;
	tracefs)
		echo "write $tracing/enable 1"
		echo "write $tracing/enable 0" ;;
	read-files)
		for file in $core/reasons $core/raw $core/cpus \
			$PMON/pkg0-dom0/plr/interval_ms \
			$PMON/pkg0-dom0/plr/snapshot $PMON/pkg0-uncore0/units; do
			echo "read $file"
		done ;;
	limit-files)
		echo "read $PMON/pkg0-tpmi0/rapl"
		echo "read $PMON/pkg0-tpmi0/sst" ;;
	energy-file) echo "read $PMON/pkg0-tpmi0/rapl_energy" ;;
	write-files)
		echo "write $core/clear all"
		echo "write $PMON/pkg0-dom0/plr/interval_ms 0" ;;
	esac
}

# Sampling is not asked for, and no code is excluded: what perf refuses of that
# by itself says nothing of us.
for what in $(grep -v '^#' /lib/test/rights.table | awk '{ print $1 }' | sort -u); do
	attempts $what >/tmp/$what
done

# one row per level: WHAT WHO LEVEL MAY
awk '!/^#/ { split($3, l, /\.\./); for (n = l[1]; n <= l[2]; n++) print $1, $2, n, $4 }' \
	/lib/test/rights.table >/tmp/rows
is "$(awk '{ print $1, $2, $3 }' /tmp/rows | sort | uniq -c | awk '$1 != 1')" '' \
	'no row is there twice'
is "$(wc -l </tmp/rows)" 270 'nine things, five actors, six levels'

# allowed WHO WHAT: yes if all its attempts are; no if none is
allowed() {
	/root/rights $1 </tmp/$2 | awk -v all="$(wc -l </tmp/$2)" '
		$NF == "yes" { yes++ }
		END { print NR != all ? NR " of " all " tried" :
			yes == all ? "yes" : !yes ? "no" : yes " of " all }'
}

for level in -1 0 1 2 3 4; do
	echo $level >/proc/sys/kernel/perf_event_paranoid
	for who in root sysadmin perfmon group everybody; do
		awk -v who=$who -v level=$level \
			'$2 == who && $3 == level { print $1, $4 }' /tmp/rows >/tmp/now
		while read -r what may; do
			[ $may = no ] || continue
			settled
			hw count reset
			got=$(allowed $who $what)
			[ $got = no ] || echo "$what: $got"
			accessed | sed "s/^/$what: /"
		done </tmp/now >/tmp/wrong
		is "$(cat /tmp/wrong)" '' \
			"level $level, $who: what is refused, and touches nothing"
		while read -r what may; do
			[ $may = yes ] || continue
			got=$(allowed $who $what)
			[ $got = yes ] || echo "$what: $got"
		done </tmp/now >/tmp/wrong
		is "$(cat /tmp/wrong)" '' "level $level, $who: what is allowed"
	done
done
finish
SCRIPT
done
finish
