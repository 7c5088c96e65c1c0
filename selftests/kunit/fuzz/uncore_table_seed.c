// SPDX-License-Identifier: GPL-2.0-only
/*
 * uncore_table_seed DIR: write valid tables as seeds for the fuzzer, 18 files
 * with different numbers of units, strides and CPU models.
 */
#include <stdio.h>

#include "../../../drivers/uncore/tests/build.h"

static void put(FILE *file, const u64 *record, size_t stride)
{
	static const u64 padding[255];

	fwrite(record, UNCORE_RECORD_BYTES, 1, file);
	fwrite(padding, 8, stride - UNCORE_RECORD_QWORDS, file);
}

/* A unit of an unknown type, with room between controls and counters. */
static struct spec roomy(unsigned int i)
{
	struct spec spec = spec_generic(i % UNCORE_ACCESSES, 0x200 + i);

	spec.ctr = 0x80;
	if (spec.access == UNCORE_ACCESS_PCI)
		spec.address += 0xc00;
	return spec;
}

static int write_table(const char *dir, unsigned int units,
		       unsigned int stride, unsigned char model)
{
	u64 record[UNCORE_RECORD_QWORDS];
	struct spec spec;
	char name[4096];
	unsigned int i;
	FILE *file;

	snprintf(name, sizeof(name), "%s/%u-%u-%u", dir, units, stride,
		 model);
	file = fopen(name, "w");
	if (!file)
		return 1;
	fputc(model, file);
	table_record(stride, units, record);
	put(file, record, stride);
	for (i = 0; i < units; i++) {
		spec = i % 4 == 0 ? spec_cha(i) : i % 4 == 1 ? spec_imc(i) :
		       i % 4 == 2 ? spec_upi(i) : roomy(i);
		spec_record(&spec, record);
		put(file, record, stride);
	}
	return fclose(file);
}

int main(int argc, char **argv)
{
	unsigned int i;
	int bad = argc != 2;

	for (i = 0; !bad && i < 9; i++)
		bad |= write_table(argv[1], 1 + i * i, 3 + i, i) |
		       write_table(argv[1], 3 + i, 8, i);
	return bad;
}
