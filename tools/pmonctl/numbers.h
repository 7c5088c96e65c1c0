/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_NUMBERS_H
#define PMONCTL_NUMBERS_H

#include "number.h"
#include "parts.h"

/* The numbers behind the reasons, as far as the host has them. */
void numbers_begin(struct numbers *n);
/* When now of the parts is known; a while later, power drawn is known, too. */
void numbers_end(struct numbers *n, const struct parts *all);
void numbers_free(struct numbers *n);

/* Lines for the packages in which something limits now. */
void numbers_add(struct text *to, const struct numbers *n,
		 const struct parts *all);
void numbers_json(const struct numbers *n);

#endif
