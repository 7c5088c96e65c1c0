// SPDX-License-Identifier: GPL-2.0-only
/* How many files this process may have open, and a job that it starts. */
#include "descriptors.h"

#include <stdbool.h>
#include <sys/resource.h>

static rlim_t before;
static bool raised;

static void set(bool high)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	if (!raised)
		before = limit.rlim_cur;
	raised = true;
	limit.rlim_cur = high ? limit.rlim_max : before;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void descriptors_allow(void)
{
	set(true);
}

void descriptors_as_before(void)
{
	if (raised)
		set(false);
}

long descriptors_most(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) ? -1 : (long)limit.rlim_max;
}
