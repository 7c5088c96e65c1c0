#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The number behind a reason of frequency: Speed Select's limits of each die from
# TPMI, read beside the kernel's own driver where it has one, and nothing written.
# What they must be follows from the registers' layout, which is public in that
# driver; on 6.12 it reads the same.
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/lib/tap.sh"
. "$CASES/lib/parts.sh"

header=$("$ROOT/selftests/build/source" 6.12)/include/uapi/linux/isst_if.h
gcc -O2 -static -DISST_HEADER="\"$header\"" -o "$TMP/isst" "$CASES/lib/isst.c" || exit

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --copy "$TMP/isst" <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
plr_kernel
hw count reset
modprobe pmon_plr
tpmi=$PMON/pkg0-tpmi0
is "$(plr_accesses sst)" 0 "loading reads none of it"
is "$(stat -c '%a %u %n' $tpmi/sst)" "440 0 $tpmi/sst" "who may read it"

# ---- what hardware has: dies of four and of two modules; one is fused off, and
# two are IO dies, which have levels and no cores
two='1 level=0 locked=0 bf=0 tf=0 base_mhz=2000 modules=1,1,1,2 cdyn0_mhz=3900,3700,3500,3200'
two="$two cdyn1_mhz=3700,3500,3300,3000 cdyn2_mhz=3300,3100,2900,2600"
is "$(cat $tpmi/sst)" "$(echo "$two" | sed 's/^1/0/; s/1,1,1,2/1,2,3,4/')
$two" "level, base frequency, and turbo by active modules, of each die"
is "$(cat $PMON/pkg1-tpmi0/sst)" "$(cat $tpmi/sst)" "the other package has its own"

# ---- another level, locked, with SST-BF and SST-TF: the status, not the wish
hw sst 0/0 15 1
hw sst 0/0 16 $((3 | 1 << 3 | 3 << 8))
is "$(head -n 1 $tpmi/sst)" "0 level=3 locked=1 bf=1 tf=1 base_mhz=2300 modules=1,2,3,4 $(
	)cdyn0_mhz=3900,3800,3600,3400 cdyn1_mhz=3700,3600,3400,3200 cdyn2_mhz=3300,3200,3000,2800" \
	"another level is in force"
is "$(tail -n 1 $tpmi/sst)" "$two" "on that die only"

# ---- beside the reason
for n in 0 1 2 3; do echo "plr 0/0/$n 0x0000000200000001 0 600000000000"; done | hw plr schedule -
plr_says '^Package 0: .*SST level 3'
like "$out" '^Package 0: .*SST level 3, BF on, TF on, CDYN1: turbo up to 3.7 GHz, all cores 3.2 GHz' \
	"pmonctl plr shows the row of the reason beside it"
note "$(echo "$out" | grep '^Package 0:')"
is "$(echo "$out" | grep -c '^Package 1: .*SST')" 0 "and not where nothing limits"
plr_says '"level":3,' --json
like "$(echo "$out" | tr -d ' \n')" '"sst":[[][{]"domain":0,"level":3,"locked":1,"bf":1,"tf":1,"base_khz":2300000,"rows":[[][{]"cdyn":0,"turbo_khz":3900000,"all_cores_khz":3400000' \
	"and in JSON"
hw plr stop

# ---- nothing is written, and none of it costs a mailbox command
hw count reset
cat $PMON/pkg*-tpmi0/sst >/dev/null
is "$(plr_written)" "" "reading writes nothing"
is "$(plr_accesses mailbox plr-data die-level plr-header pfs tpmi-control rapl)" 0 "and reads nothing else"
# Of two packages: 13 of each of two dies, 7 of two without cores, 1 of one that is not there.
is "$(hw count | sed -n 's/^class=sst reads=\([0-9]*\).*/\1/p')" 82 "82 registers of two packages"

# ---- firmware blocks reads; asleep; gone
hw feature 0 5 read-blocked
is "$(plr_error $tpmi/sst)" "Input/output error" "firmware blocks reads: EIO"
is "$(cat $PMON/pkg0-dom0/plr/core0/raw >/dev/null 2>&1; echo $?)" 0 "the limit reasons are read all the same"
hw feature 0 5 ok
hw d3 0 on
hw count reset
is "$(plr_error $tpmi/sst)$(plr_accesses sst)" "No such device0" "asleep: ENODEV, and not touched"
hw d3 0 off
hw remove 0
is "$(plr_error $tpmi/sst)" "No such device" "gone: ENODEV"
hw insert 0
like "$(cat $tpmi/sst)" '^0 level=3 ' "and back"

case $(uname -r) in
6.1.*)
	is "$(ls /dev/isst_interface 2>/dev/null)" "" "nothing else of this kernel has it" ;;
*)
	# ---- the kernel's driver of the same registers, loaded beside ours
	runs "the kernel's own driver" modprobe isst_tpmi
	theirs() {
		for domain in 0 1; do /root/isst "$1" $domain; done
	}
	is "$(cat $tpmi/sst)" "$(theirs 0)" "the kernel's driver reads the same, at another level"
	is "$(cat $PMON/pkg1-tpmi0/sst)" "$(theirs 1)" "and of the other package"
	# Eight buckets, six rows, any ratios: frequencies begin at word 17.
	for n in 0 1 2 3 4 5; do hw sst 1/1 $((21 + n)) $((0x0807060504030201 * (n + 1))); done
	hw sst 1/1 27 0x7f7e7d7c7b7a7978
	hw sst 1/1 17 0xff
	like "$(cat $PMON/pkg1-tpmi0/sst)" 'modules=120,121,.*127 cdyn0_mhz=100,.*cdyn5_mhz=600,1200,.*,4800$' "all that fits"
	is "$(cat $PMON/pkg1-tpmi0/sst)" "$(theirs 1)" "the kernel's driver reads the same of it"
	rmmod pmon_plr
	is "$(theirs 0 | wc -l)" 2 "ours goes, theirs stays"
	modprobe pmon_plr
	is "$(cat $tpmi/sst)" "$(theirs 0)" "and ours comes after theirs"
	;;
esac
is "$(hw illegal)" "" "no access was illegal"
finish
SCRIPT
done

# Packages without the feature, ones that lie about its place or have more than any
# package, and dies whose registers make no sense: a major version, offsets, a level that is not there.
part_dies=2
# die N REGISTERS
die() {
	printf '{ "instance": %s, "registers": { %s } }' "$1" "$2"
}
part without '"features": [ { "id": 5, "present": false } ],'
part outside '"features": [ { "id": 5, "cap_offset": "0xfffc" } ],'
part overlap '"features": [ { "id": 5, "cap_offset": "0x2c" } ],'
part version "\"sst\": [ $(die 0 '"0": "0xc010321"'), $(die 1 '"12": "0x45800909012"') ],"
part offsets "\"sst\": [ $(die 0 '"0": "0xff010301"'), $(die 1 '"14": "0xffffffffff"') ],"
part lies "\"sst\": [ $(die 0 '"16": 7'), $(die 1 '"16": "0x10"') ],"
part many '"features": [ { "id": 5, "entries": 33, "cap_offset": "0x80" } ],'
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
	without | outside | many)
		is "\$(ls \$tpmi | grep -c sst)" 0 "\$part: no file" ;;
	version | offsets)
		is "\$(plr_error \$tpmi/sst)" "Input/output error" \
			"\$part: no die that is known: an error, and no numbers" ;;
	lies)
		is "\$(cut -d' ' -f1-3 \$tpmi/sst)" "1 level=0 locked=0" \
			"\$part: what is good is shown, and nothing else" ;;
	esac
	is "\$(cat \$plr/core0/raw >/dev/null; echo \$?)" 0 "\$part: reasons are read"
done
is "\$(hw illegal)" "" "no access was illegal"
finish
SCRIPT
finish
