#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Compare the kernel's driver intel_plr_tpmi (the peer) with ours: both report the same
# reasons for every CPU from the same hardware state. The peer takes three accesses per
# CPU, ours five per module. For the newest kernel the peer is built from the newest
# source.
# contract: owner-plr
# kernels: 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

for run in ${KERNELS// /:gnr-2s }:gnr-2s ${KERNELS// /:srf-1s }:srf-1s; do
	k=${run%:*} machine=${run#*:}
	in_vm "$k $machine" --kernel "$k" --machine "$machine" --drivers none <<'SCRIPT'
modprobe intel_vsec_tpmi
# The peer gets module and domain of each CPU from this kernel module.
modprobe -q intel_tpmi_power_domains || modprobe -q tpmi_power_domains
insmod /lib/peers/intel_plr_tpmi.ko

# ours: print the reasons of each domain and CPU; words: turn names of reserved bits into the peer's
ours() {
	for dom in "$PMON"/pkg*-dom*; do
		read -r reasons <"$dom/plr/die/reasons"
		echo "${dom##*/} cpus $reasons"
	done
	set -- "$CPUS"/cpu[0-9]*/plr
	realpath "$@" | while read -r module; do
		read -r reasons <"$1/reasons"
		dom=${module%/plr/*} cpu=${1%/plr}
		echo "${dom##*/} ${cpu##*/} $reasons"
		shift
	done
}
words() {
	sed -E 's/RSVD_COARSE([0-9]+)/UNKNOWN(\1)/g; s/RSVD_FINE(3[01])/UNKNOWN(F\1)/g
		s/RSVD_FINE([0-9]+)/UNKNOWN(\1)/g
		s/F30/62/g; s/F31/63/g' | sort
}

# peer: print the peer's lines in the format of `ours`; directories are in package order
peer() {
	package=0
	for dir in /sys/kernel/debug/tpmi-*; do
		for file in "$dir"/plr/domain*/status; do
			dom=${file%/status}
			sed "s/^/pkg$package-dom${dom##*/domain} /" "$file"
		done
		package=$((package + 1))
	done | sort
}

modprobe pmon_plr
domains=$(cd $PMON && ls -d pkg*-dom* 2>/dev/null)
is "$domains" "" "pmon_plr has no domain if intel_plr_tpmi was loaded first"
like "$(dmesg)" "PLR left to .*plr" "the log names the driver that PLR is left to"
modprobe -r pmon_plr

# fill SEED: set a different value on each core of each domain
fill() {
	for p in 0 1; do for d in 0 1; do
		# The die level is sticky, so clear what the last fill has left.
		echo "die $p/$d =0"
		for m in 0 1 2 3 4 5 6 7; do
			printf 'plr %d/%d/%d =0x%x\n' $p $d $m \
				$((1 << (p * 29 + d * 17 + m * 5 + $1) % 64))
		done
	done; done | hw - >/dev/null 2>&1
}

for seed in 0 1 2 3 4; do
	fill $seed
	peer >/root/peer.$seed
done
fill 0
for d in 0/0 0/1; do hw mailbox $d slow 0; done 2>/dev/null
# Read all of package 0, whose domains are in the first of the two directories.
files=$(ls /sys/kernel/debug/tpmi-*/plr/domain*/status | grep "$(ls -d /sys/kernel/debug/tpmi-* | head -n 1)/")
domains=$(echo "$files" | wc -l)
hw count reset
cat $files >/root/peer.all
peer_cost=$(plr_total)
cpus=$(grep -c '^cpu[0-9]' /root/peer.all)
is "$peer_cost" $((3 * cpus + domains)) "intel_plr_tpmi takes 3 accesses per CPU and 1 per domain"

rmmod intel_plr_tpmi
modprobe pmon_plr
for seed in 0 1 2 3 4; do
	fill $seed
	ours | words >/root/ours.$seed
	is "$(diff /root/peer.$seed /root/ours.$seed)" "" \
		"both drivers show the same for every CPU and die in state $seed"
done
isnt "$(wc -l </root/ours.0)" 0 "pmon_plr shows reasons of CPUs"

modules=$(ls -d $PMON/pkg0-dom*/plr/core* | wc -l)
is "$(ls -d $PMON/pkg0-dom* | wc -l)" "$domains" "both drivers have the same domains"
hw count reset
cat $PMON/pkg0-dom*/plr/die/reasons $PMON/pkg0-dom*/plr/core*/reasons >/dev/null
note "package 0: $cpus CPUs, $modules modules, $domains domains: peer $peer_cost accesses, ours $(plr_total)"
is "$(plr_total)" $((5 * modules + domains)) "pmon_plr takes 5 accesses per module and 1 per domain"
is "$((modules < cpus))" 1 "a module has several CPUs"
SCRIPT
done

# plr.rst says for intel_vsec: where intel_plr_tpmi is bound, an unbind of intel_vsec alone
# makes kernels up to 7.0 oops.
awk '/^    cd .sys.bus.auxiliary/ { on = 1 } !/^    / { on = 0 } on' \
	"$ROOT/Documentation/admin-guide/plr.rst" >"$TMP/rebind"
for k in $KERNELS; do
	in_vm "$k rebind" --kernel "$k" --machine gnr-2s --drivers both --copy "$TMP/rebind" <<'SCRIPT'
devices() { ls -d /sys/bus/auxiliary/devices/intel_vsec.tpmi-plr* 2>/dev/null | wc -l; }
before=$(devices)
isnt "$before" 0 "intel_vsec has devices of PLR"
runs "intel_plr_tpmi drives the devices of PLR" sh -c 'ls -d /sys/bus/auxiliary/drivers/intel_plr_tpmi*/intel_vsec.*'
runs "the commands of plr.rst unbind and bind intel_vsec while intel_plr_tpmi is loaded" \
	timeout 60 sh -e /root/rebind
is "$(devices)" "$before" "intel_vsec has its devices of PLR again"
is "$(dmesg | grep -cE 'BUG:|Oops')" 0 "the kernel does not oops when intel_vsec is unbound as plr.rst says"
SCRIPT
done
finish
