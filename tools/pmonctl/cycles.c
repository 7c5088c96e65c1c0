// SPDX-License-Identifier: GPL-2.0-only
/* Counts the clock cycles of the uncore, by one CHA of each package. */
#include "cycles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"

#define EVENT "clockticks"

static bool is_cha(const char *pmu)
{
	static const char stem[] = "uncore_cha_";

	return !strncmp(pmu, stem, strlen(stem)) && pmu[strlen(stem)] &&
	       strspn(pmu + strlen(stem), "0123456789") ==
		       strlen(pmu + strlen(stem));
}

static bool has_package(const struct clocks *c, long package)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->clock[i].package == package)
			return true;
	return false;
}

static void open_on(struct clocks *c, const struct opening *o,
		    unsigned int cpu)
{
	struct clock clock = { .package = package_of(cpu) };

	if (clock.package < 0 || has_package(c, clock.package))
		return;
	clock.counting.fd = opening_on(o, cpu);
	if (clock.counting.fd < 0)
		return;
	count_read(clock.counting.fd, &clock.counting.begin);
	c->clock = xrealloc(c->clock, (c->count + 1) * sizeof(clock));
	c->clock[c->count++] = clock;
}

/* A package may lack the first one: each that has none yet tries the next. */
static void open_pmu(struct clocks *c, const struct pmu *pmu)
{
	const char *event = entries_find(&pmu->events, EVENT);
	struct opening o;

	if (!event || !opening_find(&o, pmu) ||
	    !opening_encode(&o, pmu, event))
		return;
	for (unsigned int cpu = cpus_next(&o.cpus, 0); cpu < CPUS_MAX;
	     cpu = cpus_next(&o.cpus, cpu + 1))
		open_on(c, &o, cpu);
}

void clocks_open(struct clocks *c)
{
	struct pmus all = pmus_present(is_cha);

	*c = (struct clocks){ .clock = NULL };
	for (size_t i = 0; i < all.count; i++)
		open_pmu(c, &all.pmu[i]);
	pmus_free(&all);
}

void clocks_add(struct clocks *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct clock *clock = &c->clock[i];
		struct count since;

		if (!counting_take(&clock->counting, &since)) {
			counting_retry(clock->counting.fd,
				       clock->counting.failures);
			continue;
		}
		clock->still = !since.value;
		clock->total += (double)since.value *
				((double)since.enabled_ns /
				 (double)since.running_ns);
	}
}

void clocks_close(struct clocks *c)
{
	for (size_t i = 0; i < c->count; i++)
		close(c->clock[i].counting.fd);
	free(c->clock);
	*c = (struct clocks){ .clock = NULL };
}
