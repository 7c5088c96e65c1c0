// SPDX-License-Identifier: GPL-2.0-only
/*
 * Our modules are unloaded and loaded, with parameters good and bad. What the
 * kernel has of its own stays as it is: whether its drivers can go is not ours.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"

/* In the order in which they are loaded. */
enum { CORE, UNCORE, PLR, MODULES };

static const char *const names[MODULES] = { "pmon", "pmon_uncore", "pmon_plr" };

static int unload(unsigned int module)
{
	return syscall(SYS_delete_module, names[module], O_NONBLOCK);
}

static void random_parameters(struct me *me, unsigned int module, char *text,
			      size_t size)
{
	static const char *const common[] = {
		"mode=off", "mode=observe", "mode=on", "mode=x", "mode=",
		"generic=1", "generic=x", "unknown=1", "mode=off generic=1",
	};
	static const char *const uncore[] = {
		"names=30:cha", "names=0:imc,6:cha", "names=x", "names=:,:",
		"names=99999:cha", "max_units=0", "max_units=1",
		"max_units=4294967295", "max_units=-1", "max_units=17",
	};
	static const char *const core[] = { "gid=1", "gid=65534", "gid=-1" };
	struct rng *r = &me->rng;

	text[0] = 0;
	if (rng_odds(r, 60) || switched_off("parameters"))
		return;
	if (module == CORE)
		snprintf(text, size, "%s", PICK(r, core));
	else if (module == UNCORE && rng_odds(r, 50))
		snprintf(text, size, "%s %s", PICK(r, uncore),
			 rng_odds(r, 30) ? PICK(r, common) : "");
	else
		snprintf(text, size, "%s", PICK(r, common));
}

static bool load_one(struct me *me, unsigned int module)
{
	char text[128];

	random_parameters(me, module, text, sizeof(text));
	doing(me, "load %s %s", names[module], text);
	if (did(me, module_load(names[module], text)))
		return true;
	/* What needs it would not load for long. */
	return module == CORE && errno == EINVAL && !module_load(names[CORE], "");
}

/* While nobody keeps events open for long: tries again and again. */
static bool unload_one(struct me *me, unsigned int module, unsigned int tries)
{
	int ret;

	doing(me, "unload %s", names[module]);
	while ((ret = unload(module)) && errno == EAGAIN && --tries &&
	       !shared->stop)
		nap_us(2000);
	return did(me, ret);
}

static bool op_cycle(struct me *me)
{
	static unsigned int truces;
	unsigned int which = 1 + rng_below(&me->rng, 3);
	bool core = rng_odds(&me->rng, 40);
	bool good = true;
	unsigned int m;

	if (core)
		which = 3;
	shared->truce = ++truces;
	for (m = MODULES - 1; m > CORE; m--)
		if (which & m)
			good &= unload_one(me, m, 200);
	if (core)
		good &= unload_one(me, CORE, 200);
	if (rng_odds(&me->rng, 50))
		shared->truce = 0;
	nap_us(rng_below(&me->rng, 50000));
	if (core)
		load_one(me, CORE);
	for (m = UNCORE; m < MODULES; m++)
		if (which & m)
			load_one(me, m);
	shared->truce = 0;
	return good;
}

static bool op_load(struct me *me)
{
	return load_one(me, rng_below(&me->rng, MODULES));
}

static bool op_unload(struct me *me)
{
	return unload_one(me, rng_below(&me->rng, MODULES), 1);
}

/* A module that refuses its parameters may have been seen by a reader. */
static bool op_hammer(struct me *me)
{
	unsigned int n = 4 + rng_below(&me->rng, 12), m;
	bool good = false;

	if (switched_off("parameters"))
		return false;
	m = rng_odds(&me->rng, 50) ? PLR : UNCORE;
	shared->truce = 1u << 31 | rng_below(&me->rng, 1u << 30);
	unload_one(me, m, 200);
	shared->truce = 0;
	doing(me, "load %s mode=x %u times", names[m], n);
	while (n--) {
		good |= !module_load(names[m], "mode=x");
		unload(m);
	}
	did(me, good);
	return load_one(me, m);
}

struct op reload_ops[] = {
	{ "cycle", 6, op_cycle }, { "load", 3, op_load },
	{ "unload", 3, op_unload }, { "hammer", 1, op_hammer },
	{ }
};
