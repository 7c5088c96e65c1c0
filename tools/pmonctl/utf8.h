/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_UTF8_H
#define PMONCTL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Length in bytes and code of the character at s; 0 when it is not UTF-8, by
 * what the lead byte asks for, or by a code that is written too long, is half
 * of a UTF-16 pair or is out of range.
 */
size_t utf8_length(const char *s, uint32_t *code);

/* Controls, and what changes the order of other characters or is not seen. */
bool utf8_is_hidden(uint32_t code);

#endif
