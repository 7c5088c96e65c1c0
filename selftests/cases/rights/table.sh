#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Try each row of lib/rights.table: rights to count, trace, read and write at every level
# of perf_event_paranoid. A refused try accesses no register. The guide's table has the
# same rows.
# contract: rights
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

guide=$ROOT/Documentation/admin-guide/rights.rst
awk -f "$CASES/lib/rights-rst.awk" "$CASES/lib/rights.table" >"$TMP/table"
is "$(awk '/^==* ==* / { on = 1 } on && !NF { exit } on' "$guide")" "$(cat "$TMP/table")" \
	"the guide's table has the rows of rights.table"

each_vm --machine "$(machine_plr_lean)" --drivers none \
	--program rights <<'SCRIPT'
. /lib/test/plr.sh
. /lib/test/rights.sh
# A service that loads modules needs nothing else.
chmod 755 /
is "$(echo "load $(modinfo -n pmon)" | /root/rights module | sed 's/.* //')" yes \
	'CAP_SYS_MODULE alone loads pmon'
rmmod pmon
rights_load
pmus=/sys/bus/event_source/devices
tracing=/sys/kernel/tracing/events/pmon/plr_reasons
id=$(cat $tracing/id)
core=$PMON/pkg0-dom0/plr/core1

# attempts WHAT: print the input of /root/rights
attempts() {
	case $1 in
	uncore-event)
		for pmu in uncore_cha_0 uncore_imc_0 uncore_upi_0; do
			echo "event $(cat $pmus/$pmu/type) 1 cpu=0"
		done
		# the PMU's clock
		echo "event $(cat $pmus/uncore_iio_free_running_0/type) 0x10ff cpu=0" ;;
	plr-event) echo "event $(cat $pmus/plr/type) 2 cpu=0" ;;
	tracepoint-by-cpu) echo "event 2 $id cpu=0" ;;
	tracepoint-by-task) echo "event 2 $id task" ;;
	tracefs)
		echo "write $tracing/enable 1"
		echo "write $tracing/enable 0" ;;
	read-files)
		for file in $core/reasons $core/raw $PMON/pkg0-dom0/plr/die/fine \
			$core/time_in_reason $PMON/pkg0-dom0/plr/die/time_in_reason \
			$PMON/pkg0-uncore0/units; do
			echo "read $file"
		done ;;
	level-files)
		for file in $core/cpus $PMON/pkg0-dom0/cpus \
			$PMON/pkg0-dom0/plr/interval_ms $PMON/pkg0-dom0/plr/gate; do
			echo "read $file"
		done ;;
	write-files)
		echo "write $core/clear all"
		echo "write $PMON/pkg0-dom0/plr/interval_ms 0"
		echo "write $PMON/pkg0-dom0/plr/gate POWER" ;;
	esac
}

# Try events without sampling and without excluded code, because perf itself refuses others.
for what in $(grep -v '^#' /lib/test/rights.table | awk '{ print $1 }' | sort -u); do
	attempts $what | sed "s/^/$what /"
done >/tmp/attempts

# Write one row per level: WHAT WHO LEVEL MAY.
awk '!/^#/ { split($3, l, /\.\./); for (n = l[1]; n <= l[2]; n++) print $1, $2, n, $4 }' \
	/lib/test/rights.table >/tmp/rows
is "$(awk '{ print $1, $2, $3 }' /tmp/rows | sort | uniq -c | awk '$1 != 1')" '' \
	'rights.table has no row twice'
is "$(wc -l </tmp/rows)" 240 'rights.table has 240 rows of eight things, five actors and six levels'

# try LEVEL WHO MAY: run all attempts of the matching rows, in one process; print rows
# with attempts not made, or with another result than MAY
try() {
	awk -v level=$1 -v who=$2 -v may=$3 \
		'$2 == who && $3 == level && $4 == may { print $1 }' /tmp/rows >/tmp/now
	[ -s /tmp/now ] || return
	awk 'FILENAME == "/tmp/now" { wanted[$1] = 1; next }
		$1 in wanted' /tmp/now /tmp/attempts >/tmp/todo
	[ $3 = yes ] || {
		rights_settled
		hw count reset
	}
	sed 's/^[^ ]* //' /tmp/todo | /root/rights $2 >/tmp/answers
	[ $3 = yes ] || rights_accessed
	awk -v may=$3 'FILENAME == "/tmp/now" { all[$1] = 0; next }
		FILENAME == "/tmp/todo" {
			all[$1]++
			what[FNR] = $1
			text[FNR] = substr($0, length($1) + 2) " "
			next
		}
		index($0, text[FNR]) == 1 {
			tried[what[FNR]]++
			if ($NF == "yes")
				yes[what[FNR]]++
		}
		END {
			for (w in all)
				if (!all[w] || tried[w] != all[w])
					print w ": " tried[w] + 0 " of " all[w] " tried"
				else if (yes[w] + 0 != (may == "yes" ? all[w] : 0))
					print w ": " yes[w] + 0 " of " all[w] " allowed"
		}' /tmp/now /tmp/todo /tmp/answers
}

for level in -1 0 1 2 3 4; do
	echo $level >/proc/sys/kernel/perf_event_paranoid
	for who in root sysadmin perfmon group everybody; do
		is "$(try $level $who no)" '' \
			"level $level, $who: refused tries fail and access no register"
		is "$(try $level $who yes)" '' "level $level, $who: allowed tries succeed"
	done
done

attempts write-files >/tmp/todo
hw count reset
/root/rights container </tmp/todo >/tmp/answers
is "$(sed 's/.* //' /tmp/answers | sort | uniq -c | tr -s ' ')" ' 3 EACCES' \
	'root without a capability may write no file'
is "$(rights_accessed)" '' 'a refused write of root without a capability accesses no register'
is "$(stat -c %a $PMON/pkg*/table | sort | uniq -c | tr -s ' ')" \
	" $(ls -d $PMON/pkg*-tpmi* $PMON/pkg*-uncore* | wc -l) 400" 'the files table have mode 400'
SCRIPT
finish
