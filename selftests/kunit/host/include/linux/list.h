/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_LIST_H
#define HOST_LINUX_LIST_H

#include <linux/container_of.h>

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

static inline int hlist_empty(const struct hlist_head *head)
{
	return !head->first;
}

static inline void hlist_add_head(struct hlist_node *entry,
				  struct hlist_head *head)
{
	entry->next = head->first;
	entry->pprev = &head->first;
	if (entry->next)
		entry->next->pprev = &entry->next;
	head->first = entry;
}

static inline void __hlist_del(struct hlist_node *entry)
{
	*entry->pprev = entry->next;
	if (entry->next)
		entry->next->pprev = entry->pprev;
}

#endif
