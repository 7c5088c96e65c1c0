// SPDX-License-Identifier: GPL-2.0-only
/*
 * attr PMU CONFIG: open an event of a PMU on CPU 0 in several ways; print "yes"
 * or the name of the error for each: plain; with the shortest attributes of
 * perf's history; with attributes longer than perf's, zero at the end; with the
 * last bit of config1; with the first bit of config2; with the first and the
 * last bit of config3, and of config4; with a branch stack, of three kinds.
 */
#include "../../guest/guest.h"

#define SIZE_SHORTEST	64
#define SIZE_CONFIG1	64
#define SIZE_CONFIG2	72
/* Sizes of perf_event_attr that headers of older systems do not define. */
#define SIZE_CONFIG3	136
#define SIZE_CONFIG4	144
#define SIZE_MOST	256

union attributes {
	struct perf_event_attr attr;
	uint64_t word[SIZE_MOST / sizeof(uint64_t)];
};

static const struct attempt {
	const char *name;
	uint32_t size;
	uint64_t more, branches;	/* more: the attributes' last word */
} attempts[] = {
	{ "plain", sizeof(struct perf_event_attr), 0, 0 },
	{ "shortest", SIZE_SHORTEST, 0, 0 },
	{ "longer", SIZE_MOST, 0, 0 },
	{ "config1:63", SIZE_CONFIG1, 1ull << 63, 0 },
	{ "config2:0", SIZE_CONFIG2, 1, 0 },
	{ "config3:0", SIZE_CONFIG3, 1, 0 },
	{ "config3:63", SIZE_CONFIG3, 1ull << 63, 0 },
	{ "config4:0", SIZE_CONFIG4, 1, 0 },
	{ "config4:63", SIZE_CONFIG4, 1ull << 63, 0 },
	{ "branches:any", sizeof(struct perf_event_attr), 0, PERF_SAMPLE_BRANCH_ANY },
	{ "branches:user", sizeof(struct perf_event_attr), 0,
	  PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "branches:stack", sizeof(struct perf_event_attr), 0,
	  PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK },
};

static void attempt(const struct attempt *a, int type, uint64_t config)
{
	union attributes all = {
		.attr = {
			.type = type, .size = a->size, .config = config,
			.branch_sample_type = a->branches,
		},
	};
	int fd;

	if (a->more)
		all.word[a->size / sizeof(uint64_t) - 1] = a->more;
	if (a->branches)
		all.attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	fd = event_on(&all.attr, 0, -1);
	printf("%s %s\n", a->name, fd < 0 ? strerrorname_np(errno) : "yes");
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	size_t i;
	int type;

	if (argc != 3) {
		fputs("usage: attr PMU CONFIG\n", stderr);
		return 64;
	}
	type = pmu_type_or_end(argv[1]);
	for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		attempt(&attempts[i], type, strtoull(argv[2], NULL, 0));
	return 0;
}
