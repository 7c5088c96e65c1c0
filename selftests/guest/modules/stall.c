// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep a CPU for a while as it calls a function for the first time, for tests of
 * what others do in between.
 *
 *   insmod stall.ko function=pmon_poll_add ms=4000
 *   cat /sys/module/stall/parameters/state
 *
 * prints 0: not yet called, 1: a CPU waits, 2: it goes on, which writing 2 has it
 * do at once.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static char *function = "";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "that is called");

static unsigned int ms;
module_param(ms, uint, 0444);
MODULE_PARM_DESC(ms, "how long at most");

static int state;
module_param(state, int, 0644);
MODULE_PARM_DESC(state, "how far it has come");

static int stall_before(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned int left;

	if (cmpxchg(&state, 0, 1))
		return 0;
	for (left = ms; left && READ_ONCE(state) == 1; left--)
		mdelay(1);
	WRITE_ONCE(state, 2);
	return 0;
}

static struct kprobe stall_probe = { .pre_handler = stall_before };

static int __init stall_init(void)
{
	stall_probe.symbol_name = function;
	return register_kprobe(&stall_probe);
}
module_init(stall_init);

static void __exit stall_exit(void)
{
	unregister_kprobe(&stall_probe);
}
module_exit(stall_exit);

MODULE_DESCRIPTION("Keeps a CPU in a function, for tests");
MODULE_LICENSE("GPL");
