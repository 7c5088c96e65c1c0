# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guests of hang/asleep and uncore/port; source after guest.sh and
# uncore.sh. They need the module power to be loaded, and /root/hold.

TABLE=0000:00:03.1
FUNCTION=0000:7e:0c.0

# asleep_power D3|D0: have the module power move TABLE and FUNCTION to a power state. In D3 the
# emulator makes TABLE unresponsive; `asleep_power` itself does so to the unit in FUNCTION.
asleep_power() {
	[ "$1" = D3 ] || hw box 0/7/0 ok
	for power_function in $TABLE $FUNCTION; do
		echo "$power_function $1" >/sys/module/power/parameters/set
	done
	[ "$1" = D0 ] || hw box 0/7/0 dead
}

# asleep_fresh: reset the counts of accesses
asleep_fresh() {
	hw illegal reset
	hw count reset
}

# asleep_touched NAME [UNIT]: print the accesses since `asleep_fresh` to the memory of TABLE and to UNIT,
# by default the unit in FUNCTION
asleep_touched() {
	set -- "$1" "${2:-0/7/0}"
	echo "$1: memory $(uncore_accesses other reads) $(uncore_accesses other writes)," \
		"unit $(uncore_reads "$2") $(uncore_writes "$2")"
}

# asleep_reading_at TAG PMU: print the PMU's first reading with this tag in /tmp/held, hold's output
asleep_reading_at() {
	awk -v tag="$1" -v pmu="$2" \
		'$1 == tag && $2 == pmu { print $4; exit }' /tmp/held
}

# asleep_more TAG TAG PMU NAME: check that the count rose between two readings
asleep_more() {
	more_a=$(asleep_reading_at "$1" "$3")
	more_b=$(asleep_reading_at "$2" "$3")
	case $more_a$more_b in
	'' | *[!0-9]*) not_ok "$4" "$1: $more_a, $2: $more_b" ;;
	*) is "$((more_b > more_a))" 1 "$4" ;;
	esac
}

# asleep_still TAG TAG PMU NAME: check that two readings are the same count, or both "end"
asleep_still() {
	like "$(asleep_reading_at "$1" "$3")" '^([0-9]+|end)$' "$4: the first reading is a count or the end"
	is "$(asleep_reading_at "$2" "$3")" "$(asleep_reading_at "$1" "$3")" "$4"
}

# asleep_exact NAME: check that new events count exactly. Counters cannot be stopped in D3 and
# may have run on, so first another event is opened and closed. All counters run slowly,
# so that none wraps while a busy host stops the guest.
asleep_exact() {
	for exact_box in imc_0=0/6/0 m2m_0=0/7/0 cha_0=0/0/0; do
		for exact_ctr in 0 1 2 3; do
			hw box "${exact_box#*=}" rate $exact_ctr 100
		done
		uncore_counts 0.01 uncore_"${exact_box%=*}"/event=1/ >/dev/null
		hw truth reset
		uncore_counts 0.05 uncore_"${exact_box%=*}"/event=0x33/ >/tmp/counts
		uncore_agree "${exact_box#*=}" "$(awk '{ print $2 }' /tmp/counts)" 0x33 \
			"$1: ${exact_box%=*} counts exactly"
	done
}
