// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's table of reasons in user space. The only file that sees the
 * stand-ins for kernel headers.
 */
#include <pmon/plr_reasons.h>

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "reasons.h"

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

void json_reasons(const char *name, uint64_t mask)
{
	char *words = reasons_text(mask);

	if (!mask)
		*words = '\0';
	json_strings(name, words);
	free(words);
}
