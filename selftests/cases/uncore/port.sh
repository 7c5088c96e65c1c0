#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Units in the memory of a PCI Express port of the processor count while the kernel's
# driver for ports is bound, as they do with the kernel's uncore driver. The units enter
# D3, are removed and return with the port. While the port does not decode memory its
# units are refused.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# All units in memory are behind the port, also free-running ones. The first bus has room
# for the port's memory at other addresses.
machine=$(machine spr-2s 'm["memory_controllers"] = "bar"
m["packages"][0]["bus"] = 0
m["packages"][0]["oobmsm"] = { "unit_port": "06.0" }')

cat >"$TMP/common.sh" <<'S'
. /lib/test/asleep.sh

PORT=0000:00:06.0
PORTS=/sys/bus/pci/drivers/pcieport

# memory: print the numbers of reads and writes of memory that did not respond
memory() {
	echo "$(uncore_accesses other reads) $(uncore_accesses other writes)"
}

# exact NAME [PACKAGES]: check a controller's counts in 2 packages, or PACKAGES
exact() {
	uncore_counts 0.01 uncore_imc_0/event=1/ >/dev/null
	uncore_exactly "$1" "${2:-2}" 0.05 uncore_imc_0/event=0x33/@6/0
}
S

each_vm --as "the kernel's own driver" --machine "$machine" --drivers upstream <<-'S'
	uncore_exact_on_both uncore_imc_0 0.05 6/0 "intel_uncore on a box behind a port"
	S

# The rows themselves check accesses that the emulator calls illegal.
each_vm --machine "$machine" --allow-illegal --program hold --program regs \
	--module power <<-'S'
	insmod /root/power.ko
	power() {
		echo "$PORT $1" >/sys/module/power/parameters/set
	}
	FUNCTION=0000:7e:0c.0

	is "$(cat /sys/bus/pci/devices/$PORT/vendor)" 0x8086 'the port is one of the processor'
	is "$(ls -d $PORTS/$PORT)" $PORTS/$PORT 'pcieport has the port'
	is "$(cat $PMON/pkg[01]-uncore0/rejected)" '' 'no unit behind the port is rejected'
	is "$(ls $PMUS | grep -c uncore_imc_free_running)" 4 \
		'four free-running imc PMUs are registered behind the port'
	is "$(uncore_all_units 0.1)" "all $(hw units | wc -l)" 'all units behind the port count exactly'

	uncore_counts 0.01 uncore_m2m_0/event=1/ >/dev/null
	echo 0000:fe:0c.0 D3 >/sys/module/power/parameters/set
	others=$(engine_cpus_of 1)
	asleep_fresh
	for cpu in $others; do engine_cpu $cpu 0; done
	is "$(asleep_touched 'no events' 1/7/0)" 'no events: memory 0 0, unit 0 0' \
		'CPUs of a package go offline without an access to its box in D3'
	echo 0000:fe:0c.0 D0 >/sys/module/power/parameters/set
	for cpu in $others; do engine_cpu $cpu 1; done
	is "$(uncore_all_units 0.1)" "all $(hw units | wc -l)" \
		'all units count exactly after D3 with the CPUs online again'

	/root/hold >/tmp/held <<-'H'
	open uncore_imc_0 0 0x11
	open uncore_imc_free_running_0 0 0x10ff
	! sleep 0.1
	! echo 0000:7e:0c.0 D3 >/sys/module/power/parameters/set
	! echo 0000:00:06.0 D3 >/sys/module/power/parameters/set
	! sleep 0.1
	read asleep
	! sleep 0.5
	! hw count reset
	read known
	open uncore_imc_0 0 0x12
	open uncore_imc_free_running_0 0 0x20ff
	disable
	close
	H
	is "$(grep '^open ' /tmp/held)" 'open uncore_imc_0 0 ENXIO
	open uncore_imc_free_running_0 0 ENXIO' 'new events of a box behind a port in D3 are refused'
	is "$(memory)" '0 0' 'no register behind a port in D3 is accessed once the state is known'
	like "$(asleep_reading_at known uncore_imc_0)" "^($(asleep_reading_at asleep uncore_imc_0)|end)\$" \
		'the count of a box behind a port in D3 stands still or its event fails'
	is "$(uncore_messages "PCI function $PORT in D3, not counting" | wc -l)" 2 \
		'the log has a line on D3 for both boxes behind the port'
	is "$(uncore_messages "PCI function $FUNCTION in D3")" '' \
		'the log has no line on a function in D3 without events'
	echo $FUNCTION D0 >/sys/module/power/parameters/set
	power D0
	exact 'a box behind a port back in D0'

	rmmod pmon_uncore
	power D3
	hw count reset
	runs 'the module loads while a port is in D3' modprobe pmon_uncore
	is "$(cat $PMON/pkg[01]-uncore0/rejected)" '' 'no unit behind a port in D3 is rejected'
	is "$(echo 'open uncore_imc_0 0 0x11' | /root/hold)" \
		'open uncore_imc_0 0 ENXIO' 'events of a box behind a port in D3 since loading are refused'
	is "$(memory)" '0 0' 'loading accesses no register behind a port in D3'
	power D0
	exact 'a box whose port was in D3 at loading'

	rmmod pmon_uncore
	echo $PORT >$PORTS/unbind
	command=$(/root/regs pci $PORT 4)
	# The upper half is the status register, where writing 0 changes nothing.
	/root/regs pci $PORT 4 0
	hw count reset
	modprobe pmon_uncore
	is "$(cut -d' ' -f5- $PMON/pkg0-uncore0/rejected | sort -u)" \
		'inside another device' 'units behind a port that does not decode memory are rejected'
	is "$(cat $PMON/pkg1-uncore0/rejected)" '' "units behind the other port are not rejected"
	is "$(memory)" '0 0' 'no register behind a port that does not decode memory is accessed'
	/root/regs pci $PORT 4 $((command & 0xffff))
	echo $PORT >$PORTS/bind
	becomes '[ "$(cat $PMUS/uncore_imc_0/cpumask)" = "$(cat $PMUS/uncore_cha_0/cpumask)" ]'
	is "$(cat $PMON/pkg0-uncore0/rejected)" '' \
		'no unit is rejected once pcieport has enabled memory decoding'
	exact 'a box behind a port that decodes memory again'

	hw count reset
	/root/hold >/tmp/held <<-'H'
	open uncore_imc_0 0 0x11
	! sleep 0.1
	read before
	! echo 1 >/sys/bus/pci/devices/0000:00:06.0/remove
	! sleep 0.1
	read gone
	H
	like "$(asleep_reading_at before uncore_imc_0)" '^[0-9]+$' 'an event counts before its port is removed'
	is "$(asleep_reading_at gone uncore_imc_0)" end 'events behind a removed port have ended'
	exact 'the other package after a port was removed' 1
	# Linux assigns other addresses than the table's.
	echo 1 >/sys/bus/pci/rescan
	becomes '[ -e $PORTS/$PORT ]'
	sleep 0.2
	exact 'the other package after the port returned at another address' 1
	is "$(memory)" '0 0' 'no register behind a removed or moved port is accessed'
	runs 'the module unloads after the port was moved' rmmod pmon_uncore
	modprobe pmon_uncore
	exact 'a box behind a moved port after loading again'
	S
finish
