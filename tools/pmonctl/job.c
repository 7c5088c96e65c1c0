// SPDX-License-Identifier: GPL-2.0-only
/* For how long a job ran on CPUs that a reason limited, by events of the PMU plr_task. */
#include <linux/perf_event.h>

#include "job.h"

#define PMU_OF_JOBS	"plr_task"
#define COARSE		UINT32_MAX

static int job_event(long type, uint64_t config)
{
	const uint64_t words[CONFIG_WORDS] = { config };

	return count_open(type, words, CPU_OF_JOB, -1);
}

/*
 * Events of this process, which its children inherit, and which begin as a child runs another
 * program. So the job is counted with all of its children, and this process is not.
 */
void job_open(struct job *j)
{
	long type = sysfs_read_long(PMUS "/" PMU_OF_JOBS "/type");

	memset(j->fd, -1, sizeof(j->fd));
	j->clock = -1;
	if (type < 0)
		return;
	j->clock = job_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	j->fd[OBSERVED] = job_event(type, OBSERVED);
	j->open = j->clock >= 0 && j->fd[OBSERVED] >= 0;
	/* A user may not count what root's gate leaves out. */
	for_each_reason(bit, ~reasons_of_turbo())
		if (j->open && plr_reason_coarse(bit) == (int)bit)
			j->fd[bit] = job_event(type, bit);
}

static long long ns_of(int fd)
{
	struct count c;

	return fd >= 0 && count_read(fd, &c) ? (long long)c.value : -1;
}

void job_read(struct job *j)
{
	for (unsigned int i = 0; i <= OBSERVED; i++)
		j->ns[i] = ns_of(j->fd[i]);
	j->cpu_ns = ns_of(j->clock);
	/* Less says nothing about the job, for example of one that was over after two polls. */
	j->known = j->cpu_ns > 0 && j->ns[OBSERVED] >= j->cpu_ns / 2;
}

/* Adds "12 % of it limited by POWER (4.9 s)"; after the first reason "0.3 % by THERMAL (0.1 s)". */
static void add_reason(struct text *t, const struct job *j, unsigned int bit, bool first)
{
	/* Of the time for which limits were known, at most all of it. */
	double share = (double)j->ns[bit] / (double)j->ns[OBSERVED];
	double percent = share < 1 ? 100 * share : 100;

	text_add(t, first ? ": " : ", ");
	if (percent < 0.05)
		text_add(t, "<0.1 %%");
	else
		text_add(t, "%.*f %%", percent < 9.95, percent);
	text_add(t, "%s by %s (%.1f s)", first ? " of it limited" : "", plr_reason_name(bit),
		 (double)j->ns[bit] / 1e9);
}

void job_print(const struct job *j)
{
	double seconds = (double)j->cpu_ns / 1e9;
	struct text t = { NULL, 0 };
	bool first = true;

	if (!j->open)
		return;
	text_add(&t, "this job ran %.1f s on CPUs", seconds > 0 ? seconds : 0);
	for_each_worst(bit, j->known ? COARSE : 0) {
		if (j->ns[bit] <= 0)
			continue;
		add_reason(&t, j, bit, first);
		first = false;
	}
	if (!j->known)
		text_add(&t, ": limited for -, as limits were known for less than half of it");
	else
		text_add(&t, "%s; %.0f %% observed", first ? ": none of it limited" : "",
			 100 * (double)j->ns[OBSERVED] / (double)j->cpu_ns);
	print_empty_line();
	print_line("%s", t.s);
}

void job_json(const struct job *j)
{
	if (!j->open)
		return;
	json_open("limits_of_job", '{');
	json_members("cpu_ms %ld observed_ms %ld", (long)(j->cpu_ns / 1000000),
		     (long)(j->ns[OBSERVED] < 0 ? -1 : j->ns[OBSERVED] / 1000000));
	json_list("reasons")
		for_each_worst(bit, COARSE)
			if (j->ns[bit] > 0)
				json_element("reason %s ms %ld", plr_reason_name(bit),
					     j->known ? (long)(j->ns[bit] / 1000000) : -1);
	json_close();
}
