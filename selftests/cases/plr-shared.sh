#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two programs in one mailbox: ours, which reads, watches and clears, and
# another one in user space, over ten thousand commands of it. No answer of
# either is another module's. There is no lock: between our look at the mailbox
# and our command another CPU may write one. So on one CPU nothing may be wrong,
# on several hardly anything, and never a module of ours.
# kernels: 6.1 6.12 newest
# check: 6.1
. "$(dirname "$0")/lib/tap.sh"

gcc -O2 -static -o "$TMP/sharer" "$CASES/lib/sharer.c" || exit

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --allow-illegal \
		--timeout 900 --copy "$TMP/sharer" <<'SCRIPT'
. /lib/test/guest.sh
. /lib/test/plr.sh
plr_kernel
modprobe pmon_plr
plr=$PMON/pkg0-dom0/plr
values='0x0000040000000001 0x0000080000000002 0x0000100000000004 0x0000200000000008'
set_values() {
	n=0
	for value in $values; do
		hw plr 0/0/$n $1$value
		n=$((n + 1))
	done
}
# what of ours is not the module's own
alien() {
	n=0
	for value in $values; do
		raw=0
		read -r raw <$plr/core$n/raw || echo read >>/root/errors
		[ "$((raw & ~value))" = 0 ] || echo "core$n: $raw"
		n=$((n + 1))
	done
}

# shared COMMANDS: both at work; /root/theirs, /root/ours
shared() {
	/root/sharer 0000:00:03.1 1 0xb000 $1 $values >/root/theirs 2>/root/wrong &
	sharer=$!
	: >/root/ours
	while kill -0 $sharer 2>/dev/null; do
		for value in $values; do
			n=0
			for of in $values; do [ $of = $value ] && break; n=$((n + 1)); done
			raw=
			read -r raw <$plr/core$n/raw 2>/dev/null || echo read >>/root/errors
			[ "${raw:-$value}" = $value ] || echo "core$n: $raw"
		done >>/root/ours
	done
	wait
}

# ---- on one CPU, only reading: each answer is known
hw mailbox 0/0 slow 100000
for cpu in $CPUS/cpu[1-9]*; do echo 0 >$cpu/online; done
is "$(cat $CPUS/online)" 0 "one CPU"
set_values =
shared 2000
is "$(cat /root/theirs)" "2000 commands, 0 wrong" "reading on one CPU: no answer of theirs is changed"
is "$(cat /root/ours)" "" "and none of ours is wrong"
[ ! -s /root/wrong ] || note "$(cat /root/wrong)"

# ---- and watching: limits in force on all modules, cleared all the time
n=0
for value in $values; do
	echo "plr 0/0/$n $value 0 600000000000"
	n=$((n + 1))
done | hw plr schedule -
echo 10 >$plr/interval_ms
/root/sharer 0000:00:03.1 1 0xb000 10000 $values >/root/theirs 2>/root/wrong &
sharer=$!
hw count reset
while kill -0 $sharer 2>/dev/null; do
	for n in 0 1 2 3; do echo all >$plr/core$n/clear || echo clear >>/root/errors; done 2>/dev/null
	sleep 0.05
	alien
done >/root/ours 2>/dev/null
wait
[ ! -s /root/wrong ] || note "$(cat /root/wrong)"
is "$(cat /root/theirs)" "10000 commands, 0 wrong" "watching on one CPU: no answer of theirs is changed"
is "$(cat /root/ours)" "" "and no module of ours has another one's reasons"
note "$(hw count | awk '/^class=mailbox / { sub(".*writes=", ""); print $1 - 10000 }') commands of ours meanwhile"

# ---- on several CPUs
for cpu in $CPUS/cpu[1-3]; do echo 1 >$cpu/online; done
/root/sharer 0000:00:03.1 1 0xb000 10000 $values >/root/theirs 2>/root/wrong &
sharer=$!
while kill -0 $sharer 2>/dev/null; do
	for n in 0 1 2 3; do echo all >$plr/core$n/clear || echo clear >>/root/errors; done 2>/dev/null
	sleep 0.05
	alien
done >/root/ours 2>/dev/null
wait
note "on four CPUs: $(cat /root/theirs)"
is "$(awk '{ print ($3 <= 500) }' /root/theirs)" 1 "on four CPUs: no more than one in 20 of theirs"
is "$(cat /root/ours)" "" "and no module of ours has another one's reasons"
note "errors: $(sort /root/errors | uniq -c | tr '\n' ';')"
finish
SCRIPT
done
finish
