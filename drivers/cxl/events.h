/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that CPMUs can count, and how one is asked for. Pure. */
#ifndef PMON_CXL_EVENTS_H
#define PMON_CXL_EVENTS_H

#include <linux/types.h>

#include <pmon/box.h>

#include "caps.h"

/**
 * struct cpmu_event - an event that the specification defines
 * @name: its file in events/
 * @gid: event group
 * @id: number in the group
 * @lines: each is a line of 64 bytes, and this name shows them as MiB
 * @all: all events of the group that the CPMU has, added up; @id means nothing
 */
struct cpmu_event {
	const char *name;
	u16 gid;
	u8 id;
	bool lines;
	bool all;
};

/* Format terms of a CPMU that has all filters. */
#define CPMU_FIELDS	10

extern const struct cpmu_event cpmu_events[];
extern const unsigned int cpmu_event_count;

u64 cpmu_event_config(const struct cpmu_event *event);
u64 cpmu_event_of(const struct cpmu_caps *caps, const struct cpmu_event *event);
bool cpmu_has(const struct cpmu_caps *caps, u64 config);
void cpmu_fields(const struct cpmu_caps *caps,
		 struct pmon_field field[CPMU_FIELDS + 1]);
int cpmu_encode(const struct pmon_layout *layout, const u64 *config,
		struct pmon_encoding *encoding);

#endif
