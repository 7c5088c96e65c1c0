// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the PMU's type says: an event for each reason that has a meaning, made
 * from the one table of reasons, with the unit that perf is to print.
 */
#include <linux/kernel.h>
#include <linux/slab.h>

#include <pmon/format.h>

#include "plr.h"

/**
 * struct plr_perf_event - texts of one event
 * @name: its name
 * @code: its configuration, in perf's words
 */
struct plr_perf_event {
	char name[48];
	char code[12];
};

static const struct pmon_field plr_perf_fields[] = {
	{ "event", 0, PLR_PERF_EVENT },
	{ }
};

static struct plr_perf_event *plr_perf_texts;
static struct pmon_alias plr_perf_aliases[PLR_METERS + 1];

const struct pmon_type plr_perf_type = {
	.name = "plr",
	.fields = plr_perf_fields,
	.aliases = plr_perf_aliases,
	.free_running = true,
};

/**
 * plr_perf_events_init() - name the events
 *
 * Events count nanoseconds, and perf prints milliseconds.
 *
 * Return: 0 or -ENOMEM.
 */
int plr_perf_events_init(void)
{
	struct pmon_alias *alias = plr_perf_aliases;
	struct plr_perf_event *text;
	unsigned int what;

	text = kcalloc(PLR_METERS, sizeof(*text), GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	plr_perf_texts = text;
	for (what = 0; what < PLR_METERS; what++) {
		if (!plr_meter_name(what, text->name, sizeof(text->name)))
			continue;
		snprintf(text->code, sizeof(text->code), "event=0x%02x", what);
		*alias++ = (struct pmon_alias){
			text->name, text->code, "1e-6", "ms",
		};
		text++;
	}

	return 0;
}

/**
 * plr_perf_events_exit() - undo plr_perf_events_init()
 */
void plr_perf_events_exit(void)
{
	kfree(plr_perf_texts);
}
