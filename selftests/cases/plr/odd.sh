#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run hardware with one exception among many: a CPU whose register reads as all-ones,
# reserved bits, a module without response, an event that begins after others, a limited
# module whose die shows no limit, an open while the CPU goes offline, a die that two
# devices claim, and intel_plr_tpmi loaded after pmon_plr.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# CPUs 2 and 3 are module 1 of power domain 0. In CPU 3's MSR 0x54 a reserved bit is set;
# CPU 7's reads as all-ones.
odd=$(machine gnr-2s 'm["pm_logical_id"] = {"3": 1 << 40 | 1 << 3 | 1, "7": (1 << 64) - 1}')

# Reads of MSR 0x54 fault, as on a processor or hypervisor without it.
none=$(machine gnr-2s 'm["pm_logical_id"] = {str(n): "gp" for n in range(24)}')

# Two devices of package 0 report die 0. A third one reports die 1, with the partition
# number of the second. Package 1 has one device.
twice=$(machine gnr-2s '
p = m["packages"][0]
m["packages"].append(dict(p, bus=128))
p["oobmsm"] = [p["oobmsm"], {"devfn": "03.3", "telemetry": False},
	       {"devfn": "03.4", "telemetry": False}]
p["tpmi"] = [p["tpmi"], {"info": {"partition": 1, "cdie_mask": 1},
	      "plr": [{"instance": 0, "modules": 4}]},
	     {"info": {"partition": 1, "cdie_mask": 2},
	      "plr": [{"instance": 0, "modules": 4}]}]
m["cpu"]["cpus_per_module"] = 2')

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$odd" --drivers none --program late <<-'S'

	plr_load
	plr_quick
	dom=$PMON/pkg0-dom0/plr

	is "$(ls -d $CPUS/cpu[0-7]/plr | grep -o 'cpu[0-9]' | tr '\n' ' ')" \
		'cpu0 cpu1 cpu2 cpu3 cpu4 cpu5 cpu6 ' 'a CPU whose register is all ones has no module'
	is "$(cat $dom/core1/cpus)" 2-3 "reserved bits of a CPU's register are ignored"
	is "$(dmesg | grep -c 'pmon_plr: CPU 7: MSR 0x54 reads 0xffffffffffffffff, no module, limits not shown')" 1 \
		'the log has one line on the CPU without a module'

	hw plr 0/0/2 =0xffffffffffffffff
	fails_with 'Input/output error|No such device' \
		'raw of a module that responds with all ones fails' cat $dom/core2/raw
	runs 'raw of another module is read' cat $dom/core1/raw
	hw plr 0/0/2 =0

	# A new event begins at 0, although an older one has counted the reason.
	mkfifo /tmp/end
	perf stat -x, -C 0 -e plr/power/ -o /tmp/first -- cat /tmp/end &
	plr_watched $dom/core0/active >/dev/null
	echo "plr 0/0/0 0x4 0 1000000000" | hw plr schedule -
	sleep 1.5
	perf stat -x, -C 0 -e plr/power/ -o /tmp/second -- sleep 0.3
	: >/tmp/end
	wait
	like "$(grep plr/power/ /tmp/first)" '^[1-9][0-9.]*,' 'the first event counts a limit'
	like "$(grep plr/power/ /tmp/second)" '^0(\.0*)?,' 'an event opened after the limit counts nothing'

	# CPUs 4 and 5 are a module. Skip 6.1: its perf contexts are per PMU, so events of
	# another PMU delay no open there.
	chmod +x /root/late
	# kept_late NAME: check that an event stays open if its CPU goes offline meanwhile
	kept_late() {
		local cpu=4 kept

		for _ in 1 2 3 4 5; do
			kept=$(/root/late $cpu)
			echo 1 >$CPUS/cpu$cpu/online
			cpu=$((9 - cpu))
			# Try again only if the open missed the moment.
			case $kept in missed*) ;; *) break ;; esac
		done
		is "$kept" kept "$1"
	}
	case $(uname -r) in
	6.1.*) ;;
	*)
		kept_late "an event opened while its CPU goes offline moves to the module's other CPU"
		perf stat -C 0 -e '{plr/power/,cpu-clock,cpu-clock}' -o /tmp/mixed \
			-- cat /tmp/end &
		runs 'a group with software events is open' \
			becomes '[ "$(ls -l /proc/$!/fd | grep -c perf_event)" = 3 ]'
		kept_late 'an event moves to the other CPU while software events are in another group'
		: >/tmp/end
		wait
		;;
	esac
	plr_unload
	S
	in_vm "$k late" --kernel "$k" --machine gnr-2s --drivers none <<-'S'

	# cleared: wait until a poll has read and cleared module 2
	cleared() {
		for n in $(seq 50); do
			[ "$(hw plr 0/0/2)" != 0x0000000000000000 ] || return 0
			sleep 0.1
		done
		return 1
	}
	# CPUs 4 and 5 are module 2 of die 0.
	echo 0 >/sys/devices/system/cpu/cpu4/online
	echo 0 >/sys/devices/system/cpu/cpu5/online
	plr_load
	plr_quick
	dom=$PMON/pkg0-dom0/plr
	# The die level of pkg1-dom0 does not follow its modules, so only a scan every
	# ten seconds reads them. The last check below waits for one.
	alone=$PMON/pkg1-dom0/plr
	hw die 1/0 alone
	echo 'plr 1/0/1 0x4 0 600000000000' | hw plr schedule -
	echo 200 >$alone/interval_ms
	fails 'a module without online CPUs has no directory' ls $dom/core2
	echo all >$dom/die/clear
	echo 200 >$dom/interval_ms
	sleep 0.5
	hw plr 0/0/2 =0x4
	hw die 0/0 =0
	sleep 0.5
	is "$(hw plr 0/0/2) $(hw die 0/0)" '0x0000000000000004 0x00000000' \
		'the module is limited and its die shows nothing'
	echo 1 >/sys/devices/system/cpu/cpu4/online
	runs 'a module is polled when its CPU comes online' cleared
	is "$(cat $dom/core2/reasons)" POWER 'the reason of a module that came online is on record'

	# A user clears the die while a module has a reason that no poll has read.
	echo all >$dom/core2/clear
	echo 60000 >$dom/interval_ms
	sleep 0.3
	hw plr 0/0/2 =0x4
	isnt "$(hw die 0/0)" 0x00000000 'the die shows that a module has a reason'
	echo all >$dom/die/clear
	is "$(hw plr 0/0/2) $(hw die 0/0)" '0x0000000000000004 0x00000000' \
		"a clear of the die leaves the module's reason"
	echo 200 >$dom/interval_ms
	runs 'the next poll reads the module although the die was cleared' cleared
	is "$(cat $dom/core2/reasons)" POWER 'the reason read after a clear of the die is on record'

	for n in $(seq 600); do
		! grep -qE '^POWER [1-9][0-9]{3,}' $alone/core1/time_in_reason || break
		sleep 0.1
	done
	like "$(cat $alone/core1/time_in_reason)" '^POWER [1-9][0-9]{3,} ' \
		'a limit that the die does not show is counted'
	hw plr stop
	plr_unload
	S

	in_vm "$k two devices" --kernel "$k" --machine "$twice" --drivers none <<-'S'

	plr_load
	is "$(dmesg | grep -c 'pkg0-tpmi1: PLR instance 0: domain 0 has registers of another device, not used')" 1 \
		'the log has one line on the second device of a die'
	is "$(dmesg | grep -c 'TPMI_INFO: package 0 partition 1 belongs to another device, not used')" 1 \
		'the log has one line on the third device with a known partition'
	is "$(ls $PMON | grep pkg0-dom | tr '\n' ' ')" 'pkg0-dom0 pkg0-dom1 ' \
		'the package has one domain of each die'
	is "$(cat $PMON/pkg0-dom0/plr/core1/raw)" 0x0000000000000000 'raw of a die that two devices claim is read'
	plr_unload
	S

	in_vm "$k no register" --kernel "$k" --machine "$none" --drivers none <<-'S'

	plr_load
	is "$(ls -d $PMON/pkg*-dom*/plr/die | wc -l) $(ls -d $PMON/pkg*-dom*/plr/core* 2>/dev/null)" '4 ' \
		'dies are shown and no modules when no CPU has MSR 0x54'
	is "$(dmesg | grep -c 'pmon_plr: CPU 0: MSR 0x54 cannot be read, no module, limits not shown')" 1 \
		'the log has one line on CPU 0 without MSR 0x54'
	is "$(dmesg | grep -c 'pmon_plr: ')" 1 'the log has one line for all CPUs without MSR 0x54'
	plr_unload
	S

	# Only on 6.1 pmon_plr serves the PCI function itself; elsewhere, an auxiliary device.
	[ "$k" = 6.1 ] || continue
	in_vm "$k in other hands" --kernel "$k" --machine "$twice" --drivers none \
		--module claim <<-'S'

	function=/sys/bus/pci/devices/0000:80:03.1
	# refused: print how often the refusal was logged
	refused() { dmesg | grep -c '0000:00:03.4: TPMI_INFO: package 0 partition 1 belongs to another device'; }
	echo 'install intel_vsec false' >/etc/modprobe.d/test.conf
	runs 'the module loads without intel_vsec' modprobe pmon_plr
	fails 'the function has no driver' ls $function/driver
	runs 'a function without a driver is served' \
		cat $PMON/pkg1-dom0/plr/core0/raw
	echo 1 >$function/remove
	echo 1 >/sys/bus/pci/rescan
	runs \
		'a function without a driver is served after a removal and a rescan' becomes 'cat $PMON/pkg1-dom0/plr/core0/raw'
	runs 'pci-stub loads' modprobe pci-stub
	echo pci-stub >$function/driver_override
	echo 0000:80:03.1 >/sys/bus/pci/drivers_probe
	like "$(readlink $function/driver)" pci-stub 'the function is bound to pci-stub'
	fails_with 'No such device' \
		'reasons of the function at pci-stub give ENODEV' cat $PMON/pkg1-dom0/plr/core0/raw
	is "$(refused)" 1 "the log has one line on the function with another's partition"
	runs 'the other package is served' cat $PMON/pkg0-dom0/plr/core0/raw

	# Unbind vfio-pci while a virtual machine keeps the device open: the unbind waits.
	vfio=/sys/bus/pci/drivers/vfio-pci
	echo 0000:80:03.1 >/sys/bus/pci/drivers/pci-stub/unbind
	runs 'a driver with the name vfio-pci loads' insmod /root/claim.ko name=vfio-pci
	echo vfio-pci >$function/driver_override
	echo 0000:80:03.1 >/sys/bus/pci/drivers_probe
	like "$(readlink $function/driver)" vfio-pci 'the function is bound to vfio-pci'
	echo 0000:80:03.1 >/sys/module/claim/parameters/kept
	{ echo 0000:80:03.1 >$vfio/unbind; : >/tmp/let-go; } &
	becomes 'grep -qs claim_remove /proc/[0-9]*/stack'
	runs 'the module unloads while an unbind from vfio-pci hangs' timeout 30 rmmod pmon_plr
	runs 'the module loads while an unbind from vfio-pci hangs' timeout 30 modprobe pmon_plr
	fails 'a function whose unbind from vfio-pci hangs is not served' ls -d $PMON/pkg1-dom0
	runs 'the other package is served while an unbind from vfio-pci hangs' cat $PMON/pkg0-dom0/plr/core0/raw
	is "$(ls /tmp/let-go 2>/dev/null)" '' 'the unbind from vfio-pci still hangs after the load'
	echo >/sys/module/claim/parameters/kept
	wait
	# Let the probe of a driver fail.
	echo Y >/sys/module/claim/parameters/fails
	echo 0000:80:03.1 >/sys/bus/pci/drivers_probe 2>/dev/null
	fails 'the function has no driver after a failed probe' ls $function/driver
	becomes '[ -e $PMON/pkg1-dom0 ]'
	runs 'a function is served after a failed probe' cat $PMON/pkg1-dom0/plr/core0/raw

	# An unbind holds the lock of the function. Meanwhile pmon_plr tries ten times a
	# second to attach this function and those without a driver.
	rmmod claim
	runs 'a driver with the name intel_vsec loads' insmod /root/claim.ko name=intel_vsec
	echo intel_vsec >$function/driver_override
	echo 0000:80:03.1 >/sys/bus/pci/drivers_probe
	echo 0000:80:03.1 >/sys/module/claim/parameters/kept
	{ echo 0000:80:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind; : >/tmp/let-go; } &
	becomes 'grep -qs claim_remove /proc/[0-9]*/stack'
	runs 'the module unloads while an unbind from intel_vsec hangs' timeout 30 rmmod pmon_plr
	before=$(refused)
	runs 'the module loads while an unbind from intel_vsec hangs' timeout 30 modprobe pmon_plr
	sleep 1
	fails 'a function whose unbind from intel_vsec hangs is not served' ls -d $PMON/pkg1-dom0
	is "$(($(refused) - before))" 1 'the log has one line on the refused function per load'
	echo >/sys/module/claim/parameters/kept
	wait
	becomes '[ -e $PMON/pkg1-dom0 ]'
	runs 'the function is served when its unbind ends' cat $PMON/pkg1-dom0/plr/core0/raw
	is "$(($(refused) - before))" 1 'the log has no second line on the refused function'
	echo intel_vsec >/sys/bus/pci/devices/0000:00:03.4/driver_override
	echo 0000:00:03.4 >/sys/bus/pci/drivers_probe
	is "$(($(refused) - before))" 2 'the log has another line when the refused function gets a driver'
	plr_unload
	S
done
finish
