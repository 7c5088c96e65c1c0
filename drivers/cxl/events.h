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
 */
struct cpmu_event {
	const char *name;
	u16 gid;
	u8 id;
};

extern const struct cpmu_event cpmu_events[];
extern const unsigned int cpmu_event_count;

u64 cpmu_event_config(const struct cpmu_event *event);
bool cpmu_has(const struct cpmu_caps *caps, u64 config);
const struct pmon_field *cpmu_fields(const struct cpmu_caps *caps);
int cpmu_encode(const struct pmon_layout *layout, const u64 *config,
		struct pmon_encoding *encoding);

#endif
