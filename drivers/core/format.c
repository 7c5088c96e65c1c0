// SPDX-License-Identifier: GPL-2.0-only
/* Format terms: the sysfs string and the value, both from one mask. */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include <pmon/format.h>

static const char * const pmon_config_words[PMON_CONFIG_WORDS] = {
	"config", "config1", "config2",
};

/* The lowest run of ones in @mask, which is not 0. */
static u64 pmon_lowest_run(u64 mask)
{
	unsigned int low = __ffs64(mask);
	u64 from_low = ~(mask >> low);
	unsigned int length = from_low ? __ffs64(from_low) : 64 - low;

	return GENMASK_ULL(low + length - 1, low);
}

int pmon_field_format(const struct pmon_field *field, char *buf, size_t size)
{
	u64 mask = field->mask;
	int len = scnprintf(buf, size, "%s", pmon_config_words[field->word]);
	char before = ':';

	while (mask) {
		u64 run = pmon_lowest_run(mask);
		unsigned int low = __ffs64(run);
		unsigned int high = fls64(run) - 1;

		len += scnprintf(buf + len, size - len, "%c%u", before, low);
		if (high != low)
			len += scnprintf(buf + len, size - len, "-%u", high);
		mask &= ~run;
		before = ',';
	}
	return len;
}
EXPORT_SYMBOL_GPL(pmon_field_format);

void pmon_fields_cover(const struct pmon_field *fields,
		       u64 covered[PMON_CONFIG_WORDS])
{
	unsigned int i;

	for (i = 0; i < PMON_CONFIG_WORDS; i++)
		covered[i] = 0;
	for (; fields && fields->name; fields++)
		covered[fields->word] |= fields->mask;
}
