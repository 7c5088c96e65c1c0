#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run tools/lab/qualify: it prints PASS for an emulated server. With one fault it prints
# FAIL or NOT KNOWN at exactly the question about this fault. At its end the loaded modules
# are as before, also after a signal; without --writes latched limits stay, too. Its file
# has the verdict. MACHINES lists servers, by default one with limits and one without;
# slow/tools-qualify-many.sh has others.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
# --allow-illegal: qualify --writes reads debugfs of intel_vsec_tpmi, by accesses of 4 bytes.
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
for machine in ${MACHINES:-gnr-2s spr-2s}; do
	in_vm "$k $machine" --kernel "$k" --machine "$machine" --timeout 1800 \
		--allow-illegal \
		--copy "$ROOT/tools/lab/qualify" <<-'S'
	. /lib/test/uncore.sh
	. /lib/test/qualify.sh

	modules() {
		cut -d' ' -f1 /proc/modules | sort | tr '\n' ' '
	}
	echo 0 >/proc/sys/kernel/printk
	qualify_memory_sees
	# limits: print the latched limits, if the platform has any
	limits() {
		cat "$PMON"/pkg*-dom*/plr/*/raw 2>/dev/null
	}
	plr=$(limits)
	before=$(modules)
	qualify_runs 'qualify passes on a healthy server' ''
	is "$(modules)" "$before" 'qualify leaves the loaded modules as before'
	is "$(limits)" "$plr" 'qualify leaves latched limits as before'
	like "$(tail -n 70 /tmp/qualify.json)" '"verdict": "PASS"' 'the file of qualify has the verdict PASS'
	is "$(awk '$3 == "-" || $4 == "-" || $5 == "-" { print $1 }' /tmp/out | paste -sd' ')" \
		"$([ -n "$plr" ] && echo 5 8 9 || echo 5 7 8 9)" \
		'questions that need --writes have no answer without the option'
	qualify_runs 'qualify --writes passes on a healthy server' '' --writes
	is "$(modules)" "$before" 'qualify --writes leaves the loaded modules as before'

	# Inject each fault, and remove it before the next one.
	echo 's,^0 0/,0 9/,; s,^1 1/,1 0/,; s,^0 9/,0 1/,' >/root/lies
	qualify_runs 'qualify fails question 3 if packages are swapped' '3 FAIL'
	echo '/^1 1.6.3 /d' >/root/lies
	qualify_runs 'qualify fails question 4 if a memory controller is dead' '4 FAIL'
	: >/root/lies
	sed -i 's,mib \* 16384,mib * 8192,' /root/bin/dd
	qualify_runs 'qualify fails question 4 if the scale is half' '4 FAIL'
	sed -i 's,mib \* 8192,mib * 16384,' /root/bin/dd
	if [ -n "$plr" ]; then
		for dom in 0/0 0/1 1/0 1/1; do
			hw mailbox $dom slow 1500000
		done
		qualify_runs 'qualify fails question 7 if a mailbox is slow' '7 FAIL'
		for dom in 0/0 0/1 1/0 1/1; do
			hw mailbox $dom slow 100000
			hw die $dom latches
			hw plr $dom/0 0x4
		done
		qualify_runs 'qualify answers NOT KNOWN to question 8 if a die latches' '8 NOT KNOWN' --writes
		for dom in 0/0 0/1 1/0 1/1; do
			hw die $dom collects
		done
	fi
	hw global all sticks
	qualify_runs 'qualify fails question 5 if a freeze bit sticks' '5 FAIL' --writes

	# status_after SIGNAL FILE: send a signal at question 3, and print qualify's exit status
	status_after() {
		rm -f /tmp/err
		bash qualify "$2" >/tmp/out 2>/tmp/err &
		until grep -qs 'question 3' /tmp/err; do sleep 0.1; done
		kill "-$1" $!
		wait $!
		echo $?
	}
	is "$(status_after TERM /tmp/signal.json)" 143 'qualify exits with 143 after a signal'
	is "$(modules)" "$before" 'qualify leaves the loaded modules as before after a signal'
	is "$(status_after ALRM /tmp/late.json)" 2 'qualify exits with 2 at the end of its time'
	like "$(tail -n 70 /tmp/late.json)" '"verdict": "NOT KNOWN"' \
		'the file of a qualify out of time has the verdict NOT KNOWN'
	S
	# reserve= takes addresses below 4 GiB.
	low=$(machine "$machine" 'm["memory_controllers"] = "unmapped"')
	in_vm "$k $machine refused" --kernel "$k" --machine "$low" --timeout 600 \
		--append reserve=0xa8222000,0x1000 --copy "$ROOT/tools/lab/qualify" <<-'S'
	. /lib/test/uncore.sh
	. /lib/test/qualify.sh
	qualify_memory_sees
	qualify_runs 'qualify fails question 1 if addresses are refused' '1 FAIL'
	S
done
done
finish
