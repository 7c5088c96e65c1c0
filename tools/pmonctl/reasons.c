// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's table of reasons in user space. The only file that sees the
 * stand-ins for kernel headers.
 */
#include <pmon/plr_reasons.h>

#include <stdlib.h>
#include <string.h>

#include "hardware.h"
#include "output.h"
#include "reasons.h"
#include "files.h"

/* The parts that the driver starts with: Granite Rapids. */
#define FAMILY 6
#define MODEL 0xad

static bool anything_is_recorded(void)
{
	struct names all = sysfs_entries("/sys/class/pmon");
	bool any = false;

	for (size_t i = 0; i < all.count; i++)
		any = any || strstr(all.name[i], "-dom");
	names_free(&all);
	return any;
}

void reasons_begin(void)
{
	long family = cpu_number("cpu family"), model = cpu_number("model");

	if (family >= 0 && model >= 0 &&
	    !plr_reasons_use_cpu((unsigned int)family, (unsigned int)model) &&
	    !anything_is_recorded())
		plr_reasons_use_cpu(FAMILY, MODEL);
}

const char *reason_name(unsigned int bit)
{
	return plr_reason_name(bit);
}

int reason_coarse(unsigned int bit)
{
	int coarse = plr_reason_coarse(bit);

	return coarse < 0 ? -1 : coarse;
}

bool reasons_parse(const char *text, uint64_t *mask)
{
	u64 value = 0;

	if (strcmp(text, "none") && plr_reasons_parse(text, strlen(text), &value))
		return false;
	*mask = value;
	return true;
}

char *reasons_text(uint64_t mask)
{
	char text[PLR_REASONS_SIZE];

	plr_reasons_format(mask, text, sizeof(text));
	return xstrdup(text);
}

uint64_t reasons_brief(uint64_t mask)
{
	uint64_t implied = 0;

	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		int coarse = reason_coarse(bit);

		if (mask >> bit & 1 && coarse >= 0 && (unsigned int)coarse != bit)
			implied |= 1ULL << coarse;
	}
	return mask & ~implied;
}

uint64_t reasons_of_turbo(void)
{
	uint64_t mask = 0;

	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		int coarse = reason_coarse(bit);

		if (coarse >= 0 && !strcmp(reason_name((unsigned int)coarse), "FREQUENCY"))
			mask |= 1ULL << bit;
	}
	return mask;
}

void json_reasons(const char *name, uint64_t mask)
{
	char *words = reasons_text(mask);

	if (!mask)
		*words = '\0';
	json_strings(name, words);
	free(words);
}
