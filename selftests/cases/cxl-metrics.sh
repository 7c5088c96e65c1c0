#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Our metrics of CXL devices in the form of perf's source tree: the generators of
# Linux 6.12 and of the newest make tables of them that compile.
# kernels: 6.12
. "$(dirname "$0")/lib/tap.sh"

OWN=$ROOT/tools/perf/pmu-events/arch/x86/cxl
names=$(python3 -c '
import json, sys
for m in json.load(open(sys.argv[1])): print(m["MetricName"])' "$OWN"/sys/*.json)
for version in 6.12 newest; do
	source=$("$ROOT/selftests/build/source" $version)
	perf=$source/tools/perf/pmu-events
	arch=$TMP/$version/arch
	mkdir -p "$arch/x86"
	cp -r "$perf"/arch/test "$arch/"
	[ ! -e "$perf/arch/common" ] || cp -r "$perf/arch/common" "$arch/"
	cp -r "$OWN" "$perf/arch/x86/mapfile.csv" "$arch/x86/"
	runs "$version: jevents.py makes tables" python3 "$perf/jevents.py" \
		x86 all "$arch" "$TMP/$version/events.c"
	runs "$version: they compile" gcc -Wall -Werror -Wno-unused -c \
		-o "$TMP/$version/events.o" "$TMP/$version/events.c" \
		-I"$source/tools/perf" -I"$source/tools/perf/util" \
		-I"$source/tools/lib/perf/include" -I"$source/tools/lib" \
		-I"$source/tools/include" -I"$source/tools/include/uapi" \
		-I"$source/tools/arch/x86/include"
	is "$(for name in $names; do
		! grep -qF "/* $name\\000" "$TMP/$version/events.c" || echo "$name"
	done)" "$names" "$version: with all of them"
done
finish
