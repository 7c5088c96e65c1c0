// SPDX-License-Identifier: GPL-2.0-only
/*
 * After all that: every PMU opens and counts, the modules go, come back with
 * all that they had at the start, count again, and give nothing to those who
 * have no right to it.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"
#include "host.h"

#define TRACEPOINT	"/sys/kernel/tracing/events/pmon/plr_reasons"
#define MOMENT_US	20000
#define MOMENTS		500
#define UNLOAD_MOMENTS	500

/* What is wrong, for one TAP line. */
struct complaint {
	unsigned int nr;
	char text[512];
};

__attribute__((format(printf, 2, 3)))
static void complain(struct complaint *c, const char *fmt, ...)
{
	size_t n = strlen(c->text);
	va_list args;

	if (c->nr++ >= 8)
		return;
	va_start(args, fmt);
	n += snprintf(c->text + n, sizeof(c->text) - n, "%s", n ? ", " : ": ");
	if (n < sizeof(c->text))
		vsnprintf(c->text + n, sizeof(c->text) - n, fmt, args);
	va_end(args);
}

static struct pmus now;

/* An event that happens on any machine, all the time. */
static uint64_t known_good(const struct pmu *pmu)
{
	char text[64];
	unsigned long long config;

	if (!strcmp(pmu->name, "plr") &&
	    read_text(text, sizeof(text), PMUS "/plr/events/observed") &&
	    sscanf(text, "event=%llx", &config) == 1)
		return config;
	return pmu->nr_events ? pmu->event[0][0] : 0xcf05;
}

static int open_known_good(const struct pmu *pmu, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = pmu->type,
		.config = known_good(pmu),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct target target = { -1, cpu, -1, PERF_FLAG_FD_CLOEXEC };

	return event_open(&attr, &target);
}

struct reading {
	uint64_t count, enabled, running;
};

/* A limit event runs from the first look at its domain on, others at once. */
static bool begin_to_run(int fd, const struct pmu *pmu, struct reading *first)
{
	unsigned int n;

	for (n = 0; n < MOMENTS; n++) {
		if (read(fd, first, sizeof(*first)) != sizeof(*first))
			return false;
		if (strcmp(pmu->name, "plr") || first->running)
			break;
		nap_us(MOMENT_US);
	}
	return true;
}

static bool runs(const struct pmu *pmu, const struct reading *first,
		 const struct reading *last)
{
	if (strcmp(pmu->name, "plr") && first->running != first->enabled)
		return false;
	return last->running - first->running == last->enabled - first->enabled;
}

/* It runs all the time that it is enabled, and what it counts grows. */
static void check_counts(const struct pmu *pmu, int cpu, struct complaint *c)
{
	struct reading first = { 0 }, last = { 0 };
	unsigned int n;
	int fd = open_known_good(pmu, cpu);

	if (fd < 0) {
		complain(c, "%s on CPU %d: %s", pmu->name, cpu, strerror(errno));
		return;
	}
	if (!begin_to_run(fd, pmu, &first))
		complain(c, "%s on CPU %d: cannot be read", pmu->name, cpu);
	for (n = 0; n < MOMENTS; n++) {
		if (read(fd, &last, sizeof(last)) != sizeof(last) ||
		    last.count > first.count)
			break;
		nap_us(MOMENT_US);
	}
	if (last.count <= first.count || !runs(pmu, &first, &last))
		complain(c, "%s on CPU %d: %lu to %lu, %lu of %lu ns",
			 pmu->name, cpu, first.count, last.count, last.running,
			 last.enabled);
	close(fd);
}

static void check_all_count(struct me *me, const char *when)
{
	struct complaint c = { 0 };
	unsigned int i, n, events = 0;

	pmus_learn(&now);
	for (i = 0; i < now.nr; i++) {
		for (n = 0; now.pmu[i].ours && n < now.pmu[i].nr_cpus; n++) {
			doing(me, "%s on CPU %d counts", now.pmu[i].name,
			      now.pmu[i].cpu[n]);
			check_counts(&now.pmu[i], now.pmu[i].cpu[n], &c);
			events++;
		}
	}
	tap(!c.nr, "%s: every PMU opens and counts (%u events)%s", when, events,
	    c.text);
}

/* perf drops its references a moment after the last event is closed. */
static int unload_patiently(struct me *me, unsigned int m)
{
	unsigned int n = UNLOAD_MOMENTS;
	int ret;

	while ((ret = module_unload(m)) && errno == EAGAIN && --n) {
		doing(me, "unload %s, %u more tries", module_names[m], n);
		nap_us(MOMENT_US);
	}
	return ret;
}

/* A module that stays has users: how many, and is its tracepoint one? */
static void tell_users(unsigned int m)
{
	static const char * const files[] = { "enable", "filter", "trigger" };
	char text[128];
	unsigned int i;

	if (read_text(text, sizeof(text), "/sys/module/%s/refcnt",
		      module_names[m]))
		say("%s has %s users", module_names[m], text);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (read_text(text, sizeof(text), TRACEPOINT "/%s", files[i]))
			say("its tracepoint, %s: %s", files[i], text);
}

static void none_left(struct complaint *c)
{
	struct dirent *e;
	unsigned int i;
	DIR *d;

	pmus_learn(&now);
	for (i = 0; i < now.nr; i++)
		if (now.pmu[i].ours)
			complain(c, "PMU %s is left", now.pmu[i].name);
	d = opendir("/sys/class/pmon");
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			complain(c, "%s is left", e->d_name);
	if (d)
		closedir(d);
}

/*
 * perf of 6.1 cannot forget a PMU safely: the engine stays there once it has
 * registered one. The others go everywhere.
 */
static void stays(struct complaint *c, unsigned int m)
{
	complain(c, "%s: %s", module_names[m], strerror(errno));
	tell_users(m);
}

static void check_unload(struct me *me, const char *when)
{
	struct complaint c = { 0 };
	unsigned int m;

	for (m = MODULES; m--;) {
		if (!module_is_loaded(m))
			continue;
		doing(me, "unload %s", module_names[m]);
		if (!did(me, unload_patiently(me, m)) &&
		    !(m == CORE && errno == EAGAIN && kernel_is("6.1.")))
			stays(&c, m);
	}
	none_left(&c);
	tap(!c.nr, "%s: all modules unload, nothing is left%s", when, c.text);
}

/* All that there was before anybody did anything, at as many places. */
static void check_complete(struct me *me)
{
	struct complaint c = { 0 };
	unsigned int i, tries = MOMENTS;
	struct pmu pmu;

	for (i = 0; i < shared->at_start.nr; i++) {
		const struct pmu *was = &shared->at_start.pmu[i];

		doing(me, "%s is there", was->name);
		while (was->ours && !(pmu_learn(&pmu, was->name) &&
				      pmu.nr_cpus == was->nr_cpus) && --tries)
			nap_us(MOMENT_US);
		if (!tries)
			complain(&c, "%s is not as before", was->name);
		tries += !tries;
	}
	tap(!c.nr, "loaded again: every PMU is there%s", c.text);
}

static void check_load(struct me *me)
{
	struct complaint c = { 0 };
	unsigned int m;

	for (m = 0; m < MODULES; m++) {
		doing(me, "load %s", module_names[m]);
		if (!did(me, module_load(m, "")) && errno != EEXIST)
			complain(&c, "%s: %s", module_names[m], strerror(errno));
	}
	tap(!c.nr, "all modules load again%s", c.text);
}

/* In a process without rights: how many PMUs open that must not. */
static int opens(bool any)
{
	unsigned int i;
	int fd, n = 0;

	priv_drop();
	for (i = 0; i < now.nr; i++) {
		if (!now.pmu[i].ours || !now.pmu[i].nr_cpus ||
		    (!any && strcmp(now.pmu[i].name, "plr")))
			continue;
		fd = open_known_good(&now.pmu[i], now.pmu[i].cpu[0]);
		n += fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	return n < 100 ? n : 100;
}

static void check_rights(struct me *me, const char *paranoid)
{
	bool any = paranoid[0] != '-';
	int status = 0;
	pid_t pid;

	doing(me, "nobody opens events at %s", paranoid);
	write_text(paranoid, "/proc/sys/kernel/perf_event_paranoid");
	pid = fork();
	if (!pid)
		_exit(opens(any));
	waitpid(pid, &status, 0);
	tap(!status, "perf_event_paranoid %s: without rights %s opens (%d do)",
	    paranoid, any ? "no PMU of ours" : "the PMU of limits never",
	    WEXITSTATUS(status));
}

void verify(struct me *me)
{
	check_all_count(me, "as it was left");
	check_unload(me, "as it was left");
	check_load(me);
	check_complete(me);
	check_all_count(me, "loaded again");
	check_rights(me, "-1");
	check_rights(me, "1");
	write_text("2", "/proc/sys/kernel/perf_event_paranoid");
	check_unload(me, "at the end");
}
