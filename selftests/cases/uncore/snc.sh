#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test counts by sub-NUMA node. On Granite Rapids perf since 6.16 derives the node of a CHA
# or memory controller from its number, and opens its events on the node's first CPU. perf
# computes that CPU from the CPUs in cpumask, so cpumask must have the first CPU of each
# package, whichever CPU is designated. Then every box is counted once, exactly, for its
# node, also when CPUs go offline, come online or are isolated. Expected nodes follow
# perf's own tables.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

PERF=$("$ROOT/selftests/lib/build/perf" newest) || exit
snc2=$(machine gnr-snc3 'm["name"] = "gnr-snc2"
m["cpu"].update(cores=4, nodes=[[0, 1], [2, 3]])
units = m["packages"][0]["discovery"]["units"]
units[0]["count"], units[2]["count"] = 4, 8')

each_vm --as 'three nodes' --machine gnr-snc3 --drivers none --copy "$PERF" <<-'S'
	. /lib/test/snc.sh
	snc_start 3

	# intel_uncore of Linux 6.1 has no names for the boxes of this platform.
	hw global all =0
	case $(uname -r) in 6.1.*) ;; *)
		runs 'intel_uncore loads on a machine with three nodes in a package' modprobe intel_uncore
		is "$(cat $PMUS/uncore_cha_5/cpumask)" 0,6 'cpumask of intel_uncore has one CPU of each package'
		snc_count_all -a -A -- sleep 0.1
		snc_every_box "intel_uncore with -A"
		runs 'intel_uncore unloads' rmmod intel_uncore ;;
	esac
	hw global all =1

	uncore_adopts 'pmon_uncore loads on a machine with three nodes in a package'
	is "$(cat $PMUS/uncore_cha_5/cpumask) $(cat $PMUS/uncore_imc_11/cpumask)" \
		'0,6 0,6' 'cpumask has the first CPU of each package'
	is "$(awk '$2 != "iio" && $2 !~ /^iio_/ { print $11 }' $PMON/pkg*-uncore0/units | sort -u)" - \
		'the file units has no node of CHAs and memory controllers'

	snc_count_all -a -A -- sleep 0.1
	snc_every_box 'pmon_uncore with -A'
	is "$(cat /tmp/said)" '' 'perf prints no message on the numbers of boxes'
	is "$(cut -d' ' -f2 /tmp/by_box | sort | uniq -c | tr -s ' \n' ' ')" \
		' 6 0 6 1 6 2 6 3 6 4 6 5 ' 'perf counts six boxes in each of six nodes'
	snc_count_all -a --per-node -- sleep 0.1
	is "$(snc_by_place)" "$(snc_counted | snc_sums 2)" '--per-node: counts of each node are exact'
	is "$(snc_by_place | wc -l)" 12 '--per-node: perf prints CHAs and controllers of six nodes'
	snc_count_all -a --per-socket -- sleep 0.1
	is "$(snc_by_place)" "$(snc_counted | snc_sums 1)" '--per-socket: counts of each package are exact'
	is "$(snc_by_place | wc -l)" 4 '--per-socket: perf prints CHAs and controllers of both packages'

	# one OPTION...: count only the boxes that perf's options select
	one() {
		hw truth reset
		/root/perf stat -x'|' -o /tmp/stat "$@" -- sleep 0.1 2>/tmp/said
	}
	for unit in imc_0 imc_2 imc_11 cha_1 cha_4; do
		one -a -A -e uncore_$unit/$SNC_EVENT/
		is "$(snc_by_box)" "$(snc_counted)" "$unit alone: the counts are exact"
		is "$(snc_by_box | wc -l)" 2 "$unit alone: both packages count"
	done
	one -a -A -e "{uncore_cha_0/$SNC_EVENT/,uncore_cha_2/$SNC_EVENT/,uncore_imc_4/$SNC_EVENT/}"
	is "$(snc_by_box)" "$(snc_counted)" 'a group over boxes of three nodes counts exactly'
	is "$(snc_by_box | wc -l)" 6 'a group over boxes of three nodes counts in both packages'
	one -a -A -e "{uncore_cha_3/$SNC_EVENT/,uncore_cha_3/event=1/}"
	is "$(snc_by_box | grep -cFx "$(snc_counted)")" 2 'a group in a box of another node counts exactly in both packages'

	# -C: perf counts each box once, on the CPU that perf derives
	one -A -C 2 -e uncore_cha_2/$SNC_EVENT/
	is "$(snc_by_box) $(snc_counted | wc -l)" "$(snc_counted | grep ^0) 1" '-C 2: the box of package 0 alone counts exactly'
	one -A -C 8 -e uncore_cha_2/$SNC_EVENT/
	is "$(snc_by_box) $(snc_counted | wc -l)" "$(snc_counted | grep ^1) 1" '-C 8: the box of package 1 alone counts exactly'
	one -A -C 0-11 -e uncore_cha_2/$SNC_EVENT/
	is "$(snc_by_box)" "$(snc_counted)" '-C with all CPUs: the counts are exact'
	is "$(snc_by_box | wc -l)" 2 '-C with all CPUs: each package counts once'
	# perf 6.12 opens events on the given CPUs, of any node.
	for c in 0 1 3 5 6 7 10; do
		hw truth reset
		perf stat -A -C $c -x'|' -o /tmp/stat -e uncore_cha_2/$SNC_EVENT/ \
			-- sleep 0.1
		is "$(snc_by_box | cut -d' ' -f1,3)" "$(snc_counted | cut -d' ' -f1,3)" \
			"-C $c with perf 6.12: the count is exact"
		is "$(snc_by_box | cut -d/ -f1)" $((c / 6)) "-C $c with perf 6.12: the count is of the CPU's package"
	done

	# perf, on CPU 3, reads all counts again and again
	hw truth reset
	taskset 8 /root/perf stat -a -A -I 20 -x'|' -o /tmp/intervals \
		-e "uncore_cha_*/$SNC_EVENT/" -- sleep 0.15
	is "$(grep '|CPU' /tmp/intervals | cut -d'|' -f3 | grep -cv '^[1-9]')" 0 \
		'-I: no interval is without a count'
	grep '|CPU' /tmp/intervals | cut -d'|' -f2- >/tmp/stat
	snc_by_box | awk '{ sum[$1 " " $2] += $3 }
		END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' | sort >/tmp/sums
	is "$(snc_counted | awk 'NR == FNR { sum[$1 " " $2] = $3; next }
		{ n++; bad += !(sum[$1 " " $2] > 0 && sum[$1 " " $2] <= $3) }
		END { print n, bad + 0 }' /tmp/sums -)" '12 0' \
		'-I: intervals add up to no more than the hardware counted'

	# While events count, CPU 8 (perf's CPU for the second node of package 1) and
	# CPU 6 (the designated CPU) go offline and come back.
	hw truth reset
	snc_count_all -a -A -- cat /tmp/end &
	engine_until_counting 1/0/2 cf05
	engine_cpu 8 0
	engine_cpu 6 0
	sleep 0.1
	engine_cpu 8 1
	engine_cpu 6 1
	engine_end_counts
	snc_every_box 'CPUs that go and come under open events'

	# Events that perf opens for an offline CPU count, too. perf still has the node of
	# that CPU, but not its package.
	engine_cpu 8 0
	snc_count_all -a --per-node -- sleep 0.1
	is "$(snc_by_place)" "$(snc_counted | snc_sums 2)" '--per-node without CPU 8: counts of each node are exact'
	is "$(snc_by_place | wc -l)" 12 '--per-node without CPU 8: perf prints all nodes'
	engine_cpu 8 1
	# Without CPU 3 perf computes 5 CPUs / 2 CPUs of a node = 2 nodes in a package.
	engine_cpu 3 0
	snc_count_all -a --per-socket -- sleep 0.1
	is "$(snc_by_place)" "$(snc_counted | snc_sums 1)" '--per-socket without CPU 3: counts of each package are exact'
	is "$(snc_by_place | wc -l)" 4 '--per-socket without CPU 3: perf prints both packages'
	engine_cpu 3 1

	# All CPUs of package 1's first node go and come, so another node has the designated CPU.
	engine_cpu 6 0
	engine_cpu 7 0
	is "$(cat $PMUS/uncore_cha_0/cpumask)" 0,8 \
		'cpumask has the first online CPU of a package whose first node has none'
	engine_cpu 6 1
	engine_cpu 7 1
	is "$(cat $PMUS/uncore_cha_0/cpumask)" 0,6 'cpumask has the first CPU of the package again'
	snc_count_all -a -A -- sleep 0.1
	snc_every_box '-A after CPUs went and came'
	hw count reset
	hw truth reset
	one -a -A -e uncore_cha_2/$SNC_EVENT/
	isnt "$(uncore_writes 1/0/2)" 0 'an event on another node writes its box'
	is "$(uncore_writes 1/0/2) $(uncore_writes 1/0/3)" "$(uncore_writes 0/0/2) 0" \
		'an event on another node takes as many writes as on the first'
	runs 'the module unloads after counts of all nodes' rmmod pmon_uncore
	S

# With isolcpus the designated CPUs are not the first CPUs.
each_vm --as 'two nodes, isolcpus' --machine "$snc2" \
	--append isolcpus=0,4,5 --copy "$PERF" <<-'S'
	. /lib/test/snc.sh
	snc_start 2
	is "$(cat $PMUS/uncore_cha_3/cpumask) $(cat $PMUS/uncore_imc_0/cpumask)" \
		'0,4 0,4' 'cpumask has the first CPU of each package, isolated or not'
	snc_count_all -a -A -- sleep 0.1
	snc_every_box '-A with isolated CPUs'
	snc_count_all -a --per-node -- sleep 0.1
	is "$(snc_by_place)" "$(snc_counted | snc_sums 2)" '--per-node with isolated CPUs: counts of each node are exact'
	is "$(snc_by_place | wc -l)" 8 '--per-node with isolated CPUs: perf prints CHAs and controllers of four nodes'
	S
finish
