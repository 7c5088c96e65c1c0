# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl metrics, on the trees of tree-counts.sh. That Prometheus takes them is
# shown in a guest, cases/tools-metrics.sh.

# A box's events take turns, and each stands for the time of the others.
# 8 counts in a millisecond of 0.25 MiB for 4 seconds are 8000 MiB, of the
# package's two boxes 2000 + 12000 MiB/s.
a moving
run_test 0 metrics --for 4 && silent && grep -v '^#' "$tmp/out" >"$tmp/lines" &&
	python3 - "$tmp/lines" <<-'END'
	import sys
	v = dict(l.rsplit(" ", 1) for l in open(sys.argv[1]))
	mib = 1 << 20
	def near(name, mib_s):
	    got, want = float(v.pop("openpmon_" + name)) / mib, mib_s * 4
	    assert abs(got - want) <= want * 1e-6, (name, got, want)
	near('memory_read_bytes_total{package="0"}', 14000)
	near('memory_written_bytes_total{package="0"}', 0)
	near('memory_written_bytes_total{package="1"}', 4000)
	near('upi_received_bytes_total{package="0"}', 1000)
	near('upi_sent_bytes_total{package="0"}', 10000)
	near('cxl_read_bytes_total{pmu="cxl_pmu_mem0.0"}', 1000)
	near('iio_sent_bytes_total{package="0"}', 500)
	assert v['openpmon_unknown_boxes{kind="memory"}'].strip() == "0"
	END
verdict $? "metrics: what moves"
# cxl_read: MiB/s that a CXL device has
cxl_read() {
	run_test 0 metrics --for 4 && silent &&
		grep '^openpmon_cxl_read_bytes_total{pmu="cxl_pmu_mem0.0"} ' "$tmp/out" |
		awk '{ printf "%.0f\n", $2 / 4 / 1048576 }'
}
a moving
for i in 0 1; do
	node $i "$((i * 8))-$((i * 8 + 7))"
done
run_test 0 metrics --for 4 && silent &&
	has 'openpmon_memory_node_written_bytes_total{package="1",node="1"} 1677721*' \
		'openpmon_iio_stack_sent_bytes_total{package="0",stack="3"} 209715*' &&
	has 'openpmon_memory_written_bytes_total{package="1"} 1677721*'
verdict $? "metrics: of nodes and stacks, too"
a moving latency
run_test 0 metrics --for 35 && awk '/^openpmon_cxl_request_seconds_total{pmu="cxl_pmu_mem0.0",way="read"}/ { s = $2 }
	/^openpmon_cxl_requests_total{pmu="cxl_pmu_mem0.0",way="read"}/ { n = $2 }
	END { exit !(n && s / n > 169e-9 && s / n < 171e-9) }' "$tmp/out"
verdict $? "metrics: how long requests take in a CXL device: 340 clocks of 2 GHz"
[ "$(cxl_read)" = 1000 ]
verdict $? "metrics: clocks and requests of a device that has delays are no bytes"
sed -i 's/^70 1e9800310001 .*/70 1e9800310001 0 EBUSY/' "$root/counts"
[ "$(cxl_read)" = 1000 ] && has 'openpmon_unknown_boxes{kind="cxl"} 0'
verdict $? "metrics: and they take no counter"
a moving
sed -i 's/^20 5 0 8$/20 5 0 EBUSY/' "$root/counts"
run_test 1 metrics && has 'openpmon_unknown_boxes{kind="memory"} 1' \
		'! openpmon_memory_read_bytes_total{package="0"}*' &&
	has 'openpmon_memory_read_bytes_total{package="1"}*'
verdict $? "metrics: a box that cannot be counted makes no sum"

# Before adopt there is no event for half of what stacks move.
a moving
left_to intel_uncore
events_of_kernel
run_test 0 metrics && complains 'upi, iio WRITE/OUT: ' 'pmonctl adopt uncore' &&
	has 'openpmon_iio_received_bytes_total{package="0"}*' &&
	! grep -q '^openpmon_iio_sent\|^openpmon_upi' "$tmp/out"
verdict $? "metrics: what no event counts has no series"
a moving
stands_still
box uncore_cha_0 40 0,8 clockticks=1
rate 40 1 0 2000000
rate 40 1 8 0
run_test 0 metrics && ! grep -q '^openpmon_\(memory\|upi\|uncore\)_[a-z_]*{package="1"}' "$tmp/out" &&
	has 'openpmon_memory_read_bytes_total{package="0"}*' \
		'openpmon_uncore_cycles_total{package="0"}*' &&
	has 'openpmon_unknown_boxes{kind="memory"} 2'
verdict $? "metrics: boxes that are frozen have no series"

# In 16 seconds each of four events has four turns of a second.
# ends_in MS HEALS: that event of the first box is in error from then to then
ends_in() {
	a moving
	box uncore_cha_0 40 0 clockticks=1
	rate 40 1 0 "2000000 0 0 0 $1 $2"
	sed -i "s/^20 5 0 8\$/20 5 0 8 0 0 0 $1 $2/" "$root/counts"
	run_test 0 metrics --for 16 && silent
}
# amounts SERIES VALUE: to so much it does
amounts() {
	awk -v name="openpmon_$1" -v want="$2" '$1 == name { got = $2 }
		END { exit !(got > want * 0.999999 && got < want * 1.000001) }' "$tmp/out"
}
memory='memory_read_bytes_total{package="0"}'
cycles='uncore_cycles_total{package="0"}'
# The second turn fails, from 4 to 5, the third counts for what is from 5. The clock
# of 2 GHz misses what is from 4.5 to 6.
ends_in 4500 6000 && amounts "$memory" $((16 * 12000 * 1048576 + 12 * 2000 * 1048576)) &&
	has 'openpmon_unknown_boxes{kind="memory"} 0' && amounts "$cycles" 29000000000
verdict $? "metrics: what ended in error counts again, and what it missed is left out"
ends_in 4500 60000 && has "! openpmon_$memory*" 'openpmon_unknown_boxes{kind="memory"} 1' &&
	has "! openpmon_$cycles*"
verdict $? "metrics: and until then makes no sum"
# From the first turn to the second nothing has a counter: that is in no total.
a moving
sed -i 's/^20 5 0 8$/20 5 0 8 0 0 7000/' "$root/counts"
run_test 0 metrics --for 16 && silent &&
	amounts "$memory" $((16 * 12000 * 1048576 + 11 * 2000 * 1048576))
verdict $? "metrics: what had no counter for long is not made up for"
sed -i 's/^20 5 0 8 .*/20 5 0 8 0 0 60000/' "$root/counts"
run_test 0 metrics --for 16 && has "! openpmon_$memory*" 'openpmon_unknown_boxes{kind="memory"} 1'
verdict $? "metrics: and until it has one its box is unknown"

a moving
domain 0 1 0-1
core 0 1 2 0-1 POWER
put pkg0-dom1/plr/core2/time_in_reason 'observed 1000 2 -' 'POWER 1000 2 -'
passing <<-'END'
	[ "$from" = 0 ] || exit
	printf '%s\n' 'observed 3600 2 -' 'POWER 3500 2 -' 'POWER_PKG_PL1_MMIO 2000 2 -' \
		>"$class/pkg0-dom1/plr/core2/time_in_reason"
END
mkdir -p "$root/sys/class/powercap/intel-rapl:0"
for file in name=package-0 energy_uj=2500000 constraint_0_name=long_term \
	constraint_0_power_limit_uw=350000000 constraint_1_name=short_term; do
	echo "${file#*=}" >"$root/sys/class/powercap/intel-rapl:0/${file%%=*}"
done
run_test 0 metrics --for 2 &&
	has 'openpmon_limited_seconds_total{package="0",reason="POWER"} 2.5' \
		'openpmon_limited_seconds_total{package="0",reason="THERMAL"} 0' &&
	has 'openpmon_limited_fine_seconds_total{package="0",reason="POWER_PKG_PL1_MMIO"} 2' &&
	! grep -q '^openpmon_limited_seconds.*_PL1\|^openpmon_limited_fine.*"POWER"' "$tmp/out" &&
	has 'openpmon_watched_modules{package="0"} 1'
verdict $? "metrics: limits since the start, coarse and fine ones apart"
has 'openpmon_package_energy_joules_total{package="0"} 2.5' \
		'openpmon_package_power_limit_watts{package="0",limit="long_term"} 350' &&
	! grep -q short_term "$tmp/out"
verdict $? "metrics: power of a package as far as it can be read"
sed -i 's/[0-9]*$/EACCES/' "$root/counts"
run_test 1 metrics --for 2 && complains 'counting takes root' &&
	has 'openpmon_limited_seconds_total{package="0",reason="POWER"} *' '! openpmon_memory*'
verdict $? "metrics: limits take no rights"
# Loaded again the driver begins anew, which is no reason to count backwards.
put pkg0-dom1/plr/core2/time_in_reason 'POWER 5000 2 -'
sed -i 's/3500/250/' "$root/sbin/pause"
run_test 1 metrics --for 2 &&
	has '*reason="POWER"} 0.25'
verdict $? "metrics: a time that begins anew"
rm "$(class)/pkg0-dom1/plr/core2/time_in_reason"
run_test 1 metrics --for 2 &&
	has '*reason="POWER"} 0'
verdict $? "metrics: what is on record when a device comes was before the start"

# A file that is written again and again, in a directory of this test's, not of the tree's.
# pause_does SECONDS: the pause of the tree keeps what is in that directory and how many
# events the program has open, does what is on standard input, and ends it after so long
pause_does() {
	files=$tmp/written
	kept=$tmp/kept
	rm -rf "$files" "$kept"
	mkdir "$files" "$kept"
	{
		echo "files='$files' kept='$kept'"
		cat <<-'END'
		[ ! -e "$files/pmon.prom" ] || cp "$files/pmon.prom" "$kept/$from"
		for file in "$files"/* "$files"/.[!.]*; do
			[ ! -e "$file" ] || stat -c "$from %i %a %n" "$file" >>"$kept/names"
		done
		open=0
		for fd in /proc/$PPID/fd/*; do
			[ ! "$fd" -ef "$root/counts" ] || open=$((open + 1))
		done
		echo $open >>"$kept/open"
		END
		cat
		echo "[ \$to -lt ${1}000 ] || kill \$PPID"
	} >"$tmp/pause"
	passing <"$tmp/pause"
}
# written STATUS ARG...
written() {
	status=$1
	shift
	run_test "$status" metrics --file "$files/pmon.prom" "$@"
}
# gained SERIES FROM TO: between the files of these seconds, in MiB
gained() {
	awk -v name="openpmon_$1" '$1 == name { v[FILENAME] = $2; f[n++] = FILENAME }
		END { printf "%.3f\n", (v[f[1]] - v[f[0]]) / 1048576 }' \
		"$kept/${2}000" "$kept/${3}000"
}
iio='iio_received_bytes_total{package="0"}'

a moving
mkdir "$root/counters"
for type in 20 30 50 70; do
	echo 1 >"$root/counters/$type"
done
# What comes from devices is 250 MiB/s, after 6 s 1000.
sed -i 's/^60 20 0 1$/60 20 0 1 3 6000/' "$root/counts"
pause_does 17 </dev/null
(umask 077 && written 0 -i 4) && silent && [ ! -s "$tmp/out" ]
verdict $? "metrics: --file, until a signal comes, with one event of a box at a time"
[ "$(gained "$iio" 4 8)" = 2500.000 ] && [ "$(gained "$iio" 8 12)" = 4000.000 ] &&
	[ "$(gained "$memory" 8 12)" = 56000.000 ] && [ "$(gained "$memory" 12 16)" = 56000.000 ]
verdict $? "metrics: what a file has more than the one before is what was moved since"
for s in 4 8 12 16; do
	grep -h '^openpmon_measured_seconds_total' "$kept/${s}000"
done >"$tmp/out"
prints <<-'END'
openpmon_measured_seconds_total 4.000
openpmon_measured_seconds_total 8.000
openpmon_measured_seconds_total 12.000
openpmon_measured_seconds_total 16.000
END
verdict $? "metrics: and says over how long"
# A new file each time, whole, in the place of the last, with nothing beside it.
awk '$1 < 4000 { bad = 1 }
	$3 != 644 || $4 !~ /\/pmon.prom$/ { bad = 1 }
	{ at[$1]++; if ($2 != last) new++; last = $2 }
	END { for (s in at) if (at[s] != 1) bad = 1; exit bad || new != 4 }' "$kept/names" &&
	[ "$(cd "$kept" && tail -qn 1 4000 8000 12000 16000 | grep -c ^openpmon_)" = 4 ] &&
	[ ! -e "$files/pmon.prom" ]
verdict $? "metrics: each file comes whole in the place of the last, and goes at the end"
[ "$(sort -u "$kept/open")" = "$(wc -l <"$root/counts")" ] &&
	[ "$(wc -l <"$kept/open")" = 17 ]
verdict $? "metrics: no more events are opened than there were at first"

# By default every 15 s: four events of a box, and two, have the same share of each.
a moving
pause_does 75 </dev/null
written 0 && silent && for v in "$memory" 'upi_sent_bytes_total{package="0"}' "$iio"; do
	for f in $(cd "$kept" && find [0-9]* | sort -n); do
		awk -v name="openpmon_$v" '$1 == name || $1 == "openpmon_measured_seconds_total" { print $1, $2 }' \
			"$kept/$f"
	done | awk -v name="openpmon_$v" '$1 != name { s = $2; next }
		s > last { if (n++) print ($2 - was) / (s - last); last = s; was = $2 }'
done >"$tmp/rates"
awk 'NR == 1 || $1 > old * 1.2 || $1 < old / 1.2 { min = max = old = $1 }
	{ if ($1 < min) min = $1; if ($1 > max) max = $1; if (max > min * 1.01) bad = 1; n++ }
	END { exit bad || n < 9 }' "$tmp/rates" || { sed 's/^/# /' "$tmp/rates"; false; }
verdict $? "metrics: --file has what is moved evenly within 1 %"

# Modules are watched by one event of their domain, which comes late, and is opened anew as
# long as nothing is known of them.
a moving
domain 0 1 0-1
core 0 1 2 0-1 POWER
core 0 1 3 0-1 POWER
box plr 80 0 observed=40
rate 80 40 0 EBUSY
pause_does 17 <<-'END'
	[ "$from" = 4000 ] && counts=$(sed 's/ EBUSY$/ 0/' "$root/counts") &&
		echo "$counts" >"$root/counts"
END
written 0 -i 4 && silent && uniq -c "$kept/open" | tr -s ' ' >"$tmp/out" && prints <<-'END'
8 24
9 25
END
verdict $? "metrics: --file opens the event of a domain again, in the place of the last"

# A directory is the one that it was at the start, and nothing but a file is replaced.
a moving
pause_does 10 <<-'END'
	[ "$from" != 4000 ] || { mv "$files" "$kept/moved" && mkdir "$files"; }
	[ ! -e "$kept/moved/pmon.prom" ] || cp "$kept/moved/pmon.prom" "$kept/there"
END
written 0 -i 4 && silent && [ -z "$(ls -A "$files")$(ls -A "$kept/moved")" ] &&
	grep -q '^openpmon_measured_seconds_total 8.000$' "$kept/there"
verdict $? "metrics: --file stays in its directory, wherever that goes"
rm -r "$files"
written 2 -i 4 && complains "$files/: "
verdict $? "metrics: --file makes no directory"

run 64 metrics --file "$tmp/metrics.prom" && complains 'with --sysroot' &&
	[ ! -e "$tmp/metrics.prom" ]
verdict $? "metrics: no file is written for a tree"
answers "metrics: nor where an exporter looks" 64 'with --sysroot' metrics --collector
new_tree
run 77 metrics
verdict $? "metrics: no supported hardware is 77"
