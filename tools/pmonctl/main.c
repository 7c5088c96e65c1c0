// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl: what openpmon found on this machine, for people and for scripts.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "pmonctl.h"
#include "sysfs.h"

static const char usage[] =
"Usage: pmonctl [OPTION...] COMMAND\n"
"\n"
"  list                packages, counter boxes, who drives them, what was\n"
"                      rejected and why; performance-limit domains\n"
"  plr                 what limits the performance of each core, mesh and die\n"
"\n"
"  --json              machine-readable output\n"
"  --package N         plr: this package only\n"
"  --sysroot DIR       read DIR/sys instead of /sys\n"
"  -h, --help          this text\n"
"  -V, --version       the version\n"
"\n"
"Exit status: 0 fine, 1 degraded (something was rejected or could not be\n"
"read), 2 broken, 64 wrong usage, 77 no supported hardware. See pmonctl(8).\n";

static const struct {
	const char *name;
	enum status (*run)(const struct options *opt);
} commands[] = {
	{ "list", cmd_list },
	{ "plr", cmd_plr },
};

enum { OPT_JSON = 256, OPT_PACKAGE, OPT_SYSROOT };

static const struct option long_options[] = {
	{ "json", no_argument, NULL, OPT_JSON },
	{ "package", required_argument, NULL, OPT_PACKAGE },
	{ "sysroot", required_argument, NULL, OPT_SYSROOT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static enum status wrong_usage(void)
{
	fputs("Try: pmonctl --help\n", stderr);
	return STATUS_USAGE;
}

static bool parse_package(const char *text, long *package)
{
	char *end;

	errno = 0;
	*package = strtol(text, &end, 10);
	if (end != text && !*end && !errno && *package >= 0 &&
	    *package <= INT_MAX)
		return true;
	complain("--package %s: not a package number", text);
	return false;
}

/* Returns -1 to go on, or the status to leave with. */
static int parse_options(int argc, char **argv, struct options *opt)
{
	int c;

	while ((c = getopt_long(argc, argv, "hV", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_JSON:
			opt->json = true;
			break;
		case OPT_PACKAGE:
			if (!parse_package(optarg, &opt->package))
				return wrong_usage();
			break;
		case OPT_SYSROOT:
			sysfs_set_root(optarg);
			break;
		case 'h':
			fputs(usage, stdout);
			return STATUS_FINE;
		case 'V':
			puts("pmonctl " PMONCTL_VERSION);
			return STATUS_FINE;
		default:
			return wrong_usage();
		}
	}
	return -1;
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

int main(int argc, char **argv)
{
	struct options opt = { .package = -1 };
	int status = parse_options(argc, argv, &opt);

	if (status >= 0)
		return finish(status);
	if (optind == argc) {
		fputs(usage, stderr);
		return STATUS_USAGE;
	}
	if (optind + 1 < argc) {
		complain("unexpected argument: %s", argv[optind + 1]);
		return wrong_usage();
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[optind], commands[i].name))
			return finish(commands[i].run(&opt));
	complain("unknown command: %s", argv[optind]);
	return wrong_usage();
}
