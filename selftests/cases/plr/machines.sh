#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run other machines: invalid tables, missing instances, four CPUs per module, unknown
# models, PCI functions bound to other drivers. Valid parts are shown. Others are not
# accessed, and the log names the fault.
# contract: asleep unknown
# all kernels: 6.1 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# package BUS TPMI_KEYS [PLR]: print a package of a machine file
package() {
	printf '{ "bus": %d, "discovery": { "units": [ %s ] },
		"tpmi": { %s "plr": [ { "instance": 0, "modules": 1 %s } ] } }' "$1" \
		'{ "type": 6, "id": 0, "access": "mmio", "address": "auto" }' "$2" "${3-}"
}
feature() {
	printf '"features": [ { "id": "0x0c", %s } ],' "$1"
}
# Eight packages; each but the first has a fault of its own.
cat >"$TMP/liars.json" <<-JSON
	{ "name": "liars", "cpu": { "model": 173, "packages": 8, "cores": 1 },
	  "packages": [ $(package 0 ''),
	    $(package 16 '"vsec": { "bir": 6 },'),
	    $(package 32 "$(feature '"entries": 255')"),
	    $(package 48 "$(feature '"cap_offset": "0xfffc"')"),
	    $(package 64 "$(feature '"size": 0')"),
	    $(package 80 '' ', "header": "0x21"'),
	    $(package 96 "$(feature '"read_blocked": true')"),
	    $(package 112 '"info": { "package": 9 },') ] }
JSON
cat >"$TMP/unknown.json" <<-JSON
	{ "name": "unknown", "cpu": { "model": 106, "packages": 1, "cores": 2 },
	  "packages": [ $(package 0 '') ] }
JSON
# One package with two TPMI devices: one for power domains 0 and 1, one for 2. The first
# device also has a valid instance 2, which is its IO die.
cat >"$TMP/two.json" <<-JSON
	{ "name": "two", "cpu": { "model": 173, "packages": 1, "cores": 6, "cpus_per_module": 1 },
	  "pm_logical_id": { "0": 0, "1": 8, "2": "0x800", "3": "0x808", "4": "0x1000", "5": "0x1008" },
	  "packages": [ { "bus": 0, "oobmsm": [ { "devfn": "03.1" }, { "devfn": "04.1" } ],
	    "tpmi": [ { "info": { "cdie_mask": 3 },
			"plr": [ { "instance": 0, "modules": 3 }, { "instance": 1, "modules": 3 },
				 { "instance": 2, "modules": 1 } ] },
		      { "info": { "partition": 1, "cdie_mask": 4 },
			"plr": [ { "instance": 0, "modules": 2 } ] } ] } ] }
JSON

for k in $KERNELS; do
	in_vm "$k liars" --kernel "$k" --machine "$TMP/liars.json" --drivers none <<'SCRIPT'
plr_kernel
hw mailbox 0/0 slow 0
hw count reset
modprobe pmon_plr
log=$(dmesg)
is "$(cd $PMON && echo pkg*-dom*)" "pkg0-dom0 pkg9-dom0" "only the two valid instances have a domain"
is "$(cat $PMON/pkg0-dom0/plr/core0/reasons)" none "a valid instance beside invalid ones is read"
for field in bir:6 entries:ff cap_offset:fffc entry_size:0; do
	case $field:$(uname -r) in
	# Only 6.1 logs the wrong bir: on other kernels their TPMI driver creates no device
	# for it, so pmon_plr does not probe.
	bir:6:6.1.*) ;;
	bir:6:*) continue ;;
	esac
	like "$log" "TPMI table refused: ${field%:*} 0x${field#*:} is out of range" \
		"the log names ${field%:*} of a TPMI table that is refused"
done
like "$log" "PLR instance 0: version 0x21 is not known, not used" "the log names the unknown version of an instance"
like "$log" "pkg6-tpmi0: no PLR instance responds, firmware may have blocked reads" \
	"the log has a line on reads that firmware blocks"
is "$(cat $PMON/pkg9-dom0/cpus)" "" "a domain whose package has no CPUs lists none"
is "$(plr_accesses mailbox plr-data die-level)" 9 \
	"only one read and its test write of nine accesses go to hardware"
SCRIPT

	in_vm "$k unknown" --kernel "$k" --machine "$TMP/unknown.json" --drivers none <<'SCRIPT'
plr_kernel
hw count reset
modprobe pmon_plr
is "$(cd $PMON && echo *)" pkg0-tpmi0 "an unknown model has no domain"
is "$(cat $PMON/pkg0-tpmi0/mode)" unknown-model "the file mode has the value unknown-model"
like "$(dmesg)" "PLR instance 0: not used: unknown-model" "the log names unknown-model as the reason"
is "$(plr_accesses msr mailbox)" 0 "no MSR and no mailbox is read on an unknown model"
rmmod pmon_plr
modprobe pmon_plr generic=1
is "$(cat $PMON/pkg0-dom0/plr/core0/reasons) $(cat $PMON/pkg0-tpmi0/mode)" \
	"none on" "generic=1 drives an unknown model"
hw plr 0/0/0 =0x0100040000000204
is "$(cat $PMON/pkg0-dom0/plr/core0/reasons)" "COARSE2 COARSE9 FINE10 FINE24" \
	"reasons of an unknown model are numbers without names"
is "$(cd /sys/bus/event_source/devices/plr/events && echo *)" "observed observed.scale observed.unit" \
	"an unknown model has no event by name but observed"
like "$(pmonctl plr --once)" 'FINE10 FINE24' "pmonctl plr has the same numbers of an unknown model"
runs "a clear by number succeeds on an unknown model" sh -c "echo FINE10 >$PMON/pkg0-dom0/plr/core0/clear"
is "$(cat $PMON/pkg0-dom0/plr/core0/reasons)" "COARSE2 COARSE9 FINE24" "a clear by number clears that bit alone"
rmmod pmon_plr
hw count reset
modprobe pmon_plr mode=off
is "$(hw count | grep -c -v 'reads=0 writes=0')" 0 "mode=off makes no access"
SCRIPT

	# ---- some bits have another meaning on later processors
	in_vm "$k dmr" --kernel "$k" --machine dmr-2s --drivers none <<'SCRIPT'
plr_kernel
hw plr 0/0/0 "=$(plr_value 9)"
if [ -e /lib/peers/intel_plr_tpmi.ko ]; then
	modprobe -q intel_tpmi_power_domains || modprobe -q tpmi_power_domains
	insmod /lib/peers/intel_plr_tpmi.ko
	like "$(cat /sys/kernel/debug/tpmi-*/plr/domain0/status)" '^cpu0 DFC' \
		"intel_plr_tpmi shows Granite Rapids' name on Diamond Rapids"
	rmmod intel_plr_tpmi
fi
modprobe pmon_plr
is "$(cat $PMON/pkg0-tpmi0/mode)" on "the file mode has the value on for Diamond Rapids without a parameter"
is "$(cd $PMON && echo pkg*-dom*)" "pkg0-dom0 pkg0-dom1 pkg1-dom0 pkg1-dom1" \
	"Diamond Rapids has domains in both packages"
is "$(cat $CPUS/cpu0/plr/reasons)" ICCMAX "bit 9 is ICCMAX on Diamond Rapids"
sed 's/ DFC$/ ICCMAX/; s/ DFC_UFS$/ ICCMAX_MODULE_LEVEL/; s/_MMIO$/_CSR/
	s/RSVD_FINE22/CURRENT_RACL/; s/MISC_PCS_PSTATE/RSVD_FINE29/; s/RSVD_FINE30/RAS_MODULE_LEVEL/' \
	>/root/names <<EOS
$(plr_names)
EOS
is "$(plr_names | diff - /root/names | grep -c '^+[0-9]')" 9 \
	"nine names differ between Diamond Rapids and Granite Rapids"
plr=$PMON/pkg0-dom0/plr
plr_bench
while read -r bit name; do
	plr_set plr 0/0/0 $((1 << bit))
	read -r reasons <$plr/core0/reasons
	[ "$reasons" = "$name" ] || echo "$bit: $reasons"
done </root/names >/root/wrong
plr_bench_ends
is "$(cat /root/wrong)" "" "each of 64 bits has its name on Diamond Rapids"
is "$(cd /sys/bus/event_source/devices/plr/events && ls -d iccmax iccmax_module_level power_pkg_pl1_csr \
	current_racl dfc dfc_ufs misc_pcs_pstate power_pkg_pl1_mmio 2>/dev/null | tr '\n' ' ')" \
	"current_racl iccmax iccmax_module_level power_pkg_pl1_csr " "events have the names of Diamond Rapids"
hw plr 0/0/0 =0x4100080000000240
is "$(pmonctl plr --once --json | tr -d ' \n' | sed 's/"core0"[^[]*"reasons":\[\([^]]*\)\].*/@\1/; s/.*@//')" \
	'"RAS","ICCMAX","POWER_PKG_PL1_CSR","ICCMAX_MODULE_LEVEL","RAS_MODULE_LEVEL"' \
	"pmonctl plr has the names of Diamond Rapids"
like "$(pmonctl explain 0x0100000000000200)" 'maximum current .ICCmax. of this module' \
	"pmonctl explain has the meaning of ICCMAX"
not_written "Invalid argument" \
	"a clear by a name of Granite Rapids is refused on Diamond Rapids" $plr/core0/clear DFC
runs "a clear by a name of Diamond Rapids succeeds" sh -c "echo ICCMAX >$plr/core0/clear"
like "$(cat $plr/core0/reasons)" '^RAS POWER_PKG_PL1_CSR' "a clear of ICCMAX leaves the other reasons"
SCRIPT

	in_vm "$k two" --kernel "$k" --machine "$TMP/two.json" --drivers none <<'SCRIPT'
plr_load
is "$(cd $PMON && echo *)" "pkg0-dom0 pkg0-dom1 pkg0-dom2 pkg0-tpmi0 pkg0-tpmi1" \
	"two TPMI devices have three domains"
like "$(dmesg)" 'pkg0-tpmi0: PLR instance 2: no compute die, not used' \
	"the log has a line on an IO die that is not used"
is "$(cat $PMON/pkg0-tpmi1/partition) $(cat $PMON/pkg0-dom2/domain_id) $(cat $PMON/pkg0-dom2/cpus)" \
	"1 2 4-5" "domain 2 belongs to the second partition and CPUs 4 and 5"
hw plr 0.1/0/1 =0x4
hw plr 0.0/1/0 =0x8
is "$(for n in 0 1 2 3 4 5; do cat $CPUS/cpu$n/plr/reasons; done | tr '\n' ' ')" \
	"none none THERMAL none none POWER " "each CPU's link leads to the reasons of its module"
is "$(cat /sys/bus/event_source/devices/plr/cpumask)" 0-5 "cpumask has one CPU of each of six modules"
echo 0000:00:04.1 >/sys/bus/pci/drivers/intel_vsec/unbind
is "$(cd $PMON && echo *)" "pkg0-dom0 pkg0-dom1 pkg0-dom2 pkg0-tpmi0" \
	"all domains stay when the second device is unbound"
is "$(plr_error $CPUS/cpu5/plr/reasons) $(cat $CPUS/cpu2/plr/reasons)" "No such device THERMAL" \
	"CPUs of the first device are read when the second is unbound"
plr_bind 0000:00:04.1
is "$(cat $CPUS/cpu5/plr/reasons)" POWER "CPUs of the second device are read when it is bound again"
SCRIPT

	# ---- as on a real machine: every die has a latched reason since boot
	plr_latched=kept in_vm "$k real" --kernel "$k" --machine gnr-2s --drivers none <<'SCRIPT'
plr_load
is "$(cat $PMON/pkg*-dom*/plr/die/reasons $PMON/pkg*-dom*/plr/core0/reasons | sort | uniq -c | tr -s ' ')" \
	" 8 FREQUENCY" "each of four dies shows its boot reason and no IO die is shown"
like "$(hw mailbox 0/0)" ' ns=100000 ' "a mailbox takes 100 us"
echo "plr 0/0/3 0x0000040000000004 0 600000000000" | hw plr schedule -
plr_says '^0/0/core3 6-7 POWER_PKG_PL1_MSR_TPMI -$'
out=$(echo "$out" | tr -s ' ')
like "$out" '^1 of 12 modules limited now, 4 at a turbo limit before$' \
	"pmonctl plr counts one of 12 modules as limited now beside boot reasons"
like "$out" '^0/0/core3 6-7 POWER_PKG_PL1_MSR_TPMI -$' "pmonctl plr shows the limit in force beside boot reasons"
hw plr stop
perf stat -x, -a -e plr/frequency/,plr/observed/ -o /root/stat -- sleep 0.5
is "$(awk -F, '$3 == "plr/frequency/" { print $1 + 0 }' /root/stat)" 0 "an event counts nothing for a boot reason"
is "$(cat $PMON/pkg0-dom1/plr/core0/reasons)" FREQUENCY "a boot reason stays on record after an event"

# Monitoring begins as soon as there is a file to begin it with.
plr=$PMON/pkg0-dom0/plr
rmmod pmon_plr
hw die 0/0 computed
hw plr 0/0/1 =0x8
{ until echo 1000 >$plr/interval_ms; do :; done; } 2>/dev/null &
modprobe pmon_plr
wait
plr_watched $plr/die/active >/dev/null
is "$(awk '$1 == "THERMAL" { print $2 }' $plr/die/time_in_reason) $(cat $plr/die/reasons)" "0 THERMAL" \
	"a boot reason counts no time if monitoring begins while the module loads"
SCRIPT

	in_vm "$k srf" --kernel "$k" --machine srf-1s --drivers none <<'SCRIPT'
plr_kernel
hw count reset
modprobe pmon_plr mode=observe
is "$(cd $PMON && echo *) $(cat $PMON/pkg0-tpmi0/mode)" "pkg0-tpmi0 observe" "mode=observe has no domain"
is "$(plr_accesses msr mailbox)$(plr_written)" 0 "mode=observe reads no MSR and no mailbox and writes nothing"
rmmod pmon_plr
dmesg | grep pmon >/root/before
modprobe pmon_plr
is "$(cd $PMON && echo pkg*-dom*)" pkg0-dom0 "only the one live compute die has a domain"
is "$(dmesg | grep pmon)" "$(cat /root/before)" "loading logs no line on absent dies"
is "$(cat $PMON/pkg0-dom0/plr/core0/cpus)" 0-3 "a module has four CPUs"
hw plr 0/0/1 =0x4
for cpu in 4 5 6 7; do
	cat $CPUS/cpu$cpu/plr/reasons
done | sort -u >/root/out
is "$(cat /root/out)" POWER "all four CPUs of a module show the same reason"
is "$(cat $CPUS/cpu3/plr/reasons)" none "a CPU of the next module shows no reason"

# ---- a function bound to a driver for virtual machines
fn=/sys/bus/pci/devices/0000:00:03.1
modprobe pci-stub
echo 0000:00:03.1 >$fn/driver/unbind
echo pci-stub >$fn/driver_override
echo 0000:00:03.1 >/sys/bus/pci/drivers/pci-stub/bind
is "$(basename "$(readlink $fn/driver)")" pci-stub "the function is bound to pci-stub"
is "$(ls $PMON) $(plr_error $CPUS/cpu7/plr/reasons)" "pkg0-dom0 No such device" \
	"reasons give ENODEV while the function is at pci-stub"
rmmod pmon_plr
hw count reset
modprobe pmon_plr
is "$(ls $PMON)" "" "a load while the function is at pci-stub shows no domain"
is "$(plr_accesses pfs tpmi-info plr-header mailbox)" 0 "no register is accessed while the function is at pci-stub"
echo 0000:00:03.1 >$fn/driver/unbind
echo >$fn/driver_override
plr_bind 0000:00:03.1
becomes '[ -e $PMON/pkg0-dom0 ]'
is "$(cat $CPUS/cpu7/plr/reasons)" POWER "reasons are shown when the function is back at intel_vsec"
SCRIPT
done
finish
