// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watching: every interval, what has limited a domain since the one before is
 * read, kept in the software log, cleared in hardware and told.
 *
 * A domain is watched while its interval_ms says so, or while there is another
 * consumer (the tracepoint, an event of perf that counts). All domains that are
 * due are looked at together. Without a consumer there is no timer and no access.
 */
#include <linux/capability.h>
#include <linux/irq_work.h>
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

/* When somebody wants to know, and nobody has said how often to look. */
#define PLR_DEFAULT_MS	100

static void plr_watch_work(struct work_struct *work);

/*
 * An event that could not count yet is asked again every few milliseconds (the
 * interval of perf's multiplexing); when it was not for so long, it is gone.
 */
#define PLR_WISH_NS	(250ULL * NSEC_PER_MSEC)

/*
 * A consumer that perf refuses after all comes and goes in microseconds: the
 * tracepoint's is looked at after this time only.
 */
#define PLR_TRACE_DELAY	DIV_ROUND_UP(HZ, 100)

/* Guards the list and when domains are due; taken before their own locks. */
static DEFINE_MUTEX(plr_watch_lock);
static LIST_HEAD(plr_watch_list);
static DECLARE_DELAYED_WORK(plr_watch_dwork, plr_watch_work);
static DECLARE_DELAYED_WORK(plr_trace_dwork, plr_watch_work);

/* Users of the tracepoint. Each has a reference to this module. */
static atomic_t plr_watch_traced = ATOMIC_INIT(0);

static bool plr_watch_is_wished(const struct plr_ledger *ledger)
{
	u64 wished_ns = READ_ONCE(ledger->wished_ns);

	return wished_ns && ktime_get_mono_fast_ns() - wished_ns < PLR_WISH_NS;
}

static unsigned int plr_watch_interval(const struct plr_domain *domain)
{
	const struct plr_ledger *ledger = domain->ledger;

	if (ledger->interval_ms)
		return ledger->interval_ms;

	return atomic_read(&plr_watch_traced) || atomic_read(&ledger->counting) ||
	       plr_watch_is_wished(ledger) ? PLR_DEFAULT_MS : 0;
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

static struct plr_meter *plr_watch_meter(const struct plr_scope *scope)
{
	if (scope->kind != PLR_SCOPE_CORE)
		return NULL;

	/* Pairs with plr_ledger_meter(). */
	return smp_load_acquire(&scope->domain->ledger->meter[scope->id]);
}

/* From when on all is known of a directory; 0 when nothing is. */
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

	if (meter)
		plr_meter_add(meter, scope->log->active,
			      scope->domain->look_ns - scope->since_ns);
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
	plr_watch_set_since(scope, scope->domain->look_ns);
}

static void plr_watch_forget_scope(struct plr_scope *scope, bool tell)
{
	plr_log_rest(scope->log);
	plr_watch_set_since(scope, 0);
	if (tell)
		plr_scope_notify(scope);
}

static void plr_watch_note_target(struct plr_scope *scope, const struct plr_target *target)
{
	if (!target->ret) {
		plr_watch_note(scope, target->value);
		return;
	}
	if (target->read)
		plr_log_keep(scope->log, target->value);
	/* What has limited since the last look is not known, nor for how long. */
	plr_watch_forget_scope(scope, scope->since_ns);
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

	if (tick->ran && plr_domain_judge_writes(domain, tick->targets[0].ret) == -EOPNOTSUPP)
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

/* The last consumer may have gone during the look: that is to be found, too. */
static void plr_watch_schedule(void)
{
	struct plr_domain *domain;
	u64 now = ktime_get_ns(), next = U64_MAX, delay;

	list_for_each_entry(domain, &plr_watch_list, watch) {
		if (plr_watch_interval(domain))
			next = min(next, domain->due_ns);
		else if (domain->tick.primed)
			next = now;
	}
	if (next == U64_MAX)
		return;
	delay = next > now ? DIV_ROUND_UP_ULL(next - now, TICK_NSEC) : 0;
	mod_delayed_work(system_unbound_wq, &plr_watch_dwork, delay);
}

/*
 * Domains without a consumer are not watched any more, which takes no access.
 * Those that come to be watched are looked at before this returns: what hardware
 * sets from here on is news. Where the last look failed the next one waits for
 * its time.
 */
static void plr_watch_update(void)
{
	u64 now = ktime_get_ns();
	struct plr_domain *domain;

	lockdep_assert_held(&plr_watch_lock);
	list_for_each_entry(domain, &plr_watch_list, watch) {
		if (!domain->tick.primed || plr_watch_interval(domain))
			continue;
		plr_watch_rest(domain);
		/* When it is to be watched again, then at once. */
		domain->due_ns = 0;
	}
	/* Pairs with plr_watch_begin_event(): one of both sees the other. */
	smp_mb();
	plr_watch_look(now);
	plr_watch_schedule();
}

static void plr_watch_work(struct work_struct *work)
{
	guard(mutex)(&plr_watch_lock);
	plr_watch_update();
}

static void plr_watch_wish(struct irq_work *irq_work)
{
	mod_delayed_work(system_unbound_wq, &plr_watch_dwork, 0);
}

static DEFINE_IRQ_WORK(plr_watch_irq, plr_watch_wish);

/**
 * plr_watch_begin_event() - an event is to count
 * @meter: of its module
 *
 * Called with interrupts off and locks of the scheduler held, so the first look
 * at the domain is made by a work item that an interrupt starts.
 *
 * Return: 0, or -EAGAIN when nothing is known of the module yet, or any more.
 */
int plr_watch_begin_event(struct plr_meter *meter)
{
	struct plr_ledger *ledger = meter->ledger;
	u64 now = ktime_get_mono_fast_ns(), before;

	atomic_inc(&ledger->counting);
	/* Pairs with plr_watch_update(). */
	smp_mb__after_atomic();
	if (READ_ONCE(meter->since_ns))
		return 0;
	atomic_dec(&ledger->counting);
	before = READ_ONCE(ledger->wished_ns);
	if (!before || now - before > PLR_WISH_NS / 4) {
		WRITE_ONCE(ledger->wished_ns, now);
		irq_work_queue(&plr_watch_irq);
	}

	return -EAGAIN;
}

/**
 * plr_watch_end_event() - an event that counted does not any more
 * @meter: of its module
 *
 * With interrupts off. The next tick finds that there is no consumer, unless
 * the event has come back, as it does when perf schedules all events anew.
 */
void plr_watch_end_event(struct plr_meter *meter)
{
	atomic_dec(&meter->ledger->counting);
}

/**
 * plr_watch_close_event() - an event is gone
 * @meter: of its module
 *
 * What it wished for is forgotten; another event that waits wishes again.
 */
void plr_watch_close_event(struct plr_meter *meter)
{
	WRITE_ONCE(meter->ledger->wished_ns, 0);
	mod_delayed_work(system_unbound_wq, &plr_watch_dwork, 0);
}

/*
 * A user of the tracepoint comes, in perf, tracefs, BPF or a trigger. It may be
 * one that perf refuses in the end, and tracing waits for this: hardware is
 * looked at later. That makes this driver clear hardware, so it needs the right
 * that opening an event of the PMU needs. The reference keeps the tracepoint
 * there: not every user of it has one.
 */
int plr_trace_reg(void)
{
	if (!perfmon_capable())
		return -EACCES;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	atomic_inc(&plr_watch_traced);
	queue_delayed_work(system_unbound_wq, &plr_trace_dwork, PLR_TRACE_DELAY);

	return 0;
}

void plr_trace_unreg(void)
{
	atomic_dec(&plr_watch_traced);
	mod_delayed_work(system_unbound_wq, &plr_watch_dwork, 0);
	module_put(THIS_MODULE);
}

/*
 * A task's own event on the tracepoint needs the right as well, also when the
 * tracepoint is in use already. TRACE_EVENT_PERF_PERM() is not for modules. A
 * child inherits the event, whatever its rights are.
 */
static int plr_trace_perm(struct trace_event_call *call, struct perf_event *event)
{
	return event->parent || perfmon_capable() ? 0 : -EACCES;
}

/**
 * plr_watch_pins() - references to this module that it has itself
 *
 * Return: how many.
 */
const atomic_t *plr_watch_pins(void)
{
	return &plr_watch_traced;
}

/**
 * plr_watch_start() - before anything else
 */
void __init plr_watch_start(void)
{
	event_plr_reasons.perf_perm = plr_trace_perm;
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
	return READ_ONCE(domain->ledger->interval_ms);
}

/**
 * plr_watch_add() - a domain is there
 * @domain: complete, with its ledger and all its directories
 */
void plr_watch_add(struct plr_domain *domain)
{
	guard(mutex)(&plr_watch_lock);
	WRITE_ONCE(domain->ledger->domain, domain);
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
	WRITE_ONCE(domain->ledger->domain, NULL);
	if (domain->tick.primed)
		plr_watch_rest(domain);
	plr_watch_schedule();
}

/**
 * plr_watch_stop() - no domain is left, and none will come
 */
void plr_watch_stop(void)
{
	irq_work_sync(&plr_watch_irq);
	cancel_delayed_work_sync(&plr_trace_dwork);
	cancel_delayed_work_sync(&plr_watch_dwork);
	plr_ledgers_free();
}
