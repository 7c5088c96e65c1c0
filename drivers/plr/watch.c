// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watching: every interval, what has limited a domain since the one before is
 * read, kept in the software log, cleared in hardware and told.
 *
 * A domain is watched while its interval_ms says so, or while anybody wants to
 * know (the tracepoint; perf, one of its events). All domains that are due are looked at
 * together. Nobody watching means no timer and no access.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
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

/* While something limits, one clear is looked at this often. */
#define PLR_VERIFY_NS	(60ULL * NSEC_PER_SEC)

static void plr_watch_work(struct work_struct *work);

/* Guards the list and when domains are due; taken before their own locks. */
static DEFINE_MUTEX(plr_watch_lock);
static LIST_HEAD(plr_watch_list);
static unsigned int plr_watchers;
static DECLARE_DELAYED_WORK(plr_watch_dwork, plr_watch_work);

static unsigned int plr_watch_interval(const struct plr_domain *domain)
{
	if (domain->ledger->interval_ms)
		return domain->ledger->interval_ms;

	return plr_watchers || domain->ledger->open ? PLR_DEFAULT_MS : 0;
}

static void plr_watch_targets(struct plr_domain *domain)
{
	unsigned int module, count;

	count = plr_domain_modules(domain);
	if (domain->mesh && !domain->mesh_silent)
		domain->watched[count++] = domain->mesh;
	for (module = 0; module < count; module++)
		domain->targets[module] = plr_scope_target(domain->watched[module]);
	/* What a new module brings with it, the die has long been cleared of. */
	if (domain->tick.count != count)
		plr_tick_owe(&domain->tick);
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

static void plr_watch_count(const struct plr_scope *scope)
{
	struct plr_domain *domain = scope->domain;
	struct plr_meter *meter = NULL;

	if (scope->kind == PLR_SCOPE_CORE)
		meter = domain->ledger->meter[scope->id];
	if (meter)
		plr_meter_add(meter, scope->log->active, domain->look_ns - scope->since_ns);
}

/* What one look has brought for one directory, which is clear from here on. */
static void plr_watch_note(struct plr_scope *scope, u64 value)
{
	u64 before = scope->log->active, fresh;

	if (scope->since_ns) {
		fresh = plr_log_tick(scope->log, value);
		plr_watch_count(scope);
		if (fresh)
			plr_watch_tell(scope, scope->log->active, fresh);
		else if (before != scope->log->active)
			plr_scope_notify(scope);
	} else {
		/* From before anybody watched: on record, but not of now. */
		plr_log_keep(scope->log, value);
		plr_log_rest(scope->log);
	}
	scope->since_ns = scope->domain->look_ns;
}

static void plr_watch_note_target(struct plr_scope *scope, const struct plr_target *target)
{
	if (!target->ret)
		plr_watch_note(scope, target->value);
	else if (target->read)
		/* Not cleared: it belongs to an interval that has not ended. */
		plr_log_keep(scope->log, target->value);
}

/* One whose clear must have had an effect, or nothing is worth counting. */
static int plr_watch_verify(struct plr_domain *domain)
{
	struct plr_tick *tick = &domain->tick;
	unsigned int i;

	if (domain->was_primed && domain->look_ns - domain->verified_ns < PLR_VERIFY_NS)
		return 0;
	domain->verified_ns = domain->look_ns;
	for (i = 0; i < tick->count; i++)
		if (!tick->targets[i].ret && tick->targets[i].value)
			return plr_scope_verify(domain->watched[i], tick->targets[i].value);

	return 0;
}

static void plr_watch_forget_scope(struct plr_scope *scope, bool tell)
{
	plr_scope_rest(scope);
	if (tell)
		plr_scope_notify(scope);
}

/*
 * What hardware has when it is looked at again is of no interval. Who polls is
 * woken: nobody would be, as long as nobody looks.
 */
static void plr_watch_forget(struct plr_domain *domain, bool tell)
{
	unsigned int module;
	struct plr_scope *scope;

	plr_tick_rest(&domain->tick);
	plr_watch_forget_scope(domain->die, tell);
	if (domain->mesh)
		plr_watch_forget_scope(domain->mesh, tell);
	for (module = 0; module < PLR_MODULES; module++) {
		scope = plr_core(domain, module);
		if (scope)
			plr_watch_forget_scope(scope, tell);
	}
}

/* Firmware may block writes, or stop doing so, at any time. */
static void plr_watch_judge(struct plr_domain *domain)
{
	struct plr_tick *tick = &domain->tick;
	bool unclearable;

	if (!tick->ran)
		return;
	unclearable = tick->targets[0].ret == -EOPNOTSUPP ||
		      plr_watch_verify(domain) == -EOPNOTSUPP;
	plr_domain_set_unclearable(domain, unclearable);
	if (unclearable)
		plr_watch_forget(domain, domain->was_primed);
}

/* The mesh is the last. All ones for it alone: it may not answer. */
static void plr_watch_check_mesh(struct plr_domain *domain)
{
	struct plr_tick *tick = &domain->tick;
	unsigned int last = tick->count - 1;

	if (tick->ran && last && domain->watched[last] == domain->mesh &&
	    tick->targets[last].ret == -EIO && !tick->targets[0].ret)
		plr_domain_check_mesh(domain, domain->watched[0]);
	plr_domain_judge_mesh(domain);
}

static void plr_watch_end(struct plr_domain *domain)
{
	struct plr_tick *tick = &domain->tick;
	unsigned int i;

	if (plr_tick_end(tick))
		dev_warn(&domain->dev, "die level does not follow the modules, reading all of them every time\n");
	if (plr_domain_error(domain, tick->ret)) {
		/* Blocked or gone: this time is not observed. */
		if (domain->was_primed)
			plr_watch_forget(domain, true);
		return;
	}

	plr_watch_note(domain->die, tick->die);
	for (i = 0; i < tick->count; i++)
		plr_watch_note_target(domain->watched[i], &tick->targets[i]);
	plr_watch_check_mesh(domain);
	plr_watch_judge(domain);
}

static bool plr_watch_is_due(const struct plr_domain *domain, u64 now)
{
	return plr_watch_interval(domain) && now >= domain->due_ns;
}

/*
 * Domains with the same interval are due together, so that one look serves all.
 * Looks that were missed are not made up for.
 */
static void plr_watch_next(struct plr_domain *domain, u64 now)
{
	u64 interval = (u64)plr_watch_interval(domain) * NSEC_PER_MSEC;

	if (interval)
		domain->due_ns = (div64_u64(now, interval) + 1) * interval;
}

static struct plr_pass *plr_watch_begin(struct plr_domain *domain, struct plr_pass *next)
{
	struct plr_pass *pass;

	mutex_lock_nest_lock(&domain->lock, &plr_watch_lock);
	domain->look_ns = ktime_get_ns();
	domain->was_primed = domain->tick.primed;
	plr_watch_targets(domain);
	pass = plr_tick_begin(&domain->tick);
	if (!pass)
		return next;
	pass->next = next;

	return pass;
}

static void plr_watch_rest(struct plr_domain *domain)
{
	mutex_lock_nest_lock(&domain->lock, &plr_watch_lock);
	plr_watch_forget(domain, true);
	mutex_unlock(&domain->lock);
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
		else if (domain->tick.primed)
			plr_watch_rest(domain);
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
	WRITE_ONCE(domain->ledger->interval_ms, ms);
	plr_watch_next(domain, ktime_get_ns());
	plr_watch_update();
}

/**
 * plr_watch_get_interval() - what plr_watch_set_interval() has set
 * @domain: the domain
 *
 * Return: milliseconds.
 */
unsigned int plr_watch_get_interval(const struct plr_domain *domain)
{
	return READ_ONCE(domain->ledger->interval_ms);
}

/**
 * plr_watch_open() - an event counts for a module
 * @place: the module
 *
 * Its domain is watched from here on.
 *
 * Return: the module's meter, or an error pointer: -EINVAL when the module is
 * of no domain, -ENODEV when its domain has gone, -EOPNOTSUPP when hardware
 * ignores clears, -ENOMEM.
 */
struct plr_meter *plr_watch_open(const struct plr_place *place)
{
	struct plr_ledger *ledger;
	struct plr_meter *meter;

	guard(mutex)(&plr_watch_lock);
	ledger = plr_ledger_find(place->package, place->domain);
	if (!ledger)
		return ERR_PTR(-EINVAL);
	if (!ledger->domain)
		return ERR_PTR(-ENODEV);
	meter = plr_ledger_meter(ledger, place->module);
	if (!meter)
		return ERR_PTR(-ENOMEM);

	if (!ledger->open++)
		plr_watch_update();
	if (!ledger->domain->unclearable)
		return meter;

	ledger->open--;
	plr_watch_update();
	return ERR_PTR(-EOPNOTSUPP);
}

/**
 * plr_watch_close() - an event does not count any more
 * @meter: from plr_watch_open()
 */
void plr_watch_close(struct plr_meter *meter)
{
	guard(mutex)(&plr_watch_lock);
	if (!--meter->ledger->open)
		plr_watch_update();
}

/**
 * plr_watch_is_idle() - is there nothing that perf could count, or counts?
 *
 * Return: whether that is so.
 */
bool plr_watch_is_idle(void)
{
	guard(mutex)(&plr_watch_lock);
	return plr_ledgers_idle();
}

/**
 * plr_watch_ledger() - what is known of a domain that comes
 * @package: package id
 * @id: power domain
 *
 * Return: its ledger, or NULL without memory.
 */
struct plr_ledger *plr_watch_ledger(u8 package, u8 id)
{
	guard(mutex)(&plr_watch_lock);
	return plr_ledger_get(package, id);
}

/**
 * plr_watch_add() - a domain is there
 * @domain: complete, with its ledger and all its directories
 */
void plr_watch_add(struct plr_domain *domain)
{
	guard(mutex)(&plr_watch_lock);
	domain->ledger->domain = domain;
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
	domain->ledger->domain = NULL;
	if (domain->tick.primed)
		plr_watch_rest(domain);
	plr_watch_schedule();
}

/**
 * plr_watch_stop() - no domain is left, and none will come
 */
void plr_watch_stop(void)
{
	cancel_delayed_work_sync(&plr_watch_dwork);
	plr_ledgers_free();
}
