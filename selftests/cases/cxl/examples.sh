#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run the examples of cxl.rst, which use every term. All must count on the emulated device.
# The check in cxl.rst detects a device that compares events with the threshold and adds none up.
# `pmonctl bw` shows no latency of such a device, but shows latencies of one that adds up.
# `pmonctl list` lists monitors of hot ranges (CHMUs) as not served; they are not accessed.
# kernels: 6.1 6.12 newest
# check: none
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# Make a script of each block of the document that counts something of mem0.
/usr/bin/python3 - "$ROOT/Documentation/admin-guide/cxl.rst" "$TMP" <<'PY'
import pathlib, re, sys
text, to = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
blocks = re.findall(r'::\n\n((?:    .*\n)+)', text)
blocks = [b for b in blocks if "perf stat" in b and "cxl_pmu_mem" in b]
for n, block in enumerate(blocks, 1):
    (to / f"example.{n:02}").write_text(re.sub("^    ", "", block, flags=re.M))
terms = set(re.findall(r'^``(\w+)``', text.split("Terms\n")[1].split("Events by")[0], re.M))
terms |= set(re.findall(r'``(\w+)``', " ".join(
    line[:27] for line in text.split("Terms\n")[1].split("Events by")[0].splitlines()
    if line.startswith("``"))))
used = set(re.findall(r'[,/](\w+)=', "".join(blocks)))
(to / "terms").write_text(" ".join(sorted(terms)) + "\n")
(to / "unused").write_text(" ".join(sorted(terms - used)) + "\n")
PY
is "$(cat "$TMP/terms")" \
	'crb crb_filter_en edge gid hdm hdm_filter_en invert mask snapshot threshold vid' \
	'cxl.rst has a table of all terms'
is "$(cat "$TMP/unused")" '' 'cxl.rst has an example of each term'
examples=("$TMP"/example.*)
is "$((${#examples[@]} >= 8))" 1 "cxl.rst has at least eight examples (${#examples[@]})"

# A third CPMU makes room in the BAR for the two monitors of hot ranges.
monitors=$(machine cxl-1s '
d = m["cxl"][0]
d["cpmu"].append(dict(counters=4, filters=0,
                      capabilities=[dict(group="0x20", mask="0xffff")]))
d["entries"] = ["0x30505", "0x40505"]')
for k in $KERNELS; do
	copies=()
	for f in "${examples[@]}"; do copies+=(--copy "$f"); done
	in_vm "$k" --kernel "$k" --machine "$monitors" --drivers none \
		--program cxlmem "${copies[@]}" <<'SCRIPT'
P=cxl_pmu_mem0
modprobe cxl_pci
hw illegal reset
modprobe pmon_cxl

# ---- monitors of hot ranges
pmonctl list >list
like "$(cat list)" '^mem0 +[^ ]+ +[^ ]+ +[0-9]+ +- +- +nobody +hot ranges \(2 CHMU\)$' \
	'pmonctl list shows two CHMUs that nobody drives'
like "$(pmonctl list --json)" '"chmus": *2' 'pmonctl list --json has two CHMUs'
is "$(cat $PMUS/$P.0/chmus $PMUS/$P.2/chmus | tr '\n' ' ')" '2 2 ' 'the file chmus of each PMU has 2'
is "$(hw count | sed -n 's/^class=other reads=\([0-9]*\) writes=\([0-9]*\).*/\1 \2/p')" \
	'0 0' 'no register of a CHMU is accessed'

# ---- examples
# Each access is to another cache line, on alternating channels. The first access is to
# bank 0 of bank group 0 on rank 0.
memory=$(cxl_memory)
while [ ! -e enough ]; do
	printf '0 r 8 200 256\n0 w 8 200 256\n' | ./cxlmem "$memory" >/dev/null
	sleep 0.01
done &
echo 'sleep 1' >job
chmod +x job
n=0
for f in example.*; do
	# Add a job where there is none, as perf would count until stopped.
	sed '/perf stat/{/ sleep \| \.\/job/!s/$/ sleep 3/}' "$f" >run
	sh ./run >out 2>&1
	n=$((n + $(grep -c 'perf stat' "$f")))
	like "$(cat out)" '[0-9].*cxl_pmu_mem0' "the example runs and prints counts: $(grep -m 1 'perf stat' "$f")"
	unlike "$(cat out)" '<not |error|rror:' "$f: no event is refused or not counted"
	# In a short interval there may be no events.
	! grep -q ' -I ' "$f" || continue
	is "$(sed -n 's/^ *\([0-9.]* \)* *0\( MiB\)* *\(cxl_pmu_mem0.*\)/\3/p' out)" '' \
		"$f: no count is 0"
done
is "$((n >= 12))" 1 "cxl.rst has at least 12 commands ($n)"
: >enough
wait

# ---- the check for a device that compares, and latencies
like "$(cat example.*)" 'clock_ticks/,cxl_pmu_mem0.0/m2s_req_resid_cnt/}' \
	'cxl.rst has the check for a device that compares'
# Print the counts of the clock and of the residency.
check() {
	cxl_count "{$P.0/clock_ticks/,$P.0/m2s_req_resid_cnt/}" sh -c '. /lib/test/cxl.sh
		cxl_traffic "0 r 8 2000 256"' | cut -d' ' -f1 | tr '\n' ' '
}
# latency COLUMN: print bw's column while the memory is read and written
latency() {
	rm -f enough
	while [ ! -e enough ]; do
		printf '0 r 8 2000 64\n0 w 8 1000 64\n' | ./cxlmem "$memory" >/dev/null
	done &
	pmonctl bw --for 2 >bw 2>&1
	: >enough
	wait
	sed -n "s/^$P\.0  *\([^ ]*\)  *\([^ ]*\)$/\\$1/p" bw
}
set -- $(check)
is "$1" "$2" 'residency counts every clock by default'
is "$(latency 1)" '' 'bw shows no latency of a device that compares'
like "$(cat bw)" "^$P\.0 READ and WRITE: no average: " 'bw prints why there is no latency'
cxl_adds 0.0
hw cpmu 0.0 rate 0x1e98 0x31 0 3000
hw cpmu 0.0 rate 0x1e98 0x31 1 3000
# Set the rates of other requests to 0, so that only those of cxlmem count.
for id in $(seq 0 15); do
	hw cpmu 0.0 rate 0x1e98 0x20 $id 0
	hw cpmu 0.0 rate 0x1e98 0x21 $id 0 2>/dev/null
done
set -- $(check)
is "$(($2 > 2 * $1))" 1 "residency of a device that adds up exceeds the clocks ($2 in $1 clocks)"
like "$(latency 1) $(latency 2)" '^[1-9][0-9]* [1-9][0-9]*$' 'bw shows two latencies of a device that adds up'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids'
SCRIPT
done
finish
