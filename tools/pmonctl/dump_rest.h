/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DUMP_REST_H
#define PMONCTL_DUMP_REST_H

#include "files.h"

/* A member with the text of a file; none where the file is empty or unreadable. */
#define dump_text(name, ...)	dump_text_path(name, xasprintf(__VA_ARGS__))
void dump_text_path(const char *name, char *path);
/* Likewise for a number. */
#define dump_number(name, ...)	dump_number_path(name, xasprintf(__VA_ARGS__))
void dump_number_path(const char *name, char *path);
/* An unsigned number in hexadecimal, as a text. */
void dump_hex(const char *name, unsigned long long value);

/* Up to @most bytes of a file, or NULL and errno. The caller frees them. */
unsigned char *dump_bytes(const char *path, size_t most, size_t *count);

/* The rest: maps of memory, the kernel's log, PMUs, CXL. */
void dump_rest(bool redact);

#endif
