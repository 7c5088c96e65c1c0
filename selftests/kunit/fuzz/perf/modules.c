// SPDX-License-Identifier: GPL-2.0-only
/*
 * Our modules are unloaded and loaded, with parameters good and bad. What the
 * kernel has of its own stays as it is: whether its drivers can go is not ours.
 */
#include "fuzz.h"

/* In the order in which they are loaded. */
enum { CORE, UNCORE, PLR, MODULES };

static const char *const names[MODULES] = { "pmon", "pmon_uncore", "pmon_plr" };

static int unload(unsigned int module)
{
	return syscall(SYS_delete_module, names[module], O_NONBLOCK);
}

static void random_parameters(unsigned int module, char *text, size_t size)
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

	text[0] = 0;
	if (odds(60) || switched_off("parameters"))
		return;
	if (module == CORE)
		snprintf(text, size, "%s", PICK(core));
	else if (module == UNCORE && odds(50))
		snprintf(text, size, "%s %s", PICK(uncore),
			 odds(30) ? PICK(common) : "");
	else
		snprintf(text, size, "%s", PICK(common));
}

static long load_one(unsigned int module)
{
	char text[128];

	random_parameters(module, text, sizeof(text));
	doing("load %s %s", names[module], text);
	if (!module_load(names[module], text))
		return 0;
	/* What needs it would not load for long. */
	return module == CORE && errno == EINVAL ? module_load(names[CORE], "") : -1;
}

/* While nobody keeps events open for long: tries again and again. */
static long unload_one(unsigned int module, unsigned int tries)
{
	long ret;

	doing("unload %s", names[module]);
	while ((ret = unload(module)) && errno == EAGAIN && --tries && !shared->stop)
		nap_us(2000);
	return ret;
}

static long op_cycle(void)
{
	static unsigned int truces;
	unsigned int which = 1 + below(3), m;
	bool core = odds(40);
	long ret = 0;

	if (core)
		which = 3;
	shared->truce = ++truces;
	for (m = MODULES - 1; m > CORE; m--)
		if (which & m)
			ret |= unload_one(m, 200);
	if (core)
		ret |= unload_one(CORE, 200);
	if (odds(50))
		shared->truce = 0;
	nap_us(below(50000));
	if (core)
		load_one(CORE);
	for (m = UNCORE; m < MODULES; m++)
		if (which & m)
			load_one(m);
	shared->truce = 0;
	return ret;
}

static long op_load(void)
{
	return load_one(below(MODULES));
}

static long op_unload(void)
{
	return unload_one(below(MODULES), 1);
}

/* A module that refuses its parameters may have been seen by a reader. */
static long op_hammer(void)
{
	unsigned int n = 4 + below(12), m = odds(50) ? PLR : UNCORE;

	if (switched_off("parameters"))
		return -1;
	shared->truce = 1u << 31 | below(1u << 30);
	unload_one(m, 200);
	shared->truce = 0;
	doing("load %s mode=x %u times", names[m], n);
	while (n--) {
		module_load(names[m], "mode=x");
		unload(m);
	}
	return load_one(m);
}

struct op reload_ops[] = {
	{ "cycle", 6, op_cycle }, { "load", 3, op_load },
	{ "unload", 3, op_unload }, { "hammer", 1, op_hammer },
	{ }
};
