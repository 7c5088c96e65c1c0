/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_TIMESTAMP_H
#define PMONCTL_TIMESTAMP_H

/* Local time as strftime() writes it, and as RFC 3339 wants it; to be freed. */
char *timestamp_as(const char *format);
char *timestamp(void);

#endif
