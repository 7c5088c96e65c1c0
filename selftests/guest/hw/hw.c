// SPDX-License-Identifier: GPL-2.0-only
/*
 * hw: the guest's end of the test bench. Pass the arguments to the emulator as
 * one line of text, and print the answer. No wait is needed, because a command
 * has ended when the write that starts it returns. Only "mmio" and "event" run
 * in this program, so their accesses count like those of a driver or a user.
 * With "-" each line of standard input is a command, because the start of a
 * process takes a thousand times as long as a command.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BENCH_ID	"1b36:0b3c"
#define BENCH_MAGIC	0x4e4f4d50
#define BENCH_BYTES	0x100000
#define BENCH_TEXT	0x1000
#define REG_MAGIC	0x00
#define REG_RUN		0x08
#define REG_LENGTH	0x10

#define DEVICES		"/sys/bus/pci/devices"
#define PMUS		"/sys/bus/event_source/devices"
#define BENCH_LINK	"/run/bench"

static const char usage[] =
	"usage: hw COMMAND... | hw - <COMMANDS\n"
	"  machine | units [free]\n"
	"  count [reset | unit PKG/TYPE/ID]        register accesses by class\n"
	"  count table PKG/DEV                     those of one device's table\n"
	"  truth reset | truth [PKG/TYPE/ID [N|fixed]] what was really counted\n"
	"  truth controls | truth free             by control; free-running ones\n"
	"  box PKG/TYPE/ID                         box control, freeze, status\n"
	"  box PKG/TYPE/ID dead|ok                 reads all-ones; as before\n"
	"  box PKG/TYPE/ID preload|rate CTR VALUE  counter value; counts per us\n"
	"  box PKG/TYPE/ID by-hand CTL | happens CTL N\n"
	"                                          events: none by time; so many\n"
	"  global all|PKG/DEV [=VALUE|sticks]      control of all units of a table\n"
	"  box PKG/TYPE/ID poke ctl CTR VALUE | poke box VALUE\n"
	"  plr|mesh PKG/DOM/MODULE [VALUE|=VALUE]  limit reasons: show, OR, assign\n"
	"  plr schedule FILE                       lines: plr|mesh PKG/DOM/MODULE\n"
	"                                          VALUE START-NS END-NS from now\n"
	"  plr step NS                             sets again so often in force\n"
	"  plr random SEED MEAN-NS COUNT           sets bits here and there\n"
	"  plr truth | plr log | plr stop          ns in force; random ones' fate\n"
	"  die PKG/DOM [VALUE|=VALUE|alone|collects|computed|latches]\n"
	"  mailbox PKG/DOM [stuck|ok|blocked|slow NS|noclear|agent N]\n"
	"  mailbox PKG/DOM slow NS [MORE]          and up to MORE\n"
	"  mailbox PKG/DOM echo full|none|zeroed|status [KIND]\n"
	"  mailbox PKG/DOM unknown zero|busy       IDs that are not there\n"
	"  mailbox PKG/DOM mesh ok|busy|ones|dead  answers for the mesh\n"
	"  feature PKG ID ok|read-blocked|write-blocked|disabled\n"
	"  control PKG [grant|run NS|free|stuck]   its control interface takes so long\n"
	"  d3 PKG [on|off]                         power state of the function\n"
	"  cxl | cxl remove|insert DEV             CXL devices; pulled out, back\n"
	"  cpmu DEV.N [truth|count|dead|ok|reset]  a CPMU: registers; what it counted\n"
	"  cpmu DEV.N rate VID GID ID N            an event's counts per us\n"
	"  cpmu DEV.N poke OFFSET VALUE            what another agent writes\n"
	"  remove|insert PKG                       the function is gone; is back\n"
	"  mmio BDF BAR OFFSET BYTES [VALUE]       read or write a register\n"
	"  event PMU                               opens its first, counts, closes it\n"
	"  log TEXT                                a line in the access log\n"
	"  illegal [reset]                         accesses that hardware forbids\n";

static void die(const char *what)
{
	fprintf(stderr, "hw: %s: %s\n", what, strerror(errno));
	exit(2);
}

static unsigned int read_id(const char *device, const char *file)
{
	char path[512];
	unsigned int id = 0;
	FILE *f;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", device, file);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%x", &id) != 1)
		id = 0;
	fclose(f);
	return id;
}

/* Enable memory decoding, which a guest may have disabled. */
static void enable(const char *device)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), DEVICES "/%s/enable", device);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return;
	if (write(fd, "1", 1) < 0)
		fprintf(stderr, "hw: cannot enable %s\n", device);
	close(fd);
}

/*
 * Open the bench. In our guests PID 1 has made a link to the device; in other
 * guests search for it.
 */
static int open_bench(void)
{
	char path[512];
	struct dirent *e;
	int fd = open(BENCH_LINK "/resource0", O_RDWR | O_SYNC);
	DIR *d;

	if (fd >= 0)
		return fd;
	d = opendir(DEVICES);
	if (!d)
		die(DEVICES);
	while (fd < 0 && (e = readdir(d))) {
		char id[32];

		snprintf(id, sizeof(id), "%04x:%04x", read_id(e->d_name, "vendor"),
			 read_id(e->d_name, "device"));
		if (strcmp(id, BENCH_ID))
			continue;
		snprintf(path, sizeof(path), DEVICES "/%s/resource0", e->d_name);
		fd = open(path, O_RDWR | O_SYNC);
		if (fd < 0)
			die(path);
		enable(e->d_name);
	}
	closedir(d);
	return fd;
}

static void join(char *to, size_t room, char **word)
{
	size_t n = 0;

	to[0] = '\0';
	for (; *word; word++) {
		n += snprintf(to + n, room - n, "%s%s", n ? " " : "", *word);
		if (n >= room) {
			fputs("hw: the command is too long\n", stderr);
			exit(64);
		}
	}
}

/* plr schedule FILE: append the file's text to the command. */
static void schedule(char *to, size_t room, const char *file)
{
	size_t n = snprintf(to, room, "plr schedule ");
	FILE *f = strcmp(file, "-") ? fopen(file, "r") : stdin;

	if (!f)
		die(file);
	n += fread(to + n, 1, room - n - 1, f);
	to[n] = '\0';
	if (ferror(f) || getc(f) != EOF) {
		fputs("hw: the schedule is too long\n", stderr);
		exit(64);
	}
	if (f != stdin)
		fclose(f);
}

static uint64_t load(volatile void *at, unsigned int bytes)
{
	switch (bytes) {
	case 1:
		return *(volatile uint8_t *)at;
	case 2:
		return *(volatile uint16_t *)at;
	case 4:
		return *(volatile uint32_t *)at;
	default:
		return *(volatile uint64_t *)at;
	}
}

static void store(volatile void *at, unsigned int bytes, uint64_t val)
{
	switch (bytes) {
	case 1:
		*(volatile uint8_t *)at = val;
		break;
	case 2:
		*(volatile uint16_t *)at = val;
		break;
	case 4:
		*(volatile uint32_t *)at = val;
		break;
	default:
		*(volatile uint64_t *)at = val;
		break;
	}
}

/* mmio BDF BAR OFFSET BYTES [VALUE]: read or write a register in a BAR. */
static int mmio(int argc, char **argv)
{
	unsigned long page = sysconf(_SC_PAGESIZE);
	unsigned long offset, start;
	unsigned int bytes;
	char path[512];
	char *map;
	int fd;

	if (argc < 4) {
		fputs(usage, stderr);
		return 64;
	}
	offset = strtoul(argv[2], NULL, 0);
	bytes = strtoul(argv[3], NULL, 0);
	start = offset & ~(page - 1);
	snprintf(path, sizeof(path), DEVICES "/%s/resource%s", argv[0], argv[1]);
	fd = open(path, O_RDWR | O_SYNC);
	if (fd < 0)
		die(path);
	map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, start);
	if (map == MAP_FAILED)	/* the BAR may end with the page */
		map = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, start);
	if (map == MAP_FAILED)
		die("mmap");
	map += offset - start;
	if (argc > 4)
		store(map, bytes, strtoull(argv[4], NULL, 0));
	else
		printf("0x%llx\n", (unsigned long long)load(map, bytes));
	return 0;
}

/* Read the first line of a PMU's file, without the newline. */
static bool pmu_text(const char *pmu, const char *file, char *to, int room)
{
	char path[512];
	FILE *f;
	bool found;

	snprintf(path, sizeof(path), PMUS "/%s/%s", pmu, file);
	f = fopen(path, "r");
	found = f && fgets(to, room, f);
	if (f)
		fclose(f);
	if (found)
		to[strcspn(to, "\n")] = '\0';
	return found;
}

/* Return the terms of the first named event of the PMU, or "event=1". */
static void first_event(const char *pmu, char *to, int room)
{
	char path[512], name[300];
	struct dirent *e;
	DIR *d;

	snprintf(to, room, "event=1");
	snprintf(path, sizeof(path), PMUS "/%s/events", pmu);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		snprintf(name, sizeof(name), "events/%s", e->d_name);
		if (!strchr(e->d_name, '.') && pmu_text(pmu, name, to, room))
			break;
	}
	if (d)
		closedir(d);
}

/* Set the bits of one term, whose format is like "config1:0-7,32". */
static bool set_term(const char *pmu, const char *term, uint64_t value, uint64_t *config)
{
	unsigned int word = 0, low, high;
	char format[64], name[80];
	char *at;

	if (!strncmp(term, "config", 6)) {
		config[atoi(term + 6) % 3] = value;
		return true;
	}
	snprintf(name, sizeof(name), "format/%s", term);
	if (!pmu_text(pmu, name, format, sizeof(format)))
		return false;
	if (sscanf(format, "config%u:", &word) != 1)
		word = 0;
	for (at = strchr(format, ':'); at && word < 3; at = strchr(at, ',')) {
		int n = sscanf(++at, "%u-%u", &low, &high);

		for (high = n == 2 ? high : low; n > 0 && low <= high; low++) {
			config[word] |= (value & 1) << low;
			value >>= 1;
		}
	}
	return true;
}

/*
 * event PMU: open an event on the first CPU of the PMU's cpumask, count and
 * close it.
 */
static int event(const char *pmu)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	uint64_t config[3] = { 0 }, read_now[3] = { 0 };
	char text[256], *next = text, *term;
	int fd, cpu, tries;

	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!pmu_text(pmu, "type", text, sizeof(text)))
		die(pmu);
	attr.type = atoi(text);
	if (!pmu_text(pmu, "cpumask", text, sizeof(text)) || !*text)
		return 0;	/* all its CPUs are offline */
	cpu = atoi(text);
	first_event(pmu, text, sizeof(text));
	while ((term = strsep(&next, ","))) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		if (!set_term(pmu, term, value ? strtoull(value, NULL, 0) : 1, config))
			fprintf(stderr, "hw: %s has no term %s\n", pmu, term);
	}
	attr.config = config[0];
	attr.config1 = config[1];
	attr.config2 = config[2];
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		die(pmu);
	/* Counts of time in limit reasons are valid from the second poll on. */
	for (tries = 100; tries && !read_now[2]; tries--) {
		usleep(20000);
		if (read(fd, read_now, sizeof(read_now)) != sizeof(read_now))
			break;
	}
	if (!read_now[2]) {
		fprintf(stderr, "hw: %s: config 0x%llx does not count\n", pmu,
			(unsigned long long)attr.config);
		return 1;
	}
	return 0;
}

static int bench;
static volatile char *bar;

static uint64_t bench_read(unsigned int reg)
{
	return *(volatile uint32_t *)(bar + reg);
}

static void map_bench(void)
{
	bench = open_bench();
	if (bench < 0) {
		fputs("hw: this machine has no bench\n", stderr);
		exit(77);
	}
	bar = mmap(NULL, BENCH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, bench, 0);
	if (bar == MAP_FAILED)
		die("mmap");
	if (bench_read(REG_MAGIC) != BENCH_MAGIC) {
		fputs("hw: the bench does not answer\n", stderr);
		exit(2);
	}
}

static int ask(const char *command)
{
	static char answer[BENCH_BYTES];
	size_t length;

	if (flock(bench, LOCK_EX))
		die("lock");
	memcpy((char *)bar + BENCH_TEXT, command, strlen(command) + 1);
	*(volatile uint32_t *)(bar + REG_RUN) = strlen(command);
	length = bench_read(REG_LENGTH);
	memcpy(answer, (const char *)bar + BENCH_TEXT, length);
	flock(bench, LOCK_UN);
	if (length >= 6 && !memcmp(answer, "error:", 6)) {
		fwrite(answer, 1, length, stderr);
		return 1;
	}
	fwrite(answer, 1, length, stdout);
	return fflush(stdout) ? 2 : 0;
}

/* Run each line; "pause MS" sleeps. Return the status of the last failure, or 0. */
static int ask_each(char *line, size_t room)
{
	int status = 0, failed;
	unsigned int ms;

	while (fgets(line, room, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "pause %u", &ms) == 1) {
			usleep(ms * 1000);
			continue;
		}
		failed = ask(line);
		if (failed)
			status = failed;
	}
	return status;
}

int main(int argc, char **argv)
{
	static char command[BENCH_BYTES / 2];

	if (argc < 2 || !strcmp(argv[1], "--help")) {
		fputs(usage, argc < 2 ? stderr : stdout);
		return argc < 2 ? 64 : 0;
	}
	if (!strcmp(argv[1], "mmio"))
		return mmio(argc - 2, argv + 2);
	if (argc == 3 && !strcmp(argv[1], "event"))
		return event(argv[2]);
	if (!strcmp(argv[1], "-")) {
		map_bench();
		return ask_each(command, sizeof(command));
	}
	if (argc == 4 && !strcmp(argv[1], "plr") && !strcmp(argv[2], "schedule"))
		schedule(command, sizeof(command), argv[3]);
	else
		join(command, sizeof(command), argv + 1);
	map_bench();
	return ask(command);
}
