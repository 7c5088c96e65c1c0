/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_COMMANDS_H
#define PMONCTL_COMMANDS_H

#include <getopt.h>
#include <stdio.h>

#include "pmonctl.h"

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
 * The one table of commands: what is parsed, --help, and so the completion and
 * the manual pages of commands come from it.
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

const struct command *command_find(const char *name);
bool command_takes(const struct command *c, int option);

/*
 * What was meant by a word that is none: the name of a command, or of an option
 * of this one; NULL if nothing is near.
 */
const char *command_near(const char *word);
const char *option_near(const struct command *c, const char *word);

/* For getopt_long(); the option that a letter is short for, or 0. */
const struct option *long_options(void);
const char *short_options(void);
int option_of_letter(int letter);

/* Notes an option, and its value. False after a message where that makes no sense. */
bool option_set(int option, const char *value, struct options *opt);

/* What --help prints, of one command or, for NULL, of all. */
void commands_print_help(FILE *to, const struct command *c);

#endif
