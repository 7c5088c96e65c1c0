// SPDX-License-Identifier: GPL-2.0-only
/* Register PMUs that do nothing, to measure perf's own memory for each PMU. */
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

static unsigned int bare_count = 1000;
module_param_named(count, bare_count, uint, 0444);
MODULE_PARM_DESC(count, "how many PMUs");

static char *bare_name = "bare";
module_param_named(name, bare_name, charp, 0444);
MODULE_PARM_DESC(name, "their name, without number");

static struct pmu *bare_pmus;
static unsigned int bare_registered;

static int bare_event_init(struct perf_event *event)
{
	return -ENOENT;
}

static int bare_add(struct perf_event *event, int flags)
{
	return -EINVAL;
}

static void bare_nothing(struct perf_event *event, int flags)
{
}

static void bare_read(struct perf_event *event)
{
}

static void bare_exit(void)
{
	while (bare_registered) {
		struct pmu *pmu = &bare_pmus[--bare_registered];
		const char *name = pmu->name;

		perf_pmu_unregister(pmu);
		kfree(name);
	}
	kvfree(bare_pmus);
}

static int bare_add_pmu(void)
{
	struct pmu *pmu = &bare_pmus[bare_registered];
	char name[32];
	char *copy;
	int ret;

	*pmu = (struct pmu) {
		.module = THIS_MODULE,
		.task_ctx_nr = perf_invalid_context,
		.event_init = bare_event_init,
		.add = bare_add,
		.del = bare_nothing,
		.start = bare_nothing,
		.stop = bare_nothing,
		.read = bare_read,
	};
	snprintf(name, sizeof(name), "%s_%u", bare_name, bare_registered);
	copy = kstrdup(name, GFP_KERNEL);
	ret = copy ? perf_pmu_register(pmu, copy, -1) : -ENOMEM;
	if (ret)
		kfree(copy);
	else
		bare_registered++;
	return ret;
}

static int __init bare_init(void)
{
	int ret = 0;

	bare_pmus = kvcalloc(bare_count, sizeof(*bare_pmus), GFP_KERNEL);
	if (!bare_pmus)
		return -ENOMEM;

	while (!ret && bare_registered < bare_count)
		ret = bare_add_pmu();
	if (ret)
		bare_exit();
	return ret;
}

module_init(bare_init);
module_exit(bare_exit);

MODULE_DESCRIPTION("PMUs with nothing in them");
MODULE_LICENSE("GPL");
