#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run openpmon-report over pmonctl's output on an emulated server: all sections have
# data, and a browser shows the page. REPORT_PICTURE=FILE keeps the screenshot.
# kernels: 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

in_vm gnr-2s --kernel 6.12 --machine gnr-2s <<'SCRIPT'
echo 'plr 0/0/3 0x008004000000000c 0 600000000000' | hw plr schedule -
echo "# host $(uname -r) $(nproc)"
for command in list 'bw -i 1 -n 12' plr doctor; do
	pmonctl --json $command >/root/said
	status=$?
	sed "s/^/# json ${command%% *} /" /root/said
	echo "# json-status ${command%% *} $status"
	[ "$status" = 0 ] || [ "$command $status" = 'doctor 1' ]
	is $? 0 "pmonctl --json $command succeeds"
done
SCRIPT

# The report needs python3 and so runs on the host: this pmonctl prints the guest's output.
cat >"$TMP/pmonctl" <<'END'
#!/bin/bash
sed -n "s/^# json $2 //p" "${0%/*}/out"
exit "$(sed -n "s/^# json-status $2 //p" "${0%/*}/out")"
END
chmod +x "$TMP/pmonctl"
# Replace this machine's kernel release and number of CPUs by the guest's.
read -r kernel cpus < <(sed -n 's/^# host //p' "$TMP/out")
mkdir "$TMP/site"
cat >"$TMP/site/sitecustomize.py" <<END
import os, platform
os.cpu_count = lambda: $cpus
platform.release = lambda: "$kernel"
END
env PMONCTL="$TMP/pmonctl" PYTHONPATH="$TMP/site" \
	"$ROOT/tools/metrics/openpmon-report" \
	-o "$TMP/host.html" -t 12 --name 'gnr-2s (emulated)' 2>"$TMP/said"
is $? "$(sed -n 's/^# json-status doctor //p' "$TMP/out")" \
	"openpmon-report exits with doctor's status: $(cat "$TMP/said")"
page=$(cat "$TMP/host.html")
for part in '<h3>Memory, GB/s' '<h3>UPI, GB/s' '<h3>PCIe, GB/s' '<td>0/0/core3</td>' \
	'<td>package power limit 1' '<td>imc</td><td>0-11</td><td>12</td>' \
	"Platform gnr, Linux $kernel, 24 CPUs"; do
	case $page in *"$part"*) ok "the report has $part" ;; *) not_ok "the report has $part" ;; esac
done
is "$(grep -c 'read: ?' <<<"$page")" 0 'every mean of the report has a number'
size=$(wc -c <"$TMP/host.html")
runs "the report is smaller than 200000 bytes ($size)" test "$size" -lt 200000

timeout 300 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
	--user-data-dir="$TMP/profile" --window-size=900,1240 --screenshot="$TMP/page.png" \
	"file://$TMP/host.html" >"$TMP/chromium" 2>&1
is $? 0 'chromium opens the report' || note "$(tail -n 5 "$TMP/chromium")"
runs 'chromium draws the report' test "$(wc -c <"$TMP/page.png")" -gt 20000
[ -z "${REPORT_PICTURE-}" ] || cp "$TMP/page.png" "$REPORT_PICTURE"
finish
