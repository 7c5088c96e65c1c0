// SPDX-License-Identifier: GPL-2.0-only
#include "copy.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "clock.h"
#include "output.h"
#include "sysfs.h"

#define MIB (1 << 20)

/* The largest caches have half a GiB; each area has four times that. */
#define LARGEST (2048UL * MIB)
#define SMALLEST (8UL * MIB)

/* Of what is free, an eighth for each area. */
static size_t area_size(void)
{
	char *text = sysfs_read("/proc/meminfo");
	const char *line = text ? strstr(text, "MemAvailable:") : NULL;
	unsigned long long kib = 0;
	size_t size;

	if (line)
		kib = strtoull(line + strlen("MemAvailable:"), NULL, 10);
	free(text);
	size = (size_t)(kib / 8 / 1024 * MIB);
	return size > LARGEST ? LARGEST : size;
}

static char *area(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, size, MADV_HUGEPAGE);
	memset(p, 0x5a, size);
	return p;
}

bool copy_begin(struct copy *c)
{
	c->size = area_size();
	if (c->size < SMALLEST)
		return false;
	c->from = area(c->size);
	c->to = c->from ? area(c->size) : NULL;
	if (!c->to)
		copy_end(c);
	return c->to;
}

/* Stores that read no line before they write it. */
static void copy_mib(char *to, const char *from)
{
#ifdef __SSE2__
	for (size_t i = 0; i < MIB; i += 16)
		_mm_stream_si128((__m128i *)(to + i),
				 _mm_load_si128((const __m128i *)(from + i)));
	_mm_sfence();
#else
	memcpy(to, from, MIB);
#endif
}

/* What may have been copied by now. */
static bool is_ahead(const struct copy *c, long long ms)
{
	return c->mib_s && c->mib * 1000 >= (double)c->mib_s * (double)ms;
}

void copy_run(struct copy *c, const struct verdicts *v, long long ms)
{
	long long begin = clock_ms(), now = begin;
	size_t at = 0;

	complain("memory is copied");
	while (now - begin < ms && verdicts_go_on(v)) {
		if (is_ahead(c, now - begin)) {
			clock_pause_ms(20);
		} else {
			copy_mib(c->to + at, c->from + at);
			at = at + MIB < c->size ? at + MIB : 0;
			c->mib++;
		}
		now = clock_ms();
	}
	c->seconds = (double)(now - begin) / 1000;
}

void copy_end(struct copy *c)
{
	if (c->from)
		munmap(c->from, c->size);
	if (c->to)
		munmap(c->to, c->size);
	c->from = NULL;
	c->to = NULL;
}
