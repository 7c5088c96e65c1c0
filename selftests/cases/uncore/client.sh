#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# contract: freeze names-kernel
# check: newest
# kernels: 6.1 6.12 newest
# Test client processors, whose discovery table is at an address in an MSR: every unit in the
# table and every unit in MSRs counts exactly, perf's events for Panther Lake count what hardware
# counts for their codes, registers that stop all units are set to run, and free-running counters
# of memory traffic are read. Without an address in the MSR there are no boxes, but a line in the
# log. On unknown models, and under a hypervisor, no MSR is read unless the user requests it. The
# newest kernel's own driver has the same PMUs, formats and counts.
. "$(dirname "$0")/../lib/tap.sh"

# Write a line "NAME UNIT CODE" for each of perf's events.
/usr/bin/python3 - "$("$ROOT/selftests/lib/build/source" newest)" >"$TMP/events" <<'PY' || exit
import json, pathlib, sys
lists = pathlib.Path(sys.argv[1]) / "tools/perf/pmu-events/arch/x86/pantherlake"
for path in sorted(lists.glob("uncore-*.json")):
    for event in json.loads(path.read_text()):
        assert "UMask" not in event, event
        print(event["EventName"], event["Unit"].lower(), event["EventCode"].lower())
PY

nova=$(machine ptl-1s 'm["name"] = "nvl-2s"
m["cpu"].update(family=18, model=1, packages=2, cores=2)
block = m["packages"][0]["blocks"][0]
block.update(msr="0x711")
block["switches"] = block["switches"][:1] + [
    {"access": "msr", "address": "0x202e", "run": "0x20000000"}]
del block["units"][4], block["units"][0]
cbox, santa, cncu = block["units"][2:]
cbox.update(address="0x2100", count=12)
santa.update(address="0x2040")
cncu.update(address="0x2020", count=1)
# two units to reject: this table is checked as strictly as those of servers
block["units"].append({"type": 41, "id": 9, "access": "mmio",
                       "address": "0x1000000", "ctl_offset": 8, "ctr_offset": 40})
block["units"].append({"type": 6, "id": 7, "access": "msr", "address": "0x2300"})')
unknown=$(machine ptl-1s 'm["name"] = "unknown-client"
m["cpu"].update(model="0xfe")')
guest=$(machine ptl-1s 'm["name"] = "unknown-guest"
m["cpu"].update(model="0xfe", hypervisor=True)')

cat >"$TMP/common.sh" <<'S'
# pmus: print the names of all uncore PMUs
pmus() {
	ls $PMUS | grep '^uncore_' | tr '\n' ' '
}

# formats: print format terms and cpumasks, except the term snapshot, which intel_uncore lacks
formats() {
	(cd $PMUS && grep -H . uncore_*/format/* uncore_*/cpumask) |
		grep -v /snapshot: | sort
}

# every: count on all units at once; print wrong counts, and the number of counts
every() {
	hw truth reset
	perf stat -x'|' -a $(for pmu in $(pmus); do
		case $pmu in
		*free_running*) ;;
		*cncu*) echo "-e $pmu/event=0xff/" ;;
		*) echo "-e {$pmu/event=5,umask=0xcf/,$pmu/event=6,umask=0xcf/}" ;;
		esac
	done) -- sleep 0.2 2>&1 | awk -F'|' '$3 ~ /^uncore/ { print $1 }' |
		sort >/tmp/counts
	hw truth controls | sed -n 's/.* ctl=.* counted=\([0-9]*\) .*/\1/p' |
		sort | diff - /tmp/counts | grep '^[-+][0-9]'
	wc -l </tmp/counts
}

# of_perf: count perf's imc events on both controllers, in groups of five, because each has
# five counters; print "TRUTH COUNT" lines
of_perf() {
	for id in 0 1; do
		awk '$2 == "imc" { print $3 }' /root/events | xargs -n 5 |
		while read -r codes; do
			hw truth reset
			group=
			for code in $codes; do
				group="$group${group:+,}uncore_imc_$id/event=$code/"
			done
			perf stat -x'|' -a -e "{$group}" -- sleep 0.05 2>&1 |
				cut -d'|' -f1 >/tmp/perf
			hw truth controls >/tmp/truth
			for code in $codes; do
				code=$(printf %x $code)
				sed -n "s|^unit=0/6/$id ctl=0x0*$code counted=\([0-9]*\) .*|\1|p" \
					/tmp/truth
			done | paste -d' ' - /tmp/perf
		done
	done
}
S

for k in $KERNELS; do
	[ "$k" != newest ] ||
		in_vm "$k ptl-1s beside the kernel's own" --kernel "$k" --machine ptl-1s \
			--drivers none --allow-illegal --copy "$TMP/events" <<-'S'
	runs 'intel_uncore loads on Panther Lake' modprobe intel_uncore
	pmus >/tmp/their_pmus
	formats >/tmp/their_formats
	# Firmware left some event controls set: they count until the unit's first event.
	# If the unit has no box control, perf's count includes theirs.
	isnt "$(every)" 26 'intel_uncore counts events that firmware left in controls'
	is "$(every)" 30 'intel_uncore counts exactly on all units'
	is "$(of_perf | awk '$1 == $2 && $1 > 0' | wc -l)" 54 \
		"intel_uncore counts each of perf's events exactly on both controllers"
	like "$(perf stat -a -e uncore_santa_0/event=0xff/ true 2>&1)" \
		'<not supported>' 'intel_uncore has no counter for UNC_CLOCK.SOCKET on SANTA'
	runs 'pmon_uncore loads beside intel_uncore' modprobe pmon_uncore
	is "$(awk '{ print $9 }' $PMON/pkg0-uncore0/units | sort -u)" \
		intel_uncore 'pmon_uncore leaves all units to intel_uncore'
	rmmod pmon_uncore
	uncore_adopts 'pmon_uncore loads instead of intel_uncore'
	is "$(pmus)" "$(cat /tmp/their_pmus)" 'pmon_uncore has the same PMUs as intel_uncore'
	is "$(formats)" "$(cat /tmp/their_formats)" 'pmon_uncore has the same formats and cpumasks as intel_uncore'
	is "$(every)" 30 'pmon_uncore counts exactly on all units'
	S

	# intel_uncore before 7.x does not load, because it does not support the processor.
	[ "$k" = newest ] || in_vm "$k ptl-1s without openpmon" --kernel "$k" \
		--machine ptl-1s --drivers none <<-'S'
	modprobe intel_uncore 2>/dev/null
	is "$(ls /sys/bus/event_source/devices | grep -c '^uncore')" 0 \
		'the kernel alone registers no PMU of a box on Panther Lake'
	S

	in_vm "$k ptl-1s" --kernel "$k" --machine ptl-1s --log "$TMP/log" --program regs \
		--copy "$TMP/events" <<-'S'
	is "$(cat $PMON/pkg0-uncore0/platform)" ptl 'the platform is ptl'
	is "$(cat $PMON/pkg0-uncore0/rejected)" '' 'no unit is rejected on Panther Lake'
	is "$(cat $PMUS/uncore_imc_0/events/data_read $PMUS/uncore_imc_0/events/data_write | xargs)" \
		"$(sed -n 's/^UNC_M_\(RD\|WR\)_DATA .* /event=/p' /root/events | sort | xargs)" \
		"event codes of data_read and data_write are perf's"
	is "$(uncore_writes)" 0 'loading writes no register on Panther Lake'
	is "$(uncore_accesses table reads)" $((6 * ($(uncore_listed) + 1))) 'each record of the table is read once'
	is "$(pmus)" "$(echo uncore_cbox_0 uncore_cbox_1 uncore_cbox_2 uncore_cbox_3 \
		uncore_cbox_4 uncore_cbox_5 uncore_cncu_0 uncore_cncu_1 uncore_hbo_0 \
		uncore_hbo_1 uncore_ia_core_bridge uncore_imc_0 uncore_imc_1 \
		uncore_imc_free_running_0 uncore_imc_free_running_1 uncore_santa_0 \
		uncore_santa_1 uncore_sncu) " 'all PMUs of Panther Lake are registered by name'
	is "$(cat $PMON/pkg0-uncore0/global)" unknown \
		'the state of the global control is unknown before the first event'

	is "$(every)" 30 'every unit counts exactly although firmware froze all units'
	is "$(cat $PMON/pkg0-uncore0/global)" running \
		'the state of the global control is running after the first event'
	is "$(every)" 30 'every unit counts exactly a second time'
	is "$(wc -l </root/events)" 28 "perf's lists have 28 events for Panther Lake"
	is "$(of_perf | awk '$1 == $2 && $1 > 0' | wc -l)" 54 \
		"each of perf's events counts exactly on both controllers"
	like "$(perf stat -a -e uncore_santa_0/event=0xff/ true 2>&1)" \
		'<not supported>' 'SANTA has no counter for UNC_CLOCK.SOCKET'
	like "$(perf stat -a -e uncore_cncu_0/event=1/ true 2>&1)" \
		'<not supported>' 'the clock of CNCU refuses other events'
	hw truth reset
	uncore_counts 0.1 uncore_cncu_1/clockticks/ >/tmp/clock
	is "$(cut -d' ' -f2 /tmp/clock)" "$(uncore_fixed_of 0/65283/1)" 'clockticks of CNCU count the fixed counter'
	hw truth reset
	uncore_counts 0.1 uncore_cbox_3/event=1,umask=2,edge,inv,threshold=0x3f/ >/tmp/fields
	is "0x3fc40201 $(cut -d' ' -f2 /tmp/fields)" "$(hw truth controls |
		sed -n 's|^unit=0/65280/3 ctl=\([^ ]*\) counted=\([0-9]*\) .*|\1 \2|p')" \
		'a control in an MSR has every field of the event and the enable bit'

	# Test the three free-running counters of traffic, which are wider than 48 bits.
	n=0
	for event in data_total data_read data_write; do
		hw box 0/4102/1 rate $n 1
		hw box 0/4102/1 preload $n 0x7000000000000000
		# Preload a gain that memory can have: 320 GB in a second.
		perf stat -x, -a -e uncore_imc_free_running_1/$event/ -- sh -c \
			"sleep 1; hw box 0/4102/1 preload $n 0x700000012a05f200" 2>/tmp/stat
		is "$(awk -F, '{ printf "%.2f", $1 / (5000000000 * 64 / 1048576) }' \
			/tmp/stat)" 1.00 "$event counts a gain of 5000000000 lines in MiB"
		n=$((n + 1))
	done
	is "$(pmonctl bw --boxes --for 1 | grep -cE '^memory +0 +[-0-9]+( +[0-9]+){3} +uncore_imc_[01]$')" 2 \
		'pmonctl bw has bandwidth of both controllers'
	runs 'pmonctl doctor succeeds on Panther Lake' pmonctl doctor

	runs 'the module unloads on Panther Lake' rmmod pmon_uncore
	uncore_handed_back "after unloading" $(hw units | sed -n \
		's/pkg=0 type=\(6\|34\|41\) id=\([0-9]*\) .*/0\/\1\/\2/p')
	is "$(pmus)" '' 'no PMU is left after the unload'

	# The counters of traffic are behind a BAR of the host bridge. This BAR may be disabled.
	/root/regs pci 0000:00:00.0 0x48 0xfedc0000
	modprobe pmon_uncore
	is "$(pmus | tr ' ' '\n' | grep imc | tr '\n' ' ')" 'uncore_imc_0 uncore_imc_1 ' \
		"only free-running PMUs are missing while the host bridge's BAR is disabled"
	rmmod pmon_uncore
	/root/regs pci 0000:00:00.0 0x48 0xfedc0001

	# the table's address in the MSR is checked as strictly as a table
	modprobe msr
	says() {	# ADDRESS
		for cpu in 0 1 2 3; do /root/regs msr $cpu 0x201e $1; done
	}
	says 0
	fails_with 'No such device' \
		'the module does not load if the MSR has no address of a table' modprobe pmon_uncore
	is "$(uncore_messages 'MSR 0x201e of no CPU has an address of one' | wc -l)" 1 \
		'the log has one line if the MSR has no address of a table'
	for bad in '0x1000000 is memory' '0xc0000004 not aligned' \
		'0xfed00000 inside the timers of the chipset'; do
		says ${bad%% *}
		modprobe pmon_uncore
		is "$(cat $PMON/pkg0-uncore0/rejected)" "- - address $bad" "a table's address is rejected: $bad"
		is "$(pmus)" '' "${bad%% *}: no PMU is registered from a rejected address"
		rmmod pmon_uncore
	done
	is "$(uncore_accesses other reads)" 0 'no register beside the table is read'
	S
	# Units run when global registers in memory are 0, and global MSRs have bit 29.
	is "$(awk '$3 == "w" && $4 == "global-ctl" { sub(/^0x0*/, "", $8); print $7, $8 }' \
		"$TMP/log" | sort -u | tr '\n' ';')" '4 ;8 20000000;' \
		"$k: each global register gets its own value to let units run"
done

each_vm --as nvl --machine "$nova" <<-'S'
	is "$(cat $PMON/pkg[01]-uncore0/platform)" 'nvl
nvl' 'each package of Nova Lake has a table'
	is "$(pmus | tr ' ' '\n' | grep -c cbox) $(pmus | tr ' ' '\n' | grep cncu)" \
		'12 uncore_cncu' '12 cbox PMUs and one cncu PMU are registered on Nova Lake'
	is "$(cat $PMUS/uncore_cbox_11/cpumask $PMUS/uncore_hbo_0/cpumask)" '0,2
0,2' 'cbox and hbo PMUs have a CPU of each package'
	is "$(cat $PMON/pkg1-uncore0/rejected)" '41 9 address 0x1000000 is memory
6 7 access 0x0 differs from this type on this platform' \
	"an address in memory and an access unlike the type's are rejected"
	is "$(cat $PMUS/uncore_imc_free_running_*/cpumask)" '0
0' 'free-running counters behind the host bridge belong to package 0'
	hw truth reset
	uncore_counts 0.1 uncore_cbox_11/event=5/ uncore_santa_1/event=6/ uncore_hbo_1/event=7/ |
		cut -d' ' -f2 | sort >/tmp/counts
	is "$(wc -l </tmp/counts)" 6 'cbox, santa and hbo count in both packages'
	is "$(hw truth controls | sed -n 's/.* counted=\([0-9]*\) .*/\1/p' | sort)" \
		"$(cat /tmp/counts)" "counts of both packages equal the hardware's"
	S

each_vm --as unknown --machine "$unknown" <<-'S'
	hw count reset
	fails_with 'No such device' 'the module does not load on an unknown client model' modprobe pmon_uncore
	is "$(uncore_accesses msr reads)" 0 'no MSR is read on an unknown client model'
	isnt "$(uncore_messages 'is not known: load with generic=1 to look for one in memory' | wc -l)" 0 \
		'the log names generic=1 on an unknown client model'
	modprobe pmon_uncore generic=1 mode=observe
	is "$(cat $PMON/pkg0-uncore0/mode)" observe 'generic=1 mode=observe finds the table of an unknown model'
	is "$(uncore_listed)" 5 'generic=1 mode=observe lists the units of the table'
	is "$(pmus)" '' 'generic=1 mode=observe registers no PMU'
	is "$(uncore_writes) $(uncore_reads)" '0 0' 'generic=1 mode=observe accesses no register of a unit'
	rmmod pmon_uncore
	modprobe pmon_uncore generic=1
	is "$(pmus)" "$(echo uncore_type_34_0 uncore_type_41_0 uncore_type_41_1 \
		uncore_type_6_0 uncore_type_6_1) " 'generic=1 registers PMUs by type number'
	S

each_vm --as hypervisor --machine "$guest" --drivers none <<-'S'
	hw count reset
	fails_with 'No such device' \
		'the module does not load under a hypervisor without generic=1' modprobe pmon_uncore
	is "$(uncore_accesses msr reads)" 0 'no MSR is read under a hypervisor'
	S
finish
