#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Verify the emulator by the kernel's own intel_uncore: it finds every unit of the machine
# file in the discovery table, and perf's counts on all of them equal the hardware's
# exactly, for any register contents at power-on and any scope of resets. Before Linux
# 7.2 intel_uncore ignores the global freeze (see frozen.sh), so the case clears the freeze.
# kernels: 6.1 6.12 newest
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
for machine in spr-2s gnr-2s srf-1s spr-full emr-full; do
	in_vm "$machine on $k" --kernel "$k" --machine "$machine" \
		--drivers upstream --timeout 240 <<'SCRIPT'
cd /root
DEVICES=/sys/bus/event_source/devices
hw global all =0
eval "$(hw machine | tr ' ' '\n' | grep name=)"
case $(uname -r) in 6.1.*) old=1 ;; *) old= ;; esac

# Print "TYPE/ID PMU" for each PMU, by its alias, or by its name
for d in $DEVICES/uncore_*; do
	{ read -r alias <$d/alias; } 2>/dev/null || alias=${d##*/}
	case $alias in
	uncore_type_*_*) i=${alias#uncore_type_}; echo "${i%_*}/${i#*_} ${d##*/}" ;;
	uncore_type_*) echo "${alias#uncore_type_}/0 ${d##*/}" ;;
	esac
done | sort >pmus

# Since 6.12 intel_uncore has UPI and M3UPI of SPR built in, despite the table, and maps all
# links to the first link's function, so only unit 0 is right.
hw units | sed 's/[a-z]*=//g' | awk '{ print $2 "/" $3 }' | sort -u >units
skipped=
case $name$old in spr-2s | spr-full | emr-full) skipped='^(8|9)/' ;; esac
missing=$(awk 'NR == FNR { pmu[$1] = $2; next } !($1 in pmu)' pmus units |
	grep -vE "${skipped:-^$}")
is "$missing" "" "every unit of the table has a PMU ($(wc -l <units))"
surplus=$(awk 'NR == FNR { unit[$1]; next } !($1 in unit)' units pmus |
	grep -vE "${skipped:-^$}")
is "$surplus" "" "every PMU has a unit of the table"

# Count two events on every unit, and the fixed counter where the kernel supports it. Count
# only one event where 6.1 assumes controls 4 bytes apart although they are 8 apart.
awk -v old="$old" 'NR == FNR { pmu[$1] = $2; next } $1 in pmu {
	split($1, u, "/")
	print $1, pmu[$1], "config=0x0104"
	if (!(old && u[1] ~ /^1[237]$/))
		print $1, pmu[$1], "config=0x0205"
	if (pmu[$1] ~ /^uncore_imc_/)
		print $1, pmu[$1], "event=0xff"
}' pmus units | grep -vE "${skipped:-^$}" >events
args=$(awk '{ printf " -e %s/%s/", $2, $3 }' events)
hw truth reset
perf stat -a --per-socket --no-big-num -x ' ' -o stat $args -- sleep 0.05
# Match counts by control, because with 8 counters the driver may move an event to another counter.
hw truth controls >truth

# Compare sorted lines "UNIT COUNT" of perf and of the hardware.
awk 'NR == FNR { unit[$2 "/" $3 "/"] = $1; next }
	/^S/ { print substr($1, 2) "/" unit[$4], $3 }' events stat | sort >got
sed 's/[a-z]*=//g' truth | awk '{ print $1, $3 }' | sort >want
is "$(wc -l <got)" "$(($(wc -l <events) * $(hw machine | sed 's/.*packages=\([0-9]*\).*/\1/')))" \
	"perf counts every event in every package"
is "$(awk '$2 <= 0' got)" "" "no count is 0"
is "$(diff got want | head -n 20)" "" "all counts equal the hardware's"
note "$(wc -l <got) counts, the first: $(head -n 1 got)"
is "$(dmesg | grep -v 'module verification' |
	grep -iE 'uncore.*(invalid|duplicate|spurious|fail)')" "" "intel_uncore logs no complaint"
SCRIPT
done
done
finish
