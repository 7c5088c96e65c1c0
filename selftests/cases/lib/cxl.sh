# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of CXL cases, which need /root/cxlmem; source after guest.sh.

# shellcheck disable=SC2034
PMUS=/sys/bus/event_source/devices

# Programs and files of the cases are there.
cd /root || exit

# Prevent the load of cxl_pmu, which is a module in sanitizer kernels and would bind
# before pmon_cxl.
echo 'install cxl_pmu /bin/true' >/etc/modprobe.d/no-peer.conf

# Sanitizer kernels have no /dev/mem, so load iomem.ko, which provides /dev/iomem.
[ ! -e /root/iomem.ko ] || [ -e /dev/iomem ] || insmod /root/iomem.ko

# cxl_knobs LIST CPMU...: set knobs of CPMUs; LIST has words KNOB=VALUE
cxl_knobs() {
	knobs_list=$1
	shift
	for knobs_cpmu; do
		for knobs_one in $knobs_list; do
			hw cpmu "$knobs_cpmu" knob "${knobs_one%=*}" "${knobs_one#*=}"
		done
	done
}

# cxl_kind CPMU...: let CPMUs do what cxl_pmu expects where the specification leaves a choice,
# and ignore forbidden writes
cxl_kind() {
	cxl_knobs 'threshold=spec freeze=sticks undefined=ignore' "$@"
}

# cxl_unkind CPMU...: restore the default behaviour
cxl_unkind() {
	cxl_knobs 'threshold=compare-only freeze=needs-enable undefined=garbage' "$@"
}

# cxl_adds CPMU...: let counters add all waiting requests of a clock, and at a threshold of 0
# all its events
cxl_adds() {
	cxl_knobs 'threshold=spec residency=sum sums=add' "$@"
}

# cxl_config CPMU: print the Counter Configuration registers that were written since power-on,
# without reserved fields
cxl_config() {
	hw cpmu "$1" | sed -n 's/.* cfg=\([^ ]*\) .* left=0$/\1/p' |
		while read -r config_value; do
			printf '0x%x\n' $((config_value & ~0x070000000000e0fc))
		done
}

# memory [DEV]: print the address range of a device's memory
cxl_memory() {
	hw cxl | sed -n "s/^dev=${1:-0} .* memory=\([^ ]*\) .*/\1/p"
}

# traffic TEXT [DEV]: access the device's memory as TEXT describes, see cxlmem.c
cxl_traffic() {
	printf '%s\n' "$1" | ./cxlmem "$(cxl_memory "${2:-0}")" >/dev/null
}

# truth CPMU GROUP MASK [PATTERN]: print the hardware's count of these events, the sum of
# the lines of `hw cpmu truth` that have PATTERN; print "none" if there is no such line
cxl_truth() {
	truth_sum=none
	for truth_n in $(hw cpmu "$1" truth |
		grep -E " gid=$2 mask=$3 .*${4-}" | sed 's/.* counted=//; s/ .*//'); do
		[ "$truth_sum" != none ] || truth_sum=0
		truth_sum=$((truth_sum + truth_n))
	done
	echo "$truth_sum"
}

# cxl_happened CPMU GROUP MASK: print how many of these events happened, counted or not
cxl_happened() {
	hw cpmu "$1" truth | sed -n "s/.* gid=$2 mask=$3 .* happened=\([0-9]*\) .*/\1/p" |
		head -n 1
}

# cxl_device PMU: print the PCI address of the PMU's device, if the PMU has a parent
cxl_device() {
	readlink "$PMUS/$1/device" | sed 's/.*\///'
}

# pmus_of ADDRESS [PMU...]: print the PMUs of a device, out of all PMUs or of a list
cxl_pmus_of() {
	pmus_address=$1
	shift
	[ $# -gt 0 ] || set -- $PMUS/cxl_pmu_*
	for pmus_one; do
		[ "$(cxl_device "${pmus_one##*/}")" != "$pmus_address" ] ||
			echo "${pmus_one##*/}"
	done
}

# cxl_count EVENTS COMMAND...: run a command under perf stat; print "COUNT EVENT" lines
cxl_count() {
	count_events=$1
	shift
	perf stat -x'|' -a -e "$count_events" -- "$@" 2>&1 >/dev/null |
		awk -F'|' '$3 != "" { print $1, $3 }'
}

# cxl_count_reads EVENT NUMBER: make NUMBER reads; print the count of EVENT
cxl_count_reads() {
	cxl_count "$1" sh -c ". /lib/test/cxl.sh; cxl_traffic '0 r 8 $2 8'" | cut -d' ' -f1
}

# cxl_hold CPMU EVENT: start perf stat on an event until `cxl_release`, and return when the
# event counts; the result is in the file `held`
cxl_hold() {
	[ -p end ] || mkfifo end
	hw count reset
	perf stat -x'|' -a -e "$2" -o held -- cat end &
	becomes "hw cpmu $1 count | grep -q '^class=event-ctl .*writes=[1-9]'" ||
		not_ok "the event $2 counts until the end of perf"
}

# cxl_release: wait a moment, so that the event counts the last change, and end perf
cxl_release() {
	sleep 0.3
	: >end
	wait
}

# cxl_until_are PMUS NAME: wait until the case's function `all` prints PMUS
cxl_until_are() {
	becomes "[ \"\$(all)\" = '$1' ]"
	is "$(all)" "$1" "$2"
}

# cxl_touched CPMU...: print the CPMUs that were accessed
cxl_touched() {
	for n; do
		hw cpmu "$n" count | grep -q ' [a-z]*s=[1-9]' && echo "$n"
	done
}

# cxl_number EVENT: print the count of an event from lines of `cxl_count` on standard input
cxl_number() {
	awk -v event="$1" '$2 == event { print $1 }'
}
