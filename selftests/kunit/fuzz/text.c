// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: parse any text as reasons and as a mode, and format reasons as
 * text into a buffer of any size.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>

#include <pmon/mode.h>
#include <pmon/plr_reasons.h>

#include "fuzz.h"

static void check_format(u64 value, size_t room)
{
	char whole[PLR_REASONS_SIZE], *part = malloc(room + !room);
	size_t len = plr_reasons_format(value, whole, sizeof(whole));
	size_t fits = plr_reasons_format(value, part, room);
	u64 again = 0;

	assert(len < sizeof(whole) && !whole[len] && strlen(whole) == len);
	assert(!plr_reasons_parse(whole, len, &again) == !!value);
	assert(again == value);
	assert(room ? fits < room && !part[fits] : !fits);
	assert(!memcmp(whole, part, fits));
	free(part);
}

static void check_parse(const char *text, size_t size)
{
	u64 mask = 0;
	int ret = plr_reasons_parse(text, size, &mask);

	assert(ret == (mask ? 0 : -EINVAL));
	if (mask)
		check_format(mask, size % PLR_REASONS_SIZE);
}

static void check_mode(const char *text, size_t size)
{
	char *line = malloc(size + 1);
	enum pmon_mode mode;

	memcpy(line, text, size);
	line[size] = '\0';
	if (pmon_mode_parse(line, &mode))
		assert(!strcmp(line, pmon_mode_text(mode)));
	free(line);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const char *text = (const char *)data;
	u64 value;

	/* Granite Rapids */
	plr_reasons_use_cpu(6, 0xad);

	check_parse(text, size);
	check_mode(text, size);
	if (size < sizeof(value))
		return 0;
	memcpy(&value, data, sizeof(value));
	check_format(value, size > 9 ? data[8] | (data[9] & 3) << 8 : 0);
	return 0;
}
