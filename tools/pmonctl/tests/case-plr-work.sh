# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl plr --pid, --cgroup and -- JOB, with the clock of the tree: every
# 100 ms of it its threads have run, as sbin/pause says.

# thread ID CPU NS [PROCESS]: a thread, where it was last, and its CPU time
thread() {
	process=${4:-$1}
	for dir in "$root/proc/$1/task/$1" "$root/proc/$process/task/$1"; do
		mkdir -p "$dir"
		echo "$3 0 1" >"$dir/schedstat"
		echo "$1 (a job) of) R 1 1 1 0 -1 0 0 0 0 0 5 5 0 0 20 0 1 0 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 $2 0 0 0" >"$dir/stat"
	done
}

# busy: a domain with two modules of two CPUs, watched, and a process 100 with
# two threads
busy() {
	new_tree "work-$1"
	domain 0 0 0-3
	core 0 0 0 0-1 none
	core 0 0 1 2-3 none
	for part in die mesh0 core0 core1; do
		put pkg0-dom0/plr/$part/active none
	done
	thread 100 0 5000000000
	thread 101 3 0 100
}

# Thread 100 runs all the time on CPU 0, thread 101 half of it on CPU 3. The
# first module is limited for a second, the other for all the time.
busy pid
put pkg0-dom0/plr/core1/active 'THERMAL THERMAL_PER_CORE'
passing <<-'END'
ran=$(($2 * 1000000))
for t in 100 101; do
	echo "$((ran / (t - 99))) 0 1" >"$root/proc/$t/task/$t/schedstat"
done
[ "$2" != 1000 ] || put pkg0-dom0/plr/core0/active POWER
[ "$2" != 2000 ] || put pkg0-dom0/plr/core0/active none
END
echo "0 0 1" >"$root/proc/100/task/100/schedstat"
run_test 0 plr --pid 100 && silent && prints <<-'END'
Process 100: 5.0 s, 7.5 s of CPU time on CPUs 0,3 (2 modules)

SHARE  CPU TIME  REASON            CPUS
 33 %  2.5 s     THERMAL           3
 33 %  2.5 s     THERMAL_PER_CORE  3
 13 %  1.0 s     POWER             0

Sampled every 100 ms: the CPU time of each thread, the CPU that it was on, and what limited the module of that CPU.
END
verdict $? "plr: --pid, the share of time by reason"

run_test 0 plr --pid 100 --for 2 --json && is_json && silent
verdict $? "plr: --pid --for --json is JSON"
if command -v python3 >/dev/null; then
	python3 - "$tmp/out" <<-'END'
	import json, sys
	m = json.load(open(sys.argv[1]))
	assert (m["format"], m["ms"], m["step_ms"]) == (1, 2000, 100), m
	assert m["cpus"] == "0,3" and m["work"] == "Process 100"
	a, b = m["parts"]
	assert (a["name"], a["cpus"], b["name"], b["cpus"]) == ("core0", "0", "core1", "3")
	assert b["reasons"][0]["reason"] == "THERMAL"
	assert b["ran_ms"] == b["observed_ms"] == b["reasons"][0]["ms"]
	END
	verdict $? "plr: --pid --json has modules"
fi

busy nearly
passing <<-'END'
echo "$(($2 * 1000000)) 0 1" >"$root/proc/100/task/100/schedstat"
[ "$2" != 30000 ] || rm "$class/pkg0-dom0/plr/core0/active"
END
run_test 0 plr --pid 100 --for 30 && silent && ! grep -q 'not known' "$tmp/out"
verdict $? "plr: less than half a percent of the time is no lack"

busy unknown
passing <<-'END'
echo "$(($2 * 1000000)) 0 1" >"$root/proc/100/task/100/schedstat"
[ "$2" != 2500 ] || rm "$class/pkg0-dom0/plr/core0/active"
END
echo "0 0 1" >"$root/proc/100/task/100/schedstat"
run_test 0 plr --pid 100 &&
	grep -qE '^For (49|50|51|52) % of that time it is not known what limited\.$' "$tmp/out" &&
	grep -q '^Nothing limited it\.$' "$tmp/out"
verdict $? "plr: --pid, hardware that does not answer"

busy ends
passing <<-'END'
echo "$(($2 * 1000000)) 0 1" >"$root/proc/100/task/100/schedstat"
[ "$2" -lt 1000 ] || rm -rf "$root/proc/100" "$root/proc/101"
END
echo "0 0 1" >"$root/proc/100/task/100/schedstat"
run_test 0 plr --pid 100 && grep -q '^Process 100: 1.0 s, 0.9 s of CPU time on CPUs 0 (1 module)$' "$tmp/out"
verdict $? "plr: --pid, a process that ends"

busy idle
passing </dev/null
run_test 0 plr --pid 100 --for 1 && grep -q '^Process 100: 1.0 s, in which it was not seen to run$' "$tmp/out"
verdict $? "plr: --pid, a process that does not run"
run 64 plr --pid 99 && complains '--pid 99: there is no such process'
verdict $? "plr: --pid, no such process"
for bad in 0 -1 x 1x 99999999999; do
	run 64 plr --pid "$bad" && complains 'not a process number'
	verdict $? "plr: --pid $bad is wrong usage"
done
for bad in 0 -1 x 86401; do
	run 64 plr --pid 100 --for "$bad" && complains 'not a number of seconds'
	verdict $? "plr: --for $bad is wrong usage"
done
for bad in '--pid 100 --cgroup x' '--pid 100 --watch' '--pid 100 --clear' \
	'--pid 100 --cpu 0' '--pid 100 --dies' '--for 1' '--for 1 -- true' \
	'--pid 100 -- true' '--'; do
	# shellcheck disable=SC2086 # words
	run 64 plr $bad
	verdict $? "plr: $bad is wrong usage"
done
run 64 plr surplus -- true && complains 'unexpected argument: surplus'
verdict $? "plr: a word before -- is wrong usage"
run 0 decode -- 0x1 && grep -q FREQUENCY "$tmp/out"
verdict $? "decode: -- ends the options, as ever"
rm "$(class)"/pkg0-dom0/plr/*/active
run 2 plr --pid 100 && complains 'nobody watches this domain'
verdict $? "plr: --pid without a watch is broken"

# What threads say may be anything.
busy hostile
passing <<-'END'
echo "$(($2 * 1000000)) 0 1" >"$root/proc/100/task/100/schedstat"
END
for stat in '' ')' '100 (x) R' '100 (x) R 1 1 1 0 -1 0 0 0 0 0 5 5 0 0 20 0 1 0 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 99999999999 0' \
	'100 (x) R 1 1 1 0 -1 0 0 0 0 0 5 5 0 0 20 0 1 0 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 8191 0'; do
	echo "0 0 1" >"$root/proc/100/task/100/schedstat"
	echo "$stat" >"$root/proc/100/task/100/stat"
	run_test 0 plr --pid 100 --for 1 && silent
	verdict $? "plr: --pid, a thread's stat '$stat'"
done
for ran in '' x -5 99999999999999999999; do
	passing <<-END
	echo "$ran" >"\$root/proc/100/task/100/schedstat"
	END
	run_test 0 plr --pid 100 --for 1 && silent
	verdict $? "plr: --pid, a thread's schedstat '$ran'"
done

# ---- groups inside groups, and files of both versions
busy group
group=$root/sys/fs/cgroup/work.slice
mkdir -p "$group/inner"
echo 100 >"$group/cgroup.threads"
printf '%s\n' 101 1x '' >"$group/inner/tasks"
put pkg0-dom0/plr/core1/active POWER
passing <<-'END'
for t in 100 101; do
	echo "$(($2 * 1000000)) 0 1" >"$root/proc/$t/task/$t/schedstat"
done
END
echo "0 0 1" >"$root/proc/100/task/100/schedstat"
run_test 0 plr --cgroup work.slice --for 2 && silent &&
	grep -q '^Group work.slice: .* on CPUs 0,3 (2 modules)$' "$tmp/out" &&
	grep -q '^ 50 % .*POWER *3$' "$tmp/out"
verdict $? "plr: --cgroup has the groups inside"
run_test 0 plr --cgroup /sys/fs/cgroup/work.slice/inner --for 1 &&
	grep -q 'on CPUs 3 (1 module)$' "$tmp/out"
verdict $? "plr: --cgroup takes a path"
run 64 plr --cgroup absent && complains 'name a directory below /sys/fs/cgroup'
verdict $? "plr: --cgroup, no such group"
ln -s .. "$group/inner/loop"
run_test 0 plr --cgroup work.slice --for 1 && silent
verdict $? "plr: --cgroup follows no link"

# ---- jobs
busy job
passing </dev/null
run 64 plr -- true && complains 'with --sysroot no program is run'
verdict $? "plr: no job is run with --sysroot"
# shellcheck disable=SC2016
run_test 7 plr -- sh -c 'echo "$1"; exit 7' sh said &&
	[ "$(cat "$tmp/out")" = said ] && complains 'sh: ' &&
	complains 'Sampled every 100 ms'
verdict $? "plr: a job's output and status are its own, the report is on stderr"
# shellcheck disable=SC2016
run_test 143 plr -- sh -c 'kill -TERM $$'
verdict $? "plr: a job that a signal ends"
# shellcheck disable=SC2016
run_test 143 plr -- sh -c 'sleep 0.2; kill -TERM $PPID; exec sleep 20'
verdict $? "plr: a signal ends a job that /proc does not show"

# One that comes between two pauses is handed on, too: with threads without end
# to be looked at there is hardly another time.
seq -f "$root/proc/100/task/%.0f" 1 4000 | xargs mkdir -p
# shellcheck disable=SC2016
run_test 143 plr -- sh -c '
	mkdir -p "$0/proc/$PPID/task/$PPID"
	echo 100 >"$0/proc/$PPID/task/$PPID/children"
	sleep 0.5
	kill -TERM $PPID
	exec sleep 20' "$root"
verdict $? "plr: a signal that comes while threads are looked at ends the job"
rm -r "$root/proc/100/task"
run_test 127 plr -- /absent/job && complains '/absent/job: cannot be run'
verdict $? "plr: a job that is not there"
run_test 126 plr -- / && complains '/: cannot be run'
verdict $? "plr: a job that cannot be run"
run_test 0 plr --json -- true && cp "$tmp/err" "$tmp/out" && is_json
verdict $? "plr: --json -- JOB"
