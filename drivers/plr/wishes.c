// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps what consumers want of the watch, and how often: the file interval_ms,
 * the tracepoint, events of perf. watch.c does it.
 */
#include <linux/capability.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <compat/workqueue.h>

#include "plr.h"
#include "trace.h"

/* What the tracepoint and events of perf wish. */
#define PLR_DEFAULT_MS	100

/*
 * perf asks an event that could not count yet again at the interval of its
 * multiplexing. When it did not for so long after two of them, the event is
 * gone.
 */
#define PLR_WISH_NS	(250ULL * NSEC_PER_MSEC)

/*
 * An event begins with a look that was made for it. A wish for one is forgotten
 * after two of those intervals and the first time; an event that comes back
 * within the second one has only been scheduled anew.
 */
#define PLR_FIRST_LOOK_NS	(1ULL * NSEC_PER_SEC)
#define PLR_ANEW_NS		(10ULL * NSEC_PER_MSEC)

/*
 * A consumer that perf refuses after all comes and goes in microseconds: the
 * tracepoint's is looked at after this time only.
 */
#define PLR_TRACE_DELAY	DIV_ROUND_UP(HZ, 100)

/* Users of the tracepoint. Each has a reference to this module. */
static atomic_t plr_wish_traced = ATOMIC_INIT(0);

static void plr_wish_work(struct work_struct *work);

/*
 * Complete from the beginning: the tracepoint is there before this module's
 * init.
 */
static DECLARE_DELAYED_WORK(plr_look_dwork, plr_wish_work);
static DECLARE_DELAYED_WORK(plr_trace_dwork, plr_wish_work);

/*
 * The function of watch.c that looks at domains; NULL before there can be any
 * and after.
 */
static work_func_t plr_wish_look;

static void plr_wish_work(struct work_struct *work)
{
	work_func_t look = READ_ONCE(plr_wish_look);

	if (look)
		look(work);
}

static bool plr_wish_is_alive(const struct plr_saved *saved)
{
	u64 wished_ns = READ_ONCE(saved->wished_ns);

	return wished_ns && ktime_get_mono_fast_ns() - wished_ns <
			    PLR_WISH_NS + READ_ONCE(saved->patience_ns);
}

/**
 * plr_wish_interval() - how often to look at a domain
 * @saved: of the domain
 *
 * Return: milliseconds, the shortest that is wished, or 0.
 */
unsigned int plr_wish_interval(const struct plr_saved *saved)
{
	unsigned int ms = saved->interval_ms;

	if (ms && ms <= PLR_DEFAULT_MS)
		return ms;

	return atomic_read(&plr_wish_traced) || atomic_read(&saved->counting) ||
	       plr_wish_is_alive(saved) ? PLR_DEFAULT_MS : ms;
}

static void plr_wish_irq_fn(struct irq_work *irq_work)
{
	mod_delayed_work(system_dfl_wq, &plr_look_dwork, 0);
}

static DEFINE_IRQ_WORK(plr_wish_irq, plr_wish_irq_fn);

/* Did an event of the module begin to wait at @wished, and may still wait? */
static bool plr_wish_is_fresh(const struct plr_meter *meter, u64 wished,
			      u64 now)
{
	return wished && now - wished < PLR_FIRST_LOOK_NS +
					READ_ONCE(meter->saved->patience_ns);
}

/*
 * Has the module been observed since the event began, or since shortly before?
 */
static bool plr_wish_is_served(const struct plr_meter *meter, u64 now)
{
	u64 since = READ_ONCE(meter->since_ns),
	    wished = READ_ONCE(meter->wished_ns);

	if (!since)
		return false;
	if (atomic_read(&meter->counting) ||
	    now - READ_ONCE(meter->ended_ns) < PLR_ANEW_NS)
		return true;

	return plr_wish_is_fresh(meter, wished, now) && since >= wished;
}

/**
 * plr_wish_waits() - does an event wait for a look at the module?
 * @meter: of the module
 *
 * Return: false as well when it has not asked again for long: it was disabled
 * or has ended, which nothing tells of an event that did not count.
 */
bool plr_wish_waits(const struct plr_meter *meter)
{
	u64 wished = READ_ONCE(meter->wished_ns);

	/* The clock is read after the wish, which must not be of the future. */
	return plr_wish_is_fresh(meter, wished, ktime_get_mono_fast_ns());
}

/*
 * Ask for a look at the module of @meter, unless one was asked for not long
 * ago, and the domain has been watched since for all that is known.
 */
static void plr_wish_for(struct plr_meter *meter, u64 now)
{
	struct plr_saved *saved = meter->saved;
	bool alive = plr_wish_is_alive(saved);

	WRITE_ONCE(meter->asked_ns, now);
	WRITE_ONCE(saved->wished_ns, now);
	if (alive &&
	    plr_wish_is_fresh(meter, READ_ONCE(meter->wished_ns), now))
		return;
	WRITE_ONCE(meter->wished_ns, now);
	/* Pairs with plr_watch_hasten(). */
	xchg(&saved->hurry, true);
	irq_work_queue(&plr_wish_irq);
}

/*
 * Events of the module do not wait any more. The domain's wish may be that of
 * another module's event by now, which still waits.
 */
static void plr_wish_drop(struct plr_meter *meter)
{
	WRITE_ONCE(meter->wished_ns, 0);
	cmpxchg(&meter->saved->wished_ns, READ_ONCE(meter->asked_ns), 0);
}

/**
 * plr_wish_begin() - an event is to count
 * @meter: of its module
 * @retry_ms: the interval at which perf asks again, milliseconds
 *
 * Called with interrupts off and locks of the scheduler held, so the look that
 * begins its first interval is made by a work item that an interrupt starts.
 *
 * Return: 0, or -EAGAIN when that look has not been made, or has failed.
 */
int plr_wish_begin(struct plr_meter *meter, unsigned int retry_ms)
{
	struct plr_saved *saved = meter->saved;
	u64 now = ktime_get_mono_fast_ns();

	WRITE_ONCE(saved->patience_ns, 2ULL * retry_ms * NSEC_PER_MSEC);
	atomic_inc(&saved->counting);
	/* Pairs with plr_watch_update(). */
	smp_mb__after_atomic();
	if (plr_wish_is_served(meter, now)) {
		atomic_inc(&meter->counting);
		plr_wish_drop(meter);
		return 0;
	}
	atomic_dec(&saved->counting);
	plr_wish_for(meter, now);

	return -EAGAIN;
}

/**
 * plr_wish_end() - an event that counted does not any more
 * @meter: of its module
 *
 * With interrupts off. The next tick finds that there is no consumer, unless
 * the event has come back, as it does when perf schedules all events anew.
 */
void plr_wish_end(struct plr_meter *meter)
{
	WRITE_ONCE(meter->ended_ns, ktime_get_mono_fast_ns());
	atomic_dec(&meter->counting);
	atomic_dec(&meter->saved->counting);
}

/**
 * plr_wish_close() - an event is gone
 * @meter: of its module
 *
 * What it wished for is forgotten; another event of the module that waits
 * wishes again.
 */
void plr_wish_close(struct plr_meter *meter)
{
	plr_wish_drop(meter);
	mod_delayed_work(system_dfl_wq, &plr_look_dwork, 0);
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
	atomic_inc(&plr_wish_traced);
	queue_delayed_work(system_dfl_wq, &plr_trace_dwork, PLR_TRACE_DELAY);

	return 0;
}

void plr_trace_unreg(void)
{
	atomic_dec(&plr_wish_traced);
	mod_delayed_work(system_dfl_wq, &plr_look_dwork, 0);
	module_put(THIS_MODULE);
}

/**
 * plr_wish_pins() - references to this module that it has itself
 *
 * Return: how many.
 */
const atomic_t *plr_wish_pins(void)
{
	return &plr_wish_traced;
}

/**
 * plr_wish_look_in() - domains are to be looked at
 * @delay: in so many jiffies
 */
void plr_wish_look_in(unsigned long delay)
{
	mod_delayed_work(system_dfl_wq, &plr_look_dwork, delay);
}

/**
 * plr_wish_start() - before anything else
 * @look: looks at domains
 */
void __init plr_wish_start(work_func_t look)
{
	WRITE_ONCE(plr_wish_look, look);
}

/**
 * plr_wish_stop() - no file and no event is left that could wish
 */
void plr_wish_stop(void)
{
	irq_work_sync(&plr_wish_irq);
	cancel_delayed_work_sync(&plr_trace_dwork);
	cancel_delayed_work_sync(&plr_look_dwork);
}
