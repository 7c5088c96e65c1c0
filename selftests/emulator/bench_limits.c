// SPDX-License-Identifier: GPL-2.0-only
/* Run bench commands for TPMI features. */
#include "qemu/osdep.h"
#include "pmon.h"
#include "bench.h"

/* plr|mesh PKG/DOM/MODULE [[=]VALUE] */
static bool limit(char **word, GString *out, bool mesh)
{
	unsigned int module;
	struct pmon_plr *p = pmon_bench_plr(word[0], &module, out);
	bool assign = word[0] && word[1] && word[1][0] == '=';
	uint64_t val;

	if (!p)
		return true;
	pmon_plr_settle(p);
	if (!word[1])
		g_string_append_printf(out, "0x%016" PRIx64 "\n",
				       mesh ? p->mesh[module] : p->core[module]);
	else if (pmon_bench_number(word[1] + assign, &val, out))
		pmon_plr_set(p, mesh, module, val, assign);
	return true;
}

/* Clear all bits of all instances, as if there was no limit since power-on. */
static void clear_all(void)
{
	unsigned int i, j;

	for (i = 0; i < pmon_machine->devs->len; i++) {
		struct pmon_dev *d = g_ptr_array_index(pmon_machine->devs, i);

		for (j = 0; d->tpmi && j < d->tpmi->num_plr; j++) {
			struct pmon_plr *p = &d->tpmi->plr[j];

			pmon_plr_settle(p);
			memset(p->core, 0, sizeof(p->core));
			memset(p->core_late, 0, sizeof(p->core_late));
			p->die_late = 0;
			memset(p->mesh, 0, sizeof(p->mesh));
			p->die_level = 0;
		}
	}
}

static bool plr(char **word, GString *out)
{
	if (word[0] && !strcmp(word[0], "clear")) {
		clear_all();
		return true;
	}
	return pmon_bench_agenda(word, out) || limit(word, out, false);
}

static bool mesh(char **word, GString *out)
{
	return limit(word, out, true);
}

static bool set_die(struct pmon_plr *p, const char *text)
{
	static const char *const mode[] = { "alone", "collects", "computed", "latches" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mode); i++) {
		if (!strcmp(text, mode[i])) {
			p->follows = i;
			return true;
		}
	}
	return false;
}

/* die PKG/DOM [VALUE|=VALUE|alone|collects|computed|latches] */
static bool die(char **word, GString *out)
{
	struct pmon_plr *p = pmon_bench_plr(word[0], NULL, out);
	bool assign = word[0] && word[1] && word[1][0] == '=';
	uint64_t val;

	if (!p)
		return true;
	pmon_plr_settle(p);
	if (!word[1])
		g_string_append_printf(out, "0x%08" PRIx32 "\n", pmon_plr_die(p));
	else if (set_die(p, word[1]))
		return true;
	else if (pmon_bench_number(word[1] + assign, &val, out))
		p->die_level = (uint32_t)(assign ? val : p->die_level | val);
	return true;
}

/* agent N: another agent runs a command after each Nth command; 0: never */
static void set_agent(struct pmon_plr *p, const char *text, GString *out)
{
	if (pmon_bench_number(text, &p->agent, out))
		p->agent_left = p->agent;
}

static bool set_mesh(struct pmon_plr *p, const char *text)
{
	static const char *const mode[] = { "ok", "busy", "ones", "dead" };
	unsigned int i;

	for (i = 0; text && i < ARRAY_SIZE(mode); i++) {
		if (!strcmp(text, mode[i])) {
			p->mesh_mode = i;
			return true;
		}
	}
	return false;
}

/* echo WORD [KIND]: select the value that commands (of KIND) leave in the interface */
static bool set_echo(struct pmon_plr *p, char **word)
{
	static const char *const after[] = { "full", "none", "zeroed", "status" };
	static const char *const kind[PMON_PLR_KINDS] = {
		"read", "write", "mesh-read", "mesh-write",
	};
	bool known = false;
	unsigned int i, k;

	for (i = 0; word[0] && i < ARRAY_SIZE(after); i++) {
		for (k = 0; !strcmp(word[0], after[i]) && k < PMON_PLR_KINDS; k++) {
			if (word[1] && strcmp(word[1], kind[k]))
				continue;
			p->echo[k] = i;
			known = true;
		}
	}
	return known;
}

/* unknown zero|busy: commands for missing IDs read 0, or never end */
static bool set_unknown(struct pmon_plr *p, const char *text)
{
	if (!text || (strcmp(text, "zero") && strcmp(text, "busy")))
		return false;
	p->unknown_busy = !strcmp(text, "busy");
	return true;
}

/* slow NS [MORE]: commands take between NS and NS + MORE */
static void set_time(struct pmon_plr *p, char **word, GString *out)
{
	p->jitter_ns = 0;
	if (pmon_bench_number(word[0], &p->mailbox_ns, out) && word[1])
		pmon_bench_number(word[1], &p->jitter_ns, out);
}

static void show_mailbox(const struct pmon_plr *p, GString *out)
{
	unsigned int i;

	g_string_append_printf(out, "mode=%d busy=%d ns=%" PRIu64
			       " interface=0x%016" PRIx64 " data=0x%016" PRIx64
			       " mesh=%d noclear=%d agent=%" PRIu64, p->mode,
			       p->busy, p->mailbox_ns, p->iface, p->data,
			       p->mesh_mode, p->ignores_clear, p->agent);
	g_string_append_printf(out, " jitter=%" PRIu64 " took=%" PRIu64
			       " unknown=%d echo=", p->jitter_ns, p->took_ns,
			       p->unknown_busy);
	for (i = 0; i < PMON_PLR_KINDS; i++)
		g_string_append_printf(out, "%d", p->echo[i]);
	g_string_append_printf(out, " commands=%" PRIu64 " peak=%" PRIu64 "\n",
			       p->pace.all, p->pace.peak);
}

/* Reset the faults of the mailbox, but keep the time and echo of commands. */
static void mend_mailbox(struct pmon_plr *p)
{
	p->mode = PMON_MAILBOX_OK;
	p->mesh_mode = PMON_MESH_OK;
	p->ignores_clear = false;
	p->unknown_busy = false;
	p->agent = 0;
}

static bool mailbox(char **word, GString *out)
{
	struct pmon_plr *p = pmon_bench_plr(word[0], NULL, out);

	if (!p)
		return true;
	pmon_plr_settle(p);
	if (!word[1])
		show_mailbox(p, out);
	else if (!strcmp(word[1], "ok"))
		mend_mailbox(p);
	else if (!strcmp(word[1], "stuck"))
		p->mode = PMON_MAILBOX_STUCK;
	else if (!strcmp(word[1], "blocked"))
		p->mode = PMON_MAILBOX_BLOCKED;
	else if (!strcmp(word[1], "slow"))
		set_time(p, word + 2, out);
	else if (!strcmp(word[1], "noclear"))
		p->ignores_clear = true;
	else if (!strcmp(word[1], "agent"))
		set_agent(p, word[2], out);
	else if (!strcmp(word[1], "mesh"))
		return set_mesh(p, word[2]);
	else if (!strcmp(word[1], "unknown"))
		return set_unknown(p, word[2]);
	else if (!strcmp(word[1], "echo"))
		return set_echo(p, word + 2);
	else
		return false;
	return true;
}

/* feature PKG ID ok|read-blocked|write-blocked|disabled */
static bool feature(char **word, GString *out)
{
	struct pmon_feature *f = NULL;
	struct pmon_tpmi *t;
	const char *text = word[0];
	uint64_t id;

	if (!text || !pmon_bench_number(word[1], &id, out))
		return text;
	t = pmon_bench_tpmi(&text);
	if (t)
		f = pmon_tpmi_feature(t, id);
	if (!f || !word[2]) {
		g_string_append(out, "error: no such feature\n");
		return true;
	}
	f->state &= PMON_STATE_LOCKED;
	if (strcmp(word[2], "disabled"))
		f->state |= PMON_STATE_ENABLED;
	if (!strcmp(word[2], "read-blocked"))
		f->state |= PMON_STATE_READ_BLOCKED;
	if (!strcmp(word[2], "write-blocked"))
		f->state |= PMON_STATE_WRITE_BLOCKED;
	return true;
}

/*
 * control PKG: print the status; control PKG grant|run NS: set the time until
 * firmware grants the mailbox, or ends a command; control PKG free|stuck: free the
 * mailbox, or make firmware ignore all requests and commands
 */
static bool control(char **word, GString *out)
{
	const char *text = word[0];
	struct pmon_tpmi *t = text ? pmon_bench_tpmi(&text) : NULL;

	if (!t) {
		g_string_append(out, "error: no such control interface\n");
		return true;
	}
	pmon_control_settle(t);
	if (!word[1])
		g_string_append_printf(out, "status=0x%016" PRIx64 " asked=%d grant_ns=%" PRIu64
				       " run_ns=%" PRIu64 "\n", t->ctl_status, t->ctl_asked,
				       t->ctl_grant_ns, t->ctl_run_ns);
	else if (!strcmp(word[1], "grant"))
		pmon_bench_number(word[2], &t->ctl_grant_ns, out);
	else if (!strcmp(word[1], "run"))
		pmon_bench_number(word[2], &t->ctl_run_ns, out);
	else if (!strcmp(word[1], "free"))
		pmon_control_reset(t);
	else if (!strcmp(word[1], "stuck"))
		pmon_control_never(t);
	else
		return false;
	return true;
}

/* rapl PKG/DOMAIN [power MW | REG VALUE]: REG is the register's number in the domain */
static bool rapl(char **word, GString *out)
{
	const char *text = word[0];
	struct pmon_tpmi *t = text ? pmon_bench_tpmi(&text) : NULL;
	unsigned int index, i;
	struct pmon_rapl *r = NULL;
	uint64_t reg, value;

	if (t && sscanf(text, "/%u", &index) == 1)
		r = pmon_rapl_domain(t, index);
	if (!r) {
		g_string_append(out, "error: no such domain of power limits\n");
		return true;
	}
	for (i = 0; !word[1] && i < PMON_RAPL_REGS; i++)
		g_string_append_printf(out, "%u 0x%016" PRIx64 "\n", i, r->reg[i]);
	if (!word[1] || !pmon_bench_number(word[2], &value, out))
		return true;
	if (!strcmp(word[1], "power"))
		pmon_rapl_set_power(r, value);
	else if (pmon_bench_number(word[1], &reg, out) && reg < PMON_RAPL_REGS)
		r->reg[reg] = value;
	return true;
}

static const struct {
	const char *name;
	bool (*run)(char **word, GString *out);
} commands[] = {
	{ "plr", plr }, { "mesh", mesh }, { "die", die },
	{ "mailbox", mailbox }, { "feature", feature },
	{ "control", control },
	{ "rapl", rapl },
};

bool pmon_bench_limits(char **word, GString *out)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(word[0], commands[i].name))
			return commands[i].run(word + 1, out);
	}
	return false;
}
