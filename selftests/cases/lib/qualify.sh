# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of the qualify cases; source after guest.sh and
# uncore.sh. /root has tools/lab/qualify. The emulated memory controllers do not see the
# accesses of CPUs, so a wrapper of dd reports dd's traffic to the emulator.

[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd

# qualify_memory_sees: let memory controllers count only dd's traffic to nodes of their package. To
# make a fault, put a sed script into /root/lies. The script edits lines of traffic,
# "PACKAGE UNIT CONTROL COUNT", before hw gets them.
qualify_memory_sees() {
	: >/root/lies
	: >/root/traffic
	for sees_file in "$PMUS"/uncore_imc_[0-9]*/events/cas_count_* \
		"$PMUS"/uncore_mchbm_[0-9]*/events/cas_count_*; do
		case $sees_file in *.scale | *.unit | *'*') continue ;; esac
		sees_pmu=${sees_file%/events/*}
		sees_ctl=$(($(sed 's/event=\([^,]*\),umask=\(.*\)/\1 | \2 << 8/' "$sees_file")))
		case $sees_file in *read*) sees_kind='read' ;; *) sees_kind='write' ;; esac
		for sees_table in "$PMON"/pkg*-uncore*; do
			awk -v pmu="${sees_pmu##*/}" -v package="$(cat "$sees_table/package_id")" \
				-v rest="$sees_kind $sees_ctl" '$8 == pmu {
				print package, package "/" $1 "/" $3, rest }' "$sees_table/units"
		done
	done | sort -u >/root/traffic
	while read -r _ sees_unit _ sees_ctl; do
		echo "box $sees_unit by-hand $sees_ctl"
	done </root/traffic | hw - >/dev/null 2>&1
	mkdir -p /root/bin
	cat >/root/bin/dd <<-'S'
	#!/bin/sh
	for word; do
		case $word in
		if=*) from=${word#if=} ;;
		of=*) to=${word#of=} ;;
		count=*) count=${word#count=} ;;
		esac
	done
	busybox dd "$@" || exit
	case $from,$to in
	*/node*/file,/dev/null) kind=read file=$from ;;
	/dev/zero,*/node*/file) kind=write file=$to ;;
	*) exit 0 ;;
	esac
	node=${file%/file}
	cpu=$(sed 's/[-,].*//' "/sys/devices/system/node/node${node##*/node}/cpulist")
	package=$(cat "/sys/devices/system/cpu/cpu$cpu/topology/physical_package_id")
	# Let HBM count traffic, too: a sixteenth of DDR's, in units of 32 bytes.
	awk -v package="$package" -v kind=$kind -v mib="$count" '
		$1 == package && $3 == kind { unit[++n] = $2; ctl[n] = $4; is_hbm[n] = $2 ~ /\/14\//; hbm += is_hbm[n] }
		END { for (i = 1; i <= n; i++) print package, unit[i], ctl[i], int(is_hbm[i] ? \
			mib * 2048 / hbm : mib * 16384 / (n - hbm)) }' \
		/root/traffic | sed -f /root/lies | awk '{ print "box", $2, "happens", $3, $4 }' |
		hw - >/dev/null
	exit 0
	S
	chmod +x /root/bin/dd
	PATH=/root/bin:$PATH
}

# qualify_runs FAULT EXPECTED [--writes]: check that all of qualify's answers are PASS except the
# ones in EXPECTED, such as "4 FAIL"
qualify_runs() {
	bash /root/qualify ${3:+"$3"} /tmp/qualify.json >/tmp/out 2>/tmp/err
	qualify_status=$?
	note "$(cat /tmp/out)"
	is "$(sed -n 's/^ *\([0-9]*\)  .*  \(FAIL\|NOT KNOWN\)  .*/\1 \2/p' /tmp/out | paste -sd' ')" \
		"$2" "$1: all other questions pass"
	case $2 in
	'') is "$qualify_status $(tail -n 1 /tmp/out)" "0 PASS: 0 failed, 0 not known; send /tmp/qualify.json" \
		"$1: qualify exits with 0 and PASS" ;;
	*FAIL*) is $qualify_status 2 "$1: qualify exits with 2" ;;
	*) is $qualify_status 1 "$1: qualify exits with 1" ;;
	esac
	! grep -qv '^qualify: question' /tmp/err || note "$(cat /tmp/err)"
}
