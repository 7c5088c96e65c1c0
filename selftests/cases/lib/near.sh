# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of CXL cases with counters about to wrap; source after
# cxl.sh.

# near_held PMU CONFIG: keep an event open while /root/hold runs the commands of standard input;
# write lines "TAG COUNT" to the file `held`
near_held() {
	{ echo "open $1 0 $2"; cat; } | ./hold | awk '{ print $1, $4 }' >held
}
# near_gained FROM TO: print by how much the count rose between the readings with tags FROM and TO
near_gained() {
	echo $(($(sed -n "s/^$2 //p" held) - $(sed -n "s/^$1 //p" held)))
}
cat >near.sh <<'END'
# near.sh CPMU VALUE: set the enabled counter to VALUE
hw cpmu "$1" | sed -n 's/^ctr=\([0-9]*\) cfg=\(0x[0-9a-f]*\) .*/\1 \2/p' |
	while read -r n cfg; do
		[ $((cfg >> 8 & 1)) = 0 ] ||
			hw cpmu "$1" poke $((0xc00 + 8 * n)) "$2"
	done
END
# near_end PMU VALUE: set the counter to VALUE, 16 events before the wrap, and let perf read
# it; then make the 16 accesses up to the wrap, and 84 more
near_end() {
	near_held "$1" 0x1e98002000000002 <<-END
	! sh near.sh ${1#cxl_pmu_mem} $2
	read before
	! . /lib/test/cxl.sh; cxl_traffic "0 r 8 16 8"; sleep 0.1
	read at
	! hw cpmu ${1#cxl_pmu_mem} >registers
	! . /lib/test/cxl.sh; cxl_traffic "0 r 8 84 8"
	read after
	END
}
