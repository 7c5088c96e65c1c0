// SPDX-License-Identifier: GPL-2.0-only
/*
 * judge [-s SEED] [-t SECONDS] [-w WORKERS] [-x NAME,...] [-p MS]: do random
 * operations of perf, the host and the hardware in a guest, as root, and compare
 * each count with the truth: what the emulator counted before and after the read.
 * A count that is in error is right; one that is wrong must be said in `disturbed`.
 * Prints TAP; LOG has each operation. WORKERS are processes with events beside the
 * first; -x leaves out operations; MS is the longest time between two ticks.
 *
 * Each event has a control of its own, so the truth of the control is the truth
 * of the event, whatever shares the counters. The first process alone disturbs
 * the host and the hardware. Without workers a seed repeats the operations, as
 * far as the kernel's answers are the same.
 */
#include <glob.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../../guest/guest.h"
#include "../../guest/random.h"

#define MAX_UNITS	256
#define MAX_EVENTS	40
#define MAX_CPUS	64
#define MAX_PACKAGES	8
#define MAX_FUNCTIONS	16
#define MAX_WRONG	50
#define PCI		"/sys/bus/pci"
#define CGROUPS		"/sys/fs/cgroup"
#define CGROUP		CGROUPS "/judge"
#define SNAPSHOT	(1ull << 63)	/* config2 */
#define MS		1000000ull
#define LOG		"/tmp/judge.log"
#define STORM_S		4
#define CALM_S		7
/* Controls are used up after so many events of the first process. */
#define RENEW		250
/* An event that ran so long has counted, at a quarter of the lowest rate. */
#define PROGRESS_NS	(30 * MS)
#define LOWEST_PER_US	1000
/* The discovery device and functions with boxes. */
#define FUNCTIONS	"0x09a7 0x3241 0x3246 0x324a 0x3250"

struct span {
	uint64_t least, most;
};

struct unit {
	char pmu[40], name[24];
	unsigned int package, type, counters;
	bool free, msr;
	/* Odd while a fault is under way. */
	atomic_ulong faults;
	_Atomic uint64_t fault_ns;
	/* Times that counters were set back alone, which nobody need notice. */
	atomic_ulong set_back;
};

enum wrong {
	MORE, LESS, SILENT, BLAMED, STILL, FAILED, LEFT, COMES_BACK, KINDS
};

static const char * const rows[KINDS] = {
	[MORE] = "no count is more than what the hardware counted",
	[LESS] = "without a fault, no count is less than what the hardware counted",
	[SILENT] = "a count that misses something after a fault is said in disturbed",
	[BLAMED] = "without a fault, no box is said to be disturbed",
	[STILL] = "without a fault, every event that runs counts",
	[FAILED] = "without a fault, no event is in error",
	[LEFT] = "unloaded: each box that counted is clear and not frozen",
	[COMES_BACK] = "modules unload, and all PMUs come back",
};

/* Memory that all processes share. */
static struct shared {
	struct unit unit[MAX_UNITS];
	unsigned int units;
	/* Counts of CPUs, of packages and of functions that went or came. */
	atomic_ulong moved, package_gone[MAX_PACKAGES], removed;
	atomic_bool truce, stop;
	atomic_uint resting, wrong[KINDS], wrongs;
	atomic_ulong opened, refused, judged, strict, after_fault, errors;
} *shared;

/* An event, and what its count must be. */
static struct event {
	int fd, software;
	struct event *leader;
	struct unit *unit;
	uint64_t select;	/* the control, or the free-running counter */
	bool pinned, cgroup, failed, told;
	/* A free-running counter counts on while the event is off. */
	bool on;
	struct span before, begin;	/* counted before @begin, a truth */
	/* As the event was opened, or was right after a fault. */
	unsigned long faults, lives, set_back;
	uint64_t since_ns;
	int disturbed;
	/* Begin of an interval: time of running, truth, time. */
	uint64_t ran, had, looked_ns;
} events[MAX_EVENTS];

/* A read of an event. */
struct look {
	uint64_t at, count, enabled, running;
	struct span truth, want;
	unsigned long faults;
	/* @same: no CPU, package or function went; @strict: and no fault came. */
	bool same, strict;
};

__thread uint64_t random_state;
const char *without;
static unsigned int seed = 1, seconds = 60, workers, me, selects, tests;
static uint64_t settle_ns, started;
static int log_fd, cgroup_fd, package_of[MAX_CPUS], cpus, packages;
static char functions[MAX_FUNCTIONS][16];
static unsigned int nr_functions;

/* Log an operation. */
#define note(fmt, ...) \
	dprintf(log_fd, "%9.3f w%u " fmt "\n", (now_ns() - started) / 1e9, me, ##__VA_ARGS__)

#define wrong(kind, fmt, ...)						\
	do {								\
		shared->wrong[kind]++;					\
		shared->wrongs++;					\
		note("WRONG: %s: " fmt, rows[kind], ##__VA_ARGS__);	\
	} while (0)

/* Have the bench do something. */
#define hw(fmt, ...) (note("hw " fmt, __VA_ARGS__), ask(fmt, __VA_ARGS__))

/* An event is judged wrong once. */
static void wrong_count(enum wrong kind, struct event *e, const struct look *l)
{
	if (e->told)
		return;
	e->told = true;
	wrong(kind,
	      "e%td %s pkg%u select %#lx%s%s: count %lu, truth %lu to %lu, disturbed %d before, since %.3f",
	      e - events, e->unit->pmu, e->unit->package, e->select, l->strict ? " strict" : "",
	      e->pinned ? " pinned" : "", l->count, l->want.least, l->want.most, e->disturbed,
	      (e->since_ns - started) / 1e9);
}

static uint64_t field(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 0) : 0;
}

/* Return what the hardware counted with this control, or free-running counter. */
static uint64_t truth_of(const struct unit *u, uint64_t select)
{
	uint64_t sum = 0;
	char key[64], *at;

	if (u->free)
		return field(ask("truth %s %lu", u->name, select), "counted=");
	snprintf(key, sizeof(key), "unit=%s ctl=%#lx counted=", u->name, select);
	for (at = ask("truth controls"); (at = strstr(at, key)); at += strlen(key))
		sum += strtoull(at + strlen(key), NULL, 10);
	return sum;
}

/* ---- units ------------------------------------------------------------------- */

/* Number of the unit's emulated model, of PMUs of free-running counters. */
static unsigned int free_type(const char *pmu)
{
	return strstr(pmu, "iio") ? 4097 : strstr(pmu, "imc") ? 4102 : 0;
}

/* Add a unit of the file /sys/class/pmon/pkg<P>-uncore<N>/units. */
static void unit_add(unsigned int package, const char *line)
{
	struct unit *u = &shared->unit[shared->units];
	char access[8], counters[8], text[64];
	unsigned int id;

	if (shared->units == MAX_UNITS ||
	    sscanf(line, "%u %*s %u %7s %*s %7s %*s %39s", &u->type, &id, access, counters,
		   u->pmu) != 5 || pmu_type(u->pmu) < 0)
		return;
	u->counters = atoi(counters);
	u->package = package;
	u->msr = !strcmp(access, "msr");
	u->free = strstr(u->pmu, "free_running");
	if (u->free) {
		u->type = free_type(u->pmu);
		u->counters = u->type == 4097 ? 17 : 1;
	}
	snprintf(u->name, sizeof(u->name), "%u/%u/%u", package, u->type, id);
	/* Controls differ by umask, too. */
	if (u->type && (u->free || read_text(text, sizeof(text), PMUS "/%s/format/umask", u->pmu)))
		shared->units++;
}

static void units_of(const char *path)
{
	unsigned int package;
	char line[256];
	FILE *file = fopen(path, "r");

	if (!file || sscanf(path, "/sys/class/pmon/pkg%u", &package) != 1)
		die(path);
	while (fgets(line, sizeof(line), file))
		unit_add(package, line);
	fclose(file);
}

static unsigned int units_present(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < shared->units; i++)
		n += pmu_type(shared->unit[i].pmu) >= 0;
	return n;
}

/* A fault of a unit, or of all, begins or is over. */
static void fault(struct unit *only)
{
	struct unit *u;

	for (u = shared->unit; u < shared->unit + shared->units; u++) {
		if (only && u != only)
			continue;
		u->fault_ns = now_ns();
		u->faults++;
	}
}

/* Test whether the unit had no fault in the last @ns, and time to settle before. */
static bool quiet(const struct unit *u, uint64_t ns, uint64_t at)
{
	return !(u->faults & 1) && at - u->fault_ns > settle_ns + ns;
}

static int disturbed(const struct unit *u)
{
	unsigned int package;
	char text[1024], *line, *rest;
	int value;

	if (u->free || !read_lines(text, sizeof(text), PMUS "/%s/disturbed", u->pmu))
		return 0;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (sscanf(line, "%u %d", &package, &value) == 2 && package == u->package)
			return value;
	return 0;
}

/* ---- events ------------------------------------------------------------------ */

/* Moves of CPUs stop events of free-running counters for a moment. */
static unsigned long faults_of(const struct event *e)
{
	return e->unit->faults + (e->unit->free ? shared->moved : 0);
}

/* perf ends events with their package, pmon with their function. */
static unsigned long lives_of(const struct event *e)
{
	return shared->package_gone[e->unit->package] + shared->removed;
}

static void pin_somewhere(void)
{
	pin(odds(50) ? -1 : (int)below(cpus));
}

static int cpu_of(unsigned int package)
{
	int cpu = below(cpus);

	while (package_of[cpu] != (int)package)
		cpu = (cpu + 1) % cpus;
	return cpu;
}

static uint64_t new_select(const struct unit *u)
{
	unsigned int n;

	if (u->free)
		return below(u->counters);
	n = selects++ * (workers + 1) + me;
	return (1 + n % 251) << 8 | (2 + n / 251 % 250);
}

static uint64_t config_of(const struct unit *u, uint64_t select)
{
	if (!u->free)
		return select;
	/* One clock, and for IIO eight counters of each direction. */
	return 0xff | (!select ? 0x10 : select < 9 ? 0x1f + select : 0x27 + select) << 8;
}

static struct event *place_for_event(void)
{
	struct event *e = events;

	while (e < events + MAX_EVENTS && e->fd >= 0)
		e++;
	return e < events + MAX_EVENTS ? e : NULL;
}

/* Count with a box for a moment, which may start and stop it. */
static bool use(const struct unit *u, unsigned int us)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = pmu_type(u->pmu),
		.config = config_of(u, u->free ? 0 : 0xfe01),
	};
	int fd = event_on(&attr, cpu_of(u->package), -1);
	uint64_t count = 0;

	if (fd < 0)
		return false;
	nap_us(us);
	if (read(fd, &count, sizeof(count)) < 0)
		count = 0;
	close(fd);
	return count;
}

/* Attributes of a new event. */
struct how {
	bool off, pinned, snapshot, cgroup;
	int cpu, software;
	struct event *leader;
};

static struct event *open_event(struct unit *u, const struct how *how)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .disabled = how->off, .pinned = how->pinned,
		.config2 = how->snapshot ? SNAPSHOT : 0,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct event *e = place_for_event(), new = {
		.unit = u, .select = new_select(u), .leader = how->leader,
		.software = how->software, .cgroup = how->cgroup, .on = !how->off,
		.pinned = how->pinned || (how->leader && how->leader->pinned),
	};
	int cpu = how->cpu;

	if (!e)
		return NULL;
	attr.type = pmu_type(u->pmu);
	attr.config = config_of(u, new.select);
	new.faults = faults_of(&new);
	new.lives = lives_of(&new);
	new.set_back = u->set_back;
	new.disturbed = disturbed(u);
	new.since_ns = now_ns();
	new.begin.least = truth_of(u, new.select);
	new.fd = syscall(SYS_perf_event_open, &attr, how->cgroup ? cgroup_fd : -1, cpu,
			 how->leader ? how->leader->fd : how->software,
			 how->cgroup ? PERF_FLAG_PID_CGROUP : 0);
	new.begin.most = u->free ? truth_of(u, new.select) : new.begin.least;
	note("open e%td %s pkg%u select %#lx cpu%d leader %td software %d%s%s%s%s: %s", e - events,
	     u->pmu, u->package, new.select, cpu, how->leader ? how->leader - events : -1,
	     how->software, how->off ? " off" : "", how->pinned ? " pinned" : "",
	     how->snapshot ? " snapshot" : "", how->cgroup ? " cgroup" : "",
	     new.fd < 0 ? strerrorname_np(errno) : "yes");
	if (new.fd < 0) {
		shared->refused++;
		return NULL;
	}
	shared->opened++;
	*e = new;
	return e;
}

static int open_software(int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .disabled = odds(50),
		.config = odds(50) ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_CPU_CLOCK,
	};

	return event_on(&attr, cpu, -1);
}

static void close_software(int software)
{
	struct event *e;

	for (e = events; e < events + MAX_EVENTS; e++)
		if (e->fd >= 0 && e->software == software)
			return;
	if (software >= 0)
		close(software);
}

static void close_event(struct event *e)
{
	struct event *other;

	note("close e%td", e - events);
	close(e->fd);
	e->fd = -1;
	for (other = events; other < events + MAX_EVENTS; other++)
		if (other->leader == e)
			other->leader = NULL;
	close_software(e->software);
}

/* Open an event, or a group. */
static long op_open(void)
{
	struct unit *u = &shared->unit[below(shared->units)];
	struct how how = { .off = odds(40), .cpu = cpu_of(u->package), .software = -1 };
	unsigned int n = u->free || odds(50) ? 1 : 2 + below(u->counters);
	struct event *first;

	pin_somewhere();
	/* perf takes it if the CPU is the designated one. */
	if (!u->free && odds(30)) {
		how.off = false;
		how.software = open_software(how.cpu);
		note("software %d", how.software);
	} else {
		how.snapshot = !u->free && odds(25);
		how.pinned = odds(12);
		how.cgroup = odds(8);
	}
	first = open_event(u, &how);
	if (!first)
		close_software(how.software);
	how.pinned = false;
	how.snapshot = false;
	how.leader = how.software < 0 ? first : NULL;
	while (first && --n) {
		how.off = odds(15);
		open_event(u, &how);
	}
	return 0;
}

/* A short event starts and stops a box. */
static long op_short(void)
{
	use(&shared->unit[below(shared->units)], below(3000));
	return 0;
}

/* ---- counts and truth ---------------------------------------------------------- */

static struct span want_of(const struct event *e, const struct span *truth)
{
	struct span want = e->before;

	if (!e->on && e->unit->free)
		return want;
	if (truth->least > e->begin.most)
		want.least += truth->least - e->begin.most;
	want.most += truth->most - e->begin.least;
	return want;
}

static struct look look_at(struct event *e, ssize_t *n)
{
	struct look l = { .at = now_ns(), .faults = faults_of(e) };
	unsigned long lives = lives_of(e);
	uint64_t value[3] = { 0 };

	l.truth.least = truth_of(e->unit, e->select);
	*n = read(e->fd, value, sizeof(value));
	if (*n < 0)
		*n = -errno;
	l.truth.most = truth_of(e->unit, e->select);
	l.want = want_of(e, &l.truth);
	l.count = value[0];
	l.enabled = value[1];
	l.running = value[2];
	l.same = lives == e->lives && lives == lives_of(e);
	l.strict = l.same && l.faults == e->faults && l.faults == faults_of(e) && !e->failed;
	note("read e%td: %zd, count %lu, truth %lu to %lu, enabled %lu, running %lu%s", e - events,
	     *n, l.count, l.want.least, l.want.most, l.enabled, l.running,
	     l.strict ? ", strict" : "");
	shared->judged++;
	shared->strict += l.strict;
	return l;
}

/* From here on the count is as exact as the truth. */
static void begin_anew(struct event *e, const struct look *l)
{
	e->before = (struct span){ l->count, l->count };
	e->begin = l->truth;
	e->faults = l->faults;
	e->set_back = e->unit->set_back;
	e->disturbed = disturbed(e->unit);
	e->since_ns = l->at;
	e->failed = false;
}

static void judge_error(struct event *e, const struct look *l)
{
	shared->errors++;
	if (l->strict && !e->pinned && quiet(e->unit, 0, l->at))
		wrong_count(FAILED, e, l);
	/* perf enables it again, perhaps. */
	e->failed = true;
	e->looked_ns = 0;
	if (!l->same || e->unit->free || odds(30))
		close_event(e);
}

/* Test whether the hardware counted while perf said that the event ran. */
static void judge_progress(struct event *e, const struct look *l)
{
	uint64_t ran = l->running - e->ran;

	if (e->looked_ns && ran < PROGRESS_NS)
		return;
	if (e->looked_ns && !e->unit->free && quiet(e->unit, l->at - e->looked_ns, l->at) &&
	    l->truth.most - e->had < ran / 1000 * LOWEST_PER_US / 4)
		wrong_count(STILL, e, l);
	e->looked_ns = l->at;
	e->ran = l->running;
	e->had = l->truth.least;
}

/* perf scales a count of an event that did not run all the time. */
static bool is_less(const struct event *e, const struct look *l)
{
	return l->count < l->want.least && (!e->unit->free || l->enabled == l->running);
}

static void judge_strict(struct event *e, const struct look *l)
{
	if (is_less(e, l))
		wrong_count(LESS, e, l);
	if (odds(25) && quiet(e->unit, l->at - e->since_ns, l->at) &&
	    disturbed(e->unit) > e->disturbed && l->faults == faults_of(e))
		wrong_count(BLAMED, e, l);
}

/* Once a fault is over and noticed, the count is right, or the loss was said. */
static void judge_after_fault(struct event *e, const struct look *l)
{
	if (l->faults != faults_of(e) || !quiet(e->unit, 0, l->at))
		return;
	shared->after_fault++;
	if (is_less(e, l) && !e->failed && !e->unit->free && e->set_back == e->unit->set_back &&
	    disturbed(e->unit) <= e->disturbed)
		wrong_count(SILENT, e, l);
	begin_anew(e, l);
}

static void judge(struct event *e)
{
	struct look l;
	ssize_t n;

	pin_somewhere();
	l = look_at(e, &n);
	if (n <= 0) {
		judge_error(e, &l);
		return;
	}
	/* perf dissolves groups with their package. */
	if (!l.same) {
		close_event(e);
		return;
	}
	if (l.count > l.want.most)
		wrong_count(MORE, e, &l);
	judge_progress(e, &l);
	if (l.strict)
		judge_strict(e, &l);
	else
		judge_after_fault(e, &l);
}

static struct event *any_event(void)
{
	unsigned int n = below(MAX_EVENTS), i;
	struct event *e;

	for (i = 0; i < MAX_EVENTS; i++) {
		e = &events[(n + i) % MAX_EVENTS];
		if (e->fd >= 0)
			return e;
	}
	return NULL;
}

static long op_read(void)
{
	struct event *e = any_event();

	if (!e)
		return op_open();
	judge(e);
	return 0;
}

static long op_close(void)
{
	struct event *e = any_event();

	if (!e)
		return op_open();
	judge(e);
	if (e->fd >= 0)
		close_event(e);
	return 0;
}

/* Test whether an ioctl of event @e, with the group or without, is about @other. */
static bool meant(const struct event *e, const struct event *other, bool group)
{
	const struct event *leader = e->leader ? e->leader : e;

	if (other->fd < 0)
		return false;
	return other == e ||
	       (group && (other == leader || other->leader == leader ||
			  (e->software >= 0 && e->software == other->software)));
}

static void ioctl_event(struct event *e, unsigned long request, bool group)
{
	struct span truth[MAX_EVENTS];
	unsigned int i;
	int ret;

	for (i = 0; i < MAX_EVENTS; i++)
		if (meant(e, &events[i], group))
			truth[i].least = truth_of(events[i].unit, events[i].select);
	ret = ioctl(e->fd, request, group ? PERF_IOC_FLAG_GROUP : 0);
	note("ioctl e%td %s%s: %d", e - events, request == PERF_EVENT_IOC_RESET ? "reset" :
	     request == PERF_EVENT_IOC_ENABLE ? "on" : "off", group ? " group" : "", ret);
	for (i = 0; i < MAX_EVENTS; i++) {
		struct event *other = &events[i];

		if (!meant(e, other, group))
			continue;
		truth[i].most = truth_of(other->unit, other->select);
		other->before = request == PERF_EVENT_IOC_RESET ? (struct span){ } :
				want_of(other, &truth[i]);
		other->begin = truth[i];
		if (request != PERF_EVENT_IOC_RESET)
			other->on = request == PERF_EVENT_IOC_ENABLE;
	}
}

static long op_ioctl(void)
{
	static const unsigned long requests[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_RESET,
	};
	struct event *e = any_event();
	bool group = odds(40);

	if (!e)
		return op_open();
	pin_somewhere();
	if (e->software >= 0 && odds(60)) {
		note("ioctl software %d", e->software);
		ioctl(e->software, requests[below(2)], group ? PERF_IOC_FLAG_GROUP : 0);
		return 0;
	}
	ioctl_event(e, PICK(requests), group);
	return 0;
}

static long op_nap(void)
{
	nap_us(below(odds(80) ? 8000 : 60000));
	return 0;
}

static long op_cgroup(void)
{
	return write_text("0", "%s/cgroup.procs", odds(50) ? CGROUP : CGROUPS) ? 0 : -1;
}

static const struct op event_ops[] = {
	{ "open", 5, op_open }, { "read", 46, op_read }, { "ioctl", 18, op_ioctl },
	{ "close", 3, op_close }, { "short", 4, op_short }, { "nap", 4, op_nap },
	{ "cgroup", 1, op_cgroup }, { }
};

static void close_all(void)
{
	struct event *e;

	for (e = events; e < events + MAX_EVENTS; e++) {
		if (e->fd >= 0)
			judge(e);
		if (e->fd >= 0)
			close_event(e);
	}
}

/* ---- faults of hardware -------------------------------------------------------- */

/* Let a fault last from no time to longer than a box may be silent. */
static void nap_of_fault(void)
{
	static const unsigned int longest[] = { 3000, 3000, 150000, 700000 };

	nap_us(below(PICK(longest)));
}

static long op_box(void)
{
	static const unsigned int controls[] = { 0x301, 0x300, 0x100, 0x1, 0x1 };
	struct unit *u = &shared->unit[below(shared->units)];
	unsigned int counter = below(u->counters);

	if (u->free)
		return -1;
	switch (below(8)) {
	case 0:		/* within what a box may do */
		hw("box %s ones %u", u->name, 1 + below(2));
		nap_us(below(30000));
		hw("box %s ok", u->name);
		return 0;
	case 1:
		fault(u);
		hw("box %s %s", u->name, u->msr && odds(40) ? "faults" : "dead");
		nap_of_fault();
		hw("box %s ok", u->name);
		break;
	case 2:
		fault(u);
		hw("box %s poke ctl %u 0", u->name, counter);
		break;
	case 3:		/* no later read need show it */
		fault(u);
		u->set_back++;
		if (odds(50))
			hw("box %s poke box 0x200", u->name);
		else
			hw("box %s preload %u 0", u->name, counter);
		break;
	default:
		fault(u);
		hw("box %s poke box %#x", u->name, PICK(controls));
		break;
	}
	fault(u);
	return 0;
}

static long op_global(void)
{
	fault(NULL);
	note("global freeze");
	ask("global all =1");
	fault(NULL);
	return 0;
}

static long op_vanish(void)
{
	unsigned int package = below(packages);

	fault(NULL);
	hw("remove %u", package);
	nap_of_fault();
	hw("insert %u", package);
	fault(NULL);
	return 0;
}

static const char *any_function(void)
{
	return functions[below(nr_functions)];
}

static long op_reset(void)
{
	const char *name = any_function();

	note("reset %s", name);
	fault(NULL);
	write_text("1", PCI "/devices/%s/reset", name);
	fault(NULL);
	return 0;
}

static void power(const char *name, const char *state)
{
	char text[32];

	snprintf(text, sizeof(text), "%.15s %s", name, state);
	note("power %s", text);
	write_text(text, "/sys/module/power/parameters/set");
}

static long op_d3(void)
{
	const char *name = any_function();

	fault(NULL);
	power(name, "D3");
	nap_of_fault();
	power(name, "D0");
	fault(NULL);
	return 0;
}

/* ---- the host ------------------------------------------------------------------ */

/* All processes close their events, and wait until peace(). */
static void truce(void)
{
	int ms = 0;

	shared->truce = true;
	close_all();
	while (shared->resting < workers && ms++ < 60000)
		nap_us(1000);
	if (shared->resting < workers)
		wrong(COMES_BACK, "workers are stuck");
}

static void peace(void)
{
	int n;

	for (n = 0; n < 200 && units_present() < shared->units; n++)
		nap_us(50000);
	if (units_present() < shared->units)
		wrong(COMES_BACK, "%u of %u units", units_present(), shared->units);
	ask("truth reset");
	selects = 0;
	shared->truce = false;
	while (shared->resting)
		nap_us(1000);
}

static void rest(void)
{
	close_all();
	shared->resting++;
	while (shared->truce)
		nap_us(1000);
	selects = 0;
	shared->resting--;
}

static bool is_online(int cpu)
{
	char text[8];

	return !read_text(text, sizeof(text), CPUS "/cpu%d/online", cpu) || *text == '1';
}

static bool is_last(int cpu)
{
	int other;

	for (other = 0; other < cpus; other++)
		if (other != cpu && package_of[other] == package_of[cpu] && is_online(other))
			return false;
	return true;
}

static void set_online(int cpu, bool online)
{
	bool last = !online && is_last(cpu);

	note("cpu%d %s%s", cpu, online ? "on" : "off", last ? ", the last" : "");
	shared->package_gone[package_of[cpu]] += last;
	shared->moved++;
	write_text(online ? "1" : "0", CPUS "/cpu%d/online", cpu);
	shared->moved++;
	shared->package_gone[package_of[cpu]] += last;
}

static long op_cpu(void)
{
	int cpu = 1 + below(cpus - 1);

	set_online(cpu, false);
	nap_us(below(30000));
	if (odds(70))
		set_online(cpu, true);
	return 0;
}

static long op_all_cpus(void)
{
	int cpu;

	for (cpu = 1; cpu < cpus; cpu++)
		if (!is_online(cpu))
			set_online(cpu, true);
	return 0;
}

static long op_package(void)
{
	int package = package_of[cpus - 1], cpu;

	for (cpu = 1; cpu < cpus; cpu++)
		if (package_of[cpu] == package && is_online(cpu))
			set_online(cpu, false);
	nap_us(below(100000));
	return op_all_cpus();
}

/* A test of sleep, which takes CPUs and packages offline, or only devices. */
static long op_sleep(void)
{
	const char *state = odds(80) ? "freeze" : "disk";	/* waits 5 s */
	bool core = odds(50);
	int package;

	note("sleep %s %s", core ? "core" : "devices", state);
	fault(NULL);
	shared->moved++;
	for (package = 1; core && package < packages; package++)
		shared->package_gone[package]++;
	write_text(core ? "core" : "devices", "/sys/power/pm_test");
	write_text(state, "/sys/power/state");
	for (package = 1; core && package < packages; package++)
		shared->package_gone[package]++;
	shared->moved++;
	fault(NULL);
	note("awake");
	return 0;
}

/* A function leaves its driver, or the bus, and comes back. */
static void replace(const char *name, const char *leaves, const char *comes, const char *what)
{
	note("%s of %s", leaves, name);
	fault(NULL);
	shared->removed++;
	write_text(*leaves == 'r' ? "1" : name, PCI "/devices/%s/%s", name, leaves);
	nap_us(below(60000));
	write_text(what, PCI "/%s", comes);
	shared->removed++;
	fault(NULL);
	nap_us(below(40000));
	truce();
	peace();
}

static long op_remove(void)
{
	replace(any_function(), "remove", "rescan", "1");
	return 0;
}

static long op_unbind(void)
{
	const char *name = any_function();

	replace(name, "driver/unbind", "drivers_probe", name);
	return 0;
}

static bool unload(const char *module)
{
	int n;

	for (n = 0; n < 400; n++) {
		if (!syscall(SYS_delete_module, module, O_NONBLOCK) || errno == ENOENT)
			return true;
		if (errno != EAGAIN)
			return false;
		nap_us(5000);
	}
	return false;
}

static void must_be_clear(const struct unit *u)
{
	char *at;

	if (field(ask("box %s", u->name), "box=") & 1)
		wrong(LEFT, "%s is frozen", u->name);
	for (at = ask("truth %s", u->name); (at = strstr(at, "ctl=")); at++)
		if ((uint32_t)strtoull(at + strlen("ctl="), NULL, 0))
			wrong(LEFT, "%s has %.60s", u->name, at);
}

static long op_reload(void)
{
	bool used[MAX_UNITS] = { false };
	unsigned int i, n = 0;

	truce();
	note("reload");
	op_all_cpus();
	for (i = 0; i < shared->units; i++) {
		const struct unit *u = &shared->unit[i];

		if (u->free)
			continue;
		ask("box %s ok", u->name);
		used[i] = use(u, 300);
		n += used[i];
	}
	if (!n)
		wrong(COMES_BACK, "no box counts before unloading");
	if (!unload("pmon_uncore"))
		wrong(COMES_BACK, "pmon_uncore does not unload: %s", strerror(errno));
	else
		for (i = 0; i < shared->units; i++)
			if (used[i])
				must_be_clear(&shared->unit[i]);
	/* On 6.1 pmon stays. */
	if (odds(40))
		unload("pmon");
	if (system("modprobe pmon_uncore"))
		wrong(COMES_BACK, "pmon_uncore does not load");
	peace();
	return 0;
}

static long op_event(void)
{
	return any_op(event_ops)->run();
}

static const struct op host_ops[] = {
	{ "event", 688, op_event }, { "cpu", 90, op_cpu }, { "all-cpus", 30, op_all_cpus },
	{ "package", 20, op_package }, { "box", 110, op_box }, { "global", 14, op_global },
	{ "vanish", 8, op_vanish }, { "reset", 8, op_reset }, { "d3", 12, op_d3 },
	{ "sleep", 4, op_sleep }, { "remove", 8, op_remove }, { "unbind", 6, op_unbind },
	{ "reload", 6, op_reload }, { }
};

/* ---- the run ------------------------------------------------------------------- */

static void find_cpus(void)
{
	char text[16];

	while (cpus < MAX_CPUS &&
	       read_text(text, sizeof(text), CPUS "/cpu%d/topology/physical_package_id", cpus)) {
		package_of[cpus] = atoi(text);
		if (package_of[cpus] >= packages)
			packages = package_of[cpus] + 1;
		cpus++;
	}
}

static void find_functions(void)
{
	char device[16];
	glob_t found;
	size_t i;

	if (glob(PCI "/devices/*", 0, NULL, &found))
		die(PCI);
	for (i = 0; i < found.gl_pathc && nr_functions < MAX_FUNCTIONS; i++)
		if (read_text(device, sizeof(device), "%s/device", found.gl_pathv[i]) &&
		    strstr(FUNCTIONS, device))
			snprintf(functions[nr_functions++], sizeof(functions[0]), "%s",
				 strrchr(found.gl_pathv[i], '/') + 1);
	globfree(&found);
}

static void find_units(void)
{
	glob_t found;
	unsigned int i;

	if (glob("/sys/class/pmon/pkg*-uncore*/units", 0, NULL, &found))
		die("/sys/class/pmon");
	for (i = 0; i < found.gl_pathc; i++)
		units_of(found.gl_pathv[i]);
	globfree(&found);
	/* Reset what power-on left, so that all is clear after unloading. */
	for (i = 0; i < shared->units; i++) {
		if (shared->unit[i].free)
			continue;
		ask("box %s poke box 0x300", shared->unit[i].name);
		ask("box %s poke box 0", shared->unit[i].name);
	}
	ask("global all =0");
	ask("truth reset");
}

static void setup(void)
{
	unsigned int i;

	for (i = 0; i < MAX_EVENTS; i++)
		events[i].fd = -1;
	find_cpus();
	find_functions();
	find_units();
	/* An oops leaves locks behind, and the guest would hang. */
	write_text("1", "/proc/sys/kernel/panic_on_oops");
	write_text("0", "/sys/module/suspend/parameters/pm_test_delay");
	mkdir(CGROUP, 0755);
	cgroup_fd = open(CGROUP, O_RDONLY | O_CLOEXEC);
	if (cgroup_fd < 0 || !shared->units || !nr_functions || packages < 2)
		die("this machine");
}

static bool is_over(void)
{
	return now_ns() - started > seconds * 1000 * MS || shared->wrongs >= MAX_WRONG;
}

/* After STORM_S seconds with faults follow some without, so that all is noticed. */
static bool is_calm(void)
{
	return (now_ns() - started) / (1000 * MS) % (STORM_S + CALM_S) >= STORM_S;
}

/* Each operation has a seed, so that those before do not change it. */
static void run(const struct op *ops)
{
	unsigned long n;

	for (n = 1; !shared->stop && (me || !is_over()); n++) {
		random_state = (seed * 1000003ull + me) * 1000003ull + n;
		any_number();
		if (shared->truce && me)
			rest();
		any_op(is_calm() ? event_ops : ops)->run();
		if (!me && selects > RENEW) {
			truce();
			peace();
		}
	}
	if (me) {
		close_all();
		_exit(0);
	}
}

static void finish(void)
{
	int ms = 0;

	shared->stop = true;
	close_all();
	while (ms++ < 60000 && waitpid(-1, NULL, WNOHANG) >= 0)
		nap_us(1000);
	if (ms >= 60000)
		wrong(COMES_BACK, "workers are stuck");
	workers = 0;
	op_all_cpus();
	op_reload();
}

static int report(void)
{
	unsigned int kind, bad = 0;

	printf("# opened %lu, refused %lu, judged %lu, strict %lu, after faults %lu, errors %lu\n",
	       shared->opened, shared->refused, shared->judged, shared->strict,
	       shared->after_fault, shared->errors);
	for (kind = 0; kind < KINDS; kind++) {
		bad += shared->wrong[kind];
		printf("%sok %u - %s\n", shared->wrong[kind] ? "not " : "", ++tests, rows[kind]);
	}
	/* About 20 a second; without them nothing was judged. */
	printf("%sok %u - many counts are judged, with faults and without\n",
	       shared->strict > seconds && shared->after_fault ? "" : "not ", ++tests);
	return !!bad;
}

int main(int argc, char **argv)
{
	unsigned int i, period_ms = 700;
	int opt;

	while ((opt = getopt(argc, argv, "s:t:w:x:p:")) != -1) {
		if (opt == 's')
			seed = atoi(optarg);
		else if (opt == 't')
			seconds = atoi(optarg);
		else if (opt == 'w')
			workers = atoi(optarg);
		else if (opt == 'x')
			without = optarg;
		else if (opt == 'p')
			period_ms = atoi(optarg);
		else
			return 64;
	}
	settle_ns = (3 * period_ms + 1500) * MS;
	started = now_ns();
	log_fd = open(LOG, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (log_fd < 0 || shared == MAP_FAILED)
		die("judge");
	setup();
	for (i = 1; i <= workers; i++) {
		if (!fork()) {
			me = i;
			run(event_ops);
		}
	}
	run(host_ops);
	finish();
	return report();
}
