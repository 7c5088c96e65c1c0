# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# Trees whose events count: at the rates that the file counts of a tree has, in a
# clock of its own, and half of the time.

# box PMU TYPE CPUS EVENT=CONFIG[*SCALE]...: CONFIG is event=, in hexadecimal
box() {
	pmu=$1
	files "sys/bus/event_source/devices/$pmu/" <<-END
	type $2
	cpumask $3
	format/event config:0-7
	END
	mkdir -p "$pmus/$pmu/events"
	shift 3
	for event; do
		name=${event%%=*}
		config=${event#*=}
		echo "event=0x${config%\**}" >"$pmus/$pmu/events/$name"
		case $event in
		*\**)
			echo "${event#*\*}" >"$pmus/$pmu/events/$name.scale"
			echo MiB >"$pmus/$pmu/events/$name.unit" ;;
		esac
	done
}

# rates: of each line "TYPE CPU CONFIG=RATE..." on standard input, counts in a millisecond
rates() {
	while read -r type cpu events; do
		for event in $events; do
			echo "$type ${event%=*} $cpu ${event#*=}"
		done
	done >>"$root/counts"
}

# recount TYPE CONFIG CPU RATE...: from now on the event of the first three counts so
recount() {
	sed -i "s/^$1 $2 $3 .*/$*/" "$root/counts"
}

topology() {
	put "sys/devices/system/cpu/cpu$1/topology/physical_package_id" "$2"
}

# cxl_pmu NUMBER PMU RATE: one of CXL, with its events of whole lines
cxl_pmu() {
	box "$2" "$1" 0
	echo config=0x1e9800250001 >"$pmus/$2/events/s2m_drs_memdata"
	echo config=0x1e9800210002 >"$pmus/$2/events/m2s_rwd_memwr"
	echo "$1 0 1e9800250001=$3 1e9800210002=0" | rates
}

# A quarter of a MiB is what one count stands for.
# moving [latency]: two packages, with two memory controllers that have events for
# two halves each, a link, a stack, and a CXL device
moving() {
	discovery_function
	mkdir -p "$class"
	pauses
	topology 0 0
	topology 8 1
	for i in 0 10; do
		box uncore_imc_$i $((20 + i)) 0,8 clockticks=1 \
			'cas_count_read_sch0=5*0.25' 'cas_count_read_sch1=6*0.25' \
			'cas_count_write_sch0=7*0.25' 'cas_count_write_sch1=8*0.25'
	done
	box uncore_upi_0 50 0,8 'rx_data=3*0.25' 'tx_data=2*0.25'
	box uncore_iio_free_running_3 60 0 'bw_in_port0=20*0.25' 'bw_out_port7=37*0.25'
	cxl_pmu 70 cxl_pmu_mem0.0 16384
	echo config=0x1e9800250002 >"$pmus/cxl_pmu_mem0.0/events/s2m_drs_memdatanxm"
	rates <<-'END'
	20 0 5=8 6=0 7=0 8=0
	20 8 5=8 6=0 7=0 8=8
	30 0 5=8 6=40 7=0 8=0
	30 8 5=8 6=40 7=0 8=8
	50 0 3=4 2=40
	50 8 3=0 2=0
	60 0 20=1 37=2
	END
	[ $# = 0 ] || while read -r event config rate; do
		echo "config=0x$config" >"$pmus/cxl_pmu_mem0.0/events/$event"
		echo "70 0 $config=$rate" | rates
	done <<-'END'
	clock_ticks 1e9800000001 2000000
	m2s_req_resid_cnt 1e9800310001 3400000
	m2s_req_all 1e98002000ff 10000
	m2s_rwd_resid_cnt 1e9800310002 0
	m2s_rwd_all 1e98002100ff 0
	END
}

# left_to DRIVER: a table of two packages whose boxes that driver has
left_to() {
	for p in 0 1; do
		discovery $p
		for each in '6 imc' '8 upi' '2 iio'; do
			unit $p "$each" 0 mmio 0x1000 4+1 48 - "$1"
		done
	done
}

# events_of_kernel: only those that intel_uncore has of links and stacks
events_of_kernel() {
	rm "$pmus/uncore_upi_0/events"/* "$pmus/uncore_iio_free_running_3/events"/bw_out*
}

# stands_still: nothing of the package of CPU 8 counts, as while it is frozen
stands_still() {
	sed -i -E 's/^([235]0 [0-9a-f]+ 8) .*/\1 0/' "$root/counts"
}
