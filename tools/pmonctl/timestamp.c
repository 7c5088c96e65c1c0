// SPDX-License-Identifier: GPL-2.0-only
/* Writes local times as text. */
#include "timestamp.h"

#include <stdlib.h>
#include <time.h>

#include "output.h"

char *timestamp_as(const char *format)
{
	struct timespec now;
	struct tm local;
	char text[64];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(text, sizeof(text), format, &local);
	return xstrdup(text);
}

/* strftime() writes the zone without a colon. */
char *timestamp(void)
{
	struct timespec now;
	char *date, *zone = timestamp_as("%z");
	struct text t = { NULL, 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	date = timestamp_as("%FT%T");
	text_add(&t, "%s.%03ld%.3s:%s", date, now.tv_nsec / 1000000, zone, zone + 3);
	free(date);
	free(zone);
	return t.s;
}
