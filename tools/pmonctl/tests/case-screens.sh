# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034
# Test commands on a terminal of 80 columns, in trees like the emulated servers gnr-2s and gnr-43.
export NO_COLOR=1 LC_ALL=C

# boxes OWNER: make the units of gnr-2s, driven by OWNER, and their PMUs
boxes() {
	owner=$1
	for p in 0 1; do
		discovery $p
		put pkg$p-uncore0/platform gnr
		put pkg$p-uncore0/owner "$owner"
	done
	while read -r type name count access counters width; do
		for p in 0 1; do
			for id in $(seq 0 "$count"); do
				pmu=-
				[ "$owner" != openpmon ] || pmu=uncore_${name}_$id
				echo "$type $name $id $access 0x19000 $counters $width $pmu $owner"
			done >>"$class/pkg$p-uncore0/units"
		done
		for id in $(seq 0 "$count"); do
			mkdir -p "$pmus/uncore_${name}_$id"
		done
	done <<-END
	0 cha 7 msr 4 48
	2 iio 3 msr 4 48
	30 iio_free_running 3 msr 17 48
	3 irp 3 msr 4 48
	4 pcu 1 msr 4 48
	5 ubox 0 msr 2 48
	6 imc 11 mmio 4+1 48
	8 upi 2 pci 4 48
	16 b2cmi 3 pci 4 48
	17 b2cxl 1 mmio 4 48
	25 mdf 3 msr 4 48
	END
}
# gnr_2s OWNER: make gnr-2s, with boxes that OWNER drives
gnr_2s() {
	moving
	put proc/cpuinfo 'cpu family	: 6' 'model		: 173'
	live pmon_uncore pmon_plr intel_uncore
	installed pmon_uncore pmon_plr
	paranoid 3
	boxes "$1"
	cpu=0
	for p in 0 1; do
		for d in 0 1; do
			domain $p $d $cpu-$((cpu + 7 - 4 * d))
			for m in $(seq 0 $((3 - 2 * d))); do
				core $p $d "$m" $cpu-$((cpu + 1)) none
				cpu=$((cpu + 2))
			done
		done
	done
}
# watched_gnr: make a Granite Rapids, 1000 s after boot, with openpmon's class
watched_gnr() {
	discovery_function
	mkdir -p "$class"
	pauses
	put proc/uptime 1000.00
	put proc/cpuinfo 'cpu family	: 6' 'model		: 173'
}
# in_force PACKAGE DOMAIN MODULE CPUS REASONS: make a module that REASONS limit since 960 s
in_force() {
	core "$@"
	record=$class/pkg$1-dom$2/plr/core$3/time_in_reason
	echo 'observed 9000 1000000 900 1' >"$record"
	for each in $5; do
		echo "$each 9000 1000 960 1 9000"
	done >>"$record"
}
# gnr_43: make three dies of 43 modules with turbo limits. Power limits 14 modules of the first die,
# and temperature limits one of these, too
gnr_43() {
	watched_gnr
	cpu=0
	for d in 0 1 2; do
		domain 0 $d $cpu-$((cpu + 85))
		for m in $(seq 0 42); do
			reasons='FREQUENCY FREQUENCY_CDYN1'
			case $d/$m in
			0/7) reasons='POWER THERMAL POWER_PKG_PL1_MSR_TPMI THERMAL_PER_CORE' ;;
			0/*[135]) reasons='POWER POWER_PKG_PL1_MSR_TPMI' ;;
			esac
			in_force 0 $d "$m" $cpu-$((cpu + 1)) "$reasons"
			cpu=$((cpu + 2))
		done
	done
}

# eagle: make two sockets of three dies; a die has 43 modules of two CPUs, limited in mixed ways
eagle() {
	watched_gnr
	cpu=0
	seed=7
	for p in 0 1; do
		for d in 0 1 2; do
			domain $p $d $cpu-$((cpu + 42)),$((cpu + 258))-$((cpu + 300))
			for m in $(seq 0 42); do
				seed=$((seed * 1103515245 % 2147483648 + 12345))
				case $((seed / 65536 % 10)) in
				[0-3]) reasons='POWER POWER_PKG_PL1_MSR_TPMI' ;;
				4) reasons='POWER THERMAL POWER_PKG_PL1_MSR_TPMI THERMAL_PER_CORE' ;;
				5) reasons='THERMAL THERMAL_PER_CORE' ;;
				6) reasons='FREQUENCY THERMAL FREQUENCY_CDYN1 THERMAL_PER_CORE' ;;
				*) reasons='FREQUENCY FREQUENCY_CDYN1' ;;
				esac
				in_force $p $d "$m" $cpu,$((cpu + 258)) "$reasons"
				cpu=$((cpu + 1))
			done
		done
	done
}

# having REASON: count the modules whose time_in_reason has REASON
having() {
	grep -lx "$1 .*" "$class"/*/plr/core*/time_in_reason | wc -l
}

# on_screen ARG...: call drawn() with 80 columns, and check the width of lines
on_screen() {
	drawn 'rows 24 cols 80' "$@" && got=1 && ! grep '.\{81\}' "$tmp/out"
}

rows <<'END'
80 columns: gnr-2s, each box | : a gnr_2s openpmon; on_screen bw --boxes
> Over 1.0 s
>
> KIND    SOCKET  READ MB/s  WRITE MB/s  TOTAL MB/s  BOX
> memory 0 2097 0 2097  uncore_imc_0
> memory 0 12583 0 12583  uncore_imc_10
> memory 1 2097 2097 4194  uncore_imc_0
> memory 1 12583 2097 14680  uncore_imc_10
> cxl - 1049 0 1049  cxl_pmu_mem0.0
> upi 0 1049 10486 11534  uncore_upi_0
> upi 1 0 0 0  uncore_upi_0
> iio 0 262 524 786  uncore_iio_free_running_3
80 columns: messages break at blanks | : rm "$pmus"/uncore_upi_0/events/rx*; left_to intel_uncore;
	on_screen bw --kind upi,cxl
> Over 1.0 s
>
> KIND  SOCKET  NODE  READ MB/s  WRITE MB/s  TOTAL MB/s
> cxl - - 1049 0 1049
> upi 0 - - 10486 -
> upi 1 - - 0 -
>
> upi read: the kernel's driver has no events for this;
> pmonctl adopt uncore adds them
80 columns: gnr-2s, no command | : a gnr_2s openpmon; on_screen |
	HOST platform gnr, Linux 6.18-tree, pmonctl and modules 0.9.0 | DOCTOR fine |
	iio 0 - 262 524 786 | LIMITS not known: no program monitors them; pmonctl plr shows *limits |
	Next: pmonctl bw --watch
80 columns: gnr-2s before adopt, list | : a gnr_2s intel_uncore; on_screen list
> Platform gnr: 2 sockets, 96 boxes, 4 performance-limit domains
>
> UNIT              ID    SOCKET  PMU                             DRIVEN BY
> cha               0-7   0-1     uncore_cha_{0..7}               intel_uncore
> iio               0-3   0-1     uncore_iio_{0..3}               intel_uncore
> irp               0-3   0-1     uncore_irp_{0..3}               intel_uncore
> pcu               0-1   0-1     uncore_pcu_{0..1}               intel_uncore
> ubox              0     0-1     uncore_ubox_0                   intel_uncore
> imc               0-11  0-1     uncore_imc_{0..11}              intel_uncore
> upi               0-2   0-1     uncore_upi_{0..2}               intel_uncore
> b2cmi             0-3   0-1     uncore_b2cmi_{0..3}             intel_uncore
> b2cxl             0-1   0-1     uncore_b2cxl_{0..1}             intel_uncore
> mdf               0-3   0-1     uncore_mdf_{0..3}               intel_uncore
> iio_free_running  0-3   0-1     uncore_iio_free_running_{0..3}  intel_uncore
>
> DOMAIN     SOCKET  ID  MODULES  CPUS
> pkg0-dom0  0       0   4        0-7
> pkg0-dom1  0       1   2        8-11
> pkg1-dom0  1       0   4        12-19
> pkg1-dom1  1       1   2        20-23
>
> 96 boxes are left to intel_uncore; pmonctl adopt uncore hands them over.
80 columns: gnr-2s before adopt, doctor | : on_screen doctor
> note  boxes  96 left to intel_uncore; pmonctl adopt uncore hands them over
> note  perf   only root and CAP_SYS_ADMIN may count (perf_event_paranoid is 3);
>              with kernel.perf_event_paranoid=2 CAP_PERFMON suffices
> ok: 7 things; --verbose shows them
> Next: pmonctl adopt uncore
80 columns: gnr-43, plr | : a gnr_43; on_screen plr
> Looking moves the hardware's record into openpmon's log; --once does not.
> 14 of 129 modules limited now, 115 at a turbo limit (FREQUENCY alone)
>
> REASON                  MODULES  SOCKETS
> THERMAL_PER_CORE              1  0
> POWER_PKG_PL1_MSR_TPMI       14  0
>
> WHERE                      CPUS                       NOW
> 0/0/core7                  14-15                      POWER_PKG_PL1_MSR_TPMI
>                                                       THERMAL_PER_CORE
> 0/0/core1,3,5,11,13,15,    2-3,6-7,10-11,22-23,       POWER_PKG_PL1_MSR_TPMI
> 21,23,25,31,33,35,41       26-27,30-31,42-43,46-47,
>                            50-51,62-63,66-67,70-71,
>                            82-83
>
> THERMAL_PER_CORE
>     temperature of this core
>     fans, air flow, heat sink; temperatures with: sensors, ipmitool sdr
> POWER_PKG_PL1_MSR_TPMI
>     package power limit 1 (long term), set by MSR or TPMI (software, firmware)
>     compare the limits in /sys/class/powercap with the part's TDP
> socket 0: power and its limits are not known on this kernel
80 columns: gnr-43, no command | : on_screen
> HOST    platform -, Linux ?, pmonctl 0.9.0
> DOCTOR  2 problems, first: pmon_uncore: not loaded;
>         proc/sys/kernel/osrelease, with the version to look for, cannot be read
>
> BANDWIDTH  nothing can be counted
>
> LIMITS  14 of 129 modules limited now, 115 at a turbo limit (FREQUENCY alone)
> REASON                  MODULES  SOCKETS  MEANING
> THERMAL_PER_CORE              1  0        temperature of this core
> POWER_PKG_PL1_MSR_TPMI       14  0        package power limit 1 (long term),
>                                           set by MSR or TPMI (software,
>                                           firmware)
> socket 0: power and its limits are not known on this kernel
>
> Next: pmonctl doctor
END

rows <<'END'
60 columns: no word is cut, and a line keeps its indent | : a gnr_43; drawn 'rows 24 cols 60' plr; got=0 |
	--once does not. | : ! grep '.\{61\}' "$tmp/out" && grep -q "^    part's TDP" "$tmp/out"
60 columns: the second column of help stays one | : drawn 'rows 24 cols 60' help adopt; got=0 |
	: ! grep '.\{61\}' "$tmp/out" && grep -q '^ \{24\}next$' "$tmp/out"
80 columns: two sockets of three dies of 43 modules with mixed limits | : a eagle; on_screen plr |
	: [ "$(wc -l <"$tmp/out")" -le 70 ] | *of 258 modules limited now,* |
	: has "THERMAL_PER_CORE $(having THERMAL_PER_CORE) 0-1"
	"POWER_PKG_PL1_MSR_TPMI $(having POWER_PKG_PL1_MSR_TPMI) 0-1" | [(]* more rows: pmonctl plr --all)
80 columns: and all of them | : on_screen plr --all | : [ "$(wc -l <"$tmp/out")" -gt 80 ] |
	! [(]* more rows*
END

# hundredfold: make the tree of moving() with a hundred times the bandwidth
hundredfold() {
	moving
	sed -i 's/\([1-9][0-9]*\)$/\100/' "$root/counts"
}
rows <<'END'
80 columns: a whole history beside rates of seven digits | : a hundredfold;
	drawn 'rows 24 cols 80' bw --watch -n 45 --kind memory '</dev/null' |
	memory all 2936013 419430 3355443 3355443 ######################## | ! *>
END

# three_limits: limit one module by temperature and later by power, a second by temperature, and a
# third by a turbo limit
three_limits() {
	watched_gnr
	domain 0 0 0-5
	core 0 0 0 0-1 'POWER_PKG_PL1_MSR_TPMI THERMAL_PER_CORE'
	cpu 4 0 0 2
	core 0 0 1 2-3 THERMAL_PER_CORE
	core 0 0 2 4-5 FREQUENCY_CDYN1
	for each in 0=POWER_PKG_PL1_MSR_TPMI 1=THERMAL_PER_CORE 2=FREQUENCY_CDYN1; do
		put "pkg0-dom0/plr/core${each%=*}/time_in_reason" 'observed 9000 1000000 900 1' \
			"${each#*=} 9000 1000 960 1"
	done
}
# coloured ARG...: call drawn() with colours; replace the escape sequence of a colour by <NUMBER>
coloured() {
	NO_COLOR=
	drawn "rows 24 cols ${columns-120}" "$@"
	NO_COLOR=1
	tr -d '\r' <"$tmp/drawn" | sed "s/$(printf '\033')\[\([0-9]*\)m/<\1>/g" >"$tmp/out"
}
rows <<'END'
colours: limits in force, by kind; not what was, nor turbo limits | : a three_limits; coloured plr |
	0/0/core0 0-1 <33>POWER_PKG_PL1_MSR_TPMI<> THERMAL_PER_CORE up to 17 min ago |
	0/0/core1 2-3 <31>THERMAL_PER_CORE<> - | POWER_PKG_PL1_MSR_TPMI
colours: of a turbo limit none | : coloured plr --cpu 4 | 0/0/core2 4-5 FREQUENCY_CDYN1 -
colours: on the main screen | : coloured | <31>THERMAL_PER_CORE<> 1 0 temperature of this core
colours: with NO_COLOR none | : a three_limits; drawn 'rows 24 cols 120' plr; tr -d '\r' <"$tmp/drawn" >"$tmp/out" |
	0/0/core1 2-3 THERMAL_PER_CORE -
colours: into a pipe none | : NO_COLOR= | 0 plr | 0/0/core1 2-3 THERMAL_PER_CORE -
END
