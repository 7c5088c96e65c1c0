// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watching: every interval, what has limited a domain since the one before is
 * read, kept in the software log, cleared in hardware and told.
 *
 * A domain is watched while its interval_ms says so, or while there is another
 * consumer (the tracepoint, an event of perf that counts); the shortest of
 * their intervals holds. All domains that are due are looked at together.
 * Without a consumer there is no timer and no access.
 */
#include <linux/capability.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include <pmon/plr_reasons.h>

#include <compat/cleanup.h>

#include "plr.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * Protects the list of watched domains and when they are due. Taken before the
 * locks of domains.
 */
static DEFINE_MUTEX(plr_watch_lock);
static LIST_HEAD(plr_watch_list);

static struct plr_meter *plr_watch_meter(const struct plr_scope *scope)
{
	if (scope->kind != PLR_SCOPE_CORE)
		return NULL;

	/* Pairs with plr_saved_meter(). */
	return smp_load_acquire(&scope->domain->saved->meter[scope->id]);
}

/*
 * Fill a target for the watch. A module that an event counts on must be asked
 * at each look.
 */
static void plr_watch_aim(const struct plr_scope *scope,
			  struct plr_target *target)
{
	const struct plr_meter *meter = plr_watch_meter(scope);

	*target = plr_scope_target(scope);
	target->pending = scope->pending;
	target->likely = scope->log->active;
	target->must = meter && (atomic_read(&meter->counting) ||
				 plr_wish_waits(meter));
	/* It may have reasons if nothing was known of it before this look. */
	target->pending |= target->must && !scope->since_ns;
}

static void plr_watch_targets(struct plr_domain *domain)
{
	unsigned int module, count;

	count = plr_domain_modules(domain);
	if (domain->mesh && !domain->mesh_silent)
		domain->watched[count++] = domain->mesh;
	for (module = 0; module < count; module++)
		plr_watch_aim(domain->watched[module],
			      &domain->targets[module]);
	/*
	 * A module was added: the die level may have been cleared of its
	 * reasons before, so it is read whatever the die shows.
	 */
	if (domain->tick.count != count)
		plr_tick_owe(&domain->tick);
	domain->tick.count = count;
	domain->tick.max_commands = READ_ONCE(domain->saved->max_commands);
}

/*
 * Wake programs that poll the files, and trace: reasons of the scope began or
 * ended.
 */
static void plr_watch_tell(struct plr_scope *scope, u64 fresh, u64 ended)
{
	static const char * const names[] = {
		[PLR_SCOPE_DIE] = "die", [PLR_SCOPE_MESH] = "mesh", [PLR_SCOPE_CORE] = "core",
	};
	struct plr_domain *domain = scope->domain;

	plr_scope_notify(scope);
	if (!trace_plr_reasons_enabled() || !(fresh | ended))
		return;
	plr_reasons_format(fresh, domain->names, sizeof(domain->names));
	plr_reasons_format(ended, domain->ended, sizeof(domain->ended));
	trace_plr_reasons(domain->package, domain->id, names[scope->kind],
			  scope->id, scope->log->active, fresh, ended,
			  domain->names, domain->ended);
}

/* Note since when the scope has been observed without a gap; 0: it is not. */
static void plr_watch_set_since(struct plr_scope *scope, u64 ns)
{
	struct plr_meter *meter = plr_watch_meter(scope);

	scope->since_ns = ns;
	if (meter)
		WRITE_ONCE(meter->since_ns, ns);
}

static void plr_watch_count(const struct plr_scope *scope)
{
	struct plr_meter *meter = plr_watch_meter(scope);
	u64 ns = scope->domain->look_ns - scope->since_ns;

	plr_log_note_interval(scope->log, scope->domain->look_boot_ns, ns);
	if (meter)
		plr_meter_add(meter, scope->log->active, ns);
}

/*
 * Set before the watch began, at an unknown time: into the log, but counted for
 * no interval.
 */
static void plr_watch_note_first(struct plr_scope *scope, u64 value)
{
	plr_log_keep(scope->log, value, scope->domain->look_boot_ns);
	plr_log_note_look(scope->log, scope->domain->look_boot_ns);
	plr_log_rest(scope->log);
	plr_watch_set_since(scope, scope->domain->look_ns);
	/* It had no data. */
	if (scope->active)
		sysfs_notify_dirent(scope->active);
}

/* Note what a look has read, and cleared, for one scope. */
static void plr_watch_note(struct plr_scope *scope, u64 value)
{
	u64 before = scope->log->active, fresh;

	if (!scope->since_ns) {
		plr_watch_note_first(scope, value);
		return;
	}
	fresh = plr_log_tick(scope->log, value);
	plr_watch_count(scope);
	if (before != scope->log->active)
		plr_watch_tell(scope, fresh, before & ~scope->log->active);
	plr_watch_set_since(scope, scope->domain->look_ns);
}

/*
 * The scope is not observed any more: the reasons that were active have ended
 * in the scope's log, and with @tell events and poll() are told.
 */
static void plr_watch_forget_scope(struct plr_scope *scope, bool tell)
{
	u64 before = scope->log->active;

	plr_log_rest(scope->log);
	plr_watch_set_since(scope, 0);
	if (tell)
		plr_watch_tell(scope, 0, before);
}

static void plr_watch_note_target(struct plr_scope *scope,
				  const struct plr_target *target)
{
	scope->pending = target->pending;
	if (target->skip && !target->must &&
	    !scope->domain->tick.max_commands) {
		/* It ends the interval that is under way. */
		if (scope->since_ns)
			plr_watch_forget_scope(scope, true);
		return;
	}
	/* It was not asked: its interval goes on, or has not begun. */
	if (target->skip && (target->pending || !scope->since_ns))
		return;
	if (!target->ret) {
		plr_watch_note(scope, target->value);
		return;
	}
	if (target->read)
		plr_log_keep(scope->log, target->value,
			     scope->domain->look_boot_ns);
	/* What limited since the last look is not known, nor for how long. */
	plr_watch_forget_scope(scope, scope->since_ns);
}

/*
 * The watch ended, or a look failed: until the next one the domain is not
 * observed. Reasons that it finds were latched at an unknown time, so they are
 * charged to no interval. With @tell, programs that poll() a file "active" are
 * woken now, because no look will do it.
 */
static void plr_watch_forget(struct plr_domain *domain, bool tell)
{
	unsigned int module, bound = plr_domain_bound(domain);
	struct plr_scope *scope;

	plr_tick_rest(&domain->tick);
	plr_watch_forget_scope(domain->die, tell);
	if (domain->mesh)
		plr_watch_forget_scope(domain->mesh, tell);
	for (module = 0; module < bound; module++) {
		scope = plr_core(domain, module);
		if (scope)
			plr_watch_forget_scope(scope, tell);
	}
}

/*
 * No module was asked, so no command has told whether writes have an effect. A
 * die that is clear has; one that is not is no proof, as a limit may be in
 * force, and a die that is computed from modules that are not asked stays so.
 * So firmware is asked, and what is known is good for a while, as long as it is
 * not that writes are blocked.
 */
static bool plr_watch_die_is_blocked(struct plr_domain *domain)
{
	u64 now = ktime_get_ns(), age_ns = PLR_STATE_NS;
	int keeps;

	if (domain->blocked <= 0) {
		age_ns = PLR_FULL_NS;
		if (domain->asked_ns && now - domain->asked_ns < age_ns)
			return false;
	}
	keeps = plr_die_keeps(&domain->mailbox, domain->tick.die);
	if (keeps > 0)
		return plr_domain_writes_blocked(domain, age_ns) > 0;
	if (!keeps) {
		domain->blocked = 0;
		domain->asked_ns = now;
	}
	return false;
}

/* Firmware may block writes, or stop doing so, at any time. */
static bool plr_watch_is_blocked(struct plr_domain *domain)
{
	struct plr_tick *tick = &domain->tick;

	if (!tick->asked && tick->die)
		return plr_watch_die_is_blocked(domain);

	return plr_domain_judge_writes(domain, tick->error, true) ==
	       -EOPNOTSUPP;
}

/*
 * The mesh is the last target. If it did not answer, ask a module whether the
 * mailbox does. Where a module has ended the pass the mesh was not asked.
 */
static void plr_watch_check_mesh(struct plr_domain *domain)
{
	struct plr_tick *tick = &domain->tick;
	unsigned int last = tick->count - 1;
	int ret;

	if (tick->asked && last && tick->pass.failed == last &&
	    domain->watched[last] == domain->mesh) {
		ret = tick->targets[last].ret;
		if (ret == -EIO ||
		    (ret == -ETIMEDOUT && domain->mailbox.unsettled))
			plr_domain_check_mesh(domain, domain->watched[0], ret);
	}
	plr_domain_judge_mesh(domain);
}

static void plr_watch_end(struct plr_domain *domain)
{
	struct plr_tick *tick = &domain->tick;
	unsigned int i;
	bool blocked;

	if (plr_tick_end(tick))
		dev_warn(&domain->dev, "die level does not follow the modules, reading all of them every time\n");
	if (plr_domain_error(domain, tick->ret)) {
		/*
		 * Reads are blocked, or the device is gone: the interval was
		 * not observed.
		 */
		if (domain->was_known)
			plr_watch_forget(domain, true);
		return;
	}

	blocked = plr_watch_is_blocked(domain);
	/* It may have had that before the last look. */
	if (blocked)
		plr_log_keep(domain->die->log, tick->die, domain->look_boot_ns);
	else
		plr_watch_note(domain->die, tick->die);
	for (i = 0; i < tick->count; i++)
		plr_watch_note_target(domain->watched[i], &tick->targets[i]);
	plr_watch_check_mesh(domain);
	if (blocked)
		plr_watch_forget(domain, domain->was_known);
}

/*
 * A new consumer with a shorter interval, or an event, has come: look at once.
 */
static void plr_watch_hurry(struct plr_domain *domain, u64 now)
{
	u64 interval = (u64)plr_wish_interval(domain->saved) * NSEC_PER_MSEC;

	if (xchg(&domain->saved->hurry, false))
		domain->due_ns = 0;
	else if (interval && domain->due_ns > now + 2 * interval)
		domain->due_ns = now;
}

/*
 * Is anything known of the domain? The die may answer although no module does.
 */
static bool plr_watch_is_known(const struct plr_domain *domain)
{
	return domain->tick.primed || domain->die->since_ns;
}

static bool plr_watch_is_due(const struct plr_domain *domain, u64 now)
{
	return plr_wish_interval(domain->saved) && now >= domain->due_ns;
}

/*
 * Domains with the same interval are due together, so that one look serves all.
 * Looks that were missed are not made up for, and one that was late is not
 * followed by another before firmware may have set again what is in force.
 */
static void plr_watch_next(struct plr_domain *domain, u64 now)
{
	u64 interval = (u64)plr_wish_interval(domain->saved) * NSEC_PER_MSEC;

	if (!interval)
		return;
	domain->due_ns = (div64_u64(now, interval) + 1) * interval;
	if (domain->due_ns - now < interval / 2)
		domain->due_ns += interval;
}

static struct plr_pass *plr_watch_begin(struct plr_domain *domain,
					struct plr_pass *next)
{
	struct plr_pass *pass;

	mutex_lock_nest_lock(&domain->lock, &plr_watch_lock);
	/* The clock that events use, too. */
	domain->look_ns = ktime_get_mono_fast_ns();
	domain->look_boot_ns = ktime_get_boottime_ns();
	domain->was_known = plr_watch_is_known(domain);
	plr_saved_await_cancel(domain->saved);
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

/* Nothing can be read. That may be a PCI error, whose recovery may not end. */
static void plr_watch_miss(struct plr_domain *domain)
{
	if (plr_watch_is_known(domain))
		plr_watch_rest(domain);
	if (pci_channel_offline(domain->pdev) &&
	    !READ_ONCE(domain->saved->awaited))
		plr_saved_await(domain->saved, PLR_FROZEN_JIFFIES);
}

/* Look at all domains that are due: dies first, then all mailboxes together. */
static void plr_watch_look(u64 now)
{
	struct plr_domain *domain;
	struct plr_pass *first = NULL;

	lockdep_assert_held(&plr_watch_lock);
	list_for_each_entry(domain, &plr_watch_list, watch) {
		domain->looking = false;
		plr_watch_hurry(domain, now);
		if (!plr_watch_is_due(domain, now))
			continue;
		plr_watch_next(domain, now);
		domain->looking = plr_domain_reachable(domain);
		if (domain->looking)
			first = plr_watch_begin(domain, first);
		else
			plr_watch_miss(domain);
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

/*
 * An event wished for a look while domains were looked at: the work that it has
 * started may have been put off until a domain is due. A look that is made
 * takes the wish, so this ends.
 */
static void plr_watch_hasten(void)
{
	struct plr_domain *domain;

	/*
	 * Pairs with xchg() of plr_wish_for(): either the wish is seen here, or
	 * its work is started after this one was put off.
	 */
	smp_mb();
	list_for_each_entry(domain, &plr_watch_list, watch) {
		if (!READ_ONCE(domain->saved->hurry))
			continue;
		plr_wish_look_in(0);
		return;
	}
}

/*
 * Start the work for the next domain that is due. If the last consumer went
 * while the work ran, this finds none.
 */
static void plr_watch_schedule(void)
{
	struct plr_domain *domain;
	u64 now = ktime_get_ns(), next = U64_MAX, delay;

	list_for_each_entry(domain, &plr_watch_list, watch) {
		if (plr_wish_interval(domain->saved))
			next = min(next, domain->due_ns);
		else if (plr_watch_is_known(domain))
			next = now;
	}
	if (next == U64_MAX)
		return;
	delay = next > now ? DIV_ROUND_UP_ULL(next - now, TICK_NSEC) : 0;
	plr_wish_look_in(delay);
	plr_watch_hasten();
}

/*
 * Domains without a consumer are not watched any more, which takes no access.
 * Those that come to be watched are looked at before this returns: what
 * hardware sets from here on is news. Where the last look failed the next one
 * waits for its time.
 */
static void plr_watch_update(void)
{
	u64 now = ktime_get_ns();
	struct plr_domain *domain;

	lockdep_assert_held(&plr_watch_lock);
	list_for_each_entry(domain, &plr_watch_list, watch) {
		if (plr_wish_interval(domain->saved))
			continue;
		/* Events that do not count need not end if it stays frozen. */
		plr_saved_await_cancel(domain->saved);
		if (!plr_watch_is_known(domain))
			continue;
		plr_watch_rest(domain);
		/* The first look for the next consumer is made at once. */
		domain->due_ns = 0;
	}
	/* Pairs with plr_wish_begin(): one of both sees the other. */
	smp_mb();
	plr_watch_look(now);
	plr_watch_schedule();
}

static void plr_watch_work(struct work_struct *work)
{
	guard(mutex)(&plr_watch_lock);
	plr_watch_update();
}

/*
 * A task's own event on the tracepoint needs the right as well, also when the
 * tracepoint is in use already. TRACE_EVENT_PERF_PERM() is not for modules. A
 * child inherits the event, whatever its rights are.
 */
static int plr_trace_perm(struct trace_event_call *call,
			  struct perf_event *event)
{
	return event->parent || perfmon_capable() ? 0 : -EACCES;
}

/**
 * plr_watch_set_interval() - how often a domain is looked at
 * @domain: the domain
 * @ms: milliseconds, 0 for only while an event or the
 *	tracepoint wishes it
 */
void plr_watch_set_interval(struct plr_domain *domain, unsigned int ms)
{
	guard(mutex)(&plr_watch_lock);
	WRITE_ONCE(domain->saved->interval_ms, ms);
	domain->due_ns = 0;
	if (domain->tick.primed)
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
	return READ_ONCE(domain->saved->interval_ms);
}

/**
 * plr_watch_set_max_commands() - how much watching may cost
 * @domain: the domain
 * @commands: mailbox commands a second
 */
void plr_watch_set_max_commands(struct plr_domain *domain,
				unsigned int commands)
{
	guard(mutex)(&plr_watch_lock);
	WRITE_ONCE(domain->saved->max_commands, commands);
	scoped_guard(mutex, &domain->lock)
		plr_tick_set_rate(&domain->tick, commands);
}

/**
 * plr_watch_get_max_commands() - what plr_watch_set_max_commands() has set
 * @domain: the domain
 *
 * Return: commands a second.
 */
unsigned int plr_watch_get_max_commands(const struct plr_domain *domain)
{
	return READ_ONCE(domain->saved->max_commands);
}

/**
 * plr_watch_add() - a domain is there
 * @domain: complete, with what is saved of it and all its directories
 */
void plr_watch_add(struct plr_domain *domain)
{
	guard(mutex)(&plr_watch_lock);
	WRITE_ONCE(domain->saved->domain, domain);
	list_add_tail(&domain->watch, &plr_watch_list);
	plr_watch_update();
}

/**
 * plr_watch_del() - a domain goes
 * @domain: one that was added, or could not be completed. The work of the
 *	watch, which holds plr_watch_lock, does not use it when this returns.
 */
void plr_watch_del(struct plr_domain *domain)
{
	guard(mutex)(&plr_watch_lock);
	if (list_empty(&domain->watch))
		return;
	list_del_init(&domain->watch);
	WRITE_ONCE(domain->saved->domain, NULL);
	if (plr_watch_is_known(domain))
		plr_watch_rest(domain);
	plr_watch_schedule();
}

/**
 * plr_watch_start() - before anything else
 */
void __init plr_watch_start(void)
{
	event_plr_reasons.perf_perm = plr_trace_perm;
	plr_wish_start(plr_watch_work);
}

/**
 * plr_watch_stop() - no domain is left, and none will come
 */
void plr_watch_stop(void)
{
	plr_wish_stop();
	plr_saved_free();
}
