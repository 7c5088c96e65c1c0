// SPDX-License-Identifier: GPL-2.0-only
/*
 * From buses to sockets, as the kernel's driver does it, but with a look at
 * whether the Uboxes agree: of those that contradict each other none is
 * believed, because counts of one socket would be shown as another's.
 */
#include <linux/bits.h>
#include <linux/limits.h>

#include "boxes.h"

#define NODE		GENMASK(2, 0)
#define NODE_BITS	3

static bool r2_ubox_answers(const struct r2_ubox *ubox)
{
	return ubox->node != U32_MAX && ubox->map != U32_MAX;
}

/* The first group that has the node; unused groups have node 0. */
static int r2_group_of(u32 map, unsigned int node)
{
	unsigned int i;

	for (i = 0; i < R2_GROUPS; i++)
		if ((map >> NODE_BITS * i & NODE) == node)
			return i;
	return -1;
}

/*
 * That of the bus, or of the next bus that has one: it is on the last bus of
 * its socket, or on that of the boxes.
 */
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

/* What is wrong between two of them, or NULL. */
static const char *r2_contradiction(const struct r2_ubox *a,
				    const struct r2_ubox *b)
{
	unsigned int node = b->node & NODE;

	if (!r2_ubox_answers(b))
		return NULL;
	if ((a->node & NODE) == node)
		return "another Ubox has the same node id";
	if (r2_group_of(a->map, node) != r2_group_of(b->map, node))
		return "another Ubox has another map of nodes";
	return NULL;
}

/* The socket of a bus. Returns number of the package, or -1. */
int r2_socket(const struct r2_ubox *ubox, unsigned int count, u16 segment,
	      u8 bus, const char **reason)
{
	const struct r2_ubox *mine = r2_ubox_of(ubox, count, segment, bus);
	unsigned int i;
	int group;

	*reason = NULL;
	if (!mine)
		*reason = "no Ubox says which socket it is in";
	else if (!r2_ubox_answers(mine))
		*reason = "its Ubox does not answer";
	for (i = 0; i < count && !*reason; i++)
		if (&ubox[i] != mine)
			*reason = r2_contradiction(mine, &ubox[i]);
	if (*reason)
		return -1;
	group = r2_group_of(mine->map, mine->node & NODE);
	if (group < 0)
		*reason = "its Ubox maps its own node id to no group";
	return group;
}
