/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_QUALIFY_HOST_H
#define PMONCTL_QUALIFY_HOST_H

#include "discovery.h"

/* What a report begins with: which machine it is of, without its name. */
struct host {
	struct line_of {
		const char *name;
		char *value;
	} line[16];
	size_t count;
};

void host_read(struct host *h, const struct machine *m);
void host_print(const struct host *h);
void host_json(const struct host *h);
void host_free(struct host *h);

#endif
