// SPDX-License-Identifier: GPL-2.0-only
/* Find the features of a TPMI region by number and by address. */
#include "qemu/osdep.h"
#include "pmon.h"

struct pmon_feature *pmon_tpmi_feature(struct pmon_tpmi *t, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < t->num_features; i++) {
		if (t->feature[i].id == id)
			return &t->feature[i];
	}
	return NULL;
}

/* If regions of a PFS overlap, the region with the highest base has the address. */
struct pmon_feature *pmon_tpmi_feature_at(struct pmon_tpmi *t, uint64_t off)
{
	struct pmon_feature *last = NULL;
	unsigned int i;

	for (i = 0; i < t->num_features; i++) {
		struct pmon_feature *f = &t->feature[i];

		if (off >= f->base && off - f->base < (uint64_t)f->entries * f->bytes &&
		    (!last || f->base > last->base))
			last = f;
	}
	return last;
}
