// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps events. What a thread has mapped is its own: nobody else unmaps there,
 * so that no address is used for two things. The kernel looks at what is mapped
 * on our behalf: nobody dies of a hole.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events.h"

#define PAGE		4096ul

/* Memory that pages are copied to and from. */
static int mirror = -1;

void maps_setup(void)
{
	mirror = memfd_create("mirror", MFD_CLOEXEC);
	if (ftruncate(mirror, 2 * PAGE))
		mirror = -1;
}

static struct map *random_map(struct me *me)
{
	return &me->map[rng_below(&me->rng, MAPS)];
}

static int drop(struct map *map)
{
	int ret = map->at ? munmap(map->at, map->size) : 0;

	map->at = NULL;
	return ret;
}

void maps_drop(struct me *me)
{
	unsigned int n;

	for (n = 0; n < MAPS; n++)
		drop(&me->map[n]);
}

bool op_map(struct me *me)
{
	static const unsigned int pages[] = { 1, 2, 3, 5, 9, 4, 0 };
	struct map *map = random_map(me);
	size_t size = PICK(&me->rng, pages) * PAGE;
	int slot = random_slot(me);
	off_t offset = rng_odds(&me->rng, 10) ? rng_below(&me->rng, 12) : 0;
	int protection = PROT_READ | (rng_odds(&me->rng, 70) ? PROT_WRITE : 0);
	int flags = rng_odds(&me->rng, 95) ? MAP_SHARED : MAP_PRIVATE;

	drop(map);
	doing(me, "mmap %d, %zu bytes from page %ld", slot, size, (long)offset);
	map->at = mmap(NULL, size, protection, flags, slot, offset * PAGE);
	map->size = size;
	if (map->at == MAP_FAILED)
		map->at = NULL;
	return did(me, map->at ? 0 : -1);
}

/* Reads the page that tells of the event; moves the end of what was read. */
bool op_touch(struct me *me)
{
	size_t head = offsetof(struct perf_event_mmap_page, data_head);
	size_t tail = offsetof(struct perf_event_mmap_page, data_tail);
	struct map *map = random_map(me);

	if (!map->at)
		map = &me->map[0];
	if (!map->at)
		return false;
	doing(me, "touch a map of %zu bytes", map->size);
	if (rng_odds(&me->rng, 70))
		return did(me, pwrite(mirror, map->at, PAGE, 0));
	if (pwrite(mirror, map->at + head, 8, PAGE) != 8)
		return did(me, -1);
	return did(me, pread(mirror, map->at + tail, 8, PAGE));
}

bool op_unmap(struct me *me)
{
	struct map *map = random_map(me);

	if (!map->at)
		return false;
	doing(me, "munmap %zu bytes", map->size);
	if (rng_odds(&me->rng, 80))
		return did(me, drop(map));
	/* A page of it only, whose address stays taken. */
	return did(me, mmap(map->at, PAGE, PROT_NONE, MAP_PRIVATE |
			    MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED ?
		   -1 : 0);
}
