# SPDX-License-Identifier: GPL-2.0-only
# Make the table of Documentation/admin-guide/rights.rst from rights.table: a row for
# each kind of access, a column for each actor, with the levels that permit it.
BEGIN {
	title["uncore-event"] = "count an event of ``uncore_*``"
	title["plr-event"] = "count an event of ``plr``"
	title["tracepoint-by-cpu"] = "``pmon:plr_reasons`` by perf, on a CPU"
	title["tracepoint-by-task"] = "``pmon:plr_reasons`` by perf, in a task"
	title["tracefs"] = "``pmon:plr_reasons`` by tracefs"
	title["read-files"] = "read files of limits and of boxes"
	title["level-files"] = "read ``cpus``, ``interval_ms``, ``gate``"
	title["write-files"] = "write ``clear``, ``interval_ms``"
	n = split("root sysadmin perfmon group everybody", actor, " ")
	format = "%-40s %-8s %-14s %-12s %-10s %s\n"
}
/^#/ || !NF { next }
!($1 in seen) { seen[$1]; order[++rows] = $1 }
$4 == "yes" { allowed[$1, $2] = $3 == "-1..4" ? "always" : range($3) }
function range(levels, end) {
	split(levels, end, /\.\./)
	return end[1] == -1 ? "up to " end[2] : "from " end[1] " to " end[2]
}
function line(c) {
	return substr("========================================", 1, c)
}
END {
	ruler = sprintf(format, line(40), line(8), line(14), line(12),
		line(10), line(10))
	printf "%s", ruler
	printf format, "", "root", "CAP_SYS_ADMIN", "CAP_PERFMON",
		"the group", "everybody"
	printf "%s", ruler
	for (i = 1; i <= rows; i++) {
		for (j = 1; j <= n; j++) {
			key = order[i] SUBSEP actor[j]
			cell[j] = key in allowed ? allowed[key] : "no"
		}
		printf format, title[order[i]], cell[1], cell[2], cell[3],
			cell[4], cell[5]
	}
	printf "%s", ruler
}
