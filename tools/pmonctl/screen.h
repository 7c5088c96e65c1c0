/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SCREEN_H
#define PMONCTL_SCREEN_H

#include "output.h"

/* The screen and the keys of --watch. */

/* Is stdout a terminal with cursor addressing? */
bool screen_is(void);
/* Adds a cell with names; on a terminal, limits but those of turbo have colours. */
void screen_add_names(struct text *t, const char *names, size_t len);
/* Reads keys unbuffered until screen_end(). */
void screen_begin(void);
void screen_end(void);
/* Draws as many lines as fit, and the number of the rest. */
void screen_draw(const char *text);
/* Waits for @ms or a key, and returns the key; 0 also on a signal or a resize. */
int screen_wait(long long ms);

/* The keys + and - make an interval longer and shorter, of 0.1 s to a minute. */
double interval_after(double seconds, int key);

/* Values of the last intervals; below 0: not known. */
#define HISTORY 24

struct ring {
	double value[HISTORY];
	double most;		/* of all values ever */
	size_t count;		/* ever */
};

void ring_add(struct ring *r, double value);
/* The latest to the right, as blocks of a height relative to @most. */
char *ring_text(const struct ring *r, double most);

#endif
