#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.1 6.12 newest
# A BPF program at the tracepoint of NMI handlers reads counts; the NMIs are the kernel's
# requests for backtraces of all CPUs. Counters in MSRs and memory are read in the NMI.
# PCI configuration space is behind a lock of the kernel, so for counters there the
# program gets the last reading. No read waits for the interrupted code, which reads the
# event in a loop.
# contract: nmi
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

# Backtraces of all CPUs take time: with only four CPUs NMIs come twice as often.
machine=$(machine spr-2s 'm["cpu"].update(cores=2, threads=1)')

# vm/run takes a backtrace for a complaint of the kernel, so the case itself checks for
# complaints.
each_vm --machine "$machine" --allow-warn --program bpf_read <<-'S'
	nmis() {
		sed -n "s/^ *NMI: *//p" /proc/interrupts | awk -v n=$(($1 + 1)) '{ print $n }'
	}

	dmesg -n 1
	for pmu in uncore_cha_0:0/0/0 uncore_imc_0:0/6/0 uncore_upi_0:0/8/0; do
		unit=${pmu#*:} pmu=${pmu%:*}
		cpu=$(engine_collector $pmu 0)
		touch /tmp/storm
		while [ -e /tmp/storm ]; do echo l >/proc/sysrq-trigger; done &
		before=$(nmis "$cpu")

		# If most was counted after the last NMI, the host stopped the guest, so try again.
		for try in 1 2 3 4 5; do
			hw truth reset
			timeout 60 /root/bpf_read -q $pmu 0x33 "$cpu" \
				nmi/nmi_handler 1 >/tmp/bpf
			status=$? seen=$(engine_bpf_value bpf)
			case $pmu in *upi*) break ;; esac
			[ "$status" = 0 ] && [ "$seen" -le $(($(engine_bpf_value read) / 2)) ] ||
				break
		done
		is "$status" 0 "$pmu: a BPF program reads the event in NMIs"
		is "$(engine_bpf_value returned)" 0 "$pmu: bpf_perf_event_read in an NMI returns a count"
		uncore_agree $unit "$(engine_bpf_value read)" 0x33 "$pmu: an event read in NMIs ends with the exact count"
		case $pmu in
		*upi*) # the last reading was at the start, when events were scheduled
			is "$((seen < $(engine_bpf_value read) / 10))" 1 \
				"$pmu: an NMI reads the count of the last reading outside NMIs ($seen)" ;;
		*) # the last NMI was a moment before the end, not at the start
			is "$((seen > $(engine_bpf_value read) / 2 && seen <= $(engine_bpf_value read)))" 1 \
			"$pmu: an NMI reads the counter at that moment ($seen of $(engine_bpf_value read))" ;;
		esac

		hw truth reset
		timeout 60 /root/bpf_read $pmu 0x34 "$cpu" nmi/nmi_handler 1 >/tmp/bpf
		is "$?" 0 "$pmu: a BPF program reads in NMIs while the event is read in a loop"
		is "$(engine_bpf_value returned)" 0 "$pmu: an NMI during reads in a loop gets a count"
		uncore_agree $unit "$(engine_bpf_value read)" 0x34 \
			"$pmu: an event read in NMIs and in a loop ends with the exact count"
		is "$(($(engine_bpf_value bpf) > 0))" 1 "$pmu: the last count in an NMI during reads in a loop is above 0"
		rm /tmp/storm
		wait
		is "$(($(nmis "$cpu") - before >= 20))" 1 \
			"$pmu: at least 20 NMIs came ($(($(nmis "$cpu") - before)))"
	done
	# Function names in the backtraces are no complaints, although some contain
	# such a word ("stall" in _install_special_mapping).
	complaint='WARNING:|BUG:|Oops:|UBSAN:|unchecked MSR access|INFO: task'
	complaint="$complaint|detected (expedited )?stall|general protection fault"
	is "$(dmesg | grep -E "$complaint")" '' "the kernel's log has no complaint after the NMIs"
	S
finish
