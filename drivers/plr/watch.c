// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watching: every interval, what has limited a domain since the one before is
 * read, kept in the software log, cleared in hardware and told.
 *
 * A domain is watched while its interval_ms says so, or while anybody wants to
 * know (the tracepoint, a perf event). All domains that are due are looked at
 * together. Nobody watching means no timer and no access.
 */
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include <pmon/plr_reasons.h>

#include <compat/cleanup.h>

#include "plr.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* When somebody wants to know, and nobody has said how often to look. */
#define PLR_DEFAULT_MS	100

static void plr_watch_work(struct work_struct *work);

/* Guards the list and when domains are due; taken before their own locks. */
static DEFINE_MUTEX(plr_watch_lock);
static LIST_HEAD(plr_watch_list);
static unsigned int plr_watchers;
static DECLARE_DELAYED_WORK(plr_watch_dwork, plr_watch_work);

static unsigned int plr_watch_interval(const struct plr_domain *domain)
{
	if (domain->interval_ms)
		return domain->interval_ms;

	return plr_watchers ? PLR_DEFAULT_MS : 0;
}

static void plr_watch_targets(struct plr_domain *domain)
{
	unsigned int module, count = 0;
	struct plr_scope *scope;

	domain->watched[count++] = domain->mesh;
	for (module = 0; module < PLR_MODULES; module++) {
		scope = plr_core(domain, module);
		if (scope)
			domain->watched[count++] = scope;
	}
	for (module = 0; module < count; module++)
		domain->targets[module] = plr_scope_target(domain->watched[module]);
	domain->tick.count = count;
}

static void plr_watch_tell(struct plr_scope *scope, u64 value, u64 fresh)
{
	static const char * const names[] = {
		[PLR_SCOPE_DIE] = "die", [PLR_SCOPE_MESH] = "mesh", [PLR_SCOPE_CORE] = "core",
	};
	struct plr_domain *domain = scope->domain;

	plr_scope_notify(scope);
	if (!trace_plr_reasons_enabled())
		return;
	plr_reasons_format(fresh, domain->names, sizeof(domain->names));
	trace_plr_reasons(domain->package, domain->id, names[scope->kind], scope->id, value,
			  fresh, domain->names);
}

/* What one look has brought for one directory. */
static void plr_watch_note(struct plr_scope *scope, u64 value, bool primed)
{
	u64 before = scope->log.active, fresh;

	if (!primed) {
		/* From before anybody watched: on record, but not of now. */
		plr_log_keep(&scope->log, value);
		plr_log_rest(&scope->log);
		return;
	}
	fresh = plr_log_tick(&scope->log, value);
	if (fresh)
		plr_watch_tell(scope, value, fresh);
	else if (before != value)
		plr_scope_notify(scope);
}

static void plr_watch_end(struct plr_domain *domain)
{
	struct plr_tick *tick = &domain->tick;
	bool primed = domain->was_primed;
	unsigned int i;

	if (plr_tick_end(tick))
		dev_warn(&domain->dev, "die level does not follow the modules, reading all of them every time\n");
	if (plr_domain_error(domain, tick->ret))
		return;

	plr_watch_note(domain->die, tick->die & PLR_COARSE_MASK, primed);
	for (i = 0; i < tick->count; i++)
		if (!tick->targets[i].ret || tick->targets[i].read)
			plr_watch_note(domain->watched[i], tick->targets[i].value, primed);
}

static bool plr_watch_is_due(const struct plr_domain *domain, u64 now)
{
	return plr_watch_interval(domain) && now >= domain->due_ns;
}

/* Ticks that were missed are not made up for. */
static void plr_watch_next(struct plr_domain *domain, u64 now)
{
	u64 interval = (u64)plr_watch_interval(domain) * NSEC_PER_MSEC;

	domain->due_ns += interval;
	if (domain->due_ns <= now)
		domain->due_ns = now + interval;
}

static struct plr_pass *plr_watch_begin(struct plr_domain *domain, struct plr_pass *next)
{
	struct plr_pass *pass;

	mutex_lock_nest_lock(&domain->lock, &plr_watch_lock);
	domain->was_primed = domain->tick.primed;
	plr_watch_targets(domain);
	pass = plr_tick_begin(&domain->tick);
	if (!pass)
		return next;
	pass->next = next;

	return pass;
}

/* Look at all domains that are due: dies first, then all mailboxes together. */
static void plr_watch_look(u64 now)
{
	struct plr_domain *domain;
	struct plr_pass *first = NULL;

	lockdep_assert_held(&plr_watch_lock);
	list_for_each_entry(domain, &plr_watch_list, watch) {
		domain->looking = false;
		if (!plr_watch_is_due(domain, now))
			continue;
		plr_watch_next(domain, now);
		domain->looking = plr_domain_reachable(domain);
		if (domain->looking)
			first = plr_watch_begin(domain, first);
	}
	if (first)
		plr_pass_run(first, first->mailbox->wait);
	list_for_each_entry(domain, &plr_watch_list, watch) {
		if (!domain->looking)
			continue;
		plr_watch_end(domain);
		mutex_unlock(&domain->lock);
	}
}

static void plr_watch_schedule(void)
{
	struct plr_domain *domain;
	u64 now = ktime_get_ns(), next = U64_MAX, delay;

	list_for_each_entry(domain, &plr_watch_list, watch)
		if (plr_watch_interval(domain))
			next = min(next, domain->due_ns);
	if (next == U64_MAX) {
		cancel_delayed_work(&plr_watch_dwork);
		return;
	}
	delay = next > now ? DIV_ROUND_UP_ULL(next - now, TICK_NSEC) : 0;
	mod_delayed_work(system_unbound_wq, &plr_watch_dwork, delay);
}

static void plr_watch_work(struct work_struct *work)
{
	guard(mutex)(&plr_watch_lock);
	plr_watch_look(ktime_get_ns());
	plr_watch_schedule();
}

static void plr_watch_rest(struct plr_domain *domain)
{
	unsigned int module;

	mutex_lock_nest_lock(&domain->lock, &plr_watch_lock);
	plr_tick_rest(&domain->tick);
	plr_log_rest(&domain->die->log);
	plr_log_rest(&domain->mesh->log);
	for (module = 0; module < PLR_MODULES; module++)
		if (domain->core[module])
			plr_log_rest(&domain->core[module]->log);
	mutex_unlock(&domain->lock);
}

/*
 * Who is watched may have changed. Domains that come to be watched are looked
 * at before this returns: what hardware sets from here on is news.
 */
static void plr_watch_update(void)
{
	u64 now = ktime_get_ns();
	struct plr_domain *domain;

	lockdep_assert_held(&plr_watch_lock);
	list_for_each_entry(domain, &plr_watch_list, watch) {
		if (plr_watch_interval(domain) && !domain->tick.primed)
			domain->due_ns = now;
		else if (!plr_watch_interval(domain) && domain->tick.primed)
			plr_watch_rest(domain);
	}
	plr_watch_look(now);
	plr_watch_schedule();
}

/**
 * plr_watch_get() - somebody wants to know
 *
 * All domains are watched from here on.
 */
void plr_watch_get(void)
{
	guard(mutex)(&plr_watch_lock);
	plr_watchers++;
	plr_watch_update();
}

/**
 * plr_watch_put() - somebody does not want to know any more
 */
void plr_watch_put(void)
{
	guard(mutex)(&plr_watch_lock);
	plr_watchers--;
	plr_watch_update();
}

int plr_trace_reg(void)
{
	plr_watch_get();

	return 0;
}

void plr_trace_unreg(void)
{
	plr_watch_put();
}

/**
 * plr_watch_set_interval() - how often a domain is looked at
 * @domain: the domain
 * @ms: milliseconds, 0 for when somebody wants to know
 */
void plr_watch_set_interval(struct plr_domain *domain, unsigned int ms)
{
	guard(mutex)(&plr_watch_lock);
	WRITE_ONCE(domain->interval_ms, ms);
	domain->due_ns = ktime_get_ns() + (u64)plr_watch_interval(domain) * NSEC_PER_MSEC;
	plr_watch_update();
}

/**
 * plr_watch_add() - a domain is there
 * @domain: complete, with all its directories
 */
void plr_watch_add(struct plr_domain *domain)
{
	guard(mutex)(&plr_watch_lock);
	list_add_tail(&domain->watch, &plr_watch_list);
	plr_watch_update();
}

/**
 * plr_watch_del() - a domain goes
 * @domain: one that was added; nobody looks at it when this returns
 */
void plr_watch_del(struct plr_domain *domain)
{
	guard(mutex)(&plr_watch_lock);
	list_del_init(&domain->watch);
	plr_watch_schedule();
}

/**
 * plr_watch_stop() - no domain is left, and none will come
 */
void plr_watch_stop(void)
{
	cancel_delayed_work_sync(&plr_watch_dwork);
}
