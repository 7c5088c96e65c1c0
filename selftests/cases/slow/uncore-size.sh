#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Print the table "Size of a full host" of production.rst, and compare it with the page: PMUs and
# files exactly, memory to a quarter.
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# size MACHINE MODULE: note PMUs, files, and MiB of slab and per-CPU memory
size() {
	in_vm "$2" --kernel 6.12 --machine "$1" --drivers none --timeout 600 <<-S
		module=$2
		echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
		memory() {
			echo 3 >/proc/sys/vm/drop_caches
			awk '/^(Slab|Percpu):/ { printf "%s ", \$2 }' /proc/meminfo
		}
		modprobe -a pmon intel_vsec intel_vsec_tpmi
		before=\$(memory)
		runs "\$module is loaded" modprobe \$module
		after=\$(memory)
		set --
		for pmu in \$PMUS/*/; do
			case \$pmu in */plr/ | */plr_task/) ;; *) [ -e "\$pmu/disturbed" ] || continue ;; esac
			set -- "\$@" "\$pmu"
		done
		files=\$(find \$PMON/pkg*/ "\$@" -type f | wc -l)
		note "figures \$# \$files \$(echo "\$before \$after" | awk '{
			printf "%.1f %.1f", (\$3 - \$1) / 1024, (\$4 - \$2) / 1024 }')"
	S
	sed -n "s/^# figures /$2 /p" "$TMP/out" >>"$TMP/figures"
}

size gnr-full pmon_uncore
size gnr-43 pmon_plr
page=$ROOT/Documentation/admin-guide/production.rst
note "$(printf '%-16s %5s %7s %7s %8s' Module PMUs Files Slab 'Per CPU')"
while read -r module pmus files slab percpu; do
	note "$(printf '%-16s %5s %7s %7s %8s' "\`\`$module\`\`" "$pmus" "$files" "$slab" "$percpu")"
	is "$(awk -v module="\`\`$module\`\`" -v now="$pmus $files $slab $percpu" '
		$1 == module && NF == 5 {
			gsub(",", "")
			split(now, n)
			good = $2 == n[1] && $3 == n[2]
			for (i = 3; i <= 4; i++)
				good = good && ($(i + 1) - n[i]) ^ 2 < (0.3 + n[i] / 4) ^ 2
			print good ? "so" : $0
		}' "$page")" so "production.rst has the size of $module: $pmus $files $slab $percpu"
done <"$TMP/figures"
is "$(wc -l <"$TMP/figures")" 2 'two modules are measured'
finish
