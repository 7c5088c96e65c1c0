#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 7.2
# intel_uncore of the newest source, compiled for 7.2, on the machines on which
# Debian's is the judge: it agrees with the emulator as that does. It still has the
# known defects of the kernel's driver that 6.12's has, as the table in
# Documentation/admin-guide/uncore.rst says; Diamond Rapids is peer-dmr's.
. "$(dirname "$0")/../lib/tap.sh"
newest=$("$ROOT/selftests/build/uncore-peer" 7.2) || exit

cat >"$TMP/theirs.sh" <<'S'
load() { insmod /root/intel_uncore.ko; }
unload() { rmmod intel_uncore; }
S
cat >"$TMP/rows.sh" <<'S'
. /lib/test/guest.sh
. /lib/test/uncore.sh
. /lib/test/defects.sh
. /root/theirs.sh
all_defects
S

PEER=$newest "$CASES/peer-counts.sh"

make -s -C "$ROOT/selftests/events" O="$TMP" "$TMP/poll"
for k in $KERNELS; do
	vm --kernel "$k" --machine defects --drivers none --timeout 200 \
		--allow-warn --allow-illegal --copy "$newest" \
		--copy "$TMP/rows.sh" --copy "$TMP/theirs.sh" \
		--copy "$TMP/poll" -- '. /root/rows.sh' >"$TMP/out" 2>"$TMP/err"
	note "$(grep '^row|' "$TMP/out")"
	is "$(grep -c '^row|' "$TMP/out")" 24 "$k: a result for each defect"
	# What becomes of a counter that was set back depends on the moment.
	is "$(sed -n 's/^row|\(.*\)|right$/\1/p' "$TMP/out" | grep -v 'set back')" \
		'loading touches no register that is not there
a unit that is listed twice
packages that list their units in another order
a type that only the second package has
first UPI link
a box that another program left frozen' "$k: what the newest does right, and no more"
done
finish
