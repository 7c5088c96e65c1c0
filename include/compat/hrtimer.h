/* SPDX-License-Identifier: GPL-2.0-only */
/* Define hrtimer_setup() on kernels that have only hrtimer_init(). */
#ifndef COMPAT_HRTIMER_H
#define COMPAT_HRTIMER_H

#include <linux/hrtimer.h>

#if !COMPAT_HAS_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*fn)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}
#endif

#endif /* COMPAT_HRTIMER_H */
