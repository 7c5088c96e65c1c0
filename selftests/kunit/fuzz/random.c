// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a fuzz target with damaged inputs:  TARGET SECONDS|RUNSx SEED DIR takes
 * the files of DIR in turn, changes some of their bytes, words or length with a
 * seeded random generator, and passes them to the target, for SECONDS or RUNS
 * times. Runs with the same seed have the same inputs.
 *
 * To detect reads past its end, each input ends at an unreadable page or, under
 * AddressSanitizer, is allocated with its exact size.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define FILES	1024
#define ROOM	65536

static struct {
	unsigned char *data;
	size_t size;
} files[FILES];

static uint64_t state;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Return a value near 0 or all ones, a power of two, or that minus one. */
static uint64_t edge(void)
{
	static const uint64_t edges[] = {
		0, 1, 2, 3, 7, 8, 9, 10, 31, 32, 33, 63, 64, 65, 127, 128, 255
	};
	uint64_t value = edges[draw() % (sizeof(edges) / sizeof(*edges))];

	switch (draw() % 4) {
	case 0:
		return ~value;
	case 1:
		return 1ULL << (draw() % 64);
	case 2:
		return (1ULL << (draw() % 64)) - 1;
	default:
		return value;
	}
}

static size_t mutate(unsigned char *data, size_t size)
{
	unsigned int changes = draw() % 8;
	uint64_t value;
	size_t at;

	while (changes--) {
		value = edge();
		at = draw() % size;
		switch (draw() % 5) {
		case 0:
			data[at] = value;
			break;
		case 1:
			data[at] ^= 1 << (value & 7);
			break;
		case 2:
			data[at] += draw() % 17 - 8;
			break;
		case 3:
			at = 1 + at / 8 * 8;
			if (at + sizeof(value) <= size)
				memcpy(data + at, &value, sizeof(value));
			break;
		default:
			if (draw() % 8 == 0)
				size = 1 + draw() % size;
		}
	}
	return size;
}

static unsigned int load(const char *dir)
{
	struct dirent *entry;
	unsigned int count = 0;
	DIR *d = opendir(dir);
	char name[4096];
	FILE *file;

	while (d && count < FILES && (entry = readdir(d))) {
		snprintf(name, sizeof(name), "%s/%s", dir, entry->d_name);
		file = entry->d_name[0] == '.' ? NULL : fopen(name, "r");
		if (!file)
			continue;
		files[count].data = malloc(ROOM);
		files[count].size = fread(files[count].data, 1, ROOM, file);
		count += files[count].size > 0;
		fclose(file);
	}
	if (d)
		closedir(d);
	return count;
}

#ifdef __SANITIZE_ADDRESS__
static void run(const unsigned char *data, size_t size)
{
	unsigned char *exact = malloc(size);

	memcpy(exact, data, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}
#else
static void run(const unsigned char *data, size_t size)
{
	static unsigned char *end;

	if (!end) {
		end = mmap(NULL, ROOM + getpagesize(), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (end == MAP_FAILED)
			exit(1);
		end += ROOM;
		if (mprotect(end, getpagesize(), PROT_NONE))
			exit(1);
	}
	memcpy(end - size, data, size);
	LLVMFuzzerTestOneInput(end - size, size);
}
#endif

int main(int argc, char **argv)
{
	unsigned int count = argc == 4 ? load(argv[3]) : 0;
	unsigned char *data = malloc(ROOM);
	uint64_t runs = 0, wanted = 0;
	char *unit = NULL;
	time_t end;
	size_t size;

	if (!count) {
		fprintf(stderr, "usage: %s SECONDS|RUNSx SEED DIR\n", argv[0]);
		return 64;
	}
	end = time(NULL) + strtoull(argv[1], &unit, 10);
	if (*unit == 'x')
		wanted = strtoull(argv[1], NULL, 10);
	state = strtoull(argv[2], NULL, 0) * 2 + 1;
	do {
		size = files[runs % count].size;
		memcpy(data, files[runs % count].data, size);
		size = mutate(data, size);
		run(data, size);
		runs++;
	} while (wanted ? runs < wanted : runs % 256 || time(NULL) < end);
	free(data);
	while (count--)
		free(files[count].data);
	printf("%llu runs\n", (unsigned long long)runs);
	return 0;
}
