# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For the host side of the hang cases, beside tap.sh and machine.sh:
#   plr_lean         prints a small machine with units and one PLR domain
#   as_peer NAME [run options] <SCRIPT
#                    what the kernel's own driver does in the same situation:
#                    its output becomes notes, what it said of it is in
#                    $TMP/peer, the status of the run in $peer_status

plr_lean() {
	machine gnr-lean 'm["name"] = "plr-lean"
m["cpu"]["cores"] = 4
m["packages"][0]["tpmi"] = { "plr": [ { "instance": 0, "modules": 2 } ] }'
}

# The kernel's log is part of the answer, and nothing that it says is an error.
as_peer() {
	local name=$1

	shift
	cat >"$TMP/peer.sh"
	peer_status=0
	vm --timeout 120 "$@" --drivers none --allow-warn --allow-illegal \
		--console "$TMP/console" --program race \
		--copy "$TMP/peer.sh" -- 'sh /root/peer.sh' \
		>"$TMP/peer" 2>"$TMP/peer.err" || peer_status=$?
	note "$name: status $peer_status"
	[ ! -s "$TMP/peer" ] || note "$(head -n 20 "$TMP/peer")"
}
