# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl who: which processes have perf events open.

# process PID NAME UID FILE...: files that it has open
process() {
	proc=$root/proc/$1
	mkdir -p "$proc/fd"
	echo "$2" >"$proc/comm"
	printf '%s\0stat\0-a\0' "$2" >"$proc/cmdline"
	printf 'Name:\t%s\nUid:\t%s\t0\t0\t0\n' "$2" "$3" >"$proc/status"
	shift 3
	fd=0
	for file; do
		ln -s "$file" "$proc/fd/$fd"
		fd=$((fd + 1))
	done
}
event='anon_inode:[perf_event]'

new_tree who
live pmon_uncore
echo 3 >"$root/sys/module/pmon_uncore/refcnt"
process 12 perf 0 /dev/null "$event" "$event"
process 13 cat 0 /dev/null 'anon_inode:[eventpoll]' /tmp/perf_event
process 100 pcm 1000 "$event"
run 0 who && silent && prints <<-'END'
PID  UID   EVENTS  COMMAND
12   0     2       perf stat -a
100  1000  1       pcm stat -a

pmon_uncore: 3 users
END
verdict $? "who: processes with perf events open"
run 0 who --json && is_json && python3 - "$tmp/out" <<-'END'
	import json, sys
	m = json.load(open(sys.argv[1]))
	assert m["format"] == 1 and m["hidden"] == 0
	assert [(p["pid"], p["uid"], p["events"], p["name"]) for p in m["processes"]] \
		== [(12, 0, 2, "perf"), (100, 1000, 1, "pcm")]
	assert m["modules"] == [{"name": "pmon_uncore", "users": 3}]
END
verdict $? "who: --json"
# Those of openpmon, and those that have what it could have.
for module in pmon_plr pmon_cxl pmon_r2pcie intel_uncore intel_plr_tpmi cxl_pmu; do
	live $module
	echo 1 >"$root/sys/module/$module/refcnt"
done
run 0 who && sed '1,/^$/d' "$tmp/out" >"$tmp/lines" && mv "$tmp/lines" "$tmp/out" &&
	prints <<-'END'
pmon_uncore: 3 users
pmon_plr: 1 user
pmon_cxl: 1 user
pmon_r2pcie: 1 user
intel_uncore: 1 user
intel_plr_tpmi: 1 user
cxl_pmu: 1 user
END
verdict $? "who: the users of every module that adopt can refuse"
rm -r "$root/proc/12/fd"
: >"$root/proc/12/fd"
run 1 who && complains 'the files of 1 process may not be listed' &&
	! grep -q '^12 ' "$tmp/out"
verdict $? "who: what cannot be looked at is said"
new_tree who-none
mkdir "$root/proc"
run 0 who && prints <<-'END'
No process has a perf event open.

END
verdict $? "who: nobody"

contested holders
for pid in 21 22 23 24 25; do
	process $pid perf 0 "$event"
done
echo 2 >"$root/sys/module/intel_uncore/refcnt"
adopts 2 adopt uncore && complains 'in use by 2 users' &&
	complains 'perf events open: perf (21), perf (22), perf (23), perf (24) and 1 more'
verdict $? "adopt: refused, and by whom it is used"
