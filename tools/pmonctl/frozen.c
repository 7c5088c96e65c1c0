// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds packages whose boxes are frozen by their global control, as firmware
 * leaves it at power-on: a count of 0 is none there. The register is of no help:
 * it need not be readable, and only openpmon shows it.
 */
#include "frozen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "opening.h"
#include "output.h"
#include "pmus.h"
#include "sysfs.h"

#define PMU_DIR "/sys/bus/event_source/devices"

/* What a CHA of Sapphire Rapids and later counts its clock by. */
#define CLOCK "event=0x01"
#define CLOCK_MS 20

/* The box runs whatever the global control says. */
static bool is_free(const struct flow *f)
{
	return strstr(f->pmu, "free_running");
}

static bool is_memory_of(const struct bandwidth *b, const struct meter *m,
			 long package)
{
	const struct flow *f = &b->flow[m->flow];

	return f->kind == FLOW_MEMORY && f->package == package;
}

static bool stands_still(const struct bandwidth *b, long package)
{
	bool any = false;

	for (size_t i = 0; i < b->meters; i++) {
		if (!is_memory_of(b, &b->meter[i], package))
			continue;
		if (!b->meter[i].still)
			return false;
		any = true;
	}
	return any;
}

enum ticking { TICKS, STANDS, HIDDEN };

static enum ticking read_clock(int fd)
{
	struct count before, after;
	bool good = count_read(fd, &before);

	clock_pause_ms(CLOCK_MS);
	if (!good || !count_read(fd, &after) ||
	    after.running_ns <= before.running_ns)
		return HIDDEN;
	return after.value > before.value ? TICKS : STANDS;
}

/* The first CHA, by its name or its number. */
static bool is_cha(const char *pmu)
{
	return !strcmp(pmu, "uncore_cha_0") || !strcmp(pmu, "uncore_type_0_0");
}

static enum ticking find_clock(long package)
{
	struct pmus all = pmus_present(is_cha);
	enum ticking ticking = HIDDEN;
	struct opening o;

	for (size_t i = 0; i < all.count; i++) {
		if (!opening_find(&o, &all.pmu[i]) ||
		    !opening_encode(&o, &all.pmu[i], CLOCK))
			continue;
		for (unsigned int cpu = cpus_next(&o.cpus, 0); cpu < CPUS_MAX;
		     cpu = cpus_next(&o.cpus, cpu + 1)) {
			int fd = package_of(cpu) == package ?
				opening_on(&o, cpu) : -1;

			if (fd < 0)
				continue;
			ticking = read_clock(fd);
			close(fd);
		}
	}
	pmus_free(&all);
	return ticking;
}

static bool is_ours(const struct flow *f)
{
	struct text path = { NULL, 0 };
	bool ours;

	text_add(&path, PMU_DIR "/%s/frozen_ns", f->pmu);
	ours = sysfs_exists(path.s);
	text_free(&path);
	return ours;
}

static void mark(struct bandwidth *b, const struct flow *first,
		 enum ticking ticking)
{
	struct text t = { NULL, 0 };

	for (size_t i = 0; i < b->flows; i++)
		if (b->flow[i].package == first->package &&
		    !is_free(&b->flow[i]))
			b->flow[i].unknown = true;
	if (b->frozen)
		return;
	text_add(&t, "package %ld: its boxes %s frozen", first->package,
		 ticking == STANDS ? "are" : "count nothing and may be");
	if (is_ours(first))
		text_add(&t, "; pmonctl doctor says more");
	else
		text_add(&t, " by firmware; this kernel's intel_uncore leaves "
			 "them so: pmonctl adopt uncore");
	b->frozen = t.s;
}

void frozen_mark(struct bandwidth *b)
{
	long last = -1;

	free(b->frozen);
	b->frozen = NULL;
	/* Packages ascend among the flows of a kind. */
	for (size_t i = 0; i < b->flows; i++) {
		const struct flow *f = &b->flow[i];
		enum ticking ticking;

		if (f->kind != FLOW_MEMORY || f->package <= last)
			continue;
		last = f->package;
		if (!stands_still(b, f->package))
			continue;
		ticking = find_clock(f->package);
		if (ticking != TICKS)
			mark(b, f, ticking);
	}
}
