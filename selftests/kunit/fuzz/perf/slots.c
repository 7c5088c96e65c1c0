// SPDX-License-Identifier: GPL-2.0-only
/* What can be done to an event that is open. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "events.h"

bool op_read(struct me *me)
{
	static const size_t sizes[] = { 512, 512, 512, 256, 24, 8, 7 };
	size_t size = PICK(&me->rng, sizes);
	int slot = random_slot(me);
	char data[512];

	doing(me, "read %d, %zu bytes", slot, size);
	return did(me, read(slot, data, size));
}

static bool op_poll(struct me *me)
{
	struct pollfd p[3];
	unsigned int i;

	for (i = 0; i < 3; i++)
		p[i] = (struct pollfd){ random_slot(me), POLLIN | POLLHUP, 0 };
	doing(me, "poll %d %d %d", p[0].fd, p[1].fd, p[2].fd);
	return did(me, poll(p, 3, rng_below(&me->rng, 8)));
}

static bool op_fcntl(struct me *me)
{
	int slot = random_slot(me);

	doing(me, "fcntl %d", slot);
	switch (rng_below(&me->rng, 4)) {
	case 0:
		return did(me, fcntl(slot, F_SETFL, rng_odds(&me->rng, 50) ?
				     O_ASYNC | O_NONBLOCK : O_NONBLOCK));
	case 1:
		return did(me, fcntl(slot, F_SETOWN, getpid()));
	case 2:
		return did(me, fcntl(slot, F_SETSIG, 0));
	default:
		return did(me, fcntl(slot, F_SETFD, rng_odds(&me->rng, 50) ?
				     FD_CLOEXEC : 0));
	}
}

static bool op_dup(struct me *me)
{
	int from = random_slot(me), to = any_slot(me);

	doing(me, "dup %d as %d", from, to);
	slot_copied(from, to);
	return did(me, dup2(from, to));
}

/* One that is gone may stay as it was: its type has no owner, or another. */
static bool op_learn(struct me *me)
{
	struct pmu *pmu = &me->pmus.pmu[rng_below(&me->rng, me->pmus.nr)];
	struct pmu fresh;
	char name[64];

	if (!me->pmus.nr)
		return false;
	if (rng_odds(&me->rng, 60))
		snprintf(name, sizeof(name), "%s", pmu->name);
	else if (!pmus_any_name(&me->rng, name, sizeof(name)))
		return false;
	doing(me, "learn %s", name);
	if (!pmu_learn(&fresh, name) && rng_odds(&me->rng, 50))
		return did(me, -1);
	*pmu = fresh;
	return did(me, 0);
}

static unsigned long group_flag(struct me *me)
{
	return rng_odds(&me->rng, 25) ? PERF_IOC_FLAG_GROUP : 0;
}

static int set_filter(struct me *me, int slot)
{
	static const char *const filters[] = {
		"common_pid > 0", "package == 0", "coarse & 4 || fine > 1",
		"", "0", "(((", "scope == \"die\"", "nothing == 1",
	};

	return ioctl(slot, PERF_EVENT_IOC_SET_FILTER, PICK(&me->rng, filters));
}

static int modify(struct me *me, int slot)
{
	struct perf_event_attr attr;
	struct target target;

	attr_random(me, &attr, &target);
	if (target.flags & PERF_FLAG_PID_CGROUP && target.pid > 2)
		close(target.pid);
	return ioctl(slot, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr);
}

static int control(struct me *me, unsigned int what, int slot)
{
	uint64_t number = rng_odd_number(&me->rng);
	uint32_t query[8] = { 4 };

	switch (what) {
	case 0:
		return ioctl(slot, PERF_EVENT_IOC_ENABLE, group_flag(me));
	case 1:
		return ioctl(slot, PERF_EVENT_IOC_DISABLE, group_flag(me));
	case 2:
		return ioctl(slot, PERF_EVENT_IOC_RESET, group_flag(me));
	case 3:
		return ioctl(slot, PERF_EVENT_IOC_REFRESH, (int)number & 15);
	case 4:
		number |= 1 << 20;
		return ioctl(slot, PERF_EVENT_IOC_PERIOD, &number);
	case 5:
		return ioctl(slot, PERF_EVENT_IOC_SET_OUTPUT,
			     rng_odds(&me->rng, 20) ? -1 : random_slot(me));
	case 6:
		return set_filter(me, slot);
	case 7:
		return ioctl(slot, PERF_EVENT_IOC_ID, &number);
	case 8:
		return ioctl(slot, PERF_EVENT_IOC_PAUSE_OUTPUT, number & 1);
	case 9:
		return ioctl(slot, PERF_EVENT_IOC_QUERY_BPF, query);
	case 10:
		return modify(me, slot);
	default:
		return ioctl(slot, _IO('$', number & 31), number);
	}
}

bool op_ioctl(struct me *me)
{
	static const char *const names[] = {
		"enable", "disable", "reset", "refresh", "period", "set output",
		"filter", "id", "pause output", "query bpf", "modify", "unknown",
	};
	unsigned int what = rng_odds(&me->rng, 50) ? rng_below(&me->rng, 3) :
			    rng_below(&me->rng, ARRAY_SIZE(names));
	int slot = random_slot(me);

	doing(me, "ioctl %d, %s", slot, names[what]);
	return did(me, control(me, what, slot));
}

/* An event has no name: this is refused, and must be. */
static bool op_copy(struct me *me)
{
	int slot = random_slot(me), fd;
	char text[64];

	doing(me, "reopen %d through /proc", slot);
	snprintf(text, sizeof(text), "/proc/self/fd/%d", slot);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return did(me, fd);
}

/*
 * Opening an event costs ten times what reading one does, a process a hundred
 * times: where calls are counted (the last number), one in a hundred opens, so
 * that most of the time goes into none of these.
 */
struct op event_ops[] = {
	{ "open", 30, op_open, 80 }, { "group", 5, op_group, 15 },
	{ "read", 22, op_read, 4000 }, { "ioctl", 20, op_ioctl, 3400 },
	{ "close", 8, op_close, 20 }, { "close-all", 1, op_close_all, 1 },
	{ "map", 5, op_map, 20 }, { "touch", 5, op_touch, 20 },
	{ "unmap", 3, op_unmap, 10 }, { "poll", 3, op_poll, 20 },
	{ "fcntl", 3, op_fcntl, 20 }, { "dup", 3, op_dup, 10 },
	{ "reopen", 1, op_copy, 5 }, { "learn", 3, op_learn, 1 },
	{ "fork", 2, op_fork, 2 }, { "exec", 1, op_exec, 1 },
	{ "reap", 2, op_reap, 3 }, { "affinity", 3, op_affinity, 5 },
	{ "cgroup", 1, op_cgroup, 1 }, { "task-events", 2, op_tasks_events, 10 },
	{ "nap", 4, op_nap, 5 }, { "bpf-put", 2, op_bpf_put, 3 },
	{ "bpf-attach", 2, op_bpf_attach, 3 },
	{ }
};
