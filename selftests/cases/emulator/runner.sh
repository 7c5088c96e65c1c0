#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.12
# coverage: no, none of our drivers
# Test the runner itself: a guest's output arrives unchanged, and each kind of
# failure has its own exit status, so that no test passes by accident.
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# quick STATUS NAME OPTIONS... -- COMMAND: run a guest, which must exit with STATUS
quick() {
	local want=$1 name=$2 got=0

	shift 2
	vm --kernel "$KERNELS" --machine narrow --drivers none "$@" \
		>"$TMP/out" 2>"$TMP/err" || got=$?
	is "$got" "$want" "$name"
}

# Send all byte values, in lengths that are no multiple of a buffer's size.
for n in 0 1 255 70001; do
	head -c "$n" /dev/urandom >"$TMP/sent.$n"
done
cat "$TMP"/sent.* >"$TMP/sent"
quick 7 "vm/run exits with the command's status" --copy "$TMP/sent" -- \
	'cat sent; echo message >&2; exit 7'
runs "standard output of the guest is unchanged" cmp "$TMP/sent" "$TMP/out"
like "$(cat "$TMP/err")" '^message$' "standard error of the guest is apart"

quick 123 "vm/run exits with 123 after a kernel warning" -- 'echo "BUG: on purpose" >/dev/kmsg'
quick 137 "vm/run exits with 137 after a killed command and an allowed warning" \
	--allow-warn -- 'echo "BUG: on purpose" >/dev/kmsg; kill -9 $$'
quick 124 "vm/run exits with 124 after the timeout" --timeout 8 -- 'sleep 1000'
quick 125 "vm/run exits with 125 if the guest dies" -- \
	'echo c >/proc/sysrq-trigger; sleep 1000'
like "$(cat "$TMP/err")" 'Kernel panic' "the message of a guest that dies names the kernel's panic"

started=$(date +%s%N)
quick 0 "vm/run exits with 0 after an idle run" -- true
elapsed=$((($(date +%s%N) - started) / 1000000))
note "an idle run takes $elapsed ms"
finish
