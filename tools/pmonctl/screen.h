/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SCREEN_H
#define PMONCTL_SCREEN_H

#include <stdbool.h>

#include "parts.h"

/*
 * What --watch shows. A terminal has one screen, which is drawn anew; a file
 * or pipe gets a line for each change, or with json an object on a line. False
 * when that is lost.
 */
bool screen_start(const struct parts *all, bool json);

/*
 * For each part: now is what limits now, changed whether that differs from
 * what was shown, reasons what has limited since the last clear.
 */
bool screen_show(const struct parts *all, bool json);

/* True for a terminal whose cursor goes where it is told to. */
bool screen_is(void);

/* Draws what fits above the line of the cursor, and says what does not. */
void screen_draw(const char *text);

/* The height of the terminal; 0 where there is none. */
size_t screen_room(void);

/*
 * Lines that are fit to be shown, no more of them than leave room for what
 * the shell says next on a screen of so many rows; 0: all.
 */
void screen_print(const char *text, size_t rows);

/* The device or driver is gone, and waited for. */
void screen_absent(void);

#endif
