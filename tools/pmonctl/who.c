// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl who: which processes count, and so keep boxes from changing hands.
 */
#include "holders.h"
#include "modules.h"
#include "output.h"
#include "pmonctl.h"

static const char *const modules[] = {
	"pmon_uncore", "pmon_plr", "pmon_cxl", "pmon_r2pcie", "intel_uncore",
	"intel_plr_tpmi", "cxl_pmu",
};

#define MODULES (sizeof(modules) / sizeof(*modules))

static void print_holders(const struct holders *h)
{
	static const char *const head[] = {
		"PID", "UID", "EVENTS", "COMMAND", NULL
	};
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < h->count; i++) {
		const struct holder *one = &h->holder[i];

		table_cell(&t, "%ld", one->pid);
		table_cell(&t, "%ld", one->uid);
		table_cell(&t, "%zu", one->events);
		table_cell(&t, "%s", one->command);
	}
	table_print(&t);
}

static void print_modules(void)
{
	for (size_t i = 0; i < MODULES; i++)
		if (module_state(modules[i]) != MODULE_ABSENT)
			say("%s: %ld %s", modules[i], module_users(modules[i]),
			    module_users(modules[i]) == 1 ? "user" : "users");
}

static void print_who(const struct holders *h)
{
	if (h->count)
		print_holders(h);
	else if (h->hidden)
		say("No process that may be looked at has a perf event open.");
	else
		say("No process has a perf event open.");
	say_nothing();
	print_modules();
}

static void json_holders(const struct holders *h)
{
	json_open("processes", '[');
	for (size_t i = 0; i < h->count; i++) {
		const struct holder *one = &h->holder[i];

		json_open(NULL, '{');
		json_number("pid", one->pid);
		json_known("uid", one->uid);
		json_number("events", (long)one->events);
		json_text("name", one->name);
		json_text("command", one->command);
		json_close('}');
	}
	json_close(']');
	json_number("hidden", (long)h->hidden);
}

static void json_modules(void)
{
	json_open("modules", '[');
	for (size_t i = 0; i < MODULES; i++) {
		if (module_state(modules[i]) == MODULE_ABSENT)
			continue;
		json_open(NULL, '{');
		json_text("name", modules[i]);
		json_number("users", module_users(modules[i]));
		json_close('}');
	}
	json_close(']');
}

enum status cmd_who(const struct options *opt)
{
	struct holders h = holders_find();
	enum status status = h.hidden ? STATUS_DEGRADED : STATUS_FINE;

	if (opt->json) {
		json_open(NULL, '{');
		json_number("format", 1);
		json_holders(&h);
		json_modules();
		json_close('}');
	} else if (opt->columns) {
		print_holders(&h);
	} else {
		print_who(&h);
	}
	if (h.hidden)
		complain("the files of %zu %s may not be listed; root sees "
			 "them all", h.hidden,
			 h.hidden == 1 ? "process" : "processes");
	holders_free(&h);
	return status;
}
