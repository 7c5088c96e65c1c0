# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016,SC2034
# Test pmonctl bw and stat on trees with events that count.

# few SOFT:[HARD]: limit the number of pmonctl's open files
few() {
	printf '%s\n' '#!/bin/sh' "exec prlimit --nofile=$1 '$PMONCTL_TEST' \"\$@\"" >"$tmp/few"
	chmod +x "$tmp/few"
	program=$tmp/few
}
# says_error TEXT: is TEXT an error in the JSON and on standard error?
says_error() {
	complains "$1" && has "*\"error\": *$1*" '*"format": 2*' && is_json
}
# watched_late: begin traffic and the record of limits at 300 ms, and end the job 2 s later. POWER
# limits core0 twice, for 1.5 s in total, or as in the file `power`; a file `turbo` adds FREQUENCY.
watched_late() {
	moving
	domain 0 0 0-3
	core 0 0 0 0-1 none
	sed -i 's/ \([0-9]*\)$/ 0 \1 300/' "$root/counts"
	put proc/uptime 1000.00
	for part in die core0; do
		put pkg0-dom0/plr/$part/time_in_reason 'observed 100 900000 - 1' 'POWER 4000 900000 - 3'
	done
	passing <<-'END'
	[ "$to" -ge 300 ] || exit 0
	power='4000 1000001 - 3' turbo='4000 1000001 990000 1' observed=400
	[ "$to" = 300 ] || {
		power='5500 1000001 - 5' turbo=$(cat "$root/turbo" 2>/dev/null) observed=2400
		[ ! -e "$root/power" ] || read -r power <"$root/power"
	}
	for part in die core0; do
		printf '%s\n' "observed $observed 1000001 900000 1" "POWER $power" \
			${turbo:+"FREQUENCY $turbo"} >"$class/pkg0-dom0/plr/$part/time_in_reason"
	done
	END
	ends 2300
}
# by_modules: in a job of 2 s, POWER limits one module for 0.9 s of 1.8 s observed, another for
# 0.2 s of 2 s, a third never. FREQUENCY is observed for 0.1 s in the first only, THERMAL in none.
by_modules() {
	watched_late
	for module in 1 2; do
		core 0 0 $module $((2 * module)) none
		cp "$class/pkg0-dom0/plr/die/time_in_reason" "$class/pkg0-dom0/plr/core$module"
	done
	passing <<-'END'
	[ "$to" -ge 300 ] || exit 0
	[ "$to" = 300 ] && at=0 || at=1
	echo "observed $((400 + 2000 * at)) 1000001 900000 1" >"$class/pkg0-dom0/plr/die/time_in_reason"
	for module in 0 1 2; do
		case $module in
		0) power="$((4000 + 900 * at)) 1000001 - $((3 + at)) $((9000 + 1800 * at))" turbo="70 1000001 999000 1 $((100 + 100 * at))" ;;
		1) power="$((200 * at)) 1000001 - $((2 * at)) $((9000 + 2000 * at))" turbo="70 1000001 999000 1 100" ;;
		2) power="0 - - 0 $((9000 + 2000 * at))" turbo="0 - - 0 100" ;;
		esac
		printf '%s\n' "observed $((400 + 2000 * at)) 1000001 900000 1" "POWER $power" \
			"FREQUENCY $turbo" 'THERMAL 5 1000001 999999 1 5' \
			>"$class/pkg0-dom0/plr/core$module/time_in_reason"
	done
	END
	ends 2300
}
# busy FILE: as a job, use at least five ticks of CPU time, and write their number to FILE
cat >"$tmp/busy" <<'END'
had=0
while [ "$had" -lt 5 ]; do
	read -r stat </proc/$$/stat
	set -- "$1" ${stat##*)}
	had=$((${13} + ${14}))
done
echo $had >"$1"
END
# clusters: give each package three clusters; memory controller 0 is in the second, 10 in the third
clusters() {
	moving
	nodes 0-1 2-3 4-7 8-9 10-11 12-15
	for cpu in 2 4 10 12; do
		topology $cpu $((cpu / 8))
	done
}
# behind_a_stack: put a port, two disks and a network card behind a stack, and a disk elsewhere
behind_a_stack() {
	moving
	put uncore_iio_3/die0 0000:15
	while read -r driver path; do
		link "/sys/bus/pci/drivers/$driver" "sys/devices/$path/driver"
		link "../../../devices/$path" "sys/bus/pci/devices/${path##*/}"
	done <<-'END'
	pcieport pci0000:15/0000:15:01.0
	nvme pci0000:15/0000:15:01.0/0000:16:00.0
	nvme pci0000:15/0000:15:01.0/0000:17:00.0
	mlx5_core pci0000:15/0000:15:02.0/0000:18:00.0
	ahci pci0000:16/0000:16:00.1
	END
}
# host_ports: make CXL ports as on Granite Rapids: CXLCM 2 belongs to CXLDP 3, 10 to 11
host_ports() {
	moving
	for i in 2 10; do
		box uncore_cxlcm_$i $((80 + i)) 0,8 'rxc_pack_buf_inserts.mem_data=41*0.25'
		box uncore_cxldp_$((i + 1)) $((81 + i)) 0,8 'txc_agf_inserts.m2s_data=2*0.25'
	done
	rates <<-'END'
	82 0 41=4
	82 8 41=0
	90 0 41=8
	90 8 41=0
	83 0 2=1
	83 8 2=2
	91 0 2=0
	91 8 2=0
	END
}
# with_hbm: make an HBM unit in each of two packages
with_hbm() {
	moving
	box uncore_mchbm_31 33 0,8 clockticks=101 'cas_count_read=5*0.25' \
		'cas_count_write=6*0.25'
	rates <<-'END'
	33 0 5=2 6=1
	33 8 5=0 6=4
	END
}
# falls_silent: stop a box after 1 s, and mark it unresponsive after 2 s; its events do not fail
falls_silent() {
	moving
	left_to openpmon
	recount 20 5 0 8 -8 1000
	passing 4000 <<-'END'
	[ $to -lt 2000 ] || echo '0 1' >"$root/sys/bus/event_source/devices/uncore_imc_0/unresponsive"
	END
}
# values: print the lines of CSV, without heads and times, as one line
values() {
	sed '1d; s/^[^,]*//' "$tmp/out" | tr '\n' ' '
}
# before_adopt: make a host with intel_uncore, which lacks events of links and of stacks' writes
before_adopt() {
	moving
	left_to intel_uncore
	events_of_kernel
	live intel_plr_tpmi pmon_uncore pmon_plr
	paranoid 0
	installed
}

# A rate of 8 counts per millisecond is 8000 * 0.25 MiB/s, or 2097 MB/s.
rows <<'END'
bw: what moves, by socket, with half of the time scaled | : a moving | 0 bw
> Over 1.0 s
>
> KIND SOCKET NODE READ MB/s WRITE MB/s TOTAL MB/s
> memory all - 29360 4194 33554
> memory 0 - 14680 0 14680
> memory 1 - 14680 4194 18874
> cxl - - 1049 0 1049
> upi 0 - 1049 10486 11534
> upi 1 - 0 0 0
> iio 0 - 262 524 786
bw: of one socket there is no other sum | 0 bw --socket 1 --kind memory | ! memory all * |
	memory 1 - 14680 4194 18874
bw: the boxes of two kinds of one socket | 0 bw --boxes --kind memory,upi --socket 1
> Over 1.0 s
>
> KIND SOCKET NODE READ MB/s WRITE MB/s TOTAL MB/s BOX
> memory 1 - 2097 2097 4194 uncore_imc_0
> memory 1 - 12583 2097 14680 uncore_imc_10
> upi 1 - 0 0 0 uncore_upi_0
bw: a kind that is none | 64 bw --kind memory,ram | - --kind ram: no such kind
bw: a package that is none | 64 bw --socket 7 | - no box of that socket
bw: --for in units | 0 bw --for % | Over 7200.0 s
% 2h 120m 7200s 7200000ms
bw: and in days | 0 bw --for 2d | Over 172800.0 s
bw: --for in milliseconds, none of which is lost | 0 bw --for 1.001 --json | *"ms": 1001,
bw: --for ends an interval that is longer | 0 bw -i 5 --for 2 --json | *"ms": 2000,*
bw: --interval is one, too | 64 bw -i 1x | - --interval 1x: not a duration
bw: --csv and --json are two ways | 64 bw --csv --json
bw: '%' is no duration | 64 bw --for '%' | - not a duration
% 0 0.01 x 1x -1 9999999 1e99 ''
bw: an interval for so long, or so many | 0 bw % --csv | : [ "$(wc -l <"$tmp/out")" = 5 ]
% '-i 0.5 --for 2' '-n 4' '--watch --for 4'
bw: so it is without --csv, and with --watch into a pipe | 0 bw -n 4 % |
	: [ "$(wc -l <"$tmp/out")" = 5 ] | time,socket0.memory.read_MB_s,*
% '' --watch
bw: so many intervals in so long, a line of JSON each | 0 bw -n 4 --for 2 --json |
	: [ "$(grep -c '"ms": 500,' "$tmp/out")" = 4 ] && [ "$(wc -l <"$tmp/out")" = 4 ]
bw: none is no number of intervals | 64 bw -n 0 | - --count 0: not a number of intervals
bw: --csv is a line of values, with milliseconds | 0 bw --csv |
	: edited 's/^2[0-9-]{9}T[0-9:]{8}[.][0-9]{3}[+-][0-9:]{5},/T,/'
> time,socket0.memory.read_MB_s,socket0.memory.write_MB_s,socket1.memory.read_MB_s,socket1.memory.write_MB_s,cxl.read_MB_s,cxl.write_MB_s,socket0.upi.read_MB_s,socket0.upi.write_MB_s,socket1.upi.read_MB_s,socket1.upi.write_MB_s,socket0.iio.read_MB_s,socket0.iio.write_MB_s
> T,14680.1,0.0,14680.1,4194.3,1048.6,0.0,1048.6,10485.8,0.0,0.0,262.1,524.3
# Each of the two packages is a node.
bw: --json, with a node for each package | : nodes 0-7 8-15 | 0 bw --json
= MIB = 1 << 20
= assert m["format"] == 2 and m["ms"] == 1000
= f = m["flows"]
= assert [(x["socket"], x["node"], x["pmu"], x["read_bytes_s"] / MIB, x["write_bytes_s"] / MIB)
=     for x in f if x["kind"] == "memory"][2:] == [
=     (1, 1, "uncore_imc_0", 2000, 2000), (1, 1, "uncore_imc_10", 12000, 2000)]
= cxl, = [x for x in f if x["kind"] == "cxl"]
= assert not {"socket", "node", "read_ns"} & set(cxl)
= sums = [(x["read_bytes_s"] / MIB, x["write_bytes_s"] / MIB, x["boxes"])
=     for x in m["sockets"] if x["kind"] == "memory"]
= assert sums == [(14000, 0, 2), (14000, 4000, 2)]
= assert [(n["node"], n["read_bytes_s"] / MIB, n["write_bytes_s"] / MIB, n["boxes"])
=     for n in m["nodes"]] == [(0, *sums[0]), (1, *sums[1])]
= assert [x["socket"] for x in m["sockets"] if "socket" in x] == [0, 1, 0, 1, 0]
bw: a node that is a package | 0 bw | memory 0 - 14680 0 14680
bw: the node of a box | 0 bw --boxes | memory 0 0 12583 0 12583 uncore_imc_10
bw: clusters of a processor that nothing is known of | : a clusters | 0 bw | memory 0 - 14680 0 14680
bw: sums of sub-NUMA clusters | : put proc/cpuinfo 'cpu family	: 6' 'model		: 173' |
	0 bw | memory 0 1 2097 0 2097 | memory 0 2 12583 0 12583 | memory 1 4 2097 2097 4194 |
	memory 1 5 12583 2097 14680 | ! memory 0 -*
bw: a cluster whose CPUs are offline |
	: a clusters; put proc/cpuinfo 'model		: 173';
	put sys/devices/system/node/node2/cpulist '';
	put sys/devices/system/node/node2/cpu4/online 0 | 0 bw --boxes --kind memory |
	memory 0 - 2097 0 2097 uncore_imc_0 | memory 0 - 12583 0 12583 uncore_imc_10
bw: one node for two sockets | : a moving; nodes 0-15 | 0 bw --json
= assert m["nodes"] == []
= assert not any("node" in x for x in m["flows"] if x["kind"] == "memory")
bw: two clusters, of which eight controllers are known | : a moving; nodes 0-1 2-7 8-9 10-15;
	topology 2 0; topology 10 1; put proc/cpuinfo 'model		: 174' | 0 bw --boxes --kind memory |
	memory 0 1 2097 0 2097 uncore_imc_0 | memory 1 3 2097 2097 4194 uncore_imc_0 |
	memory 0 - 12583 0 12583 uncore_imc_10
bw: HBM, which its package has beside DIMMs | : a with_hbm | 0 bw --kind memory,hbm |
	memory all - 29360 4194 33554 | memory 0 - 14680 0 14680 | hbm 0 - 524 262 786 |
	hbm 1 - 0 1049 1049 | ! hbm all *
no command: nine rows of bandwidth, and how many more there are | : a with_hbm;
	box uncore_cxlcm_2 82 0,8 'rxc_pack_buf_inserts.mem_data=2*0.25';
	printf '82 2 %s\n' '0 4' '8 0' >>"$root/counts" | 1 | upi 0 - 1049 10486 11534 | ! upi 1 * |
	[(]2 more: pmonctl bw[)]
bw: HBM in CSV | 0 bw --kind hbm --csv | *,524.3,262.1,0.0,1048.6
bw: HBM of the kernel's driver has no events | : a moving; left_to intel_uncore;
	pmu uncore_hbm_0 event=config:0-7; unit 0 '14 mchbm' 0 mmio 0x1000 4 48 - intel_uncore |
	0 bw --kind memory,hbm | hbm: the kernel's driver has no events for this; pmonctl adopt *
bw: a scale of % is none | : a moving; put uncore_upi_0/events/rx_data.scale % |
	1 bw | upi 0 - [?] [?] [?] | memory 0 - 14680 0 14680 | - uncore_upi_0: an event cannot be opened (EINVAL)
% inf 1e308 nan -1 0
bw: the node of a CXL card's memory | : a moving; region 0 mem0 0x2080000000;
	put sys/bus/cxl/devices/region0/dax_region0/dax0.0/target_node 2 |
	0 bw --kind cxl | cxl - 2 1049 0 1049
bw: in the name of a column, too | 0 bw --kind cxl --csv | time,node2.cxl.read_MB_s,node2.cxl.write_MB_s | *
bw: a PMU whose name lacks the number is none of the boxes |
	: a moving; box uncore_imc_ 90 0 'cas_count_read=5*0.25'; echo 90 5 0 8 >>"$root/counts" |
	0 bw | memory 0 - 14680 0 14680
# A request takes 340 clocks of 2 GHz, or 170 ns.
bw: how long requests take in a device | : a moving latency | 0 bw | AVERAGE ns READ WRITE |
	cxl_pmu_mem0.0 170 -
bw: the same in JSON | 0 bw --json | *"read_ns": 170* | ! *write_ns*
bw: no average of one that compares, and why | : a moving latency;
	recount 70 1e9800310001 0 2000000 | 0 bw | ! *AVERAGE* |
	cxl_pmu_mem0.0 READ: no average: no requests overlapped, or * cannot add them up
bw: nor of one that counts clocks | : recount 70 1e9800310002 0 1500000;
	recount 70 1e98002100ff 0 10 | 0 bw | cxl_pmu_mem0.0 READ and WRITE: no average: *
bw: an average of one way | : a moving latency; recount 70 1e9800310002 0 1500000;
	recount 70 1e98002100ff 0 10 | 0 bw | cxl_pmu_mem0.0 170 - |
	cxl_pmu_mem0.0 WRITE: no average: *
bw: three clocks are no average | : a moving latency; recount 70 1e98002000ff 0 1133334 |
	0 bw | ! *AVERAGE* | cxl_pmu_mem0.0 READ: no average: *
# After the first second, fewer than one request is waiting on average.
bw: an average of the interval in which there is one | : a moving latency;
	recount 70 1e9800310001 0 '3400000 -2400000 1000' | 0 bw --json -n 2 |
	: [ "$(grep -o '"read_ns": [0-9]*' "$tmp/out")" = '"read_ns": 170' ]
# A hundred requests wait for 34000 clocks in total, within 30000 clocks, so some overlap.
bw: few requests, which overlap now and then | : a moving latency;
	put cxl_pmu_mem0.0/format/threshold config1:0-15; recount 70 1e9800310001 0 34000;
	recount 70 1e98002000ff 0 100; echo '70 01001e9800310001 0 30000' >>"$root/counts" |
	0 bw | cxl_pmu_mem0.0 170 -
bw: a device that counts clocks with any | : recount 70 01001e9800310001 0 34000 |
	0 bw | ! *AVERAGE* | cxl_pmu_mem0.0 READ: no average: *
bw: one that compares | : recount 70 01001e9800310001 0 30000;
	recount 70 1e9800310001 0 2000000; recount 70 1e98002000ff 0 10000 |
	0 bw | ! *AVERAGE* | cxl_pmu_mem0.0 READ: no average: *
# After the first second, event 1e9800310001 counts each clock.
bw: one that compares after all | : a moving latency;
	put cxl_pmu_mem0.0/format/threshold config1:0-15; recount 70 1e98002000ff 0 100;
	recount 70 1e9800310001 0 '34000 1966000 1000'; echo '70 01001e9800310001 0 30000' >>"$root/counts" |
	0 bw --json -n 2 -i 1 | : [ "$(grep -o '"read_ns": [0-9]*' "$tmp/out")" = '"read_ns": 170' ]
bw: without a counter for it, the rest, and no event of it stays open | : put counters/70 5;
	recount 70 1e9800310001 0 EBUSY | 0 bw | ! *AVERAGE* | cxl - - 1049 0 1049 | : silent
bw: ports each for itself, and functions without a driver | : a moving;
	cxl_pmu 71 cxl_pmu_port_0000_c0_00_0.0 16384; cxl_pmu 72 cxl_pmu_port_0000_c2_00_0.0 0;
	cxl_pmu 73 cxl_pmu_pci_0000_c9_00_0.0 32768 | 0 bw | cxl - - 3146 0 3146 |
	cxl_pmu_port_0000_c0_00_0.0 - - 1049 0 1049 | cxl_pmu_port_0000_c2_00_0.0 - - 0 0 0
bw: CXL memory at the ports of the host | : a host_ports | 0 bw --kind cxlhost |
	cxlhost 0 - 3146 262 3408 | cxlhost 1 - 0 524 524
bw: by port: the first CXLDP is of the first CXLCM | 0 bw --kind cxlhost --boxes |
	cxlhost 0 - 1049 262 1311 uncore_cxlcm_2 | cxlhost 0 - 2097 0 2097 uncore_cxlcm_10 |
	cxlhost 1 - 0 524 524 uncore_cxlcm_2
bw: in JSON | 0 --json bw | *"kind": "cxlhost"* | *"pmu": "uncore_cxlcm_10"* | *"write_bytes_s": 524288000*
bw: until Emerald Rapids no event counts reads | : a moving;
	box uncore_cxlcm_2 82 0,8 'txc_pack_buf_inserts.mem_data=2*0.25'; box uncore_cxldp_3 83 0,8;
	echo '82 2 0 4' >>"$root/counts"; echo '82 2 8 0' >>"$root/counts" | 0 bw |
	cxlhost 0 - - 1049 - | cxlhost 1 - - 0 -
bw: nor has the screen a peak of the sum | : drawn '' bw --watch -n 1 --kind cxlhost '</dev/null' |
	cxlhost 0 - - 1049 - - [?]
bw: without CXLDP no event counts writes | : a host_ports; rm -r "$pmus"/uncore_cxldp_*/events/* |
	0 bw --kind cxlhost | cxlhost 0 - 3146 - -
bw: the kernel's driver names none of them | : a moving; left_to intel_uncore; expander cxl_pci;
	pmu uncore_cxlcm_0 event=config:0-7; unit 0 '12 cxlcm' 0 mmio 0x1000 8 48 - intel_uncore |
	0 bw --kind memory,cxlhost | cxlhost: the kernel's driver has no events for this; pmonctl adopt *
bw: the devices behind a stack | : a behind_a_stack | 0 bw --boxes | iio 0 - 262 524 786
	uncore_iio_free_running_3: nvme 0000:16:00.0, nvme 0000:17:00.0, mlx5_core 0000:18:00.0
bw: all of them in JSON | 0 bw --json |
	*"devices": "nvme 0000:16:00.0, nvme 0000:17:00.0, mlx5_core 0000:18:00.0"*
bw: of hundreds the first | : for vf in $(seq 200); do
	path=0000:15:02.0/0000:18:$(printf %02x $((vf / 8))).$((vf % 8));
	link /sys/bus/pci/drivers/mlx5_core "sys/devices/pci0000:15/$path/driver";
	link "../../../devices/pci0000:15/$path" "sys/bus/pci/devices/${path#*/}"; done | 0 bw --boxes |
	iio 0 - 262 524 786 uncore_iio_free_running_3: nvme 0000:16:00.0, *, mlx5_core 0000:18:0?.?, ...
bw: and all in JSON | 0 bw --json
= assert [x["devices"].count("mlx5_core") for x in m["flows"] if x["kind"] == "iio"] == [201]
bw: openpmon names the bus of a stack in its table | : a behind_a_stack; put uncore_iio_3/die0 0000:16;
	discovery 0; unit 0 1 iio_free_running 3 msr 0x343e 17 48 uncore_iio_free_running_3 openpmon - 0 0000:15 |
	0 bw --boxes | iio 0 - 262 524 786
	uncore_iio_free_running_3: nvme 0000:16:00.0, nvme 0000:17:00.0, mlx5_core 0000:18:00.0
bw: or does not know it | : sed -i 's/0000:15$/-/' "$class/pkg0-uncore0/units" | 0 bw --boxes |
	iio 0 - 262 524 786 uncore_iio_free_running_3
bw: what is no bus leads nowhere |
	: a behind_a_stack; put uncore_iio_3/die0 0000:15/.. | 0 bw --boxes |
	iio 0 - 262 524 786 *_3
bw: what no event counts is -, and is named | : a before_adopt | 0 bw | iio 0 - 262 - - | upi,
	iio write: the kernel's driver has no events for these; pmonctl adopt uncore adds them
bw: it is empty in CSV | 0 bw --csv | *,socket0.iio.read_MB_s,socket0.iio.write_MB_s | *,262.1, |
	- upi, iio write: *
bw: of what was not asked for nothing is said | 0 bw --kind iio | iio write: * | ! upi*
bw: it is null in JSON | 0 bw --json | *"write_bytes_s": null* | ! *"read_bytes_s": null* | ! *upi*
bw: it is named beside several intervals | 0 bw -n 2 | - upi, iio write: *
stat: names it, too | 0 stat -- sleep 0.2 | - upi, iio write: *
no command: what is left to the kernel's drivers, and how to have it | 0 |
	upi, iio write: the kernel's driver has no events for these; pmonctl adopt uncore adds them |
	LIMITS left to intel_plr_tpmi; pmonctl adopt plr hands them over | Next: pmonctl adopt uncore
bw: the same where openpmon has no table |
	: rm -r "$class"; mkdir "$pmus/uncore_iio_free_running_0" | 0 bw | upi, iio write: *
bw: adopt is no help where openpmon has the boxes |
	: a moving; left_to openpmon; events_of_kernel | 0 bw | iio 0 - 262 - - | ! *adopt*
bw: nor while the service keeps openpmon out, or with limits only | : a before_adopt; % | 0 bw |
	iio 0 - 262 - - | upi, iio write: the kernel's driver has no events for these | ! *adopt*
% 'put "var/lib/openpmon/strikes/6.18-tree 9.1" "2 100"' 'unload pmon_uncore; installed pmon pmon_plr'
# Firmware has frozen the boxes of package 1, and intel_uncore leaves them frozen.
bw: boxes that are frozen are unknown, not idle |
	: a moving; stands_still; box uncore_cha_0 40 0,8; echo 40 1 8 0 >>"$root/counts" | 1 bw |
	memory 1 - [?] [?] [?] | upi 1 - [?] [?] [?] | memory 0 - 14680 0 14680 | upi 0 - 1049 10486 11534 |
	- socket 1: boxes are frozen by firmware; this kernel's intel_uncore leaves them so; |
	- pmonctl adopt uncore
bw: also where memory was not asked for | 1 bw --kind upi | upi 1 - [?] [?] [?] |
	upi 0 - 1049 10486 11534 | - socket 1: boxes are frozen by firmware;
doctor: says so, too | : live pmon_uncore; paranoid 0; installed | 1 doctor | problem counting socket 1: boxes are frozen by firmware;
	this kernel's intel_uncore leaves them so; pmonctl adopt uncore | Next: pmonctl adopt uncore
no command: nor does it call that fine | 1 | DOCTOR 1 problem, first: counting: socket 1: boxes are frozen by firmware; * |
	memory 1 - [?] [?] [?] | ! DOCTOR fine | Next: pmonctl doctor |
	- socket 1: boxes are frozen by firmware; *
bw: and have no peak on a screen | : drawn '' bw --watch -n 1 '</dev/null' |
	memory 1 - [?] [?] [?] [?] [?]* | memory 0 - 14680 0 14680 14680 * | memory all - [?] [?] [?] [?] [?]*
bw: a key shows it in another way, and ends no interval | : put keys 1; keys=b LC_ALL=C; export LC_ALL;
	drawn '' bw --watch -n 3 --kind memory; keys=; rm "$root/keys" | *every 1 s, in MB/s; PEAK: of TOTAL |
	uncore_imc_0 0 - 2097 0 2097 2097 ### | ! *####*
bw: q ends it, here before its first numbers | : put keys 1; keys=q;
	drawn '' bw --watch -n 2; keys=; rm "$root/keys" | ! *MB/s*
bw: an interval on a screen is exact | : drawn '' bw --watch -i 0.25 -n 1 '</dev/null' |
	*every 0.25 s, in MB/s*
bw: but where a clock ticks memory may be idle | : recount 40 1 8 2000000 | 0 bw |
	memory 1 - 0 0 0 | - ! frozen
bw: nor is all memory of a package, where no clock can be counted |
	: sed -i '/^40 /d' "$root/counts" | 1 bw | memory 1 - [?] [?] [?] |
	- socket 1: boxes count nothing and may be frozen by firmware
bw: both sockets that are frozen | : stands_still; sed -i -E 's/^([235]0 [0-9a-f]+ 0) .*/\1 0/' "$root/counts" |
	1 bw | - socket 0-1: boxes count nothing and may be frozen by firmware
bw: adopt is no help where openpmon has them | : put uncore_imc_0/frozen_ns '0 1' '1 1' | 1 bw |
	- socket 0-1: boxes count nothing and may be frozen; pmonctl doctor
bw: a clock whose PMU has a number for its type | : a moving; stands_still;
	box uncore_type_0_0 40 0,8; echo 40 1 8 2000000 >>"$root/counts" | 0 bw | memory 1 - 0 0 0 | - ! frozen
# The driver reads all ones from the box, and puts its event into error state.
bw: a box that does not respond, and why |
	: a moving; left_to openpmon; recount 20 5 0 8 0 0 0 500 60000;
	put uncore_imc_0/unresponsive '0 1' '1 0'; put uncore_imc_0/disturbed '0 1' '1 0' | 1 bw |
	memory 0 - [?] [?] [?] | memory 1 - 14680 4194 18874 |
	- uncore_imc_0 of socket 0: no response; pmonctl doctor
doctor: nobody has changed it | : live pmon_uncore; paranoid 0; installed | 1 doctor | problem uncore_imc_0 1 of its boxes does not respond*
	| ! *something else*
no command: nor is that fine | 1 | DOCTOR 1 problem, first: uncore_imc_0: *
bw: three boxes that do not respond | : put uncore_imc_10/unresponsive '0 1' '1 1' | 1 bw |
	- uncore_imc_0 of socket 0 and 2 more boxes: no response; pmonctl doctor
doctor: boxes that cannot be counted | : a moving; recount 20 5 0 EBUSY;
	live pmon_uncore; paranoid 0; installed | 1 doctor |
	problem counting uncore_imc_0: all counters are in use
no command: the same | 1 | DOCTOR 1 problem, first: counting: uncore_imc_0: all counters are*
doctor: a box that gets no counter, beside another problem | : recount 20 5 0 8 0 0 60000;
	discovery 0; put pkg0-uncore0/rejected '6 1 width 0xff wide' | 1 doctor |
	problem boxes 1 rejected; * | problem counting uncore_imc_0 of socket 0: no value: * |
	: rm -r "$class/pkg0-uncore0"
doctor: without rights | : recount 20 5 0 8; sed -i 's/[0-9]*$/EACCES/' "$root/counts"; paranoid 3 | 1 doctor |
	problem counting uncore_imc_0: counting needs root, or CAP_SYS_ADMIN* |
	Next: uncore_imc_0: counting needs root, or CAP_SYS_ADMIN*
# The limit has room for the events of three memory boxes, and not for the fourth box.
bw: with too few files each box is in its package, and unknown |
	: a moving; nodes 0-7 8-15; few 18:18 | 1 bw | memory 0 - 14680 0 14680 |
	memory 1 - [?] [?] [?] | cxl - - [?] [?] [?] | upi 0 - [?] [?] [?] | upi 1 - [?] [?] [?] |
	iio 0 - [?] [?] [?] | - too many open files: ulimit -n is 18, and * are needed
bw: and in JSON | 1 bw --json | *"unknown": 1* | *"read_bytes_s": null,* | *"read_bytes_s": 2097152000,*
bw: with as many as it says there are enough |
	: few "$(sed -n 's/.*and \([0-9]*\) are needed.*/\1/p' "$tmp/err")" | 0 bw | iio 0 - 262 524 786
bw: a box that cannot be counted makes no sum |
	: program=$PMONCTL_TEST; a moving; recount 20 5 0 EBUSY | 1 bw |
	memory 0 - [?] [?] [?] | memory 1 - 14680 * | - uncore_imc_0: all counters are in use
bw: and no number | 1 bw --csv | 2*,,,14680.1,4194.3,*
# For the first two of three seconds another event has the counter.
bw: --watch has numbers again once there is a counter again |
	: a moving; left_to openpmon; recount 20 5 0 8 0 0 2000; passing 3000 </dev/null |
	0 bw --watch --csv --kind memory --socket 0 | : edited '1d; s/^[^,]*//'
> ,,
> ,,
> ,14680.1,0.0
# In a run of 4 s, the event is in error state from 1 s to 2 s.
bw: --watch has numbers again after an event that ended in error |
	: a moving; left_to openpmon; recount 20 5 0 8 0 0 0 1000 2000; passing 4000 </dev/null |
	0 bw --watch --csv --kind memory --socket 0 | : edited '1d; s/^[^,]*//'
> ,14680.1,0.0
> ,,
> ,14680.1,0.0
> ,14680.1,0.0
bw: --watch has no number of a box that does not respond any more | : a falls_silent |
	1 bw --watch --csv --kind memory --socket 0 | : edited '1d; s/^[^,]*//'
> ,14680.1,0.0
> ,,
> ,,
> ,,
bw: --watch has numbers again of a package whose CPUs were offline, none of an interval in part |
	: a goes_off 2500 4000 7000 </dev/null |
	0 bw --watch --csv --kind memory --socket 1 | : [ "$(values)" = ',14680.1,4194.3 ,14680.1,4194.3 ,, ,, ,14680.1,4194.3 ,14680.1,4194.3 ,14680.1,4194.3 ' ]
bw: one line says when it begins and ends | : a goes_off 2000 4000 7000 </dev/null |
	0 bw --watch --csv --kind memory |
	- socket 1: not counted, all of its CPUs are offline | - all sockets are counted again |
	: [ "$(wc -l <"$tmp/err")" = 2 ]
bw: nor is it called offline if its CPUs are not | : a goes_off 2000 4000 7000 </dev/null;
	sed -i '/4000/s/cpus/sed -i "\/^20 5 8 \/d" "$root\/counts"; cpus/' "$root/sbin/pause" |
	1 bw --watch --csv --kind memory | - socket 1: not counted, events cannot be opened again (EINVAL)
bw: it counts again also with too few files for the rest |
	: a goes_off 2000 4000 7000 </dev/null; few 22:22 | 1 bw --watch --csv --kind memory,upi |
	- all sockets are counted again | - too many open files: ulimit -n is 22, and 36 are needed
bw: a package that is offline from the start |
	: program=$PMONCTL_TEST; a goes_off 0 2000 4000 </dev/null;
	"$root/sbin/pause" 0 0 | 0 bw --watch --csv --kind memory --socket 1 |
	: [ "$(values)" = ',, ,, ,12582.9,2097.2 ,12582.9,2097.2 ' ]
bw: so are boxes of the kernel's driver | : a goes_off 0 2000 4000 </dev/null;
	sed -i 's/uncore_imc_10 openpmon/- intel_uncore/' "$class/pkg1-uncore0/units";
	"$root/sbin/pause" 0 0 | 1 bw --boxes --kind memory | memory 1 - [?] [?] [?] uncore_imc_10 |
	- socket 1: not counted, all of its CPUs are offline
list: it is off | : a goes_off 0 2000 4000; "$root/sbin/pause" 0 0 | 1 list |
	Socket 1: all of its CPUs are offline, its boxes are not counted.
doctor: it is a problem | : live pmon_uncore; paranoid 0; installed | 1 doctor |
	problem socket 1 all of its CPUs are offline: its boxes are not counted; write 1 to *
bw: it is why | 1 bw | memory 1 - [?] [?] [?] | - socket 1: not counted, all of its CPUs are offline
bw: it lacks its own boxes, not those of another |
	: unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon |
	1 bw --boxes --kind memory | memory 1 - [?] [?] [?] uncore_imc_10 | ! memory 1 * uncore_imc_0
bw: without rights it says which | : a moving; sed -i 's/[0-9]*$/EACCES/' "$root/counts";
	paranoid 3 | 2 bw | ! * | - counting needs root, or CAP_SYS_ADMIN while
	kernel.perf_event_paranoid is above 2
bw: to programs, too | 2 --json bw | : says_error 'counting needs root, or CAP_SYS_ADMIN'
bw: PMUs without events | : a moving; rm -r "$pmus"/*/events | 2 --json bw |
	: says_error 'no PMU has events for bandwidth; *pmonctl adopt'
bw: a host that has CXL memory, and nothing that counts it | : a nothing; expander |
	2 --json bw | : says_error 'modprobe pmon_cxl'
bw: and with its module | : live pmon_cxl | 2 bw | - ! modprobe
stat: the job's output and status are its own | : a moving |
	7 stat -- sh -c 'echo of the job; exit 7' | of the job | ! *GB* | - READ GB
stat: a job that is not there, or no program (%) | % | ! * | - : cannot be run:
% '127 stat -- /nope/program' '126 stat -- /etc/passwd'
stat: a signal is handed on to the job | : a moving; passing 300 </dev/null | 143 stat -- sleep 9 | - sleep: * | : a moving
stat: without a job is wrong usage | 64 stat | - needs a job
stat: also behind -- | 64 stat -- | - needs a job
stat: what follows the job is its own, without -- too | 0 stat sh -c 'echo of the job' --json |
	of the job | - sh: * of CPU time
stat: a report in a file, which is opened before the job: a wrong path loses nothing |
	2 stat -o "$tmp/none/report" -- touch "$tmp/job-ran" | - --output */none/report: No such file |
	: [ ! -e "$tmp/job-ran" ]
stat: on a full disk the report is on standard error, and an error | 2 stat -o /dev/full -- true |
	- READ GB | - cannot write the output: No space left on device
stat: a report in a file |
	0 stat --json -o "$tmp/report" -- sh -c "echo of the job; sleep 0.2" | of the job |
	: silent | : mv "$tmp/report" "$tmp/out" | : is_json
stat: and has the job's status, and totals | : a moving; ends 200 'exit 7' |
	7 stat --json -- $job | : python
= assert m["status"] == 7
= s = m["sockets"][0]
= assert s["kind"] == "memory" and s["read_bytes"] == s["read_bytes_s"] * m["ms"] // 1000 > 0
# As a double, 14000 MiB/s * 2.3 s is just below a whole number of bytes.
stat: totals are to the byte | : a moving; ends 2300 | 0 stat --json -- $job | : python
= assert m["ms"] == 2300
= assert m["sockets"][0]["read_bytes"] == 14000 * 2**20 * 23 // 10
stat: and of all the time, not of whole milliseconds | : a moving; ends 2300;
	sed -i 's/^rm job/echo 600000 >"$root\/ns"; &/' "$root/sbin/pause" | 0 stat --json -- $job | : python
= assert m["ms"] == 2301
= assert m["sockets"][0]["read_bytes"] == round(14000 * 2**20 * 2.3006)
stat: a job is allowed as many files as ever | : few 512: | 0 stat -- sh -c 'ulimit -n' | 512
stat: and has its environment | : export POSIXLY_CORRECT=yes |
	0 stat -- sh -c 'echo "$POSIXLY_CORRECT"' | yes | : unset POSIXLY_CORRECT
# If limits cannot be watched, the job runs and gets signals, as on a host without limits.
stat: a job runs where limits cannot be watched |
	: a moving; domain 0 0 0-3; core 0 0 0 0-1 none; ends 1200 'echo of the job; kill -INT $$' |
	130 stat -- $job | of the job |
	- no program monitors this domain | - memory 0 * 14680 0
stat: how long requests took in a CXL device | : a moving latency; ends 200 | 0 stat -- $job |
	- cxl_pmu_mem0.0 170 -
stat: and its report has none | : a moving | 0 stat --json -- true | ! *limits*
stat: begins with the job, and has the time of each reason, and how often it came up |
	: a watched_late | 0 stat -- $job | - memory 0 29.36 0.00 14680 0 |
	- memory all 58.72 8.39 29360 4194 | - POWER 1.5 75.0 2 1 |
	- Of 1 core modules: SHARE is their mean, SECONDS their sum. | - ! FREQUENCY
# SHARE is (0.9 / 1.8 + 0.2 / 2.0 + 0 / 2.0) / 3 = 0.2; SECONDS is 0.2 * 3 modules * 2 s.
stat: each module has its own observed time, each reason too | : a by_modules | 0 stat -- $job |
	- POWER 1.2 20.0 3 2 | - FREQUENCY - - - 2 | - THERMAL - - - 3 |
	- Of 3 core modules: SHARE is their mean, SECONDS their sum.
stat: a module that is never observed leaves the numbers of the others | : a by_modules; core 0 0 3 6 none |
	0 stat -- $job | - POWER 1.6 20.0 3 2 | - Of 4 core modules: *
stat: so has JSON | : a by_modules | 0 stat --json -- $job | : python
= assert m["limits"]["core_modules"] == 3
= assert {"reason": "POWER", "ms": 1200, "count": 3, "modules": 2} in m["limits"]["reasons"]
= assert {"reason": "FREQUENCY", "modules": 2} in m["limits"]["reasons"]
stat: as JSON | : a watched_late | 0 stat --json -- $job | : python
= l, = [r for r in m["limits"]["reasons"] if r["reason"] == "POWER"]
= assert l == {"reason": "POWER", "ms": 1500, "count": 2, "modules": 1}
stat: and the CPU time of the job, in milliseconds |
	: a moving | 0 stat --json -- sh "$tmp/busy" "$tmp/ticks" | : python
= least = 10 * int(open(sys.argv[2].replace("python", "ticks")).read())
= assert least <= m["cpu_ms"] < 10 * least, m["cpu_ms"]
stat: an older driver does not count how often | : a watched_late;
	sed -i "s/ [135]'/'/g; s/900000 1/900000/" "$root/sbin/pause" |
	0 stat -- $job | - POWER 1.5 75.0 - 1
# No event requests FREQUENCY here, so it is polled every 10 s: in this job once at most.
stat: a host of which limits alone are recorded | : a watched_late;
	rm -r "$pmus"/uncore_* "$pmus"/cxl_* | 0 stat -- $job | - no PMU has events |
	: [ "$(grep -c ^$ "$tmp/err")" = 1 ] |
	- POWER 1.5 75.0 2 1 | - ! MB/s
stat: and as one JSON document | : a watched_late; rm -r "$pmus"/uncore_* "$pmus"/cxl_* |
	0 stat --json -- $job | : is_json | *"sockets": []* | *"observed_ms": 2000,
stat: asks for it | : a watched_late; box plr 80 0; echo 80 0 0 0 0 0 250 >>"$root/counts";
	echo 5800 1000001 990000 2 >"$root/turbo" | 0 stat -- $job |
	- FREQUENCY 1.8 90.0 1 1 | - POWER 1.5 75.0 2 1
stat: time that is cut to milliseconds is the whole, not more than that |
	: a watched_late; box plr 80 0; echo 80 0 0 0 0 0 250 >>"$root/counts";
	echo 6001 1000001 990000 2 >"$root/turbo" | 0 stat -- $job |
	- FREQUENCY 2.0 100.0 1 1
stat: a short limit is not shown as none, nor a long one as all the time |
	: a watched_late; box plr 80 0; echo 80 0 0 0 0 0 250 >>"$root/counts";
	echo 4001 1000001 - 4 >"$root/power"; echo 5999 1000001 990000 2 >"$root/turbo" |
	0 stat -- $job | - POWER <0.1 0.1 1 1 | - FREQUENCY 2.0 >99.9 1 1
stat: no share is above the whole | : a watched_late; box plr 80 0;
	echo 80 0 0 0 0 0 250 >>"$root/counts"; echo 14000 1000001 - 2 >"$root/turbo" |
	0 stat -- $job | - FREQUENCY - - - 1
bw: --watch ends when its output is lost (%) | : a moving |
	: lost 'No space left on device' bw --watch %
% --csv '' --json
END
