// SPDX-License-Identifier: GPL-2.0-only
/*
 * churn [-a] [-r READERS] TIMES WHAT PMU[:CONFIG]...: opens an event (1) on each PMU
 * in each package that has it, takes something away under it and gives it back,
 * over and over; in the guest.
 *
 *	pci=BDF[,BDF...]	these functions are removed; the bus is rescanned
 *	bind=DRIVER,BDF		the driver is unbound from the function; bound
 *	cpu			the CPU of each package that does the work
 *	package=N		all CPUs of a package
 *	module=NAME		the module must not go with events open, then does
 *
 * Every reading must be one that the hardware can have counted: never less
 * than the one before, never more than the fastest rate allows. With -a all events
 * must have failed when functions or drivers are away. READERS other processes open,
 * read and close such events all the time, and groups with snapshot=1. Prints what
 * went wrong; exit status 1 then.
 */
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "../../guest/guest.h"

#define PCI		"/sys/bus/pci"
#define MAX_PMUS	16
#define MAX_PACKAGES	8
#define MAX_CPUS	64
/* The emulator's fastest event: counts per microsecond. */
#define RATE_MAX	(1000 + 4095)
#define SNAPSHOT	(1ull << 63)	/* in config2 */

struct pmu {
	const char *name;
	uint64_t config;
};

struct counted {
	int fd, cpu;
	uint64_t opened, last;
	const struct pmu *pmu;
	bool revoked;
};

static struct pmu pmus[MAX_PMUS];
static int nr_pmus, nr_packages, cycle;
static bool all_fail;
static struct counted counted[MAX_PMUS * MAX_PACKAGES];
static int nr_counted, failures;
static int package_of[MAX_CPUS], nr_cpus;

static __attribute__((format(printf, 1, 2))) void wrong(const char *fmt, ...)
{
	va_list args;

	printf("cycle %d: ", cycle);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	if (++failures == 20)
		exit(1);
}

static __attribute__((format(printf, 2, 3)))
void put_text(const char *text, const char *fmt, ...)
{
	va_list args;
	char path[256];

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (!write_text(text, "%s", path))
		wrong("%s to %s: %s", text, path, strerror(errno));
}

/* The CPUs in a PMU's cpumask, one per package; their number. */
static int collectors(const struct pmu *pmu, int *cpu)
{
	char text[256], *at;
	int n = 0;

	if (!read_text(text, sizeof(text), PMUS "/%s/cpumask", pmu->name))
		return 0;
	for (at = strtok(text, ","); at && n < MAX_PACKAGES;
	     at = strtok(NULL, ","))
		cpu[n++] = atoi(at);
	return n;
}

static int open_event(const struct pmu *pmu, int cpu, uint64_t config2, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .config = pmu->config, .config2 = config2,
	};
	int type = pmu_type(pmu->name);

	attr.type = type;
	return type < 0 ? -1 : event_on(&attr, cpu, leader);
}

/* Events of devices that go have ended, and count again once enabled. */
static bool ending;

/*
 * perf since 6.16 takes events away with their PMU, and refuses whatever is
 * asked of them. Before, and while the PMU lives, it does not.
 */
static bool is_revoked(struct counted *c, int error)
{
	c->revoked = ending && error == ENOSPC &&
		     ioctl(c->fd, PERF_EVENT_IOC_ENABLE, 0) &&
		     errno == ENODEV;
	return c->revoked;
}

/* False: the event has ended. */
static bool check(struct counted *c)
{
	uint64_t count, most;
	ssize_t n = read(c->fd, &count, sizeof(count));
	int error = n < 0 ? errno : 0;

	if (n != sizeof(count)) {
		/* perf's word for an event in error state is 0 */
		if (error && !is_revoked(c, error))
			wrong("%s: read: %s", c->pmu->name, strerror(error));
		return false;
	}
	most = (now_ns() - c->opened) / 1000 * RATE_MAX + RATE_MAX;
	if (count < c->last)
		wrong("%s: %lu after %lu", c->pmu->name, count, c->last);
	if (count > most)
		wrong("%s: %lu, at most %lu possible", c->pmu->name, count, most);
	c->last = count;
	return true;
}

static void check_all(void)
{
	int i;

	for (i = 0; i < nr_counted; i++)
		check(&counted[i]);
}

static bool open_one(struct counted *c, const struct pmu *pmu, int cpu)
{
	c->opened = now_ns();
	c->last = 0;
	c->revoked = false;
	c->cpu = cpu;
	c->pmu = pmu;
	c->fd = open_event(pmu, cpu, 0, -1);
	return c->fd >= 0;
}

static void open_all(void)
{
	int i, j, n, cpu[MAX_PACKAGES];

	for (i = 0; i < nr_pmus; i++) {
		n = collectors(&pmus[i], cpu);
		for (j = 0; j < n; j++)
			if (open_one(&counted[nr_counted], &pmus[i], cpu[j]))
				nr_counted++;
			else
				wrong("%s: open on CPU %d: %s", pmus[i].name,
				      cpu[j], strerror(errno));
	}
}

static void close_all(void)
{
	while (nr_counted)
		close(counted[--nr_counted].fd);
}

static void open_again(struct counted *c)
{
	close(c->fd);
	if (!open_one(c, c->pmu, c->cpu))
		wrong("%s: open again on CPU %d: %s", c->pmu->name, c->cpu,
		      strerror(errno));
}

/*
 * They count again, or at least those that were opened just now do, as have to
 * be those that perf has taken away.
 */
static void all_must_count(void)
{
	int i, tries;

	for (i = 0; i < nr_counted; i++) {
		uint64_t before;

		if (counted[i].revoked)
			open_again(&counted[i]);
		before = counted[i].last;
		for (tries = 0; tries < 1000 && counted[i].last == before;
		     tries++) {
			nap_us(tries ? 1000 : 0);
			if (!check(&counted[i]) && ending)
				ioctl(counted[i].fd, PERF_EVENT_IOC_ENABLE, 0);
		}
		if (counted[i].last == before)
			wrong("%s: does not count", counted[i].pmu->name);
	}
}

/*
 * perf since 6.15 shows a PMU's files a moment before it opens its events; until
 * then it says ENOENT.
 */
static bool opens(const struct pmu *pmu, int cpu)
{
	int fd = open_event(pmu, cpu, 0, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOENT;
}

/* All PMUs are there with a box in each package. */
static void until_complete(void)
{
	int i, tries, cpu[MAX_PACKAGES];

	for (i = 0; i < nr_pmus; i++) {
		for (tries = 0; tries < 5000; tries++) {
			if (collectors(&pmus[i], cpu) == nr_packages &&
			    opens(&pmus[i], cpu[0]))
				break;
			nap_us(1000);
		}
		if (tries == 5000)
			wrong("%s does not return", pmus[i].name);
	}
}

/* What is away cannot be opened, and is not invented. */
static void must_not_open(int cpu)
{
	int i, j, n, fd, is[MAX_PACKAGES];

	for (i = 0; i < nr_pmus; i++) {
		n = collectors(&pmus[i], is);
		for (j = 0; j < n && package_of[is[j]] != package_of[cpu]; j++)
			;
		fd = open_event(&pmus[i], cpu, 0, -1);
		if (fd >= 0 && j == n)
			wrong("%s: opens on CPU %d", pmus[i].name, cpu);
		if (fd >= 0)
			close(fd);
	}
}

/* What events are of has gone; half of the time they are closed meanwhile. */
static void is_away(void)
{
	int i;

	for (i = 0; i < nr_counted; i++)
		if (check(&counted[i]) && all_fail)
			wrong("%s: has not failed", counted[i].pmu->name);
	must_not_open(0);
	must_not_open(nr_cpus - 1);
	check_all();
	if (ending && cycle & 1)
		close_all();
}

static void is_back(void)
{
	until_complete();
	if (ending && cycle & 1)
		open_all();
}

static void cycle_pci(char *list)
{
	char *bdf, *rest, copy[256];

	snprintf(copy, sizeof(copy), "%s", list);
	ending = true;
	for (bdf = strtok_r(copy, ",", &rest); bdf;
	     bdf = strtok_r(NULL, ",", &rest))
		put_text("1", PCI "/devices/%s/remove", bdf);
	is_away();
	put_text("1", PCI "/rescan");
	is_back();
}

static void cycle_bind(char *arg)
{
	char driver[64], bdf[64];

	if (sscanf(arg, "%63[^,],%63s", driver, bdf) != 2)
		exit(64);
	ending = all_fail;
	put_text(bdf, PCI "/drivers/%s/unbind", driver);
	is_away();
	put_text(bdf, PCI "/drivers/%s/bind", driver);
	is_back();
}

static void cycle_cpu(char *arg)
{
	int cpu[MAX_PACKAGES], n = collectors(&pmus[0], cpu);

	(void)arg;
	while (n--) {
		if (!cpu[n])
			continue;
		put_text("0", CPUS "/cpu%d/online", cpu[n]);
		check_all();
		put_text("1", CPUS "/cpu%d/online", cpu[n]);
		check_all();
	}
}

static void cycle_package(char *arg)
{
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++)
		if (package_of[cpu] == atoi(arg))
			put_text("0", CPUS "/cpu%d/online", cpu);
	check_all();
	for (cpu = 0; cpu < nr_cpus; cpu++)
		if (package_of[cpu] == atoi(arg))
			put_text("1", CPUS "/cpu%d/online", cpu);
	check_all();
	/* perf has ended those that were there. */
	close_all();
	until_complete();
	open_all();
}

static void cycle_module(char *module)
{
	int tries;

	if (!syscall(SYS_delete_module, module, O_NONBLOCK))
		wrong("%s goes with events open", module);
	close_all();
	/* perf drops its last reference a moment after close. */
	for (tries = 0; syscall(SYS_delete_module, module, O_NONBLOCK); tries++) {
		if (tries == 1000) {
			wrong("%s stays: %s", module, strerror(errno));
			return;
		}
		nap_us(1000);
	}
	if (module_load(module, ""))
		wrong("loading %s: %s", module, strerror(errno));
	until_complete();
	open_all();
}

/* The leader reads both. */
static void read_group(const struct pmu *pmu, int cpu)
{
	int leader = open_event(pmu, cpu, SNAPSHOT, -1);
	int sibling = leader < 0 ? -1 : open_event(pmu, cpu, 0, leader);
	uint64_t count;

	if (sibling >= 0) {
		(void)!read(leader, &count, sizeof(count));
		close(sibling);
	}
	if (leader >= 0)
		close(leader);
}

/* Opens, reads and closes; refused or not, but never wrong. */
static void reader(void)
{
	int i, j, n, cpu[MAX_PACKAGES];
	struct counted c;

	for (;;) {
		for (i = 0; i < nr_pmus; i++) {
			n = collectors(&pmus[i], cpu);
			for (j = 0; j < n; j++) {
				read_group(&pmus[i], cpu[j]);
				if (!open_one(&c, &pmus[i], cpu[j]))
					continue;
				check(&c);
				check(&c);
				close(c.fd);
			}
		}
		if (failures || getppid() == 1)
			exit(failures > 0);
		nap_us(500);
	}
}

static void add_pmu(char *text)
{
	char *config = strchr(text, ':');

	if (config)
		*config++ = '\0';
	pmus[nr_pmus++] = (struct pmu){ text, config ? strtoull(config, NULL, 0) : 1 };
}

static void learn_packages(void)
{
	char text[32];

	for (nr_cpus = 0; nr_cpus < MAX_CPUS; nr_cpus++) {
		if (!read_text(text, sizeof(text),
			       CPUS "/cpu%d/topology/physical_package_id", nr_cpus))
			break;
		package_of[nr_cpus] = atoi(text);
		if (package_of[nr_cpus] >= nr_packages)
			nr_packages = package_of[nr_cpus] + 1;
	}
}

static const struct {
	const char *what;
	void (*cycle)(char *arg);
} kinds[] = {
	{ "pci=", cycle_pci },
	{ "bind=", cycle_bind },
	{ "cpu", cycle_cpu },
	{ "package=", cycle_package },
	{ "module=", cycle_module },
};

#define KINDS	(sizeof(kinds) / sizeof(kinds[0]))

static void run(int times, char *what)
{
	size_t kind = 0;

	while (kind < KINDS && strncmp(what, kinds[kind].what,
				       strlen(kinds[kind].what)))
		kind++;
	if (kind == KINDS)
		exit(64);
	open_all();
	for (cycle = 0; cycle < times; cycle++) {
		all_must_count();
		kinds[kind].cycle(what + strlen(kinds[kind].what));
		check_all();
	}
	all_must_count();
	close_all();
}

int main(int argc, char **argv)
{
	int opt, readers = 0, i, status;
	pid_t child[8];

	while ((opt = getopt(argc, argv, "ar:")) == 'a' || opt == 'r') {
		if (opt == 'a')
			all_fail = true;
		else
			readers = atoi(optarg);
	}
	if (opt != -1 || argc - optind < 3 || readers > 8 ||
	    argc - optind - 2 > MAX_PMUS) {
		fprintf(stderr, "usage: churn [-a] [-r READERS] TIMES WHAT PMU[:CONFIG]...\n");
		return 64;
	}
	for (i = optind + 2; i < argc; i++)
		add_pmu(argv[i]);
	learn_packages();
	for (i = 0; i < readers; i++) {
		child[i] = fork();
		if (!child[i])
			reader();
	}
	run(atoi(argv[optind]), argv[optind + 1]);
	for (i = 0; i < readers; i++) {
		kill(child[i], SIGTERM);
		waitpid(child[i], &status, 0);
		if (WIFEXITED(status) && WEXITSTATUS(status))
			failures++;
	}
	return failures > 0;
}
