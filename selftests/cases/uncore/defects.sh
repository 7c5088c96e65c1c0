#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.12 newest
# kernels: 6.1 6.12 newest
# check: none
# Known faults of the kernel's own drivers, one row each, on a machine that shows all of
# them: openpmon has none. The kernel's driver fails exactly the rows that are in the
# tables of Documentation/admin-guide/uncore.rst and README.
. "$(dirname "$0")/../lib/tap.sh"

cat >"$TMP/ours.sh" <<'S'
echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/adopted.conf
load() { modprobe pmon_uncore; hw count reset; }
unload() { rmmod pmon_uncore; }
S
cat >"$TMP/theirs.sh" <<'S'
load() { modprobe intel_uncore; }
unload() { rmmod intel_uncore; }
S

# rows KERNEL ours|theirs: write a driver's rows to $TMP/ours.out or $TMP/theirs.out
rows() {
	local allow=()

	cat >"$TMP/rows.sh" <<-S
	. /lib/test/guest.sh
	. /lib/test/uncore.sh
	. /lib/test/defects.sh
	. /root/$2.sh
	defects_all
	S
	[ "$2" = ours ] || allow=(--allow-warn --allow-illegal)
	vm --kernel "$1" --machine defects --drivers none --timeout 200 \
		"${allow[@]}" --copy "$TMP/rows.sh" --copy "$TMP/$2.sh" \
		--program reads -- '. /root/rows.sh' \
		>"$TMP/$2.out" 2>"$TMP/$2.err"
}

# Rows that the kernel's driver passes on all kernels, since 6.12, and until 6.1.
right='a unit that is listed twice
first UPI link
a box that another program left frozen'
since_6_12='loading touches no register that is not there
packages that list their units in another order
a type that only the second package has'
until_6_1='second UPI link'

for k in $KERNELS; do
	rows "$k" theirs || note "$k: the kernel's driver did not survive"
	status=0
	rows "$k" ours || status=$?
	is "$status" 0 "$k: openpmon gets through all defects" ||
		tail -n 30 "$TMP/ours.err"
	is "$(grep -c '^row|' "$TMP/ours.out")" 24 "$k: every one of 24 defects has a result"
	while IFS='|' read -r tag name result; do
		[ "$tag" = row ] || continue
		is "$result" right "$k: openpmon is right about $name"
		theirs=$(grep -F "row|$name|" "$TMP/theirs.out" | cut -d'|' -f3)
		note "the kernel's driver: ${theirs:-does not survive}"
	done <"$TMP/ours.out"
	[ "$k" = 6.1 ] && theirs=$until_6_1 || theirs=$since_6_12
	# Leave out the rows of a counter that is set back, or carries during a read:
	# their results depend on the moment.
	is "$(sed -n 's/^row|\(.*\)|right$/\1/p' "$TMP/theirs.out" |
		grep -vE 'set back|carries' | sort)" \
		"$(printf '%s\n' "$right" "$theirs" | sort)" \
		"$k: intel_uncore is right about exactly the documented rows"
done
finish
