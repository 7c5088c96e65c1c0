// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implement perf's callbacks, and keep the list of the open events of each PMU:
 * count them, fail those whose hardware has gone, move them when the designated
 * CPU changes.
 *
 * Between pmu_disable and pmu_enable perf takes events off and puts events on,
 * often the same ones; all of it is only noted, and the hardware is changed
 * once, in the outermost pmu_enable. perf does this on the CPU of the events
 * with interrupts off.
 *
 * &pmon_pmu.lock protects the list. perf's callbacks take it with the lock of a
 * context held, so it is held over no call of perf and while no task is woken.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/llist.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include <compat/perf.h>

#include "core.h"
#include "perf_private.h"

static struct perf_event *pmon_open_perf(struct pmon_open_event *open)
{
	return pmon_event_perf(&container_of(open, struct pmon_hw_event,
					     open)->event);
}

/* ---- events whose CPU changes ------------------------------------------ */

/* Open events by CPU, so that a CPU without any goes offline at once. */
static DEFINE_PER_CPU(atomic_t, pmon_cpu_events);

/* An event that is being opened or closed may be missed. */
bool pmon_cpu_has_events(unsigned int cpu)
{
	return atomic_read(per_cpu_ptr(&pmon_cpu_events, cpu));
}

/*
 * perf_pmu_migrate_context() enables all events that it moves. So note which of
 * them are off, and groups that a leader of another PMU (a software event)
 * keeps off. Interrupts are off, which is an RCU reader, too.
 */
static void pmon_event_note_off(struct pmon_open_event *open)
{
	struct perf_event *event = pmon_open_perf(open);
	struct perf_event *leader = pmon_event_leader(event);

	open->is_off = pmon_event_is_off(event);
	open->leader_is_off = leader->pmu != event->pmu &&
			      pmon_event_is_off(leader);
}

/*
 * On the old CPU: an event that is on now was enabled by its user. 6.1 changes
 * the state of an event before its CPU, but disables no PMU on the old CPU
 * while it moves its events.
 */
static void pmon_event_check_enabled(struct pmon_open_event *open,
				     unsigned int cpu)
{
	struct perf_event *event = pmon_open_perf(open);
	bool is_off = pmon_event_is_off(event);
	bool leader_is_off = pmon_event_is_off(pmon_event_leader(event));

	/* From 6.2 on perf changes the CPU of an event, and then its state. */
	smp_rmb();
	if (READ_ONCE(event->cpu) != cpu)
		return;
	open->is_off &= is_off;
	open->leader_is_off &= leader_is_off;
}

/* On the new CPU: disable again what perf has enabled, and only once. */
static void pmon_event_put_back(struct pmon_open_event *open, unsigned int cpu)
{
	struct perf_event *event = pmon_open_perf(open), *sibling;
	struct perf_event *leader = pmon_event_leader(event);

	if (READ_ONCE(event->cpu) != cpu)
		return;
	if (open->is_off && pmon_event_set_off(event))
		open->is_off = false;
	if (!open->leader_is_off || leader == event ||
	    !pmon_event_set_off(leader))
		return;
	for_each_sibling_event(sibling, leader)
		if (sibling->pmu == event->pmu)
			pmon_hw(sibling)->open.leader_is_off = false;
}

static noinline void pmon_pmu_check_off(struct pmon_pmu *pmu)
{
	unsigned int cpu = smp_processor_id();
	struct pmon_open_event *open;

	guard(raw_spinlock)(&pmu->lock);
	if (!pmu->moving)
		return;
	hlist_for_each_entry(open, &pmu->events, node) {
		if (cpu == pmu->old_cpu)
			pmon_event_check_enabled(open, cpu);
		else
			pmon_event_put_back(open, cpu);
	}
}

/*
 * In pmu_disable(), which perf calls with the lock of the CPU's context held:
 * whenever it has enabled an event, or installed one, and before it adds any.
 * So an event that is off is neither added nor fails, pinned ones included, and
 * its user can enable it as soon as perf gives back the mutex of the context.
 */
void pmon_pmu_check_moved(struct pmon_pmu *pmu)
{
	lockdep_assert_irqs_disabled();
	/* pmon_pmu_check_off() looks again, with the lock. */
	if (unlikely(data_race(pmu->moving)))
		pmon_pmu_check_off(pmu);
}

/* How many events of @pmu were on @from. */
struct pmon_move {
	struct pmon_pmu *pmu;
	unsigned int from;
	unsigned int events;
};

/* Runs on the old CPU with interrupts off: there perf enables these events. */
static void pmon_pmu_note_off(void *data)
{
	struct pmon_move *move = data;
	struct pmon_pmu *pmu = move->pmu;
	struct pmon_open_event *open;

	guard(raw_spinlock)(&pmu->lock);
	pmu->old_cpu = move->from;
	WRITE_ONCE(pmu->moving, true);
	hlist_for_each_entry(open, &pmu->events, node) {
		if (READ_ONCE(pmon_open_perf(open)->cpu) != move->from)
			continue;
		move->events++;
		pmon_event_note_off(open);
	}
}

static unsigned int pmon_pmu_begin_move(struct pmon_pmu *pmu, unsigned int from)
{
	struct pmon_move move = { .pmu = pmu, .from = from };

	smp_call_function_single(from, pmon_pmu_note_off, &move, true);
	return move.events;
}

static void pmon_pmu_end_move(struct pmon_pmu *pmu, unsigned int from)
{
	struct pmon_open_event *open;

	guard(raw_spinlock_irq)(&pmu->lock);
	WRITE_ONCE(pmu->moving, false);
	hlist_for_each_entry(open, &pmu->events, node) {
		unsigned int cpu = READ_ONCE(pmon_open_perf(open)->cpu);

		open->is_off = false;
		open->leader_is_off = false;
		if (open->cpu == from && cpu != from) {
			atomic_dec(per_cpu_ptr(&pmon_cpu_events, from));
			atomic_inc(per_cpu_ptr(&pmon_cpu_events, cpu));
			open->cpu = cpu;
		}
	}
}

/*
 * Move the events of a PMU from one CPU to another, which is online and reaches
 * their boxes. The caller holds pmon_mutex.
 *
 * perf of Linux 6.2 to 7.2, but for the last 6.12, moves one event or group
 * each time, because it looks for the next one from one that it has just taken
 * off the tree. So it is called until no event is left, at most as often as
 * there were events.
 */
void pmon_pmu_move_events(struct pmon_pmu *pmu, unsigned int from,
			  unsigned int to)
{
	unsigned int tries = pmon_pmu_begin_move(pmu, from);

	while (tries) {
		perf_pmu_migrate_context(&pmu->pmu, from, to);
		if (!--tries || !pmon_pmu_begin_move(pmu, from))
			break;
	}
	pmon_pmu_end_move(pmu, from);
}

/* ---- events are opened and closed ---------------------------------------- */

/*
 * Bit 22 of a PMON control is an enable bit that newer boxes ignore. Programs
 * that write controls themselves (pcm) set it in config, too, and intel_uncore
 * masks it off: accept and ignore it where no term has it.
 */
#define PMON_ENABLE_BIT		BIT_ULL(22)

/*
 * Where a PMU stays with perf its module is the core, and this takes a
 * reference to the driver; elsewhere perf has it. No PMU of ours can sample
 * (there is no interrupt), record branches or count for a task (counters are
 * the machine's). A bit of configuration that no term has would be dropped
 * silently.
 */
int pmon_event_begin_open(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	const struct perf_event_attr *attr = &event->attr;

	if (attr->type != pmu->pmu.type)
		return -ENOENT;

	guard(raw_spinlock_irq)(&pmu->lock);
	if (!pmu->registered || pmu->dead)
		return -ENODEV;
	if (attr->config & ~(pmu->covered[0] | PMON_ENABLE_BIT) ||
	    attr->config1 & ~pmu->covered[1] ||
	    attr->config2 & ~pmu->covered[2])
		return -EINVAL;
	if (attr->sample_period || attr->branch_sample_type ||
	    event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)
		return pmu->type->refusal ?: -EINVAL;
	if (compat_attr_more_config(attr))
		return -EINVAL;
	return COMPAT_PMU_STAYS && !try_module_get(pmu->owner) ? -ENODEV : 0;
}

/* The event is not opened after all, or was closed. */
void pmon_event_abort_open(struct perf_event *event)
{
	if (COMPAT_PMU_STAYS)
		module_put(to_pmon_pmu(event->pmu)->owner);
}

static void pmon_event_destroy(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_open_event *open = &pmon_hw(event)->open;
	struct pmon_box *box = open->box;
	bool last;

	if (!box)
		pmu->soft->close(event);
	else if (atomic_dec_and_test(&box->place->open))
		pmon_timer_end(box->place);
	scoped_guard(raw_spinlock_irq, &pmu->lock) {
		/* Not poisoned: it goes with the event. */
		__hlist_del(&open->node);
		atomic_dec(per_cpu_ptr(&pmon_cpu_events, open->cpu));
		last = pmu->dead && hlist_empty(&pmu->events);
	}
	if (unlikely(last))
		queue_work(pmon_workqueue, &pmu->unregister_work);
	pmon_event_abort_open(event);
}

/*
 * The last step of a successful event_init, unless the device of the PMU has
 * gone meanwhile, or sleeps. The CPU of @event is the designated one.
 */
int pmon_event_open(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_open_event *open = &pmon_hw(event)->open;
	struct pmon_box *box = open->box;

	scoped_guard(raw_spinlock_irq, &pmu->lock) {
		if (!pmu->registered || pmu->dead)
			return -ENODEV;
		if (box && (READ_ONCE(box->bank.state) == PMON_BOX_D3 ?
			    pmon_box_reads_d3(box) : pmon_box_is_in_d3(box)))
			return -ENXIO;

		*open = (struct pmon_open_event) {
			.box = box, .cpu = event->cpu,
		};
		hlist_add_head(&open->node, &pmu->events);
		if (pmu->moving && open->cpu == pmu->old_cpu)
			pmon_event_note_off(open);
		atomic_inc(per_cpu_ptr(&pmon_cpu_events, open->cpu));
		event->destroy = pmon_event_destroy;
	}
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	if (box) {
		atomic_inc(&box->place->open);
		/* Pairs with pmon_timer_end(). */
		smp_mb__after_atomic();
	}
	return 0;
}

/* In add(): perf has installed it. */
void pmon_event_enter(struct perf_event *event)
{
	struct pmon_open_event *open = &pmon_hw(event)->open;

	if (unlikely(!open->added))
		WRITE_ONCE(open->added, true);
}

/* ---- counting ----------------------------------------------------------- */

static void pmon_perf_disable(struct pmu *pmu)
{
	this_cpu_inc(to_pmon_pmu(pmu)->cpu_state->depth);
	pmon_pmu_check_moved(to_pmon_pmu(pmu));
}

static void pmon_perf_enable(struct pmu *pmu)
{
	struct pmon_cpu_state *cpu_state;
	struct pmon_hw_event *deleted;
	struct pmon_box *box;

	lockdep_assert_irqs_disabled();
	cpu_state = this_cpu_ptr(to_pmon_pmu(pmu)->cpu_state);
	if (--cpu_state->depth)
		return;

	box = cpu_state->box;
	if (!box)
		return;
	deleted = cpu_state->deleted;
	cpu_state->box = NULL;
	cpu_state->deleted = NULL;
	pmon_box_apply(box, deleted);
}

static void pmon_perf_start_txn(struct pmu *pmu, unsigned int txn)
{
	struct pmon_pmu *p = to_pmon_pmu(pmu);

	this_cpu_write(p->cpu_state->txn, txn);
	if (txn & PERF_PMU_TXN_ADD)
		this_cpu_inc(p->cpu_state->depth);
}

static void pmon_perf_cancel_txn(struct pmu *pmu)
{
	struct pmon_pmu *p = to_pmon_pmu(pmu);
	unsigned int txn = this_cpu_read(p->cpu_state->txn);

	this_cpu_write(p->cpu_state->txn, 0);
	if (txn & PERF_PMU_TXN_ADD)
		pmon_perf_enable(pmu);
}

static int pmon_perf_commit_txn(struct pmu *pmu)
{
	pmon_perf_cancel_txn(pmu);
	return 0;
}

/*
 * An idle box has no tick. One that does not respond is probed when an event is
 * added for the first time, and so often at most when perf adds it again.
 */
#define PMON_PROBE_NS		250000000ULL

/* Give the event a counter, if its box is there and can count. */
static int pmon_event_add(struct pmon_box *box, struct pmon_event *event,
			  bool first)
{
	struct pmon_bank *bank = &box->bank;
	int ret;

	lockdep_assert_held(&box->lock);
	if (bank->state == PMON_BOX_D3 && !pmon_box_reads_d3(box))
		pmon_box_set_ready(box);
	if (bank->state > PMON_BOX_UNRESPONSIVE)
		return -ENODEV;
	if (unlikely(bank->state == PMON_BOX_UNRESPONSIVE) &&
	    ((!first &&
	      bank->ops->clock() - bank->probed < PMON_PROBE_NS) ||
	     !pmon_bank_probe(bank)))
		return -EIO;
	if (!bank->taken) {
		ret = pmon_global_start(box);
		if (ret)
			return ret;
	}
	return pmon_bank_add(bank, event) ? 0 : -EAGAIN;
}

static int pmon_perf_add(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->open.box;
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(box->pmu->cpu_state);
	bool first = !READ_ONCE(hw->open.added);
	int ret;

	pmon_event_enter(event);
	scoped_guard(pmon_box, box) {
		for (; cpu_state->deleted;
		     cpu_state->deleted = cpu_state->deleted->open.deleted)
			pmon_bank_del(&box->bank, &cpu_state->deleted->event);
		ret = pmon_event_add(box, &hw->event, first);
	}
	/* perf has disabled the PMU, and enables it once it has added all. */
	cpu_state->box = box;
	return ret;
}

/* perf has disabled the PMU, and enables it before the event can be freed. */
static void pmon_perf_del(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(pmu->cpu_state);

	cpu_state->box = hw->open.box;
	hw->open.deleted = cpu_state->deleted;
	cpu_state->deleted = hw;
}

/*
 * perf adds events with PERF_EF_START, and stops one that it does not take off
 * only because of samples: since 6.16 all of a group whose leader, a clock for
 * one, has taken too many, until the next tick. A counter need not rest, and
 * would miss what happens meanwhile.
 */
void pmon_perf_start_or_stop(struct perf_event *event, int flags)
{
}

/*
 * perf reads a group leader first, inside a transaction. If the leader says
 * snapshot=1, all of the group is read then and the siblings need not be. (Not
 * inline: else each reading saves registers for it.)
 */
static noinline void pmon_read_group(struct pmon_box *box,
				     struct perf_event *event)
{
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(box->pmu->cpu_state);
	struct perf_event *leader = event->group_leader, *sibling;
	int counter = pmon_hw(event)->event.counted_on;
	u64 slots = counter < 0 ? 0 : BIT_ULL(counter);

	lockdep_assert_held(&box->lock);
	if (cpu_state->txn & PMON_TXN_WAS_READ)
		return;
	if (!(cpu_state->txn & PERF_PMU_TXN_READ) || event != leader) {
		pmon_bank_read(&box->bank, slots);
		return;
	}

	for_each_sibling_event(sibling, leader) {
		counter = pmon_hw(sibling)->event.counted_on;
		if (sibling->pmu == leader->pmu && counter >= 0)
			slots |= BIT_ULL(counter);
	}
	pmon_bank_snapshot(&box->bank, slots);
	cpu_state->txn |= PMON_TXN_WAS_READ;
}

/*
 * Also called on another CPU of the package, in an NMI, which does not wait for
 * a lock, and where this CPU holds one, see pmon_box_lock(): the last count is
 * all that there is then.
 */
static void pmon_perf_read(struct perf_event *event)
{
	const struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->open.box;

	if (unlikely(raw_cpu_read(pmon_box_locks)))
		return;
	if (likely(!in_nmi())) {
		pmon_box_lock(box);
	} else {
		if (!box->bank.regs.ops->nmi_safe ||
		    !raw_spin_trylock(&box->lock))
			return;
		raw_cpu_inc(pmon_box_locks);
	}
	if (unlikely(hw->event.snapshot && !in_nmi()))
		pmon_read_group(box, event);
	else if (hw->event.counted_on >= 0)
		pmon_bank_read(&box->bank, BIT_ULL(hw->event.counted_on));
	pmon_box_unlock(box);
}

/* ---- opening ------------------------------------------------------------ */

/* Add an event to a box that is empty but for the group; false: no counter. */
static bool pmon_group_add(struct pmon_event **assigned, u64 *taken,
			   struct perf_event *other,
			   const struct perf_event *event)
{
	struct pmon_event *added = &pmon_hw(other)->event;
	u64 moved;

	if (other->pmu != event->pmu)
		return true;
	/* Any number of events can share such a counter. */
	if (added->free_running)
		return added->allowed;
	moved = pmon_assign(assigned, *taken, added, 0, 0);
	*taken |= moved;
	return moved;
}

/* Could the group ever be counted together, those that are off included? */
static bool pmon_group_fits(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader;
	/* Of 64 counters only those that are taken are looked at. */
	struct pmon_event *assigned[PMON_SLOTS_MAX] __uninitialized;
	struct perf_event *sibling;
	u64 taken = 0;

	if (!pmon_group_add(assigned, &taken, event, event))
		return false;
	if (leader == event)
		return true;
	if (!pmon_group_add(assigned, &taken, leader, event))
		return false;
	for_each_sibling_event(sibling, leader)
		if (!pmon_group_add(assigned, &taken, sibling, event))
			return false;
	return true;
}

static int pmon_event_describe(struct perf_event *event, struct pmon_box *box)
{
	const struct pmon_pmu *pmu = box->pmu;
	const struct perf_event *leader = event->group_leader;
	struct pmon_event *described = &pmon_hw(event)->event;
	unsigned int word = pmu->type->snapshot_word ?: 2;
	u64 config[PMON_CONFIG_WORDS] = {
		event->attr.config & pmu->covered[0],
		event->attr.config1, event->attr.config2,
	};
	bool snapshot;
	int ret;

	snapshot = leader->pmu == event->pmu && PMON_SNAPSHOT_MASK &
		   (word == 1 ? leader->attr.config1 : leader->attr.config2);
	config[word] &= ~PMON_SNAPSHOT_MASK;
	ret = pmon_event_encode(described, pmu->type, &box->bank.layout,
				config);
	if (ret)
		return ret;
	/* A free-running counter cannot be frozen. */
	if (described->free_running && snapshot)
		return -EINVAL;
	/* Bits that the control register does not have. */
	if (box->bank.layout.ctl_bytes == 4 && described->ctl >> 32)
		return -EINVAL;

	described->snapshot = snapshot;
	return pmon_group_fits(event) ? 0 : -EINVAL;
}

/*
 * Find the box that an event counts on, and move it to the designated CPU. An
 * event without a CPU, or of a box in D3, must not end the `perf stat` of a
 * wildcard, which counts on other boxes: perf before 7.3 shows <not supported>
 * for ENXIO and goes on, and gives up for ENODEV.
 */
static int pmon_event_settle(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_box *box = pmon_box_of_cpu(pmu, event->cpu);
	enum pmon_box_state state;
	int cpu;

	if (!box)
		return -EINVAL;

	state = READ_ONCE(box->bank.state);
	cpu = READ_ONCE(box->place->cpu);
	if (cpu < 0 || state == PMON_BOX_NO_CPU)
		return -ENXIO;
	if (state == PMON_BOX_REMOVED)
		return -ENODEV;

	event->cpu = cpu;
	pmon_hw(event)->open.box = box;
	return pmon_event_describe(event, box) ?: pmon_global_open(box);
}

static int pmon_perf_event_init(struct perf_event *event)
{
	int ret = pmon_event_begin_open(event);

	if (ret)
		return ret;

	ret = pmon_event_settle(event) ?: pmon_event_open(event);
	if (ret)
		pmon_event_abort_open(event);
	return ret;
}

/*
 * Not PERF_PMU_CAP_NO_INTERRUPT: perf of 6.12 would not let go on what it has
 * throttled among the events of such a PMU, and a software event that leads
 * some of ours is one of them. What samples is refused in event_init.
 */
const struct pmu pmon_perf_callbacks = {
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
	.pmu_enable = pmon_perf_enable,
	.pmu_disable = pmon_perf_disable,
	.event_init = pmon_perf_event_init,
	.add = pmon_perf_add,
	.del = pmon_perf_del,
	.start = pmon_perf_start_or_stop,
	.stop = pmon_perf_start_or_stop,
	.read = pmon_perf_read,
	.start_txn = pmon_perf_start_txn,
	.commit_txn = pmon_perf_commit_txn,
	.cancel_txn = pmon_perf_cancel_txn,
};

/* ---- events that fail: the work item ------------------------------------ */

/* The next event that is to fail, with a reference; a closed one is not. */
static struct perf_event *pmon_pmu_next_to_fail(struct pmon_pmu *pmu)
{
	struct pmon_open_event *open;

	guard(raw_spinlock_irq)(&pmu->lock);
	hlist_for_each_entry(open, &pmu->events, node) {
		if (!open->to_fail)
			continue;
		if (pmon_event_get(pmon_open_perf(open)))
			return pmon_open_perf(open);
		open->to_fail = false;
	}
	return NULL;
}

/* If that is another event. perf frees events after an RCU grace period. */
static struct perf_event *pmon_event_get_leader(struct perf_event *event)
{
	struct perf_event *leader;

	rcu_read_lock();
	leader = pmon_event_leader(event);
	if (leader == event || !pmon_event_get(leader))
		leader = NULL;
	rcu_read_unlock();
	return leader;
}

static void pmon_event_fail(struct perf_event *event)
{
	perf_event_disable(event);
	pmon_event_set_failed(event);
}

/*
 * perf reports the counts of a group, read by its leader, as counted for as
 * long as the leader was: so the leader fails, too.
 */
static void pmon_event_fail_group(struct perf_event *event)
{
	struct perf_event *leader = pmon_event_get_leader(event);

	if (leader) {
		pmon_event_fail(leader);
		pmon_event_put(leader);
	}
	pmon_event_fail(event);
}

/* Closing an event does not wait for this. */
void pmon_pmu_events_work(struct work_struct *work)
{
	struct pmon_pmu *pmu = container_of(work, struct pmon_pmu, events_work);
	struct perf_event *event;

	while ((event = pmon_pmu_next_to_fail(pmu))) {
		pmon_event_fail_group(event);
		if (!pmu->soft)
			WRITE_ONCE(pmon_hw(event)->event.failed, false);
		scoped_guard(raw_spinlock_irq, &pmu->lock)
			pmon_hw(event)->open.to_fail = false;
		pmon_event_put(event);
	}
}

/*
 * Fail open events soon: those that @which returns true for, with the PMU's
 * lock held, or all. pmon_pmu_flush() waits for it. Only events that perf has
 * installed fail; add() refuses the others while their box has no hardware.
 */
void pmon_pmu_fail_events(struct pmon_pmu *pmu, pmon_event_match_t which,
			  const void *data)
{
	struct pmon_open_event *open;
	bool any = false;

	scoped_guard(raw_spinlock_irq, &pmu->lock) {
		hlist_for_each_entry(open, &pmu->events, node) {
			if (!READ_ONCE(open->added) ||
			    (which && !which(pmon_open_perf(open), data)))
				continue;
			open->to_fail = true;
			any = true;
		}
	}
	if (any)
		queue_work(pmon_workqueue, &pmu->events_work);
}

/* Events of which pmon_event_lost() has more to do. */
static DEFINE_PER_CPU(struct llist_head, pmon_lost_events);

/*
 * Runs as soon as interrupts are enabled. perf frees an event after an RCU
 * grace period, and so not before this.
 */
static void pmon_set_lost_events(struct irq_work *irq)
{
	struct llist_head *events = this_cpu_ptr(&pmon_lost_events);
	struct pmon_open_event *open, *next;

	llist_for_each_entry_safe(open, next, llist_del_all(events), lost) {
		struct perf_event *event = pmon_open_perf(open);

		pmon_event_set_failed(event);
		pmon_event_set_failed(READ_ONCE(event->group_leader));
		/* From here on it can be in a list again. */
		smp_store_release(&open->is_lost, false);
	}
}

static DEFINE_PER_CPU(struct irq_work, pmon_lost_work);

/*
 * The last reading of @event was refused. The work item fails it soon, but perf
 * stat disables its events and reads them, by the leader of a group, at once.
 * perf notes that an event is off after it called del(), and Linux before 6.2
 * after it enabled the PMU.
 */
void pmon_event_lost(struct perf_event *event)
{
	struct pmon_open_event *open = &pmon_hw(event)->open;

	lockdep_assert_irqs_disabled();
	pmon_event_set_failed(READ_ONCE(event->group_leader));
	if (pmon_event_set_failed(event) || open->is_lost)
		return;
	open->is_lost = true;
	llist_add(&open->lost, this_cpu_ptr(&pmon_lost_events));
	irq_work_queue(this_cpu_ptr(&pmon_lost_work));
}
EXPORT_SYMBOL_GPL(pmon_event_lost);

/* A module's loader relocates nothing that is per CPU. */
void pmon_event_init(void)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(pmon_set_lost_events);
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(pmon_lost_work, cpu) = work;
}

void pmon_event_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&pmon_lost_work, cpu));
}

/* ---- what the counters need --------------------------------------------- */

static void pmon_bank_reports(struct pmon_bank *bank)
{
	pmon_report_soon();
}

static void pmon_bank_lost_reading(struct pmon_event *event)
{
	pmon_event_lost(pmon_event_perf(event));
}

const struct pmon_bank_ops pmon_bank_ops = {
	.count = offsetof(struct perf_event, count) -
		 offsetof(struct perf_event, hw),
	.report = pmon_bank_reports,
	.lost = pmon_bank_lost_reading,
	.clock = ktime_get_mono_fast_ns,
	.slept = pmon_slept,
	.ticks = &jiffies_64,
	.second = HZ,
};
