// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware that misbehaves, by the emulated server's test bench: boxes that
 * die or change behind the driver's back, mailboxes that do not answer, a
 * function that sleeps or vanishes.
 */
#include "fuzz.h"

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

__attribute__((format(printf, 1, 2)))
static long command(const char *fmt, ...)
{
	char text[160], answer[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	doing("hw %s", text);
	return bench(text, answer, sizeof(answer)) ? 0 : -1;
}

static long op_box(void)
{
	uint64_t value = odd_number();
	unsigned int counter;
	struct unit *u;
	char box[40];

	learn_units();
	if (!nr_units)
		return -1;
	u = &units[below(nr_units)];
	counter = below(u->counters + 1);
	snprintf(box, sizeof(box), "box %u/%u/%u", u->package, u->type, u->id);
	switch (below(6)) {
	case 0:
		command("%s dead", box);
		nap_us(below(100000));
		return odds(20) ? 0 : command("%s ok", box);
	case 1:
		return command("%s preload %u %#lx", box, counter, value);
	case 2:
		/* One that stands still is no worse, but proves nothing. */
		return command("%s rate %u %lu", box, counter, 1 + value % 8000);
	case 3:
		return command("%s poke ctl %u %#lx", box, counter, value & 0xffffffff);
	case 4:
		return command("%s poke box %#lx", box, value & 0x703);
	default:
		return command("%s ok", box);
	}
}

static long op_limits(void)
{
	unsigned int package = below(PACKAGES), domain = below(DOMAINS);
	const char *assign = odds(30) ? "=" : "";
	uint64_t value = odd_number();

	switch (below(5)) {
	case 0:
		return command("die %u/%u %s%#lx", package, domain, assign,
			       value & 0xffffffff);
	case 1:
		return command("mesh %u/%u/0 %s%#lx", package, domain, assign, value);
	default:
		return command("plr %u/%u/%u %s%#lx", package, domain,
			       below(MODULES_MAX), assign, value);
	}
}

static long op_mailbox(void)
{
	static const char *const modes[] = {
		"ok", "ok", "stuck", "blocked", "noclear", "slow 0",
		"slow 2000", "slow 300000", "agent 3", "agent 0", "mesh busy",
		"mesh ones", "mesh ok",
	};

	return command("mailbox %u/%u %s", below(PACKAGES), below(DOMAINS), PICK(modes));
}

static const unsigned int features[] = { 0x0c, 0x0c, 0, 1, 2, 5, 0x80, 0x81 };

static long op_feature(void)
{
	static const char *const states[] = {
		"ok", "read-blocked", "write-blocked", "disabled",
	};

	return command("feature %u %u %s", below(PACKAGES), PICK(features), PICK(states));
}

/* For a moment. */
static long away(const char *gone, const char *back)
{
	unsigned int package = below(PACKAGES);

	command(gone, package);
	nap_us(below(100000));
	return command(back, package);
}

static long op_sleep(void)
{
	return away("d3 %u on", "d3 %u off");
}

/*
 * A function that is not there while the kernel gives it addresses does not get
 * them: then the two disagree, and nothing that is read there means anything.
 */
static long op_vanish(void)
{
	long ret;

	if (!devices_hold())
		return -1;
	ret = away("remove %u", "insert %u");
	devices_release();
	return ret;
}

static long op_vanish_any(void)
{
	shared->half_known = true;
	return away("remove %u", "insert %u");
}

/* All ones is what no register says that works. */
static void mend_domain(unsigned int package, unsigned int domain)
{
	unsigned int i;

	command("mailbox %u/%u ok", package, domain);
	command("mailbox %u/%u slow 2000", package, domain);
	command("die %u/%u =0", package, domain);
	for (i = 0; i < MODULES_MAX; i++)
		command("plr %u/%u/%u =0", package, domain, i);
	command("mesh %u/%u/0 =0", package, domain);
}

long hardware_mend(void)
{
	unsigned int package, i;

	learn_units();
	for (package = 0; package < PACKAGES; package++) {
		command("insert %u", package);
		command("d3 %u off", package);
		/*
		 * A function that went in the middle of a command left the
		 * control mailbox owned, and intel_vsec finds it so.
		 */
		command("control %u free", package);
		for (i = 0; i < ARRAY_SIZE(features); i++)
			command("feature %u %u ok", package, features[i]);
		for (i = 0; i < DOMAINS; i++)
			mend_domain(package, i);
	}
	for (i = 0; i < nr_units; i++)
		command("box %u/%u/%u ok", units[i].package, units[i].type, units[i].id);
	return 0;
}

struct op hardware_ops[] = {
	{ "box", 10, op_box }, { "limits", 12, op_limits },
	{ "mailbox", 4, op_mailbox }, { "feature", 2, op_feature },
	{ "d3", 2, op_sleep }, { "vanish", 2, op_vanish },
	{ "vanish-any", 1, op_vanish_any },
	{ "mend", 4, hardware_mend },
	{ }
};
