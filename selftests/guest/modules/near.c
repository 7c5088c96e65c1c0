// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register a box near a NUMA node, for tests. Its counter is software: event
 * 10h stands still, all others count nanoseconds.
 *
 *   insmod near.ko node=3
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/smp.h>

#include <pmon/pmu.h>

static int node = NUMA_NO_NODE;
module_param(node, int, 0444);
MODULE_PARM_DESC(node, "the node");

static int cpu = -1;
module_param(cpu, int, 0444);
MODULE_PARM_DESC(cpu, "where the counter or its control was accessed last");

static u64 near_ctl, near_count, near_since;

/* Keep the value of a counter with event 0, which is no event. */
static u64 near_now(void)
{
	u64 now = ktime_get_mono_fast_ns();

	if (near_ctl && near_ctl != 0x10)
		near_count += now - near_since;
	near_since = now;
	return near_count & GENMASK_ULL(31, 0);
}

static u64 near_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	WRITE_ONCE(cpu, raw_smp_processor_id());
	return reg ? near_now() : near_ctl;
}

static int near_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	WRITE_ONCE(cpu, raw_smp_processor_id());
	near_now();
	near_ctl = val;
	return 0;
}

static const struct pmon_regs_ops near_ops = {
	.read = near_read, .write = near_write,
};

/*
 * The counter wraps within seconds, so that tests see its timer's CPU too. The
 * timer reads the counter four times a second, so that no wrap is lost if the
 * host stops the guest for some seconds.
 */
static const struct pmon_protocol near_protocol = {
	.no_reset = true, .rate_log2 = 33,
};

static const struct pmon_counter near_counter = { .ctr = 8, .width = 32 };

static const struct pmon_field near_fields[] = {
	{ "event", 0, 0xff }, { }
};

static const struct pmon_type near_type = {
	.name = "near", .fields = near_fields,
};

static int near_add_box(struct pmon_pmu *pmu, struct pmon_place_id place)
{
	const struct pmon_box_info info = {
		.place = place,
		.layout = {
			.protocol = &near_protocol, .counter = &near_counter,
			.counters = 1, .ctl_bytes = 8,
		},
		.regs = { .ops = &near_ops },
	};

	return pmon_pmu_add_box(pmu, &info);
}

/* Check that a PMU with a box near a node takes no other box. */
static int near_fill(struct pmon_pmu *pmu)
{
	int ret = near_add_box(pmu, pmon_near_node(node));

	if (ret)
		return ret;
	if (near_add_box(pmu, pmon_near_node(node)) != -EEXIST ||
	    near_add_box(pmu, pmon_near_node(node + 1)) != -EBUSY ||
	    near_add_box(pmu, pmon_in_package(0)) != -EBUSY)
		return -EINVAL;
	return pmon_pmu_register(pmu);
}

static int __init near_init(void)
{
	const struct pmon_pmu_info info = {
		.name = "near", .type = &near_type, .owner = THIS_MODULE,
	};
	struct pmon_pmu *pmu = pmon_pmu_create(&info);
	int ret;

	if (IS_ERR(pmu))
		return PTR_ERR(pmu);

	ret = near_fill(pmu);
	if (ret)
		pmon_pmu_destroy_all(THIS_MODULE);
	return ret;
}
module_init(near_init);

static void __exit near_exit(void)
{
	pmon_pmu_destroy_all(THIS_MODULE);
}
module_exit(near_exit);

MODULE_DESCRIPTION("A box near a NUMA node, for tests");
MODULE_LICENSE("GPL");
