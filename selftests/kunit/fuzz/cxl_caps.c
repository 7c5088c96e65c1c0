// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: a CXL device whose register locator and CPMU hold any bytes. The
 * registers of an accepted CPMU must lie inside its block without overlap, and
 * its events must select existing groups.
 */
#include <assert.h>
#include <string.h>

#include <linux/bits.h>
#include <linux/kernel.h>

#include <pmon/box.h>

#include "../../../drivers/cxl/cpmu.h"
#include "fuzz.h"

#define WORDS	256

static void check_entries(const u64 *word)
{
	unsigned int i;

	for (i = 0; i < 16; i++) {
		u64 offset = word[8 + i] & CXL_ENTRY_OFFSET;
		u64 bar = word[i % 8] >> (word[i % 8] & 63);

		if (cxl_check_entry(word + 8, 16, i, bar))
			continue;
		assert(offset + CPMU_BYTES > offset);
		assert(offset + CPMU_BYTES <= bar);
	}
}

static void check_event(const struct cpmu_caps *caps,
			const struct pmon_layout *layout, const u64 *config)
{
	struct pmon_encoding code = { };
	unsigned int group;

	if (cpmu_encode(layout, config, &code))
		return;
	assert(code.allowed && !(code.allowed & ~(layout->general | layout->dedicated)));
	assert(!(code.ctl & ~(CPMU_CFG_ENABLE | CPMU_CFG_TERMS |
			      CPMU_CFG_EVENTS | CPMU_CFG_GROUP)) &&
	       code.ctl & CPMU_CFG_ENABLE);
	if (!(code.allowed & layout->general))
		return;
	group = code.ctl >> 59;
	assert(group < caps->groups && !caps->group[group].dedicated);
	assert(caps->group[group].vid == config[0] >> 48);
	assert(caps->group[group].gid == (config[0] >> 32 & 0xffff));
	assert(!((u32)(code.ctl >> 24) & ~caps->group[group].mask));
}

/*
 * Check that an event with a file in events/ can be opened. The event may need
 * a threshold if the counters are too narrow for sums.
 */
static void check_named(const struct cpmu_caps *caps,
			const struct pmon_layout *layout,
			const struct cpmu_event *event)
{
	const u64 plain[] = { 0x1e98ULL << 48 | (u64)event->gid << 32 |
			      1ULL << event->id, 0, 0 };
	const u64 shown[] = { cpmu_event_of(caps, event), 0, 0 };
	const u64 compared[] = { shown[0], 1, 0 };
	struct pmon_encoding code = { };

	check_event(caps, layout, plain);
	assert(!shown[0] || !cpmu_encode(layout, shown, &code) ||
	       (caps->width < 32 && !cpmu_encode(layout, compared, &code)));
}

static void check_caps(struct cpmu_caps *caps, const u64 *word)
{
	struct pmon_counter counter[CPMU_COUNTERS_MAX];
	struct pmon_layout layout;
	unsigned int i;

	cpmu_layout(caps, counter, &layout);
	assert(!pmon_layout_valid(&layout, CPMU_BYTES));
	pmon_layout_prepare(&layout);
	for (i = 0; i < 16; i++)
		check_event(caps, &layout, word + 128 + 3 * i);
	for (i = 0; i < CPMU_EVENTS_MAX; i++)
		check_named(caps, &layout, &cpmu_events[i]);
}

static void check_cpmu(const u64 *word)
{
	struct cpmu_caps caps;
	unsigned int i;

	if (cpmu_parse_cap(word[0], &caps))
		return;
	for (i = 0; i < caps.groups; i++)
		cpmu_parse_group(i, word[32 + i], &caps);
	for (i = 0; i < caps.counters; i++)
		cpmu_parse_counter(i, word[64 + i], &caps);
	if (cpmu_select_counters(&caps))
		return;
	assert(cpmu_count_usable(&caps) && cpmu_count_usable(&caps) <= CPMU_COUNTERS_MAX);
	check_caps(&caps, word);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	u64 word[WORDS] = { };

	memcpy(word, data, size < sizeof(word) ? size : sizeof(word));
	check_entries(word);
	check_cpmu(word);
	return 0;
}
