#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test `pmonctl metrics`: rates equal perf's, one counter of a box is used and the others
# stay free, and the file is replaced as a whole. A device that returns is watched again and
# not counted twice. Modules are still watched when the CPUs of one are offline. Debian's
# promtool and node exporter accept the file, the rules work, and the dashboard queries
# existing metrics.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k gnr-2s" --kernel "$k" --machine gnr-2s <<-'S'
	. /lib/test/plr.sh

	# value NAME: print a series as a whole number; rate NAME: print its rate per second
	value() {
		awk -v name="$1" '$1 == name { printf "%.0f\n", $2 }' /tmp/metrics
	}
	rate() {
		awk -v name="$1" '$1 == "openpmon_measured_seconds_total" { s = $2 }
			$1 == name { v = $2 } END { printf "%.0f\n", v / s }' /tmp/metrics
	}
	# modules_watched: print the number of watched modules in both dies of package 0
	modules_watched() {
		awk '/^openpmon_watched_modules.package="0",/ { n += $2 } END { print n + 0 }' /tmp/metrics
	}
	# near A B: check that A is within a twentieth of B. A busy host stops clocks and
	# counters at different times.
	near() {
		awk -v a="$1" -v b="$2" 'BEGIN { exit !(b > 0 && a > b * 0.95 && a < b * 1.05) }' ||
			{ echo "$1, not $2"; false; }
	}
	# perf_rate EVENTS: print perf's counts in package 0 per second of running time,
	# summed over the boxes
	perf_rate() {
		perf6.12 stat -x'|' -a --per-socket -e "$1" sleep 2 2>&1 >/dev/null |
			awk -F'|' '$1 == "S0" { sum += $3 / ($6 / 1e9) } END { printf "%.0f\n", sum }'
	}
	events=
	for pmu in /sys/bus/event_source/devices/uncore_imc_[0-9]*; do
		for half in 0 1; do
			events=$events,${pmu##*/}/event=0x0$((5 + half)),umask=0xcf/
		done
	done

	modprobe -q intel_rapl_tpmi
	echo 'plr 0/0/3 0x0000040000000004 0 600000000000' >/root/schedule
	hw plr schedule /root/schedule
	exits 0 'pmonctl metrics --for 4 succeeds' pmonctl metrics --for 4
	echo "$out" >/tmp/metrics
	sed 's/^/# prom /' /tmp/metrics
	runs "memory read bytes per second equal perf's rate" near \
		"$(rate 'openpmon_memory_read_bytes_total{package="0"}')" \
		$(($(perf_rate "${events#,}") * 64))
	runs "uncore cycles per second equal perf's rate" near \
		"$(rate 'openpmon_uncore_cycles_total{package="0"}')" \
		$(perf_rate uncore_cha_0/clockticks/)
	# POWER is in force at each poll, every tenth of a second.
	modules='package="0",domain="0",part="modules"'
	sed -i "/{$modules/s/\$/e3/" /tmp/metrics
	limited=$(rate "openpmon_limited_seconds_total{$modules,reason=\"POWER\"}")
	runs "a module with POWER in force is limited for at least 850 ms/s ($limited)" [ "$limited" -ge 850 ]
	runs 'a module with POWER in force is limited for at most 1150 ms/s' [ "$limited" -le 1150 ]
	times=$(rate "openpmon_limited_times_total{$modules,reason=\"POWER\"}")
	runs \
		"POWER in force all the time began once ($times times in 1000 s)" [ "$times" -gt 0 -a "$times" -le 300 ]
	is "$(grep -c 'limited.*package="1".* [^0]' /tmp/metrics)" 0 \
		'all series of limits of a package without limits are 0'
	is "$(modules_watched)" 6 'metrics watches all six modules of package 0'

	# pmonctl metrics writes its file; three events of other users still have counters.
	mkdir /root/files
	pmonctl metrics --file /root/files/openpmon.prom -i 1 2>/tmp/err &
	daemon=$!
	becomes '[ -e /root/files/openpmon.prom ]'
	runs 'metrics --file writes its file' grep -q '^openpmon_info' /root/files/openpmon.prom
	perf6.12 stat -x, -C 0 -e '{uncore_imc_0/event=1/,uncore_imc_0/event=2/,uncore_imc_0/event=3/}' \
		sleep 3 >/dev/null 2>/tmp/perf
	is "$(awk -F, '$5 != "100.00"' /tmp/perf | grep -c uncore)" 0 \
		'three events of others keep counters beside metrics' || cat /tmp/perf
	before=$(sed -n 's/^openpmon_memory_read.*"0"} //p' /root/files/openpmon.prom)
	sleep 3
	after=$(sed -n 's/^openpmon_memory_read.*"0"} //p' /root/files/openpmon.prom)
	runs \
		'memory bytes in the file grow while others count' awk -v a="$before" -v b="$after" 'BEGIN { exit !(b > a) }'
	is "$(ls /root/files)" openpmon.prom 'metrics leaves no temporary file beside its file'
	is "$(ls -l /root/files/openpmon.prom | cut -c1-10)" -rw-r--r-- 'the file of metrics has mode 644'
	kill $daemon
	wait $daemon
	is $? 0 'metrics exits with 0 after a signal'
	is "$(ls -A /root/files)" '' 'metrics removes its file at its end'
	is "$(cat /tmp/err)" '' 'metrics --file prints nothing on standard error'

	# watched: wait until all modules of package 0 are watched
	watched() {
		rm -f /tmp/metrics
		for _ in $(seq 100); do
			cp /root/files/openpmon.prom /tmp/metrics 2>/dev/null
			[ "$(modules_watched 2>/dev/null)" != 6 ] || return 0
			sleep 0.1
		done
		echo "$(modules_watched) modules"
		false
	}
	pmonctl metrics --file /root/files/openpmon.prom -i 1 &
	daemon=$!
	watched
	vsec=/sys/bus/pci/drivers/intel_vsec
	function=$(cd $vsec && ls -d 0000:* | head -n 1)
	echo $function >$vsec/unbind
	sleep 2.5
	echo $function >$vsec/bind
	runs 'modules of a device that returns are watched again' watched
	sleep 1.5
	runs 'modules of a device that returned are still watched 1.5 s later' watched
	limited=$(value "openpmon_limited_seconds_total{$modules,reason=\"POWER\"}")
	all=$(value openpmon_measured_seconds_total)
	runs "limited time of a device that returned is not counted twice ($limited of $all s)" \
		[ "$limited" -ge 2 -a "$limited" -le "$all" ]
	echo 0 >$CPUS/cpu8/online
	echo 0 >$CPUS/cpu9/online
	sleep 2.5
	runs 'metrics watches six modules while CPUs of one module are offline' watched
	kill $daemon
	S
	sed -n 's/^# prom //p' "$TMP/out" >"$TMP/openpmon.prom"
done

bin=$("$ROOT/selftests/lib/build/prometheus")/usr/bin
series=$(grep -c '^openpmon_' "$TMP/openpmon.prom")
runs "metrics of two packages with four dies have 200 to 300 series ($series)" \
	test "$series" -gt 200 -a "$series" -lt 300
is "$("$bin/promtool" check metrics <"$TMP/openpmon.prom" 2>&1)" '' \
	'promtool check metrics accepts the file'
runs 'promtool check rules accepts the rules' "$bin/promtool" check rules "$ROOT/tools/metrics/openpmon-rules.yml"
cp "$ROOT"/tools/metrics/*.yml "$TMP"
(cd "$TMP" && "$bin/promtool" test rules rules-test.yml) >"$TMP/log" 2>&1
is $? 0 'promtool test rules passes'
note "$(tail -n 20 "$TMP/log")"

# Dashboard queries are valid and name existing metrics (except CXL's, and power's on 6.1).
lacks=cxl_
[ "$k" != 6.1 ] || lacks='cxl_\|package_power'
/usr/bin/python3 - "$ROOT/tools/metrics/openpmon-dashboard.json" "$TMP/asked.yml" <<-'END'
	import json, sys
	exprs = [t["expr"] for p in json.load(open(sys.argv[1]))["panels"] for t in p["targets"]]
	rules = [{"record": f"r{i}", "expr": e.replace("$__rate_interval", "1m")
	          .replace("$instance", ".*")} for i, e in enumerate(exprs)]
	json.dump({"groups": [{"name": "d", "rules": rules}]}, open(sys.argv[2], "w"))
	END
runs "the dashboard's expressions are valid PromQL" "$bin/promtool" check rules "$TMP/asked.yml"
cat "$TMP/asked.yml" "$ROOT/tools/metrics/openpmon-rules.yml" |
	grep -oE 'openpmon_[a-z_]+' | grep -v "$lacks" | sort -u >"$TMP/asked"
grep -oE '^openpmon_[a-z_]+' "$TMP/openpmon.prom" | sort -u >"$TMP/said"
is "$(comm -23 "$TMP/asked" "$TMP/said")" '' 'every series of dashboard and rules exists in metrics'

port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir "$TMP/textfile"
cp "$TMP/openpmon.prom" "$TMP/textfile"
"$bin/prometheus-node-exporter" --web.listen-address="127.0.0.1:$port" \
	--collector.disable-defaults --collector.textfile \
	--collector.textfile.directory="$TMP/textfile" 2>"$TMP/exporter" &
exporter=$!
for _ in $(seq 50); do
	/usr/bin/python3 -c 'import sys, urllib.request as u
sys.stdout.write(u.urlopen("http://127.0.0.1:%s/metrics" % sys.argv[1]).read().decode())' \
		"$port" >"$TMP/served" 2>/dev/null && break
	sleep 0.2
done
kill $exporter
is "$(grep -c '^openpmon_' "$TMP/served")" "$series" 'the node exporter serves every series of the file'
note "$(tail -n 2 "$TMP/exporter")"
is "$(sed -n 's/^node_textfile_scrape_error //p' "$TMP/served")" 0 'the node exporter has no scrape error'
finish
