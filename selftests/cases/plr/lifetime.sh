#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Remove objects whose files are open, and bring them back: unbind and bind the PCI
# function's driver, unload the module, take CPUs offline and online. Files of removed
# objects return ENODEV, objects that are back are shown, links follow the CPUs.
# contract: domain
# all kernels: 6.1 6.12 newest
# check: none
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none <<'SCRIPT'
plr_kernel
modprobe pmon gid=7
modprobe pmon_plr
dom=$PMON/pkg0-dom0
core=$dom/plr/core1
hw plr 0/0/1 =0x4

is "$(stat -c '%a %u %g' $core/reasons $core/raw $dom/plr/die/fine | sort -u)" \
	"440 0 7" "files that read hardware are of root and the group asked for"
is "$(stat -c '%a' $core/active $core/time_in_reason $core/cpus $dom/cpus $dom/plr/version | sort -u)" \
	"444" "the others are everybody's"
is "$(cat $dom/package_id $dom/domain_id)" "0
0" "package and domain"

# ---- links and lists agree with each other
for link in $CPUS/cpu[0-9]*/plr; do
	cpu=${link%/plr} cpu=${cpu##*/cpu}
	case ,$(cat $link/cpus), in
	*",$cpu,"* | *",$cpu-"* | *"-$cpu,"*) ;;
	*) echo "cpu$cpu is not among $(cat $link/cpus)" ;;
	esac
done >/root/wrong
is "$(cat /root/wrong)" "" "each CPU is in the list of the module that it links to"
is "$(ls -d $CPUS/cpu[0-9]*/plr | wc -l)" "$(nproc)" "each CPU has a link"

# ---- CPU hotplug
set -- $(cat $core/cpus | tr ',-' '  ')
first=$1 second=$2
before=$(cat $core/cpus)
all=$(cat $dom/cpus)
echo 0 >$CPUS/cpu$second/online
is "$(cat $core/cpus)" "$first" "an offline CPU leaves its module"
is "$(ls -d $CPUS/cpu$second/plr 2>/dev/null)" "" "and has no link"
is "$(cat $core/reasons)" POWER "the module is read through the other"
echo 0 >$CPUS/cpu$first/online
is "$(cat $core/cpus)" "" "a module without CPUs"
is "$(cat $core/reasons)" POWER "is still on record"
echo 1 >$CPUS/cpu$second/online
echo 1 >$CPUS/cpu$first/online
is "$(cat $core/cpus)|$(cat $dom/cpus)" "$before|$all" "both are back"
is "$(cat $CPUS/cpu$second/plr/reasons)" POWER "and linked"

# ---- the PCI function's driver is unbound and bound, with files open
function=0000:00:03.1
exec 3<$core/reasons
echo $function >/sys/bus/pci/drivers/intel_vsec/unbind
is "$(ls -d $PMON/pkg0-* 2>/dev/null | tr '\n' ' ')" "$PMON/pkg0-dom0 $PMON/pkg0-dom1 " "unbound: domains stay, the device goes"
is "$(plr_error $core/reasons)" "No such device" "unbound: ENODEV"
is "$(plr_error $dom/plr/die/raw)" "No such device" "so does the die"
like "$(echo all | dd of=$core/clear 2>&1)" "No such device" "and a clear"
is "$(plr_error $core/active)" "No data available" "and nothing is active"
is "$(cat $CPUS/cpu$first/plr/cpus)" "$before" "links stay"
like "$(cat $core/time_in_reason)" '^observed' "and so does time in reason"
like "$(cat <&3 2>&1)" "No such device" "a file open since before: ENODEV"
isnt "$(cat $PMON/pkg1-dom0/plr/core0/reasons)" "" "the other package stays"
echo 0000:80:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind
echo 0000:80:03.1 >/sys/bus/pci/drivers/intel_vsec/bind
becomes '[ -e $PMON/pkg1-tpmi0 ]'
is "$(plr_error $core/reasons)" "No such device" "another function that is bound does not bring it back"
plr_bind $function
is "$(cat $core/reasons)" POWER "bound again: read again"
exec 3<&-

# ---- unbind, bind, unload, load and CPU hotplug many times, with readers
for n in 1 2; do
	while [ ! -e /root/stop ]; do
		cat $PMON/pkg0-dom0/plr/*/reasons $PMON/pkg0-dom*/cpus \
			$CPUS/cpu*/plr/raw
	done >/dev/null 2>&1 &
done
for n in $(seq 4); do
	echo $function >/sys/bus/pci/drivers/intel_vsec/unbind
	echo $function >/sys/bus/pci/drivers/intel_vsec/bind
	echo 0 >$CPUS/cpu$first/online
	rmmod pmon_plr
	modprobe pmon_plr
	echo 1 >$CPUS/cpu$first/online
done
: >/root/stop
wait
is "$(cat $core/reasons)" POWER "4 rounds of unbind, bind, rmmod and modprobe under readers"
is "$(cat $dom/cpus)" "$all" "all CPUs are in place"

# ---- the module is unloaded while a file is open
exec 3<$core/reasons
rmmod pmon_plr
is "$?" 0 "an open file does not keep the module"
like "$(cat <&3 2>&1)" "No such device" "and gives ENODEV"
SCRIPT

	# Boot with six CPUs online. Skip this on sanitizer, which takes a minute to boot.
	[ "$k" != sanitizer ] || continue
	in_vm "$k maxcpus" --kernel "$k" --machine gnr-2s --drivers none \
		--append maxcpus=6 <<'SCRIPT'
modprobe pmon_plr
online=$(cat $CPUS/online)
is "$(ls -d $CPUS/cpu[0-9]*/plr | wc -l)" "$(nproc)" "only CPUs that are online have links ($online)"
for list in $PMON/pkg*-dom*/cpus; do
	cat $list
done | tr ',' '\n' | awk -F- 'NF { n += ($2 == "" ? 1 : $2 - $1 + 1) } END { print n }' >/root/n
is "$(cat /root/n)" "$(nproc)" "the domains together have the CPUs that are online"
dom=$PMON/pkg1-dom0
hw plr 1/0/0 =0x4
hw plr 1/0/1 =0x8
is "$(ls -d $dom/plr/core* 2>/dev/null)$(cat $dom/cpus)" "" \
	"a domain without CPUs shows no modules"
is "$(cat $dom/plr/die/reasons)" "POWER THERMAL" "but its die"
# In pkg1-dom0 CPU 14 is in module 1, and CPUs 12 and 13 are module 0.
echo 1 >$CPUS/cpu14/online
is "$(cat $CPUS/cpu14/plr/reasons)" THERMAL "a CPU that comes later finds its own module"
is "$(cat $dom/plr/core1/cpus) $(cat $dom/cpus)" "14 14" "which lists it"
is "$(ls -d $dom/plr/core*)" $dom/plr/core1 "and no other module appears"

# Module 3 of this die has no online CPU, but a reason since boot.
plr=$dom/plr
is "$(ls -d $plr/core3 2>/dev/null)" "" "a module without a CPU has no directory"
for kind in collects computed latches; do
	rmmod pmon_plr
	hw plr clear
	hw die 1/0 $kind
	hw plr 1/0/3 =0x8
	hw die 1/0 =0x8
	modprobe pmon_plr interval_ms=100
	sleep 5
	hw count reset
	sleep 3
	# Nothing clears module 3, so the reason stays active, except at a die that collects.
	stays=THERMAL
	[ $kind != collects ] || stays=none
	is "$(cat $plr/die/active) $(cat $plr/die/reasons)" "$stays THERMAL" \
		"a die that $kind: what a module without a CPU had since boot is the die's alone"
	is "$(hw mailbox 1/0 | sed 's/.* commands=\([0-9]*\).*/\1/')" 0 "which costs nothing from then on"
	echo "plr 1/0/3 0x8 0 600000000000" | hw plr schedule -
	sleep 5
	hw count reset
	sleep 20
	is "$(cat $plr/die/active)" THERMAL "in force there it is the die's alone"
	commands=$(hw mailbox 1/0 | sed 's/.* commands=\([0-9]*\).*/\1/')
	is "$((commands <= 400 ? 0 : commands))" 0 "at 20 commands a second at most"
	hw plr stop
done
SCRIPT
done
finish
