#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tools/lab/qualify on an emulated server, whose controllers count by time and see
# nothing of what is copied: that verdict fails, all others pass, until a clock
# lies. Afterwards the modules are as they were, also after a signal.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --timeout 900 \
		--copy "$ROOT/tools/lab/qualify" \
		--copy "$ROOT/Documentation/hardware/form.txt" <<-'S'
	. /lib/test/guest.sh
	. /lib/test/plr.sh

	modules() {
		cut -d' ' -f1 /proc/modules | sort | tr '\n' ' '
	}
	# verdicts FILE: "registers PASS" for each test
	verdicts() {
		sed -n 's/^\([-A-Z]*\)  *\([a-z_]*\( copy\)*\).*/\2 \1/p' "$1" |
			grep '^[a-z]'
	}
	echo 0 >/proc/sys/kernel/printk
	plr=$(cat "$PMON/pkg0-dom0/plr/core0/raw")
	before=$(modules)
	bash qualify >/tmp/out 2>/tmp/err
	is $? 2 'a test has failed'
	note "$(cat /tmp/out)"
	is "$(modules)" "$before" 'the modules are as they were'
	is "$(cat "$PMON/pkg0-dom0/plr/core0/raw")" "$plr" 'and so are the limits'
	is "$(awk '/:/ { print $1 } /VERDICT/ { exit }' /tmp/out)" \
		"$(awk '/:/ { print $1 } /VERDICT/ { exit }' form.txt)" \
		'the report is the form'
	is "$(verdicts /tmp/out)" \
		"$(verdicts form.txt | sed 's/-$/PASS/; /copy/s/PASS/FAIL/')" \
		'that of what is copied, and no other'

	hw box 1/6/1 rate 0 1200
	bash qualify >/tmp/out 2>/tmp/err
	is "$(verdicts /tmp/out | grep -v copy | grep FAIL | head -n 1)" \
		'clockticks FAIL' 'a clock that lies'
	is "$(modules)" "$before" 'the modules are as they were, again'

	: >/tmp/err
	bash qualify >/tmp/out 2>/tmp/err &
	until grep -q 'clocks are counted' /tmp/err; do sleep 0.1; done
	kill -TERM $!
	wait $!
	is $? 143 'a signal ends it'
	is "$(modules)" "$before" 'with the modules as they were'
	finish
	S
done
finish
