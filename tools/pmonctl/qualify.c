// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl qualify: does this machine do what emulated ones do? For the first
 * server of a kind. Within a minute; whatever it finds, and also when it is
 * interrupted, the modules are afterwards as they were.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "discovery.h"
#include "event.h"
#include "hardware.h"
#include "modules.h"
#include "output.h"
#include "pmonctl.h"
#include "pmus.h"
#include "present.h"
#include "programs.h"
#include "qualify_count.h"
#include "qualify_host.h"
#include "qualify_plr.h"
#include "qualify_regs.h"
#include "root.h"
#include "signals.h"
#include "sysfs.h"
#include "verdicts.h"

/* What is loaded takes some seconds to go. */
#define BOUND_MS 50000

#define TICKS_MS 1000

enum { OURS, THEIRS, LIMITS, MSR, ENGINE, MODULES };

static const char *const names[MODULES] = {
	[OURS] = "pmon_uncore", [THEIRS] = "intel_uncore",
	[LIMITS] = "pmon_plr", [MSR] = "msr", [ENGINE] = "pmon",
};

/* Which modules were there, and what pmon_uncore was loaded with. */
struct before {
	enum module_state state[MODULES];
	char *parameters[32];
	size_t count;
};

static void remember(struct before *b)
{
	struct names all = sysfs_entries("/sys/module/pmon_uncore/parameters");
	const size_t room = sizeof(b->parameters) / sizeof(*b->parameters);

	*b = (struct before){ .count = 0 };
	for (int i = 0; i < MODULES; i++)
		b->state[i] = module_state(names[i]);
	for (size_t i = 0; i < all.count && b->count < room; i++) {
		char *value = sysfs_read("/sys/module/pmon_uncore/parameters/%s",
					 all.name[i]);
		struct text t = { NULL, 0 };

		if (value) {
			text_add(&t, "%s=%s", all.name[i], value);
			b->parameters[b->count++] = t.s;
		}
		free(value);
	}
	names_free(&all);
}

static void forget(struct before *b)
{
	while (b->count)
		free(b->parameters[--b->count]);
}

static bool is_free(const char *module)
{
	if (!module_users(module))
		return true;
	complain("%s is in use; stop what counts. Nothing was "
		 "tested", module);
	return false;
}

static bool take_out(const char *module)
{
	return module_state(module) != MODULE_LOADED || module_remove(module);
}

/* As it was loaded, where it was. */
static bool bring_back(const struct before *b)
{
	bool good = true;

	if (b->state[OURS] == MODULE_ABSENT)
		good = take_out(names[OURS]);
	if (b->state[THEIRS] == MODULE_ABSENT)
		good = take_out(names[THEIRS]) && good;
	else if (module_state(names[THEIRS]) == MODULE_ABSENT)
		good = take_out(names[OURS]) && module_load(names[THEIRS]) && good;
	if (b->state[OURS] != MODULE_ABSENT &&
	    module_state(names[OURS]) == MODULE_ABSENT)
		good = module_load_with(names[OURS], b->parameters, b->count) &&
			good;
	for (int i = LIMITS; i <= MSR; i++)
		if (b->state[i] == MODULE_ABSENT)
			good = take_out(names[i]) && good;
	/* Linux before 6.16 keeps its PMUs, and so the engine. */
	if (b->state[ENGINE] == MODULE_ABSENT && !module_users(names[ENGINE]))
		good = take_out(names[ENGINE]) && good;
	if (!good)
		complain("the modules are not as they were; the kernel log says "
			 "why");
	return good;
}

/*
 * The kernel's driver takes the boxes and counts. Last, as it resets boxes when it
 * loads, and up to Linux 7.1 leaves them frozen if firmware did, which ours mends.
 */
static void judge_theirs(const struct ticks *ours, const struct pmus *offered,
			 struct verdicts *v)
{
	struct ticks theirs = { NULL, 0 };

	complain("intel_uncore counts");
	if (take_out(names[OURS]) &&
	    module_insert(names[THEIRS], "uncore_no_discover=0")) {
		ticks_take(&theirs, offered, v, TICKS_MS);
		module_remove(names[THEIRS]);
	}
	ticks_compare(ours, &theirs, offered, v);
	ticks_free(&theirs);
}

/* What stays after this is our driver's, and both are gone before. */
static bool load_ours(struct registers *r, struct verdicts *v)
{
	complain("registers are compared");
	registers_read(r, BEFORE);
	verdicts_pause(v, 200);
	registers_read(r, BEFORE_TOO);
	if (!module_load(names[OURS])) {
		verdict_add(v, FAILED, "load", "the module cannot be loaded; "
			    "the kernel log says why");
		return false;
	}
	registers_read(r, AFTER);
	registers_judge(r, v);
	return true;
}

static void judge_counts(struct ticks *ours, const struct pmus *offered,
			 const struct options *opt, struct verdicts *v)
{
	struct ticks second;

	complain("clocks are counted");
	ticks_take(ours, offered, v, TICKS_MS);
	ticks_take(&second, offered, v, 2 * TICKS_MS);
	ticks_judge(ours, &second, offered, v);
	ticks_free(&second);
	if (verdicts_go_on(v))
		copy_judge(v, opt->rate);
}

static void judge_limits(const struct options *opt, struct verdicts *v)
{
	struct machine m = { 0 };

	if (module_state(names[LIMITS]) == MODULE_ABSENT)
		module_load(names[LIMITS]);
	complain("limits are read");
	machine_read_limits(&m);
	plr_judge(&m, opt, v);
	machine_free(&m);
}

/* Both drivers are away when it begins, and what they had is known. */
static void judge(const struct options *opt, const struct pmus *offered,
		  struct registers *r, struct verdicts *v)
{
	struct ticks ours = { NULL, 0 };

	if (load_ours(r, v))
		judge_counts(&ours, offered, opt, v);
	if (verdicts_go_on(v))
		judge_limits(opt, v);
	if (verdicts_go_on(v))
		judge_theirs(&ours, offered, v);
	ticks_free(&ours);
	if (signals_waiting())
		verdict_add(v, UNTESTED, "all", "interrupted");
	else if (!verdicts_go_on(v))
		verdict_add(v, UNTESTED, "all", "the time was over");
}

/* Ours tells what the machine has, and takes nothing when it was not there. */
static bool qualify(const struct options *opt, struct host *h,
		    struct verdicts *v)
{
	struct registers r = { NULL, 0, 0, 0 };
	struct pmus offered = { NULL, 0 };
	struct machine m = { 0 };
	bool good;

	if (module_state(names[OURS]) == MODULE_ABSENT &&
	    !module_load_with(names[OURS], (char *[]){ "mode=observe" }, 1))
		return false;
	if (module_state(names[MSR]) == MODULE_ABSENT)
		module_load(names[MSR]);
	machine_read(&m);
	host_read(h, &m);
	good = m.devices && pmus_offered(&offered, &m);
	if (good) {
		registers_find(&r, &m);
		good = take_out(names[OURS]) && take_out(names[THEIRS]);
	}
	if (good)
		judge(opt, &offered, &r, v);
	registers_free(&r);
	pmus_free(&offered);
	machine_free(&m);
	return good;
}

static enum status report(const struct host *h, const struct verdicts *v,
			  bool json)
{
	static const enum status statuses[] = {
		[PASSED] = STATUS_FINE, [UNTESTED] = STATUS_DEGRADED,
		[FAILED] = STATUS_BROKEN,
	};

	if (json) {
		json_open(NULL, '{');
		json_number("format", 1);
		host_json(h);
		verdicts_json(v);
		json_close('}');
	} else {
		host_print(h);
		say_nothing();
		verdicts_print(v);
	}
	return statuses[verdicts_worst(v)];
}

static bool may_begin(void)
{
	if (!programs_allowed()) {
		complain("with --sysroot no program is run");
		return false;
	}
	if (geteuid()) {
		complain("loading modules and reading registers takes root");
		return false;
	}
	return is_free(names[OURS]) && is_free(names[THEIRS]);
}

enum status cmd_qualify(const struct options *opt)
{
	struct verdicts v = { NULL, 0, clock_ms() + BOUND_MS };
	enum status status = STATUS_BROKEN;
	struct host h = { .count = 0 };
	struct before before;
	bool good;

	if (programs_allowed() && !hardware_present())
		return nothing_found(opt->json);
	if (!may_begin())
		return programs_allowed() ? STATUS_BROKEN : STATUS_USAGE;
	signals_hold();
	remember(&before);
	good = qualify(opt, &h, &v);
	if (bring_back(&before) && good)
		status = report(&h, &v, opt->json);
	forget(&before);
	host_free(&h);
	verdicts_free(&v);
	/* A signal that waited ends this process here. */
	fflush(stdout);
	signals_release();
	return status;
}
