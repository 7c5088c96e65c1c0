#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# openpmon-report over what pmonctl prints on an emulated server: all sections have data,
# and a browser shows the page. REPORT_PICTURE=FILE keeps the screenshot.
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
	is $? 0 "pmonctl --json $command"
done
SCRIPT

# The same pmonctl for the report, which needs python3.
cat >"$TMP/pmonctl" <<'END'
#!/bin/bash
sed -n "s/^# json $2 //p" "${0%/*}/out"
exit "$(sed -n "s/^# json-status $2 //p" "${0%/*}/out")"
END
chmod +x "$TMP/pmonctl"
# And its kernel and CPUs for those of this machine.
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
is $? "$(sed -n 's/^# json-status doctor //p' "$TMP/out")" "the report, with doctor's status: $(cat "$TMP/said")"
page=$(cat "$TMP/host.html")
for part in '<h3>Memory, GB/s' '<h3>UPI, GB/s' '<h3>PCIe, GB/s' '<td>0/0/core3</td>' \
	'<td>package power limit 1' '<td>imc</td><td>0-11</td><td>12</td>' \
	"Platform gnr, Linux $kernel, 24 CPUs"; do
	case $page in *"$part"*) ok "it has $part" ;; *) not_ok "it has $part" ;; esac
done
is "$(grep -c 'read: ?' <<<"$page")" 0 'each mean is known'
size=$(wc -c <"$TMP/host.html")
runs "of $size bytes" test "$size" -lt 200000

# colours PNG: those of a picture's lines and text that are in it (8 bits, no interlace)
colours() {
	/usr/bin/python3 - "$1" <<-'END'
		import struct, sys, zlib
		data = open(sys.argv[1], "rb").read()
		at, head, body = 8, None, b""
		while at < len(data):
		    size, kind = struct.unpack(">I4s", data[at:at + 8])
		    head = data[at + 8:at + 8 + size] if kind == b"IHDR" else head
		    body += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
		    at += size + 12
		wide, high, _, kind = struct.unpack(">IIBB", head[:10])
		deep = {2: 3, 6: 4}[kind]
		raw, line, seen = zlib.decompress(body), bytearray(wide * deep), set()
		for y in range(high):
		    row = raw[y * (wide * deep + 1):(y + 1) * (wide * deep + 1)]
		    new = bytearray(row[1:])
		    for i in range(len(new)):
		        a = new[i - deep] if i >= deep else 0
		        b, c = line[i], line[i - deep] if i >= deep else 0
		        p = a + b - c
		        new[i] = (new[i] + [0, a, b, (a + b) // 2, min(
		            (a, b, c), key=lambda v: abs(p - v))][row[0]]) % 256
		    line = new
		    seen |= {bytes(new[i:i + 3]).hex() for i in range(0, len(new), deep)}
		print(*sorted(seen & {"ffffff", "1c2128", "d5dbe1", "0b6e99", "c2410c"}))
		END
}
timeout 300 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
	--user-data-dir="$TMP/profile" --window-size=900,1240 --screenshot="$TMP/page.png" \
	"file://$TMP/host.html" >"$TMP/chromium" 2>&1
is $? 0 'chromium opens it' || note "$(tail -n 5 "$TMP/chromium")"
is "$(colours "$TMP/page.png")" '0b6e99 1c2128 c2410c d5dbe1 ffffff' \
	'and shows text, axes and a line of each socket'
[ -z "${REPORT_PICTURE-}" ] || cp "$TMP/page.png" "$REPORT_PICTURE"
finish
