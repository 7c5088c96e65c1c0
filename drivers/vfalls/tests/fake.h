/* SPDX-License-Identifier: GPL-2.0-only */
/* A hypervisor that knows 90 registers and does what a test says. */
#ifndef PMON_VFALLS_TEST_FAKE_H
#define PMON_VFALLS_TEST_FAKE_H

#include <kunit/test.h>
#include <linux/bitmap.h>

#include "../vfalls.h"

/* Of section 3.2; the driver has no use for them. */
#define FAKE_EINVAL		6
#define FAKE_EBADTRAP		7
#define FAKE_ENOTSUPPORTED	13

/**
 * struct fake_hv - its state; tests change it at will
 * @reg: what registers hold
 * @get_status: of reading them
 * @set_status: of writing them
 * @block: so many calls would block from now on
 * @denied: registers that were refused, as the driver notes them
 * @gets: calls to read, those that fail included
 * @sets: calls to write, likewise
 * @blocked: calls that would have blocked, as the driver was told
 * @missed: accesses that were given up, likewise
 */
struct fake_hv {
	u64 reg[VFALLS_REGS];
	unsigned long get_status[VFALLS_REGS];
	unsigned long set_status[VFALLS_REGS];
	unsigned int block;
	DECLARE_BITMAP(denied, VFALLS_REGS);
	unsigned int gets;
	unsigned int sets;
	unsigned int blocked;
	unsigned int missed;
};

extern struct fake_hv fake_hv;
extern const struct vfalls_ops fake_calls;

unsigned long fake_get(unsigned long reg, u64 *value);
unsigned long fake_set(unsigned long reg, u64 value);
void fake_blocked(bool last);

void fake_hv_reset(void);

#endif
