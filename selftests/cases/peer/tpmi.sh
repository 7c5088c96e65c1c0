#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Verify the emulator by the kernel's TPMI drivers: intel_vsec and intel_vsec_tpmi probe
# without complaint and read the PFS of shipping machines, and intel_plr_tpmi prints the
# reasons that were set.
# kernels: 6.12 newest
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
for machine in gnr-2s srf-1s; do
	in_vm "$k $machine" --kernel "$k" --machine "$machine" --drivers upstream <<'SCRIPT'
eval "$(hw machine | tr ' ' '\n' | grep -E 'name=|packages=|cpus=')"
DEBUG=/sys/kernel/debug

like "$(readlink /sys/bus/pci/devices/0000:00:03.1/driver)" 'intel_vsec$' \
	"intel_vsec drives the function"
is "$(ls /sys/bus/auxiliary/devices | grep -c 'tpmi-plr')" "$packages" \
	"each package has a PLR device"
is "$(ls /sys/bus/auxiliary/devices | sed -n 's/.*tpmi-\([a-z]*\)\..*/\1/p' | sort -u |
	tr '\n' ' ')" "pem plr rapl sst uncore " "packages have all other devices that the kernel makes"
is "$(dmesg | grep -v verification | grep -iE '(vsec|tpmi|plr).*(fail|error|invalid|time)')" "" \
	"no TPMI driver logs a complaint"

# Expect the PFS of shipping machines: all features enabled, all locked except
# the control interface, and feature 0x0d blocked.
for dir in $DEBUG/tpmi-*; do
	is "$(awk 'NR > 2 { print $1, $2, $3, $4, $5, $7, $8, $9, $10 }' $dir/pfs_dump)" \
"0x80 0x01 0x000c 0x0004 0x01 N N N N
0x00 0x01 0x0060 0x0008 0x01 Y N N N
0x01 0x05 0x000a 0x000c 0x01 Y N N N
0x02 0x05 0x000c 0x0010 0x01 Y N N N
0x03 0x02 0x0006 0x0014 0x00 Y N N N
0x04 0x01 0x0014 0x0018 0x01 Y N N N
0x05 0x05 0x00fe 0x001c 0x01 Y N N N
0x0a 0x05 0x000a 0x0024 0x01 Y N N N
0x06 0x01 0x0006 0x0028 0x01 Y N N N
0x0c 0x05 0x000a 0x002c 0x01 Y N N N
0x0d 0x01 0x0006 0x0030 0x01 Y N Y Y
0x81 0x01 0x0004 0x0034 0x01 Y N N N
0xfd 0x05 0x0123 0x0038 0x01 Y N N N
0xfe 0x03 0x0123 0x0040 0x01 Y N N N
0xff 0x01 0x0123 0x0044 0x01 Y N N N" "the PFS of ${dir##*/} is that of shipping machines"
	case $name in
	gnr-2s) want="domain0 domain1" ;;
	*) want=domain0 ;;
	esac
	is "$(cd $dir/plr && echo domain*)" "$want" "${dir##*/} has the live PLR instances"
done
is "$(cat $DEBUG/tpmi-*/plr/*/status | grep -c '^cpu[0-9]')" "$((packages * cpus))" \
	"every CPU belongs to one PLR instance"

set -- $DEBUG/tpmi-*
first=$1/plr/domain0/status
shown() { sort -u $first | sed 's/cpu[0-9]*/cpu/' | sort -u | tr '\n' ';'; }
is "$(shown)" "cpu FREQUENCY;cpu none;cpus FREQUENCY;" "one module and the die show the boot reason"
hw plr clear
is "$(shown)" "cpu none;cpus none;" "cores and die show none without the boot reason"
hw plr 0/0/1 0x0004001000000012
is "$(head -n 1 $first)" "cpus CURRENT PLATFORM" "the die level of intel_plr_tpmi follows a module"
hw plr 0/0/1 =0x0200040400000016
like "$(grep -m 1 PROCHOT $first)" \
	'^cpu[0-9]+ CURRENT POWER PLATFORM FREQUENCY_CDYN2 POWER_PKG_PL1_MSR_TPMI PLATFORM_PROCHOT$' \
	"intel_plr_tpmi shows the reasons of a core by name"
is "$(grep -c PLATFORM_PROCHOT $first)" "$([ $name = srf-1s ] && echo 4 || echo 2)" \
	"every CPU of the module shows PLATFORM_PROCHOT"
echo 0 >$first
is "$(hw plr 0/0/1)/$(hw die 0/0)" "0x0000000000000000/0x00000000" "a clear by intel_plr_tpmi clears module and die"
is "$(sort -u $first | sed 's/cpu[0-9]*/cpu/' | sort -u | tr '\n' ';')" "cpu none;cpus none;" \
	"intel_plr_tpmi shows none after a clear"
is "$(hw illegal)" "" "the TPMI drivers make no illegal access"
SCRIPT
done
done
finish
