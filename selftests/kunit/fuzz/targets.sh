# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# Define the fuzzed parsers, how to build them and how to print results, for the
# scripts `run` and `long`. Source after selftests/lib/build/lib.sh.

here=$ROOT/selftests/kunit/fuzz
fuzz=$OWN/fuzz
names='tables cpmus tpmi text uboxes'

# target NAME: set `what` (a title) and `sources` (files) for a parser
target() {
	local d=$ROOT/drivers

	case $1 in
	tables)
		what='discovery tables'
		sources=("$d"/uncore/{table,resolve,platform}.c
			"$here/uncore_table.c") ;;
	cpmus)
		what='CXL devices'
		sources=("$d"/cxl/cpmu.c
			"$d"/core/{assign,read,verdict,changes,program,life,encode,state}.c
			"$here/cxl_caps.c") ;;
	tpmi)
		what='TPMI devices'
		sources=("$d"/core/tpmi.c "$d"/plr/mailbox.c "$here/tpmi.c") ;;
	text)
		what='reasons and modes as text'
		sources=("$d/plr/reasons.c" "$d/core/mode.c" "$here/text.c") ;;
	uboxes)
		what='Uboxes'
		sources=("$d/r2pcie/sockets.c" "$here/uboxes.c") ;;
	*) die "no parser $1" ;;
	esac
}

# fuzzer COMPILER PROGRAM OPTION|SOURCE...: build a program
fuzzer() {
	quiet "$fuzz/build.log" "$1" -std=gnu11 -g -I"$ROOT/include" \
		-I"$ROOT/selftests/kunit/host/include" -D__KERNEL__ \
		-include linux/kernel.h -Wall -Wno-unused-function \
		-o "$2" "${@:3}"
}

# result STATUS NAME: print a line of TAP
passed=0
failed=0
result() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
		echo "ok $((passed + failed)) - $2"
	else
		failed=$((failed + 1))
		echo "not ok $((passed + failed)) - $2"
	fi
}

# finish: print the plan; fail after a failed result
finish() {
	echo "1..$((passed + failed))"
	echo "# $passed passed, $failed failed"
	[ "$failed" = 0 ]
}
