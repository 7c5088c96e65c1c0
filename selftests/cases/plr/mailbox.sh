#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test a mailbox that does not respond, is slow or is blocked, and a device in D3: each
# gives an error of its own and no invented value, other domains are unaffected, and all
# is well again when the hardware is.
# contract: undecoded busy commands errors
# all kernels: 6.1 6.12-rt
# check: 6.1
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s --drivers none \
	--program quickest --program regs <<'SCRIPT'
plr_load
dom=$PMON/pkg0-dom0
other=$PMON/pkg1-dom0
core=$dom/plr/core1/reasons
hw mailbox 0/0 slow 0
hw plr 0/0/1 0x4
is "$(cat $core)" POWER "reasons are read before the mailbox is stuck"

hw mailbox 0/0 stuck
is "$(plr_error $core)" "Connection timed out" "a stuck mailbox gives ETIMEDOUT"
took=$(/root/quickest $core 20)
note "a read of a stuck mailbox: $took us"
is "$((took >= 2000 && took <= 6000 ? 1 : took))" 1 "a read of a stuck mailbox takes 2 to 6 ms"
hw count reset
plr_error $core >/dev/null
is "$(hw count | sed -n 's/^class=mailbox .*writes=\([0-9]*\).*/\1/p')" 0 \
	"no command is written over the one under way"
is "$(cat $dom/plr/die/reasons)" POWER "the die is read while the mailbox is stuck"
is "$(cat $other/plr/core0/reasons)" none "another domain is read while a mailbox is stuck"
hw mailbox 0/0 ok
is "$(cat $core)" POWER "reasons are read when the mailbox responds again"
cat $dom/plr/core2/reasons >/dev/null
hw count reset
cat $core >/dev/null
is "$(plr_total)" 5 "a read after a stuck mailbox costs five accesses"

hw mailbox 0/0 slow 100000
is "$(cat $core)" POWER "a mailbox of 100 us is read"
hw mailbox 0/0 slow 600000
is "$(cat $core)" POWER "a mailbox of 600 us is read"

hw mailbox 0/0 slow 200000000
is "$(plr_error $core)" "Connection timed out" "a mailbox of 200 ms gives a reader ETIMEDOUT"
sleep 0.3
hw mailbox 0/0 slow 10000000
echo 20 >$dom/plr/interval_ms
is "$(plr_watched $dom/plr/core1/active)" none "monitoring waits for a mailbox of 10 ms"
echo 0 >$dom/plr/interval_ms
hw mailbox 0/0 slow 0
sleep 0.1
is "$(plr_unwatched $dom/plr/core1/active)" "No data available" "active gives ENODATA when monitoring has ended"

# Eight processes read all files: at most 200 commands run in any second.
hw count reset
for n in 1 2 3 4 5 6 7 8; do
	while [ ! -e /root/stop ]; do
		cat $dom/plr/[cd]*/reasons $dom/plr/[cd]*/raw $dom/plr/[cd]*/coarse \
			$dom/plr/[cd]*/fine
	done >/dev/null 2>>/root/errors &
done
sleep 4
: >/root/stop
wait
is "$(sort -u /root/errors)" "" "eight readers get no error"
peak=$(hw mailbox 0/0 | sed 's/.* peak=//')
note "$(hw mailbox 0/0 | sed 's/.* commands=/commands /') in a second"
is "$((peak <= 200 ? 1 : peak))" 1 "eight readers cause 200 commands a second at most"
sleep 1.2

hw mailbox 0/0 blocked
for file in core1/reasons core1/raw die/reasons; do
	is "$(plr_error $dom/plr/$file)" "Input/output error" "$file gives EIO when the mailbox is blocked"
done
is "$(cat $core 2>/dev/null)" "" "a blocked mailbox gives no reason"
hw mailbox 0/0 ok
is "$(cat $core)" POWER "reasons are read when the mailbox is not blocked any more"

# Firmware blocks writes: a test write detects that, even on kernels without TPMI.
case $(uname -r) in
6.1.*)
	rmmod pmon_plr
	hw feature 0 0x0c write-blocked
	hw plr 0/0/1 =0x4
	hw plr 0/0/2 =0x8
	modprobe pmon_plr
	dmesg -c >/dev/null
	plr_error $dom/plr/core0/reasons >/dev/null
	for file in core1/reasons core2/raw core3/coarse; do
		is "$(plr_error $dom/plr/$file)" "Operation not supported" \
			"$file gives EOPNOTSUPP when writes are blocked"
	done
	not_written "Operation not supported" \
		"a clear gives EOPNOTSUPP when writes are blocked" $dom/plr/core1/clear all
	is "$(cat $dom/plr/die/reasons)" "POWER THERMAL" "the die is read when writes are blocked"
	is "$(dmesg | grep -c 'PLR: writes blocked by firmware')" 1 "the log has one line on blocked writes"
	echo 50 >$dom/plr/interval_ms
	sleep 1
	is "$(plr_error $dom/plr/core1/active)" "No data available" "active gives ENODATA when writes are blocked"
	hw feature 0 0x0c ok
	becomes '[ "$(cat $dom/plr/core1/active 2>/dev/null)" = none ]'
	is "$(cat $core) $(cat $dom/plr/core2/reasons)" "POWER THERMAL" \
		"reasons from the time of blocked writes are on record"
	hw feature 0 0x0c write-blocked
	becomes '[ "$(plr_error $dom/plr/core1/active)" = "No data available" ]'
	is "$(plr_error $dom/plr/core1/active)" "No data available" \
		"active gives ENODATA when writes are blocked under monitoring"
	hw feature 0 0x0c ok
	becomes '[ "$(cat $dom/plr/core1/active 2>/dev/null)" = none ]'
	echo 0 >$dom/plr/interval_ms

	# The mailbox of one die does not respond, so only that of another can show it.
	die=$PMON/pkg0-dom1/plr
	hw mailbox 0/0 stuck
	cat $core $die/core1/reasons >/dev/null 2>&1
	echo 50 >$dom/plr/interval_ms
	hw feature 0 0x0c write-blocked
	sleep 1.2
	is "$(plr_error $die/core0/reasons)" "Operation not supported" \
		"reasons give EOPNOTSUPP when writes are blocked and another mailbox is stuck"
	hw feature 0 0x0c ok
	hw mailbox 0/0 ok
	echo 0 >$dom/plr/interval_ms
	hw plr 0/0/1 =0x4
	;;
*)
	# A command runs, so no test write is possible: TPMI has the state.
	hw mailbox 0/0 stuck
	plr_error $core >/dev/null
	hw feature 0 0x0c write-blocked
	not_written "Operation not supported" \
		"a clear gives EOPNOTSUPP when writes are blocked under a running command" $dom/plr/die/clear all
	is "$(cat $dom/plr/die/reasons)" POWER \
		"the die keeps its reasons when writes are blocked under a running command"
	hw feature 0 0x0c ok
	hw mailbox 0/0 ok
	;;
esac
becomes '[ "$(cat $core 2>/dev/null)" = POWER ]'

# The driver of the function comes back while firmware blocks reads.
hw feature 0 0x0c read-blocked
echo 0000:00:03.1 >/sys/bus/pci/drivers/intel_vsec/unbind
echo 0000:00:03.1 >/sys/bus/pci/drivers/intel_vsec/bind
becomes '[ "$(plr_error $core)" = "Input/output error" ]'
is "$(plr_error $core)" "Input/output error" "reasons give EIO when reads are blocked at a bind"
hw feature 0 0x0c ok
is "$(cat $core)" POWER "reasons are read as soon as reads go through after a bind"

hw d3 0 on
for file in core1/reasons die/raw; do
	is "$(plr_error $dom/plr/$file)" "No such device" "$file gives ENODEV in D3"
done
is "$(cat $other/plr/core0/reasons)" none "the other package is read while one is in D3"
hw d3 0 off
is "$(cat $core)" POWER "reasons are read when the device is back in D0"

# The function is in D0 but decodes no memory, as after a reset by others.
# The upper half is the status register, where writing 0 changes nothing.
command=$(($(/root/regs pci 0000:00:03.1 4) & 0xffff))
/root/regs pci 0000:00:03.1 4 $((command & ~2))
is "$(plr_error $core)" "No such device" "reasons give ENODEV without memory decoding"
hw count reset
is "$(plr_error $core) $(plr_total)" "No such device 0" "a second read without memory decoding makes no access"
/root/regs pci 0000:00:03.1 4 $command
is "$(cat $core)" POWER "reasons are read when memory is decoded again"
# D3 and the disabled decoding were not reported to the kernel, so accesses so far are no fault.
hw illegal reset

# The function is in D3 when pmon_plr is loaded, and is not accessed. intel_vsec stays
# bound, because a new bind would wake the function.
rmmod pmon_plr
hw d3 0 on
hw count reset
modprobe pmon_plr
is "$(ls -d $PMON/pkg0-* 2>/dev/null)" "" "a load in D3 shows nothing of the package"
is "$(ls -d $PMON/pkg1-dom0)" "$PMON/pkg1-dom0" "a load in D3 shows the other package"
sleep 2
is "$(hw illegal)" "" "a load in D3 makes no illegal access"
hw plr 0/0/1 =0x4
hw d3 0 off
becomes '[ "$(cat $core 2>&1)" = POWER ]'
is "$(cat $core)" POWER "the package is shown when its device leaves D3"

# Firmware blocks reads when pmon_plr is loaded, and permits them later.
rmmod pmon_plr
hw feature 0 0x0c read-blocked
modprobe pmon_plr
is "$(cd $PMON && echo pkg0-*)" pkg0-tpmi0 "a load with blocked reads shows no domain"
is "$(dmesg | grep -c 'pkg0-tpmi0: no PLR instance responds')" 1 \
	"the log has one line on the load with blocked reads"
hw feature 0 0x0c ok
for n in $(seq 130); do
	[ ! -e $core ] || break
	sleep 0.5
done
is "$(cat $core)" POWER "the domain is shown within a minute after reads go through"
SCRIPT
finish
