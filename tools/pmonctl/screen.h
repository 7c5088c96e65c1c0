/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SCREEN_H
#define PMONCTL_SCREEN_H

#include "output.h"

/* What --watch draws on a terminal, and the keys that it takes there. */

/* True for a terminal whose cursor goes where it is told to. */
bool screen_is(void);
/* Keys are read as they are pressed; until screen_end(). */
void screen_begin(void);
void screen_end(void);
/* Draws what fits above the line of the cursor, and says what does not. */
void screen_draw(const char *text);
/*
 * Waits for so long, or for a key, which is returned, or until a signal comes or
 * the screen has another size: 0.
 */
int screen_wait(long long ms);

/* The keys + and - make an interval longer and shorter, of 0.1 s to a minute. */
double interval_after(double seconds, int key);

/* Values of the last intervals; below 0: not known. */
#define HISTORY 40

struct ring {
	double value[HISTORY];
	double most;		/* of all values ever */
	size_t count;		/* ever */
};

void ring_add(struct ring *r, double value);
/* The latest to the right, each a block as high as its part of most. */
void ring_add_text(struct text *t, const struct ring *r, double most);

#endif
