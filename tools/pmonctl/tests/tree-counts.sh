# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# Trees whose events count: at the rates that the file counts of a tree has, in a
# clock of its own, and half of the time.

# box PMU TYPE CPUS EVENT=CONFIG[*SCALE]...: CONFIG is event=, in hexadecimal
box() {
	dir=$root/sys/bus/event_source/devices/$1
	directories "$dir/events" "$dir/format"
	echo "$2" >"$dir/type"
	echo "$3" >"$dir/cpumask"
	echo config:0-7 >"$dir/format/event"
	shift 3
	for event; do
		name=${event%%=*}
		scale=${event#*\*}
		event=${event#*=}
		echo "event=0x${event%\**}" >"$dir/events/$name"
		[ "$scale" = "$name=$event" ] || {
			echo "$scale" >"$dir/events/$name.scale"
			echo MiB >"$dir/events/$name.unit"
		}
	done
}

# rate TYPE CONFIG CPU RATE: counts in a millisecond
rate() {
	echo "$*" >>"$root/counts"
}

topology() {
	directories "$root/sys/devices/system/cpu/cpu$1/topology"
	echo "$2" >"$root/sys/devices/system/cpu/cpu$1/topology/physical_package_id"
}

# cxl_event NAME CONFIG RATE
cxl_event() {
	echo "config=0x$2" >"$dir/events/$1"
	rate 70 "$2" 0 "$3"
}

# cxl_data: its events of whole lines
cxl_data() {
	echo config=0x1e9800250001 >"$dir/events/s2m_drs_memdata"
	echo config=0x1e9800210002 >"$dir/events/m2s_rwd_memwr"
}

# other NUMBER PMU RATE: one more PMU of CXL
other() {
	box "$2" "$1" 0
	dir=$root/sys/bus/event_source/devices/$2
	cxl_data
	rate "$1" 1e9800250001 0 "$3"
	rate "$1" 1e9800210002 0 0
}

# A quarter of a MiB is what one count stands for.
# moving [latency]: two packages, with two memory controllers that have events for
# two halves each, a link, a stack, and a CXL device
moving() {
	pci 0000:00:03.1 0x8086 0x09a7
	directories "$(class)"
	pauses
	topology 0 0
	topology 8 1
	for i in 0 10; do
		box uncore_imc_$i $((20 + i)) 0,8 clockticks=1 \
			'cas_count_read_sch0=5*0.25' 'cas_count_read_sch1=6*0.25' \
			'cas_count_write_sch0=7*0.25' 'cas_count_write_sch1=8*0.25'
		for cpu in 0 8; do
			rate $((20 + i)) 5 $cpu 8
			rate $((20 + i)) 6 $cpu $((i * 4))
			rate $((20 + i)) 7 $cpu 0
			rate $((20 + i)) 8 $cpu $cpu
		done
	done
	box uncore_upi_0 50 0,8 'rx_data=3*0.25' 'tx_data=2*0.25'
	rate 50 3 0 4
	rate 50 2 0 40
	rate 50 3 8 0
	rate 50 2 8 0
	box uncore_iio_free_running_3 60 0 'bw_in_port0=20*0.25' 'bw_out_port7=37*0.25'
	rate 60 20 0 1
	rate 60 37 0 2
	box cxl_pmu_mem0.0 70 0
	dir=$root/sys/bus/event_source/devices/cxl_pmu_mem0.0
	cxl_data
	echo config=0x1e9800250002 >"$dir/events/s2m_drs_memdatanxm"
	rate 70 1e9800250001 0 16384
	rate 70 1e9800210002 0 0
	[ $# = 0 ] || {
		cxl_event clock_ticks 1e9800000001 2000000
		cxl_event m2s_req_resid_cnt 1e9800310001 3400000
		cxl_event m2s_req_all 1e98002000ff 10000
		cxl_event m2s_rwd_resid_cnt 1e9800310002 0
		cxl_event m2s_rwd_all 1e98002100ff 0
	}
}

# left_to DRIVER: a table of two packages whose boxes that driver has
left_to() {
	for p in 0 1; do
		discovery $p
		for each in '6 imc' '8 upi' '2 iio'; do
			unit $p "${each% *}" "${each#* }" 0 mmio 0x1000 4+1 48 - "$1"
		done
	done
}

# events_of_kernel: only those that intel_uncore has of links and stacks
events_of_kernel() {
	rm "$root/sys/bus/event_source/devices/uncore_upi_0/events"/* \
		"$root/sys/bus/event_source/devices/uncore_iio_free_running_3/events"/bw_out*
}

# stands_still: nothing of the package of CPU 8 counts, as while it is frozen
stands_still() {
	sed -i -E 's/^([235]0 [0-9a-f]+ 8) .*/\1 0/' "$root/counts"
}
