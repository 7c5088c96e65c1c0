# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl plr.

granite() {
	new_tree "$1"
	for p in 0 1; do
		domain $p 0 "$((p * 8))-$((p * 8 + 7))"
		for c in 0 1 2 10; do
			core $p 0 $c "$((p * 8 + c))" none
		done
	done
}

granite quiet
run 0 plr && silent && prints <<-'END'
No limit is recorded.

Package 0-1 domain 0, not limited: die mesh0 core0-2,10
END
verdict $? "plr: nothing limited"

granite limited
put pkg1-dom0/plr/die/reasons POWER
core 1 0 10 18 'POWER POWER_PKG_PL1_MSR_TPMI'
run 0 plr && silent && prints <<-'END'
Of 12 parts 2 limited now or before (?)

PACKAGE  DOMAIN  PART    CPUS  NOW  SINCE
1        0       die     -     ?    POWER
1        0       core10  18    ?    POWER POWER_PKG_PL1_MSR_TPMI

Package 0 domain 0, not limited: die mesh0 core0-2,10
Package 1 domain 0, not limited: mesh0 core0-2
END
verdict $? "plr: limited parts first, the rest summed up"

run 0 plr --package 0 && ! grep -q 'ackage 1' "$tmp/out" &&
	grep -q '^No limit is recorded' "$tmp/out"
verdict $? "plr: --package restricts the output"

run 64 plr --package 7 && complains '--package 7: no such package'
verdict $? "plr: an absent package is wrong usage"

run 0 plr --json && is_json && silent
verdict $? "plr: --json is JSON"

if command -v python3 >/dev/null; then
	python3 - "$tmp/out" <<-'END'
	import json, sys
	m = json.load(open(sys.argv[1]))
	assert m["format"] == 1
	d = m["domains"][1]
	assert (d["package"], d["domain"], d["cpus"]) == (1, 0, "8-15")
	p = {x["name"]: x for x in d["parts"]}
	assert p["core10"] == {"name": "core10", "cpus": "18", "reasons":
	                       ["POWER", "POWER_PKG_PL1_MSR_TPMI"]}
	assert p["mesh0"] == {"name": "mesh0", "reasons": []}
	assert len(p) == 6
	END
	verdict $? "plr: --json holds every part"
fi

granite unreadable
rm "$(class)/pkg0-dom0/plr/core1/reasons"
mkdir "$(class)/pkg0-dom0/plr/core1/reasons"
run 1 plr && complains 'core1/reasons' &&
	grep -q '^Package 0 domain 0, unreadable (.*): core1$' "$tmp/out" &&
	grep -q '^Package 1 domain 0, .* die mesh0 core0-2,10' "$tmp/out"
verdict $? "plr: an unreadable part is degraded and the rest is shown"

run 1 plr --json && is_json && grep -q '"error": ' "$tmp/out"
verdict $? "plr: --json has the error"

granite unreadables
for part in die core0 core1 core10; do
	rm "$(class)/pkg1-dom0/plr/$part/reasons"
	mkdir "$(class)/pkg1-dom0/plr/$part/reasons"
done
rm "$(class)/pkg1-dom0/plr/core2/reasons"
run 1 plr && prints <<-'END'
No limit is recorded in what can be read; 5 of 12 parts cannot.

Package 1 domain 0, unreadable (EISDIR): die core0-1,10
Package 1 domain 0, unreadable (ENOENT): core2
Package 0 domain 0, not limited: die mesh0 core0-2,10
Package 1 domain 0, not limited: mesh0
END
verdict $? "plr: parts with one error share a line"

new_tree nodomain
pci 0000:00:03.1 0x8086 0x09a7
discovery 0
run 2 plr && complains 'modprobe pmon_plr'
verdict $? "plr: a module that is not loaded is named"
loaded pmon_plr
run 77 plr && complains 'no supported hardware'
verdict $? "plr: hardware without PLR is 77"
loaded intel_plr_tpmi
run 2 plr && complains 'intel_plr_tpmi'
verdict $? "plr: hardware that another driver has"

for mode in observe unknown-model on; do
	new_tree "tpmi-$mode"
	pci 0000:00:03.1 0x8086 0x09a7
	tpmi 0 $mode
	case $mode in
	observe) text='with mode=observe' ;;
	unknown-model) text='does not know this CPU model' ;;
	on) text='kernel log says why' ;;
	esac
	run 2 plr && complains "$text"
	verdict $? "plr: TPMI without domains is explained, mode $mode"
	run 0 list && grep -q "limits are not shown: .*$text" "$tmp/out"
	verdict $? "list: TPMI without domains is explained, mode $mode"
done

# Each reasons file costs a mailbox round trip, so it is opened once.
if command -v strace >/dev/null && [ "$(id -u)" = 0 ]; then
	granite once
	strace -f -e trace=openat,openat2 -o "$tmp/trace" \
		"$PMONCTL" --sysroot "$root" plr >/dev/null 2>&1
	[ "$(grep -c '/reasons"' "$tmp/trace")" = 12 ]
	verdict $? "plr: every part is read once"
fi

new_tree plr-unread
domain 0 0 0-1
for part in die mesh0; do
	rm "$(class)/pkg0-dom0/plr/$part/reasons"
	mkdir "$(class)/pkg0-dom0/plr/$part/reasons"
done
run 1 plr && head -n 1 "$tmp/out" | grep -qx 'What limits cannot be read.' &&
	! grep -q 'No limit' "$tmp/out"
verdict $? "plr: nothing is said of what cannot be read"
