// SPDX-License-Identifier: GPL-2.0-only
/*
 * race [-e] [-n ROUNDS] [-t SECONDS] [-s STILL] PARTY...: run several parties
 * at the same time, in a guest, and check that all make progress.
 *
 *	cpu=N			take this CPU offline and online
 *	bind=DIR,DEVICE[,...]	unbind devices from a driver, and bind them;
 *				DIR is the driver's directory in sysfs
 *	run=COMMAND		run a shell command, whose status must be 0
 *	open=TYPES:CONFIGS:WHERE open and close perf events; the first two
 *				are numbers or ranges A-B. WHERE is "cpu" (CPU
 *				0), "task" (the party itself), or "nobody" (the
 *				party's user code, as uid 65534)
 *
 * Ends after SECONDS, or when all parties except open= have run ROUNDS rounds.
 * With -e the parties except open= keep in step, and open= parties pause for a
 * second after each round. Prints the number of rounds of each party. When a
 * party makes no progress for STILL seconds (100), or was killed, race prints
 * the kernel stacks of all parties, and exits with status 1, as after a failed
 * command. Hanging processes are not killed.
 */
#include <dirent.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "../../guest/guest.h"

#define MAX_PARTIES	16
#define NOBODY		65534

struct range {
	unsigned int first, last;
};

/* Memory that a party and its watcher share. */
struct progress {
	atomic_ulong rounds, failed;
};

struct party {
	const char *what;
	char *arg;
	bool leads;
	void (*round)(struct party *party);
	struct progress *progress;
	pid_t pid;
	unsigned long seen;
	unsigned int still;
};

/* Options. */
static unsigned int seconds = 600, limit = 100;
static unsigned long rounds = ~0ul;
static bool evenly;

static struct party parties[MAX_PARTIES];
static unsigned int nr_parties;
static atomic_bool *over;

/* Write a file; EBUSY is no failure, because a PCI probe prevents CPU hotplug. */
static void put(struct party *party, const char *text, const char *path, const char *file)
{
	if (!write_text(text, "%s/%s", path, file) && errno != EBUSY)
		party->progress->failed++;
}

static void round_cpu(struct party *party)
{
	char path[64];

	snprintf(path, sizeof(path), CPUS "/cpu%d", atoi(party->arg));
	put(party, "0", path, "online");
	put(party, "1", path, "online");
}

static void round_bind(struct party *party)
{
	static const char * const files[] = { "unbind", "bind" };
	char list[256], *dir, *device, *rest;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		snprintf(list, sizeof(list), "%s", party->arg);
		dir = strtok_r(list, ",", &rest);
		while ((device = strtok_r(NULL, ",", &rest)))
			put(party, device, dir, files[i]);
	}
}

static void round_run(struct party *party)
{
	if (system(party->arg))
		party->progress->failed++;
}

static char *parse_range(char *text, struct range *range)
{
	range->first = strtoul(text, &text, 0);
	range->last = range->first;
	if (*text == '-')
		range->last = strtoul(text + 1, &text, 0);
	if (*text++ != ':')
		exit(64);
	return text;
}

static void become_nobody(void)
{
	if (getuid() != NOBODY && (setgid(NOBODY) || setuid(NOBODY)))
		_exit(1);
}

/* Try to open each event; perf may refuse it, but the call must return. */
static void round_open(struct party *party)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct range types, configs;
	unsigned int type, config;
	char *where;
	bool cpu;
	int fd;

	where = parse_range(parse_range(party->arg, &types), &configs);
	cpu = !strcmp(where, "cpu");
	if (!strcmp(where, "nobody")) {
		become_nobody();
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
	}
	for (type = types.first; type <= types.last; type++) {
		for (config = configs.first; config <= configs.last; config++) {
			attr.type = type;
			attr.config = config;
			fd = syscall(SYS_perf_event_open, &attr, cpu ? -1 : 0,
				     cpu ? 0 : -1, -1, 0);
			if (fd >= 0)
				close(fd);
		}
	}
}

static const struct {
	const char *what;
	bool leads;
	void (*round)(struct party *party);
} kinds[] = {
	{ "cpu=", true, round_cpu },
	{ "bind=", true, round_bind },
	{ "run=", true, round_run },
	{ "open=", false, round_open },
};

#define KINDS	(sizeof(kinds) / sizeof(kinds[0]))

static unsigned long slowest(void)
{
	unsigned long least = ~0ul;
	unsigned int i;

	for (i = 0; i < nr_parties; i++)
		if (parties[i].leads && parties[i].progress->rounds < least)
			least = parties[i].progress->rounds;
	return least;
}

static void wait_for_others(struct party *party)
{
	if (!party->leads) {
		sleep(1);
		return;
	}
	while (!*over && party->progress->rounds > slowest())
		usleep(1000);
}

static void party_start(struct party *party)
{
	party->pid = fork();
	if (party->pid)
		return;
	/* Make a process group, to find all processes of the party. */
	setpgid(0, 0);
	while (!*over) {
		party->round(party);
		party->progress->rounds++;
		if (evenly)
			wait_for_others(party);
	}
	_exit(0);
}

static void party_add(char *what)
{
	struct party *party = &parties[nr_parties++];
	size_t i = 0;

	while (i < KINDS && strncmp(what, kinds[i].what, strlen(kinds[i].what)))
		i++;
	if (i == KINDS || nr_parties > MAX_PARTIES)
		exit(64);
	party->what = what;
	party->arg = what + strlen(kinds[i].what);
	party->leads = kinds[i].leads;
	party->round = kinds[i].round;
}

static bool ended(struct party *party)
{
	int status;

	if (!party->pid || waitpid(party->pid, &status, WNOHANG) != party->pid)
		return !party->pid;
	party->pid = 0;
	if (WIFSIGNALED(status))
		printf("%s: ended by signal %d\n", party->what,
		       WTERMSIG(status));
	return true;
}

static void print_file(const char *pid, const char *name)
{
	char text[4096];

	if (read_lines(text, sizeof(text), "/proc/%s/%s", pid, name))
		printf("%s", text);
}

/* Test for a process of @party or, without @party, a blocked kernel thread. */
static bool interesting(const char *pid, const struct party *party)
{
	char text[512], *at;
	int pgrp = 0;
	char state = 0;

	if (!read_text(text, sizeof(text), "/proc/%s/stat", pid))
		return false;
	at = strrchr(text, ')');
	if (!at || sscanf(at, ") %c %*d %d", &state, &pgrp) != 2)
		return false;
	return party ? pgrp == party->pid : !pgrp && state == 'D';
}

static void print_stacks(const struct party *party)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		if (!strtoul(entry->d_name, NULL, 10) ||
		    !interesting(entry->d_name, party))
			continue;
		printf("-- %s, process %s ", party ? party->what : "kernel",
		       entry->d_name);
		print_file(entry->d_name, "comm");
		print_file(entry->d_name, "stack");
	}
	if (proc)
		closedir(proc);
}

static int stuck(void)
{
	unsigned int i;

	for (i = 0; i < nr_parties; i++)
		printf("%s: %lu rounds, stands still for %u s\n",
		       parties[i].what, parties[i].progress->rounds,
		       parties[i].still);
	for (i = 0; i < nr_parties; i++)
		if (parties[i].pid)
			print_stacks(&parties[i]);
	print_stacks(NULL);
	fflush(stdout);
	return 1;
}

/*
 * Test whether a party made no progress for too long, or was killed. Called
 * once a second.
 */
static bool anybody_still(void)
{
	bool found = false;
	unsigned int i;

	for (i = 0; i < nr_parties; i++) {
		struct party *party = &parties[i];
		unsigned long now = party->progress->rounds;

		party->still = now == party->seen && party->pid ?
			       party->still + 1 : 0;
		party->seen = now;
		found |= party->still >= limit || (!*over && ended(party));
	}
	return found;
}

static bool all_done(void)
{
	bool leads = false, done = true;
	unsigned int i;

	for (i = 0; i < nr_parties; i++) {
		if (!parties[i].leads)
			continue;
		leads = true;
		done &= parties[i].progress->rounds >= rounds;
	}
	return leads && done;
}

static unsigned int still_running(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr_parties; i++)
		n += !ended(&parties[i]);
	return n;
}

static int report(void)
{
	unsigned long failed = 0;
	unsigned int i;

	for (i = 0; i < nr_parties; i++) {
		printf("%s: %lu rounds", parties[i].what,
		       parties[i].progress->rounds);
		if (parties[i].progress->failed)
			printf(", %lu failures", parties[i].progress->failed);
		putchar('\n');
		failed += parties[i].progress->failed;
	}
	return failed > 0;
}

/* Wait until all parties are done; check often, as a run may be short. */
static bool watch(void)
{
	unsigned int tenths = 0;

	while (*over ? still_running() : !all_done()) {
		usleep(100000);
		if (++tenths % 10 == 0 && anybody_still())
			return false;
		if (tenths >= seconds * 10)
			*over = true;
	}
	return true;
}

static bool options(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "en:t:s:")) != -1) {
		switch (opt) {
		case 'e':
			evenly = true;
			break;
		case 'n':
			rounds = strtoul(optarg, NULL, 0);
			break;
		case 't':
			seconds = atoi(optarg);
			break;
		case 's':
			limit = atoi(optarg);
			break;
		default:
			return false;
		}
	}
	return optind < argc;
}

int main(int argc, char **argv)
{
	struct progress *shared;
	unsigned int i;

	if (!options(argc, argv))
		return 64;
	shared = share((MAX_PARTIES + 1) * sizeof(*shared));
	over = (void *)&shared[MAX_PARTIES];
	for (; optind < argc; optind++)
		party_add(argv[optind]);
	for (i = 0; i < nr_parties; i++)
		parties[i].progress = &shared[i];
	for (i = 0; i < nr_parties; i++)
		party_start(&parties[i]);
	if (!watch())
		return stuck();
	*over = true;
	if (!watch())
		return stuck();
	return report();
}
