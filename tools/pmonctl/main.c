// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl: what openpmon found on this machine, for people and for scripts.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "pmonctl.h"
#include "reasons.h"
#include "root.h"

static const char usage[] =
"Usage: pmonctl [OPTION...] COMMAND\n"
"\n"
"  list                packages, counter boxes, who drives them, what was\n"
"                      rejected and why; performance-limit domains\n"
"    --output COLUMNS  of its tables only these, such as PMU,UNIT; -o is short\n"
"  plr                 what limits the performance of each core, mesh and die\n"
"    --package N       of this package only\n"
"    --cpu LIST        of the modules of these CPUs only, such as 3 or 0-7,16\n"
"    --dies            of whole dies only, one register read each\n"
"    --once            one look instead of two, which changes nothing\n"
"    --watch           what limits now, until interrupted\n"
"    --clear [NAME...] show, then clear these reasons or all that were shown\n"
"    --pid N           what limits this process, for five seconds\n"
"    --cgroup PATH     what limits the processes of a control group\n"
"    --for SECONDS     for so long\n"
"    -- JOB [ARG...]   what limits a job, which is run\n"
"  decode VALUE...     the reasons in a raw register, 64 bits in hexadecimal\n"
"  bw                  bandwidth of memory, CXL devices, links, PCIe stacks\n"
"    --for SECONDS     over so long, not one second\n"
"    --watch           again and again, until interrupted\n"
"    --csv             a line of values for each\n"
"    --output COLUMNS  only these\n"
"  metrics             bandwidth and limits for Prometheus, after a second\n"
"    --file PATH       into this file every 15 s, for its node exporter\n"
"    --for SECONDS     after so long, or every so long\n"
"  stat -- JOB [ARG...] what a job moves and what limits it, while it runs\n"
"  who                 which processes have perf events open\n"
"    --output COLUMNS  only these\n"
"  dump                what describes this hardware, as a file for a report, from\n"
"                      which the emulator makes a machine\n"
"    --redact          without the host's name and serial number\n"
"  doctor              what on this host keeps counters or limits from being seen\n"
"  adopt [AREA...]     hand boxes from the kernel's drivers to openpmon; AREA is\n"
"                      uncore, plr, r2pcie or qpi\n"
"    --persist         on every boot, not only until the next\n"
"    --allow-loss      even if an event is lost or changes its encoding\n"
"    --dry-run         show what would change, and change nothing\n"
"  release [AREA...]   hand them back (--dry-run)\n"
"\n"
"  --json              machine-readable output, but for metrics, adopt and release\n"
"  --noheadings        tables without heads\n"
"  --sysroot DIR       read the files below DIR, and run no program\n"
"  -h, --help          this text\n"
"  -V, --version       the version\n"
"\n"
"Exit status: 0 fine, 1 degraded (something was rejected or could not be\n"
"read), 2 broken, 64 wrong usage, 77 no supported hardware. See pmonctl(8).\n";

enum {
	OPT_JSON = 256, OPT_SYSROOT, OPT_PACKAGE, OPT_CPU, OPT_WATCH, OPT_CLEAR,
	OPT_DRY_RUN, OPT_PERSIST, OPT_ALLOW_LOSS, OPT_ONCE, OPT_DIES, OPT_PID,
	OPT_CGROUP, OPT_FOR, OPT_CSV, OPT_NOHEADINGS,
	OPT_OUTPUT, OPT_REDACT, OPT_FILE,
};

static const struct option long_options[] = {
	{ "json", no_argument, NULL, OPT_JSON },
	{ "sysroot", required_argument, NULL, OPT_SYSROOT },
	{ "package", required_argument, NULL, OPT_PACKAGE },
	{ "cpu", required_argument, NULL, OPT_CPU },
	{ "watch", no_argument, NULL, OPT_WATCH },
	{ "clear", no_argument, NULL, OPT_CLEAR },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "persist", no_argument, NULL, OPT_PERSIST },
	{ "allow-loss", no_argument, NULL, OPT_ALLOW_LOSS },
	{ "once", no_argument, NULL, OPT_ONCE },
	{ "dies", no_argument, NULL, OPT_DIES },
	{ "pid", required_argument, NULL, OPT_PID },
	{ "cgroup", required_argument, NULL, OPT_CGROUP },
	{ "for", required_argument, NULL, OPT_FOR },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "noheadings", no_argument, NULL, OPT_NOHEADINGS },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "redact", no_argument, NULL, OPT_REDACT },
	{ "file", required_argument, NULL, OPT_FILE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

#define TAKES(option) (1u << ((option) - OPT_JSON))
#define ALL (TAKES(OPT_NOHEADINGS) | TAKES(OPT_SYSROOT))
#define EVERYBODY (ALL | TAKES(OPT_JSON))

static const struct command {
	const char *name;
	enum status (*run)(const struct options *opt);
	unsigned int takes;		/* options */
	unsigned int wants_words;	/* with any of these, or always */
} commands[] = {
	{ "list", cmd_list, EVERYBODY | TAKES(OPT_OUTPUT), 0 },
	{ "plr", cmd_plr, EVERYBODY | TAKES(OPT_PACKAGE) | TAKES(OPT_CPU) |
	  TAKES(OPT_WATCH) | TAKES(OPT_CLEAR) | TAKES(OPT_ONCE) |
	  TAKES(OPT_DIES) | TAKES(OPT_PID) | TAKES(OPT_CGROUP) |
	  TAKES(OPT_FOR), TAKES(OPT_CLEAR) },
	{ "decode", cmd_decode, EVERYBODY, ~0u },
	{ "bw", cmd_bw, EVERYBODY | TAKES(OPT_WATCH) | TAKES(OPT_FOR) |
	  TAKES(OPT_CSV) | TAKES(OPT_OUTPUT), 0 },
	{ "metrics", cmd_metrics, ALL | TAKES(OPT_FILE) | TAKES(OPT_FOR), 0 },
	{ "stat", cmd_stat, EVERYBODY, 0 },
	{ "who", cmd_who, EVERYBODY | TAKES(OPT_OUTPUT), 0 },
	{ "dump", cmd_dump, EVERYBODY | TAKES(OPT_REDACT), 0 },
	{ "doctor", cmd_doctor, EVERYBODY, 0 },
	{ "adopt", cmd_adopt, ALL | TAKES(OPT_DRY_RUN) |
	  TAKES(OPT_PERSIST) | TAKES(OPT_ALLOW_LOSS), ~0u },
	{ "release", cmd_release, ALL | TAKES(OPT_DRY_RUN), ~0u },
};

static enum status wrong_usage(void)
{
	print_text(stderr, "Try: pmonctl --help\n");
	return STATUS_USAGE;
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
		[OPT_REDACT - OPT_JSON] = &opt->redact,
	};

	*flags[c - OPT_JSON] = true;
}

/* What getopt_long() would say, with the word as complain() shows it. */
static void complain_option(int c, const char *word)
{
	if (c == ':')
		complain("%s: needs a value", word);
	else
		complain("%s: no option, short for several, or one that takes "
			 "no value", word);
}

/* False for a value that makes no sense. */
static bool take_value(int c, struct options *opt)
{
	switch (c) {
	case OPT_PACKAGE:
		return parse_number("package", "package number", 0, INT_MAX,
				    &opt->package);
	case OPT_PID:
		return parse_number("pid", "process number", 1, INT_MAX,
				    &opt->pid);
	case OPT_FOR:
		return parse_number("for", "number of seconds up to a day", 1,
				    86400, &opt->seconds);
	case OPT_CPU:
		opt->cpus = optarg;
		return true;
	case OPT_CGROUP:
		opt->cgroup = optarg;
		return true;
	case OPT_OUTPUT:
		opt->columns = optarg;
		return true;
	case OPT_FILE:
		opt->file = optarg;
		return true;
	default:
		return root_set(optarg);
	}
}

/* Returns -1 to go on, or the status to leave with. */
static int take_option(int c, const char *word, struct options *opt)
{
	switch (c) {
	case OPT_PACKAGE:
	case OPT_CPU:
	case OPT_PID:
	case OPT_CGROUP:
	case OPT_FOR:
	case OPT_OUTPUT:
	case OPT_FILE:
	case OPT_SYSROOT:
		return take_value(c, opt) ? -1 : (int)wrong_usage();
	case 'h':
		print_text(stdout, usage);
		return STATUS_FINE;
	case 'V':
		say("pmonctl " PMONCTL_VERSION);
		return STATUS_FINE;
	case ':':
	case '?':
		complain_option(c, word);
		return wrong_usage();
	default:
		set_flag(c, opt);
		return -1;
	}
}

static int parse_options(int argc, char **argv, struct options *opt,
			 unsigned int *given)
{
	int c, status = -1;

	opterr = 0;
	while (status < 0 &&
	       (c = getopt_long(argc, argv, ":hVo:", long_options, NULL)) != -1) {
		c = c == 'o' ? OPT_OUTPUT : c;
		if (c >= OPT_JSON)
			*given |= TAKES(c);
		status = take_option(c, argv[optind - 1], opt);
	}
	return status;
}

static bool fits(const struct command *command, unsigned int given,
		 const struct options *opt)
{
	for (const struct option *o = long_options; o->name; o++) {
		if (o->val < OPT_JSON || !(given & TAKES(o->val)) ||
		    command->takes & TAKES(o->val))
			continue;
		complain("--%s: not an option of %s", o->name, command->name);
		return false;
	}
	if (opt->words && command->wants_words != ~0u &&
	    !(command->wants_words & given)) {
		complain("unexpected argument: %s", opt->word[0]);
		return false;
	}
	return true;
}

/* A full disk or a closed pipe must not look like a good answer. */
static int finish(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
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

/*
 * What follows "--" after `plr` or `stat` is a job. getopt_long() has moved what comes
 * before to the front, and has left optind behind the "--".
 */
static void split_job(int argc, char **argv, int dashes, struct options *opt)
{
	int after = argc - dashes - 1;

	if (!dashes || strcmp(argv[optind - 1], "--") ||
	    (strcmp(argv[optind], "plr") && strcmp(argv[optind], "stat")) ||
	    argc - optind <= after)
		return;
	opt->job = argv + argc - after;
	opt->words -= (size_t)after;
}

/* Where the first "--" is, or 0. */
static int find_dashes(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return i;
	return 0;
}

static int run(const struct command *command, const struct options *opt)
{
	int status;

	if (opt->bare)
		tables_bare();
	if (opt->columns)
		tables_choose(opt->columns);
	status = command->run(opt);
	if (status <= STATUS_DEGRADED && !opt->json && !opt->csv &&
	    !tables_found())
		return STATUS_USAGE;
	return status;
}

int main(int argc, char **argv)
{
	struct options opt = { .package = -1, .pid = -1 };
	int status, dashes = find_dashes(argc, argv);
	unsigned int given = 0;

	open_standard();
	status = parse_options(argc, argv, &opt, &given);
	if (status >= 0)
		return finish(status);
	if (optind == argc) {
		print_text(stderr, usage);
		return STATUS_USAGE;
	}
	opt.word = argv + optind + 1;
	opt.words = (size_t)(argc - optind - 1);
	split_job(argc, argv, dashes, &opt);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(argv[optind], commands[i].name))
			continue;
		if (!fits(&commands[i], given, &opt))
			return wrong_usage();
		reasons_begin();
		return finish(run(&commands[i], &opt));
	}
	complain("unknown command: %s", argv[optind]);
	return wrong_usage();
}
