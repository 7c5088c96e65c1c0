# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Define functions for the host side of cases that open perf's events by name:
#   events_of KERNEL PLATFORM [EVERY [FIRST]]   open each EVERYth event, from FIRST on, on
#                                               the machine PLATFORM-lean
#   newest_events                               use the newest perf and its lists in later calls
#   events_of_perf_6_1 KERNEL [EVERY [FIRST]]   open those of Debian's perf, on spr-lean

EVENTS=$ROOT/selftests/cases/events

# The guest's perf, the options that copy it there, and the source tree of its lists.
EVENT_PERF=perf6.12
EVENT_OPTIONS=()
EVENT_SOURCE=6.12

# The directory of a platform's lists in perf's source.
declare -A EVENT_LISTS=(
	[spr]=sapphirerapids [emr]=emeraldrapids [gnr]=graniterapids
	[gnr-d]=graniterapids [srf]=sierraforest [grr]=grandridge
	# perf 6.12 has no lists for cwf, so use Sierra Forest's
	[cwf]=sierraforest
)
# The CPU whose lists perf uses. For a model without lists it is a similar one.
declare -A EVENT_CPUIDS=(
	[spr]=GenuineIntel-6-8F-8 [emr]=GenuineIntel-6-CF-1
	[gnr]=GenuineIntel-6-AD-1 [gnr-d]=GenuineIntel-6-AE-1
	[srf]=GenuineIntel-6-AF-3 [grr]=GenuineIntel-6-B6-1
	[cwf]=GenuineIntel-6-AF-3
)

newest_events() {
	local perf

	perf=$("$ROOT/selftests/lib/build/perf-events") || return
	EVENT_PERF=/root/${perf##*/}
	EVENT_OPTIONS=(--copy "$perf")
	EVENT_SOURCE=newest
	EVENT_LISTS[cwf]=clearwaterforest
	EVENT_CPUIDS[cwf]=GenuineIntel-6-DD-1
}

# expected_events PLATFORM: print the platform's events with selftests/cases/events/expect
expected_events() {
	local source

	source=$("$ROOT/selftests/lib/build/source" "$EVENT_SOURCE")
	"$EVENTS/expect" \
		"$source/tools/perf/pmu-events/arch/x86/${EVENT_LISTS[$1]}"
}

# expected_events_6_1: print the events of Sapphire Rapids in Debian's perf 6.1. Its
# lists are older: two events differ from 6.12's.
expected_events_6_1() {
	local pmu dir

	for pmu in cha iio upi imc m2m irp m3upi m2pcie pcu; do
		dir=$TMP/sysfs-6.1/bus/event_source/devices/uncore_${pmu}_0
		mkdir -p "$dir"
		echo 9 >"$dir/type"
		echo 0 >"$dir/cpumask"
	done
	SYSFS_PATH=$TMP/sysfs-6.1 PERF_CPUID=${EVENT_CPUIDS[spr]} \
		perf list 2>/dev/null | grep -o '  unc_[^ ]*' | tr -d ' ' \
		>"$TMP/names-6.1"
	{
		grep -v '^#' "$EVENTS/perf-6.1-spr"
		expected_events emr
	} | awk -F'\t' 'NR == FNR { known[$1]; next }
			$1 in known && !done[$1]++' "$TMP/names-6.1" -
}

# count_in_vm KERNEL PLATFORM DRIVERS PERF EXPECTED TO [run options]: count the events
# in the file EXPECTED; write count_events' output to TO
count_in_vm() {
	local kernel=$1 platform=$2 drivers=$3 perf=$4 to=$6

	rm -rf "$TMP/batches"
	mkdir "$TMP/batches"
	# Split the names, because one perf with all of them would take longer.
	cut -f1 "$5" | split -a 3 -l 120 -d - "$TMP/batches/batch"
	shift 6
	cat >"$TMP/count.sh" <<-S
	export PERF_CPUID=${EVENT_CPUIDS[$platform]}
	. /lib/test/events.sh
	# Firmware may leave all boxes frozen, and intel_uncore of 6.12 does not unfreeze them.
	[ $drivers = ours ] || hw global all =0
	events_count $perf 0.3 /root/batches/* | gzip
	S
	# No public document has the type number of CHACMS, so an operator must set it, as here.
	case $platform in
	gnr* | srf | grr | cwf) set -- --append pmon_uncore.names=30:chacms "$@" ;;
	esac
	vm --kernel "$kernel" --machine "$platform-lean" --drivers "$drivers" \
		--copy "$TMP/count.sh" --copy "$TMP/batches" "$@" -- \
		'. /root/count.sh' 2>"$TMP/err" | gunzip >"$to"
}

# judge_events NAME KERNEL PLATFORM PERF [run options]: check the events in $TMP/expected
judge_events() {
	local line status=0

	(set -o pipefail; count_in_vm "$2" "$3" ours "$4" \
		"$TMP/expected" "$TMP/counted" "${@:5}") || status=$?
	is "$status$([ $status = 0 ] || tail -n 20 "$TMP/err")" 0 "$1: the guest script ends without an error"
	"$EVENTS/verify" "$TMP/expected" "$TMP/counted" >"$TMP/verdict"
	while IFS= read -r line; do
		case $line in
		'ok - '*) ok "$1: ${line#ok - }" ;;
		'not ok - '*) not_ok "$1: ${line#not ok - }" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$TMP/verdict"
}

events_of() {
	expected_events "$2" | "$EVENTS/select" "${3:-1}" "${4:-1}" \
		>"$TMP/expected"
	isnt "$(wc -l <"$TMP/expected")" 0 "$1 $2: perf lists events"
	judge_events "$1 $2" "$1" "$2" "$EVENT_PERF" "${EVENT_OPTIONS[@]}"
}

events_of_perf_6_1() {
	expected_events_6_1 >"$TMP/all-6.1"
	is "$(wc -l <"$TMP/all-6.1")" 515 "$1 spr: perf 6.1 has 515 events"
	"$EVENTS/select" "${2:-1}" "${3:-1}" <"$TMP/all-6.1" >"$TMP/expected"
	judge_events "$1 spr, perf 6.1" "$1" spr /bin/perf
}
