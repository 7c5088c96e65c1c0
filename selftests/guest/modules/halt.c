// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hold a shutdown, for tests: after all other notifiers the kernel waits until
 * something is written to /sys/module/halt/parameters/go, a minute at most.
 * During this wait programs run, and can check the hardware's state.
 * /sys/module/halt/parameters/held shows whether the kernel waits.
 */
#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/reboot.h>

static bool held;
module_param(held, bool, 0400);
MODULE_PARM_DESC(held, "the kernel waits");

static DECLARE_COMPLETION(halt_go);

static int halt_set(const char *text, const struct kernel_param *param)
{
	complete_all(&halt_go);
	return 0;
}

static const struct kernel_param_ops halt_ops = { .set = halt_set };

module_param_cb(go, &halt_ops, NULL, 0200);
MODULE_PARM_DESC(go, "it may go on");

static int halt_hold(struct notifier_block *nb, unsigned long action, void *data)
{
	WRITE_ONCE(held, true);
	wait_for_completion_timeout(&halt_go, 60 * HZ);
	WRITE_ONCE(held, false);

	return NOTIFY_DONE;
}

/* Run after notifiers that also have the least priority, such as perf's. */
static struct notifier_block halt_nb = {
	.notifier_call = halt_hold,
	.priority = INT_MIN,
};

static int __init halt_init(void)
{
	return register_reboot_notifier(&halt_nb);
}
module_init(halt_init);

static void __exit halt_exit(void)
{
	unregister_reboot_notifier(&halt_nb);
}
module_exit(halt_exit);

MODULE_DESCRIPTION("Holds a shutdown, for tests");
MODULE_LICENSE("GPL");
