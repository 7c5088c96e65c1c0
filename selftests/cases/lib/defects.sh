# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of uncore/defects.sh, one for each kind of defect. They
# print lines "row|NAME|RESULT", where RESULT is "right" or has the wrong value. They work
# with any driver, because they count by perf alone.

# defects_row NAME GOT EXPECTED: print a result
defects_row() {
	if [ "$2" = "$3" ]; then
		echo "row|$1|right"
	else
		echo "row|$1|$2 instead of $3"
	fi
}

# defects_pmu TYPE ID: print the name of the unit's PMU, for any driver's naming scheme
defects_pmu() {
	# the PMU of a type with a single unit may lack the number
	for name in "uncore_type_$1_$2" "uncore_type_$1"; do
		[ "$name" != "uncore_type_$1" ] || [ "$2" = 0 ] || break
		[ ! -e "$PMUS/$name" ] || { echo "$name"; return; }
		alias=$(grep -lx "$name" "$PMUS"/uncore_*/alias 2>/dev/null)
		[ -z "$alias" ] || {
			alias=${alias%%/alias*}
			echo "${alias##*/}"
			return
		}
	done
	# a UPI link without this name or alias may be uncore_upi_ID
	[ "$1" != 8 ] || [ ! -e "$PMUS/uncore_upi_$2" ] || echo "uncore_upi_$2"
}

# defects_counted_on PACKAGE SECONDS TYPE ID EVENT: print perf's count
defects_counted_on() {
	name=$(defects_pmu "$3" "$4")
	[ -n "$name" ] || { echo 'no PMU'; return; }
	uncore_counts "$2" "$name/$5/" >/tmp/counted_on 2>&1
	awk -v package="$1" '$1 == package { print $2; found = 1 }
		END { if (!found) print "no count" }' /tmp/counted_on
}

# defects_refused EVENT: print "refused" if perf gets no counter for it, else "counted as" and the controls
defects_refused() {
	perf stat -x'|' -a -e "$1" -- sleep 0.05 >/tmp/refused 2>&1 || {
		echo refused
		return
	}
	if grep -q '<not supported>' /tmp/refused; then
		echo refused
	else
		echo "counted as $(hw truth controls |
			sed -n 's/.*ctl=\([^ ]*\) .*/\1/p' | sort -u | tr '\n' ' ')"
	fi
}

# defects_exactly NAME PACKAGE SECONDS TYPE ID EVENT CONTROL: check that perf's count of EVENT equals
# the hardware's count of the unit's counter that is set to CONTROL
defects_exactly() {
	hw truth reset
	got=$(defects_counted_on "$2" "$3" "$4" "$5" "$6")
	defects_row "$1" "$got" "$(uncore_truth_of "$2/$4/$5" "$7")"
}

defects_at_load() {
	defects_row 'loading writes no counter register' \
		"$(uncore_accesses box-ctl,event-ctl,counter,filter writes)" 0
	defects_row 'loading writes no MSR that a table makes up' \
		"$(uncore_accesses msr writes)" 0
	defects_row 'loading touches no register that is not there' \
		"$(hw illegal | grep -c .)" 0
}

defects_units() {
	defects_exactly 'second unit of a type, reached in another way' \
		0 0.1 73 1 event=0x21 0x21
	defects_exactly 'second unit of a type, other registers' \
		0 0.1 72 1 event=0x21 0x21
	defects_exactly 'a unit that is listed twice' 0 0.1 75 0 event=0x21 0x21
	hw box 1/6/1 rate 0 777
	defects_exactly 'packages that list their units in another order' \
		1 0.1 6 0 event=0x21 0x21
	hw box 1/6/1 rate 0 0
	defects_exactly 'a type that only the second package has' \
		1 0.1 77 0 event=0x21 0x21
}

defects_links() {
	defects_exactly 'first UPI link' 0 0.1 8 0 event=0x21 0x21
	defects_exactly 'second UPI link' 0 0.1 8 1 event=0x21 0x21
}

defects_names() {
	for event in unc_u_event_msg.ipi_rcvd \
		unc_iio_comp_buf_inserts.cmpd.part0; do
		perf6.12 stat -a -e $event -- true >/dev/null 2>&1 &&
			found=opens || found=refused
		defects_row "perf's $event" "$found" opens
	done
}

defects_controls() {
	hw truth reset
	defects_row 'an extended unit mask that the unit has not' \
		"$(defects_refused "$(defects_pmu 6 0)/event=0x05,umask=0x1cf/")" refused
	hw truth reset
	defects_row 'an extended unit mask, registers in memory' \
		"$(defects_refused "$(defects_pmu 12 0)/event=0x05,umask=0x1cf/")" \
		'counted as 0x10000cf05 '
	hw truth reset
	defects_row 'a bit of the control that has no name' \
		"$(defects_refused "$(defects_pmu 6 0)/config=0x200501/")" refused
	hw truth reset
	name=$(defects_pmu 5 0)
	uncore_counts 0.2 "$name/event=0x4d,umask=0x01/" "$name/event=0x4d,umask=0x02/" \
		>/dev/null
	defects_row 'events that only counter 0 can count' \
		"counters $(hw truth controls |
			sed -n 's/^unit=0.5.0 .*counters=//p' | sort -u |
			tr '\n' ' ')" 'counters 0x1 '
}

defects_wraps() {
	# A busy host may stop the guest for longer than a wrap takes (two seconds). After
	# such a stop try again, whatever the count was.
	for _ in 1 2 3; do
		hw truth reset
		began=$(guest_ms)
		got=$(defects_counted_on 0 2.5 74 0 event=0xfe)
		took=$(($(guest_ms) - began))
		truth=$(uncore_truth_of 0/74/0 0xfe)
		[ "$took" -ge 4500 ] || break
	done
	defects_row '32-bit counters, wrapped twice' "$got" "$truth"
	# At hardware's highest rate the low half carries every 16 ms, so some carries
	# come between the reads of the two halves.
	name=$(defects_pmu 7 0)
	hw box 0/7/0 rate 0 270000
	hw truth reset
	got=$(/root/reads "$name" 0 0x21 60000 | sed 's/.*=//')
	defects_row 'reading a PCI counter while it carries' "$got" \
		"$(uncore_truth_of 0/7/0 0x21)"
	hw box 0/7/0 rate 0 0
}

defects_others() {
	# leave the box as another program might: frozen, with events and full counters
	for n in 0 1 2 3; do
		hw box 0/1/1 poke ctl $n 0x55
		hw box 0/1/1 preload $n 0xfffffffffff0
	done
	hw box 0/1/1 poke box 1
	defects_exactly 'a box that another program left frozen' \
		0 0.1 1 1 event=0x21 0x21
	# set a running counter back, as another program might
	name=$(defects_pmu 1 0)
	hw truth reset
	uncore_counts 0.1 "$name/event=0x22/" >/dev/null
	perf stat -x'|' -a --per-socket -e "$name/event=0x22/" -- \
		sh -c 'sleep 0.1; hw box 0/1/0 preload 0 0; sleep 0.1' \
		>/tmp/reset 2>&1
	got=$(awk -F'|' '$1 == "S0" { print $3 }' /tmp/reset)
	truth=$(uncore_truth_of 0/1/0 0x22)
	[ "${got:-0}" -gt 0 ] && [ "$got" -le "$truth" ] && got=plausible
	defects_row 'a counter that another program set back' "$got" plausible
}

# defects_many NAME TYPE N: check that a group of N events on one unit counts exactly
defects_many() {
	name=$(defects_pmu "$2" 0)
	[ -n "$name" ] || { defects_row "$1" 'not served' "$3 of $3 counts"; return; }
	group='' n=1
	while [ $n -le "$3" ]; do
		group="$group${group:+,}$name/event=$n/"
		n=$((n + 1))
	done
	hw truth reset
	perf stat -x'|' -a --per-socket -e "{$group}" -- sleep 0.1 2>&1 |
		awk -F'|' '$1 == "S0" { print $3 }' >/tmp/many
	hw truth controls | sed -n "s|^unit=0/$2/0 .*counted=\([0-9]*\).*|\1|p" |
		grep -xFf /tmp/many >/tmp/same
	defects_row "$1" "$(wc -l </tmp/same) of $3 counts" "$3 of $3 counts"
}

# The functions below use the case's functions `load` and `unload`.
defects_asleep() {
	hw d3 0 on
	hw illegal reset
	load
	defects_row 'a device that sleeps is not touched' \
		"$(hw illegal | grep -c .) accesses" '0 accesses'
	unload
	hw illegal reset
	hw d3 0 off
}

# defects_offline: load while package 1 (CPUs 2 and 3) is offline
defects_offline() {
	echo 0 >/sys/devices/system/cpu/cpu2/online
	echo 0 >/sys/devices/system/cpu/cpu3/online
	load
	echo 1 >/sys/devices/system/cpu/cpu2/online
	echo 1 >/sys/devices/system/cpu/cpu3/online
	defects_exactly 'a package that was offline at load' \
		1 0.1 6 1 event=0x21 0x21
	unload
}

defects_all() {
	defects_asleep
	defects_offline
	load
	defects_at_load
	defects_units
	defects_links
	defects_names
	defects_controls
	defects_wraps
	defects_others
	defects_many 'nine counters: all nine count' 71 9
	defects_many 'twelve counters: all count' 70 12
}
