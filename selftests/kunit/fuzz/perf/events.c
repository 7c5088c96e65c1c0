// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: opened and closed, alone and in groups, mapped, and what else can be
 * done to one that is open.
 */
#include <poll.h>
#include <sys/ioctl.h>

#include "events.h"

#define PAGE		4096ul

/*
 * perf has a fault of its own (seen on 6.12): where a CPU was offline its
 * events have left their groups, new ones may still join them, and keep a
 * leader that was closed. So what leads a group while CPUs come and go is an
 * event of a task or of the first CPU, which stays online.
 */
static bool may_lead[SLOTS];

/*
 * And another one (troubleshooting.rst): events of other PMUs that are in a group
 * with one of a PMU that goes stay in the contexts that perf frees with it. So a
 * group is of one PMU.
 */
static unsigned int type_of[SLOTS];

/* Memory that pages are copied to and from. */
static int mirror = -1;

static bool leads_safely(const struct target *target)
{
	if (target->flags & PERF_FLAG_PID_CGROUP)
		return target->cpu == 0;
	return target->pid >= 0 || target->cpu == 0;
}

static void choose_leader(struct target *target, unsigned int type)
{
	int slot = target->group - FIRST_SLOT;

	if (slot < 0 || slot >= SLOTS)
		return;
	if ((!may_lead[slot] && !switched_off("hotplug")) || type_of[slot] != type)
		target->group = -1;
}

/* For an event that is opened: the one that was there is closed. */
static int any_slot(void)
{
	return SLOT(below(SLOTS));
}

/* Mostly one with an event: others lead to no call that does anything. */
int random_slot(void)
{
	int slot = any_slot(), n;

	if (odds(10))
		return slot;
	for (n = 1; n < SLOTS && fcntl(slot, F_GETFD) < 0; n++)
		slot = SLOT((slot - FIRST_SLOT + 1) % SLOTS);
	return slot;
}

/* One that is of a control group has a directory of it in place of a task. */
static int random_event(struct perf_event_attr *attr, struct target *target)
{
	attr_random(attr, target);
	return target->flags & PERF_FLAG_PID_CGROUP && target->pid > 2 &&
	       target->pid < FIRST_SLOT ? target->pid : -1;
}

/* What was there is closed, also if in use. */
static long open_one(int slot, int group)
{
	struct perf_event_attr attr;
	struct target target;
	int fd, directory;

	/* Our PMUs are in use for a moment after each; few must come now. */
	if (shared->truce && odds(80)) {
		nap_us(1000);
		return -1;
	}
	directory = random_event(&attr, &target);
	if (group >= 0)
		target.group = group;
	choose_leader(&target, attr.type);
	doing("open type %u config %llx,%llx,%llx period %llu%s%s%s%s "
	      "pid %d cpu %d group %d flags %lx as %d",
	      attr.type, attr.config, attr.config1, attr.config2, attr.sample_period,
	      attr.disabled ? " off" : "", attr.inherit ? " inherit" : "",
	      attr.pinned ? " pinned" : "", attr.sigtrap ? " sigtrap" : "",
	      target.pid, target.cpu, target.group, target.flags, slot);
	fd = syscall(SYS_perf_event_open, &attr, target.pid, target.cpu, target.group,
		     target.flags);
	if (fd >= 0) {
		dup3(fd, slot, odds(70) ? O_CLOEXEC : 0);
		close(fd);
		may_lead[slot - FIRST_SLOT] = leads_safely(&target);
		type_of[slot - FIRST_SLOT] = attr.type;
		/* A worker waits for the modules to be free. */
		if (shared->truce)
			close(slot);
	}
	if (directory >= 0)
		close(directory);
	return fd;
}

long op_open(void)
{
	return open_one(any_slot(), -1);
}

/* One event and others that join it. */
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

long op_close(void)
{
	int slot = random_slot();

	doing("close %d", slot);
	return close(slot);
}

static int drop_map(unsigned int n)
{
	void *at = me.map[n].at;

	me.map[n].at = NULL;
	return at ? munmap(at, me.map[n].size) : 0;
}

void close_all(void)
{
	int i;

	doing("close all");
	for (i = 0; i < MAPS; i++)
		drop_map(i);
	bpf_drop();
	for (i = 0; i < SLOTS; i++)
		close(SLOT(i));
}

/* Seldom: else there would never be much to close. */
static long op_close_all(void)
{
	if (!odds(20))
		return op_close();
	close_all();
	return 0;
}

void maps_setup(void)
{
	mirror = memfd_create("mirror", MFD_CLOEXEC);
	if (ftruncate(mirror, 2 * PAGE))
		mirror = -1;
}

/*
 * What a thread has mapped is its own: nobody else unmaps there, so that no
 * address is used for two things.
 */
static long op_map(void)
{
	static const unsigned int pages[] = { 1, 2, 3, 5, 9, 4, 0 };
	size_t size = PICK(pages) * PAGE;
	unsigned int n = below(MAPS), page = odds(10) ? below(12) : 0;
	int slot = random_slot();
	void *at;

	drop_map(n);
	doing("mmap %d, %zu bytes from page %u", slot, size, page);
	at = mmap(NULL, size, PROT_READ | (odds(70) ? PROT_WRITE : 0),
		  odds(95) ? MAP_SHARED : MAP_PRIVATE, slot, page * PAGE);
	if (at == MAP_FAILED)
		return -1;
	me.map[n].at = at;
	me.map[n].size = size;
	return 0;
}

/*
 * Reads the page that tells of the event; moves the end of what was read. The
 * kernel looks at what is mapped on our behalf: nobody dies of a hole.
 */
static long op_touch(void)
{
	struct perf_event_mmap_page *page = me.map[below(MAPS)].at;

	if (!page)
		page = me.map[0].at;
	if (!page)
		return -1;
	doing("touch a map at %p", page);
	if (odds(70))
		return pwrite(mirror, page, PAGE, 0);
	if (pwrite(mirror, &page->data_head, 8, PAGE) != 8)
		return -1;
	return pread(mirror, &page->data_tail, 8, PAGE);
}

static long op_unmap(void)
{
	unsigned int n = below(MAPS);

	if (!me.map[n].at)
		return -1;
	doing("munmap %zu bytes", me.map[n].size);
	if (odds(80))
		return drop_map(n);
	/* A page of it only, whose address stays taken. */
	return mmap(me.map[n].at, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
		    MAP_FIXED, -1, 0) == MAP_FAILED ? -1 : 0;
}

long op_read(void)
{
	static const size_t sizes[] = { 512, 512, 512, 256, 24, 8, 7 };
	size_t size = PICK(sizes);
	int slot = random_slot();
	char data[512];

	doing("read %d, %zu bytes", slot, size);
	return read(slot, data, size);
}

static long op_poll(void)
{
	struct pollfd p[3];
	unsigned int i;

	for (i = 0; i < 3; i++)
		p[i] = (struct pollfd){ random_slot(), POLLIN | POLLHUP, 0 };
	doing("poll %d %d %d", p[0].fd, p[1].fd, p[2].fd);
	return poll(p, 3, below(8));
}

static long op_fcntl(void)
{
	const struct {
		int command, value;
	} calls[] = {
		{ F_SETFL, O_ASYNC | O_NONBLOCK }, { F_SETFL, O_NONBLOCK },
		{ F_SETOWN, getpid() }, { F_SETSIG, 0 },
		{ F_SETFD, FD_CLOEXEC }, { F_SETFD, 0 },
	};
	unsigned int n = below(ARRAY_SIZE(calls));
	int slot = random_slot();

	doing("fcntl %d, %d, %#x", slot, calls[n].command, calls[n].value);
	return fcntl(slot, calls[n].command, calls[n].value);
}

static long op_dup(void)
{
	int from = random_slot(), to = any_slot();

	doing("dup %d as %d", from, to);
	may_lead[to - FIRST_SLOT] = may_lead[from - FIRST_SLOT];
	type_of[to - FIRST_SLOT] = type_of[from - FIRST_SLOT];
	return dup2(from, to);
}

/* One that is gone may stay as it was: its type has no owner, or another. */
static long op_learn(void)
{
	struct pmu *pmu = &me.pmus.pmu[below(me.pmus.nr)];
	char path[64] = "";
	const char *name = pmu->name;
	struct pmu fresh;

	if (odds(40) && random_path(path, sizeof(path), PMUS "/*"))
		name = strrchr(path, '/') + 1;
	doing("learn %s", name);
	if (!pmu_learn(&fresh, name) && odds(50))
		return -1;
	*pmu = fresh;
	return 0;
}

static int modify(int slot)
{
	struct perf_event_attr attr;
	struct target target;
	int directory = random_event(&attr, &target), ret;

	ret = ioctl(slot, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr);
	if (directory >= 0)
		close(directory);
	return ret;
}

/* The first three are half of all. */
long op_ioctl(void)
{
	static const unsigned long requests[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_RESET,
		PERF_EVENT_IOC_REFRESH, PERF_EVENT_IOC_PERIOD,
		PERF_EVENT_IOC_SET_OUTPUT, PERF_EVENT_IOC_SET_FILTER,
		PERF_EVENT_IOC_ID, PERF_EVENT_IOC_PAUSE_OUTPUT,
		PERF_EVENT_IOC_QUERY_BPF, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, 0,
	};
	static const char *const filters[] = {
		"common_pid > 0", "package == 0", "coarse & 4 || fine > 1",
		"", "0", "(((", "scope == \"die\"", "nothing == 1",
	};
	unsigned long request = requests[below(odds(50) ? 3 : ARRAY_SIZE(requests))];
	uint64_t number = odd_number();
	uint32_t query[8] = { 4 };
	int slot = random_slot();

	doing("ioctl %d, %#lx, %#lx", slot, request, number);
	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
	case PERF_EVENT_IOC_RESET:
		return ioctl(slot, request, odds(25) ? PERF_IOC_FLAG_GROUP : 0);
	case PERF_EVENT_IOC_REFRESH:
		return ioctl(slot, request, (int)number & 15);
	case PERF_EVENT_IOC_PERIOD:
		number |= 1 << 20;
		return ioctl(slot, request, &number);
	case PERF_EVENT_IOC_SET_OUTPUT:
		return ioctl(slot, request, odds(20) ? -1 : random_slot());
	case PERF_EVENT_IOC_SET_FILTER:
		return ioctl(slot, request, PICK(filters));
	case PERF_EVENT_IOC_ID:
		return ioctl(slot, request, &number);
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
		return ioctl(slot, request, number & 1);
	case PERF_EVENT_IOC_QUERY_BPF:
		return ioctl(slot, request, query);
	case PERF_EVENT_IOC_MODIFY_ATTRIBUTES:
		return modify(slot);
	default:
		return ioctl(slot, _IO('$', number & 31), number);
	}
}

/* An event has no name: this is refused, and must be. */
static long op_copy(void)
{
	int slot = random_slot(), fd;
	char text[64];

	doing("reopen %d through /proc", slot);
	snprintf(text, sizeof(text), "/proc/self/fd/%d", slot);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd;
}

/*
 * Opening an event costs ten times what reading one does, a process a hundred
 * times: where calls are counted (the last number), one in a hundred opens, so
 * that most of the time goes into none of these.
 */
struct op event_ops[] = {
	{ "open", 30, op_open, 80 }, { "group", 5, op_group, 15 },
	{ "read", 22, op_read, 4000 }, { "ioctl", 20, op_ioctl, 3400 },
	{ "close", 8, op_close, 20 }, { "close-all", 1, op_close_all, 1 },
	{ "map", 5, op_map, 20 }, { "touch", 5, op_touch, 20 },
	{ "unmap", 3, op_unmap, 10 }, { "poll", 3, op_poll, 20 },
	{ "fcntl", 3, op_fcntl, 20 }, { "dup", 3, op_dup, 10 },
	{ "reopen", 1, op_copy, 5 }, { "learn", 3, op_learn, 1 },
	{ "fork", 2, op_fork, 2 }, { "exec", 1, op_exec, 1 },
	{ "reap", 2, op_reap, 3 }, { "affinity", 3, op_affinity, 5 },
	{ "cgroup", 1, op_cgroup, 1 }, { "task-events", 2, op_task_events, 10 },
	{ "nap", 4, op_nap, 5 }, { "bpf-put", 2, op_bpf_put, 3 },
	{ "bpf-attach", 2, op_bpf_attach, 3 },
	{ }
};
