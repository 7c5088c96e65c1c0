// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock, and pauses, of what is measured. pmonctl-test has another one, in
 * which trees of files change as a script of theirs says.
 */
#include "clock.h"

#include <time.h>

#include "files.h"

bool clock_runs(void)
{
	return root_is_real();
}

long long clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

void clock_pause_ms(long long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	if (ms > 0)
		nanosleep(&t, NULL);
}
