// SPDX-License-Identifier: GPL-2.0-only
/* Tasks that have events, inherit them, and end. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"

/* A worker's child that lives for a moment, with all that is open. */
static void child(struct me *me)
{
	unsigned int n = rng_below(&me->rng, 12);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (n-- && !shared->truce) {
		switch (rng_below(&me->rng, 5)) {
		case 0:
			op_read(me);
			break;
		case 1:
			op_ioctl(me);
			break;
		case 2:
			op_close(me);
			break;
		case 3:
			op_open(me);
			break;
		default:
			nap_us(rng_below(&me->rng, 3000));
			break;
		}
	}
	_exit(0);
}

static void forget_child(struct me *me)
{
	if (me->child > 0)
		while (waitpid(me->child, NULL, 0) < 0 && errno == EINTR)
			;
	me->child = 0;
}

bool op_reap(struct me *me)
{
	doing(me, "wait for child %d", me->child);
	forget_child(me);
	return did(me, 0);
}

bool op_fork(struct me *me)
{
	doing(me, "fork, child %d before", me->child);
	forget_child(me);
	me->child = fork();
	if (!me->child)
		child(me);
	return did(me, me->child);
}

/* The program again, which only waits: events for after an exec begin. */
bool op_exec(struct me *me)
{
	char ms[16];

	snprintf(ms, sizeof(ms), "%u", (unsigned int)rng_below(&me->rng, 20));
	doing(me, "fork and exec for %s ms, child %d before", ms, me->child);
	forget_child(me);
	me->child = fork();
	if (!me->child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl("/proc/self/exe", "fuzz", "linger", ms, NULL);
		_exit(1);
	}
	return did(me, me->child);
}

int linger(const char *ms)
{
	nap_us(strtoul(ms, NULL, 10) * 1000);
	return 0;
}

bool op_affinity(struct me *me)
{
	int cpu = rng_below(&me->rng, sysconf(_SC_NPROCESSORS_CONF) + 2);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (rng_odds(&me->rng, 20))
		for (cpu = 0; cpu < 64; cpu++)
			CPU_SET(cpu, &set);
	doing(me, "run on %d", cpu);
	return did(me, sched_setaffinity(0, sizeof(set), &set));
}

bool op_cgroup(struct me *me)
{
	static const char *const groups[] = { "", "/a", "/b" };
	const char *group = PICK(&me->rng, groups);

	doing(me, "to cgroup %s", group);
	return did(me, write_text("0", CGROUPS "%s/cgroup.procs", group) - 1);
}

bool op_tasks_events(struct me *me)
{
	bool on = rng_odds(&me->rng, 60);

	doing(me, "prctl events %s", on ? "on" : "off");
	return did(me, prctl(on ? PR_TASK_PERF_EVENTS_ENABLE :
			     PR_TASK_PERF_EVENTS_DISABLE));
}

/* Sleeping and working: events of the task come and go, breakpoints are hit. */
bool op_nap(struct me *me)
{
	unsigned long n = rng_below(&me->rng, 5000);

	doing(me, "nap %lu us", n);
	attr_watched++;
	if (rng_odds(&me->rng, 70))
		nap_us(n);
	else
		while (n--)
			*(volatile uint64_t *)&attr_watched += n;
	return did(me, 0);
}
