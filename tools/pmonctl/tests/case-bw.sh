# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl bw and stat, on the trees of tree-counts.sh.

# A count of 8 in a millisecond, while it counts, is 8000 * 0.25 MiB/s.
a moving
run_test 0 bw && silent && prints <<-'END'
Over 1.0 s

KIND SOCKET NODE READ MiB/s WRITE MiB/s
memory 0 - 14000 0
memory 1 - 14000 4000
cxl - - 1000 0
upi 0 - 1000 10000
upi 1 - 0 0
iio 0 - 250 500
END
verdict $? "bw: what moves, by socket, with half of the time scaled"
run_test 0 bw --boxes --kind memory,upi --package 1 --sort &&
	prints tail -n +3 <<-'END'
KIND SOCKET NODE READ MiB/s WRITE MiB/s BOX
memory 1 - 12000 2000 uncore_imc_10
memory 1 - 2000 2000 uncore_imc_0
upi 1 - 0 0 uncore_upi_0
END
verdict $? "bw: the boxes of two kinds of one socket, what moves most first"
run 64 bw --kind memory,ram && complains '--kind ram: no such kind' &&
	run_test 64 bw --package 7 && complains 'nothing is counted of that package'
verdict $? "bw: kinds and packages that are none"
run_test 0 bw --for 5 && begins 'Over 5.0 s' &&
	has 'memory 0 - 14000 0' && run_test 0 bw --for 2m &&
	begins 'Over 120.0 s'
verdict $? "bw: --for is a duration"
for bad in 0 0.01 x 1x -1 9999999 1e99 ''; do
	run 64 bw --for "$bad" && complains 'not a duration' &&
		run 64 bw -i "$bad" && complains 'not a duration'
	verdict $? "bw: '$bad' is no duration"
done
run_test 0 bw -i 0.5 --for 2 --csv && [ "$(wc -l <"$tmp/out")" = 5 ] &&
	run_test 0 bw -n 3 --csv && [ "$(wc -l <"$tmp/out")" = 4 ]
verdict $? "bw: an interval and a count"
run_test 0 bw --csv && prints sed -E 's/^2[0-9-]{9}T[0-9:]{8}[.][0-9]{3}[+-][0-9:]{5},/T,/' <<-'END'
time,s0.mem.read,s0.mem.write,s1.mem.read,s1.mem.write,cxl.read,cxl.write,s0.upi.read,s0.upi.write,s1.upi.read,s1.upi.write,s0.iio.read,s0.iio.write
T,14000.0,0.0,14000.0,4000.0,1000.0,0.0,1000.0,10000.0,0.0,0.0,250.0,500.0
END
verdict $? "bw: --csv is a line of values, with milliseconds"
run_test 0 bw -n 2 --kind upi --package 0 && prints sed 's/^2[^ ]* //' <<-'END'
s0.upi read 1000.0 write 10000.0 MiB/s
s0.upi read 1000.0 write 10000.0 MiB/s
END
verdict $? "bw: several intervals are lines"
run_test 0 bw --csv --noheadings && has '! time,*' &&
	run_test 0 bw --noheadings && ! grep -q SOCKET "$tmp/out"
verdict $? "bw: --noheadings"
run_test 0 bw --json && json_has <<-'END'
	assert m["format"] == 1 and m["ms"] == 1000
	f = [f for f in m["flows"] if f["kind"] == "memory"]
	assert [(x["package"], x["pmu"], x["in_bytes_s"], x["out_bytes_s"]) for x in f][3] \
		== (1, "uncore_imc_10", 12000 << 20, 2000 << 20)
	assert "package" not in [x for x in m["flows"] if x["kind"] == "cxl"][0]
	s = [x for x in m["sockets"] if x["kind"] == "memory"]
	assert [(x["socket"], x["in_bytes_s"], x["out_bytes_s"], x["boxes"], x["unknown"])
		for x in s] == [(0, 14000 << 20, 0, 2, 0), (1, 14000 << 20, 4000 << 20, 2, 0)]
END
verdict $? "bw: --json"

a moving
node 0 0-7
node 1 8-15
run_test 0 bw && has 'memory 0 - *' && run_test 0 bw --boxes &&
	has 'memory 0 0 12000 0 uncore_imc_10' &&
	run_test 0 bw --json && json_has <<-'END'
	assert [(n["node"], n["boxes"], n["in_bytes_s"], n["out_bytes_s"])
		for n in m["nodes"]] == [(0, 2, 14000 << 20, 0),
					 (1, 2, 14000 << 20, 4000 << 20)]
	assert m["flows"][2]["node"] == 1 and "node" not in m["flows"][-1]
END
verdict $? "bw: a node for each package"
# Three clusters of Granite Rapids: 0 and 10 are of the second and the third.
a moving
node 0 0-1
node 1 2-3
node 2 4-7
node 3 8-9
node 4 10-11
node 5 12-15
for cpu in 2 4 10 12; do
	topology $cpu $((cpu / 8))
done
run_test 0 bw && has 'memory 0 - 14000 0'
verdict $? "bw: clusters of a processor that nothing is known of"
mkdir -p "$root/proc"
printf 'cpu family\t: 6\nmodel\t\t: 173\n' >"$root/proc/cpuinfo"
run_test 0 bw && prints grep ^memory <<-'END'
memory  0  1  2000  0
memory  0  2  12000  0
memory  1  4  2000  2000
memory  1  5  12000  2000
END
verdict $? "bw: sums of sub-NUMA clusters"
a moving numberless
box uncore_imc_ 90 0 'cas_count_read=5*0.25'
rate 90 5 0 8
run_test 0 bw && has 'memory 0 - 14000 0'
verdict $? "bw: a PMU whose name lacks the number is none of the boxes"
a moving latency
run_test 0 bw && silent && prints tail -n 3 <<-'END'

AVERAGE ns       READ  WRITE
cxl_pmu_mem0.0    170      -
END
verdict $? "bw: how long requests take in a device: 340 clocks of 2 GHz"
run_test 0 bw --json && json_has <<-'END'
	f = [f for f in m["flows"] if f["kind"] == "cxl"]
	assert f[0]["in_ns"] == 170 and "out_ns" not in f[0]
END
verdict $? "bw: the same in JSON"
sed -i 's/^\(70 1e9800310001 0\) .*/\1 2000000/; s/^\(70 1e9800310002 0\) .*/\1 1500000/' \
	"$root/counts"
run_test 0 bw && prints tail -n 2 <<-'END'
AVERAGE ns       READ  WRITE
cxl_pmu_mem0.0      -      -
END
verdict $? "bw: no average of a device that compares, or that counts clocks"
a moving
other 71 cxl_pmu_port_0000_c0_00_0.0 16384
other 72 cxl_pmu_port_0000_c2_00_0.0 0
other 73 cxl_pmu_pci_0000_c9_00_0.0 32768
run_test 0 bw && silent && prints grep ^cxl <<-'END'
cxl - - 3000 0
cxl_pmu_port_0000_c0_00_0.0 - - 1000 0
cxl_pmu_port_0000_c2_00_0.0 - - 0 0
END
verdict $? "bw: ports each for itself, and functions without a driver"
a moving latency
run_test 0 bw -o socket && ! grep -q ^$ "$tmp/out"
verdict $? "bw: and not among columns that it does not have"
sed -i 's/^70 1e9800310001 .*/70 1e9800310001 0 EBUSY/' "$root/counts"
run_test 0 bw && ! grep -q AVERAGE "$tmp/out" &&
	has 'cxl - - 1000 0'
verdict $? "bw: without a counter for it the bandwidth is shown all the same"
run 64 bw --csv --json
verdict $? "bw: --csv and --json are two ways"

# Behind the stack are two disks and a card, and a port that is none of them.
a moving
mkdir "$root/sys/bus/event_source/devices/uncore_iio_3"
echo 0000:15 >"$root/sys/bus/event_source/devices/uncore_iio_3/die0"
# behind DRIVER PATH
behind() {
	mkdir -p "$root/sys/devices/$2" "$root/sys/bus/pci/drivers/$1"
	ln -s "../../../devices/$2" "$root/sys/bus/pci/devices/${2##*/}"
	ln -s "/sys/bus/pci/drivers/$1" "$root/sys/devices/$2/driver"
}
behind pcieport pci0000:15/0000:15:01.0
behind nvme pci0000:15/0000:15:01.0/0000:16:00.0
behind nvme pci0000:15/0000:15:01.0/0000:17:00.0
behind mlx5_core pci0000:15/0000:15:02.0/0000:18:00.0
behind ahci pci0000:16/0000:16:00.1
run_test 0 bw --boxes &&
	has 'iio 0 - 250 500 uncore_iio_free_running_3: nvme 0000:16:00.0, nvme 0000:17:00.0, mlx5_core 0000:18:00.0'
verdict $? "bw: the devices behind a stack"
run_test 0 bw --json && is_json &&
	has '*"devices": "nvme 0000:16:00.0, nvme 0000:17:00.0, mlx5_core 0000:18:00.0"*'
verdict $? "bw: all of them in JSON"
echo 0000:15/.. >"$root/sys/bus/event_source/devices/uncore_iio_3/die0"
run_test 0 bw && has 'iio 0 - 250 500' &&
	! grep -q nvme "$tmp/out"
verdict $? "bw: what is no bus leads nowhere"

# Before adopt: intel_uncore has no events of links, and half of the stacks'.
a moving
left_to intel_uncore
events_of_kernel
run_test 0 bw && silent && prints tail -n 3 <<-'END'
iio 0 - 250 -

upi, iio WRITE/OUT: the driver in the kernel has no events for these; pmonctl adopt uncore brings them
END
verdict $? "bw: what no event counts is -, and is named"
live intel_plr_tpmi
loaded pmon_uncore
loaded pmon_plr
paranoid 0
installed
run_test 0 && has 'upi, iio WRITE/OUT: the driver in the kernel has no events for these;...' \
	'LIMITS left to intel_plr_tpmi; pmonctl adopt plr hands them over' &&
	ends 'Next: pmonctl adopt uncore'
verdict $? "no command: what is left to the kernel's drivers, and how to have it"
run_test 0 bw --csv && complains 'pmonctl adopt uncore' &&
	has '*,s0.iio.read,s0.iio.write' '*,250.0,'
verdict $? "bw: it is empty in CSV"
run_test 0 bw --json && json_has <<-'END'
	f = {f["kind"]: f for f in m["flows"]}
	assert f["iio"]["in_bytes_s"] == 250 << 20 and f["iio"]["out_bytes_s"] is None
	assert "upi" not in f
END
verdict $? "bw: it is null in JSON"
run_test 0 stat -- sleep 0.2 && reports 'upi, iio WRITE/OUT: *'
verdict $? "stat: names it, too"
rm -r "$(class)"
mkdir "$root/sys/bus/event_source/devices/uncore_iio_free_running_0"
run_test 0 bw && has 'upi, iio WRITE/OUT: *'
verdict $? "bw: the same where openpmon has no table"
a moving
left_to openpmon
events_of_kernel
run_test 0 bw && ! grep -q adopt "$tmp/out"
verdict $? "bw: adopt is no help where openpmon has the boxes"

# Firmware has frozen the boxes of package 1, and intel_uncore leaves them so.
a moving
stands_still
box uncore_cha_0 40 0,8
rate 40 1 8 0
run_test 1 bw && complains "package 1: its boxes are frozen by firmware;" \
	"this kernel's intel_uncore leaves them so: pmonctl adopt uncore" &&
	has 'memory 1 - [?] [?]' 'upi 1 - [?] [?]' &&
	has 'upi 0 - 1000 10000' && ! grep -q idle "$tmp/out"
verdict $? "bw: boxes that are frozen are unknown, not idle"
if script -qec true /dev/null >/dev/null 2>&1; then
	TERM=vt100 timeout 10 script -qec "'$PMONCTL_TEST' --sysroot '$root' bw --watch -n 1 </dev/null" \
		/dev/null >"$tmp/out"
	has 'memory 1 [?] [?] [?] [?]*' 'memory 0 14000 0 14000 *'
	verdict $? "bw: and have no peak on a screen"
fi
sed -i '/^40 /d' "$root/counts"
run_test 1 bw && complains 'its boxes count nothing and may be frozen by firmware' &&
	has 'memory 1 - [?] [?]'
verdict $? "bw: nor is all memory of a package, where no clock can be counted"
rate 40 1 8 2000000
run_test 0 bw && silent && has 'memory 1 - 0 0'
verdict $? "bw: but where a clock ticks memory may be idle"

# few FILES ARG...: with so many files at most
few() {
	most=$1
	shift
	timeout 30 prlimit --nofile="$most:$most" "$PMONCTL_TEST" --sysroot "$root" "$@" \
		>"$tmp/out" 2>"$tmp/err" 7>&- 8<&-
}
# Ten events are opened before the second box of package 1; it has four.
a moving
node 0 0-7
node 1 8-15
few 18 bw
[ $? = 1 ] && complains 'too many open files: ulimit -n is 18, and ' \
		' are needed' && prints tail -n +4 <<-'END'
memory 0 - 14000 0
memory 1 - ? ?
cxl - - ? ?
upi 0 - ? ?
upi 1 - ? ?
iio 0 - ? ?
END
verdict $? "bw: with too few files each box is in its package, and unknown"
few 18 bw --json
json_has <<-'END'
	f = m["flows"]
	assert all(x["package"] in (0, 1) for x in f if x["kind"] != "cxl")
	assert [x["in_bytes_s"] for x in f][-1] is None
END
verdict $? "bw: and in JSON"
needed=$(sed -n 's/.*and \([0-9]*\) are needed.*/\1/p' "$tmp/err")
few "$needed" bw && silent
verdict $? "bw: with as many as it says there are enough"

a moving
sed -i 's/^20 5 0 8$/20 5 0 EBUSY/' "$root/counts"
run_test 1 bw && complains 'uncore_imc_0: all counters are taken' &&
	has 'memory 0 - [?] [?]' 'memory 1 - 14000 *'
verdict $? "bw: a box that cannot be counted makes no sum"
run_test 1 bw --csv && grep -q '^2[^,]*,,,14000.0,4000.0,' "$tmp/out"
verdict $? "bw: and no number"
# Of three seconds another has its counter in the first two.
a moving
sed -i 's/^20 5 0 8$/20 5 0 8 0 0 2000/' "$root/counts"
passing <<-'END'
	[ "$to" != 3000 ] || kill -TERM $PPID
END
run_test 0 bw --watch --csv --boxes --package 0 --kind memory &&
	prints sed -n 's/^2[^,]*\(,[^,]*,[^,]*\),.*/\1/p' <<-'END'
,,
,,
,2000.0,0.0
END
verdict $? "bw: --watch has numbers again once there is a counter again"
# It ends in error in the second of four seconds, at the end of which it is
# switched on again.
sed -i 's/^20 5 0 8 .*/20 5 0 8 0 0 0 1000 2000/' "$root/counts"
sed -i 's/3000/4000/' "$root/sbin/pause"
run_test 0 bw --watch --csv --boxes --package 0 --kind memory &&
	prints sed -n 's/^2[^,]*\(,[^,]*,[^,]*\),.*/\1/p' <<-'END'
,2000.0,0.0
,,
,2000.0,0.0
,2000.0,0.0
END
verdict $? "bw: --watch has numbers again after an event that ended in error"
a moving
sed -i 's/[0-9]*$/EACCES/' "$root/counts"
paranoid 3
run_test 2 bw && complains 'counting takes root, or CAP_SYS_ADMIN while kernel.perf_event_paranoid is above 2' &&
	prints </dev/null
verdict $? "bw: without rights it says which"
# says_error TEXT: as JSON, and on standard error
says_error() {
	complains "$1" && json_has <<-END
	assert m["format"] == 1 and "$1" in m["error"], m
	END
}
run_test 2 --json bw && says_error 'counting takes root'
verdict $? "bw: to programs, too"
a moving
rm -r "$root"/sys/bus/event_source/devices/*/events
run_test 2 bw && complains 'no PMU has events for bandwidth' 'pmonctl adopt'
verdict $? "bw: PMUs without events"
run_test 2 --json bw && says_error 'no PMU has events for bandwidth'
verdict $? "bw: the same in JSON"
new_tree
expander
run 2 --json bw && says_error 'modprobe pmon_cxl' && run 2 metrics &&
	complains 'modprobe pmon_cxl' && loaded pmon_cxl && run 2 bw &&
	! grep -q modprobe "$tmp/err"
verdict $? "bw: a host that has CXL memory, and nothing that counts it"
new_tree
run 77 bw && run 77 bw --json && is_json
verdict $? "bw: no supported hardware is 77"

a moving
run_test 7 stat -- sh -c 'echo of the job; exit 7' && has 'of the job' &&
	reports '*READ GiB*' && ! grep -q GiB "$tmp/out"
verdict $? "stat: the job's output and status are its own"
run 64 stat && complains 'needs a job' && run 64 stat --
verdict $? "stat: without a job is wrong usage"
run_test 0 stat sh -c 'echo of the job' --json && reports 'sh: * of CPU time' &&
	has 'of the job'
verdict $? "stat: what follows the job is its own, without -- too"
run_test 0 stat --json -o "$tmp/report" -- sh -c "echo of the job; sleep 0.2" && silent &&
	has 'of the job' && mv "$tmp/report" "$tmp/out" && is_json
verdict $? "stat: a report in a file"
answers "stat: no program is run for a tree" 64 'with --sysroot no program is run' stat -- true

# Limits that are there and cannot be watched keep no job from running, as if
# they were not there; it has signals as ever.
a moving
domain 0 0 0-3
core 0 0 0 0-1 none
# shellcheck disable=SC2016
run_test 130 stat -- sh -c 'echo of the job; sleep 0.2; kill -INT $$' &&
	has 'of the job' && complains 'nobody watches this domain' &&
	reports 'memory 0 * 14000 0'
verdict $? "stat: a job runs where limits cannot be watched"
run_test 0 stat --json -- true && is_json && ! grep -q limits "$tmp/out"
verdict $? "stat: and its report has none"

# What was moved before the job, while a watch of the limits began, is not the
# job's: here all begins to move when that has. Of its two seconds core0 is limited
# for one and a half.
a moving
domain 0 0 0-3
core 0 0 0 0-1 none
sed -i 's/ \([0-9]*\)$/ 0 \1 300/' "$root/counts"
uptime 1000
for part in die core0; do
	put pkg0-dom0/plr/$part/time_in_reason 'observed 100 900000 -' 'POWER 4000 900000 -'
done
passing <<'END'
[ "$to" -ge 300 ] || exit 0
for part in die core0; do
	{
		echo "observed $((100 + to)) 1000001 900000"
		[ "$to" -gt 300 ] && echo 'POWER 5500 1000001 -' || echo 'POWER 4000 1000001 -'
	} >"$class/pkg0-dom0/plr/$part/time_in_reason"
done
END
run_test 0 stat -- sleep 0.2 && reports 'memory 0 * 14000 0' \
		'POWER 1.5 * 1' && reports '! FREQUENCY*'
verdict $? "stat: begins with the job, and has the time of each reason"
prlimit --nofile=512: "$PMONCTL_TEST" --sysroot "$root" stat -- sh -c 'ulimit -n' \
	>"$tmp/out" 2>"$tmp/err" && grep -qx 512 "$tmp/out"
verdict $? "stat: a job is allowed as many files as ever"
export POSIXLY_CORRECT=yes
# shellcheck disable=SC2016
run_test 0 stat -- sh -c 'echo "$POSIXLY_CORRECT"' && grep -qx yes "$tmp/out"
verdict $? "stat: and has its environment"
unset POSIXLY_CORRECT

# lost ARG...: what is printed gets nowhere, and a signal tells of it nobody
lost() {
	timeout 30 sh -c 'trap "" PIPE; exec "$@"' sh "$PMONCTL_TEST" --sysroot "$root" "$@" \
		>/dev/full 2>"$tmp/err"
	[ $? = 2 ] && complains 'cannot write the output: No space left on device'
}
a moving
lost bw --csv --watch && lost bw --watch && lost bw --json --watch
verdict $? "bw: --watch ends when its output is lost"
a moving
run_test 0 bw -o node,'write mib/s',kind --noheadings && prints sed -n 1,2p <<-'END'
- 0 memory
- 4000 memory
END
verdict $? "bw: -o"
