#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# metrics: start openpmon-metrics.service, check that Debian's node exporter serves the
# series of the service, and leave the service running.
. "$(dirname "$0")/common.sh"

dir=/var/lib/prometheus/node-exporter
file=$dir/openpmon.prom
# Without the directory the service fails, and is not tried again.
rm -rf $dir
systemctl start openpmon-metrics.service
for _ in $(seq 100); do
	! systemctl -q is-failed openpmon-metrics.service || break
	sleep 1
done
is "$(for property in Result ExecMainStatus NRestarts; do
	systemctl show -P $property openpmon-metrics.service
done | xargs)" \
	'exit-code 64 0' 'the metrics service fails with 64 where its directory is missing'
systemctl -q enable openpmon-metrics.service
like "$(pmonctl doctor)" 'openpmon-metrics.service is enabled, but does not run' \
	'doctor finds the failed metrics service'
systemctl -q disable openpmon-metrics.service
systemctl reset-failed openpmon-metrics.service
# The journal has a warning of that failure, and needs no other.
warnings | grep '^openpmon-metrics' | sort -u -o $kept/warnings - $kept/warnings
mkdir -p $dir
runs 'the service' systemctl start openpmon-metrics.service
: >/run/watched
for _ in $(seq 200); do
	! grep -qs '^openpmon_info' $file || break
	sleep 1
done
like "$(cat $file)" '^openpmon_memory_read_bytes_total\{package="0"\} [1-9]' \
	'memory that is read'
read_by_all openpmon.prom $file
/t/prometheus-node-exporter --web.listen-address=127.0.0.1:9100 \
	--collector.disable-defaults --collector.textfile \
	--collector.textfile.directory=$dir 2>/run/exporter.err &
exporter=$!
for _ in $(seq 200); do
	# shellcheck disable=SC2016 # that shell's
	bash -c 'exec 3<>/dev/tcp/127.0.0.1/9100 &&
		printf "GET /metrics HTTP/1.0\r\n\r\n" >&3 && cat <&3' \
		>/run/served 2>/dev/null && break
	sleep 1
done
kill $exporter
is "$(grep -c '^openpmon_' /run/served)" "$(grep -c '^openpmon_' "$file")" \
	'the node exporter serves all series'
is "$(sed -n 's/^node_textfile_scrape_error \([0-9]*\).*/\1/p' /run/served)" 0 \
	'and has no objection'
note "$(tail -n 2 /run/exporter.err)"
is "$(systemctl show -P NRestarts openpmon-metrics.service)" 0 'it was started once'
healthy
finish
