#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Print the table "Size of a full host" of production.rst, and compare it with the page: PMUs and
# files exactly, memory to a quarter.
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# size MACHINE MODULE: print PMUs, files and MiB of slab, per-CPU and all memory
size() {
	in_vm "$2" --kernel 6.12 --machine "$1" --drivers none --timeout 600 <<-S
		echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
		memory() {
			echo 3 >/proc/sys/vm/drop_caches
			awk '/^(MemFree|Slab|Percpu):/ { printf "%s ", \$2 }' /proc/meminfo
		}
		modprobe -a pmon intel_vsec intel_vsec_tpmi
		set -- \$(memory)
		runs '$2 is loaded' modprobe $2
		set -- \$(memory) "\$@"
		pmus=\$(ls -d /sys/bus/event_source/devices/*/disturbed /sys/bus/event_source/devices/plr* 2>/dev/null | wc -l)
		files=\$(find \$(readlink -f /sys/class/pmon/pkg*) \
			\$(readlink -f \$(ls -d /sys/bus/event_source/devices/*/disturbed /sys/bus/event_source/devices/plr*/type 2>/dev/null |
				sed 's|/[a-z]*\$||')) -type f | wc -l)
		note "figures \$pmus \$files \$(echo "\$@" | awk '{
			printf "%.1f %.1f %.1f", (\$2 - \$5) / 1024, (\$3 - \$6) / 1024, (\$4 - \$1) / 1024 }')"
	S
	sed -n "s/^# figures /$2 /p" "$TMP/out" >>"$TMP/figures"
}

size gnr-full pmon_uncore
size gnr-43 pmon_plr
note "$(printf '%-12s %5s %7s %8s %8s %8s' Module PMUs Files Slab Per-CPU All)"
while read -r module pmus files slab percpu all; do
	note "$(printf '%-12s %5s %7s %8s %8s %8s' "$module" "$pmus" "$files" "$slab" "$percpu" "$all")"
	is "$(awk -v module="\`\`$module\`\`" -v now="$pmus $files $slab $percpu $all" '
		$1 == module && NF >= 7 && !seen++ {
			gsub(",", "")
			split(now, n)
			good = $(NF - 4) == n[1] && $(NF - 3) == n[2]
			for (i = 3; i <= 5; i++) {
				far = $(NF - 5 + i) - n[i]
				good = good && far * far < (0.3 + n[i] / 4) ^ 2
			}
			print good ? "so" : $0
		}' "$ROOT/Documentation/admin-guide/production.rst")" so \
		"production.rst has the size of $module: $pmus $files $slab $percpu $all"
done <"$TMP/figures"
is "$(wc -l <"$TMP/figures")" 2 'two modules are measured'
finish
