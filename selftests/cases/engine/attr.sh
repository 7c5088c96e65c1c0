#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test that fields of perf_event_attr for which a PMU has no term are refused, not ignored:
# bits of config1, config2, config3 (unknown before 6.3) and config4 (before 7.3), and branch
# stacks. Test each kind of register, free-running counters, and plr. Events of a cgroup fail.
# contract: refused
# check: 6.12 newest
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s --program attr <<-'S'
	case $(uname -r) in
	6.1.*) unknown3=E2BIG unknown4=E2BIG ;;
	6.*) unknown3=EINVAL unknown4=E2BIG ;;
	*) unknown3=EINVAL unknown4=EINVAL ;;
	esac
	want="plain yes
	shortest yes
	longer yes
	config1:63 EINVAL
	config2:0 EINVAL
	config3:0 $unknown3
	config3:63 $unknown3
	config4:0 $unknown4
	config4:63 $unknown4
	branches:any EINVAL
	branches:user EINVAL
	branches:stack EINVAL"

	modprobe -a pmon_uncore pmon_plr
	for event in uncore_cha_0:0x4 uncore_imc_0:0x4 uncore_imc_0:0xff \
		uncore_upi_0:0x4 uncore_iio_free_running_0:0x10ff plr:0x1; do
		is "$(/root/attr "${event%:*}" "${event#*:}" 2>&1)" "$want" \
			"$event: bits of perf_event_attr without a term are refused"
	done

	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	mkdir /sys/fs/cgroup/of
	runs 'an event of a CPU is counted for a cgroup' \
		perf stat -a -e cpu-clock -G of -- true
	for event in uncore_imc_0/event=1/ uncore_iio_free_running_0/event=0xff,umask=0x10/ \
		plr/power/; do
		perf stat -x, -a -o /tmp/stat -e $event -G of -- true 2>/tmp/err
		like "$(cat /tmp/stat /tmp/err)" '<not supported>|nvalid argument' \
			"$event of a cgroup is refused"
	done
	S
finish
