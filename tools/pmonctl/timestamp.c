// SPDX-License-Identifier: GPL-2.0-only
/* Writes local times as text. */
#include "timestamp.h"

#include <stdlib.h>
#include <time.h>

#include "output.h"

char *timestamp_as(const char *format)
{
	time_t now = time(NULL);
	struct tm local;
	char text[64];

	localtime_r(&now, &local);
	strftime(text, sizeof(text), format, &local);
	return xstrdup(text);
}

/* strftime() writes the zone without a colon. */
char *timestamp(void)
{
	char *date = timestamp_as("%FT%T"), *zone = timestamp_as("%z");
	struct text t = { NULL, 0 };

	text_add(&t, "%s%.3s:%s", date, zone, zone + 3);
	free(date);
	free(zone);
	return t.s;
}
