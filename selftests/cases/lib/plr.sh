# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of the plr cases. Other cases begin with: . /lib/test/plr.sh
# Emulated machines have reasons that were latched at boot. Clear them, unless a case
# about these reasons has set plr_latched=kept before in_vm.

[ "${plr_latched-}" = kept ] || hw plr clear

PMON=/sys/class/pmon
# shellcheck disable=SC2034
CPUS=/sys/devices/system/cpu

# plr_kernel: load the kernel's modules for TPMI's PCI function (6.1 has no intel_vsec_tpmi)
plr_kernel() {
	modprobe -a -q intel_vsec intel_vsec_tpmi
}

# plr_load [PARAMETER...]: load plr_kernel's modules and pmon_plr
plr_load() {
	plr_kernel
	modprobe pmon_plr "$@"
}

# plr_unload: unload pmon_plr; check that none of its files is left
plr_unload() {
	runs "pmon_plr unloads" rmmod pmon_plr
	is "$(ls -d /sys/bus/event_source/devices/plr "$PMON"/pkg* 2>/dev/null)" \
		"" "no file of pmon_plr is left after the unload"
}

# plr_bind FUNCTION...: bind intel_vsec to PCI functions, and wait until all domains can
# be read. On 6.1 a work item attaches the domains a moment after the bind.
plr_bind() {
	for plr_function; do
		echo "$plr_function" >/sys/bus/pci/drivers/intel_vsec/bind
	done
	plr_attached
}
plr_attached() {
	plr_tries=100
	while cat "$PMON"/pkg*-dom*/plr/die/raw 2>&1 | grep -q 'No such device' &&
		[ $plr_tries != 0 ]; do
		plr_tries=$((plr_tries - 1))
		sleep 0.05
	done
}

# plr_quick: make each mailbox finish a command before the first read of the status, so that
# the number of accesses is exact
plr_quick() {
	for plr_dir in "$PMON"/pkg*-dom*; do
		plr_dir=${plr_dir##*/pkg}
		hw mailbox "${plr_dir%-dom*}/${plr_dir#*-dom}" slow 0
	done
}

# plr_names: print "BIT NAME" for all 64 bits, in the order of the specification. Cases
# check the driver's table against these names.
plr_names() {
	plr_bit=0
	for plr_name in FREQUENCY CURRENT POWER THERMAL PLATFORM MCP RAS MISC \
		QOS DFC C C C C C C C C C C C C C C C C C C C C C C \
		FREQUENCY_CDYN0 FREQUENCY_CDYN1 FREQUENCY_CDYN2 \
		FREQUENCY_CDYN3 FREQUENCY_CDYN4 FREQUENCY_CDYN5 \
		FREQUENCY_FCT FREQUENCY_PCS_TRL CURRENT_MTPMAX \
		POWER_FAST_RAPL POWER_PKG_PL1_MSR_TPMI POWER_PKG_PL1_MMIO \
		POWER_PKG_PL1_PCS POWER_PKG_PL2_MSR_TPMI POWER_PKG_PL2_MMIO \
		POWER_PKG_PL2_PCS POWER_PLATFORM_PL1_MSR_TPMI \
		POWER_PLATFORM_PL1_MMIO POWER_PLATFORM_PL1_PCS \
		POWER_PLATFORM_PL2_MSR_TPMI POWER_PLATFORM_PL2_MMIO \
		POWER_PLATFORM_PL2_PCS F THERMAL_PER_CORE DFC_UFS \
		PLATFORM_PROCHOT PLATFORM_HOT_VR F F MISC_PCS_PSTATE F F
	do
		case $plr_name in
		C) plr_name=RSVD_COARSE$plr_bit ;;
		F) plr_name=RSVD_FINE$((plr_bit - 32)) ;;
		esac
		echo "$plr_bit $plr_name"
		plr_bit=$((plr_bit + 1))
	done
}

# plr_value BIT: print the value with that bit
plr_value() {
	printf '0x%016x\n' $((1 << $1))
}

# plr_bench: start a process that sends commands of plr_set to the emulator, until
# plr_bench_ends
plr_bench() {
	mkfifo /tmp/asked /tmp/answers
	hw - </tmp/asked >/tmp/answers &
	plr_asks=$!
	exec 8>/tmp/asked 9</tmp/answers
}
plr_bench_ends() {
	exec 8>&- 9<&-
	wait "$plr_asks"
	rm /tmp/asked /tmp/answers
}

# plr_set plr|mesh|die PLACE VALUE: set a value, and return when it is set
plr_set() {
	printf '%s %s =0x%x\n%s %s\n' "$1" "$2" "$3" "$1" "$2" >&8
	read -r _ <&9
}

# plr_accesses CLASS...: print the number of accesses of these classes
plr_accesses() {
	hw count | awk -F'[ =]' -v want=" $* " '
		index(want, " " $2 " ") { n += $4 + $6 }
		END { print n + 0 }'
}

# plr_total: print the number of all accesses to PLR instances
plr_total() {
	plr_accesses mailbox plr-data die-level plr-header
}

# plr_written: print "CLASS=WRITES" for each class of registers that was written
plr_written() {
	hw count | awk -F'[ =]' '$6 > 0 { printf "%s=%d ", $2, $6 }'
}

# plr_modules DOMAIN: print the numbers of the modules that have a directory
plr_modules() {
	for plr_dir in "$PMON/$1"/plr/core*; do
		echo "${plr_dir##*/core}"
	done | sort -n
}

# plr_error FILE: print the error of reading a file, if any
plr_error() {
	plr_error=$(cat "$1" 2>&1 >/dev/null) || echo "${plr_error##*: }"
}

# plr_watched FILE, plr_unwatched FILE: wait until polls of a domain have started or
# stopped, as FILE, the domain's `active`, shows; print the text of FILE, or the error
plr_watched() {
	plr_tries=100
	until cat "$1" 2>/dev/null || [ $plr_tries = 0 ]; do
		plr_tries=$((plr_tries - 1))
		sleep 0.05
	done
}
plr_unwatched() {
	plr_tries=100
	while cat "$1" >/dev/null 2>&1 && [ $plr_tries != 0 ]; do
		plr_tries=$((plr_tries - 1))
		sleep 0.05
	done
	plr_error "$1"
}

# plr_stat FILE SECONDS OPTION...: run `perf stat -x,` on plr/observed/ and other events of
# plr. An event counts from its second poll on. On a busy host this poll may be late, so
# try up to ten times until all events have counted.
plr_stat() {
	plr_file=$1 plr_seconds=$2
	shift 2
	for plr_try in 1 2 3 4 5 6 7 8 9 10; do
		[ "$plr_try" = 1 ] || note "nothing was looked at, once more" >&2
		perf stat -x, -o "$plr_file" "$@" -- sleep "$plr_seconds"
		grep -q '<not ' "$plr_file" ||
			! grep -q '^[1-9][0-9.]*,ms,plr/observed/' "$plr_file" || break
	done
}

# plr_says PATTERN [OPTION...]: run `pmonctl plr`; the status is in $status, the output in
# $out. pmonctl needs two polls, and a busy host may miss one, so try up to five times
# until a line, or the JSON without spaces, is like PATTERN.
# shellcheck disable=SC2034 # for cases
plr_says() {
	plr_pattern=$1
	shift
	for plr_try in 1 2 3 4 5; do
		status=0
		out=$(pmonctl plr "$@" 2>&1) || status=$?
		! { echo "$out" | tr -s ' '; echo "$out" | tr -d ' \n'; } |
			grep -qE -- "$plr_pattern" || break
	done
}

# plr_trace, plr_traced: begin and end a trace of polls. plr_traced sets plr_looks to
# the number of polls, and plr_gap to the longest time between two polls of a domain, in
# ms.
plr_tracing=/sys/kernel/tracing
plr_look=$plr_tracing/events/workqueue/workqueue_execute_start/enable
plr_trace() {
	echo >$plr_tracing/trace
	echo 1 >$plr_look
}
# shellcheck disable=SC2034 # for cases
plr_traced() {
	echo 0 >$plr_look
	awk '/plr_domain_work/ {
		for (i = 1; i <= NF; i++) {
			if ($i ~ /^[0-9]+\.[0-9]+:$/) now = $i * 1000
			if ($i == "struct") work = $(i + 1)
		}
		if (work in last && now - last[work] > gap) gap = now - last[work]
		last[work] = now; n++
	} END { printf "%d %d\n", n, gap + 1 }' $plr_tracing/trace >/root/looks
	read -r plr_looks plr_gap </root/looks
}

# plr_time SECONDS EVENT=BIT...: count events by module and by package while the
# hardware follows /root/schedule; run plr-time.awk, which prints wrong counts and the
# numbers of counts. Note the number of polls; if a busy host allowed fewer than ten,
# count again.
plr_time() {
	cat >/root/limit <<-EOS
		hw truth reset
		hw plr schedule /root/schedule
		sleep $1
		hw plr truth >/root/truth
		hw plr stop
	EOS
	shift
	plr_events=
	for plr_event; do
		plr_events="$plr_events -e plr/${plr_event%=*}/"
	done
	for plr_dir in "$PMON"/pkg*-dom*/plr/core*; do
		plr_place=$(echo "${plr_dir#"$PMON"/pkg}" | sed 's,-dom,/,; s,/plr/core,/,')
		echo "CPU$(sed 's/[-,].*//' "$plr_dir/cpus") $plr_place"
	done >/root/places
	# Keep domains polled, so that events run from the first poll after their open.
	# Otherwise perf's scaling differs, but not the counted time.
	perf stat -a -e plr/observed/ -- sleep 1000 >/dev/null 2>&1 &
	plr_keeper=$!
	for plr_dir in "$PMON"/pkg*-dom*/plr/die; do
		plr_watched "$plr_dir/active" >/dev/null
	done
	for plr_try in 1 2 3 4 5; do
		plr_trace
		# shellcheck disable=SC2086 # words
		perf stat --no-scale -x, -a --per-socket -o /root/sockets $plr_events -- \
			perf stat --no-scale -x, -a -A -o /root/modules $plr_events -- \
			sh /root/limit
		plr_traced
		note "$plr_looks looks, $plr_gap ms from one to the next at most" >&2
		[ "$plr_looks" -lt 10 ] || break
	done
	kill $plr_keeper
	wait $plr_keeper
	[ "$plr_looks" -ge 10 ] || echo "$plr_looks looks only"
	awk -v "gap=$plr_gap" -v "bits=$*" -f /lib/test/plr-time.awk /root/schedule \
		/root/places /root/truth /root/modules /root/sockets
}
