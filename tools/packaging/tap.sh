# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# Library of the tests in these directories, which print TAP. Sets $here, $version, and $tmp, a
# directory that is removed at the end.
set -u
here=$(cd "$(dirname "$0")" && pwd)
version=$("$here/../../package-version")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0 failed=0

# verdict STATUS NAME: print a result; if it is a failure, also the last output, and the calls that
# programs of fake() have logged
verdict() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		failed=$((failed + 1))
		echo "not ok $n - $2"
		cat "$tmp/out" "${root:-$tmp}/calls" 2>/dev/null | sed 's/^/# /'
	fi
}

# try NAME COMMAND...: check that a command succeeds
try() {
	"${@:2}" >"$tmp/out" 2>&1
	verdict $? "$1"
}

# fake PROGRAM: make a program in $tmp/bin from the bash code in standard input
fake() {
	mkdir -p "$tmp/bin"
	{ echo '#!/bin/bash' && cat; } >"$tmp/bin/$1"
	chmod +x "$tmp/bin/$1"
}

# finish: print the plan; fail if a test has failed
finish() {
	echo "1..$n"
	echo "# $((n - failed)) passed, $failed failed"
	[ $failed = 0 ]
}
