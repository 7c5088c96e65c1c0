// SPDX-License-Identifier: GPL-2.0-only
/*
 * late CPU [PMU]: take a CPU offline while perf has initialized an event
 * plr/observed/, but not installed it; with PMU, while an event of that PMU is
 * being disabled. Both wait for the mutex of the CPU's perf context. The reader
 * of another event holds the mutex until its buffer page arrives. The page
 * arrives as soon as the driver's callback for offline CPUs waits, too. Print
 * "kept" if the event then counts on another CPU, else "lost". Print "missed"
 * first if the callback was not found waiting.
 */
#include <dirent.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>

#include "../../guest/guest.h"

#define OBSERVED	0x40
#define PAGE		4096
/* Number of checks, one every 100 microseconds, for an expected state. */
#define LOOKS		50000
#define LOOK_US		100

static int cpu, type, keeper, late = -1;
static char *missing;
static volatile pid_t reader_tid, waiter_tid;

static int open_event(uint32_t event_type, uint64_t config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = event_type, .config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
	};

	return event_on(&attr, cpu, -1);
}

static void *read_keeper(void *unused)
{
	reader_tid = syscall(SYS_gettid);
	if (read(keeper, missing, 16) != 16)
		die("read");
	return unused;
}

static void *open_late(void *unused)
{
	waiter_tid = syscall(SYS_gettid);
	late = open_event(type, OBSERVED);
	return unused;
}

static void *disable_late(void *unused)
{
	waiter_tid = syscall(SYS_gettid);
	if (ioctl(late, PERF_EVENT_IOC_DISABLE, 0))
		die("disable");
	return unused;
}

static void *take_cpu(void *unused)
{
	if (!write_text("0", CPUS "/cpu%d/online", cpu))
		die("online");
	return unused;
}

/* Test whether a file of a task has the text. */
static int has(pid_t pid, const char *file, const char *text)
{
	char said[4096];

	return read_lines(said, sizeof(said), "/proc/%d/%s", pid, file) && strstr(said, text);
}

/* Wait until a file of a task has the text, for LOOKS checks at most. */
static int until(pid_t pid, const char *file, const char *text)
{
	int look;

	for (look = 0; look < LOOKS; look++) {
		if (has(pid, file, text))
			return 1;
		usleep(LOOK_US);
	}
	return 0;
}

/* Return the thread that takes the CPU offline. */
static pid_t hotplug_thread(void)
{
	struct dirent *e;
	char name[32];
	pid_t pid = 0;
	DIR *d = opendir("/proc");

	if (!d)
		die("/proc");
	snprintf(name, sizeof(name), "cpuhp/%d\n", cpu);
	while (!pid && (e = readdir(d)))
		if (atoi(e->d_name) && has(atoi(e->d_name), "comm", name))
			pid = atoi(e->d_name);
	closedir(d);
	if (!pid)
		die(name);
	return pid;
}

static int make_missing(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	missing = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reg.range.start = (uintptr_t)missing;
	reg.range.len = PAGE;
	if (fd < 0 || missing == MAP_FAILED || ioctl(fd, UFFDIO_API, &api) ||
	    ioctl(fd, UFFDIO_REGISTER, &reg))
		die("userfaultfd");
	return fd;
}

/*
 * Leave the fair class. Since 7.2 a tick may defer work to a task of this
 * class, and the task then waits for CPU hotplug before it returns to user
 * space: a deadlock, as this thread delays hotplug. Children stay in the class.
 */
static void leave_fair_class(void)
{
	struct sched_param param = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		die("sched_setscheduler");
}

static uint64_t enabled(void)
{
	uint64_t value[2];

	if (read(late, value, sizeof(value)) != sizeof(value))
		return 0;
	return value[1];
}

int main(int argc, char **argv)
{
	struct uffdio_zeropage zero = {};
	pthread_t reader, waiter, taker;
	const char *pmu;
	uint64_t before;
	pid_t hotplug;
	int uffd;

	if (argc < 2)
		return 64;
	pmu = argv[2];
	type = pmu_type_or_end(pmu ?: "plr");
	cpu = atoi(argv[1]);
	hotplug = hotplug_thread();
	/* Before 6.2 each PMU has contexts of its own. */
	keeper = pmu ? open_event(type, 1) :
		       open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	if (pmu)
		late = open_event(type, 2);
	if (keeper < 0 || (pmu && late < 0))
		die("perf_event_open");
	uffd = make_missing();
	leave_fair_class();
	pthread_create(&reader, NULL, read_keeper, NULL);
	while (!reader_tid)
		usleep(LOOK_US);
	if (!until(reader_tid, "stack", "handle_userfault"))
		die("the reader");
	pthread_create(&waiter, NULL, pmu ? disable_late : open_late, NULL);
	while (!waiter_tid)
		usleep(LOOK_US);
	if (!until(waiter_tid, "status", "State:\tD"))
		die("the waiter");
	pthread_create(&taker, NULL, take_cpu, NULL);
	if (!until(hotplug, "stack", pmu ? "perf_pmu_migrate_context" : "plr_cpu_offline"))
		puts("missed");
	zero.range.start = (uintptr_t)missing;
	zero.range.len = PAGE;
	if (ioctl(uffd, UFFDIO_ZEROPAGE, &zero))
		die("UFFDIO_ZEROPAGE");
	pthread_join(reader, NULL);
	pthread_join(waiter, NULL);
	pthread_join(taker, NULL);
	if (late < 0)
		die("the event");
	before = enabled();
	usleep(100000);
	puts(before && enabled() > before ? "kept" : "lost");
	return 0;
}
