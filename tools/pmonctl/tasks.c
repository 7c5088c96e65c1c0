// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which threads there are, for how long each has run, and on which CPU: what
 * /proc says. A CPU is the one that a thread was on last; where it was before,
 * since the last look, is not known.
 */
#include "tasks.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "output.h"
#include "root.h"
#include "sysfs.h"

/* More threads than this take longer to look at than there is time. */
#define THREADS_MAX 32768

/* Groups inside groups, and children of children. */
#define DEPTH_MAX 64

#define SLACK_NS 1000000000LL

struct thread {
	long id;
	long long ran;		/* nanoseconds */
};

struct ids {
	long *id;
	size_t count;
	bool too_many;
};

static void add_id(struct ids *ids, long id)
{
	if (id <= 0)
		return;
	if (ids->count == THREADS_MAX) {
		ids->too_many = true;
		return;
	}
	if (!(ids->count & (ids->count - 1)))
		ids->id = xrealloc(ids->id, (ids->count ? 2 * ids->count : 1) *
					    sizeof(*ids->id));
	ids->id[ids->count++] = id;
}

/* Numbers separated by white space; NULL has none. */
static void add_numbers(struct ids *ids, char *text)
{
	char *s = text, *end;

	while (s) {
		long id = strtol(s, &end, 10);

		if (end == s)
			break;
		add_id(ids, id);
		s = end;
	}
	free(text);
}

static void add_process(struct ids *ids, long pid)
{
	struct text dir = { NULL, 0 };
	struct names names;

	text_add(&dir, "/proc/%ld/task", pid);
	names = sysfs_children(dir.s, "");
	for (size_t i = 0; i < names.count; i++)
		add_id(ids, strtol(names.name[i], NULL, 10));
	names_free(&names);
	text_free(&dir);
}

/* Each thread has children of its own. */
static void add_descendants(struct ids *ids, long pid, int depth)
{
	struct ids threads = { NULL, 0, false }, children = { NULL, 0, false };

	add_process(&threads, pid);
	for (size_t i = 0; i < threads.count; i++)
		add_numbers(&children,
			    sysfs_read("/proc/%ld/task/%ld/children", pid,
				       threads.id[i]));
	for (size_t i = 0; i < children.count && !ids->too_many; i++) {
		add_process(ids, children.id[i]);
		if (depth < DEPTH_MAX)
			add_descendants(ids, children.id[i], depth + 1);
	}
	free(threads.id);
	free(children.id);
}

/* The second version of control groups has another name for it. */
static char *group_threads(const char *dir)
{
	char *text = sysfs_read("%s/cgroup.threads", dir);

	return text ? text : sysfs_read("%s/tasks", dir);
}

static void add_group(struct ids *ids, const char *dir, int depth)
{
	char *text = group_threads(dir);
	struct names names;

	if (!text)
		return;
	add_numbers(ids, text);
	names = sysfs_entries(dir);
	for (size_t i = 0; i < names.count && depth < DEPTH_MAX; i++) {
		struct text below = { NULL, 0 };

		text_add(&below, "%s/%s", dir, names.name[i]);
		if (sysfs_is_directory(below.s))
			add_group(ids, below.s, depth + 1);
		text_free(&below);
	}
	names_free(&names);
}

static int compare_ids(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static struct ids find_threads(const struct tasks *t)
{
	struct ids ids = { NULL, 0, false };

	if (t->pid)
		add_process(&ids, t->pid);
	else if (t->cgroup)
		add_group(&ids, t->cgroup, 0);
	else
		add_descendants(&ids, (long)getpid(), 0);
	if (ids.count)
		qsort(ids.id, ids.count, sizeof(*ids.id), compare_ids);
	return ids;
}

/* What follows the name in parentheses, which may have any characters. */
static char *stat_field(char *stat, int number)
{
	char *s = strrchr(stat, ')');

	for (int field = 2; s && field < number; field++) {
		s = strchr(s, ' ');
		s += !!s;
	}
	return s && isdigit((unsigned char)*s) ? s : NULL;
}

/* Nanoseconds on a CPU, or -1 when the thread is gone. */
static long long thread_ran(long id)
{
	char *text = sysfs_read("/proc/%ld/task/%ld/schedstat", id, id);
	long long ns = text ? strtoll(text, NULL, 10) : -1;

	free(text);
	return ns;
}

static bool thread_cpu(long id, unsigned int *cpu)
{
	char *text = sysfs_read("/proc/%ld/task/%ld/stat", id, id);
	char *field = text ? stat_field(text, 39) : NULL;

	if (field)
		*cpu = (unsigned int)strtoul(field, NULL, 10);
	free(text);
	return field;
}

/*
 * One that was not here before has run here for no longer than the time that
 * has passed. Of the others the clocks differ a little from look to look.
 */
static long long gain(const struct thread *old, long long ran, long long passed)
{
	long long ns = ran, most = passed;

	if (old && old->ran <= ran) {
		ns = ran - old->ran;
		most += SLACK_NS;
	}
	return ns < most ? ns : most;
}

static const struct thread *find_old(const struct tasks *t, size_t *at, long id)
{
	while (*at < t->count && t->thread[*at].id < id)
		(*at)++;
	return *at < t->count && t->thread[*at].id == id ? &t->thread[*at] :
							    NULL;
}

bool tasks_take(struct tasks *t,
		void (*ran)(void *context, unsigned int cpu, long long ns),
		void *context)
{
	struct ids ids = find_threads(t);
	struct thread *now = xrealloc(NULL, (ids.count + 1) * sizeof(*now));
	long long ms = clock_ms(), passed = (ms - t->taken_ms + 1) * 1000000;
	size_t at = 0, count = 0;
	unsigned int cpu;

	for (size_t i = 0; i < ids.count; i++) {
		const struct thread *old = find_old(t, &at, ids.id[i]);
		long long total = thread_ran(ids.id[i]), ns;

		if (total < 0 || (count && now[count - 1].id == ids.id[i]))
			continue;
		now[count++] = (struct thread){ ids.id[i], total };
		ns = gain(old, total, passed);
		if (t->taken_ms && ns > 0 && thread_cpu(ids.id[i], &cpu))
			ran(context, cpu, ns);
	}
	free(ids.id);
	free(t->thread);
	t->thread = now;
	t->count = count;
	t->taken_ms = ms ? ms : 1;
	t->too_many |= ids.too_many;
	return count;
}

void tasks_free(struct tasks *t)
{
	free(t->thread);
}

bool tasks_exist(const struct tasks *t)
{
	struct text path = { NULL, 0 };
	char *threads;
	bool good;

	if (t->cgroup) {
		threads = group_threads(t->cgroup);
		if (!threads)
			complain("--cgroup %s: %s; name a directory below "
				 "/sys/fs/cgroup", t->cgroup, strerror(errno));
		good = threads;
		free(threads);
		return good;
	}
	text_add(&path, "/proc/%ld/task", t->pid);
	good = sysfs_exists(path.s);
	if (!good)
		complain("--pid %ld: there is no such process", t->pid);
	text_free(&path);
	return good;
}
