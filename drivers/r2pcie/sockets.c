// SPDX-License-Identifier: GPL-2.0-only
/*
 * Map buses to sockets like intel_uncore. If two Uboxes contradict each other,
 * use neither, because a count could be shown for another socket.
 */
#include <linux/bits.h>
#include <linux/limits.h>

#include "boxes.h"

#define NODE		GENMASK(2, 0)
#define NODE_BITS	3

static bool r2_ubox_responds(const struct r2_ubox *ubox)
{
	return ubox->node != U32_MAX && ubox->map != U32_MAX;
}

/* Return the first group with the node, or -1. Unused groups have node 0. */
static int r2_group_of(u32 map, unsigned int node)
{
	unsigned int i;

	for (i = 0; i < R2_GROUPS; i++)
		if ((map >> NODE_BITS * i & NODE) == node)
			return i;
	return -1;
}

/* Return the first Ubox from @bus on: a socket's Ubox is on its last bus. */
static const struct r2_ubox *r2_ubox_of(const struct r2_ubox *ubox,
					unsigned int count, u16 segment, u8 bus)
{
	const struct r2_ubox *found = NULL;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (ubox[i].segment != segment || ubox[i].bus < bus)
			continue;
		if (!found || ubox[i].bus < found->bus)
			found = &ubox[i];
	}
	return found;
}

static const char *r2_contradiction(const struct r2_ubox *a,
				    const struct r2_ubox *b)
{
	unsigned int node = b->node & NODE;

	if (!r2_ubox_responds(b))
		return NULL;
	if ((a->node & NODE) == node)
		return "another Ubox has the same node id";
	if (r2_group_of(a->map, node) != r2_group_of(b->map, node))
		return "another Ubox has another map of nodes";
	return NULL;
}

/* Return the package of a bus, or -1 with the reason in @reason. */
int r2_socket(const struct r2_ubox *ubox, unsigned int count, u16 segment,
	      u8 bus, const char **reason)
{
	const struct r2_ubox *local = r2_ubox_of(ubox, count, segment, bus);
	unsigned int i;
	int group;

	*reason = NULL;
	if (!local)
		*reason = "no Ubox on its bus or a higher bus";
	else if (!r2_ubox_responds(local))
		*reason = "its Ubox does not answer";
	for (i = 0; i < count && !*reason; i++)
		if (&ubox[i] != local)
			*reason = r2_contradiction(local, &ubox[i]);
	if (*reason)
		return -1;
	group = r2_group_of(local->map, local->node & NODE);
	if (group < 0)
		*reason = "its Ubox maps its own node id to no group";
	return group;
}
