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
	for f in $FUNCTIONS; do r2pcie_driver $f; done | uniq -c | tr -s ' \n' ' '
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
	uncore_counts 0.01 "$1/event=0x1/" >got
	[ "$(wc -l <got)" = 2 ] && while read -r package n event; do
		[ "$n" = "$(uncore_truth_of $package/$2 0x400001)" ] || return 1
	done <got
}

modprobe pmon_r2pcie mode=observe; modprobe intel_uncore
is "$(drivers)" ' 6 ivbep_uncore ' 'intel_uncore has all functions under mode=observe'
logged 1 'observing 6 functions of R2PCIe and QPI' 'the log has one line on the observed functions'
fresh
modprobe intel_uncore; modprobe pmon_r2pcie
is "$(drivers)" ' 6 ivbep_uncore ' 'intel_uncore has all functions if loaded first'
is "$(whose uncore_r2pcie)" theirs 'intel_uncore has the R2PCIe PMU if loaded first'
logged 1 '6 of 6 functions of R2PCIe and QPI are left to others' \
	'the log has one line on the functions left to others'
fresh
modprobe pmon_r2pcie; modprobe intel_uncore
is "$(drivers)" ' 6 ivbep_uncore ' 'intel_uncore has all functions if pmon_r2pcie has no parameter'
fresh
modprobe pmon_r2pcie r2pcie=Y; modprobe intel_uncore
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'r2pcie=Y gives R2PCIe to pmon_r2pcie and QPI to intel_uncore'
is "$(whose uncore_r2pcie) $(whose uncore_qpi_0)" 'ours theirs' \
	'r2pcie=Y gives the R2PCIe PMU to pmon_r2pcie and the QPI PMUs to intel_uncore'
runs 'R2PCIe of pmon_r2pcie counts exactly' exact uncore_r2pcie $R2PCIE/0
runs 'QPI of intel_uncore counts exactly beside pmon_r2pcie' exact uncore_qpi_0 $QPI/0
fresh
modprobe intel_uncore; modprobe pmon_r2pcie r2pcie=Y
is "$(drivers)" ' 6 ivbep_uncore ' 'intel_uncore keeps all functions if r2pcie=Y comes too late'

# one function after the other, by hand
rmmod pmon_r2pcie
echo pmon_r2pcie >$BUS/0000:7f:13.1/driver_override
echo 0000:7f:13.1 >/sys/bus/pci/drivers/ivbep_uncore/unbind
modprobe pmon_r2pcie
is "$(r2pcie_driver 0000:7f:13.1) $(r2pcie_driver 0000:ff:13.1)" 'pmon_r2pcie ivbep_uncore' \
	'one function is bound to pmon_r2pcie by hand'
is "$(whose uncore_r2pcie)" theirs "pmon_r2pcie shows no PMU while the other function is intel_uncore's"
rmmod intel_uncore
echo 0000:7f:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/unbind
echo 0000:7f:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/bind
is "$(r2pcie_driver 0000:7f:13.1) $(r2pcie_driver 0000:ff:13.1)$(whose uncore_r2pcie)" 'pmon_r2pcie ' \
	'pmon_r2pcie shows no PMU when intel_uncore has unloaded'
echo pmon_r2pcie >$BUS/0000:7f:08.2/driver_override
echo 0000:7f:08.2 >/sys/bus/pci/drivers/pmon_r2pcie/bind
is "$(r2pcie_driver 0000:7f:08.2)" pmon_r2pcie 'a QPI function is bound to pmon_r2pcie by hand'
logged 2 'uncore_r2pcie waits: 0000:ff:13.1 is not openpmon.s' \
	'the log has one line on the waiting PMU per bind of a function'
echo 0000:7f:08.2 >/sys/bus/pci/drivers/pmon_r2pcie/unbind
echo >$BUS/0000:7f:08.2/driver_override
modprobe intel_uncore
is "$(r2pcie_driver 0000:ff:13.1) $(whose uncore_r2pcie)" 'ivbep_uncore theirs' \
	'intel_uncore has the function and the PMU when loaded again'
echo pmon_r2pcie >$BUS/0000:ff:13.1/driver_override
echo 0000:ff:13.1 >/sys/bus/pci/drivers/ivbep_uncore/unbind
echo 0000:ff:13.1 >/sys/bus/pci/drivers_probe
is "$(whose uncore_r2pcie)" ours 'pmon_r2pcie shows the PMU when both functions are bound'
runs 'R2PCIe bound by hand counts exactly' exact uncore_r2pcie $R2PCIE/0
echo 0000:ff:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/unbind
is "$(whose uncore_r2pcie)" '' 'pmon_r2pcie removes the PMU when a function is unbound'
hw box 1/$R2PCIE/0 dead
echo 0000:ff:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/bind
hw box 1/$R2PCIE/0 ok
is "$(cat $PMUS/uncore_r2pcie/functions)" '0000:7f:13.1 0' 'a function that did not respond is bound and not served'
echo 0000:ff:13.1 >/sys/bus/pci/drivers/pmon_r2pcie/unbind
is "$(whose uncore_r2pcie)" '' 'pmon_r2pcie removes the PMU when the last responding function is unbound'
for f in 0000:7f:13.1 0000:ff:13.1; do echo >$BUS/$f/driver_override; done
fresh

# pmonctl
modprobe intel_uncore
exits 0 'adopt --dry-run r2pcie succeeds' pmonctl adopt --dry-run r2pcie
like "$out" 'uncore_r2pcie +uncore_r2pcie +kept' 'adopt --dry-run r2pcie announces that the PMU keeps its name'
is "$(drivers)" ' 6 ivbep_uncore ' 'adopt --dry-run r2pcie leaves all functions to intel_uncore'
exits 2 'adopt qpi is refused without --allow-loss' pmonctl adopt qpi
like "$out" 'uncore_qpi_0 .*loses the terms match' 'adopt qpi names the terms that QPI would lose'
perf stat -a -e uncore_r2pcie/event=1/ -- cat /tmp/end >/dev/null 2>&1 &
engine_until_counting 0/$R2PCIE/0 0x400001
exits 2 'adopt r2pcie is refused while an event is open' pmonctl adopt r2pcie
like "$out" 'in use' 'adopt r2pcie prints that the driver is in use'
engine_end_counts
exits 0 'doctor succeeds before adopt r2pcie' pmonctl doctor
like "$out" 'R2PCIe +2 functions, 0 driven by openpmon' 'doctor prints that openpmon drives no R2PCIe function'
exits 0 'adopt r2pcie succeeds' pmonctl adopt r2pcie
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'adopt r2pcie takes R2PCIe alone from intel_uncore'
runs 'adopted R2PCIe counts exactly' exact uncore_r2pcie $R2PCIE/0
like "$(pmonctl doctor --verbose)" 'ok +r2pcie +adopted' 'doctor --verbose prints ok for adopted R2PCIe'
rmmod pmon_r2pcie intel_uncore
insmod "$(modinfo -n intel_uncore)" && modprobe pmon_r2pcie
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' \
	'adopted R2PCIe goes to pmon_r2pcie if intel_uncore is loaded first'
rmmod pmon_r2pcie intel_uncore
for f in 0000:7f:13.1 0000:ff:13.1; do echo >$BUS/$f/driver_override; done
modprobe intel_uncore
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'adopted R2PCIe goes to pmon_r2pcie by the softdep alone'
exits 0 'a second adopt r2pcie succeeds' pmonctl adopt r2pcie
like "$out" 'already' 'a second adopt r2pcie prints that the boxes are adopted already'
exits 0 'adopt --allow-loss qpi succeeds' pmonctl adopt --allow-loss qpi
is "$(drivers)" ' 6 pmon_r2pcie ' 'adopt --allow-loss qpi takes all functions'
runs 'adopted QPI counts exactly' exact uncore_qpi_0 $QPI/0
exits 0 'release qpi succeeds' pmonctl release qpi
is "$(drivers)" ' 2 pmon_r2pcie 4 ivbep_uncore ' 'release qpi returns QPI alone to intel_uncore'
exits 0 'release r2pcie succeeds' pmonctl release r2pcie
is "$(drivers)" ' 6 ivbep_uncore ' 'release r2pcie returns all functions to intel_uncore'
is "$(ls /run/modprobe.d /etc/modprobe.d 2>/dev/null | grep -c openpmon-)" 0 'release leaves no file in modprobe.d'
runs 'R2PCIe of intel_uncore counts exactly after release' exact uncore_r2pcie $R2PCIE/0
guest_counts_calls pci_release_dev
for f in $FUNCTIONS; do echo 1 >$BUS/$f/remove; done
is "$(guest_calls)" 6 'all six removed functions are released by the drivers'
SCRIPT
finish
