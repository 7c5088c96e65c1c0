# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Define functions for the host side of cases with a machine of their own:
#   machine BASE CODE   load selftests/machines/BASE.json as `m`, run Python CODE
#                       on `m`, write `m` to a new file, and print the path
#   plr_lean            write a small machine with units and one PLR domain; print its path
#   reach_memory KERNEL set `reach` to options of in_vm that let a guest access the
#                       memory of CXL devices where that kernel has no /dev/mem

machine_reach_memory() {
	local module

	# shellcheck disable=SC2034 # the case's
	reach=()
	[ "$1" = sanitizer ] || return 0
	module=$("$ROOT/selftests/lib/build/test-module" iomem "$1") || exit
	# shellcheck disable=SC2034
	reach=(--copy "$module")
}

machine() {
	local out

	out=$(mktemp "$TMP/${1##*/}-XXXXXX.json")
	/usr/bin/python3 - "$ROOT/selftests/machines/$1.json" "$out" "$2" <<-'PY'
	import json, sys
	source, out, code = sys.argv[1:]
	with open(source) as f:
	    m = json.load(f)
	exec(code)
	with open(out, "w") as f:
	    json.dump(m, f, indent=1)
	PY
	echo "$out"
}

machine_plr_lean() {
	machine gnr-lean 'm["name"] = "plr-lean"
m["cpu"]["cores"] = 4
m["packages"][0]["tpmi"] = { "plr": [ { "instance": 0, "modules": 2 } ] }'
}
