// SPDX-License-Identifier: GPL-2.0-only
/* Tasks that have events, inherit them, and end. */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "events.h"

/* A worker's child that lives for a moment, with all that is open. */
static void child(void)
{
	static long (*const ops[])(void) = { op_read, op_ioctl, op_close, op_open, op_nap };
	unsigned int n = below(12);

	while (n-- && !shared->truce)
		PICK(ops)();
	_exit(0);
}

long op_reap(void)
{
	doing("wait for child %d", me.child);
	if (me.child > 0)
		while (waitpid(me.child, NULL, 0) < 0 && errno == EINTR)
			;
	me.child = 0;
	return 0;
}

/* True: this is the child. */
static bool is_child(void)
{
	op_reap();
	me.child = fork();
	if (!me.child)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return !me.child;
}

long op_fork(void)
{
	doing("fork");
	if (is_child())
		child();
	return me.child;
}

/* The program again, which only waits: events for after an exec begin. */
long op_exec(void)
{
	char ms[16];

	snprintf(ms, sizeof(ms), "%u", below(20));
	doing("fork and exec for %s ms", ms);
	if (is_child()) {
		execl("/proc/self/exe", "fuzz", "linger", ms, NULL);
		_exit(1);
	}
	return me.child;
}

long op_affinity(void)
{
	int cpu = below(sysconf(_SC_NPROCESSORS_CONF) + 2);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (odds(20))
		for (cpu = 0; cpu < 64; cpu++)
			CPU_SET(cpu, &set);
	doing("run on %d", cpu);
	return sched_setaffinity(0, sizeof(set), &set);
}

long op_cgroup(void)
{
	static const char *const groups[] = { "", "/a", "/b" };
	const char *group = PICK(groups);

	doing("to cgroup %s", group);
	return put_text("0", CGROUPS "%s/cgroup.procs", group);
}

long op_task_events(void)
{
	bool on = odds(60);

	doing("prctl events %s", on ? "on" : "off");
	return prctl(on ? PR_TASK_PERF_EVENTS_ENABLE : PR_TASK_PERF_EVENTS_DISABLE);
}

/* Sleeping and working: events of the task come and go, breakpoints are hit. */
long op_nap(void)
{
	unsigned long n = below(5000);

	doing("nap %lu us", n);
	attr_watched++;
	if (odds(70))
		nap_us(n);
	else
		while (n--)
			*(volatile uint64_t *)&attr_watched += n;
	return 0;
}
