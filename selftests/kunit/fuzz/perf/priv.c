// SPDX-License-Identifier: GPL-2.0-only
/* Rights: what limits them is changed all the time, and NOBODY has few. */
#include <grp.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events.h"

#define SYSCTL	"/proc/sys/kernel/"

void priv_setup(void)
{
	/* An oops leaves locks behind: nothing would end any more. */
	write_text("1", SYSCTL "panic_on_oops");
	/* More samples only measure how slow an emulated CPU is. */
	write_text("2000", SYSCTL "perf_event_max_sample_rate");
	if (!switched_off("cgroup") && !mkdir(CGROUPS, 0755) &&
	    !mount("cgroup2", CGROUPS, "cgroup2", 0, NULL)) {
		mkdir(CGROUPS "/a", 0755);
		mkdir(CGROUPS "/b", 0755);
	}
}

void priv_drop(void)
{
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		_exit(2);
}

static bool op_paranoid(struct me *me)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", (int)rng_below(&me->rng, 6) - 1);
	doing(me, "perf_event_paranoid %s", text);
	return did(me, write_text(text, SYSCTL "perf_event_paranoid") - 1);
}

static bool op_mlock(struct me *me)
{
	static const char *const kb[] = { "0", "4", "516", "16384" };
	const char *text = PICK(&me->rng, kb);

	doing(me, "perf_event_mlock_kb %s", text);
	return did(me, write_text(text, SYSCTL "perf_event_mlock_kb") - 1);
}

static bool op_rate(struct me *me)
{
	static const char *const rate[] = { "1000", "2000", "4000" };
	const char *text = PICK(&me->rng, rate);

	doing(me, "perf_event_max_sample_rate %s", text);
	return did(me, write_text(text, SYSCTL "perf_event_max_sample_rate") - 1);
}

struct op priv_ops[] = {
	{ "paranoid", 6, op_paranoid }, { "mlock", 1, op_mlock },
	{ "sample-rate", 1, op_rate },
	{ }
};
