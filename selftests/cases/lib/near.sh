# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of CXL cases, beside cxl.sh: counters that are near their end.
# The current directory is /root, where hold is.

# held PMU CONFIG: what an event that is open all the time says, while standard
# input goes on; lines of "TAG COUNT" in "held"
held() {
	{ echo "open $1 0 $2"; cat; } | ./hold | awk '{ print $1, $4 }' >held
}
# gained FROM TO
gained() {
	echo $(($(sed -n "s/^$2 //p" held) - $(sed -n "s/^$1 //p" held)))
}
cat >near.sh <<'END'
# near.sh CPMU VALUE: so far is the counter that counts
hw cpmu "$1" | sed -n 's/^ctr=\([0-9]*\) cfg=\(0x[0-9a-f]*\) .*/\1 \2/p' |
	while read -r n cfg; do
		[ $((cfg >> 8 & 1)) = 0 ] ||
			hw cpmu "$1" poke $((0xc00 + 8 * n)) "$2"
	done
END
# near_end PMU VALUE: its counter is 16 before its end, and perf knows; then 16
# accesses bring it there, and 84 more follow.
near_end() {
	held "$1" 0x1e98002000000002 <<-END
	! sh near.sh ${1#cxl_pmu_mem} $2
	read before
	! . /lib/test/cxl.sh; traffic "0 r 8 16 8"; sleep 0.1
	read at
	! hw cpmu ${1#cxl_pmu_mem} >registers
	! . /lib/test/cxl.sh; traffic "0 r 8 84 8"
	read after
	END
}
