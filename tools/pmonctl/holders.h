/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HOLDERS_H
#define PMONCTL_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>

/* A process that has perf events open, as far as /proc shows. */
struct holder {
	long pid;
	long uid;		/* -1: not known */
	char *name;
	char *command;		/* with its arguments */
	size_t events;
};

struct holders {
	struct holder *holder;
	size_t count;
	size_t hidden;		/* processes whose files may not be listed */
};

struct holders holders_find(void);
void holders_free(struct holders *h);

/* Their names and numbers, for a message; "" where none is known. */
char *holders_names(void);

#endif
