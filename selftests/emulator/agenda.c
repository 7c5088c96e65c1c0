// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limit the modules of a PLR instance by a schedule or at random, and keep the
 * truth about each limit.
 *
 * A span is a limit with a start and an end.  Like firmware's control loop, a
 * span sets its bits at the start and again at each step.  A random limit sets
 * its bits once; its entry in the log shows if software has read the bits, or
 * has cleared the bits unread.  Each access to the instance first sets the bits
 * that have come due since the last access.
 */
#include "qemu/osdep.h"
#include "pmon.h"

#define COARSE_BITS	10	/* coarse bits with a name in Intel's PLR interface text */
#define FINE_BITS	30

struct span {
	bool mesh;
	unsigned int module;
	uint64_t bits;
	int64_t from, to;
};

enum entry_state { WAITING, READ, LOST };

/* A random limit. */
struct entry {
	int64_t when, seen;
	bool mesh;
	unsigned int module;
	uint64_t bits;
	enum entry_state state;
	bool window;	/* if LOST: limit came between a read of the module and clear */
};

struct pmon_agenda {
	GArray *spans, *log;
	unsigned int first_waiting;	/* index in the log */
	int64_t done;			/* limits are applied up to this time */
	int64_t epoch;			/* start of the truth */
	uint64_t random, mean, left;
	int64_t next;
	/* for each module: have its bits been read since their last write? */
	bool was_read[2][PMON_PLR_MODULES];
};

uint64_t pmon_agenda_step = 1000000;

static struct pmon_agenda *agenda_of(struct pmon_plr *p)
{
	struct pmon_agenda *a = p->agenda;

	if (a)
		return a;
	a = g_new0(struct pmon_agenda, 1);
	a->spans = g_array_new(false, false, sizeof(struct span));
	a->log = g_array_new(false, false, sizeof(struct entry));
	a->done = pmon_now();
	p->agenda = a;
	return a;
}

/* ---- spans ---------------------------------------------------------------- */

/* True if the span has a step in (after, until]. */
static bool span_steps(const struct span *s, int64_t after, int64_t until)
{
	int64_t step = pmon_agenda_step, t = s->from;

	if (t <= after)
		t += ((after - t) / step + 1) * step;
	return t <= until && t < s->to;
}

static void advance_spans(struct pmon_plr *p, int64_t until)
{
	struct pmon_agenda *a = p->agenda;
	unsigned int i;

	for (i = 0; i < a->spans->len; i++) {
		const struct span *s = &g_array_index(a->spans, struct span, i);

		if (span_steps(s, a->done, until))
			pmon_plr_raise(p, s->mesh, s->module, s->bits);
	}
}

void pmon_agenda_add(struct pmon_plr *p, bool mesh, unsigned int module,
		     uint64_t bits, int64_t from, int64_t to)
{
	struct span s = { mesh, module, bits, from, to };

	g_array_append_val(agenda_of(p)->spans, s);
}

/* ---- random limits -------------------------------------------------------- */

/* xorshift64*: the same seed gives the same limits on any host. */
static uint64_t draw(struct pmon_agenda *a, uint64_t below)
{
	a->random ^= a->random >> 12;
	a->random ^= a->random << 25;
	a->random ^= a->random >> 27;
	return (a->random * 0x2545f4914f6cdd1dull >> 33) % below;
}

static void raise_random(struct pmon_plr *p)
{
	struct pmon_agenda *a = p->agenda;
	struct entry e = { .when = a->next };

	e.mesh = p->meshes && p->mesh_mode == PMON_MESH_OK && !draw(a, 8);
	e.module = draw(a, e.mesh ? p->meshes : p->modules);
	if (!e.mesh)
		e.module = pmon_plr_nth(p, e.module);
	e.bits = 1ull << draw(a, COARSE_BITS);
	if (draw(a, 2))
		e.bits |= 1ull << (32 + draw(a, FINE_BITS));
	pmon_plr_raise(p, e.mesh, e.module, e.bits);
	g_array_append_val(a->log, e);
	a->next += 1 + draw(a, 2 * a->mean);
	a->left--;
}

void pmon_agenda_random(struct pmon_plr *p, uint64_t seed, uint64_t mean_ns,
			uint64_t count)
{
	struct pmon_agenda *a = agenda_of(p);

	if (!p->modules)
		return;
	a->random = (seed ^ 0x9e3779b97f4a7c15ull) | 1;
	a->mean = MAX(mean_ns, 1);
	a->next = pmon_now() + 1 + draw(a, 2 * a->mean);
	a->left = count;
}

/* Return a module's next WAITING entry, from *i on; NULL if there is none. */
static struct entry *next_waiting(struct pmon_agenda *a, bool mesh,
				  unsigned int module, unsigned int *i)
{
	for (; *i < a->log->len; ++*i) {
		struct entry *e = &g_array_index(a->log, struct entry, *i);

		if (e->state != WAITING && *i == a->first_waiting)
			a->first_waiting++;
		if (e->state == WAITING && e->mesh == mesh && e->module == module)
			return e;
	}
	return NULL;
}

void pmon_agenda_read(struct pmon_plr *p, bool mesh, unsigned int module)
{
	struct pmon_agenda *a = p->agenda;
	struct entry *e;
	unsigned int i;

	if (!a)
		return;
	a->was_read[mesh][module] = true;
	for (i = a->first_waiting; (e = next_waiting(a, mesh, module, &i)); i++) {
		e->state = READ;
		e->seen = a->done;
	}
}

/* Mark lost limits; called before the module's bits become "value". */
void pmon_agenda_written(struct pmon_plr *p, bool mesh, unsigned int module,
			 uint64_t value)
{
	struct pmon_agenda *a = p->agenda;
	struct entry *e;
	unsigned int i;

	if (!a)
		return;
	for (i = a->first_waiting; (e = next_waiting(a, mesh, module, &i)); i++) {
		if (!(e->bits & ~value))
			continue;
		e->state = LOST;
		e->seen = a->done;
		e->window = a->was_read[mesh][module];
	}
	a->was_read[mesh][module] = false;
}

/* ---- time ----------------------------------------------------------------- */

static void apply(struct pmon_plr *p, int64_t until)
{
	struct pmon_agenda *a = p->agenda;

	if (!a || until <= a->done)
		return;
	advance_spans(p, until);
	while (a->left && a->next <= until)
		raise_random(p);
	a->done = until;
}

static int64_t last_multiple(uint64_t lag, int64_t until)
{
	return lag ? until - until % (int64_t)lag : 0;
}

/* Apply limits up to the last multiple of each lag, and let software see these. */
static void apply_lagging(struct pmon_plr *p, int64_t until)
{
	int64_t die = last_multiple(p->die_lag_ns, until);
	int64_t module = last_multiple(p->module_lag_ns, until);

	apply(p, MIN(die, module));
	pmon_plr_catch_up(p, MIN(die, module));
	apply(p, MAX(die, module));
	pmon_plr_catch_up(p, MAX(die, module));
}

void pmon_agenda_advance(struct pmon_plr *p, int64_t until)
{
	apply_lagging(p, until);
	apply(p, until);
	pmon_plr_latch(p, until, pmon_agenda_step);
}

void pmon_agenda_stop(struct pmon_plr *p)
{
	if (!p->agenda)
		return;
	p->agenda->left = 0;
	p->agenda->first_waiting = 0;
	g_array_set_size(p->agenda->spans, 0);
	g_array_set_size(p->agenda->log, 0);
}

/* ---- the truth ------------------------------------------------------------ */

void pmon_agenda_reset_truth(struct pmon_plr *p)
{
	if (p->agenda)
		p->agenda->epoch = pmon_now();
}

static int by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Return the time since the epoch in which at least one span set the bit. */
static int64_t in_force(const struct pmon_agenda *a, const struct span *like,
			unsigned int bit, int64_t now)
{
	int64_t sum = 0, behind = a->epoch;
	unsigned int i;

	for (i = 0; i < a->spans->len; i++) {
		const struct span *s = &g_array_index(a->spans, struct span, i);
		int64_t from = MAX(s->from, behind), to = MIN(s->to, now);

		if (s->mesh != like->mesh || s->module != like->module ||
		    !(s->bits >> bit & 1) || to <= from)
			continue;
		sum += to - from;
		behind = to;
	}
	return sum;
}

static void module_truth(const struct pmon_agenda *a, const struct span *like,
			 const char *name, GString *out)
{
	int64_t ns, now = pmon_now();
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		ns = in_force(a, like, bit, now);
		if (ns)
			g_string_append_printf(out, "%s=%s/%u bit=%u ns=%" PRId64 "\n",
					       like->mesh ? "mesh" : "plr", name,
					       like->module, bit, ns);
	}
}

/* Print a line for each bit that was in force since the epoch. */
void pmon_agenda_truth(struct pmon_plr *p, const char *name, GString *out)
{
	struct pmon_agenda *a = p->agenda;
	unsigned int i, k;

	if (!a)
		return;
	qsort(a->spans->data, a->spans->len, sizeof(struct span), by_start);
	for (i = 0; i < a->spans->len; i++) {
		const struct span *s = &g_array_index(a->spans, struct span, i);

		for (k = 0; k < i; k++) {	/* skip modules of earlier spans */
			const struct span *t = &g_array_index(a->spans, struct span, k);

			if (t->mesh == s->mesh && t->module == s->module)
				break;
		}
		if (k == i)
			module_truth(a, s, name, out);
	}
}

void pmon_agenda_log(struct pmon_plr *p, const char *name, GString *out)
{
	static const char *const state[] = { "waiting", "read", "lost" };
	unsigned int i;

	for (i = 0; p->agenda && i < p->agenda->log->len; i++) {
		const struct entry *e = &g_array_index(p->agenda->log, struct entry, i);

		g_string_append_printf(out, "ns=%" PRId64 " %s=%s/%u value=0x%016"
				       PRIx64 " state=%s at=%" PRId64 " window=%d\n",
				       e->when, e->mesh ? "mesh" : "plr", name,
				       e->module, e->bits, state[e->state], e->seen,
				       e->window);
	}
}
