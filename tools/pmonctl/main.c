// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl: the command line, with the tables of commands and options, errors, and help. */
#include <ctype.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <unistd.h>

#include "reasons.h"

/* A command. Parsing, --help, completion and manual pages all use this table. */
struct command {
	const char *name;
	enum status (*run)(const struct options *opt);
	const char *words;	/* arguments in help, " WORD...", or "" */
	const char *text;
	const char *options;	/* "NAME|NAME: TEXT", TEXT if not the usual one; or NULL */
	bool no_json;
	bool takes_job;		/* rest of the line is the job */
	const char *example;
};

/* Type of an option's value, and its member in struct options. */
enum kind { FLAG, TEXT, NUMBER, DURATION };

#define KEPT(kind, member) kind, .at = offsetof(struct options, member)

/* The text of --json in help, after which general help has the exceptions. */
#define JSON "machine-readable output"

/* An option of any command. */
static const struct known {
	const char *name, *value;	/* value: name of the argument, or NULL */
	enum kind kind;
	size_t at;
	const char *text;		/* in help */
	char letter;
	const char *noun;		/* noun for a number, in an error message */
	long least;
} options[] = {
	{ "json", NULL, KEPT(FLAG, json), JSON },
	{ "socket", "N", KEPT(NUMBER, package), "only this socket", .noun = "socket number" },
	{ "cpu", "LIST", KEPT(TEXT, cpus), "only modules of these CPUs, such as 0-7,16" },
	{ "watch", NULL, KEPT(FLAG, watch), "a screen until interrupted" },
	{ "clear", "[NAME...]", KEPT(FLAG, clear), "show, then clear these reasons, or all" },
	{ "dry-run", NULL, KEPT(FLAG, dry_run), "show all changes, and make none" },
	{ "persist", NULL, KEPT(FLAG, persist), "on every boot, not only until the next" },
	{ "allow-loss", NULL, KEPT(FLAG, allow_loss),
	  "even if an event is lost or changes its encoding" },
	{ "once", NULL, KEPT(FLAG, once), "leave the hardware's record of limits in place" },
	{ "all", NULL, KEPT(FLAG, all), "all rows, not only 40 lines of them" },
	{ "for", "DURATION", KEPT(DURATION, duration), "duration, such as 90, 5m or 2d" },
	{ "csv", NULL, KEPT(FLAG, csv), "CSV, one line for each interval" },
	{ "output", "FILE", KEPT(TEXT, output), "write the report there, not to standard error",
	  .letter = 'o' },
	{ "file", "PATH", KEPT(TEXT, file), "write this file every 15 s, for the node exporter" },
	{ "boxes", NULL, KEPT(FLAG, boxes), "each box instead of each socket" },
	{ "kind", "LIST", KEPT(TEXT, kinds),
	  "of these kinds: memory,hbm,cxl,cxlport,cxlhost,upi,iio" },
	{ "interval", "DURATION", KEPT(DURATION, interval),
	  "a table each DURATION, such as 1, until interrupted", .letter = 'i' },
	{ "count", "N", KEPT(NUMBER, count), "number of measurements", .letter = 'n',
	  .noun = "number of intervals", .least = 1 },
	{ "now", NULL, KEPT(FLAG, now), "at once, on a kernel whose perf may hang by that" },
	{ "next-boot", NULL, KEPT(FLAG, next_boot),
	  "from the next boot on; nothing is unloaded now" },
	{ "verbose", NULL, KEPT(FLAG, verbose), "also show checks without a problem" },
	{ "modules", NULL, KEPT(FLAG, modules), "include limits of each core module" },
	{ "redact", NULL, KEPT(FLAG, redact), "without names of the host and of other devices" },
};

static const struct command commands[] = {
	{ "list", cmd_list, "",
	  "sockets, counter boxes with their drivers, rejected\nboxes, performance-limit domains",
	  .example = "pmonctl list --json" },
	{ "bw", cmd_bw, "", "bandwidth of memory, CXL devices, links, PCIe stacks",
	  "boxes|kind|socket|watch|interval|count|for|csv",
	  .example = "pmonctl bw -i 0.5 --for 1m --csv >bw.csv" },
	{ "plr", cmd_plr, "", "performance limits of each core, mesh and die",
	  "socket|cpu|all|once: look once, and change nothing|watch: a screen of limits in force "
	  "until interrupted;\ninto a file, a line for each change|interval|"
	  "count: number of looks|for|csv|clear",
	  .example = "pmonctl plr --cpu 0-7" },
	{ "explain", cmd_explain, " [NAME|VALUE...]",
	  "meanings of all reasons, of one, or of those in a raw\nregister, 64 bits in hexadecimal",
	  .example = "pmonctl explain POWER_PKG_PL1_MMIO 0x0000040000000004" },
	{ "stat", cmd_stat, " [--] JOB [ARG...]", "bandwidth and limits while a job runs",
	  "output", .takes_job = true, .example = "pmonctl stat -o report -- make -j8" },
	{ "metrics", cmd_metrics, "", "bandwidth and limits for Prometheus, after a second",
	  "file|modules|interval: time between writes of the file|"
	  "for: count for this long; with --file, then stop",
	  .no_json = true, .example = "pmonctl metrics --for 10" },
	{ "doctor", cmd_doctor, "", "find out why counters or limits are missing",
	  "verbose|once", .example = "pmonctl doctor --verbose" },
	{ "dump", cmd_dump, "", "a description of this hardware, as JSON, for a report",
	  "redact", .example = "pmonctl dump --redact >dump.json" },
	{ "adopt", cmd_adopt, " [AREA...]",
	  "hand boxes of the kernel's drivers to openpmon; AREA is\n"
	  "uncore, plr, r2pcie, qpi or cxl", "persist|next-boot|now|allow-loss|dry-run",
	  .no_json = true, .example = "pmonctl adopt --dry-run uncore" },
	{ "release", cmd_release, " [AREA...]", "hand boxes back to the kernel's drivers",
	  "dry-run", .no_json = true, .example = "pmonctl release uncore" },
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))
#define OPTIONS (sizeof(options) / sizeof(*options))

/* Pairs of options that exclude each other. */
static const char *const apart[][2] = {
	{ "csv", "json" }, { "watch", "clear" }, { "cpu", "socket" }, { "once", "watch" },
	{ "now", "next-boot" }, { "once", "clear" },
};

static const struct command *command_find(const char *name)
{
	for_each_in(c, commands)
		if (!strcmp(name, c->name))
			return c;
	return NULL;
}

static bool command_takes(const struct command *c, const char *option)
{
	if (!strcmp(option, "json"))
		return !c || !c->no_json;
	for_each_token(use, c && c->options ? xstrdup(c->options) : NULL, "|")
		if (!strcmp(strtok(use, ":"), option))
			return true;
	return false;
}

/* Do at most @changes added, dropped or replaced letters turn @a into @b? */
static bool is_near(const char *a, const char *b, unsigned int changes)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	if (!*a && !*b)
		return true;
	return changes && ((*a && *b && is_near(a + 1, b + 1, changes - 1)) ||
			   (*a && is_near(a + 1, b, changes - 1)) ||
			   (*b && is_near(a, b + 1, changes - 1)));
}

/* Words of other programs, and our commands or options of that meaning. */
static const struct {
	const char *word, *ours;
} meant[] = {
	{ "top", "bw --watch" }, { "watch", "bw --watch" }, { "monitor", "bw --watch" },
	{ "bandwidth", "bw" }, { "memory", "bw" }, { "limits", "plr" }, { "status", "doctor" },
	{ "info", "list" }, { "report", "dump" }, { "help", "help" },
	{ "--delay", "--interval" }, { "--interval", "--for" }, { "--duration", "--for" },
	{ "--time", "--for" }, { "--repeat", "--count" }, { "--all", "--boxes" },
	{ "--package", "--socket" }, { "--cpus", "--cpu" }, { "--follow", "--watch" },
};

/* Two swapped letters are two changes. */
#define NEAR 2U

/* A command, or an option "--NAME" of command @c, of like meaning or spelling; or NULL. */
static const char *suggest(const char *word, const struct command *c)
{
	bool option = !strncmp(word, "--", 2);

	for (unsigned int far = 0; far <= NEAR && *word; far++) {
		for_each_in(m, meant)
			if (option == (*m->word == '-') && is_near(word, m->word, far) &&
			    (!option || command_takes(c, m->ours + 2)))
				return m->ours;
		for_each_in(one, commands)
			if (!option && is_near(word, one->name, far))
				return one->name;
		for_each_in(o, options)
			if (option && strlen(word) > 2 + NEAR && command_takes(c, o->name) &&
			    is_near(word + 2, o->name, far))
				return xasprintf("--%s", o->name);
	}
	return NULL;
}

/* "-" makes getopt_long() return non-options, too. Long options have numbers above all letters. */
#define LETTERS "-:hVo:i:n:"
#define LONG 256
static struct option long_options[OPTIONS + 3] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
};

/* Parses seconds, or a number with a unit; 0.1 s to a week. */
static bool parse_duration(const char *name, const char *text, double *seconds)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {
		{ "", 1 }, { "s", 1 }, { "ms", 0.001 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 },
	};
	char *end;
	double number = strtod(text, &end);

	for_each_in(u, units) {
		*seconds = number * u->seconds;
		if (isdigit((unsigned char)*text) && !strcmp(end, u->unit) && *seconds >= 0.1 &&
		    *seconds <= 604800)
			return true;
	}
	return complain("--%s %s: not a duration of 0.1 s to a week, such as 0.5, 10, 5m, 2h or 2d",
			name, text);
}

/* Stores an option's value. False after a message. */
static bool option_set(const struct known *o, const char *value, struct options *opt)
{
	void *at = (char *)opt + o->at;
	long long number;
	bool good;

	switch (o->kind) {
	case FLAG:
		*(bool *)at = true;
		return true;
	case TEXT:
		*(const char **)at = value;
		return true;
	case NUMBER:
		good = number_parse(value, 10, INT_MAX, &number) && number >= o->least;
		*(long *)at = (long)number;
		return good || complain("--%s %s: not a %s", o->name, value, o->noun);
	default:
		return parse_duration(o->name, value, at);
	}
}

/* The second column's distance from the left. */
#define RIGHT 24

/* Adds two columns, a wide left one on a separate line. */
static void add_row(struct text *t, const char *left, const char *right)
{
	bool wide = strlen(left) + 4 > RIGHT;

	text_add(t, "  %-*s%s", wide ? 0 : RIGHT - 2, left, wide ? "\n" : "");
	for_each_line(line, xstrdup(right)) {
		text_add(t, "%*s%s\n", wide ? RIGHT : 0, "", line);
		wide = true;
	}
}

/* Adds an option from a command's list, "NAME" or "NAME: TEXT". */
static void add_option(struct text *t, char *use)
{
	const struct known *o = options;
	char *text = strchr(use, ':');

	if (text)
		*text = '\0';
	while (strcmp(o->name, use))
		o++;
	add_row(t, xasprintf("%s--%s%s%s", o->letter ? xasprintf("-%c, ", o->letter) : "",
			     o->name, o->value ? " " : "", o->value ? o->value : ""),
		text ? text + strlen(": ") : o->text);
}

/* Prints help for a command; NULL: for all. */
static void print_help(const struct command *c)
{
	struct text t = { NULL, 0 };

	if (c)
		text_add(&t, "Usage: pmonctl %s [OPTION...]%s\n\n", c->name, c->words);
	else
		text_add(&t, "Usage: pmonctl [OPTION...] [COMMAND]\n\n");
	for_each_in(one, commands)
		if (!c || c == one)
			add_row(&t, xasprintf("%s%s", one->name, one->words), one->text);
	if (c && c->options)
		text_add(&t, "\n");
	for_each_token(use, c && c->options ? xstrdup(c->options) : NULL, "|")
		add_option(&t, use);
	text_add(&t, "\n");
	if (!c || !c->no_json)
		add_row(&t, "--json", c ? JSON : JSON ", but for metrics, adopt and release");
	add_row(&t, "-h, --help", "this text");
	add_row(&t, "-V, --version", "the version");
	if (c)
		text_add(&t, "\nFor example: %s\n", c->example);
	else
		text_add(&t, "\nWithout a command: one screen of this host. \"pmonctl help "
			 "COMMAND\" shows one\ncommand, with an example.\n\n"
			 "Exit status: 0 fine, 1 degraded (something was rejected or could not "
			 "be\nread), 2 broken, 64 wrong usage, 77 no supported hardware. See "
			 "pmonctl(8).\n");
	print_lines(t.s);
}

static enum status wrong_usage(const struct command *c)
{
	print_text(stderr, xasprintf("Try: pmonctl %s%s\n", c ? "help " : "--help",
				     c ? c->name : ""));
	return STATUS_USAGE;
}

static enum status wrong_command(const char *word)
{
	const char *near = suggest(word, NULL);

	complain("unknown command %s%s%s%s", *word ? word : "\"\"", near ? " (" : "",
		 near ? near : "", near ? "?)" : "");
	return wrong_usage(NULL);
}

static enum status wrong_option(const struct command *command, const char *name)
{
	const char *near = suggest(xasprintf("--%s", name), command);
	const struct command *one = commands;

	while (one < commands + COMMANDS && !command_takes(one, name))
		one++;
	if (command)
		complain("%s has no option --%s%s%s%s", command->name, name, near ?
			 " (did you mean " : "", near ? near : "", near ? "?)" : "");
	else if (one < commands + COMMANDS)
		complain("--%s needs a command, such as pmonctl %s --%s", name, one->name, name);
	else
		complain("--%s: no such option", name);
	return wrong_usage(command);
}

/* Prints the error of getopt_long() by complain(). */
static enum status take_none(int c, const char *word, const struct command *command)
{
	char *name = xstrndup(word, strcspn(word, "="));
	bool is_long = !strncmp(word, "--", 2), begins_one = false;

	for (const struct option *o = long_options; is_long && o->name; o++)
		begins_one |= !strncmp(o->name, name + 2, strlen(name + 2));
	if (c == '?' && is_long && !begins_one)
		return wrong_option(command, name + 2);
	complain("%s: %s", word, c == ':' ? "needs a value" : strchr(word, '=') ? "takes no value" :
		 is_long ? "short for several" : "no such option");
	return wrong_usage(command);
}

/* Returns -1 to go on, or the status to leave with. */
static int take_option(int c, char **argv, const struct command *command,
		       struct options *opt, unsigned int *given)
{
	/* Within "-xy", getopt_long() is still at this word. */
	bool letter = c == '?' && optopt && optopt < LONG && !strchr(LETTERS, optopt);
	const struct known *o = options;

	switch (c) {
	case 'h':
		print_help(command);
		return STATUS_FINE;
	case 'V':
		print_line("pmonctl " PMONCTL_VERSION);
		for_each_in(module, own_modules)
			if (module_version(*module))
				print_line("%s %s", *module, module_version(*module));
		return STATUS_FINE;
	case ':':
	case '?':
		return take_none(c, letter ? xasprintf("-%c", optopt) : argv[optind - 1], command);
	default:
		while (o->letter != c && LONG + (o - options) != c)
			o++;
		*given |= 1U << (o - options);
		return option_set(o, optarg, opt) ? -1 : (int)wrong_usage(command);
	}
}

/* Stores the command or an argument, or prints help; returns as take_option(). */
static int take_word(char *word, char **argv, const struct command **command, struct options *opt)
{
	if (*command) {
		opt->word[opt->words++] = word;
		return -1;
	}
	*command = command_find(word);
	if (*command)
		return -1;
	if (strcmp(word, "help"))
		return wrong_command(word);
	word = argv[optind];
	*command = word ? command_find(word) : NULL;
	if (word && !*command)
		return wrong_command(word);
	print_help(*command);
	return STATUS_FINE;
}

/* Parses options before any job. Moves words to the head of argv. Returns as take_option(). */
static int parse(int argc, char **argv, const struct command **command,
		 struct options *opt, unsigned int *given)
{
	int c, status = -1;

	for (int i = 0; i < (int)OPTIONS; i++)
		long_options[i + 2] = (struct option){
			options[i].name, options[i].kind == FLAG ? no_argument : required_argument,
			NULL, LONG + i,
		};
	opterr = 0;
	while (status < 0 && (c = getopt_long(argc, argv, LETTERS, long_options, NULL)) != -1) {
		if (c == 1 && *command && (*command)->takes_job) {
			optind--;
			break;
		}
		status = c == 1 ? take_word(optarg, argv, command, opt) :
				  take_option(c, argv, *command, opt, given);
	}
	while (status < 0 && optind < argc)
		status = take_word(argv[optind++], argv, command, opt);
	opt->word[opt->words] = NULL;
	return status;
}

static bool is_given(const char *option, unsigned int given)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (given >> i & 1 && !strcmp(options[i].name, option))
			return true;
	return false;
}

static bool fits(const struct command *command, unsigned int given, const struct options *opt)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (given >> i & 1 && !command_takes(command, options[i].name)) {
			wrong_option(command, options[i].name);
			return false;
		}
	if (opt->words && !*command->words && !opt->clear) {
		bool times = command_takes(command, "interval") &&
			     isdigit((unsigned char)*opt->word[0]);

		complain("unexpected argument: %s%s%s%s", opt->word[0], times ?
			 " (did you mean -i " : "", times ? opt->word[0] : "", times ? "?)" : "");
		wrong_usage(command);
		return false;
	}
	for_each_in(pair, apart)
		if (is_given((*pair)[0], given) && is_given((*pair)[1], given))
			return complain("--%s and --%s do not go together", (*pair)[0], (*pair)[1]);
	return true;
}

int main(int argc, char **argv)
{
	struct options opt = { .package = -1, .word = argv, .job = argv };
	const struct command *command = NULL;
	unsigned int given = 0;
	int status, fd;

	/* Open closed standard descriptors, so that no file opened later gets our messages. */
	while (fd = open("/dev/null", O_RDONLY), fd >= 0 && fd <= STDERR_FILENO)
		;
	close(fd);
	setlocale(LC_CTYPE, "");
	status = parse(argc, argv, &command, &opt, &given);
	reasons_begin();
	if (status < 0 && !fits(command, given, &opt))
		status = STATUS_USAGE;
	if (status < 0)
		status = command ? command->run(&opt) : cmd_overview(&opt);
	/* A full disk or a closed pipe must not look like a good answer. */
	if (output_flush())
		return status;
	return fail(STATUS_BROKEN, "cannot write the output: %s", output_lost());
}
