// SPDX-License-Identifier: GPL-2.0-only
/* Dispatch the commands of the bench; README.md lists all commands. */
#include "qemu/osdep.h"
#include "pmon.h"
#include "bench.h"

static bool machine(char **word, GString *out)
{
	g_string_append_printf(out, "name=%s packages=%u cpus=%u ns=%" PRId64 "\n",
			       pmon_machine->name, pmon_machine->packages,
			       pmon_machine->cpus, pmon_now());
	return true;
}

static const struct {
	const char *name;
	bool (*run)(char **word, GString *out);
} commands[] = {
	{ "count", pmon_bench_count }, { "truth", pmon_bench_truth },
	{ "units", pmon_bench_units }, { "box", pmon_bench_box },
	{ "global", pmon_bench_global }, { "illegal", pmon_bench_illegal },
	{ "machine", machine },
};

void pmon_bench_run(const char *command, GString *out)
{
	g_auto(GStrv) word = g_strsplit_set(command, " \t\n", 64);
	unsigned int i;

	if (g_str_has_prefix(command, "log ")) {
		pmon_log_mark(command + 4);
		return;
	}
	if (g_str_has_prefix(command, "plr schedule ")) {
		pmon_bench_schedule(command + strlen("plr schedule "), out);
		return;
	}
	for (i = 0; word[0] && i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(word[0], commands[i].name)) {
			if (commands[i].run(word + 1, out))
				return;
			break;
		}
	}
	if (i == ARRAY_SIZE(commands) && word[0] &&
	    (pmon_bench_limits(word, out) || pmon_bench_devices(word, out) ||
	     pmon_bench_cxl(word, out)))
		return;
	g_string_append_printf(out, "error: unknown command \"%s\"\n", command);
}
