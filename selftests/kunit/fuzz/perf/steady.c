// SPDX-License-Identifier: GPL-2.0-only
/*
 * One event of each kind for which the kernel patches its own text is open all
 * the time. Where emulated CPUs really run at the same time, one of them can
 * execute the breakpoint of such a patch after it is over, and dies: that is
 * the emulator's defect, and happens every few seconds without this.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "events.h"

static void hold(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = type, .config = config,
	};
	struct target target = { 0, -1, -1, PERF_FLAG_FD_CLOEXEC };

	event_open(&attr, &target);
}

static void hold_all(void)
{
	static const char *const tracepoints[] = {
		"sched/sched_switch", "workqueue/workqueue_execute_start",
		"module/module_free",
	};
	unsigned int i, id;
	char text[32];

	for (i = 0; i < PERF_COUNT_SW_MAX; i++)
		hold(PERF_TYPE_SOFTWARE, i);
	for (i = 0; i < ARRAY_SIZE(tracepoints); i++) {
		if (!read_text(text, sizeof(text),
			       "/sys/kernel/tracing/events/%s/id",
			       tracepoints[i]))
			continue;
		id = strtoul(text, NULL, 10);
		hold(PERF_TYPE_TRACEPOINT, id);
	}
}

/* In a process of its own: who watches the others opens nothing. */
void steady(void)
{
	int ready[2];
	char c = 0;

	if (pipe(ready))
		return;
	if (fork()) {
		close(ready[1]);
		(void)!read(ready[0], &c, 1);
		close(ready[0]);
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	hold_all();
	(void)!write(ready[1], &c, 1);
	for (;;)
		pause();
}
