/* SPDX-License-Identifier: GPL-2.0-only */
/* Model a hypervisor with 90 registers; tests set each status. */
#ifndef PMON_VFALLS_TEST_FAKE_H
#define PMON_VFALLS_TEST_FAKE_H

#include <kunit/test.h>
#include <linux/bitmap.h>

#include "../vfalls.h"

/* Further status values of section 3.2, unused by the driver. */
#define FAKE_EINVAL		6
#define FAKE_EBADTRAP		7
#define FAKE_ENOTSUPPORTED	13

/**
 * struct fake_hv - state of the hypervisor; tests change the fields
 * @reg: values of the registers
 * @get_status: status of reads, by register
 * @set_status: status of writes, by register
 * @block: number of further calls that would block
 * @denied: refused registers, as recorded by the driver
 * @gets: number of reads, including failed reads
 * @sets: number of writes, including failed writes
 * @missed: number of accesses reported as given up
 */
struct fake_hv {
	u64 reg[VFALLS_REGS];
	unsigned long get_status[VFALLS_REGS];
	unsigned long set_status[VFALLS_REGS];
	unsigned int block;
	DECLARE_BITMAP(denied, VFALLS_REGS);
	unsigned int gets;
	unsigned int sets;
	unsigned int missed;
};

extern struct fake_hv fake_hv;
extern const struct vfalls_ops fake_calls;

unsigned long fake_get(unsigned long reg, u64 *value);
unsigned long fake_set(unsigned long reg, u64 value);
void fake_blocked(bool last);

void fake_hv_reset(void);

#endif
