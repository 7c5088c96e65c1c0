// SPDX-License-Identifier: GPL-2.0-only
/*
 * judge SEED ROUNDS SECONDS WORKERS MS WITHOUT <MACHINE: do random operations of perf,
 * the host and the hardware in a guest, as root, and compare each count with the truth:
 * what the emulator counted before and after the read. A count that is in error is
 * right; one that is wrong must be said in `disturbed`. Prints TAP; LOG has each
 * operation. WORKERS are processes with events beside the first; MS is the longest time
 * between two ticks; WITHOUT has operations to leave out. engine/judge.sh describes the
 * MACHINE.
 *
 * Each event has a control of its own, so the truth of the control is the truth of the
 * event, whatever shares the counters. A round opens events, lets a few kinds of faults
 * and changes of the host happen to them, waits until all must be noticed, and checks
 * each event and each box. The first process alone disturbs the host and the hardware.
 * Without workers a seed repeats the operations, as far as the kernel's answers are the
 * same.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>

#include "../../guest/guest.h"
#include "../../guest/random.h"

#define MAX_UNITS	256
#define MAX_EVENTS	40
#define MAX_CPUS	64
#define MAX_PACKAGES	8
#define MAX_FUNCTIONS	16
#define MAX_WRONG	10
#define PCI		"/sys/bus/pci"
#define POWER		"/sys/module/power/parameters/set"
#define CGROUPS		"/sys/fs/cgroup"
#define CGROUP		CGROUPS "/judge"
#define MS		1000000ull
#define LOG		"/tmp/judge.log"
/* The operations of a round, the part that is about the host and the hardware. */
#define OPS		240
#define HOST_PERCENT	8
/* An event that counts does so within so many tries of 20 ms, at any load. */
#define PATIENCE	500

struct span {
	uint64_t least, most;
};

/* A box, or a free-running counter, whose config is known. */
struct unit {
	char pmu[40], name[24];
	unsigned int package, counters, config;
	bool free, msr;
	/* Odd while a fault is under way. */
	atomic_ulong faults;
	/* Open pinned events, which may take the counters of others. */
	atomic_uint pinned;
};

/* Memory that all processes share. */
static struct shared {
	struct unit unit[MAX_UNITS];
	unsigned int units;
	pthread_barrier_t meet;
	_Atomic uint64_t fault_ns;	/* of the last fault */
	/* Counts of CPUs, of packages and of functions that went or came. */
	atomic_ulong moved, package_gone[MAX_PACKAGES], removed;
	atomic_bool calm, over;
	atomic_ulong wrongs, opened, judged, strict, after_fault, errors;
} *shared;

/* An event, and what its count must be. */
static struct event {
	int fd;
	int group;		/* the leader's file; a software event may lead */
	struct unit *unit;
	uint64_t config;
	bool software, pinned, cgroup, on, excused, failed, told;
	struct span before, begin;	/* counted before @begin, a truth */
	/* As the event was opened, or was right after a fault. */
	unsigned long faults, lives;
	int disturbed;
} events[MAX_EVENTS];

#define for_each_event(e)						\
	for ((e) = events; (e) < events + MAX_EVENTS; (e)++)		\
		if ((e)->fd >= 0)

/* A read of an event. */
struct look {
	ssize_t got;
	uint64_t count, enabled, running;
	struct span truth, want;
	unsigned long faults;
	/* @same: no CPU, package or function went; @strict: and no fault came. */
	bool same, strict;
};

__thread uint64_t random_state;
const char *without;
static unsigned int seed, seconds, rounds, workers, me, controls;
static uint64_t settle_ns, started;
static int log_fd, cgroup_fd, package_of[MAX_CPUS], cpus, online_cpus[MAX_PACKAGES], packages;
static char functions[MAX_FUNCTIONS][16];
static unsigned int nr_functions;

/* Log an operation. */
#define note(fmt, ...) \
	dprintf(log_fd, "%9.3f w%u " fmt "\n", (now_ns() - started) / 1e9, me, ##__VA_ARGS__)

/* KIND is one of those in engine/judge.sh. */
#define wrong(kind, fmt, ...)						\
	do {								\
		shared->wrongs++;					\
		note("WRONG " kind ": " fmt, ##__VA_ARGS__);		\
	} while (0)

/* Have the bench do something. */
#define hw(fmt, ...) (note("hw " fmt, __VA_ARGS__), ask(fmt, __VA_ARGS__))

/* An event is judged wrong once. */
static void wrong_count(const char *kind, struct event *e, const struct look *l)
{
	if (!e->told)
		wrong("%s", "e%td %s pkg%u config %#lx: count %lu, truth %lu to %lu, disturbed %d",
		      kind, e - events, e->unit->pmu, e->unit->package, e->config, l->count,
		      l->want.least, l->want.most, e->disturbed);
	e->told = true;
}

static bool is_enough(void)
{
	return shared->wrongs > MAX_WRONG;
}

/* ---- units ------------------------------------------------------------------- */

static uint64_t field(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 0) : 0;
}

/* Return what the hardware counted with this control, or free-running counter. */
static uint64_t truth_of(const struct unit *u, uint64_t config)
{
	uint64_t sum = 0;
	char key[64], *at;

	if (u->free)
		return field(ask("truth %s", u->name), "counted=");
	snprintf(key, sizeof(key), "unit=%s ctl=%#lx counted=", u->name, config);
	for (at = ask("truth controls"); (at = strstr(at, key)); at += strlen(key))
		sum += strtoull(at + strlen(key), NULL, 10);
	return sum;
}

static struct unit *any_unit(void)
{
	return &shared->unit[below(shared->units)];
}

/* A fault of a unit, or of all, begins or is over. */
static void fault(struct unit *only)
{
	struct unit *u;

	shared->fault_ns = now_ns();
	for (u = shared->unit; u < shared->unit + shared->units; u++)
		if (!only || u == only)
			u->faults++;
}

/* Test whether each fault must have been noticed. */
static bool is_quiet(void)
{
	return !shared->fault_ns || now_ns() - shared->fault_ns > settle_ns;
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

/* Test whether a fault, or a move, is under way. */
static bool is_under_way(const struct event *e)
{
	return e->unit->faults & 1 || (e->unit->free && shared->moved & 1);
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

/* Get a control that no other event of the round has. */
static uint64_t new_config(const struct unit *u)
{
	unsigned int n;

	if (u->free)
		return u->config;
	n = controls++ * (workers + 1) + me;
	return (1 + n % 251) << 8 | (2 + n / 251 % 250);
}

/* Count with a box for a moment, which may start and stop it. */
static bool use(const struct unit *u, unsigned int us)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = pmu_type(u->pmu),
		.config = u->free ? u->config : 0xfe01,
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

/* Open an event like @how, in the group of its leader if it has one. */
static struct event *open_event(struct event how, int cpu, bool snapshot)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = pmu_type(how.unit->pmu), .disabled = !how.on,
		.pinned = how.pinned && how.group < 0, .config2 = snapshot ? SNAPSHOT : 0,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct event *e = events;

	while (e < events + MAX_EVENTS && e->fd >= 0)
		e++;
	if (e == events + MAX_EVENTS)
		return NULL;
	how.config = new_config(how.unit);
	attr.config = how.config;
	how.faults = faults_of(&how);
	how.lives = lives_of(&how);
	how.disturbed = disturbed(how.unit);
	how.begin.least = truth_of(how.unit, how.config);
	how.fd = syscall(SYS_perf_event_open, &attr, how.cgroup ? cgroup_fd : -1, cpu, how.group,
			 how.cgroup ? PERF_FLAG_PID_CGROUP : 0);
	how.begin.most = how.unit->free ? truth_of(how.unit, how.config) : how.begin.least;
	note("open e%td %s pkg%u config %#lx cpu%d group %d: software %d on %d pinned %d %d %d: %s",
	     e - events, how.unit->pmu, how.unit->package, how.config, cpu, how.group,
	     how.software, how.on, how.pinned, snapshot, how.cgroup,
	     how.fd < 0 ? strerrorname_np(errno) : "yes");
	if (how.fd < 0)
		return NULL;
	shared->opened++;
	how.unit->pinned += how.pinned;
	if (how.group < 0)
		how.group = how.fd;
	*e = how;
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

static void close_event(struct event *e)
{
	struct event *other;
	int group = e->group;

	note("close e%td", e - events);
	e->unit->pinned -= e->pinned;
	close(e->fd);
	/* perf schedules members again only with the next change. */
	for_each_event(other)
		if (e->fd == group && other->group == group) {
			other->group = other->fd;
			other->excused = true;
		}
	e->fd = -1;
	for_each_event(other)
		if (other->group == group)
			return;
	if (e->software)
		close(group);
}

/* Open an event, or a group. */
static void open_some(void)
{
	struct unit *u = any_unit();
	struct event how = { .unit = u, .group = -1, .on = odds(60) };
	unsigned int n = u->free || odds(50) ? 1 : 2 + below(u->counters);
	int cpu = cpu_of(u->package);
	struct event *first;

	pin_somewhere();
	/* perf takes it if the CPU is the designated one. */
	if (!u->free && odds(30)) {
		how.on = true;
		how.software = true;
		how.group = open_software(cpu);
	} else {
		how.pinned = odds(12);
		how.cgroup = odds(8);
	}
	first = open_event(how, cpu, !u->free && !how.software && odds(25));
	if (!first) {
		close(how.group);
		return;
	}
	how.group = first->group;
	while (--n) {
		how.on = odds(85);
		open_event(how, cpu, false);
	}
}

/* ---- counts and truth ---------------------------------------------------------- */

/* An event that is off counts nothing, whatever its control does. */
static struct span want_of(const struct event *e, const struct span *truth)
{
	struct span want = e->before;

	if (!e->on)
		return want;
	if (truth->least > e->begin.most)
		want.least += truth->least - e->begin.most;
	want.most += truth->most - e->begin.least;
	return want;
}

static struct look look_at(const struct event *e)
{
	struct look l = { .faults = faults_of(e) };
	unsigned long lives = lives_of(e);
	uint64_t value[3] = { 0 };

	l.truth.least = truth_of(e->unit, e->config);
	l.got = read(e->fd, value, sizeof(value));
	l.truth.most = truth_of(e->unit, e->config);
	l.want = want_of(e, &l.truth);
	l.count = value[0];
	l.enabled = value[1];
	l.running = value[2];
	l.same = lives == e->lives && lives == lives_of(e);
	l.strict = l.same && l.faults == e->faults && l.faults == faults_of(e) && !e->failed &&
		   !is_under_way(e);
	note("read e%td: %zd, count %lu, truth %lu to %lu, enabled %lu, running %lu%s", e - events,
	     l.got, l.count, l.want.least, l.want.most, l.enabled, l.running,
	     l.strict ? ", strict" : "");
	shared->judged++;
	shared->strict += l.strict;
	return l;
}

static void judge_error(struct event *e, const struct look *l)
{
	shared->errors++;
	if (l->strict && !e->pinned && is_quiet())
		wrong_count("FAILED", e, l);
	/* perf enables it again, perhaps. */
	e->failed = true;
	if (!l->same || e->unit->free || odds(30))
		close_event(e);
}

/* perf scales a free-running count of an event that did not run all the time. */
static bool is_less(const struct event *e, const struct look *l)
{
	return l->count < l->want.least && (!e->unit->free || l->enabled == l->running);
}

/* Once a fault is over and noticed, the count is right, or the loss was said. */
static void judge_after_fault(struct event *e, const struct look *l)
{
	int now = disturbed(e->unit);

	if (l->faults != faults_of(e) || !is_quiet())
		return;
	shared->after_fault++;
	if (is_less(e, l) && !e->failed && !e->unit->free && now <= e->disturbed)
		wrong_count("SILENT", e, l);
	/* From here on the count is as exact as the truth. */
	e->before = (struct span){ l->count, l->count };
	e->begin = l->truth;
	e->faults = l->faults;
	e->disturbed = now;
	e->failed = false;
}

static void judge(struct event *e)
{
	struct look l;

	pin_somewhere();
	l = look_at(e);
	if (l.got <= 0) {
		judge_error(e, &l);
	} else if (!l.same) {
		/* perf dissolves groups with their package. */
		close_event(e);
	} else {
		if (l.count > l.want.most)
			wrong_count("MORE", e, &l);
		if (!l.strict)
			judge_after_fault(e, &l);
		else if (is_less(e, &l))
			wrong_count("LESS", e, &l);
	}
}

static struct event *any_event(void)
{
	unsigned int n = below(MAX_EVENTS), i;

	for (i = 0; i < MAX_EVENTS; i++)
		if (events[(n + i) % MAX_EVENTS].fd >= 0)
			return &events[(n + i) % MAX_EVENTS];
	return NULL;
}

/* Do this to an event, or a group; @fd may be its leader, a software event. */
static void ioctl_event(int fd, unsigned long request, int group)
{
	unsigned long moved = shared->moved;
	struct span truth[MAX_EVENTS];
	bool meant[MAX_EVENTS] = { };
	struct event *e;
	int ret;

	for_each_event(e) {
		meant[e - events] = e->fd == fd || e->group == group;
		if (meant[e - events])
			truth[e - events].least = truth_of(e->unit, e->config);
	}
	ret = ioctl(fd, request, group >= 0 ? PERF_IOC_FLAG_GROUP : 0);
	note("ioctl %s of file %d, group %d: %d", request == PERF_EVENT_IOC_RESET ? "reset" :
	     request == PERF_EVENT_IOC_ENABLE ? "on" : "off", fd, group, ret);
	for_each_event(e) {
		if (!meant[e - events])
			continue;
		truth[e - events].most = truth_of(e->unit, e->config);
		e->before = request == PERF_EVENT_IOC_RESET ? (struct span){ } :
			    want_of(e, &truth[e - events]);
		e->begin = truth[e - events];
		if (request != PERF_EVENT_IOC_RESET)
			e->on = request == PERF_EVENT_IOC_ENABLE;
		/* perf may undo what was done to an event that moved. */
		if (moved & 1 || moved != shared->moved)
			close_event(e);
	}
}

/* Do something to an event, or with events. */
static void event_op(void)
{
	static const unsigned long requests[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_RESET,
	};
	unsigned int what = below(80);
	struct event *e = any_event();

	pin_somewhere();
	if (!e || what < 5) {
		open_some();
	} else if (what < 55) {
		judge(e);
		if (what < 7 && e->fd >= 0)
			close_event(e);
	} else if (what < 60 && e->software) {
		ioctl_event(e->group, requests[below(2)], odds(40) ? e->group : -1);
	} else if (what < 71) {
		ioctl_event(e->fd, PICK(requests), odds(40) ? e->group : -1);
	} else if (what < 75) {
		/* A short event starts and stops a box. */
		use(any_unit(), below(3000));
	} else if (what < 79) {
		nap_us(below(odds(80) ? 8000 : 60000));
	} else {
		write_text("0", "%s/cgroup.procs", odds(50) ? CGROUP : CGROUPS);
	}
}

/* ---- faults of hardware -------------------------------------------------------- */

/* Let a fault last from no time to longer than a box may be silent. */
static void nap_of_fault(void)
{
	static const unsigned int longest[] = { 3000, 3000, 150000, 700000 };

	nap_us(below(PICK(longest)));
}

static void op_box(void)
{
	/* The first two are within what a box may do; the first five last for a while. */
	static const char * const done[] = {
		"ones 1", "ones 2", "dead", "dead", "faults", "poke ctl 0 0", "poke ctl 1 0",
		"poke box 0x301", "poke box 0x300", "poke box 0x100", "poke box 1", "poke box 1",
	};
	struct unit *u = any_unit();
	unsigned int what = below(ARRAY_SIZE(done));

	while (u->free)
		u = any_unit();
	what -= what == 4 && !u->msr;
	if (what > 1)
		fault(u);
	hw("box %s %s", u->name, done[what]);
	if (what < 5) {
		nap_of_fault();
		hw("box %s ok", u->name);
	}
	if (what > 1)
		fault(u);
}

static void op_global(void)
{
	ask("global all =1");
}

static void op_vanish(void)
{
	unsigned int package = below(packages);

	hw("remove %u", package);
	nap_of_fault();
	hw("insert %u", package);
}

static const char *any_function(void)
{
	return functions[below(nr_functions)];
}

static void op_reset(void)
{
	write_text("1", PCI "/devices/%s/reset", any_function());
}

static void op_d3(void)
{
	const char *name = any_function();
	char text[32];

	snprintf(text, sizeof(text), "%.15s D3", name);
	write_text(text, POWER);
	nap_of_fault();
	snprintf(text, sizeof(text), "%.15s D0", name);
	write_text(text, POWER);
}

/* ---- the host ------------------------------------------------------------------ */

static void set_online(int cpu, bool online)
{
	int package = package_of[cpu];
	bool last = !online && online_cpus[package] == 1;

	if (cpu_is_online(cpu) == online)
		return;
	note("cpu%d %s%s", cpu, online ? "on" : "off", last ? ", the last" : "");
	shared->package_gone[package] += last;
	shared->moved++;
	if (cpu_set_online(cpu, online))
		online_cpus[package] += online ? 1 : -1;
	shared->moved++;
	shared->package_gone[package] += last;
}

static void op_cpu(void)
{
	int cpu = 1 + below(cpus - 1);

	set_online(cpu, false);
	nap_us(below(30000));
	if (odds(70))
		set_online(cpu, true);
}

/* Change all CPUs of the last package, and others that are offline. */
static void op_package(void)
{
	int cpu;

	for (cpu = 1; cpu < cpus; cpu++)
		if (package_of[cpu] == package_of[cpus - 1])
			set_online(cpu, false);
	nap_us(below(100000));
	for (cpu = 1; cpu < cpus; cpu++)
		set_online(cpu, true);
}

/* A test of sleep, which takes CPUs and packages offline, or only devices. */
static void op_sleep(void)
{
	const char *state = odds(90) ? "freeze" : "disk";	/* waits 5 s */
	bool core = odds(50);
	int package, last = core ? packages : 0;

	shared->moved++;
	for (package = 1; package < last; package++)
		shared->package_gone[package]++;
	write_text(core ? "core" : "devices", "/sys/power/pm_test");
	write_text(state, "/sys/power/state");
	for (package = 1; package < last; package++)
		shared->package_gone[package]++;
	shared->moved++;
}

/* Wait until each unit counts. */
static void use_all(void)
{
	const struct unit *u;
	int n;

	for (u = shared->unit; u < shared->unit + shared->units && !is_enough(); u++) {
		for (n = 0; n < PATIENCE && !use(u, 300); n++)
			nap_us(20000);
		if (n < PATIENCE)
			continue;
		if (pmu_type(u->pmu) < 0)
			wrong("COMES_BACK", "%s", u->pmu);
		else
			wrong("STILL", "%s pkg%u", u->pmu, u->package);
	}
}

/* A function leaves its driver, or the bus, and comes back, sooner or later. */
static void op_replace(void)
{
	const char *name = any_function();
	bool unbind = odds(40);

	shared->removed++;
	write_text(unbind ? name : "1", PCI "/devices/%s/%s", name,
		   unbind ? "driver/unbind" : "remove");
	nap_us(below(60000));
	write_text(unbind ? name : "1", PCI "/%s", unbind ? "drivers_probe" : "rescan");
	shared->removed++;
}

/* Run a command until it succeeds. */
static void run_command(const char *command)
{
	int n;

	for (n = 0; n < PATIENCE / 10 && system(command); n++)
		nap_us(100000);
	if (n == PATIENCE / 10)
		wrong("COMES_BACK", "%s", command);
}

static void must_be_clear(const struct unit *u)
{
	char *at;

	if (field(ask("box %s", u->name), "box=") & 1)
		wrong("LEFT", "%s is frozen", u->name);
	for (at = ask("truth %s", u->name); (at = strstr(at, "ctl=")); at++)
		if ((uint32_t)strtoull(at + strlen("ctl="), NULL, 0))
			wrong("LEFT", "%s has %.60s", u->name, at);
}

/* No process has an event. */
static void reload(void)
{
	struct unit *u;

	note("reload");
	run_command("rmmod pmon_uncore");
	for (u = shared->unit; u < shared->unit + shared->units; u++)
		if (!u->free)
			must_be_clear(u);
	/* On 6.1 pmon stays. */
	if (odds(40) && system("rmmod pmon_plr pmon_cxl pmon 2>/dev/null"))
		note("pmon stays");
	run_command("modprobe pmon_uncore");
	use_all();
}

/* From FAULTS on each is a fault of all units. */
#define FAULTS	3
static const struct op host_ops[] = {
	{ "cpu", 6, .act = op_cpu }, { "package", 4, .act = op_package },
	{ "box", 8, .act = op_box }, { "global", 3, .act = op_global },
	{ "vanish", 2, .act = op_vanish }, { "reset", 2, .act = op_reset },
	{ "d3", 3, .act = op_d3 }, { "sleep", 1, .act = op_sleep },
	{ "replace", 2, .act = op_replace }, { }
};

static void host(const struct op *op)
{
	bool is_fault = op >= host_ops + FAULTS;

	note("%s", op->name);
	if (is_fault)
		fault(NULL);
	op->act();
	if (is_fault)
		fault(NULL);
}

/* ---- setup --------------------------------------------------------------------- */

/* Read a line of the machine's description, a unit first. */
static void describe(const char *line)
{
	struct unit *u = &shared->unit[shared->units];
	char access[8];
	int cpu, package;

	if (sscanf(line, "unit %39s %u %7s %u %x %23[^\n]", u->pmu, &u->package, access,
		   &u->counters, &u->config, u->name) == 6 && shared->units < MAX_UNITS) {
		u->msr = !strcmp(access, "msr");
		u->free = !strcmp(access, "free");
		shared->units += pmu_type(u->pmu) >= 0;
	} else if (sscanf(line, "cpu %d %d", &cpu, &package) == 2 && cpu < MAX_CPUS &&
		   package < MAX_PACKAGES) {
		package_of[cpu] = package;
		online_cpus[package]++;
		cpus++;
		if (package >= packages)
			packages = package + 1;
	} else if (nr_functions < MAX_FUNCTIONS &&
		   sscanf(line, "function %15s", functions[nr_functions]) == 1) {
		nr_functions++;
	}
}

static void setup(void)
{
	pthread_barrierattr_t all;
	struct event *e;
	char line[128];

	for (e = events; e < events + MAX_EVENTS; e++)
		e->fd = -1;
	shared = share(sizeof(*shared));
	pthread_barrierattr_init(&all);
	pthread_barrierattr_setpshared(&all, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->meet, &all, workers + 1);
	while (fgets(line, sizeof(line), stdin))
		describe(line);
	log_fd = open(LOG, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	cgroup_fd = open(CGROUP, O_RDONLY | O_CLOEXEC);
	if (log_fd < 0 || cgroup_fd < 0 || !shared->units || !nr_functions || packages < 2)
		die("this machine");
}

/* ---- the run ------------------------------------------------------------------- */

/* The host is whole, and the processes have no events. */
static void begin_round(unsigned int n)
{
	use_all();
	if (odds(20))
		reload();
	ask("truth reset");
	shared->calm = false;
	shared->over = n == rounds || is_enough() ||
		       now_ns() - started > seconds * 1000 * MS;
}

/* Few kinds of faults at a time, so that one does not excuse what another must not do. */
static void storm(void)
{
	const struct op *kinds[4];
	unsigned int n = 1 + below(ARRAY_SIZE(kinds)), i;

	for (i = 0; i < n; i++)
		kinds[i] = any_op(host_ops);
	for (i = 0; i < OPS; i++) {
		if (odds(HOST_PERCENT))
			host(kinds[below(n)]);
		else
			event_op();
	}
	for (i = 1; i < (unsigned int)cpus; i++)
		set_online(i, true);
	shared->calm = true;
}

/* Test whether nothing excuses that the event stands still. */
static bool must_count(const struct event *e)
{
	const struct event *leader;

	if (!e->on || e->failed || e->unit->free || e->cgroup || e->software ||
	    e->excused || e->unit->pinned)
		return false;
	for_each_event(leader)
		if (leader->fd == e->group)
			return leader->on && !leader->failed;
	return false;
}

/* Wait until the event counts. */
static void judge_progress(struct event *e)
{
	struct look first = look_at(e), l = first;
	int n;

	for (n = 0; n < PATIENCE && l.got > 0 && l.same && l.count <= first.count; n++) {
		nap_us(n ? 20000 : 1000);
		l = look_at(e);
	}
	if (n == PATIENCE)
		wrong_count("STILL", e, &l);
}

/* All faults are noticed: no count is wrong, and events that are on count on. */
static void check(void)
{
	struct event *e;

	while (!is_quiet()) {
		nap_us(20000);
		e = any_event();
		if (e)
			judge(e);
	}
	for_each_event(e)
		judge(e);
	for_each_event(e)
		if (must_count(e) && !is_enough())
			judge_progress(e);
	for_each_event(e) {
		judge(e);
		if (e->fd < 0)
			continue;
		if (!e->failed && e->faults == faults_of(e) && disturbed(e->unit) > e->disturbed)
			wrong("BLAMED", "%s pkg%u", e->unit->pmu, e->unit->package);
		close_event(e);
	}
}

/* Each round has a seed, so that those before do not change it. */
static void run(void)
{
	unsigned int n, i;

	for (n = 0;; n++) {
		random_state = (seed * 1000003ull + me) * 1000003ull + n;
		any_number();
		if (!me)
			begin_round(n);
		pthread_barrier_wait(&shared->meet);
		if (shared->over)
			return;
		note("round %u", n);
		controls = 0;
		for (i = 0; i < 12; i++)
			open_some();
		if (!me)
			storm();
		while (!shared->calm)
			event_op();
		check();
		pthread_barrier_wait(&shared->meet);
	}
}

int main(int argc, char **argv)
{
	if (argc != 7)
		return 64;
	seed = atoi(argv[1]);
	rounds = atoi(argv[2]);
	seconds = atoi(argv[3]);
	workers = atoi(argv[4]);
	settle_ns = (2 * atoi(argv[5]) + 1500) * MS;
	without = argv[6];
	started = now_ns();
	setup();
	while (me < workers && !fork())
		me++;
	run();
	if (!me)
		printf("%lu opened, %lu judged, %lu strictly, %lu after faults, %lu in error\n",
		       shared->opened, shared->judged, shared->strict, shared->after_fault,
		       shared->errors);
	return 0;
}
