// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register the PMUs "plr" and "plr_task" (task.c). Events of plr count times
 * that the monitor accumulates for a module: time in a reason and observed
 * time. While an event is open, its domain is polled and its reason is in the
 * gate. drivers/core calls perf.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include <compat/isolation.h>
#include <pmon/format.h>
#include <pmon/pmu.h>

#include "plr.h"

/* Observed time of a reason. A term "observed" would hide plr/observed/. */
#define PLR_PERF_OWN	BIT_ULL(7)

struct plr_perf_text {
	char name[48];
	char code[12];
};

static const struct pmon_field plr_perf_fields[] = {
	{ "event", 0, PLR_PERF_EVENT },
	{ "own", 0, PLR_PERF_OWN },
	{ }
};

static struct plr_perf_text plr_perf_texts[PLR_CODES];
static struct pmon_alias plr_perf_aliases[PLR_CODES + 1];

static const struct pmon_type plr_perf_type = {
	.name = "plr",
	.fields = plr_perf_fields,
	.aliases = plr_perf_aliases,
	.free_running = true,
};

static const struct pmon_field plr_task_fields[] = {
	{ "event", 0, PLR_PERF_EVENT },
	{ }
};

static const struct pmon_type plr_task_type = {
	.name = "plr_task",
	.fields = plr_task_fields,
	.aliases = plr_perf_aliases,
	.free_running = true,
};

static void plr_perf_name_events(void)
{
	struct pmon_alias *alias = plr_perf_aliases;
	struct plr_perf_text *text = plr_perf_texts;
	unsigned int code;
	char *c;

	for (code = 0; code < PLR_CODES; code++) {
		if (code != PLR_OBSERVED && plr_reason_coarse(code) < 0)
			continue;
		strscpy(text->name, code == PLR_OBSERVED ?
			"observed" : plr_reason_name(code), sizeof(text->name));
		for (c = text->name; *c; c++)
			*c = tolower(*c);
		snprintf(text->code, sizeof(text->code), "event=0x%02x", code);
		*alias++ = (struct pmon_alias){
			text->name, text->code, "1e-6", "ms",
		};
		text++;
	}
}

static unsigned int plr_event_code(const struct perf_event *event)
{
	return FIELD_GET(PLR_PERF_EVENT, event->attr.config);
}

static u64 plr_event_now(struct perf_event *event)
{
	unsigned int code = plr_event_code(event);
	const struct plr_scope *scope = event->pmu_private;
	const struct plr_account *account = &scope->record.account;

	return event->attr.config & PLR_PERF_OWN ?
		READ_ONCE(account->own_ns[code]) :
		READ_ONCE(account->time_ns[code]);
}

/*
 * Return -EAGAIN until a poll has begun after the open of the event, and until
 * all modules were read with the reason in the gate, so that no earlier time is
 * counted. Return it after a late command, too. perf retries after some ms, at
 * the multiplexing interval. An event removed to add another restarts at once.
 */
static int plr_event_begin(struct perf_event *event)
{
	const struct plr_scope *scope = event->pmu_private;
	const struct plr_monitor *monitor = &scope->domain->monitor;
	unsigned int code = plr_event_code(event);

	if (!READ_ONCE(monitor->primed) ||
	    READ_ONCE(scope->domain->mailbox.late) ||
	    READ_ONCE(monitor->poll_ns) < event->hw.config)
		return -EAGAIN;
	return code == PLR_OBSERVED ||
	       READ_ONCE(monitor->ready) & BIT_ULL(plr_gate_bit(code)) ?
		0 : -EAGAIN;
}

static void plr_event_close(struct perf_event *event)
{
	const struct plr_scope *scope = event->pmu_private;
	unsigned int code = plr_event_code(event);

	if (code != PLR_OBSERVED)
		atomic_dec(&scope->domain->reason_events[plr_gate_bit(code)]);
	atomic_dec(&scope->domain->events);
}

/* Return an online CPU of @scope, not @except, or -1. Avoid isolated CPUs. */
static int plr_event_cpu(const struct plr_scope *scope, int except)
{
	int found = -1, cpu;

	for_each_online_cpu(cpu) {
		if (cpu == except || plr_cpu_module(cpu) != scope)
			continue;
		if (!compat_cpu_is_isolated(cpu))
			return cpu;
		if (found < 0)
			found = cpu;
	}
	return found;
}

static int plr_event_open(struct perf_event *event)
{
	struct plr_scope *scope = plr_cpu_module(event->cpu);
	unsigned int code = plr_event_code(event);
	struct plr_domain *domain;
	int cpu;

	if (code >= PLR_CODES)
		return -EINVAL;
	/* A pinned event would end in error state when its first add fails. */
	if (event->group_leader->attr.pinned || !scope)
		return -EINVAL;
	domain = scope->domain;
	cpu = plr_event_cpu(scope, -1);
	if (!READ_ONCE(domain->device) || cpu < 0)
		return -ENODEV;
	WRITE_ONCE(event->cpu, cpu);
	WRITE_ONCE(event->pmu_private, scope);
	if (code != PLR_OBSERVED)
		atomic_inc(&domain->reason_events[plr_gate_bit(code)]);
	atomic_inc(&domain->events);
	event->hw.config = ktime_get_ns();	/* time of the open */
	plr_domain_kick(domain);
	return 0;
}

static void plr_event_cpus(struct cpumask *cpus)
{
	struct plr_scope *scope;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		scope = plr_cpu_module(cpu);
		if (scope && plr_event_cpu(scope, -1) == cpu)
			cpumask_set_cpu(cpu, cpus);
	}
}

static const struct pmon_boxless_ops plr_boxless_ops = {
	.cpus = plr_event_cpus,
	.open = plr_event_open,
	.close = plr_event_close,
	.start = plr_event_begin,
	.now = plr_event_now,
};

/* The CPU hotplug lock is held here and in plr_perf_cpu_offline(). */
void plr_perf_cpu_online(struct plr_scope *scope, int cpu)
{
	int from = plr_event_cpu(scope, cpu);

	if (from >= 0 && plr_event_cpu(scope, -1) == cpu)
		pmon_boxless_migrate(&plr_boxless_ops, from, cpu);
}

void plr_perf_cpu_offline(struct plr_scope *scope, int cpu)
{
	int to = plr_event_cpu(scope, cpu);

	if (to >= 0)
		pmon_boxless_migrate(&plr_boxless_ops, cpu, to);
}

static const struct pmon_pmu_info plr_perf_pmus[] = {
	{
		.name = "plr",
		.type = &plr_perf_type,
		.boxless = &plr_boxless_ops,
		.owner = THIS_MODULE,
	}, {
		.name = "plr_task",
		.type = &plr_task_type,
		.boxless = &plr_task_ops,
		.owner = THIS_MODULE,
	},
};

static void plr_perf_create(const struct pmon_pmu_info *info)
{
	struct pmon_pmu *pmu = pmon_pmu_create(info);
	int ret;

	while (PTR_ERR_OR_ZERO(pmu) == -EAGAIN) {
		pmon_pmu_flush();
		pmu = pmon_pmu_create(info);
	}
	ret = PTR_ERR_OR_ZERO(pmu) ?: pmon_pmu_register(pmu);
	if (!ret)
		return;
	pr_warn("%s: events not registered: error %d\n", info->name, ret);
	if (!IS_ERR(pmu))
		pmon_pmu_destroy(pmu);
}

static unsigned long plr_perf_is_registered;

/* The caller holds no lock, because this waits for perf. */
void plr_perf_register(void)
{
	unsigned int i;

	if (test_and_set_bit(0, &plr_perf_is_registered))
		return;
	plr_perf_name_events();
	for (i = 0; i < ARRAY_SIZE(plr_perf_pmus); i++)
		plr_perf_create(&plr_perf_pmus[i]);
}
