// SPDX-License-Identifier: GPL-2.0-only
/*
 * Open, read, change and close random events. Events are file descriptors
 * with fixed numbers that all threads of a worker share, so one thread may close
 * an event that another one reads. perf accepts most of the events.
 */
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "fuzz.h"

#define SLOTS		16
#define FIRST_SLOT	200
#define WORDS		3	/* config, config1, config2 */
/* A shorter period would only measure how slow an emulated CPU is. */
#define PERIOD_NS	2000000

struct target {
	int pid, cpu, group;
	unsigned long flags;
};

/*
 * Avoid two faults of perf (troubleshooting.rst). When a CPU goes offline, its
 * events leave their groups, but new events may still join these groups. So only
 * events of a task or of CPU 0 lead groups. When a PMU is unregistered, events of
 * other PMUs in its groups stay in freed contexts. So a group has only one PMU.
 */
static bool may_lead[SLOTS];
static unsigned int type_of[SLOTS];

static int any_slot(void)
{
	return FIRST_SLOT + below(SLOTS);
}

/* Return a slot with an event, in most cases. */
static int used_slot(void)
{
	int slot = any_slot(), n;

	if (odds(10))
		return slot;
	for (n = 1; n < SLOTS && fcntl(slot, F_GETFD) < 0; n++)
		slot = FIRST_SLOT + (slot - FIRST_SLOT + 1) % SLOTS;
	return slot;
}

/* ---- a random event -------------------------------------------------------- */

/* Set random bits of a format such as "config1:0-7,32-35". */
static void random_field(uint64_t *config, const char *format)
{
	unsigned int word = 0, from, to;
	uint64_t mask = 0;
	char *at;

	if (sscanf(format, "config%u", &word) == 1 && word >= WORDS)
		return;
	for (at = strchr(format, ':'); at && *at; ) {
		from = strtoul(at + 1, &at, 10);
		to = *at == '-' ? strtoul(at + 1, &at, 10) : from;
		mask |= (2ull << to) - (1ull << from);
	}
	config[word] = (config[word] & ~mask) | (any_number() & mask);
}

/* Choose an event, often a named one; at times randomize some fields or any bits. */
static void random_config(const char *pmu, uint64_t *config)
{
	unsigned int event = 1 + below(32), umask = 0, n;
	char path[320], text[128];

	snprintf(path, sizeof(path), PMUS "/%s/events/*", pmu);
	if (odds(50) && random_path(path, sizeof(path), path) &&
	    read_text(text, sizeof(text), "%s", path))
		sscanf(text, "event=%x,umask=%x", &event, &umask);
	config[0] = umask << 8 | event;
	for (n = odds(40) ? 1 + below(3) : 0; n; n--) {
		snprintf(path, sizeof(path), PMUS "/%s/format/*", pmu);
		if (random_path(path, sizeof(path), path) &&
		    read_text(text, sizeof(text), "%s", path))
			random_field(config, text);
	}
	if (odds(5))
		config[below(WORDS)] ^= odd_number();
}

static void event_of_pmu(struct perf_event_attr *attr, struct target *target,
			 const char *pattern)
{
	uint64_t config[WORDS] = {};
	char path[320], text[128];
	const char *pmu;
	static unsigned int last_type;

	if (!random_path(path, sizeof(path), pattern))
		return;
	pmu = strrchr(path, '/') + 1;
	if (pmu_type(pmu) >= 0 && odds(95))
		last_type = pmu_type(pmu);
	/* Try also the number of a removed PMU, now free or another PMU's. */
	attr->type = last_type;
	random_config(pmu, config);
	attr->config = config[0];
	attr->config1 = config[1];
	attr->config2 = config[2];
	if (odds(80) && read_text(text, sizeof(text), PMUS "/%s/cpumask", pmu)) {
		const char *second = strchr(text, ',');

		target->cpu = atoi(second && odds(50) ? second + 1 : text);
		target->pid = -1;
	}
}

static void event_of_tracepoint(struct perf_event_attr *attr)
{
	static const char *const names[] = {
		"pmon/plr_reasons", "pmon/plr_reasons", "workqueue/workqueue_execute_start",
		"module/module_free",
	};
	static uint64_t last;
	char text[32];

	attr->type = PERF_TYPE_TRACEPOINT;
	if (read_text(text, sizeof(text), "/sys/kernel/tracing/events/%s/id", PICK(names)))
		last = strtoull(text, NULL, 10);
	attr->config = last;
	if (odds(50)) {
		attr->sample_period = 1;
		attr->sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME;
	}
}

static void choose_kind(struct perf_event_attr *attr, struct target *target)
{
	unsigned int n = below(100);

	if (n < 52) {
		event_of_pmu(attr, target, PMUS "/uncore_*");
	} else if (n < 66) {
		event_of_pmu(attr, target, PMUS "/plr*");
	} else if (n < 80) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = below(PERF_COUNT_SW_MAX + 1);
		attr->sample_period = odds(40) ? PERIOD_NS << below(6) : 0;
	} else {
		event_of_tracepoint(attr);
	}
}

static void choose_target(struct target *target)
{
	unsigned int n = below(100);

	target->pid = n < 40 ? -1 : n < 80 ? 0 :
		      n < 90 ? shared->record[below(MAX_RECORDS)].pid : (int)below(4) - 2;
	target->cpu = n < 40 ? (int)below(sysconf(_SC_NPROCESSORS_CONF)) :
		      n < 85 ? -1 : (int)below(70) - 2;
	target->group = odds(30) ? used_slot() : -1;
	target->flags = odds(1) ? odd_number() : odds(50) ? PERF_FLAG_FD_CLOEXEC : 0;
}

static void random_event(struct perf_event_attr *attr, struct target *target)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	choose_target(target);
	choose_kind(attr, target);
	attr->disabled = odds(25);
	attr->inherit = odds(target->pid < 0 ? 12 : 40);
	attr->pinned = odds(6);
	attr->exclusive = odds(4);
	attr->enable_on_exec = odds(4);
	attr->exclude_user = odds(5);
	attr->exclude_kernel = odds(5);
	attr->exclude_hv = attr->exclude_kernel;
	attr->read_format = odds(50) ? below(PERF_FORMAT_MAX) : 0;
}

/* ---- operations ------------------------------------------------------------ */

static bool leads_safely(int slot, unsigned int type)
{
	if (slot < FIRST_SLOT || slot >= FIRST_SLOT + SLOTS)
		return true;
	slot -= FIRST_SLOT;
	return type_of[slot] == type && (may_lead[slot] || switched_off("hotplug"));
}

/* Open an event in @slot, and close the event that was there, even if in use. */
static long open_one(int slot, int group)
{
	struct perf_event_attr attr;
	struct target target;
	int fd;

	if (shared->truce && odds(80)) {
		nap_us(1000);
		return -1;
	}
	random_event(&attr, &target);
	if (group >= 0)
		target.group = group;
	if (!leads_safely(target.group, attr.type))
		target.group = -1;
	doing("open type %u config %llx,%llx,%llx period %llu%s%s%s "
	      "pid %d cpu %d group %d flags %lx as %d",
	      attr.type, attr.config, attr.config1, attr.config2, attr.sample_period,
	      attr.disabled ? " off" : "", attr.inherit ? " inherit" : "",
	      attr.pinned ? " pinned" : "", target.pid, target.cpu, target.group,
	      target.flags, slot);
	fd = syscall(SYS_perf_event_open, &attr, target.pid, target.cpu, target.group,
		     target.flags);
	if (fd < 0)
		return fd;
	dup3(fd, slot, O_CLOEXEC);
	close(fd);
	may_lead[slot - FIRST_SLOT] = target.pid >= 0 || target.cpu == 0;
	type_of[slot - FIRST_SLOT] = attr.type;
	if (shared->truce)
		close(slot);
	return 0;
}

static long op_open(void)
{
	return open_one(any_slot(), -1);
}

static long op_group(void)
{
	unsigned int n = 1 + below(5);
	int leader = any_slot();

	if (open_one(leader, -1) < 0)
		return -1;
	while (n--)
		open_one(any_slot(), leader);
	return 0;
}

static long op_close(void)
{
	int slot = used_slot();

	doing("close %d", slot);
	return close(slot);
}

void close_events(void)
{
	int i;

	doing("close all");
	for (i = 0; i < SLOTS; i++)
		close(FIRST_SLOT + i);
}

static long op_close_all(void)
{
	close_events();
	return 0;
}

static long op_read(void)
{
	static const size_t sizes[] = { 512, 512, 512, 256, 24, 8, 7 };
	size_t size = PICK(sizes);
	int slot = used_slot();
	char data[512];

	doing("read %d, %zu bytes", slot, size);
	return read(slot, data, size);
}

static int modify(int slot)
{
	struct perf_event_attr attr;
	struct target target;

	random_event(&attr, &target);
	return ioctl(slot, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr);
}

/* In half of all calls choose only among the first three requests. */
static long op_ioctl(void)
{
	static const unsigned long requests[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_RESET,
		PERF_EVENT_IOC_REFRESH, PERF_EVENT_IOC_PERIOD, PERF_EVENT_IOC_SET_OUTPUT,
		PERF_EVENT_IOC_SET_FILTER, PERF_EVENT_IOC_MODIFY_ATTRIBUTES,
	};
	static const char *const filters[] = {
		"common_pid > 0", "package == 0", "coarse & 4 || fine > 1", "(((",
	};
	unsigned long request = requests[below(odds(50) ? 3 : ARRAY_SIZE(requests))];
	uint64_t number = odd_number();
	int slot = used_slot();

	doing("ioctl %d, %#lx, %#lx", slot, request, number);
	switch (request) {
	case PERF_EVENT_IOC_REFRESH:
		return ioctl(slot, request, (int)number & 15);
	case PERF_EVENT_IOC_PERIOD:
		number |= 1 << 20;
		return ioctl(slot, request, &number);
	case PERF_EVENT_IOC_SET_OUTPUT:
		return ioctl(slot, request, odds(20) ? -1 : used_slot());
	case PERF_EVENT_IOC_SET_FILTER:
		return ioctl(slot, request, PICK(filters));
	case PERF_EVENT_IOC_MODIFY_ATTRIBUTES:
		return modify(slot);
	default:
		return ioctl(slot, request, odds(25) ? PERF_IOC_FLAG_GROUP : 0);
	}
}

/* Fork a child that inherits events, uses them for a moment and ends. */
static long op_fork(void)
{
	static long (*const ops[])(void) = { op_read, op_ioctl, op_close, op_open };
	unsigned int n = below(12);

	doing("fork");
	if (me.child > 0)
		while (waitpid(me.child, NULL, 0) < 0 && errno == EINTR)
			;
	me.child = fork();
	if (me.child)
		return me.child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (n-- && !shared->truce)
		PICK(ops)();
	_exit(0);
}

struct op event_ops[] = {
	{ "open", 30, op_open }, { "group", 5, op_group }, { "read", 22, op_read },
	{ "ioctl", 20, op_ioctl }, { "close", 8, op_close }, { "close-all", 1, op_close_all },
	{ "fork", 3, op_fork },
	{ }
};
