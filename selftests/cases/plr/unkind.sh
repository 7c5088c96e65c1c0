#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run servers whose dies differ from a benign one in all ways that the specification allows:
# in one value, in each pair of echo, die level and latency, and in all at once
# (lib/unkind.py). Reasons are exact, `active` is always readable and shows only real
# limits, and a limit of 50 ms counts one or two intervals. The mailbox runs few commands
# while FREQUENCY alone limits, while POWER limits all modules, and while eight readers
# read all files.
# contract: commands busy die mesh
# check: newest
# kernels: 6.1 6.12 newest
# all kernels: 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	# Count guest time in instructions, so that nothing depends on a busy host; 6.1
	# does not boot with that.
	slack=0 which=ten
	# All servers boot in the same way, so that one saved guest is enough.
	export OPENPMON_ICOUNT=1 OPENPMON_SAVE=1
	case $k in
	6.12) which=all ;;
	6.1) slack=400; unset OPENPMON_ICOUNT ;;
	esac
	servers=$(for set in $which 43; do
		/usr/bin/python3 "$CASES/lib/unkind.py" "$TMP" "$set" || exit
	done) || exit
	for server in $servers; do
	cp "${server%.json}.dies" "$TMP/dies"
	plr_latched=kept in_vm "$k $(basename "$server" .json)" --kernel "$k" --machine "$server" \
		--drivers none --timeout 900 --program unkind --copy "$TMP/dies" \
		--set UNKIND_SLACK=$slack --set server="$(basename "$server" .json)" <<'SCRIPT'
export UNKIND_SLACK
chmod +x /root/unkind
plr_load
is "$(cd $PMON && ls -d pkg*-dom* | wc -l)" "$(wc -l </root/dies)" "each live die has a domain"

# judge NAME ARGUMENT...: run the program unkind; check that it prints no fault
judge() {
	judge_name=$1
	shift
	/root/unkind "$@" >/root/out 2>&1
	grep '^#' /root/out | grep -v median
	is "$(grep -v '^#' /root/out)" "" "$judge_name"
}

# From now on the control interface is granted to nobody, and nothing may wait for it.
for tpmi in $PMON/pkg*-tpmi0; do
	hw control "$(cat $tpmi/package_id)" stuck
done

pulses=20 rest=31 times=2
[ -z "$short$(grep forty-three /root/dies)" ] || pulses=8
if [ "$short" ]; then pulses=5 rest=21; elif [ "$server" = unkind-43 ]; then times=6; fi
judge "the die counts $pulses pulses of THERMAL of 50 ms" pulses /root/dies $pulses
grep median /root/out >/root/medians
is "$(wc -l </root/medians)" "$(wc -l </root/dies)" "the pulse test prints a median for each die"
note "$(head -n 3 /root/medians)"
judge "the mailbox is quiet for $rest s in which FREQUENCY alone limits" rest /root/dies $rest 20
judge "$times episodes of POWER on all modules are exact" episodes /root/dies $times
# A second in which all CPUs are busy takes as long as all of the above, so each server
# runs only some of the tests below.
case $server in
*alone)
	for d in $PMON/pkg*-dom*; do echo 0 >$d/plr/interval_ms; done
	judge "eight readers without a capability get exact reasons" readers /root/dies 1 bare
	;;
*)
	judge "POWER on all modules is active in 2 s of polls every 10 ms" limit /root/dies 2
	hw plr stop
	[ "$short" ] || judge "eight readers beside monitoring get exact reasons" readers /root/dies 1
	;;
esac

# Run as root without capabilities, like setpriv --reuid 0 --bounding-set=-all --inh-caps=-all
hw count reset
judge "root without a capability reads no energy" bare /root/unkind walk
is "$(plr_accesses rapl)" 0 "no energy register is accessed for root without a capability"
like "$(/root/unkind bare /bin/sh -c 'grep CapEff /proc/self/status')" '0000000000000000$' \
	"the process has no capability"
plr=$PMON/pkg0-dom0/plr
cat $plr/interval_ms $plr/gate >/root/before
for file in interval_ms:20 gate:all die/clear:all; do
	fails \
		"root without a capability may not write ${file%:*}" /root/unkind bare /bin/sh -c "echo ${file#*:} >$plr/${file%:*}"
done
is "$(cat $plr/interval_ms $plr/gate)" "$(cat /root/before)" \
	"interval_ms and gate are unchanged after refused writes"

# Only a read of the mesh can block a mailbox, and without mesh=1 no file reads the mesh.
for d in $PMON/pkg*-dom*; do
	cat $d/plr/*/reasons $d/plr/*/raw >/dev/null 2>&1
	cat $d/plr/core*/fine >/dev/null || echo "${d##*/}"
done >/root/lost 2>&1
is "$(cat /root/lost)" "" "readers of all files without mesh=1 cost no die its mailbox"
rmmod pmon_plr
modprobe pmon_plr mesh=1
for d in $PMON/pkg*-dom*; do echo 100 >$d/plr/interval_ms; done
wrong=
while read -r place name flags; do
	dom=$PMON/pkg${place%/*}-dom${place#*/}/plr
	mesh=$(plr_error $dom/mesh0/reasons)
	case " $flags " in
	*' mesh '*) [ -z "$mesh" ] || wrong="$wrong; $name: $mesh" ;;
	*) [ -n "$mesh" ] || wrong="$wrong; $name: the mesh answers" ;;
	esac
	core=$(plr_error "$(echo $dom/core*/raw | cut -d' ' -f1)")
	case " $flags " in
	*' dead '*)
		active=$(plr_unwatched "$(echo $dom/core*/active | cut -d' ' -f1)")
		[ "$active" = 'No data available' ] || wrong="$wrong; $name: active is $active" ;;
	*) [ -z "$core" ] || wrong="$wrong; $name: a core gives $core" ;;
	esac
	[ "$(plr_watched $dom/die/active)" ] || wrong="$wrong; $name: the die"
done </root/dies
is "$wrong" "" "a mesh without response blocks its own mailbox alone"
started=$(guest_ms)
runs "the module unloads while the control interface is stuck" rmmod pmon_plr
took=$(($(guest_ms) - started))
is "$((took < 4000 + UNKIND_SLACK ? 0 : took))" 0 "the unload does not wait for the control interface"
SCRIPT
	done
done
finish
