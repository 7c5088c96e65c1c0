#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A BPF program reads a count while its CPU accesses the box, with the box lock held: at
# a kprobe of a function that accesses PCI configuration space, or of a function of the
# driver. The program gets the count of the last reading, without waiting
# for the interrupted code.
# contract: within
# kernels: 6.1 6.12 newest
# coverage: no, the probe is on a function of the driver
. "$(dirname "$0")/../lib/tap.sh"

# If the guest spins for ever, its output ends, and the run fails at its timeout.
each_vm --machine spr-2s --program bpf_read --module near <<-'S'
	# within NAME FUNCTION PMU CONFIG CPU [-q]: a BPF program reads at each call of FUNCTION
	within() {
		echo "p:kprobes/access $2" >/sys/kernel/tracing/kprobe_events
		: >/tmp/bpf
		# Try again if perf did not schedule the event in bpf_read's 0.1 s.
		for n in 1 2 3 4 5; do
			timeout 60 /root/bpf_read $6 "$3" "$4" "$5" kprobes/access >/tmp/bpf
			status=$?
			[ "$(engine_bpf_value returned)" = -1 ] || break
		done
		is "$status" 0 "$1: a BPF program reads an event within an access to its box"
		is "$(engine_bpf_value returned)" 0 "$1: bpf_perf_event_read within an access returns a count"
		is "$(($(engine_bpf_value bpf) <= $(engine_bpf_value read)))" 1 \
			"$1: a read within an access returns the reading before ($(engine_bpf_value bpf), $(engine_bpf_value read))"
		echo >/sys/kernel/tracing/kprobe_events
	}
	insmod /root/near.ko node=0
	within 'any register' near_read near 1 "$(cat $PMUS/near/cpumask)"
	# The box has one counter, so the two events rotate.
	perf stat -C "$(cat $PMUS/near/cpumask)" -e near/event=2/ -- sleep 60 2>/dev/null &
	within 'any register, while events take turns' near_write near 1 \
		"$(cat $PMUS/near/cpumask)" -q
	kill $!
	wait

	hw truth reset
	within 'PCI configuration space' pci_mmcfg_read uncore_upi_0 0x33 \
		"$(engine_collector uncore_upi_0 0)"
	uncore_agree 0/8/0 "$(engine_bpf_value read)" 0x33 'PCI configuration space: the event read within accesses ends exact'
	is "$(($(engine_bpf_value bpf) > 0))" 1 'PCI configuration space: the count read within an access is above 0'
	S
finish
