/* SPDX-License-Identifier: GPL-2.0-only */
/* Encode an event from two config words by the tables of its type. */
#ifndef PMON_CORE_TEST_PLAIN_H
#define PMON_CORE_TEST_PLAIN_H

#include "../box_hw.h"

static inline void pmon_event_init(struct pmon_event *event,
				   const struct pmon_type *type,
				   const struct pmon_layout *layout,
				   u64 config, u64 config1)
{
	const u64 words[PMON_CONFIG_WORDS] = { config, config1 };

	pmon_event_encode(event, type, layout, words);
}

#endif /* PMON_CORE_TEST_PLAIN_H */
