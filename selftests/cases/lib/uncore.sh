# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of the uncore cases. Cases for which guest_libs (tap.sh)
# does not list this file begin with: . /lib/test/uncore.sh

PMON=/sys/class/pmon
# shellcheck disable=SC2034
PMUS=/sys/bus/event_source/devices

# uncore_accesses CLASS[,CLASS…] reads|writes|bytes [UNIT]: print how many these registers had
uncore_accesses() {
	hw count ${3:+unit "$3"} | awk -F'[ =]' -v classes="$1," -v field="$2" '
		index(classes, $2 ",") {
			for (i = 3; i < NF; i += 2)
				if ($i == field) sum += $(i + 1)
		}
		END { print sum + 0 }'
}

# uncore_writes [UNIT]: print the number of writes to controls, counters and filters
uncore_writes() {
	uncore_accesses global-ctl,box-ctl,event-ctl,counter,filter writes "$@"
}

# uncore_reads [UNIT]: print the number of reads of controls, counters, filters, status registers
uncore_reads() {
	uncore_accesses global-ctl,box-ctl,event-ctl,counter,filter,status reads "$@"
}

# uncore_controls_of UNIT CONTROL: print the hardware's count of each counter set to CONTROL
uncore_controls_of() {
	hw truth controls |
		sed -n "s|^unit=$1 ctl=$(printf 0x%x $((0x${2#0x}))) counted=\([0-9]*\) .*|\1|p"
}

# uncore_truth_of UNIT CONTROL: print the counts of `controls_of`, or "none"
uncore_truth_of() {
	uncore_controls_of "$@" | grep . || echo none
}

# uncore_fixed_of UNIT: print the hardware's count of the fixed counter
uncore_fixed_of() {
	hw truth "$1" fixed | grep -o 'counted=[0-9]*' | cut -d= -f2
}

# uncore_counts SECONDS EVENT...: run perf stat on all packages; print "PACKAGE COUNT EVENT"
uncore_counts() {
	seconds=$1
	shift
	events=
	for event; do
		events="$events -e $event"
	done
	# shellcheck disable=SC2086
	perf stat -x'|' -a --per-socket $events -- sleep "$seconds" 2>&1 |
		awk -F'|' '$1 ~ /^S[0-9]+$/ {
			print substr($1, 2), $3, $5
		}'
}

# uncore_all_units SECONDS: count one event on every unit of the tables at once; print each
# wrong count, and, if there are as many counts as units in the hardware, "all" with
# their number
uncore_all_units() {
	cat "$PMON"/pkg*-uncore*/units | awk '$10 != "-" { print $8, $1, $3 }' |
		sort -u >/tmp/pmu_units
	hw truth reset
	# shellcheck disable=SC2046
	uncore_counts "$1" $(cut -d' ' -f1 /tmp/pmu_units | sort -u |
		sed 's|$|/event=0x05,umask=0xcf/|') >/tmp/unit_counts
	hw truth | sed -n 's|^unit=\([^ ]*\) .* ctl=0x0*cf05 .*counted=\([0-9]*\).*|\1 \2|p' |
		sort >/tmp/unit_truth
	awk 'NR == FNR { unit[$1] = $2 "/" $3; next }
		{ sub(/\/.*/, "", $3); print $1 "/" unit[$3], $2 }' \
		/tmp/pmu_units /tmp/unit_counts | sort >/tmp/unit_counted
	# busybox's diff always prints the unified format.
	diff /tmp/unit_truth /tmp/unit_counted | grep '^[-+][0-9]'
	[ "$(wc -l </tmp/unit_counted)" != "$(hw units | wc -l)" ] ||
		echo "all $(wc -l </tmp/unit_counted)"
}

# uncore_all_types SECONDS: for each type in package 0's tables count a group of events on a
# unit, one event for each counter, four at most; print each count that is 0 or differs
# from the hardware's, and "all" with the number of counts
uncore_all_types() {
	awk '$10 != "-" && !seen[$1]++ {
		print $8, $1 "/" $3, $6 > 4 ? 4 : $6 + 0
	}' "$PMON"/pkg0-uncore*/units >/tmp/type_units
	hw truth reset
	# shellcheck disable=SC2046
	uncore_counts "$1" $(awk '{
		group = ""
		for (n = 1; n <= $3; n++)
			group = group (n > 1 ? "," : "") $1 "/event=0x0a,umask=0x0" n "/"
		print "{" group "}"
	}' /tmp/type_units) >/tmp/type_counts
	hw truth | sed -n 's|^unit=\([^ ]*\) .* ctl=0x0*\([1-4]0a\) .*counted=\([0-9]*\).*|\1 \2 \3|p' |
		sort >/tmp/type_truth
	awk 'NR == FNR { unit[$1] = $2; next }
		{ split($3, e, "[/=]"); ctl = substr($3, length($3) - 1, 1) "0a"
		  print $1 "/" unit[e[1]], ctl, $2 }' /tmp/type_units /tmp/type_counts |
		sort >/tmp/type_counted
	diff /tmp/type_truth /tmp/type_counted | grep '^[-+][0-9]'
	awk '$3 == 0 { print "nothing", $0 } END { print "all", NR }' /tmp/type_counted
}

# uncore_agree UNIT COUNT CONTROL NAME: check a count against the hardware's
uncore_agree() {
	truth=$(uncore_truth_of "$1" "$3")
	case $truth in
	none | 0) not_ok "$4" "unit $1: nothing counted ($truth)
$(hw truth "$1")" ;;
	*) is "$2" "$truth" "$4" ;;
	esac
}

# uncore_exactly NAME COUNTS SECONDS EVENT@TYPE/ID...: count these events on all packages;
# check that perf prints COUNTS counts, and that each equals the hardware's count
uncore_exactly() {
	exactly_name=$1 exactly_counts=$2 exactly_seconds=$3
	shift 3
	printf '%s\n' "$@" | tr @ ' ' >/tmp/exactly
	hw truth reset
	# shellcheck disable=SC2046 # words
	uncore_counts "$exactly_seconds" $(cut -d' ' -f1 /tmp/exactly) >/tmp/counts
	is "$(wc -l </tmp/counts)" "$exactly_counts" "$exactly_name: perf prints as many counts as events and packages"
	while read -r package count event; do
		exactly_event=${event##*event=} exactly_umask=0
		case $event in *umask=*) exactly_umask=${event##*umask=} ;; esac
		uncore_agree "$package/$(sed -n "s|^$event ||p" /tmp/exactly)" "$count" \
			"$(printf '0x%x' $((${exactly_umask%/} << 8 | ${exactly_event%%[,/]*})))" \
			"$exactly_name: $event counts exactly in package $package"
	done </tmp/counts
}

# uncore_exact_on_both PMU SECONDS TYPE/ID NAME: check the counts of packages 0 and 1
uncore_exact_on_both() {
	uncore_exactly "$4" 2 "$2" "$1/event=5,umask=0xcf/@$3"
}

# uncore_list_all NAME: check the driver's tables against the hardware; /tmp/hardware then has
# lines "PACKAGE TYPE ID ACCESS ADDRESS COUNTERS WIDTH"
uncore_list_all() {
	hw units | sed -n 's/pkg=\([0-9]*\) type=\([0-9]*\) id=\([0-9]*\) access=\([a-z]*\) address=\(0x[0-9a-f]*\) counters=\([0-9]*\).* width=\([0-9]*\).*/\1 \2 \3 \4 \5 \6 \7/p' |
		sort >/tmp/hardware
	for listed_in in "$PMON"/pkg*-uncore*; do
		awk -v package="$(cat "$listed_in/package_id")" '$10 != "-" {
			sub(/\+1$/, "", $6)
			print package, $1, $3, $4, $5, $6, $7
		}' "$listed_in/units"
	done | sort >/tmp/listed
	is "$(cat /tmp/listed)" "$(cat /tmp/hardware)" "$1"
}

# uncore_adopts NAME [PARAMETER...]: unload intel_uncore, and keep it off by the option that
# `pmonctl adopt` writes; check that pmon_uncore loads
uncore_adopts() {
	adopts_name=$1
	shift
	[ ! -e /sys/module/intel_uncore ] || rmmod intel_uncore
	echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
	runs "$adopts_name" modprobe pmon_uncore "$@"
}

# uncore_listed [PACKAGE]: print the number of accepted units in the tables, without units that
# the platform adds
uncore_listed() {
	cat "$PMON"/pkg${1:+"$1"}*-uncore*/units | awk '$10 != "-"' | wc -l
}

# uncore_messages PATTERN: print matching lines of the kernel's log
uncore_messages() {
	dmesg | grep -E -- "$1"
}

# uncore_handed_back NAME UNIT...: check that these boxes run, and that no control selects an
# event in its lower half (resets are not known to clear the upper half)
uncore_handed_back() {
	handed_name=$1
	shift
	for handed; do
		like "$(hw box "$handed")" 'box=0x0+( |$)' \
			"$handed_name: the box $handed is not frozen"
		is "$(hw truth "$handed" |
			grep -cE 'ctl=0x[0-9a-f]*[1-9a-f][0-9a-f]{0,7}( |$)')" 0 \
			"$handed_name: controls of $handed select no event"
	done
}
