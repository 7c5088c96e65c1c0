/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_JOB_H
#define PMONCTL_JOB_H

#include "events.h"
#include "reasons.h"

/* For how long a job ran limited, by bit of a coarse reason; -1: not known. */
struct job {
	bool open;			/* plr_task is there and may be used */
	bool known;			/* limits were known for half of the job's time or more */
	int clock, fd[REASON_BITS + 1];
	long long cpu_ns, ns[REASON_BITS + 1];
};

/* Call it before the job starts. */
void job_open(struct job *j);
void job_read(struct job *j);
void job_print(const struct job *j);
void job_json(const struct job *j);

#endif
