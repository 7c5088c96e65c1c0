// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl: what openpmon found on this machine, for people and for scripts.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "output.h"
#include "pmonctl.h"
#include "reasons.h"

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
