// SPDX-License-Identifier: GPL-2.0-only
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "output.h"

static const struct {
	const char *name, *value;	/* value: what it takes, or NULL */
	int option;
} options[] = {
	{ "json", NULL, OPT_JSON },
	{ "sysroot", "DIR", OPT_SYSROOT },
	{ "package", "N", OPT_PACKAGE },
	{ "cpu", "LIST", OPT_CPU },
	{ "watch", NULL, OPT_WATCH },
	{ "clear", NULL, OPT_CLEAR },
	{ "dry-run", NULL, OPT_DRY_RUN },
	{ "persist", NULL, OPT_PERSIST },
	{ "allow-loss", NULL, OPT_ALLOW_LOSS },
	{ "once", NULL, OPT_ONCE },
	{ "dies", NULL, OPT_DIES },
	{ "pid", "N", OPT_PID },
	{ "cgroup", "PATH", OPT_CGROUP },
	{ "for", "SECONDS", OPT_FOR },
	{ "csv", NULL, OPT_CSV },
	{ "noheadings", NULL, OPT_NOHEADINGS },
	{ "output", "COLUMNS", OPT_OUTPUT },
	{ "redact", NULL, OPT_REDACT },
	{ "file", "PATH", OPT_FILE },
	{ "rate", "MIB", OPT_RATE },
	{ "", "JOB [ARG...]", OPT_JOB },
};

static const struct command commands[] = {
	{ "list", cmd_list, NULL,
	  "packages, counter boxes, who drives them, what was\n"
	  "rejected and why; performance-limit domains",
	  (const struct use[]){
		{ OPT_OUTPUT, "of its tables only these, such as PMU,UNIT; -o is short", NULL },
		{ 0, NULL, NULL } }, false, 0,
	  "pmonctl list -o UNIT,PMU" },
	{ "plr", cmd_plr, NULL,
	  "what limits the performance of each core, mesh and die",
	  (const struct use[]){
		{ OPT_PACKAGE, "of this package only", NULL },
		{ OPT_CPU, "of the modules of these CPUs only, such as 3 or 0-7,16", NULL },
		{ OPT_DIES, "of whole dies only, one register read each", NULL },
		{ OPT_ONCE, "one look instead of two, which changes nothing", NULL },
		{ OPT_WATCH, "what limits now, until interrupted", NULL },
		{ OPT_CLEAR, "show, then clear these reasons or all that were shown", "[NAME...]" },
		{ OPT_PID, "what limits this process, for five seconds", NULL },
		{ OPT_CGROUP, "what limits the processes of a control group", NULL },
		{ OPT_FOR, "for so long", NULL },
		{ OPT_JOB, "what limits a job, which is run", NULL },
		{ 0, NULL, NULL } }, false, TAKES(OPT_CLEAR),
	  "pmonctl plr --cpu 0-7" },
	{ "decode", cmd_decode, "VALUE...",
	  "the reasons in a raw register, 64 bits in hexadecimal",
	  NULL, false, ~0u,
	  "pmonctl decode 0x0000040000000004" },
	{ "bw", cmd_bw, NULL,
	  "bandwidth of memory, CXL devices, links, PCIe stacks",
	  (const struct use[]){
		{ OPT_FOR, "over so long, not one second", NULL },
		{ OPT_WATCH, "again and again, until interrupted", NULL },
		{ OPT_CSV, "a line of values for each", NULL },
		{ OPT_OUTPUT, "only these", NULL },
		{ 0, NULL, NULL } }, false, 0,
	  "pmonctl bw --for 10 --csv" },
	{ "metrics", cmd_metrics, NULL,
	  "bandwidth and limits for Prometheus, after a second",
	  (const struct use[]){
		{ OPT_FILE, "into this file every 15 s, for its node exporter", NULL },
		{ OPT_FOR, "after so long, or every so long", NULL },
		{ 0, NULL, NULL } }, true, 0,
	  "pmonctl metrics --for 10" },
	{ "stat", cmd_stat, "-- JOB [ARG...]",
	  "what a job moves and what limits it, while it runs", NULL, false, 0,
	  "pmonctl stat -- make -j8" },
	{ "dump", cmd_dump, NULL,
	  "what describes this hardware, as a file for a report, from\n"
	  "which the emulator makes a machine",
	  (const struct use[]){
		{ OPT_REDACT, "without the host's name and serial number", NULL },
		{ 0, NULL, NULL } }, false, 0,
	  "pmonctl dump --redact >host.json" },
	{ "qualify", cmd_qualify, NULL,
	  "does this hardware do what is expected of it, in a minute",
	  (const struct use[]){
		{ OPT_RATE, "copies so much memory a second, not all it can", NULL },
		{ 0, NULL, NULL } }, false, 0,
	  "pmonctl qualify --rate 500" },
	{ "doctor", cmd_doctor, NULL,
	  "what on this host keeps counters or limits from being seen",
	  NULL, false, 0,
	  "pmonctl doctor --json" },
	{ "adopt", cmd_adopt, "[AREA...]",
	  "hand boxes from the kernel's drivers to openpmon; AREA is\n"
	  "uncore, plr, r2pcie, qpi or cxl",
	  (const struct use[]){
		{ OPT_PERSIST, "on every boot, not only until the next", NULL },
		{ OPT_ALLOW_LOSS, "even if an event is lost or changes its encoding", NULL },
		{ OPT_DRY_RUN, "show what would change, and change nothing", NULL },
		{ 0, NULL, NULL } }, true, ~0u,
	  "pmonctl adopt --dry-run uncore" },
	{ "release", cmd_release, "[AREA...]", "hand them back",
	  (const struct use[]){
		{ OPT_DRY_RUN, "show what would change, and change nothing", NULL },
		{ 0, NULL, NULL } }, true, ~0u,
	  "pmonctl release uncore" },
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))
#define OPTIONS (sizeof(options) / sizeof(*options))

/* Of all commands, or of all but some. */
static const struct {
	const char *options, *text;
} common[] = {
	{ "--json", "machine-readable output" },
	{ "--noheadings", "tables without heads" },
	{ "--sysroot DIR", "read the files below DIR, and run no program" },
	{ "-h, --help", "this text" },
	{ "-V, --version", "the version" },
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

/* Letters to add, drop or change, at most @most, that make one word of another. */
static unsigned int distance(const char *a, const char *b, unsigned int most)
{
	unsigned int least;

	while (*a && *a == *b) {
		a++;
		b++;
	}
	if (!*a && !*b)
		return 0;
	if (!most)
		return 1;
	least = *a && *b ? distance(a + 1, b + 1, most - 1) : most;
	if (*a && least)
		least = MIN(least, distance(a + 1, b, most - 1));
	if (*b && least)
		least = MIN(least, distance(a, b + 1, most - 1));
	return least + 1;
}

/* What swaps two letters is two changes. */
#define NEAR 2U

const char *command_near(const char *word)
{
	for (unsigned int far = 1; far <= NEAR; far++)
		for (size_t i = 0; i < COMMANDS; i++)
			if (distance(word, commands[i].name, far) <= far)
				return commands[i].name;
	return NULL;
}

/* Words of other programs for options of this one. */
static const char *const words_for[][2] = {
	{ "interval", "for" }, { "duration", "for" }, { "time", "for" },
	{ "socket", "package" }, { "columns", "output" },
	{ "cpus", "cpu" }, { "follow", "watch" },
};

const char *option_near(const struct command *c, const char *word)
{
	for (size_t w = 0; w < sizeof(words_for) / sizeof(*words_for); w++)
		for (size_t i = 0; i < OPTIONS; i++)
			if (!strcmp(word, words_for[w][0]) &&
			    !strcmp(options[i].name, words_for[w][1]) &&
			    command_takes(c, options[i].option))
				return options[i].name;
	for (unsigned int far = 1; far <= NEAR; far++)
		for (size_t i = 0; i < OPTIONS; i++)
			if (strlen(word) > NEAR &&
			    command_takes(c, options[i].option) &&
			    distance(word, options[i].name, far) <= far)
				return options[i].name;
	return NULL;
}

bool command_takes(const struct command *c, int option)
{
	if (option == OPT_NOHEADINGS || option == OPT_SYSROOT)
		return true;
	if (option == OPT_JSON)
		return !c->no_json;
	for (const struct use *u = c->uses; u && u->option; u++)
		if (u->option == option)
			return true;
	return false;
}

/* getopt_long() wants them so, and finds those without a name by none. */
const struct option *long_options(void)
{
	static struct option all[OPTIONS + 3];
	size_t n = 0;

	for (size_t i = 0; i < OPTIONS; i++)
		if (*options[i].name)
			all[n++] = (struct option){
				options[i].name, options[i].value ?
				required_argument : no_argument, NULL,
				options[i].option,
			};
	all[n++] = (struct option){ "help", no_argument, NULL, 'h' };
	all[n++] = (struct option){ "version", no_argument, NULL, 'V' };
	return all;
}

/* Two columns, or more lines of the second; what is too wide has one space. */
static void add_row(struct text *t, const char *left, const char *right)
{
	const char *end = strchrnul(right, '\n');

	text_add(t, "  %-19s %.*s\n", left, (int)(end - right), right);
	while (*end) {
		right = end + 1;
		end = strchrnul(right, '\n');
		text_add(t, "%22s%.*s\n", "", (int)(end - right), right);
	}
}

static void add_use(struct text *t, const struct use *u)
{
	const char *value = u->value;
	struct text left = { NULL, 0 };
	size_t i = 0;

	while (options[i].option != u->option)
		i++;
	if (!value)
		value = options[i].value;
	text_add(&left, "  --%s%s%s", options[i].name, value ? " " : "",
		 value ? value : "");
	add_row(t, left.s, u->text);
	text_free(&left);
}

static void add_command(struct text *t, const struct command *c)
{
	struct text left = { NULL, 0 };

	text_add(&left, "%s%s%s", c->name, c->words ? " " : "",
		 c->words ? c->words : "");
	add_row(t, left.s, c->text);
	text_free(&left);
	for (const struct use *u = c->uses; u && u->option; u++)
		add_use(t, u);
}

/* "machine-readable output, but for metrics, adopt and release" */
static void add_common(struct text *t, size_t i)
{
	struct text text = { NULL, 0 };
	size_t left = 0;

	text_add(&text, "%s", common[i].text);
	for (size_t c = 0; c < COMMANDS && !i; c++)
		left += commands[c].no_json;
	for (size_t c = 0, n = 0; c < COMMANDS && n < left; c++)
		if (commands[c].no_json)
			text_add(&text, "%s%s", !n++ ? ", but for " :
				 n == left ? " and " : ", ", commands[c].name);
	add_row(t, common[i].options, text.s);
	text_free(&text);
}

static void add_all_common(struct text *t, const struct command *c)
{
	text_add(t, "\n");
	for (size_t i = c && c->no_json; i < sizeof(common) / sizeof(*common); i++)
		if (c)
			add_row(t, common[i].options, common[i].text);
		else
			add_common(t, i);
}

static void print_command_help(FILE *to, const struct command *c)
{
	struct text t = { NULL, 0 };

	text_add(&t, "Usage: pmonctl %s [OPTION...]%s%s\n\n", c->name,
		 c->words ? " " : "", c->words ? c->words : "");
	add_command(&t, c);
	add_all_common(&t, c);
	text_add(&t, "\nFor example: %s\n", c->example);
	print_text(to, t.s);
	text_free(&t);
}

void commands_print_help(FILE *to, const struct command *c)
{
	struct text t = { NULL, 0 };

	if (c) {
		print_command_help(to, c);
		return;
	}
	text_add(&t, "Usage: pmonctl [OPTION...] COMMAND\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		add_command(&t, &commands[i]);
	add_all_common(&t, NULL);
	text_add(&t, "\n\"pmonctl help COMMAND\" shows one command, with an "
		 "example.\n");
	text_add(&t, "\nExit status: 0 fine, 1 degraded (something was rejected "
		 "or could not be\nread), 2 broken, 64 wrong usage, 77 no "
		 "supported hardware. See pmonctl(8).\n");
	print_text(to, t.s);
	text_free(&t);
}
