// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl: what openpmon found on this machine, for people and for scripts.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "output.h"
#include "pmonctl.h"
#include "reasons.h"
#include "files.h"

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

/* A number from least to most, which is what `what` says. */
static bool parse_number(const char *name, const char *what, long least,
			 long most, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(optarg, &end, 10);
	if (end != optarg && !*end && !errno && *value >= least &&
	    *value <= most)
		return true;
	complain("--%s %s: not a %s", name, optarg, what);
	return false;
}

static void set_flag(int c, struct options *opt)
{
	bool *const flags[] = {
		[OPT_JSON - OPT_JSON] = &opt->json,
		[OPT_WATCH - OPT_JSON] = &opt->watch,
		[OPT_CLEAR - OPT_JSON] = &opt->clear,
		[OPT_DRY_RUN - OPT_JSON] = &opt->dry_run,
		[OPT_PERSIST - OPT_JSON] = &opt->persist,
		[OPT_ALLOW_LOSS - OPT_JSON] = &opt->allow_loss,
		[OPT_ONCE - OPT_JSON] = &opt->once,
		[OPT_DIES - OPT_JSON] = &opt->dies,
		[OPT_CSV - OPT_JSON] = &opt->csv,
		[OPT_NOHEADINGS - OPT_JSON] = &opt->bare,
		[OPT_BOXES - OPT_JSON] = &opt->boxes,
		[OPT_SORT - OPT_JSON] = &opt->sort,
		[OPT_NOW - OPT_JSON] = &opt->now,
		[OPT_NEXT_BOOT - OPT_JSON] = &opt->next_boot,
		[OPT_VERBOSE - OPT_JSON] = &opt->verbose,
		[OPT_COLLECTOR - OPT_JSON] = &opt->collector,
	};

	*flags[c - OPT_JSON] = true;
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
	char *name;
	enum status status;

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
	name = xstrndup(word + 2, strcspn(word + 2, "="));
	status = wrong_option(command, name);
	free(name);
	return status;
}

/* Seconds, or with s, m, h or ms behind them; of a tenth of a second to a week. */
static bool parse_duration(const char *name, double *seconds)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {
		{ "", 1 }, { "s", 1 }, { "ms", 0.001 }, { "m", 60 }, { "h", 3600 },
	};
	char *end;

	*seconds = isdigit((unsigned char)*optarg) ? strtod(optarg, &end) : 0;
	for (size_t i = 0; *seconds > 0 && i < sizeof(units) / sizeof(*units); i++) {
		double value = *seconds * units[i].seconds;

		if (strcmp(end, units[i].unit) || value < 0.1 || value > 604800)
			continue;
		*seconds = value;
		return true;
	}
	complain("--%s %s: not a duration of 0.1 s to a week, such as 0.5, 10, 5m or 2h",
		 name, optarg);
	return false;
}

/* False for a value that makes no sense. */
static bool take_value(int c, struct options *opt)
{
	switch (c) {
	case OPT_PACKAGE:
		return parse_number("package", "package number", 0, INT_MAX,
				    &opt->package);
	case OPT_COUNT:
		return parse_number("count", "number of intervals", 1, INT_MAX,
				    &opt->count);
	case OPT_FOR:
		return parse_duration("for", &opt->duration);
	case OPT_INTERVAL:
		return parse_duration("interval", &opt->interval);
	case OPT_CPU:
		opt->cpus = optarg;
		return true;
	case OPT_KIND:
		opt->kinds = optarg;
		return true;
	case OPT_OUTPUT:
		opt->output = optarg;
		return true;
	case OPT_FILE:
		opt->file = optarg;
		return true;
	default:
		return root_set(optarg);
	}
}

/* Returns -1 to go on, or the status to leave with. */
static int take_option(int c, char **argv, const struct command *command,
		       struct options *opt)
{
	switch (c) {
	case OPT_PACKAGE:
	case OPT_CPU:
	case OPT_COUNT:
	case OPT_KIND:
	case OPT_FOR:
	case OPT_INTERVAL:
	case OPT_OUTPUT:
	case OPT_FILE:
	case OPT_SYSROOT:
		return take_value(c, opt) ? -1 : (int)wrong_usage();
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
		set_flag(c, opt);
		return -1;
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
	char *posix = value ? xstrdup(value) : NULL;
	bool stops = !command || command->takes_job;
	struct text letters = { NULL, 0 };
	int c, status = -1;

	unsetenv("POSIXLY_CORRECT");
	text_add(&letters, "%s%s", stops ? "+" : "", short_options());
	opterr = 0;
	optind = 0;
	while (status < 0 &&
	       (c = getopt_long(argc, argv, letters.s, long_options(), NULL)) != -1) {
		c = option_of_letter(c) ? option_of_letter(c) : c;
		if (c >= OPT_JSON)
			*given |= TAKES(c);
		status = take_option(c, argv, command, opt);
	}
	if (posix)
		setenv("POSIXLY_CORRECT", posix, 1);
	free(posix);
	text_free(&letters);
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
