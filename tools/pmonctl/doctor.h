/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_H
#define PMONCTL_DOCTOR_H

#include <stdbool.h>

#include "discovery.h"
#include "output.h"

enum grade { FINE, NOTE, PROBLEM, GRADES };

struct findings {
	struct finding {
		enum grade level;
		char *about, *text, *remedy;
	} *finding;
	size_t count;
	enum grade worst;
};

/*
 * What was found about what, and what to do about it, or NULL. One that begins with
 * a command has a tab behind that.
 */
__attribute__((format(printf, 5, 6)))
void found(struct findings *f, enum grade level, const char *about,
	   const char *remedy, const char *fmt, ...);
/*
 * Problems, then notes, then how much is well, or what if all is wanted; at last what
 * to do next.
 */
void findings_print(const struct findings *f, bool all);
/* The command for the first of the worst that has one, or NULL; to be freed. */
char *findings_next(const struct findings *f);
void findings_json(const struct findings *f);
void findings_free(struct findings *f);

/*
 * The modules: whether they are there, may be loaded, and whether what was
 * adopted is served.
 */
void doctor_host(struct findings *f, const struct machine *m);

/* Who may count, and what could not be read now. */
void doctor_rights(struct findings *f, const struct machine *m);

/* What keeps boxes that are served from counting, or from counting rightly. */
void doctor_boxes(struct findings *f, const struct machine *m);

/* What keeps perf from telling the nodes of a package apart. */
void doctor_nodes(struct findings *f, const struct machine *m);

/* What keeps their counters from being seen. */
void doctor_cxl(struct findings *f);

/* All that doctor looks at; the worst of it. */
enum grade doctor_look(struct findings *f, const struct machine *m);

#endif
