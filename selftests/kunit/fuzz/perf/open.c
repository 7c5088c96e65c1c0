// SPDX-License-Identifier: GPL-2.0-only
/* Opens and closes events, alone and in groups. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "events.h"

/*
 * perf has a fault of its own (seen on 6.12): where a CPU was offline its
 * events have left their groups, new ones may still join them, and keep a
 * leader that was closed. So what leads a group while CPUs come and go is an
 * event of a task or of the first CPU, which stays online.
 */
static bool may_lead[SLOTS];

/*
 * And another one (troubleshooting.rst): events of other PMUs that are in a group
 * with one of a PMU that goes stay in the contexts that perf frees with it. So a
 * group is of one PMU.
 */
static unsigned int type_of[SLOTS];

static bool leads_safely(const struct target *target)
{
	if (target->flags & PERF_FLAG_PID_CGROUP)
		return target->cpu == 0;
	return target->pid >= 0 || target->cpu == 0;
}

void slot_copied(int from, int to)
{
	may_lead[to - FIRST_SLOT] = may_lead[from - FIRST_SLOT];
	type_of[to - FIRST_SLOT] = type_of[from - FIRST_SLOT];
}

static void choose_leader(struct target *target, unsigned int type)
{
	int slot = target->group - FIRST_SLOT;

	if (slot < 0 || slot >= SLOTS)
		return;
	if ((!may_lead[slot] && !switched_off("hotplug")) ||
	    type_of[slot] != type)
		target->group = -1;
}

int event_open(struct perf_event_attr *attr, const struct target *target)
{
	return syscall(SYS_perf_event_open, attr, target->pid, target->cpu,
		       target->group, target->flags);
}

/* For an event that is opened: the one that was there is closed. */
int any_slot(struct me *me)
{
	return SLOT(rng_below(&me->rng, SLOTS));
}

/* Mostly one with an event: others lead to no call that does anything. */
int random_slot(struct me *me)
{
	int slot = any_slot(me), n;

	if (rng_odds(&me->rng, 10))
		return slot;
	for (n = 1; n < SLOTS && fcntl(slot, F_GETFD) < 0; n++)
		slot = SLOT((slot - FIRST_SLOT + 1) % SLOTS);
	return slot;
}

/* To a slot's number; what was there is closed, also if in use. */
static bool put(struct me *me, int fd, int slot)
{
	bool good = did(me, fd);

	if (!good)
		return false;
	dup3(fd, slot, rng_odds(&me->rng, 70) ? O_CLOEXEC : 0);
	close(fd);
	return true;
}

static bool open_one(struct me *me, int slot, int group)
{
	struct perf_event_attr attr;
	struct target target;
	char text[80];
	bool good;

	/* Our PMUs are in use for a moment after each; few must come now. */
	if (shared->truce && rng_odds(&me->rng, 80)) {
		nap_us(1000);
		return false;
	}
	attr_random(me, &attr, &target);
	if (group >= 0)
		target.group = group;
	choose_leader(&target, attr.type);
	attr_describe(&attr, text, sizeof(text));
	doing(me, "open %s pid %d cpu %d group %d flags %lx as %d", text,
	      target.pid, target.cpu, target.group, target.flags, slot);
	good = put(me, event_open(&attr, &target), slot);
	if (good) {
		may_lead[slot - FIRST_SLOT] = leads_safely(&target);
		type_of[slot - FIRST_SLOT] = attr.type;
	}
	if (target.flags & PERF_FLAG_PID_CGROUP && target.pid > 2 &&
	    target.pid < FIRST_SLOT)
		close(target.pid);
	/* A worker waits for the modules to be free. */
	if (good && shared->truce)
		close(slot);
	return good;
}

bool op_open(struct me *me)
{
	return open_one(me, any_slot(me), -1);
}

/* One event and others that join it. */
bool op_group(struct me *me)
{
	unsigned int n = 1 + rng_below(&me->rng, 5);
	int leader = any_slot(me);

	if (!open_one(me, leader, -1))
		return false;
	while (n--)
		open_one(me, any_slot(me), leader);
	return true;
}

bool op_close(struct me *me)
{
	int slot = random_slot(me);

	doing(me, "close %d", slot);
	return did(me, close(slot));
}

void close_all(struct me *me)
{
	int i;

	doing(me, "close all");
	maps_drop(me);
	bpf_drop();
	for (i = 0; i < SLOTS; i++)
		close(SLOT(i));
	did(me, 0);
}

/* Seldom: else there would never be much to close. */
bool op_close_all(struct me *me)
{
	if (!rng_odds(&me->rng, 20))
		return op_close(me);
	close_all(me);
	return true;
}
