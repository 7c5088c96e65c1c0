#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run cases of the kernel's own drivers with the patches of tools/upstream. Cases that
# verify the emulator still pass. Cases that show faults of the drivers now fail at the
# faults that the patches mend, and nowhere else.
# kernels: newest
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# List the cases: a line CASE, or a line CASE|ROW for each row that fails with the patches.
cat >"$TMP/changed" <<'END'
peer-counts
peer-dmr
peer-freerunning
peer-frozen
peer-missing|the UPI PMUs of package 0 count the expected links
peer-missing|the guest script ends without an error
peer-missing|the UPI PMUs of package 0 count the expected links
peer-missing|the guest script ends without an error
r2pcie-peer
uncore-snc
uncore-defects|intel_uncore is right about exactly the documented rows
cxl-peer
cxl-defects|cxl_pmu against 8.2.7.2.1, table 8-185: a threshold of 256 counts as none
cxl-defects|the guest script ends without an error
END

# run CASE: run a case with all patches
run() {
	OPENPMON_PATCHED=1 "$ROOT/selftests/cases/${1%%-*}/${1#*-}.sh" >"$TMP/said" 2>&1 ||
		true
	is "$(sed -n 's/^not ok [0-9]* - [^:]*: //p' "$TMP/said")" \
		"$(sed -n "s/^$1|//p" "$TMP/changed")" "$1: exactly the documented rows fail with the patches"
	isnt "$(grep -c '^ok ' "$TMP/said")" 0 \
		"$1: other rows pass with the patches ($(grep -c '^ok ' "$TMP/said"))"
}

# "others.sh CASE..." runs only the named cases.
mapfile -t names < <(cut -d'|' -f1 "$TMP/changed" | uniq)
[ $# = 0 ] || names=("$@")
for name in "${names[@]}"; do
	run "$name"
done
finish
