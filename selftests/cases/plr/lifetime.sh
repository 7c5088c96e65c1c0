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

is "$(stat -c '%a %u %g' $core/reasons $core/raw $core/active $core/time_in_reason \
	$dom/plr/die/fine | sort -u)" \
	"440 0 7" "files that read hardware or show when a core is limited belong to root and the group of gid="
is "$(stat -c '%a' $core/cpus $dom/cpus $dom/plr/version | sort -u)" \
	"444" "files that show neither hardware nor limits are readable by everybody"
is "$(cat $dom/package_id $dom/domain_id)" "0
0" "package_id and domain_id are those of the domain"

# ---- links and lists agree with each other
for link in $CPUS/cpu[0-9]*/plr; do
	cpu=${link%/plr} cpu=${cpu##*/cpu}
	case ,$(cat $link/cpus), in
	*",$cpu,"* | *",$cpu-"* | *"-$cpu,"*) ;;
	*) echo "cpu$cpu is not among $(cat $link/cpus)" ;;
	esac
done >/root/wrong
is "$(cat /root/wrong)" "" "each CPU is in the list of the module that its link leads to"
is "$(ls -d $CPUS/cpu[0-9]*/plr | wc -l)" "$(nproc)" "each CPU has a link to its module"

# ---- CPU hotplug
set -- $(cat $core/cpus | tr ',-' '  ')
first=$1 second=$2
before=$(cat $core/cpus)
all=$(cat $dom/cpus)
echo 0 >$CPUS/cpu$second/online
is "$(cat $core/cpus)" "$first" "an offline CPU is not in its module's list"
is "$(ls -d $CPUS/cpu$second/plr 2>/dev/null)" "" "an offline CPU has no link"
is "$(cat $core/reasons)" POWER "a module with an offline CPU is read through its other CPU"
echo 0 >$CPUS/cpu$first/online
is "$(cat $core/cpus)" "" "a module whose CPUs are all offline has an empty list"
is "$(cat $core/reasons)" POWER "a module whose CPUs are all offline keeps its reasons"
echo 1 >$CPUS/cpu$second/online
echo 1 >$CPUS/cpu$first/online
is "$(cat $core/cpus)|$(cat $dom/cpus)" "$before|$all" "module and domain list both CPUs when they are online again"
is "$(cat $CPUS/cpu$second/plr/reasons)" POWER "a CPU that is online again has its link"

# ---- the PCI function's driver is unbound and bound, with files open
function=0000:00:03.1
exec 3<$core/reasons
echo $function >/sys/bus/pci/drivers/intel_vsec/unbind
is "$(ls -d $PMON/pkg0-* 2>/dev/null | tr '\n' ' ')" "$PMON/pkg0-dom0 $PMON/pkg0-dom1 " \
	"domains stay and the device goes when the function is unbound"
is "$(plr_error $core/reasons)" "No such device" "reasons of a core give ENODEV when the function is unbound"
is "$(plr_error $dom/plr/die/raw)" "No such device" "raw of the die gives ENODEV when the function is unbound"
like "$(echo all | dd of=$core/clear 2>&1)" "No such device" "a clear gives ENODEV when the function is unbound"
is "$(plr_error $core/active)" "No data available" "active gives ENODATA when the function is unbound"
is "$(cat $CPUS/cpu$first/plr/cpus)" "$before" "links of CPUs stay when the function is unbound"
like "$(cat $core/time_in_reason)" '^observed' "time_in_reason stays readable when the function is unbound"
like "$(cat <&3 2>&1)" "No such device" "a file open since before the unbind gives ENODEV"
isnt "$(cat $PMON/pkg1-dom0/plr/core0/reasons)" "" "the other package is read when a function is unbound"
echo 0000:80:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind
echo 0000:80:03.1 >/sys/bus/pci/drivers/intel_vsec/bind
becomes '[ -e $PMON/pkg1-tpmi0 ]'
is "$(plr_error $core/reasons)" "No such device" "a bind of the other function does not bring back the first"
plr_bind $function
is "$(cat $core/reasons)" POWER "reasons are read again when the function is bound"
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
is "$(cat $core/reasons)" POWER "reasons are read after 4 rounds of unbind, bind, rmmod and modprobe under readers"
is "$(cat $dom/cpus)" "$all" "the domain has all CPUs after 4 rounds"

# ---- the module is unloaded while a file is open
exec 3<$core/reasons
rmmod pmon_plr
is "$?" 0 "the module unloads while a file is open"
like "$(cat <&3 2>&1)" "No such device" "an open file gives ENODEV after the unload"
SCRIPT

	# Boot with six CPUs online. Skip this on sanitizer, which takes a minute to boot.
	[ "$k" != sanitizer ] || continue
	in_vm "$k maxcpus" --kernel "$k" --machine gnr-2s --drivers none \
		--append maxcpus=6 <<'SCRIPT'
plr_load
online=$(cat $CPUS/online)
is "$(ls -d $CPUS/cpu[0-9]*/plr | wc -l)" "$(nproc)" "only online CPUs have links ($online)"
for list in $PMON/pkg*-dom*/cpus; do
	cat $list
done | tr ',' '\n' | awk -F- 'NF { n += ($2 == "" ? 1 : $2 - $1 + 1) } END { print n }' >/root/n
is "$(cat /root/n)" "$(nproc)" "the domains together list the online CPUs"
dom=$PMON/pkg1-dom0
hw plr 1/0/0 =0x4
hw plr 1/0/1 =0x8
is "$(ls -d $dom/plr/core* 2>/dev/null)$(cat $dom/cpus)" "" \
	"a domain without online CPUs has no module"
is "$(cat $dom/plr/die/reasons)" "POWER THERMAL" "a domain without online CPUs has its die"
# In pkg1-dom0 CPU 14 is in module 1, and CPUs 12 and 13 are module 0.
echo 1 >$CPUS/cpu14/online
is "$(cat $CPUS/cpu14/plr/reasons)" THERMAL "a CPU that comes online links to its own module"
is "$(cat $dom/plr/core1/cpus) $(cat $dom/cpus)" "14 14" "the module lists the CPU that came online"
is "$(ls -d $dom/plr/core*)" $dom/plr/core1 "no module without online CPUs appears"

# Module 3 of this die has no online CPU, but a reason since boot.
plr=$dom/plr
is "$(ls -d $plr/core3 2>/dev/null)" "" "a module without online CPUs has no directory"
for kind in collects computed latches; do
	rmmod pmon_plr
	hw plr clear
	hw die 1/0 $kind
	# Module 1, which keeps its bit, shows at the first poll whether the die collects.
	hw plr 1/0/1 =0x4
	hw plr 1/0/3 =0x8
	hw die 1/0 =0xc
	modprobe pmon_plr interval_ms=100
	sleep 5
	hw count reset
	sleep 3
	is "$(cat $plr/die/active) $(cat $plr/die/reasons)" "none POWER THERMAL" \
		"a die that $kind shows a boot reason of a module without CPUs, but not as active"
	is "$(hw mailbox 1/0 | sed 's/.* commands=\([0-9]*\).*/\1/')" 0 \
		"a die that $kind costs no command for a module without CPUs"
	echo "plr 1/0/3 0x8 0 600000000000" | hw plr schedule -
	sleep 5
	hw count reset
	sleep 20
	# Other dies keep such a bit for ever, so that it says nothing of now.
	in_force=none
	[ $kind != collects ] || in_force=THERMAL
	is "$(cat $plr/die/active)" $in_force \
		"a die that $kind has a limit in force of a module without CPUs as $in_force"
	commands=$(hw mailbox 1/0 | sed 's/.* commands=\([0-9]*\).*/\1/')
	is "$((commands <= 400 ? 0 : commands))" 0 \
		"a die that $kind costs 20 commands a second at most for that limit"
	hw plr stop
done
SCRIPT
done
finish
