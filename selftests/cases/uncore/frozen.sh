#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A global control may freeze all boxes of its table since power-on, or at any time,
# because programs such as likwid freeze after each run. The driver writes the control
# when the first event under it starts, and reads and writes it at each tick, whatever its
# value, because the bit may not be readable; once a second it reads the control alone. No other operation writes it: no load, no
# refused event, no unload. No parameter keeps boxes frozen.
# contract: freeze freeze-tick parameters
# all kernels: 6.12 newest
# kernels: 6.1 6.12 newest
# check: newest
. "$(dirname "$0")/../lib/tap.sh"

# Give memory controllers counters of 36 bits: the driver reads these every 125 ms.
narrow='for p in m["packages"]:
    d = p["discovery"]
    for u in d["units"]:
        if u["type"] == 6:
            u["width"] = 36'
# Global controls: a readable MSR, and a write-only register in memory.
# shellcheck disable=SC2034 # by its name
readable='
    d["global"] = { "address": "0x3fe0", "frozen": True, "readable": True }'
# shellcheck disable=SC2034
write_only='
    d["global"] = { "access": "mmio", "address": "auto", "frozen": True,
                    "readable": False }
    p["oobmsm"]["wide"] = False'

cat >"$TMP/common.sh" <<'S'
global() { echo "$(uncore_accesses global-ctl reads) $(uncore_accesses global-ctl writes)"; }
freeze_lines() { uncore_messages 'frozen by the global control' | wc -l; }
states() { cat $PMON/pkg*-uncore*/global | tr '\n' ' '; }
disturbed() { hold_file_of "$1" disturbed 0; }
frozen() { hw global all | grep -c 'global=0x[0-9a-f]*[13579bdf]$'; }
S

for m in $(some readable write_only); do
	each_vm --as "$m" --drivers adopted --machine "$(machine gnr-2s "$narrow${!m}")" \
		--program rights --set can_read="$m" <<-'S'
	chmod 755 /
	[ $can_read = readable ] || can_read=
	is "$(frozen)" 2 'both packages are frozen before the module loads'
	hw count reset
	runs 'the module loads while boxes are frozen' modprobe pmon_uncore
	is "$(states)" 'unknown unknown ' 'the state of both global controls is unknown after loading'
	is "$(global)" '0 0' 'loading accesses no global control'
	type=$(cat $PMUS/uncore_cha_0/type)
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	is "$(echo "event $type 1 cpu=0" | /root/rights everybody)" \
		"event $type 1 cpu=0 EACCES" 'a user without rights may not open an event'
	is "$(global)" '0 0' 'a refused event accesses no global control'
	hw count reset
	perf stat -C 0 -e uncore_cha_0/event=1/ -- true 2>/dev/null
	is "$(global) $(frozen)" '0 1 1' \
		'an event of one package writes its global control once and no other'
	hw count reset
	uncore_exact_on_both uncore_cha_0 0.1 0/0 'the first event of both packages'
	is "$(global)" '0 2' 'the first event in each package writes its global control once'
	is "$(states)" 'running running ' 'the state of both global controls is running after the first event'
	hw count reset
	uncore_exact_on_both uncore_cha_1 0.1 0/1 'an event on other boxes'
	is "$(global)" '0 2' 'a later event writes each global control once'

	# ---- frozen again while nothing counts, as by likwid
	for n in 1 2; do
		hw global all =1
		hw count reset
		uncore_exact_on_both uncore_cha_0 0.1 0/0 "frozen again while nothing counts, $n"
		is "$(global) $(frozen)" '0 2 0' \
			"frozen again while nothing counts, $n: the next event writes each global control once"
	done
	is "$(freeze_lines)" 0 'the log has no line on freezes while nothing counts'

	# ---- under events that count
	was=$(disturbed uncore_imc_0)
	perf stat -a -C 0 -x, -o /tmp/out -e uncore_imc_0/event=0x31/ -- sleep 600 &
	first=$!
	becomes 'hw truth 0/6/0 | grep -q "ctl=0x0*31 .*counted=[1-9]"'
	hw count reset
	hw global 0/0 =1
	becomes '[ "$(frozen)" = 0 ]'
	is "$(frozen)" 0 'a freeze under an event is cleared at a tick'
	from=$(uncore_truth_of 0/6/0 0x31)
	becomes '[ "$(uncore_truth_of 0/6/0 0x31)" -gt $from ]'
	is "$(($(uncore_truth_of 0/6/0 0x31) > from))" 1 'the frozen event counts on after a tick'
	# An unreadable bit hides the freeze from the driver.
	seen=${can_read:+1}
	becomes '[ "$(freeze_lines)" = "${seen:-0}" ]'
	is "$(disturbed uncore_imc_0) $(disturbed uncore_cha_2)" "$((was + seen)) 0" \
		'a freeze under an event adds one to disturbed of that box alone'
	is "$(freeze_lines)" "${seen:-0}" 'a freeze under an event has one line in the log if the bit is readable'
	# A box whose event starts later was not disturbed.
	perf stat -a -C 0 -x, -o /tmp/later -e uncore_imc_1/event=0x32/ -- sleep 600 &
	becomes 'hw truth 0/6/1 | grep -q "ctl=0x0*32 .*counted=[1-9]"'
	from=$(uncore_accesses global-ctl reads)
	becomes '[ "$(uncore_accesses global-ctl reads)" -gt $((from + 2)) ]'
	is "$(disturbed uncore_imc_1) $(disturbed uncore_imc_0)" "0 $((was + seen))" \
		'a freeze adds nothing to disturbed of a box that starts later'
	is "$(uncore_messages 'somebody else changed' | wc -l)" 0 \
		'a freeze has no line in the log about counters or controls of a box'
	kill $first $!
	wait
	global >/tmp/spent
	read -r reads writes </tmp/spent
	is "$((writes > 0)) $((reads >= writes)) $((reads - writes <= writes))" '1 1 1' \
		'each tick reads and writes the global control once, and each look reads the control'

	# ---- sleep may freeze all boxes, also one whose event never counted before
	runs 'perf runs with an event that stays disabled' perf stat -D -1 -C 0 \
		-e uncore_cha_2/event=5,umask=0xcf/ -- true
	echo core >/sys/power/pm_test
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
	hw global 0/0 =1
	runs 'sleep and resume succeed' sh -c 'echo mem >/sys/power/state'
	hw count reset
	uncore_exact_on_both uncore_cha_2 0.1 0/2 'an event after sleep'
	is "$(global) $(frozen)" '0 2 0' 'the first event after sleep writes each global control once'

	hw global all =1
	hw count reset
	runs 'the module unloads while boxes are frozen' rmmod pmon_uncore
	is "$(global)" '0 0' 'unloading accesses no global control'

	# ---- the parameter of earlier releases, in an old line of modprobe.d
	dmesg -c >/dev/null
	runs 'the module loads with the unknown parameter unfreeze=0' modprobe pmon_uncore unfreeze=0
	is "$(uncore_messages "unknown parameter .unfreeze. ignored" | wc -l)" 1 \
		'the kernel logs that unfreeze is unknown'
	uncore_exact_on_both uncore_cha_0 0.1 0/0 'an event with unfreeze=0 in modprobe.d'
	rmmod pmon_uncore
	runs 'the module loads with generic=x' modprobe pmon_uncore generic=x
	is "$(uncore_messages 'generic=x .*doing nothing' | wc -l)" 1 \
		'the log has one line on the bad value of generic'
	S
done

each_vm --as running --machine spr-2s <<-'S'
	hw count reset
	uncore_counts 0.05 uncore_cha_0/event=5,umask=0xcf/ uncore_cha_1/event=1/ >/tmp/counts
	is "$(wc -l </tmp/counts)" 4 'both packages count where firmware froze nothing'
	is "$(global)" '0 2' 'the first event writes each global control once where firmware froze nothing'
	is "$(uncore_messages 'global control')" '' 'the log has no line on global controls where firmware froze nothing'
	S
finish
