// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches the workers. One that has not gone on for long is stuck: then its
 * last operations are printed, the stacks of all that wait, and what the kernel
 * knows, and the machine is made to end, which it may not be able to any more.
 *
 * Time is what this process has slept, not a clock: where the whole machine
 * stood still, nobody was stuck.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define TICK_US		200000
#define PER_SECOND	(1000000 / TICK_US)
/* A thread that runs is given more time: an emulated CPU is slow. */
#define RUNNING		3

static uint64_t seen[MAX_RECORDS];
static unsigned int still[MAX_RECORDS];

static char state_of(pid_t pid, pid_t tid)
{
	char text[512], *at;

	if (!read_text(text, sizeof(text), "/proc/%d/task/%d/stat", pid, tid))
		return '?';
	at = strrchr(text, ')');
	return at ? at[2] : '?';
}

static bool stuck(unsigned int i)
{
	struct record *record = &shared->record[i];
	unsigned int most = options.patience * PER_SECOND;

	if (!record->tid || seen[i] != record->progress) {
		seen[i] = record->progress;
		still[i] = 0;
		return false;
	}
	if (++still[i] < most)
		return false;
	return state_of(record->pid, record->tid) != 'R' ||
	       still[i] >= RUNNING * most;
}

static void tell_record(unsigned int i)
{
	struct record *record = &shared->record[i];
	unsigned int n = still[i] ? LINES - 1 : 1;
	unsigned int at;

	if (!record->tid)
		return;
	say("%s, seed %#lx, task %d, %lu operations, the last %u s ago:",
	    record->name, record->seed, record->tid, record->progress,
	    still[i] / PER_SECOND);
	at = record->last > n ? record->last - n : 1;
	for (; at <= record->last; at++)
		say("    %s", record->line[at % LINES]);
}

static void tell_stack(const char *pid, const char *tid)
{
	char text[6144], name[32];
	char state = state_of(atoi(pid), atoi(tid));

	read_text(name, sizeof(name), "/proc/%s/task/%s/comm", pid, tid);
	/* Whoever waits, and who is in code of ours. */
	if (!read_lines(text, sizeof(text), "/proc/%s/task/%s/stack", pid, tid))
		return;
	if (state != 'D' && !strstr(text, "[pmon") && !strstr(text, "perf_"))
		return;
	say("stack of %s, task %s of %s, state %c", name, tid, pid, state);
	say("%s", text);
}

static void tell_stacks(void)
{
	struct dirent *process, *task;
	DIR *processes, *tasks;
	char path[300];

	processes = opendir("/proc");
	while (processes && (process = readdir(processes))) {
		if (!isdigit(process->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/task", process->d_name);
		tasks = opendir(path);
		while (tasks && (task = readdir(tasks)))
			if (isdigit(task->d_name[0]))
				tell_stack(process->d_name, task->d_name);
		if (tasks)
			closedir(tasks);
	}
	if (processes)
		closedir(processes);
}

/*
 * An expired timer in the queue of a CPU that is online and whose .expires_next
 * is later was not armed again, by the kernel or by the emulator; one in the
 * queue of a CPU that is offline was not moved.
 */
static void tell_timers(void)
{
	FILE *timers = fopen("/proc/timer_list", "re");
	char line[512];

	while (timers && fgets(line, sizeof(line), timers))
		if (line[0] != '\n')
			say("%s", line);
	if (timers)
		fclose(timers);
	if (read_text(line, sizeof(line), "/sys/devices/system/cpu/online"))
		say("CPUs online: %s", line);
}

/* The console has the rest; a machine with such a lock cannot be shut down. */
static void end_of_machine(void)
{
	write_text("1", "/proc/sys/kernel/sysrq");
	write_text("w", "/proc/sysrq-trigger");
	write_text("l", "/proc/sysrq-trigger");
	write_text("d", "/proc/sysrq-trigger");
	if (fork())
		return;
	setsid();
	nap_us(30000000);
	write_text("b", "/proc/sysrq-trigger");
	_exit(0);
}

static bool anyone_stuck(void)
{
	unsigned int i, first = MAX_RECORDS;

	for (i = 0; i < shared->records; i++)
		if (stuck(i) && first == MAX_RECORDS)
			first = i;
	if (first == MAX_RECORDS)
		return false;
	tap(false, "seed %#lx: %s hangs: %s", options.seed,
	    shared->record[first].name,
	    shared->record[first].line[shared->record[first].last % LINES]);
	for (i = 0; i < shared->records; i++)
		tell_record(i);
	tell_stacks();
	tell_timers();
	end_of_machine();
	return true;
}

/*
 * Until all workers have ended, which they are asked to do after so many
 * seconds, if that is not 0. False: a worker is stuck.
 */
bool watch(unsigned int seconds)
{
	uint64_t end = now_ns() + seconds * 1000000000ull;

	while (work_is_under_way()) {
		if (anyone_stuck())
			return false;
		if (seconds && (now_ns() >= end || shared->findings))
			shared->stop = true;
		if (options.calls && work_calls() >= options.calls)
			shared->stop = true;
		nap_us(TICK_US);
	}
	return true;
}
