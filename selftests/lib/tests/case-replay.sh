# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# What becomes of a dump: a machine with the plan of the one that it is of, or a
# message. That hosts dump so is shown in guests, cases/tools/replay.sh.

replay() {
	(cd "$root/selftests/machines" && /usr/bin/python3 "$here/replay.py" "$@" 2>&1)
}

out=$(replay plans gnr-2s.json gnr-full.json gnr-lean.json gnr-partitions.json gnr-snc.json \
	gnr-snc3.json gnr-d-1s.json srf-1s.json srf-2s.json grr-1s.json cwf-2s.json \
	spr-2s.json spr-8s.json spr-full.json spr-nodes.json emr-lean.json \
	mixed.json narrow.json dmr-2s.json ptl-1s.json ivt-2s.json)
is "$out" '' 'replay: machines come back'
is "$(replay damage 1 100 gnr-partitions.json spr-2s.json ptl-1s.json ivt-2s.json | grep -v '^# ')" '' \
	'replay: damaged dumps become a machine or are refused with a message'
is "$(replay damage 1 100 spr-2s.json | grep -c '^# 100 of')" 0 \
	'replay: some of them become one'
is "$(replay refused spr-2s.json)" "reserve=0xa8200000,0x2b000
refused is as claimed by something else, and not: is memory
FILE:1: behind key pci: the file ends there; correct the JSON" \
	'replay: what was refused is claimed, and the rest of the plan is the same; a cut file'
like "$(replay plans cxl-1s.json)" 'discovery: is empty.*CXL devices alone' \
	'replay: a host with nothing but CXL is refused'
echo '{ "kind": "openpmon dump", "format": 2 }' >"$tmp/new.json"
like "$("$root/selftests/emulator/replay" "$tmp/new.json" 2>&1)" 'format.*not known' \
	'replay: a later format is refused'
echo '{ "name": "x" }' >"$tmp/none.json"
like "$("$root/selftests/emulator/replay" "$tmp/none.json" 2>&1)" 'is no dump' \
	'replay: a description is no dump'
