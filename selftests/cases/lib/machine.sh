# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For the host side of cases that need a machine of their own:
#   machine BASE CODE   writes a variant of selftests/machines/BASE.json, which
#                       Python CODE changes as `m`, and prints its path

machine() {
	local out

	out=$(mktemp "$TMP/${1##*/}-XXXXXX.json")
	python3 - "$ROOT/selftests/machines/$1.json" "$out" "$2" <<-'PY'
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
