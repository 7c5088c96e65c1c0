// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model free-running counters, which have no control, freeze or reset.  They count
 * from power on and are read-only.  The type of a free-running unit is the type of
 * the units with controls plus PMON_FREE_TYPE.
 */
#include "qemu/osdep.h"
#include "pmon.h"

/*
 * A counter counts at the rate of its event in perf, event 0xff with the counter's
 * unit mask.
 */
#define FREE_EVENT(umask)	(0xffull | (uint64_t)(umask) << 8)

static unsigned int counters_so_far(const struct pmon_unit *u)
{
	unsigned int i, n = 0;

	for (i = 0; i < u->rows; i++)
		n += u->row[i].count;
	return n;
}

bool pmon_free_add(struct pmon_unit *u, const struct pmon_row *row)
{
	unsigned int i, first = counters_so_far(u);
	unsigned int bytes = u->kind == PMON_KIND_MSR ? 1 : 8;

	if (u->rows == PMON_ROWS || !row->count ||
	    first + row->count > u->lay.counters)
		return false;
	for (i = 0; i < row->count; i++)
		u->ctr[first + i].ctl = FREE_EVENT(row->umask + i);
	u->extent = MAX(u->extent, row->at + (row->count - 1) * row->stride + bytes);
	u->row[u->rows++] = *row;
	return true;
}

bool pmon_free_decode(const struct pmon_unit *u, unsigned int off,
		      struct pmon_reg *r)
{
	unsigned int bytes = u->kind == PMON_KIND_MSR ? 1 : 8;
	unsigned int i, k, n = 0;

	for (i = 0; i < u->rows; n += u->row[i++].count) {
		for (k = 0; k < u->row[i].count; k++) {
			unsigned int start = u->row[i].at + k * u->row[i].stride;

			if (off < start || off >= start + bytes)
				continue;
			*r = (struct pmon_reg){ PMON_COUNTER, n + k, start, 8 };
			return true;
		}
	}
	return false;
}
