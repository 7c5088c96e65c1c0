# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of hang-asleep, beside guest.sh and uncore.sh; power.ko is
# loaded, and /root/hold is there.

TABLE=0000:00:03.1
FUNCTION=0000:7e:0c.0

# power D3|D0: both functions, by the kernel. The second one's registers answer
# nothing then; the emulator knows that of the first one by itself.
power() {
	[ "$1" = D3 ] || hw box 0/7/0 ok
	for power_function in $TABLE $FUNCTION; do
		echo "$power_function $1" >/sys/module/power/parameters/set
	done
	[ "$1" = D0 ] || hw box 0/7/0 dead
}

# fresh: accesses are counted from here on
fresh() {
	hw illegal reset
	hw count reset
}

# touched NAME [UNIT]: prints what was done since `fresh` to registers that sleep:
# in the memory of the first function, and to the unit in the second one
touched() {
	set -- "$1" "${2:-0/7/0}"
	echo "$1: memory $(accesses other reads) $(accesses other writes)," \
		"unit $(reads "$2") $(writes "$2")"
}

# said TAG PMU: what /root/hold said of its first event, in /tmp/held
said() {
	awk -v tag="$1" -v pmu="$2" \
		'$1 == tag && $2 == pmu { print $4; exit }' /tmp/held
}

# more TAG TAG PMU NAME: it has counted between these
more() {
	more_a=$(said "$1" "$3")
	more_b=$(said "$2" "$3")
	case $more_a$more_b in
	'' | *[!0-9]*) not_ok "$4" "$1: $more_a, $2: $more_b" ;;
	*) is "$((more_b > more_a))" 1 "$4" ;;
	esac
}

# still TAG TAG PMU NAME: it has not, and is a count or has ended
still() {
	like "$(said "$1" "$3")" '^([0-9]+|end)$' "$4: a count, or its end"
	is "$(said "$2" "$3")" "$(said "$1" "$3")" "$4"
}

# exact NAME: new events count exactly. Nobody could stop the counters of what
# slept, so they may have run until the first of them. They are slow, so that none
# wraps while a busy host stops the guest.
exact() {
	for exact_box in imc_0=0/6/0 m2m_0=0/7/0 cha_0=0/0/0; do
		for exact_ctr in 0 1 2 3; do
			hw box "${exact_box#*=}" rate $exact_ctr 100
		done
		counts 0.01 uncore_"${exact_box%=*}"/event=1/ >/dev/null
		hw truth reset
		counts 0.05 uncore_"${exact_box%=*}"/event=0x33/ >/tmp/counts
		agree "${exact_box#*=}" "$(awk '{ print $2 }' /tmp/counts)" 0x33 \
			"$1: ${exact_box%=*} counts exactly"
	done
}
