// SPDX-License-Identifier: GPL-2.0-only
/* Gives the host back as it was: what counts then is the drivers' own doing. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "host.h"

#define EVENT	"/sys/kernel/tracing/events/pmon/plr_reasons"

/* A trigger goes when it is written with "!" before it, as it was set. */
static void remove_triggers(void)
{
	char text[4096], line[512], *at, *rest;
	int fd = open(EVENT "/trigger", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	for (at = strtok_r(text, "\n", &rest); at;
	     at = strtok_r(NULL, "\n", &rest)) {
		if (*at == '#')
			continue;
		at[strcspn(at, "[")] = 0;
		snprintf(line, sizeof(line), "!%s", at);
		write_text(line, EVENT "/trigger");
	}
}

static void tracing(void)
{
	write_text("0", "/sys/kernel/tracing/events/pmon/enable");
	write_text("0", EVENT "/enable");
	write_text("0", EVENT "/filter");
	remove_triggers();
	write_text("1", "/sys/kernel/tracing/tracing_on");
}

void restore(struct me *me)
{
	doing(me, "hardware as it should be");
	hardware_mend();
	doing(me, "all CPUs on");
	cpus_all_online();
	doing(me, "devices bound");
	devices_restore();
	doing(me, "nobody traces");
	tracing();
	doing(me, "restored");
	write_text("2", "/proc/sys/kernel/perf_event_paranoid");
}
