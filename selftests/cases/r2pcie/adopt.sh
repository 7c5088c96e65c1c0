#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check which driver has the functions of R2PCIe and QPI, in all orders of loading:
# pmon_r2pcie if they are adopted, else intel_uncore, which always keeps its other boxes.
# `pmonctl adopt` takes R2PCIe alone, names the losses of QPI, and does nothing while an
# event is open; `release` returns the boxes. No stack is dumped in any order.
# contract: owner-r2pcie
# all kernels: 6.1 newest
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine ivt-2s --drivers none --allow-illegal --timeout 300 <<'SCRIPT'
FUNCTIONS='0000:7f:13.1 0000:ff:13.1 0000:7f:08.2 0000:ff:08.2 0000:7f:09.2 0000:ff:09.2'
# drivers: print the drivers of the functions, R2PCIe first
drivers() {
	for f in $FUNCTIONS; do driver $f; done | uniq -c | tr -s ' \n' ' '
}
whose() {
	[ -e "$PMUS/$1/functions" ] && echo ours || { [ -e "$PMUS/$1" ] && echo theirs; }
}
fresh() {
	for m in pmon_r2pcie pmon intel_uncore; do rmmod $m 2>/dev/null; done
	dmesg -c >/dev/null
}
exact() {
	hw truth reset
	counts 0.01 "$1/event=0x1/" >got
	[ "$(wc -l <got)" = 2 ] && while read -r package n event; do
		[ "$n" = "$(truth_of $package/$2 0x400001)" ] || return 1
	done <got
}

modprobe pmon_r2pcie mode=observe; modprobe intel_uncore
is "$(drivers)" ' 6 ivbep_uncore ' 'observed, all are intel_uncore'"'s"
logged 1 'observing 6 functions of R2PCIe and QPI' 'which is said once'
fresh
modprobe intel_uncore; modprobe pmon_r2pcie
is "$(drivers)" ' 6 ivbep_uncore ' 'intel_uncore first: all are its'
is "$(whose uncore_r2pcie)" theirs 'and so is the PMU'
logged 1 '6 of 6 functions of R2PCIe and QPI are left to others' 'which is said once'
fresh
modprobe pmon_r2pcie; modprobe intel_uncore
is "$(drivers)" ' 6 ivbep_uncore ' 'pmon_r2pcie first, not adopted: the same'
fresh
modprobe pmon_r2pcie r2pcie=Y; modprobe intel_uncore
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'R2PCIe given: intel_uncore has QPI'
is "$(whose uncore_r2pcie) $(whose uncore_qpi_0)" 'ours theirs' 'and the PMUs'
runs 'R2PCIe counts exactly' exact uncore_r2pcie $R2PCIE/0
runs 'and so does QPI' exact uncore_qpi_0 $QPI/0
fresh
modprobe intel_uncore; modprobe pmon_r2pcie r2pcie=Y
is "$(drivers)" ' 6 ivbep_uncore ' 'too late: all stay with intel_uncore'

# one function after the other, by hand
rmmod pmon_r2pcie
echo pmon_r2pcie >$BUS/0000:7f:13.1/driver_override
echo 0000:7f:13.1 >/sys/bus/pci/drivers/ivbep_uncore/unbind
modprobe pmon_r2pcie
is "$(driver 0000:7f:13.1) $(driver 0000:ff:13.1)" 'pmon_r2pcie ivbep_uncore' 'one function is ours'
is "$(whose uncore_r2pcie)" theirs 'while the other is not, the PMU is not shown'
rmmod intel_uncore
echo 0000:7f:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/unbind
echo 0000:7f:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/bind
is "$(driver 0000:7f:13.1) $(driver 0000:ff:13.1)$(whose uncore_r2pcie)" 'pmon_r2pcie ' \
	'nor when intel_uncore goes, which may have that function again'
echo pmon_r2pcie >$BUS/0000:7f:08.2/driver_override
echo 0000:7f:08.2 >/sys/bus/pci/drivers/pmon_r2pcie/bind
is "$(driver 0000:7f:08.2)" pmon_r2pcie 'a function of QPI is bound meanwhile'
logged 2 'uncore_r2pcie waits: 0000:ff:13.1 is not openpmon.s' 'which is said once for each time that it is bound'
echo 0000:7f:08.2 >/sys/bus/pci/drivers/pmon_r2pcie/unbind
echo >$BUS/0000:7f:08.2/driver_override
modprobe intel_uncore
is "$(driver 0000:ff:13.1) $(whose uncore_r2pcie)" 'ivbep_uncore theirs' 'as it does'
echo pmon_r2pcie >$BUS/0000:ff:13.1/driver_override
echo 0000:ff:13.1 >/sys/bus/pci/drivers/ivbep_uncore/unbind
echo 0000:ff:13.1 >/sys/bus/pci/drivers_probe
is "$(whose uncore_r2pcie)" ours 'with both it is'
runs 'and counts exactly' exact uncore_r2pcie $R2PCIE/0
echo 0000:ff:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/unbind
is "$(whose uncore_r2pcie)" '' 'without one of them it goes'
hw box 1/$R2PCIE/0 dead
echo 0000:ff:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/bind
hw box 1/$R2PCIE/0 ok
is "$(cat $PMUS/uncore_r2pcie/functions)" '0000:7f:13.1 0' 'one that did not answer is bound, not served'
echo 0000:ff:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/unbind
is "$(whose uncore_r2pcie)" '' 'without it the PMU goes, too'
for f in 0000:7f:13.1 0000:ff:13.1; do echo >$BUS/$f/driver_override; done
fresh

# pmonctl
modprobe intel_uncore
exits 0 'adopt --dry-run' pmonctl adopt --dry-run r2pcie
like "$out" 'uncore_r2pcie +uncore_r2pcie +kept' 'says that nothing is lost'
is "$(drivers)" ' 6 ivbep_uncore ' 'and changes nothing'
exits 2 'QPI' pmonctl adopt qpi
like "$out" 'uncore_qpi_0 .*loses the terms match' 'would lose terms, and is not taken'
perf stat -a -e uncore_r2pcie/event=1/ -- cat /tmp/end >/dev/null 2>&1 &
until_counting 0/$R2PCIE/0 0x400001
exits 2 'while an event is open' pmonctl adopt r2pcie
like "$out" 'in use' 'nothing is done'
end_counts
exits 0 'doctor' pmonctl doctor
like "$out" 'R2PCIe +2 functions, 0 driven by openpmon' 'says whose they are'
exits 0 'adopt' pmonctl adopt r2pcie
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'R2PCIe is ours, the rest intel_uncore'"'s"
runs 'R2PCIe counts exactly, adopted' exact uncore_r2pcie $R2PCIE/0
like "$(pmonctl doctor --verbose)" 'ok +r2pcie +adopted' 'doctor is content'
rmmod pmon_r2pcie intel_uncore
insmod "$(modinfo -n intel_uncore)" && modprobe pmon_r2pcie
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'also when intel_uncore is loaded first'
rmmod pmon_r2pcie intel_uncore
for f in 0000:7f:13.1 0000:ff:13.1; do echo >$BUS/$f/driver_override; done
modprobe intel_uncore
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'and, as after a boot, by the softdep alone'
exits 0 'again' pmonctl adopt r2pcie
like "$out" 'already' 'there is nothing to do'
exits 0 'QPI, with what is lost' pmonctl adopt --allow-loss qpi
is "$(drivers)" ' 6 pmon_r2pcie ' 'all are ours'
runs 'QPI counts exactly' exact uncore_qpi_0 $QPI/0
exits 0 'release' pmonctl release qpi
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'of QPI'
exits 0 'release' pmonctl release r2pcie
is "$(drivers)" ' 6 ivbep_uncore ' 'of R2PCIe'
is "$(ls /run/modprobe.d /etc/modprobe.d 2>/dev/null | grep -c openpmon-)" 0 'no file is left'
runs 'intel_uncore counts exactly' exact uncore_r2pcie $R2PCIE/0
counts_calls pci_release_dev
for f in $FUNCTIONS; do echo 1 >$BUS/$f/remove; done
is "$(calls)" 6 'nobody keeps a function that was pulled out'
SCRIPT
finish
