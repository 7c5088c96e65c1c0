// SPDX-License-Identifier: GPL-2.0-only
/* Model a hypervisor with 90 registers (vf_perf_api 1.11, section 3.2). */
#include <linux/string.h>

#include "fake.h"

struct fake_hv fake_hv;

void fake_hv_reset(void)
{
	memset(&fake_hv, 0, sizeof(fake_hv));
}

static unsigned long fake_status(const unsigned long *status, unsigned long reg)
{
	if (fake_hv.block) {
		fake_hv.block--;
		return VFALLS_EWOULDBLOCK;
	}
	return reg < VFALLS_REGS ? status[reg] : FAKE_EINVAL;
}

unsigned long fake_get(unsigned long reg, u64 *value)
{
	unsigned long status = fake_status(fake_hv.get_status, reg);

	fake_hv.gets++;
	if (status == VFALLS_EOK)
		*value = fake_hv.reg[reg];
	return status;
}

unsigned long fake_set(unsigned long reg, u64 value)
{
	unsigned long status = fake_status(fake_hv.set_status, reg);

	fake_hv.sets++;
	if (status == VFALLS_EOK)
		fake_hv.reg[reg] = value;
	return status;
}

void fake_blocked(bool last)
{
	fake_hv.missed += last;
}

const struct vfalls_ops fake_calls = {
	.get = fake_get, .set = fake_set, .blocked = fake_blocked,
	.denied = fake_hv.denied,
};
