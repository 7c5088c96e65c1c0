# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034,SC2016
# Test `pmonctl metrics` on trees with events that count. cases/tools/metrics.sh runs promtool.

memory='openpmon_memory_read_bytes_total{package="0"}'
cycles='openpmon_uncore_cycles_total{package="0"}'
iio='openpmon_iio_received_bytes_total{package="0"}'
cxl='openpmon_cxl_read_bytes_total{pmu="cxl_pmu_mem0.0"}'
unknown='openpmon_unknown_boxes{kind="memory"}'
mib=1048576

# ends_in MS HEALS: put an event of the first box, and a clock, into error state from MS to HEALS
ends_in() {
	moving
	box uncore_cha_0 40 0 clockticks=1
	echo "40 1 0 2000000 0 0 0 $1 $2" >>"$root/counts"
	recount 20 5 0 "8 0 0 0 $1 $2"
}

# Events of a box take turns, and are scaled to the whole time.
# 8 counts of 0.25 MiB per millisecond are 2000 MiB/s, the rate of the first of a package's two
# boxes. The second box has 12000 MiB/s.
rows <<END
metrics: what moves, of packages, nodes, stacks and devices | : a moving; nodes 0-7 8-15 |
	0 metrics --for 4 | : silent | $unknown 0 | $memory $((4 * 14000 * mib)) |
	openpmon_memory_written_bytes_total{package="0"} 0 |
	openpmon_memory_written_bytes_total{package="1"} $((4 * 4000 * mib)) |
	openpmon_memory_node_written_bytes_total{package="1",node="1"} $((4 * 4000 * mib)) |
	openpmon_upi_received_bytes_total{package="0"} $((4 * 1000 * mib)) |
	openpmon_upi_sent_bytes_total{package="0"} $((4 * 10000 * mib)) |
	$cxl $((4 * 1000 * mib)) | openpmon_iio_sent_bytes_total{package="0"} $((4 * 500 * mib)) |
	openpmon_iio_stack_sent_bytes_total{package="0",stack="3"} $((4 * 500 * mib))
metrics: which modules are loaded, and that the service does not keep them out | : a moving;
	live pmon pmon_plr; put proc/sys/kernel/osrelease 6.18-tree;
	put "var/lib/openpmon/strikes/6.18-tree 9.1" "1 100"; put "var/lib/openpmon/strikes/6.18 9.1" "2 100" |
	0 metrics | openpmon_module_info{module="pmon",version="$version"} 1 |
	openpmon_module_info{module="pmon_plr",version="$version"} 1 | ! *pmon_uncore* |
	openpmon_out{kernel="6.18-tree",version="$version"} 0
metrics: that it does, where nothing is left to count | : a discovery_function;
	put proc/sys/kernel/osrelease 6.18-tree; put "var/lib/openpmon/strikes/6.18-tree 9.1" "2 100" |
	1 metrics | openpmon_out{kernel="6.18-tree",version="9.1"} 1 | ! *module_info*
metrics: HBM is no memory of DIMMs | : a moving;
	box uncore_mchbm_0 33 0 'cas_count_read=5*0.25' 'cas_count_write=6*0.25';
	printf '33 %s 0 %s\\n' 5 2 6 1 >>"\$root/counts" | 0 metrics --for 4 | $memory $((4 * 14000 * mib)) |
	openpmon_hbm_read_bytes_total{package="0"} $((4 * 500 * mib)) |
	openpmon_hbm_written_bytes_total{package="0"} $((4 * 250 * mib)) |
	openpmon_unknown_boxes{kind="hbm"} 0
metrics: each millisecond is measured | : a moving | 0 metrics --for 1.001 |
	openpmon_measured_seconds_total 1.001
# 8000 counts of 10^-7 MiB are 838.86 bytes.
metrics: bytes are whole numbers | : a moving;
	box uncore_mchbm_0 33 0 'cas_count_read=5*0.0000001' 'cas_count_write=6*0.25';
	printf '33 %s 0 %s\\n' 5 2 6 0 >>"\$root/counts" | 0 metrics --for 4 |
	openpmon_hbm_read_bytes_total{package="0"} 839
metrics: the node of a CXL card's memory | : a moving; region 0 mem0 0x2080000000;
	put sys/bus/cxl/devices/region0/dax_region0/dax0.0/target_node 2 | 0 metrics --for 4 |
	openpmon_cxl_read_bytes_total{pmu="cxl_pmu_mem0.0",node="2"} $((4 * 1000 * mib))
# In 32 seconds two events and two groups have four turns each. Each second has 10^7 requests of
# 170 ns.
metrics: how long requests take in a CXL device: 340 clocks of 2 GHz | : a moving latency |
	0 metrics --for 32 | ! *way="write"* |
	openpmon_cxl_request_seconds_total{pmu="cxl_pmu_mem0.0",way="read"} 54.4 |
	openpmon_cxl_requests_total{pmu="cxl_pmu_mem0.0",way="read"} 320000000
# The second turn of the reads' group ends at 14 s. From 16 s on, fewer than one waits on average.
metrics: of turns in which that is known | : recount 70 1e9800310001 0 '3400000 -2400000 16000' |
	0 metrics --for 32 |
	openpmon_cxl_request_seconds_total{pmu="cxl_pmu_mem0.0",way="read"} 23.8 |
	openpmon_cxl_requests_total{pmu="cxl_pmu_mem0.0",way="read"} 140000000
metrics: clocks and requests of a device that has delays are no bytes |
	0 metrics --for 4 | : silent | $cxl $((4 * 1000 * mib))
metrics: and they take no counter | : recount 70 1e9800310001 0 EBUSY | 0 metrics --for 4 |
	openpmon_unknown_boxes{kind="cxl"} 0 | $cxl $((4 * 1000 * mib))
metrics: a box that cannot be counted makes no sum | : a moving; recount 20 5 0 EBUSY |
	1 metrics | $unknown 1 | ! $memory* | openpmon_memory_read_bytes_total{package="1"}*
# Before the command adopt no event counts links, or writes of stacks.
metrics: what no event counts has no series | : a moving; left_to intel_uncore; events_of_kernel |
	0 metrics | - upi, iio write: * pmonctl adopt uncore | $iio* | ! openpmon_iio_sent* |
	! openpmon_upi*
metrics: boxes that are frozen have no series | : a moving; stands_still;
	box uncore_cha_0 40 0,8 clockticks=1;
	printf '40 1 %s\n' '0 2000000' '8 0' >>"\$root/counts" | 0 metrics | $unknown 2 |
	! openpmon_memory*{package="1"*} * | ! openpmon_upi*{package="1"} * |
	! openpmon_uncore*{package="1"} * | $memory* | $cycles*
# In 16 s four events have four turns of a second each. In the first box the second turn of an
# event, from 4 to 5 s, fails; its third turn counts for the time since 5 s. The clock of 2 GHz
# misses the time from 4.5 to 6 s.
metrics: what ended in error counts again, and what it missed is left out |
	: a ends_in 4500 6000 | 0 metrics --for 16 | : silent | $unknown 0 |
	$memory $(((16 * 12000 + 12 * 2000) * mib)) | $cycles 29000000000
metrics: and until then makes no sum | : a ends_in 4500 60000 | 0 metrics --for 16 | : silent |
	$unknown 1 | ! $memory* | ! $cycles*
metrics: nor does a box that does not respond, before its events fail | : a moving;
	put uncore_imc_0/unresponsive '0 1' '1 0' | 0 metrics | $unknown 1 | ! $memory* |
	openpmon_memory_read_bytes_total{package="1"} *
# The event has no counter from its first turn to its second, so totals lack that time.
metrics: what had no counter for long is not made up for |
	: a moving; recount 20 5 0 8 0 0 7000 | 0 metrics --for 16 | : silent |
	$memory $(((16 * 12000 + 11 * 2000) * mib))
metrics: and until it has one its box is unknown | : recount 20 5 0 8 0 0 60000 |
	0 metrics --for 16 | ! $memory* | $unknown 1
END

# off_and_on FROM TO: take all CPUs of the second package offline from FROM to TO ms
off_and_on() {
	goes_off "$1" "$2" 20000
	box uncore_cha_0 40 0,8 clockticks=1
	printf '40 1 %s\n' '0 2000000' '8 2000000' >>"$root/counts"
}
# The package's totals lack the time in which its CPUs were offline.
rows <<'END'
metrics: a package whose CPUs were offline counts again | : a off_and_on 4000 6000 | 0 metrics --for 16 |
	openpmon_unknown_boxes{kind="memory"} 0 | openpmon_uncore_cycles_total{package="1"} 2*0000000 |
	openpmon_memory_read_bytes_total{package="1"} * | - socket 1: not counted, all of its CPUs *
	| - all sockets are counted again
metrics: while they are offline it has no cycles | : a off_and_on 4000 20000 | 0 metrics --for 16 |
	openpmon_uncore_cycles_total{package="0"} 32000000000 | ! *cycles_total{package="1"}*
END

# limited: limit the die and two modules by POWER for 1 s before the start; after it, limit one
# module twice, for 2.5 s in total, and the other module and the die once, for 1.25 s
limited() {
	moving
	domain 0 1 0-2
	core 0 1 2 0-1 POWER
	core 0 1 3 2 POWER
	for part in die core2 core3; do
		put pkg0-dom1/plr/$part/time_in_reason 'observed 1000 2 - 1' 'POWER 1000 2 - 3' \
			'THERMAL 0 - - 0'
	done
	passing <<-'END'
		[ "$from" = 0 ] || exit
		cd "$class/pkg0-dom1/plr"
		printf '%s\n' 'observed 3600 2 - 1' 'POWER 3500 2 - 5' 'POWER_PKG_PL1_MMIO 2000 2 - 1' \
			'THERMAL 0 - - 0' >core2/time_in_reason
		printf '%s\n' 'observed 3600 2 - 1' 'POWER 2250 2 - 4' | tee die/time_in_reason >core3/time_in_reason
	END
	files sys/class/powercap/intel-rapl:0/ <<-'END'
		name package-0
		energy_uj 2500000
		constraint_0_name long_term
		constraint_0_power_limit_uw 350000000
		constraint_1_name short_term
	END
}
# own_time: observe FREQUENCY for 0.1 s in two modules; it limits one of them for all of this time
own_time() {
	limited
	passing <<-'END'
		[ "$from" = 0 ] || exit
		cd "$class/pkg0-dom1/plr"
		printf '%s\n' 'observed 3600 2 - 1' 'POWER 3500 2 - 5 3600' 'FREQUENCY 100 2 - 1 100' \
			'FREQUENCY_CDYN0 0 - - 0 100' >core2/time_in_reason
		printf '%s\n' 'observed 3600 2 - 1' 'POWER 2250 2 - 4 2900' 'FREQUENCY 0 - - 0 100' \
			'FREQUENCY_CDYN0 0 - - 0 100' >core3/time_in_reason
	END
	for part in core2 core3; do
		put pkg0-dom1/plr/$part/time_in_reason 'observed 1000 2 - 1' 'POWER 1000 2 - 3 1500' \
			'FREQUENCY 0 - - 0 0' 'FREQUENCY_CDYN0 0 - - 0 0'
	done
}
# six: make two sockets of three dies of 43 modules; FREQUENCY limits all, THERMAL one of each die
six() {
	discovery_function
	mkdir -p "$class"
	pauses
	for p in 0 1; do
		for d in 0 1 2; do
			domain "$p" "$d" 0
			put "pkg$p-dom$d/plr/die/time_in_reason" 'observed 9000 2 1 0' \
				'FREQUENCY 9000 2 1 1 9000' 'THERMAL 100 2 - 1 9000' 'POWER 0 - - 0 9000'
			for m in $(seq 0 42); do
				core "$p" "$d" "$m" 0 none
				put "pkg$p-dom$d/plr/core$m/time_in_reason" 'observed 9000 2 1 0' \
					'FREQUENCY 9000 2 1 1 9000' 'FREQUENCY_CDYN0 9000 2 1 1 9000' \
					'POWER 0 - - 0 9000'
			done
			echo 'THERMAL 100 2 - 1 9000' >>"$class/pkg$p-dom$d/plr/core7/time_in_reason"
		done
	done
}
# read_again: make the tree of six(), and let its records grow while pmonctl counts
read_again() {
	six
	passing <<-'END'
	sed -i -E 's/ 9000( |$)/ 10000\1/g' "$class"/*/plr/*/time_in_reason
	END
}
# series: count the series of limits
series() {
	grep -cE '^openpmon_(limited|observed|reason|watched)' "$tmp/out"
}
rows <<'END'
metrics: limits since the start, of a die and all its modules, coarse and fine ones apart |
	: a limited | 0 metrics --for 2 |
	openpmon_limited_seconds_total{package="0",domain="1",part="modules",reason="POWER"} 3.75 |
	openpmon_limited_seconds_total{package="0",domain="1",part="die",reason="POWER"} 1.25 |
	openpmon_limited_times_total{package="0",domain="1",part="modules",reason="POWER"} 3 |
	openpmon_limited_times_total{package="0",domain="1",part="die",reason="POWER"} 1 |
	openpmon_limited_fine_seconds_total{package="0",domain="1",part="modules",reason="POWER_PKG_PL1_MMIO"} 2 |
	openpmon_limited_fine_times_total{package="0",domain="1",part="modules",reason="POWER_PKG_PL1_MMIO"} 1 |
	openpmon_observed_seconds_total{package="0",domain="1",part="modules"} 5.2 |
	! openpmon_limited_seconds*_PL1* | ! openpmon_limited_fine*"POWER"* | ! *core* |
	openpmon_watched_modules{package="0",domain="1"} 2
metrics: a reason of modules has series of 0 before it limits for the first time | 0 metrics |
	openpmon_limited_seconds_total{package="0",domain="1",part="modules",reason="RAS"} 0 |
	openpmon_limited_times_total{package="0",domain="1",part="modules",reason="PLATFORM"} 0 |
	openpmon_reason_observed_seconds_total{package="0",domain="1",part="modules",reason="RAS"} * |
	openpmon_limited_fine_seconds_total{package="0",domain="1",part="modules",reason="POWER_PKG_PL1_PCS"} 0 |
	! *part="die",reason="RAS"* | ! *PROCHOT* | ! *RSVD*
metrics: limits of a die that nobody has monitored have no series | : a limited; put sbin/pause '';
	chmod -x "$root/sbin/pause"; for part in die core2 core3; do
	put pkg0-dom1/plr/$part/time_in_reason 'observed 0 - -' 'POWER 0 - - 0 0'; done | 0 metrics |
	! openpmon_limited* | ! *observed_seconds* | openpmon_watched_modules{package="0",domain="1"} 0
metrics: a mesh that answers is no part of it | : a limited; put pkg0-dom1/plr/mesh0/reasons none |
	0 metrics --for 2 | openpmon_watched_modules{package="0",domain="1"} 2 |
	: [ "$(grep -c ^openpmon_watched_modules "$tmp/out")" = 1 ] | ! *mesh*
metrics: and says what a number of times is | 0 metrics | [#] HELP openpmon_limited_times_total Onsets *
# The record of an older driver has one observed time for all reasons.
metrics: an older driver | : a limited | 0 metrics --for 2 |
	openpmon_reason_observed_seconds_total{package="0",domain="1",part="modules",reason="POWER"} 5.2
metrics: each reason has its own observed time | : a own_time | 0 metrics --for 2 |
	openpmon_reason_observed_seconds_total{package="0",domain="1",part="modules",reason="POWER"} 3.5 |
	openpmon_reason_observed_seconds_total{package="0",domain="1",part="modules",reason="FREQUENCY"} 0.2 |
	openpmon_limited_seconds_total{package="0",domain="1",part="modules",reason="FREQUENCY"} 0.1 |
	openpmon_observed_seconds_total{package="0",domain="1",part="modules"} 5.2 | ! *CDYN*
metrics: the value of a label is escaped | : a moving; discovery 0;
	printf 'a"b\\c\nd\n' >"$class/pkg0-uncore0/platform" | 0 metrics |
	: grep -qxF "openpmon_info{version=\"$version\",platform=\"a\\\"b\\\\c\\nd\"} 1" "$tmp/out"
metrics: ports, of CXL devices and of the host | : a moving; cxl_pmu 71 cxl_pmu_port_0000_c0_00_0.0 16384;
	box uncore_cxlcm_2 82 0,8 'rxc_pack_buf_inserts.mem_data=41*0.25';
	printf '82 41 %s\n' '0 4' '8 8' >>"$root/counts" | 0 metrics --for 4 |
	openpmon_cxl_port_read_bytes_total{pmu="cxl_pmu_port_0000_c0_00_0.0"} 4194304000 |
	openpmon_cxl_host_read_bytes_total{pmu="uncore_cxlcm_2",package="1"} 8388608000 | ! openpmon_cxl_host_written*
metrics: each module | : a limited | 0 metrics --modules --for 2 |
	openpmon_limited_seconds_total{package="0",domain="1",part="core2",reason="POWER"} 2.5 |
	openpmon_limited_times_total{package="0",domain="1",part="core3",reason="POWER"} 1 |
	openpmon_limited_seconds_total{package="0",domain="1",part="modules",reason="POWER"} 3.75
metrics: an older driver does not count how often | : a limited;
	sed -i "s/ [0-9]'/'/g" "$root/sbin/pause" "$class"/pkg0-dom1/plr/*/time_in_reason |
	0 metrics --for 2 | *part="modules",reason="POWER"} 3.75 | ! *_times_*
metrics: what was not read in this time has no time to divide by | : a six | 1 metrics |
	openpmon_limited_seconds_total{package="0",domain="0",part="modules",reason="FREQUENCY"} 0 |
	openpmon_reason_observed_seconds_total{package="0",domain="0",part="modules",reason="FREQUENCY"} 0 |
	! *unknown_boxes*
# Modules of a die have 50 series: watched, observed, 3 each of ten coarse reasons and of six fine
# ones that alerts name; here also 3 of CDYN0. The die has 7: observed, 3 of FREQUENCY, 3 of THERMAL.
metrics: a host with 258 modules has six sets of series | : a read_again | 1 metrics |
	: [ "$(series)" = $((6 * (50 + 3 + 7))) ]
metrics: and with --modules each | : a read_again | 1 metrics --modules | : [ "$(series)" -gt 1000 ]
metrics: power of a package as far as it can be read | : a limited | 0 metrics |
	openpmon_package_energy_joules_total{package="0"} 2.5 |
	openpmon_package_power_limit_watts{package="0",limit="long_term"} 350 | ! *short_term*
metrics: limits take no rights | : sed -i 's/[0-9]*$/EACCES/' "$root/counts" | 1 metrics --for 2 |
	- counting needs root | openpmon_limited_seconds_total{package="0",*reason="POWER"} * |
	! openpmon_memory*
# After a reload of the driver its times begin at 0; totals must not decrease.
metrics: a time that begins anew |
	: put pkg0-dom1/plr/core2/time_in_reason 'POWER 5000 2 -';
	put pkg0-dom1/plr/core3/time_in_reason 'POWER 2250 2 -';
	sed -i 's/3500/250/' "$root/sbin/pause" | 1 metrics --for 2 |
	*part="modules",reason="POWER"} 0.25
metrics: what is on record when a device comes was before the start |
	: rm "$class"/pkg0-dom1/plr/core[23]/time_in_reason | 1 metrics --for 2 |
	*part="modules",reason="POWER"} 0
# The module has been limited for three years.
metrics: a time is in milliseconds, however long it is | : a limited;
	sed -i 's/POWER 3500/POWER 99000003500/' "$root/sbin/pause" | 0 metrics --modules --for 2 |
	*part="core2",reason="POWER"} 99000002.5
END

# pause_does SECONDS [CODE]: make a sbin/pause that copies pmon.prom, lists the written files,
# counts open events, runs CODE, and ends pmonctl after SECONDS
pause_does() {
	files=$tmp/written
	kept=$tmp/kept
	rm -rf "$files" "$kept"
	mkdir "$files" "$kept"
	passing "${1}000" <<-END
	files='$files' kept='$kept'
	[ ! -e "\$files/pmon.prom" ] || cp "\$files/pmon.prom" "\$kept/\$from"
	find "\$files" -type f -printf "\$from %i %m %f\n" >>"\$kept/names"
	ls -l "/proc/\$PPID/fd" | grep -c "\$root/counts$" >>"\$kept/open"
	${2-}
	END
}
# gained SERIES FROM TO: print by how many MiB a series grew from the file at FROM s to that at TO s
gained() {
	awk -v name="$1" '$1 == name { v[FILENAME] = $2; f[n++] = FILENAME }
		END { printf "%.3f\n", (v[f[1]] - v[f[0]]) / 1048576 }' \
		"$kept/${2}000" "$kept/${3}000"
}
# even SERIES...: does each series grow evenly, within 1 %, in all intervals of 15 s?
even() {
	for series; do
		for second in 15 30 45; do
			gained "$series" $second $((second + 15))
		done | sort -n | sed -n '1p; $p' | paste -s
	done | awk '{ bad = bad || !$1 || $2 > $1 * 1.01 } END { exit bad || NR != 3 }'
}
# energies: print the energy in the files at 4, 8, 12 and 16 s
energies() {
	(cd "$kept" && sed -n 's/^openpmon_package_energy.* //p' 4000 8000 12000 16000 | paste -sd' ')
}
# whole: does a new, complete pmon.prom replace the last every 4 s, and is there no other file?
whole() {
	awk '$1 < 4000 || $3 != 644 || $4 != "pmon.prom" || at[$1]++ { bad = 1 }
		$2 != last { new++ }
		{ last = $2 }
		END { exit bad || new != 4 }' "$kept/names" &&
		[ "$(cd "$kept" && tail -qn 1 4000 8000 12000 16000 | grep -c ^openpmon_)" = 4 ]
}

# comes_later: make modules in two packages; in the first one more comes at 5 s, and is limited from
# 13 to 15 s
comes_later() {
	domain 0 1 0-1
	core 0 1 2 0 none
	domain 1 1 8
	core 1 1 3 8 none
	box plr 80 0,8
	printf '80 40 %s 0\n' 0 8 >>"$root/counts"
	put gapless/80 1
	pause_does 17 '
		cd "$class"
		[ "$to" -lt 5000 ] || mkdir -p pkg0-dom1/plr/core7
		for part in pkg?-dom1/plr/die pkg?-dom1/plr/core?; do
			echo "observed $to 2 1 0" >$part/time_in_reason
		done
		power=$((to < 13000 ? 0 : to < 15000 ? to - 13000 : 2000))
		[ "$to" -lt 5000 ] || echo "POWER $power 2 - 1" >>pkg0-dom1/plr/core7/time_in_reason'
}

rows <<'END'
# PCIe devices write 250 MiB/s, and 1000 MiB/s from 6 s on.
metrics: --file, until a signal comes, with one event of a box at a time | : a moving;
	for type in 20 30 50 70; do put counters/$type 1; done;
	recount 60 20 0 1 3 6000; pause_does 17; umask 077 |
	0 metrics --file "$files/pmon.prom" -i 4 | : umask 022; silent | ! *
metrics: what a file has more than the one before is what was moved since |
	: [ "$(gained "$iio" 4 8)" = 2500.000 ] && [ "$(gained "$iio" 8 12)" = 4000.000 ] |
	: [ "$(gained "$memory" 8 12)" = 56000.000 ] && [ "$(gained "$memory" 12 16)" = 56000.000 ]
metrics: the first file, too, has all of its time | : cp "$kept/4000" "$tmp/out";
	has "$memory $((4 * 14000 * mib))" "$cxl $((4 * 1000 * mib))" "$iio $((4 * 250 * mib))"
	"openpmon_memory_written_bytes_total{package=\"1\"} $((4 * 4000 * mib))"
	"openpmon_upi_sent_bytes_total{package=\"0\"} $((4 * 10000 * mib))"
metrics: and says over how long | : grep -qx 'openpmon_measured_seconds_total 4.000' "$kept/4000" |
	: grep -qx 'openpmon_measured_seconds_total 16.000' "$kept/16000"
metrics: each file comes whole in the place of the last, and goes at the end | : whole |
	: [ ! -e "$files/pmon.prom" ]
metrics: no more events are opened than there were at first |
	: uniq -c "$kept/open" >"$tmp/out"; has '34 24'
# From 4 to 8 s, the time of the second file, two turns of half a second fail. pmonctl enables the
# clock's event again after 1, 2, 4 and 8 failed reads, so the clock misses 4.25 to 8 s.
metrics: nor has a file what was missed before it | : a ends_in 4250 6250; pause_does 17 |
	0 metrics --file "$files/pmon.prom" -i 4 | : silent; cp "$kept/16000" "$tmp/out";
	has "$unknown 0" "$memory $(((16 * 12000 + 12 * 2000) * mib))" "$cycles 24500000000"
metrics: --file stays after the time that was asked for, also of less than an interval | : a moving |
	0 metrics --file "$files/pmon.prom" % --for 3 | : cp "$files/pmon.prom" "$tmp/out" && rm "$files/pmon.prom" |
	openpmon_measured_seconds_total 3.000
% '-i 1' '-i 2' ' '
# The default interval of 15 s has 15 turns, which two or four events of a box share unevenly.
metrics: --file has what is moved evenly within 1 % | : a moving; pause_does 75 |
	0 metrics --file "$files/pmon.prom" | : silent |
	: even "$memory" 'openpmon_upi_sent_bytes_total{package="0"}' "$iio"
metrics: three counters of a device at a time, no more | : a moving latency; put counters/70 3;
	pause_does 17 | 0 metrics --file "$files/pmon.prom" -i 4 | : silent
# One event of the domain watches the modules. If it cannot be opened at first, pmonctl tries again
# until modules have values.
metrics: --file opens the event of a domain again, before it closes the last |
	: a moving; domain 0 1 0-1; core 0 1 2 0-1 POWER; core 0 1 3 0-1 POWER;
	box plr 80 0; echo 80 40 0 EBUSY >>"$root/counts"; put gapless/80 1;
	pause_does 17 'counts=$(sed "s/ EBUSY$/ 0/" "$root/counts");
		[ "$from" != 4000 ] || echo "$counts" >"$root/counts"' |
	0 metrics --file "$files/pmon.prom" -i 4 | : silent && uniq -c "$kept/open" >"$tmp/out"
> 16 24
> 18 25
metrics: --file has a module that comes later | : a moving; comes_later |
	0 metrics --file "$files/pmon.prom" -i 4 | : silent && cp "$kept/16000" "$tmp/out" |
	openpmon_watched_modules{package="0",domain="1"} 2 | openpmon_watched_modules{package="1",domain="1"} 1 |
	openpmon_limited_seconds_total{package="0",domain="1",part="modules",reason="POWER"} 2
# The energy count wraps at 1000 J. It is 950 J in the first file, and gains 400 J every 4 s.
metrics: energy goes on where its count begins anew | : a limited; pause_does 17 '
		echo $(((550 + to / 10) % 1000))000000 >"$root/sys/class/powercap/intel-rapl:0/energy_uj"';
	put sys/class/powercap/intel-rapl:0/max_energy_range_uj 1000000000 |
	0 metrics --file "$files/pmon.prom" -i 4 | : [ "$(energies)" = '950 1350 1750 2150' ]
metrics: energy of an interval longer than its count lasts | : a limited; pause_does 17 '
		echo $(((550 + to * 2875 / 10000) % 1000))000000 >"$root/sys/class/powercap/intel-rapl:0/energy_uj"';
	put sys/class/powercap/intel-rapl:0/max_energy_range_uj 1000000000 |
	0 metrics --file "$files/pmon.prom" -i 4 | : [ "$(energies)" = '700 1850 3000 4150' ]
# A package without online CPUs has no zone of intel_rapl. When the zone is back, its count goes on.
metrics: energy does not go back where its zone was away | : a limited; pause_does 17 '
		zone=$root/sys/class/powercap/intel-rapl:0;
		[ "$from" != 9000 ] || mv "$zone" "$kept/zone";
		[ "$from" != 13000 ] || mv "$kept/zone" "$zone";
		[ ! -e "$zone" ] || echo $(((550 + to / 10) % 1000))000000 >"$zone/energy_uj"';
	put sys/class/powercap/intel-rapl:0/max_energy_range_uj 1000000000 |
	0 metrics --file "$files/pmon.prom" -i 4 | : [ "$(energies)" = '950 1350 2150' ]
# At 9 s a reset lowers the count. A wrap instead would mean 262 kJ in half a second.
metrics: energy of a count that was reset | : a limited; pause_does 17 '
		echo $((550 + to / 10 - (to < 9000 ? 0 : 1000)))000000 >"$root/sys/class/powercap/intel-rapl:0/energy_uj"';
	put sys/class/powercap/intel-rapl:0/max_energy_range_uj 262143328850 |
	0 metrics --file "$files/pmon.prom" -i 4 | : [ "$(energies)" = '950 1350 1700 2100' ]
# pmonctl writes into the directory that it found at its start, and replaces only regular files.
metrics: --file stays in its directory, wherever that goes | : a moving;
	pause_does 10 '[ "$from" != 4000 ] || { mv "$files" "$kept/moved" && mkdir "$files"; };
		[ ! -e "$kept/moved/pmon.prom" ] || cp "$kept/moved/pmon.prom" "$kept/there"' |
	0 metrics --file "$files/pmon.prom" -i 4 | : silent |
	: [ -z "$(ls -A "$files")$(ls -A "$kept/moved")" ] |
	: grep -q '^openpmon_measured_seconds_total 8.000$' "$kept/there"
metrics: --file makes no directory | : rm -r "$files" |
	2 metrics --file "$files/pmon.prom" -i 4 | - pmon.prom: No such file or directory
END
