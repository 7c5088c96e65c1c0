// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware that misbehaves, by the emulated server's test bench: boxes that
 * die or change behind the driver's back, mailboxes that do not answer, a
 * function that sleeps or vanishes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

#define MAX_UNITS	256
/* As machines of ours have them; the bench refuses what is not there. */
#define PACKAGES	2
#define DOMAINS		2
#define MODULES_MAX	5

struct unit {
	unsigned int package, type, id, counters;
};

static struct unit units[MAX_UNITS];
static unsigned int nr_units;

static void learn_units(void)
{
	static char answer[BENCH_BYTES / 4];
	char *line, *rest;

	if (nr_units || !bench("units", answer, sizeof(answer)))
		return;
	for (line = strtok_r(answer, "\n", &rest); line && nr_units < MAX_UNITS;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct unit *u = &units[nr_units];

		if (sscanf(line, "pkg=%u type=%u id=%u access=%*s address=%*s counters=%u",
			   &u->package, &u->type, &u->id, &u->counters) == 4)
			nr_units++;
	}
}

__attribute__((format(printf, 2, 3)))
static bool command(struct me *me, const char *fmt, ...)
{
	char text[160], answer[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	doing(me, "hw %s", text);
	return did(me, bench(text, answer, sizeof(answer)) ? 0 : -1);
}

static bool box(struct me *me, const struct unit *u, const char *what)
{
	return command(me, "box %u/%u/%u %s", u->package, u->type, u->id, what);
}

static bool op_box(struct me *me)
{
	char text[80];
	struct unit *u;
	uint64_t value = rng_odd_number(&me->rng);
	unsigned int counter;

	learn_units();
	if (!nr_units)
		return false;
	u = &units[rng_below(&me->rng, nr_units)];
	counter = rng_below(&me->rng, u->counters + 1);
	switch (rng_below(&me->rng, 6)) {
	case 0:
		box(me, u, "dead");
		nap_us(rng_below(&me->rng, 100000));
		return rng_odds(&me->rng, 20) || box(me, u, "ok");
	case 1:
		snprintf(text, sizeof(text), "preload %u %#lx", counter, value);
		break;
	case 2:
		/* One that stands still is no worse, but proves nothing. */
		snprintf(text, sizeof(text), "rate %u %lu", counter,
			 1 + value % 8000);
		break;
	case 3:
		snprintf(text, sizeof(text), "poke ctl %u %#lx", counter,
			 value & 0xffffffff);
		break;
	case 4:
		snprintf(text, sizeof(text), "poke box %#lx", value & 0x703);
		break;
	default:
		snprintf(text, sizeof(text), "ok");
		break;
	}
	return box(me, u, text);
}

static bool op_limits(struct me *me)
{
	unsigned int package = rng_below(&me->rng, PACKAGES);
	unsigned int domain = rng_below(&me->rng, DOMAINS);
	uint64_t value = rng_odd_number(&me->rng);
	const char *assign = rng_odds(&me->rng, 30) ? "=" : "";

	switch (rng_below(&me->rng, 5)) {
	case 0:
		return command(me, "die %u/%u %s%#lx", package, domain, assign,
			       value & 0xffffffff);
	case 1:
		return command(me, "mesh %u/%u/0 %s%#lx", package, domain,
			       assign, value);
	default:
		return command(me, "plr %u/%u/%u %s%#lx", package, domain,
			       (unsigned int)rng_below(&me->rng, MODULES_MAX),
			       assign, value);
	}
}

static bool op_mailbox(struct me *me)
{
	static const char *const modes[] = {
		"ok", "ok", "stuck", "blocked", "noclear", "slow 0",
		"slow 2000", "slow 300000", "agent 3", "agent 0", "mesh busy",
		"mesh ones", "mesh ok",
	};

	return command(me, "mailbox %u/%u %s",
		       (unsigned int)rng_below(&me->rng, PACKAGES),
		       (unsigned int)rng_below(&me->rng, DOMAINS),
		       PICK(&me->rng, modes));
}

static const unsigned int features[] = { 0x0c, 0x0c, 0, 1, 2, 5, 0x80, 0x81 };

static bool op_feature(struct me *me)
{
	static const char *const states[] = {
		"ok", "read-blocked", "write-blocked", "disabled",
	};

	return command(me, "feature %u %u %s",
		       (unsigned int)rng_below(&me->rng, PACKAGES),
		       PICK(&me->rng, features), PICK(&me->rng, states));
}

static bool op_sleep(struct me *me)
{
	unsigned int package = rng_below(&me->rng, PACKAGES);

	command(me, "d3 %u on", package);
	nap_us(rng_below(&me->rng, 100000));
	return command(me, "d3 %u off", package);
}

static bool vanish(struct me *me)
{
	unsigned int package = rng_below(&me->rng, PACKAGES);

	command(me, "remove %u", package);
	nap_us(rng_below(&me->rng, 100000));
	return command(me, "insert %u", package);
}

/*
 * A function that is not there while the kernel gives it addresses does not get
 * them: then the two disagree, and nothing that is read there means anything.
 */
static bool op_vanish(struct me *me)
{
	bool good;

	if (!devices_hold())
		return false;
	good = vanish(me);
	devices_release();
	return good;
}

static bool op_vanish_any(struct me *me)
{
	shared->half_known = true;
	return vanish(me);
}

__attribute__((format(printf, 1, 2)))
static void mend(const char *fmt, ...)
{
	char text[80], answer[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	bench(text, answer, sizeof(answer));
}

/* All ones is what no register says that works. */
static void mend_domain(unsigned int package, unsigned int domain)
{
	unsigned int i;

	mend("mailbox %u/%u ok", package, domain);
	mend("mailbox %u/%u slow 2000", package, domain);
	mend("die %u/%u =0", package, domain);
	for (i = 0; i < MODULES_MAX; i++)
		mend("plr %u/%u/%u =0", package, domain, i);
	mend("mesh %u/%u/0 =0", package, domain);
}

void hardware_mend(void)
{
	unsigned int package, i;

	learn_units();
	for (package = 0; package < PACKAGES; package++) {
		mend("insert %u", package);
		mend("d3 %u off", package);
		/*
		 * A function that went in the middle of a command left the
		 * control mailbox owned, and intel_vsec finds it so.
		 */
		mend("control %u free", package);
		for (i = 0; i < ARRAY_SIZE(features); i++)
			mend("feature %u %u ok", package, features[i]);
		for (i = 0; i < DOMAINS; i++)
			mend_domain(package, i);
	}
	for (i = 0; i < nr_units; i++)
		mend("box %u/%u/%u ok", units[i].package, units[i].type, units[i].id);
}

static bool op_mend(struct me *me)
{
	doing(me, "hw: all is well");
	hardware_mend();
	return did(me, 0);
}

struct op hardware_ops[] = {
	{ "box", 10, op_box }, { "limits", 12, op_limits },
	{ "mailbox", 4, op_mailbox }, { "feature", 2, op_feature },
	{ "d3", 2, op_sleep }, { "vanish", 2, op_vanish },
	{ "vanish-any", 1, op_vanish_any },
	{ "mend", 4, op_mend },
	{ }
};
