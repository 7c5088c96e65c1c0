# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Hosts that have none of it, or a part, or no modules yet: each command says what the
# host is and what to type, and that leads on.

# host CPU [FLAG]: a processor, and modules that are installed and not loaded
host() {
	new_tree
	directories "$root/proc" "$root/sys/bus/pci/devices"
	printf '%s\t: %s\n' vendor_id GenuineIntel 'cpu family' 6 model 173 \
		'model name' "$1" flags "fpu vme${2:+ $2}" >"$root/proc/cpuinfo"
	pauses
	paranoid 3
	installed pmon pmon_uncore pmon_plr pmon_cxl pmon_r2pcie
}

# all_say STATUS TEXT COMMAND...
all_say() {
	status=$1
	complaint=$2
	shift 2
	for command; do
		# shellcheck disable=SC2086 # words, or none
		run_test "$status" $command && complains "$complaint" || return 1
	done
}

# next STATUS COMMAND: doctor ends with it, and so does the screen
next() {
	run_test "$1" doctor && ends "Next: $2"
}

every='list bw doctor metrics adopt'
counting='bw metrics'
listed='ls /sys/bus/event_source/devices'

host 'AMD EPYC 9654 96-Core Processor'
# shellcheck disable=SC2086
all_say 77 'no supported hardware: AMD EPYC 9654 96-Core Processor: ' '' $every &&
	all_say 77 "; what its kernel counts: $listed" '' $every &&
	all_say 77 'record no limits (Granite Rapids' plr
verdict $? "a host of AMD: its name, and what its kernel counts"

host 'Intel(R) Xeon(R) Platinum 8480+' hypervisor
# shellcheck disable=SC2086
all_say 77 'a virtual machine, Intel(R) Xeon(R) Platinum 8480+: ' '' plr $every &&
	all_say 77 'its host may have more: run pmonctl there' '' plr $every
verdict $? "a virtual machine: its host may have more"

# A function that a virtual machine was given: its boxes are listed, and not driven.
pci 0000:00:03.1 0x8086 0x09a7
live pmon_uncore
discovery 0
put pkg0-uncore0/mode hypervisor
put pkg0-uncore0/owner none
unit 0 6 imc 0 mmio 0x1 4 48 - -
generic='rmmod pmon_uncore && modprobe pmon_uncore generic=1'
# shellcheck disable=SC2086
all_say 2 "this is a virtual machine; try: $generic" $counting && next 0 "$generic" &&
	run_test 0 && ends "Next: $generic" &&
	run 0 list && has "*1 box is listed but not driven: this is a virtual machine; try: $generic*"
verdict $? "a virtual machine that was given a function: what drives its boxes"

# cxl_host [DRIVER]: nothing but CXL memory
cxl_host() {
	host 'AMD EPYC 9654 96-Core Processor'
	expander "${1-}"
}
cxl_host cxl_pci
all_say 2 "openpmon's modules are not loaded; try: modprobe pmon_cxl" list bw metrics &&
	all_say 77 'AMD EPYC 9654 96-Core Processor: its processors record no limits' plr &&
	next 0 'modprobe pmon_cxl' && run_test 0 && has 'HOST AMD EPYC 9654 96-Core*' &&
	ends 'Next: modprobe pmon_cxl'
verdict $? "a host with nothing but CXL memory: its module"
live pmon_cxl
box cxl_pmu_mem0.0 70 0
export dir="$root/sys/bus/event_source/devices/cxl_pmu_mem0.0"
cxl_data
rate 70 1e9800250001 0 16384
rate 70 1e9800210002 0 0
memory mem0 0000:c1:00.0 0x1
run_test 0 bw && has 'cxl - - 1000 0' && run_test 0 list && has 'mem0 0000:c1:00.0*' &&
	next 0 'pmonctl bw' && run_test 0 && has 'cxl - - 1000 0' &&
	ends 'Next: pmonctl bw --watch'
verdict $? "and with it: it counts"
cxl_host
next 0 'modprobe cxl_pci' && run_test 0 && ends 'Next: modprobe cxl_pci'
verdict $? "CXL memory that no driver has: the driver"

host 'Intel(R) Xeon(R) CPU E5-2690 v3'
for function in 0000:7f:13.1:0x2f34 0000:7f:08.2:0x2f32; do
	pci ${function%:*} 0x8086 ${function##*:}
done
all_say 2 'try: modprobe intel_uncore' bw metrics && run_test 0 doctor --verbose &&
	has 'note intel_uncore not loaded: it has the other boxes *; modprobe intel_uncore shows them*' &&
	run 0 list && has '*who drives them: pmonctl doctor*' &&
	all_say 77 'Xeon(R) CPU E5-2690 v3: its processors record no limits' plr
verdict $? "a Xeon E5 without intel_uncore: what has its memory controllers"
live intel_uncore
box uncore_imc_0 20 0 'cas_count_read=5*0.25' 'cas_count_write=6*0.25'
rate 20 5 0 8
rate 20 6 0 1
topology 0 0
run_test 0 bw && has 'memory 0 - 2000 250' && next 0 'pmonctl adopt r2pcie' && run_test 0 &&
	has 'HOST Intel(R) Xeon(R) CPU E5-2690 v3, Linux*' 'memory 0 - 2000 250' &&
	ends 'Next: pmonctl bw --watch'
verdict $? "and with it: memory, and R2PCIe for openpmon"
sed -i 's/ [81]$/ 0/' "$root/counts"
run_test 1 bw && complains 'count nothing' '! adopt uncore'
verdict $? "boxes without a table that stand still: nothing that could not be adopted"

# a Granite Rapids, whose function has a table and no TPMI
table='\0043\0000\0001\0000\0206\0200\0001\0001\0001\0000'
host 'Intel(R) Xeon(R) 6972P'
pci 0000:00:03.1 0x8086 0x09a7
config 0000:00:03.1 4096 "$table"
all_say 2 'are not loaded; try: modprobe pmon_uncore' list bw metrics && complains '! pmon_plr' &&
	next 1 'modprobe pmon_uncore'
verdict $? "a Granite Rapids without TPMI: the module that has something there"
live pmon_uncore
discovery 0
put pkg0-uncore0/platform gnr
all_say 77 'Intel(R) Xeon(R) 6972P: 8086:09a7 is there without TPMI, where limits are' plr &&
	run_test 0 doctor && has 'note limits not shown: 8086:09a7 has no TPMI, firmware hides it; look for*'
verdict $? "and what its firmware hides"

host 'Intel(R) Xeon(R) 6972P'
pci 0000:00:03.1 0x8086 0x09a7
all_say 2 'try: modprobe -a pmon_uncore pmon_plr' list bw plr metrics &&
	next 1 'modprobe pmon_uncore' && run_test 1 && has 'DOCTOR 1 problem, first: pmon_uncore: not loaded*' &&
	ends 'Next: pmonctl doctor'
verdict $? "no modules loaded yet: what loads them"
live pmon
live pmon_uncore
discovery 0
limits
all_say 2 'are not loaded; try: modprobe pmon_plr' plr && next 1 'modprobe pmon_plr'
verdict $? "one of them loaded: the other"
rm -r "$root/sys/bus/auxiliary"
live pmon_plr
all_say 2 'no devices of TPMI; try: modprobe intel_vsec_tpmi' plr && loaded intel_vsec_tpmi &&
	all_say 77 'record no limits' plr
verdict $? "both, and none of the kernel's own"

host 'Intel(R) Xeon(R) 6972P'
: >"$root/lib/modules/6.18-tree/modules.dep"
pci 0000:00:03.1 0x8086 0x09a7
all_say 2 'not installed for kernel 6.18-tree; try, in its sources: make install' list bw plr metrics &&
	next 1 "in openpmon's sources: make install"
verdict $? "no modules installed for this kernel: what installs them"
rm -r "${root:?}/lib"
all_say 2 'try: modprobe -a pmon_uncore pmon_plr' list
verdict $? "a container that has no modules: what the host has is not known"

host 'Intel(R) Xeon(R) Platinum 8380'
pci 0000:00:03.1 0x8086 0x09a7
config 0000:00:03.1 4096
# shellcheck disable=SC2086
all_say 77 'Intel(R) Xeon(R) Platinum 8380: 8086:09a7 is there, with neither a table' '' $every &&
	all_say 77 "$listed" ''
verdict $? "an Ice Lake: what its kernel counts"

host "$(printf '\033[2JEvil')"
run_test 77 && complains '\x1b[2JEvil'
verdict $? "a name that a terminal would act on"
