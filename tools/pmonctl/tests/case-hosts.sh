# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034,SC2016
# Test hosts that lack the hardware, a part of it, or modules. Each command must name the host
# and the next command to run, which must work.

# host CPU [FLAG]: make a host with modules installed, not loaded
host() {
	a nothing
	mkdir -p "$functions"
	put proc/cpuinfo 'vendor_id	: GenuineIntel' 'cpu family	: 6' \
		'model		: 173' "model name	: $1" "flags		: fpu vme${2:+ $2}"
	pauses
	paranoid 3
	installed pmon pmon_uncore pmon_plr pmon_cxl pmon_r2pcie
}
# all_say STATUS PATTERN COMMAND...: run pmonctl with each COMMAND (-: with none); match stderr
all_say() {
	status=$1
	complaint=$2
	shift 2
	for command; do
		# shellcheck disable=SC2086 # none is none
		run "$status" ${command#-} && complains "$complaint" || return 1
	done
}
# next STATUS COMMAND: does doctor print COMMAND as the next step?
next() {
	run "$1" doctor && has "Next: $2"
}
# cxl_host [DRIVER]: make a host with CXL memory only
cxl_host() {
	host 'AMD EPYC 9654 96-Core Processor'
	expander "${1-}"
}
gnr() {
	host 'Intel(R) Xeon(R) 6972P'
	discovery_function
}

generic='rmmod pmon_uncore && modprobe pmon_uncore generic=1'
table='\0043\0000\0001\0000\0206\0200\0001\0001\0001\0000'
rows <<'END'
a host of AMD: its name, and what its kernel counts | : host 'AMD EPYC 9654 96-Core Processor' |
	: all_say 77 ': AMD EPYC 9654 96-Core Processor: ' - list bw doctor metrics adopt plr |
	: all_say 77 '; for the PMUs of its kernel: ls /sys/bus/event_source/devices' - list bw adopt |
	: all_say 77 'record no limits (Granite Rapids' plr
a virtual machine: its host may have more | : host 'Intel(R) Xeon(R) Platinum 8480+' hypervisor |
	: all_say 77 'a virtual machine, Intel(R) Xeon(R) Platinum 8480+: *its host may have more:
	run pmonctl there' - plr list bw doctor metrics adopt
# Boxes of a function that was given to a virtual machine are listed, not driven.
a virtual machine that was given a function: what drives its boxes | : discovery_function;
	live pmon_uncore; discovery 0; put pkg0-uncore0/mode hypervisor;
	put pkg0-uncore0/owner none; unit 0 6 imc 0 mmio 0x1 4 48 - - |
	: all_say 2 "this is a virtual machine; try: $generic" bw metrics | : next 0 "$generic" |
	: run 0; has "Next: $generic" | 0 list |
	1 box is listed but not driven: this is a virtual machine; try: *generic=1*
a host with nothing but CXL memory: its module | : cxl_host cxl_pci |
	: all_say 2 "openpmon's modules are not loaded; try: modprobe pmon_cxl" list bw metrics |
	: all_say 77 'AMD EPYC 9654 96-Core Processor: its processors record no limits' plr |
	: next 0 'modprobe pmon_cxl' | 0 | HOST AMD EPYC 9654 96-Core* | Next: modprobe pmon_cxl
and with it: it counts |
	: live pmon_cxl; cxl_pmu 70 cxl_pmu_mem0.0 16384; memory mem0 0000:c1:00.0 0x1 |
	: run 0 bw; has 'cxl - - 1049 0 1049' | : run 0 list; has 'mem0 0000:c1:00.0*' |
	: next 0 'pmonctl bw' | 0 | cxl - - 1049 0 1049 | Next: pmonctl bw --watch
CXL memory that no driver has: the driver | : cxl_host | : next 0 'modprobe cxl_pci' | 0 |
	Next: modprobe cxl_pci
a Xeon E5 without intel_uncore: what has its memory controllers |
	: host 'Intel(R) Xeon(R) CPU E5-2690 v3'; pci 0000:7f:13.1 0x8086 0x2f34;
	pci 0000:7f:08.2 0x8086 0x2f32 | : all_say 2 'try: modprobe intel_uncore' bw metrics |
	: run 0 list; has '*pmonctl doctor shows their driver*' |
	: all_say 77 'Xeon(R) CPU E5-2690 v3: its processors record no limits' plr |
	0 doctor --verbose |
	note intel_uncore not loaded: it has the other boxes *; modprobe intel_uncore shows them
and with it: memory, and R2PCIe for openpmon | : live intel_uncore;
	box uncore_imc_0 20 0 'cas_count_read=5*0.25' 'cas_count_write=6*0.25';
	printf '20 %s\n' '5 0 8' '6 0 1' >"$root/counts"; topology 0 0 |
	: run 0 bw; has 'memory 0 - 2097 262 2359' | : next 0 'pmonctl adopt r2pcie' | 0 |
	HOST Intel(R) Xeon(R) CPU E5-2690 v3, Linux* | memory 0 - 2097 262 2359 |
	Next: pmonctl bw --watch
boxes without a table that stand still: nothing that could not be adopted |
	: sed -i 's/ [81]$/ 0/' "$root/counts" | 1 bw | - count nothing | - ! adopt uncore
a Granite Rapids without TPMI: the module that has something there |
	: gnr; config_space 4096 "$table" |
	: all_say 2 'are not loaded; try: modprobe pmon_uncore' list bw metrics |
	: complains '! pmon_plr' | : next 1 'modprobe pmon_uncore'
and what its firmware hides | : live pmon_uncore; discovery 0; put pkg0-uncore0/platform gnr |
	: all_say 77 'Xeon(R) 6972P: 8086:09a7 is there without TPMI, where limits are' plr |
	0 doctor | note limits not shown: 8086:09a7 has no TPMI, firmware hides it; look for*
no modules loaded yet: what loads them | : gnr |
	: all_say 2 'try: modprobe -a pmon_uncore pmon_plr' list bw plr metrics |
	: next 1 'modprobe pmon_uncore' | 1 | DOCTOR 1 problem, first: pmon_uncore: not loaded* |
	Next: pmonctl doctor
one of them loaded: the other | : live pmon pmon_uncore; discovery 0; limits |
	: next 1 'modprobe pmon_plr' | 2 plr | - are not loaded; try: modprobe pmon_plr
both, and none of the kernel's own | : rm -r "$root/sys/bus/auxiliary"; live pmon_plr | 2 plr |
	- no devices of TPMI; try: modprobe intel_vsec_tpmi
and all of them | : live intel_vsec_tpmi | 77 plr | - record no limits
no modules installed for this kernel: what installs them | : gnr; installed |
	: all_say 2 'not installed for kernel 6.18-tree;
	try, in its sources: make install' list bw plr |
	: next 1 "in openpmon's sources: make install"
a container that has no modules: what the host has is not known | : rm -r "$root/lib" | 2 list |
	- try: modprobe -a pmon_uncore pmon_plr
an Ice Lake: what its kernel counts |
	: host 'Intel(R) Xeon(R) Platinum 8380'; config_space 4096 | : all_say 77 'Platinum
	8380: 8086:09a7 is there, with neither a table *ls /sys/bus/event_source' - list bw doctor
	metrics adopt
a name that a terminal would act on | : host "$(printf '\033[2JEvil')" | 77 | - \\x1b[[]2JEvil
END
