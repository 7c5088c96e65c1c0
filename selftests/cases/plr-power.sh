#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The number behind the reason: power limits and energy from TPMI, read beside
# the kernel's own driver where it has one, and nothing written. What they must
# be follows from the registers' layout; on 6.12 intel_rapl_tpmi reads the same.
# kernels: 6.1 6.12 newest
# check: 6.1
. "$(dirname "$0")/lib/tap.sh"
. "$CASES/lib/parts.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
plr_kernel
hw count reset
modprobe pmon_plr
tpmi=$PMON/pkg0-tpmi0
plr=$PMON/pkg0-dom0/plr
is "$(plr_accesses rapl)" 0 "loading reads none of it"
is "$(stat -c '%a %u %n' $tpmi/rapl $tpmi/rapl_energy)" "440 0 $tpmi/rapl
400 0 $tpmi/rapl_energy" "who may read what"

# ---- what hardware has. 1/8 W; limits: in force (bit 62), locked (bit 63)
hw rapl 0/0 2 $((2800 | 0x6e << 18 | 1 << 62))
hw rapl 0/0 3 $((3361 | 1 << 62 | 1 << 63))
is "$(cat $tpmi/rapl)" "package pl1_uw 350000000
package pl1_enabled 1
package pl1_locked 0
package pl2_uw 420125000
package pl2_enabled 1
package pl2_locked 1
package pl4_uw 1050000000
package pl4_enabled 1
package pl4_locked 0
package tdp_uw 500000000
package min_uw 230000000
package max_uw 750000000
memory pl1_uw 0
memory pl1_enabled 0
memory pl1_locked 0
memory tdp_uw 60000000
memory min_uw 15000000
memory max_uw 120000000
platform pl1_uw 1200000000
platform pl1_enabled 0
platform pl1_locked 0
platform pl2_uw 1400000000
platform pl2_enabled 0
platform pl2_locked 0
platform tdp_uw 1200000000
platform min_uw 0
platform max_uw 1500000000" "limits of the package, its memory and the platform"
like "$(cat $PMON/pkg1-tpmi0/rapl)" '^package pl1_uw 500000000' "the other package has its own"
is "$(grep -c platform $PMON/pkg1-tpmi0/rapl)" 0 "one package stands for the platform"

# ---- energy goes on at the power drawn, also over the end of its counter
hw rapl 0/0 power 348000
uptime_ms() { awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime; }
# energy DOMAIN: microjoules, and before and after which moment
energy() {
	uptime_ms
	awk -v d="$1" '$1 == d && $2 == "energy_uj" { print $3 }' $tpmi/rapl_energy
	uptime_ms
}
# drawn SECONDS: by the package, in watts: not less than, and not more than. A
# host that is busy keeps the guest for a moment between energy and time.
drawn() {
	set -- $(energy package) $(sleep "$1"; energy package)
	[ "$5" -ge "$2" ] || set -- "$1" "$2" "$3" "$4" $(($5 + 262144000000)) "$6"
	echo $((($5 - $2) / ($6 - $1 + 10) / 1000)) $((($5 - $2) / ($4 - $3 - 10) / 1000 + 1))
}
# around W LOW HIGH
around() { echo $(($2 <= $1 && $1 <= $3 && $3 - $2 < $1 / 2)); }
# close: watts are close enough to each other to be judged
close() { [ $((${watts#* } - ${watts% *})) -lt 174 ]; }
for try in 1 2 3 4 5; do
	watts=$(drawn 1)
	! close || break
done
is "$(around 348 $watts)" 1 "348 W drawn: $watts W"
is "$(awk '$2 == "energy_range_uj" { print $1, $3 }' $tpmi/rapl_energy)" "package 262144000000
memory 262144000000
platform 262144000000" "where the counter begins again"
for try in 1 2 3 4 5; do
	now=$(energy package | sed -n 2p)
	# 16384 counts are a joule: set to 600 J before its end, 1.7 s from now
	base=$(hw rapl 0/0 | awk '$1 == 7 { print $2 }')
	hw rapl 0/0 7 $(((base + 0x100000000 - 600 * 16384 - now / 1000000 * 16384) & 0xffffffff))
	before=$(energy package | sed -n 2p)
	watts=$(drawn 2)
	after=$(energy package | sed -n 2p)
	! [ "$after" -lt "$before" ] || ! close || break
done
is "$((after < before)) $(around 348 $watts)" "1 1" "over the end of the counter: $watts W"

# ---- beside the reason
for n in 0 1 2 3; do echo "plr 0/0/$n 0x0000040000000004 0 600000000000"; done | hw plr schedule -
# shown LINE: what pmonctl says; a host that was busy just then has it look again
shown() {
	for try in 1 2 3 4 5; do
		out=$(pmonctl plr)
		! echo "$out" | grep -q "$1; 3[3-6][0-9] W drawn" || break
	done
	like "$out" "$1; 3[3-6][0-9] W drawn" "$2"
}
shown '^Package 0: PL1 350 W of 500 W, set in band' "pmonctl plr shows it beside the reason"
note "$(echo "$out" | grep '^Package 0:')"
is "$(echo "$out" | grep -c '^Package 1: PL\|^Platform')" 0 "and not where nothing limits"
hw plr stop

# ---- nothing is written, and none of it costs a mailbox command
hw count reset
cat $PMON/pkg*-tpmi0/rapl $PMON/pkg*-tpmi0/rapl_energy >/dev/null
is "$(plr_written)" "" "reading writes nothing"
is "$(plr_accesses mailbox plr-data die-level plr-header pfs tpmi-control)" 0 "and reads nothing else"
is "$(hw count | sed -n 's/^class=rapl reads=\([0-9]*\).*/\1/p')" 46 "46 registers of two packages"

# ---- firmware blocks reads; asleep; gone
hw feature 0 0 read-blocked
is "$(plr_error $tpmi/rapl)" "Input/output error" "firmware blocks reads: EIO"
is "$(cat $plr/core0/raw >/dev/null 2>&1; echo $?)" 0 "the limit reasons are read all the same"
hw feature 0 0 ok
hw d3 0 on
hw count reset
is "$(plr_error $tpmi/rapl)$(plr_accesses rapl)" "No such device0" "asleep: ENODEV, and not touched"
hw d3 0 off
hw remove 0
is "$(plr_error $tpmi/rapl_energy)" "No such device" "gone: ENODEV"
hw insert 0
like "$(cat $tpmi/rapl)" '^package pl1_uw 350000000' "and back"

case $(uname -r) in
6.1.*)
	is "$(ls /sys/class/powercap 2>/dev/null | grep :)" "" "nothing else of this kernel has it" ;;
*)
	# ---- the kernel's driver of the same registers, loaded beside ours
	runs "the kernel's own driver" modprobe intel_rapl_tpmi
	is "$(cat /sys/bus/event_source/devices/power/events/energy-pkg)" event=0x02 \
		"it has the energy for perf, too"
	cap=/sys/class/powercap
	# zone NAME PARENT: of package 0
	zone() {
		for dir in $cap/intel-rapl:*; do
			[ "$(cat $dir/name)" != "$1" ] || echo $dir
		done | head -n 1
	}
	value() {
		awk -v d="$1" -v n="$2" '$1 == d && $2 == n { print $3 }' $tpmi/rapl
	}
	package=$(zone package-0)
	platform=$(zone psys)
	same() {
		is "$(cat $package/constraint_0_power_limit_uw $package/constraint_0_max_power_uw \
			$package/constraint_1_power_limit_uw $package/constraint_1_max_power_uw \
			$platform/constraint_0_power_limit_uw $platform/constraint_1_power_limit_uw | tr '\n' ' ')" \
			"$(value package pl1_uw) $(value package tdp_uw) $(value package pl2_uw) $(value package max_uw) $(
			)$(value platform pl1_uw) $(value platform pl2_uw) " "$1"
	}
	same "the kernel's driver reads the same limits"
	theirs=$(cat $package/energy_uj)
	ours=$(energy package | sed -n 2p)
	again=$(cat $package/energy_uj)
	# Its unit of energy is cut to a whole number of picojoules, 3 of a million.
	is "$((theirs - theirs / 300000 <= ours && ours <= again + again / 300000))" 1 \
		"and the same energy: $theirs, $ours, $again"
	hw rapl 0/0 2 $((2800 | 0x6e << 18 | 1 << 62))
	runs "it sets a limit" sh -c "echo 275000000 >$package/constraint_0_power_limit_uw"
	is "$(value package pl1_uw)" 275000000 "ours shows it"
	same "and both read the same again"
	rmmod pmon_plr
	is "$(cat $package/constraint_0_power_limit_uw)" 275000000 "ours goes, theirs stays"
	modprobe pmon_plr
	same "and ours comes after theirs"
	for n in 0 1 2 3; do echo "plr 0/0/$n 0x0000040000000004 0 600000000000"; done | hw plr schedule -
	shown '^Package 0: PL1 275 W of 500 W, set in band' "pmonctl has it from powercap then"
	hw plr stop
	;;
esac
finish
SCRIPT
done

# A part without the feature, one that lies about its place, and one that has
# other domains than are known: a package each.
part without '"features": [ { "id": 0, "present": false } ],'
part outside '"features": [ { "id": 0, "cap_offset": "0xfffc" } ],'
part overlap '"features": [ { "id": 0, "cap_offset": "0x2c" } ],'
part strange '"rapl": { "socket": { "header": "0x3ae00010701" }, "dram": { "header": "0x3ae00020401" },
	"platform": { "domain": 0 } },'
part lies '"rapl": { "socket": { "present": false }, "platform": { "header": "0x3ae00010921" } },'
in_vm parts --kernel "${KERNELS%% *}" --machine "$(parts_machine)" --drivers none <<SCRIPT
. /lib/test/guest.sh
. /lib/test/plr.sh
plr_load
for part in ${parts[*]}; do
	plr_part
	case \$part in
	overlap)
		is "\$(ls -d \$tpmi 2>/dev/null)" "" "\$part: nothing of the table is used"
		continue
		;;
	without | outside)
		is "\$(ls \$tpmi | grep -c rapl)" 0 "\$part: no files" ;;
	strange)
		is "\$(plr_error \$tpmi/rapl)\$(plr_error \$tpmi/rapl_energy)" "Input/output errorInput/output error" \
			"\$part: no domain that is known: an error, and no numbers" ;;
	lies)
		like "\$(cat \$tpmi/rapl_energy)" '^memory energy_uj ' \
			"\$part: what is good is shown, behind a domain that is not there"
		is "\$(cat \$tpmi/rapl \$tpmi/rapl_energy | cut -d' ' -f1 | sort -u)" memory \
			"\$part: what is not there, or not known, is not" ;;
	esac
	is "\$(cat \$plr/core0/raw >/dev/null; echo \$?)" 0 "\$part: reasons are read"
done
finish
SCRIPT
finish
