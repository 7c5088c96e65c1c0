#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The documents' code blocks with perf or pmonctl work unchanged, each on its page's machine
# (lib/blocks.py). A short run tries one block of each page on gnr-2s. Commands that would
# not end are ended after some seconds.
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

is "$(/usr/bin/python3 "$CASES/lib/blocks.py")" '' 'every page with perf or pmonctl has a machine'
jq=$(type -P jq) || { not_ok 'jq is installed by tools/setup'; finish; exit; }
mkdir "$TMP/lib"
ldd "$jq" | grep -oE '/[^ ]*lib(jq|onig)[^ ]*' | xargs cp -L -t "$TMP/lib"
libs=("$TMP/lib"/*)

machines="gnr-2s spr-2s ivt-2s ptl-1s"
[ -z "$short" ] || machines=gnr-2s
for machine in $machines; do
	mkdir "$TMP/$machine"
	/usr/bin/python3 "$CASES/lib/blocks.py" "$machine" "$TMP/$machine" ${short:+first}
	blocks=("$TMP/$machine"/*)
	copies=()
	# intel_uncore of Xeon E5 writes registers that do not exist.
	[ "$machine" != ivt-2s ] || copies+=(--allow-illegal)
	for f in "$jq" "${libs[@]}" "${blocks[@]}"; do copies+=(--copy "$f"); done
	in_vm "$machine" --kernel 6.12 --machine "$machine" --drivers both --timeout 900 \
		"${copies[@]}" <<'SCRIPT'
cd /root
mkdir bin
# This wrapper of perf and pmonctl writes each run's status and output to files.
cat >bin/pmonctl <<'EOS'
#!/bin/sh
name=${0##*/}
# perf prints counts at INT; pmonctl in the background of a shell ignores INT.
signal=TERM
[ "$name" != perf ] || { name=perf6.12; signal=INT; }
status=0
timeout -s $signal 8 env PATH="${PATH#/root/bin:}" $name "$@" >/root/out.$$ 2>/root/err.$$ || status=$?
cat /root/out.$$
cat /root/err.$$ >&2
end=
case "$*" in *-I\ * | *--watch* | *--for\ 10m* | *-n\ *) end=1 ;; esac
# A command that the time limit ended is no fault. Neither is the status for a host that
# has a problem or no limits, or whose limits are driven by the kernel's driver.
[ -z "$end" ] || case $status in 124 | 130 | 137 | 143) status=0 ;; esac
case "$status $*" in 1\ *doctor* | 1\  | 77\ *plr* | 2\ plr) status=0 ;; esac
echo "$status ${0##*/} $*" >>/root/ran
exit $status
EOS
printf '#!/bin/sh\nexec /bin/busybox sleep 1\n' >bin/sleep
printf '#!/bin/sh\nLD_LIBRARY_PATH=/root exec /root/jq "$@"\n' >bin/jq
printf '#!/bin/sh\nexec "$@"\n' >bin/nohup
printf '#!/bin/sh\nsleep 1\n' >job
ln -s pmonctl bin/perf
chmod +x bin/* jq job
export PATH=/root/bin:$PATH
# On a real host a block's background command has written this file before the next reads it.
mkdir -p /var/log
: >/var/log/limits
modprobe -a pmon_uncore pmon_r2pcie pmon_plr 2>/dev/null
modprobe intel_uncore 2>/dev/null
# Pages about adopting begin with the kernel's drivers, the others with ours.
ours() {
	for area in uncore r2pcie plr; do
		/sbin/pmonctl adopt $area >adopted 2>&1
		case $? in 0 | 77) ;; *) note "$(cat adopted)" ;; esac
	done
}
theirs() { /sbin/pmonctl release >/dev/null 2>&1; }
for block in *.[0-9][0-9][0-9]; do
	case $block in adopt* | README* | r2pcie*) theirs ;; *) ours ;; esac
	rm -f ran out.* err.*
	status=0
	timeout 120 sh -e "./$block" >said 2>&1 || status=$?
	bad=$(grep -v '^0 ' ran)
	lost=$(grep -hE '<not (counted|supported)>|syntax error' out.* err.*)
	[ "$status" = 0 ] && [ -s ran ] && [ -n "$(cat said out.* err.*)" ] && [ -z "$bad$lost" ]
	is $? 0 "$block: $(grep -c . ran) commands succeed and count"
	[ "$status" = 0 ] && [ -z "$bad$lost" ] || note "status $status
$bad
$(cat "$block" said)"
done
SCRIPT
done
finish
