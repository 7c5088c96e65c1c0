# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of the CXL cases, beside guest.sh; /root/cxlmem is there.

# shellcheck disable=SC2034
PMUS=/sys/bus/event_source/devices

# Kernels with checkers have the kernel's own driver, which would come before ours.
echo 'install cxl_pmu /bin/true' >/etc/modprobe.d/no-peer.conf

# Kernels with checkers have no /dev/mem.
[ ! -e /root/iomem.ko ] || [ -e /dev/iomem ] || insmod /root/iomem.ko

# kind CPMU...: what the specification leaves open is as the kernel's driver needs
# it, and what it forbids has no effect
kind() {
	for kind_n; do
		for kind_knob in 'threshold spec' 'freeze sticks' 'undefined ignore'; do
			# shellcheck disable=SC2086
			hw cpmu "$kind_n" knob $kind_knob
		done
	done
}

# unkind CPMU...: as by default
unkind() {
	for kind_n; do
		for kind_knob in 'threshold compare-only' 'freeze needs-enable' \
			'undefined garbage'; do
			# shellcheck disable=SC2086
			hw cpmu "$kind_n" knob $kind_knob
		done
	done
}

# config CPMU: what of its Counter Configuration registers is not to be preserved,
# of those that were written
config() {
	hw cpmu "$1" | sed -n 's/.* cfg=\([^ ]*\) .* left=0$/\1/p' |
		while read -r config_value; do
			printf '0x%x\n' $((config_value & ~0x070000000000e0fc))
		done
}

# memory [DEV]: where the memory of a device is
memory() {
	hw cxl | sed -n "s/^dev=${1:-0} .* memory=\([^ ]*\) .*/\1/p"
}

# traffic TEXT [DEV]: accesses to the device's memory, see cxlmem.c
traffic() {
	printf '%s\n' "$1" | ./cxlmem "$(memory "${2:-0}")" >/dev/null
}

# truth CPMU GROUP MASK [PATTERN]: what was counted under a configuration with
# these events, and with what PATTERN says of it
truth() {
	truth_sum=none
	for truth_n in $(hw cpmu "$1" truth |
		grep -E " gid=$2 mask=$3 .*${4-}" | sed 's/.* counted=//; s/ .*//'); do
		[ "$truth_sum" != none ] || truth_sum=0
		truth_sum=$((truth_sum + truth_n))
	done
	echo "$truth_sum"
}

# happened CPMU GROUP MASK: the same, with what a counter did not see
happened() {
	hw cpmu "$1" truth | sed -n "s/.* gid=$2 mask=$3 .* happened=\([0-9]*\) .*/\1/p" |
		head -n 1
}

# device PMU: the PCI address of the device that it is of, if it says so
device() {
	readlink "$PMUS/$1/device" | sed 's/.*\///'
}

# pmus_of ADDRESS [PMU...]: which of these, or of all, are of that device
pmus_of() {
	pmus_address=$1
	shift
	[ $# -gt 0 ] || set -- $PMUS/cxl_pmu_*
	for pmus_one; do
		[ "$(device "${pmus_one##*/}")" != "$pmus_address" ] ||
			echo "${pmus_one##*/}"
	done
}

# count EVENTS COMMAND...: perf counts them meanwhile; prints "COUNT EVENT"
count() {
	count_events=$1
	shift
	perf stat -x'|' -a -e "$count_events" -- "$@" 2>&1 >/dev/null |
		awk -F'|' '$3 != "" { print $1, $3 }'
}

# hold CPMU EVENT: perf counts it when this returns, and until `release`; what it
# says then is in the file held
hold() {
	[ -p end ] || mkfifo end
	hw count reset
	perf stat -x'|' -a -e "$2" -o held -- cat end &
	becomes "hw cpmu $1 count | grep -q '^class=event-ctl .*writes=[1-9]'" ||
		not_ok "$2 counts until it is released"
}

# release: the event has been open for a moment after what was done to it
release() {
	sleep 0.3
	: >end
	wait
}

# until_are PMUS NAME: `all`, which the case has, says these
until_are() {
	becomes "[ \"\$(all)\" = '$1' ]"
	is "$(all)" "$1" "$2"
}

# touched CPMU...: which of them were accessed
touched() {
	for n; do
		hw cpmu "$n" count | grep -q ' [a-z]*s=[1-9]' && echo "$n"
	done
}

# number EVENT: of what count has printed, on standard input
number() {
	awk -v event="$1" '$2 == event { print $1 }'
}
