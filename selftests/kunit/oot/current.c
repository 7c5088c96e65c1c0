// SPDX-License-Identifier: GPL-2.0-only
/*
 * Map the current task to its test. KUnit runs one case at a time, so only the
 * last registered task runs a test.
 */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lock);
static struct task_struct *runner;	/* compared, never dereferenced */
static struct kunit *running;

struct kunit *kunit_oot_current(void)
{
	struct kunit *test;
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	test = runner == current ? running : NULL;
	spin_unlock_irqrestore(&lock, flags);
	return test;
}
EXPORT_SYMBOL_GPL(kunit_oot_current);

void kunit_oot_set_current(struct kunit *test)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	runner = current;
	running = test;
	spin_unlock_irqrestore(&lock, flags);
}
EXPORT_SYMBOL_GPL(kunit_oot_set_current);
