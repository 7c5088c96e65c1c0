// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl: what openpmon found on this machine, for people and for scripts. The command
 * line: the tables of commands and options, what is wrong with it, and help.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "files.h"
#include "output.h"
#include "pmonctl.h"
#include "reasons.h"

enum {
	OPT_JSON = 256, OPT_SYSROOT, OPT_PACKAGE, OPT_CPU, OPT_WATCH, OPT_CLEAR,
	OPT_DRY_RUN, OPT_PERSIST, OPT_ALLOW_LOSS, OPT_ONCE, OPT_DIES, OPT_FOR,
	OPT_CSV, OPT_NOHEADINGS, OPT_OUTPUT, OPT_FILE, OPT_BOXES, OPT_KIND,
	OPT_SORT, OPT_INTERVAL, OPT_COUNT, OPT_NOW, OPT_NEXT_BOOT, OPT_VERBOSE,
	OPT_COLLECTOR,
};
#define TAKES(option) (1u << ((option) - OPT_JSON))

/* An option of a command: what follows it, and what it is for there. */
struct use {
	int option;		/* 0 ends them */
	const char *text;
	const char *value;	/* NULL: as it is called everywhere */
};

/*
 * The one table of commands: what is parsed, --help, and so the completion and the
 * manual pages of commands come from it.
 */
struct command {
	const char *name;
	enum status (*run)(const struct options *opt);
	const char *words;	/* that follow it, or NULL */
	const char *text;
	const struct use *uses;
	bool no_json;
	bool takes_job;			/* a command line of its own */
	bool columns;			/* --output chooses those of its tables */
	unsigned int wants_words;	/* with any of these options, or always */
	const char *example;
};

/* Where in struct options a value is kept, and as what. */
enum kind { FLAG, TEXT, NUMBER, DURATION, SYSROOT };

#define KEPT(kind, member) kind, .at = offsetof(struct options, member)

static const struct known {
	const char *name, *value;	/* value: what it takes, or NULL */
	int option;
	char letter;
	enum kind kind;
	size_t at;
	const char *what;		/* of numbers: what it is not if it is wrong */
	long least;
} options[] = {
	{ "json", NULL, OPT_JSON, 0, KEPT(FLAG, json) },
	{ "sysroot", "DIR", OPT_SYSROOT, 0, .kind = SYSROOT },
	{ "package", "N", OPT_PACKAGE, 0, KEPT(NUMBER, package), .what = "package number" },
	{ "cpu", "LIST", OPT_CPU, 0, KEPT(TEXT, cpus) },
	{ "watch", NULL, OPT_WATCH, 0, KEPT(FLAG, watch) },
	{ "clear", NULL, OPT_CLEAR, 0, KEPT(FLAG, clear) },
	{ "dry-run", NULL, OPT_DRY_RUN, 0, KEPT(FLAG, dry_run) },
	{ "persist", NULL, OPT_PERSIST, 0, KEPT(FLAG, persist) },
	{ "allow-loss", NULL, OPT_ALLOW_LOSS, 0, KEPT(FLAG, allow_loss) },
	{ "once", NULL, OPT_ONCE, 0, KEPT(FLAG, once) },
	{ "dies", NULL, OPT_DIES, 0, KEPT(FLAG, dies) },
	{ "for", "DURATION", OPT_FOR, 0, KEPT(DURATION, duration) },
	{ "csv", NULL, OPT_CSV, 0, KEPT(FLAG, csv) },
	{ "noheadings", NULL, OPT_NOHEADINGS, 0, KEPT(FLAG, bare) },
	{ "output", "COLUMNS", OPT_OUTPUT, 'o', KEPT(TEXT, output) },
	{ "file", "PATH", OPT_FILE, 0, KEPT(TEXT, file) },
	{ "boxes", NULL, OPT_BOXES, 0, KEPT(FLAG, boxes) },
	{ "kind", "LIST", OPT_KIND, 0, KEPT(TEXT, kinds) },
	{ "sort", NULL, OPT_SORT, 0, KEPT(FLAG, sort) },
	{ "interval", "DURATION", OPT_INTERVAL, 'i', KEPT(DURATION, interval) },
	{ "count", "N", OPT_COUNT, 'n', KEPT(NUMBER, count),
	  .what = "number of intervals", .least = 1 },
	{ "now", NULL, OPT_NOW, 0, KEPT(FLAG, now) },
	{ "next-boot", NULL, OPT_NEXT_BOOT, 0, KEPT(FLAG, next_boot) },
	{ "verbose", NULL, OPT_VERBOSE, 0, KEPT(FLAG, verbose) },
	{ "collector", NULL, OPT_COLLECTOR, 0, KEPT(FLAG, collector) },
};

static const struct command commands[] = {
	{ "list", cmd_list, NULL,
	  "packages, counter boxes, who drives them, what was\n"
	  "rejected and why; performance-limit domains",
	  (const struct use[]){
		{ OPT_OUTPUT, "of its tables only these, such as PMU,UNIT", NULL },
		{ 0 } },
	  .columns = true, .example = "pmonctl list -o UNIT,PMU" },
	{ "bw", cmd_bw, NULL,
	  "bandwidth of memory, CXL devices, links, PCIe stacks",
	  (const struct use[]){
		{ OPT_BOXES, "of each box, not of each socket", NULL },
		{ OPT_KIND, "of these only: memory,cxl,cxlport,upi,iio", NULL },
		{ OPT_PACKAGE, "of this socket only", NULL },
		{ OPT_SORT, "what moves most first", NULL },
		{ OPT_WATCH, "again and again, until interrupted", NULL },
		{ OPT_INTERVAL, "how often, such as 0.5; a second by itself", NULL },
		{ OPT_COUNT, "so many times", NULL },
		{ OPT_FOR, "for so long, such as 90, 5m or 2h", NULL },
		{ OPT_CSV, "a line of values for each interval", NULL },
		{ OPT_OUTPUT, "only these", NULL },
		{ 0 } },
	  .columns = true, .example = "pmonctl bw -i 0.5 --for 1m --csv >bw.csv" },
	{ "plr", cmd_plr, NULL,
	  "what limits the performance of each core, mesh and die",
	  (const struct use[]){
		{ OPT_PACKAGE, "of this package only", NULL },
		{ OPT_CPU, "of the modules of these CPUs only, such as 0-7,16", NULL },
		{ OPT_DIES, "of whole dies only, one register read each", NULL },
		{ OPT_ONCE, "one look, which changes nothing", NULL },
		{ OPT_WATCH, "what limits now, until interrupted", NULL },
		{ OPT_INTERVAL, "how often --watch looks", NULL },
		{ OPT_CLEAR, "show, then clear these reasons or all that were shown", "[NAME...]" },
		{ 0 } }, .wants_words = TAKES(OPT_CLEAR),
	  .example = "pmonctl plr --cpu 0-7" },
	{ "explain", cmd_explain, "NAME|VALUE...",
	  "what a reason means, or those in a raw register,\n"
	  "64 bits in hexadecimal", .wants_words = ~0u,
	  .example = "pmonctl explain POWER_PKG_PL1_MMIO 0x0000040000000004" },
	{ "stat", cmd_stat, "[--] JOB [ARG...]",
	  "what is moved and what limits while a job runs",
	  (const struct use[]){
		{ OPT_OUTPUT, "the report goes there, not to standard error", "FILE" },
		{ 0 } },
	  .takes_job = true, .example = "pmonctl stat -o report -- make -j8" },
	{ "metrics", cmd_metrics, NULL,
	  "bandwidth and limits for Prometheus, after a second",
	  (const struct use[]){
		{ OPT_FILE, "into this file every 15 s, for its node exporter", NULL },
		{ OPT_COLLECTOR, "into the directory that Debian's exporter reads", NULL },
		{ OPT_INTERVAL, "how often the file is written", NULL },
		{ OPT_FOR, "after so long; with --file, until then", NULL },
		{ 0 } }, .no_json = true,
	  .example = "pmonctl metrics --for 10" },
	{ "doctor", cmd_doctor, NULL,
	  "what on this host keeps counters or limits from view",
	  (const struct use[]){
		{ OPT_VERBOSE, "and what is well", NULL },
		{ 0 } },
	  .example = "pmonctl doctor --verbose" },
	{ "adopt", cmd_adopt, "[AREA...]",
	  "hand boxes of the kernel's drivers to openpmon; AREA is\n"
	  "uncore, plr, r2pcie, qpi or cxl",
	  (const struct use[]){
		{ OPT_PERSIST, "on every boot, not only until the next", NULL },
		{ OPT_NEXT_BOOT, "from the next boot on; nothing is unloaded now", NULL },
		{ OPT_NOW, "at once, on a kernel whose perf may hang by that", NULL },
		{ OPT_ALLOW_LOSS, "even if an event is lost or changes its encoding", NULL },
		{ OPT_DRY_RUN, "show what would change, and change nothing", NULL },
		{ 0 } }, .no_json = true, .wants_words = ~0u,
	  .example = "pmonctl adopt --dry-run uncore" },
	{ "release", cmd_release, "[AREA...]", "hand them back",
	  (const struct use[]){
		{ OPT_DRY_RUN, "show what would change, and change nothing", NULL },
		{ 0 } }, .no_json = true, .wants_words = ~0u,
	  .example = "pmonctl release uncore" },
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

static const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

static bool command_takes(const struct command *c, int option)
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

/*
 * What was meant by a word that is none: the name of a command, or below of an option of
 * this one; NULL if nothing is near.
 */
static const char *command_near(const char *word)
{
	for (unsigned int far = 1; far <= NEAR; far++)
		for (size_t i = 0; i < COMMANDS; i++)
			if (distance(word, commands[i].name, far) <= far)
				return commands[i].name;
	return NULL;
}

/* Words of other programs for options of this one. */
static const char *const words_for[][2] = {
	{ "delay", "interval" }, { "interval", "for" }, { "duration", "for" },
	{ "time", "for" }, { "repeat", "count" }, { "all", "boxes" },
	{ "socket", "package" }, { "columns", "output" },
	{ "cpus", "cpu" }, { "follow", "watch" },
};

static const char *option_near(const struct command *c, const char *word)
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

/* getopt_long() wants them so. */
static const struct option *long_options(void)
{
	static struct option all[OPTIONS + 3];
	size_t n = 0;

	for (size_t i = 0; i < OPTIONS; i++)
		all[n++] = (struct option){
			options[i].name, options[i].value ?
			required_argument : no_argument, NULL,
			options[i].option,
		};
	all[n++] = (struct option){ "help", no_argument, NULL, 'h' };
	all[n++] = (struct option){ "version", no_argument, NULL, 'V' };
	return all;
}

static const char *short_options(void)
{
	static char letters[2 * OPTIONS + 4] = ":hV";
	size_t n = 3;

	for (size_t i = 0; i < OPTIONS; i++) {
		if (!options[i].letter)
			continue;
		letters[n++] = options[i].letter;
		if (options[i].value)
			letters[n++] = ':';
	}
	return letters;
}

/* The option that a letter is short for, or 0. */
static int option_of_letter(int letter)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (options[i].letter && options[i].letter == letter)
			return options[i].option;
	return 0;
}

/* A number from the least that the option takes, which is what @what says. */
static bool parse_number(const struct known *o, const char *text, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 10);
	if (end != text && !*end && !errno && *value >= o->least && *value <= INT_MAX)
		return true;
	complain("--%s %s: not a %s", o->name, text, o->what);
	return false;
}

/* Seconds, or with s, m, h or ms behind them; of a tenth of a second to a week. */
static bool parse_duration(const char *name, const char *text, double *seconds)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {
		{ "", 1 }, { "s", 1 }, { "ms", 0.001 }, { "m", 60 }, { "h", 3600 },
	};
	char *end;

	*seconds = isdigit((unsigned char)*text) ? strtod(text, &end) : 0;
	for (size_t i = 0; *seconds > 0 && i < sizeof(units) / sizeof(*units); i++) {
		double value = *seconds * units[i].seconds;

		if (strcmp(end, units[i].unit) || value < 0.1 || value > 604800)
			continue;
		*seconds = value;
		return true;
	}
	complain("--%s %s: not a duration of 0.1 s to a week, such as 0.5, 10, 5m or 2h",
		 name, text);
	return false;
}

static const struct known *find_option(int option)
{
	const struct known *o = options;

	while (o->option != option)
		o++;
	return o;
}

/* Notes an option, and its value. False after a message where that makes no sense. */
static bool option_set(int option, const char *value, struct options *opt)
{
	const struct known *o = find_option(option);
	void *at = (char *)opt + o->at;

	switch (o->kind) {
	case FLAG:
		*(bool *)at = true;
		return true;
	case TEXT:
		*(const char **)at = value;
		return true;
	case NUMBER:
		return parse_number(o, value, at);
	case DURATION:
		return parse_duration(o->name, value, at);
	default:
		return root_set(value);
	}
}

/* Where the second of two columns begins. */
#define RIGHT 24

/* Two columns, or more lines of the second; what is too wide has its own line. */
static void add_row(struct text *t, const char *left, const char *right)
{
	const char *end = strchrnul(right, '\n');

	if (strlen(left) + 4 > RIGHT)
		text_add(t, "  %s\n%*s%.*s\n", left, RIGHT, "", (int)(end - right),
			 right);
	else
		text_add(t, "  %-*s%.*s\n", RIGHT - 2, left, (int)(end - right),
			 right);
	while (*end) {
		right = end + 1;
		end = strchrnul(right, '\n');
		text_add(t, "%*s%.*s\n", RIGHT, "", (int)(end - right), right);
	}
}

static void add_use(struct text *t, const struct use *u)
{
	const struct known *o = find_option(u->option);
	const char *value = u->value ? u->value : o->value;
	struct text left FREED_BY(text_free) = { NULL, 0 };

	if (o->letter)
		text_add(&left, "-%c, ", o->letter);
	text_add(&left, "--%s%s%s", o->name, value ? " " : "", value ? value : "");
	add_row(t, left.s, u->text);
}

static void add_command(struct text *t, const struct command *c)
{
	char *left FREED = xasprintf("%s%s%s", c->name, c->words ? " " : "",
				     c->words ? c->words : "");

	add_row(t, left, c->text);
}

/* "machine-readable output, but for metrics, adopt and release" */
static void add_common(struct text *t, size_t i)
{
	struct text text FREED_BY(text_free) = { NULL, 0 };
	size_t left = 0;

	text_add(&text, "%s", common[i].text);
	for (size_t c = 0; c < COMMANDS && !i; c++)
		left += commands[c].no_json;
	for (size_t c = 0, n = 0; c < COMMANDS && n < left; c++)
		if (commands[c].no_json)
			text_add(&text, "%s%s", !n++ ? ", but for " :
				 n == left ? " and " : ", ", commands[c].name);
	add_row(t, common[i].options, text.s);
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
	struct text t FREED_BY(text_free) = { NULL, 0 };

	text_add(&t, "Usage: pmonctl %s [OPTION...]%s%s\n\n", c->name,
		 c->words ? " " : "", c->words ? c->words : "");
	add_command(&t, c);
	text_add(&t, "%s", c->uses ? "\n" : "");
	for (const struct use *u = c->uses; u && u->option; u++)
		add_use(&t, u);
	add_all_common(&t, c);
	text_add(&t, "\nFor example: %s\n", c->example);
	print_text(to, t.s);
}

/* What --help prints, of one command or, for NULL, of all. */
static void commands_print_help(FILE *to, const struct command *c)
{
	struct text t FREED_BY(text_free) = { NULL, 0 };

	if (c) {
		print_command_help(to, c);
		return;
	}
	text_add(&t, "Usage: pmonctl [OPTION...] [COMMAND]\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		add_command(&t, &commands[i]);
	add_all_common(&t, NULL);
	text_add(&t, "\nWithout a command: one screen of this host. \"pmonctl help "
		 "COMMAND\" shows one\ncommand, with an example.\n");
	text_add(&t, "\nExit status: 0 fine, 1 degraded (something was rejected "
		 "or could not be\nread), 2 broken, 64 wrong usage, 77 no "
		 "supported hardware. See pmonctl(8).\n");
	print_text(to, t.s);
}

static enum status wrong_usage(void)
{
	print_text(stderr, "Try: pmonctl --help\n");
	return STATUS_USAGE;
}

static enum status wrong_command(const char *word)
{
	const char *near = command_near(word);

	complain("unknown command %s%s%s%s", word, near ? " (" : "",
		 near ? near : "", near ? "?)" : "");
	return wrong_usage();
}

static enum status wrong_option(const struct command *command, const char *name)
{
	const char *near = command ? option_near(command, name) : NULL;

	complain("%s has no option --%s%s%s%s",
		 command ? command->name : "pmonctl", name,
		 near ? " (did you mean --" : "", near ? near : "",
		 near ? "?)" : "");
	return wrong_usage();
}

/* How many long options begin with a word, which is "--word" or "--word=value". */
static size_t count_options(const char *word)
{
	size_t len = strcspn(word += strspn(word, "-"), "="), n = 0;

	for (const struct option *o = long_options(); o->name; o++)
		n += !strncmp(o->name, word, len);
	return n;
}

/* What getopt_long() would say, with the word as complain() shows it. */
static enum status take_none(int c, const char *word, const struct command *command)
{
	char *name FREED = xstrndup(word, strcspn(word, "="));

	if (c == ':') {
		complain("%s: needs a value", word);
		return wrong_usage();
	}
	if (strncmp(word, "--", 2) || count_options(word)) {
		complain("%s: %s", word, strchr(word, '=') ? "takes no value" :
			 strncmp(word, "--", 2) ? "no option" :
			 "short for several");
		return wrong_usage();
	}
	return wrong_option(command, name + 2);
}

/* Returns -1 to go on, or the status to leave with. */
static int take_option(int c, char **argv, const struct command *command,
		       struct options *opt)
{
	switch (c) {
	case 'h':
		commands_print_help(stdout, command);
		return STATUS_FINE;
	case 'V':
		say("pmonctl " PMONCTL_VERSION);
		return STATUS_FINE;
	case ':':
	case '?':
		return take_none(c, argv[optind - 1], command);
	default:
		return option_set(c, optarg, opt) ? -1 : (int)wrong_usage();
	}
}

/*
 * Before the command, or what follows it: then options may stand after words, but
 * for a job's, which are its own. The environment's POSIXLY_CORRECT would not allow
 * that; a job has it as ever. -1, or the status to leave with.
 */
static int parse_options(int argc, char **argv, const struct command *command,
			 struct options *opt, unsigned int *given)
{
	const char *value = getenv("POSIXLY_CORRECT");
	char *posix FREED = value ? xstrdup(value) : NULL;
	bool stops = !command || command->takes_job;
	char *letters FREED = xasprintf("%s%s", stops ? "+" : "", short_options());
	int c, status = -1;

	unsetenv("POSIXLY_CORRECT");
	opterr = 0;
	optind = 0;
	while (status < 0 &&
	       (c = getopt_long(argc, argv, letters, long_options(), NULL)) != -1) {
		c = option_of_letter(c) ? option_of_letter(c) : c;
		if (c >= OPT_JSON)
			*given |= TAKES(c);
		status = take_option(c, argv, command, opt);
	}
	if (posix)
		setenv("POSIXLY_CORRECT", posix, 1);
	return status;
}

static bool fits(const struct command *command, unsigned int given,
		 const struct options *opt)
{
	for (const struct option *o = long_options(); o->name; o++) {
		if (o->val < OPT_JSON || !(given & TAKES(o->val)) ||
		    command_takes(command, o->val))
			continue;
		wrong_option(command, o->name);
		return false;
	}
	if (opt->words && command->wants_words != ~0u &&
	    !(command->wants_words & given)) {
		complain("unexpected argument: %s", opt->word[0]);
		wrong_usage();
		return false;
	}
	return true;
}

/* A full disk or a closed pipe must not look like a good answer. */
static int finish(int status)
{
	if (!output_flush()) {
		complain("cannot write the output: %s", strerror(errno));
		return STATUS_BROKEN;
	}
	return status;
}

/*
 * A file that is opened must not get the number of a standard one that the
 * caller has closed: messages would be written into it.
 */
static void open_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int run(const struct command *command, const struct options *opt)
{
	int status;

	if (opt->bare)
		tables_bare();
	if (opt->output && command->columns)
		tables_choose(opt->output);
	status = command->run(opt);
	if (status <= STATUS_DEGRADED && !opt->json && !opt->csv &&
	    !tables_found())
		return STATUS_USAGE;
	return status;
}

/* pmonctl help [COMMAND] */
static int help(char **word)
{
	const struct command *command = *word ? command_find(*word) : NULL;

	if (*word && !command)
		return wrong_command(*word);
	commands_print_help(stdout, command);
	return STATUS_FINE;
}

int main(int argc, char **argv)
{
	struct options opt = { .package = -1 };
	const struct command *command;
	unsigned int given = 0;
	int status;

	open_standard();
	setlocale(LC_CTYPE, "");
	status = parse_options(argc, argv, NULL, &opt, &given);
	if (status >= 0)
		return finish(status);
	argc -= optind;
	argv += optind;
	if (!argc) {
		reasons_begin();
		return finish(cmd_overview());
	}
	if (!strcmp(*argv, "help"))
		return finish(help(argv + 1));
	command = command_find(*argv);
	if (!command)
		return wrong_command(*argv);
	status = parse_options(argc, argv, command, &opt, &given);
	if (status >= 0)
		return finish(status);
	opt.word = argv + optind;
	opt.words = (size_t)(argc - optind);
	if (command->takes_job) {
		opt.job = opt.words ? opt.word : NULL;
		opt.words = 0;
	}
	if (!fits(command, given, &opt))
		return STATUS_USAGE;
	reasons_begin();
	return finish(run(command, &opt));
}
