#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Verify the emulated R2PCIe and QPI boxes of a Xeon E5 v2 by the kernel's intel_uncore:
# it finds them, and perf's counts equal the hardware's in both packages, also with the
# extra select bit. Its only violation of the manual is a write of 0 to bits of the box
# control that must be 1.
# kernels: 6.1 6.12 newest
# coverage: no, none of our drivers
# check: 6.12
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine ivt-2s --drivers upstream --allow-illegal <<'SCRIPT'
is "$(cd $PMUS && ls -d uncore_r2pcie uncore_qpi_* | tr '\n' ' ')" \
	'uncore_qpi_0 uncore_qpi_1 uncore_r2pcie ' 'intel_uncore registers PMUs of R2PCIe and QPI'
hw truth reset
uncore_counts 0.1 'uncore_r2pcie/event=0x1/,uncore_r2pcie/event=0x10,umask=0x20/,uncore_qpi_0/event=0x14/,uncore_qpi_1/event=0x11c/' >got
is "$(wc -l <got)" 8 'four events count in two packages'
while read -r package n event; do
	case $event in
	*0x14/) want=$(uncore_truth_of $package/$QPI/0 0x400014) ;;
	*0x11c/) want=$(uncore_truth_of $package/$QPI/1 0x60001c) ;;
	*umask*) want=$(uncore_truth_of $package/$R2PCIE/0 0x402010) ;;
	*) want=$(uncore_truth_of $package/$R2PCIE/0 0x400001) ;;
	esac
	is "$n" "$want" "package $package: $event counts exactly"
done <got
isnt "$(uncore_truth_of 0/$R2PCIE/0 0x400001)" none 'R2PCIe counts events in hardware'
is "$(hw illegal | sed 's/.* why=//' | sort -u)" \
	'bits 17:16 of the box control must be 1' 'intel_uncore makes the one known access that the manual forbids'
SCRIPT
finish
