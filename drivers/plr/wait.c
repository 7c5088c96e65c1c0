// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock, the sleep and the disabling of interrupts that the mailbox uses in
 * the kernel; tests have others.
 */
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>

#include "plr.h"

static void plr_sleep_us(unsigned int us)
{
	usleep_range(us, us * 2);
}

static unsigned long plr_hold_cpu(void)
{
	unsigned long flags;

	local_irq_save(flags);

	return flags;
}

static void plr_let_go(unsigned long flags)
{
	local_irq_restore(flags);
}

const struct plr_wait plr_wait = {
	.now_ns = ktime_get_ns,
	.sleep_us = plr_sleep_us,
	.hold_cpu = plr_hold_cpu,
	.let_go = plr_let_go,
};
