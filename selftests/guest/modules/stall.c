// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stop the first CPU that calls a function, for at most "ms" milliseconds, to
 * test concurrent operations.
 *
 *   insmod stall.ko function=pmon_poll_add ms=4000
 *   cat /sys/module/stall/parameters/state
 *
 * prints 0: not yet called, 1: a CPU waits, 2: released. Writing 2 releases the
 * CPU.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>

#define STALLS	2

static char *function[STALLS];
static int functions;
module_param_array(function, charp, &functions, 0444);
MODULE_PARM_DESC(function, "that are called");

static unsigned int ms;
module_param(ms, uint, 0444);
MODULE_PARM_DESC(ms, "how long at most");

static int state[STALLS];
module_param_array(state, int, NULL, 0644);
MODULE_PARM_DESC(state, "how far each has come");

static struct kprobe stall_probe[STALLS];

static int stall_before(struct kprobe *probe, struct pt_regs *regs)
{
	int *at = &state[probe - stall_probe];
	unsigned int left;

	if (cmpxchg(at, 0, 1))
		return 0;
	for (left = ms; left && READ_ONCE(*at) == 1; left--)
		mdelay(1);
	WRITE_ONCE(*at, 2);
	return 0;
}

static void __exit stall_exit(void)
{
	int i;

	for (i = 0; i < functions; i++)
		unregister_kprobe(&stall_probe[i]);
}
module_exit(stall_exit);

static int __init stall_init(void)
{
	int i, ret;

	for (i = 0; i < functions; i++) {
		stall_probe[i].symbol_name = function[i];
		stall_probe[i].pre_handler = stall_before;
		ret = register_kprobe(&stall_probe[i]);
		if (ret)
			goto unregister;
	}
	return 0;

unregister:
	while (i--)
		unregister_kprobe(&stall_probe[i]);
	return ret;
}
module_init(stall_init);

MODULE_DESCRIPTION("Keeps a CPU in a function, for tests");
MODULE_LICENSE("GPL");
