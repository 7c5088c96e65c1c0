// SPDX-License-Identifier: GPL-2.0-only
/*
 * unkind COMMAND...: compare the files of performance limits with the emulated
 * hardware.  Prints a line for each fault, and notes that begin with "#"; the
 * exit status is 1 after a fault.  UNKIND_SLACK in the environment permits polls
 * to be that many ms late.
 *
 *	pulses DIES N		N times set THERMAL for 50 ms on the last module of
 *				each die, with polls every 100 ms
 *	rest DIES SECONDS RATE	change nothing; permit RATE mailbox commands a second
 *	limit DIES SECONDS	set POWER on all modules, with polls every 10 ms
 *	episodes DIES N		N times set POWER on all modules, for 10 to 150 ms or
 *				for 1.5 s
 *	readers DIES SECONDS [bare] eight processes read all files (bare: without capabilities)
 *	bare COMMAND...		run a command as root without capabilities
 *	walk			read all files of the driver; print paths of files
 *				that mention energy, and the number of files
 *
 * The file DIES has a line for each die: PKG/DOM NAME FLAG...  Expected values
 * come from the machine and this program alone, never from the driver.
 */
#include <ctype.h>
#include <dirent.h>
#include <ftw.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "../../guest/guest.h"

#define PMON		"/sys/class/pmon"
#define INTERVAL	100	/* ms between polls */
#define PULSE		50	/* ms, length of a limit */
#define JIFFY		4	/* ms, on the tested kernels */
#define LATE		(30u + slack)	/* ms, at most, until a poll's result is in the file */
#define THERMAL		"0x0080000000000008"
#define MODULES		64
#define DIES		40

/* ms that polls may be late; without icount a busy host delays the guest. */
static unsigned int slack;
static unsigned int wrong;

__attribute__((format(printf, 1, 2))) static void fault(const char *format, ...)
{
	va_list args;

	if (++wrong > 40)
		return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* Return the time on the clock that the files use. */
static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

static void sleep_ms(int64_t ms)
{
	if (ms > 0)
		usleep(ms * 1000);
}

/* ---- the emulator ------------------------------------------------------------- */

static unsigned long long field(const char *text, const char *name)
{
	char want[32];
	const char *at;

	snprintf(want, sizeof(want), " %s=", name);
	at = strstr(text, want);
	return at ? strtoull(at + strlen(want), NULL, 0) : 0;
}

/* ---- dies and their files ------------------------------------------------------ */

struct scope {
	char name[48];
	char path[80];
	int active, module;
	bool limited;		/* by THERMAL, from time to time */
	/* @shown: `active` had THERMAL; next three: ms in time_in_reason when a check began */
	bool shown;
	unsigned long long before, last, observed;
};

struct die {
	unsigned int pkg, dom, modules;
	char name[40];
	bool frequency, mesh, dead, late;
	struct scope core[MODULES], whole;
	unsigned int hot;	/* module with the pulses */
	int64_t from, to;	/* begin and end of a pulse, by now_ms() */
	unsigned long long counted[64];
	unsigned int pulses;
	unsigned long long commands;
};

static struct die dies[DIES];
static unsigned int num_dies;

static const char *file_of(const struct scope *s, const char *name, int *error)
{
	static char text[65536];

	*error = read_lines(text, sizeof(text), "%s/%s", s->path, name) ? 0 : errno;
	return text;
}

/* Test whether a text has a name. */
static bool has_name(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (; (text = strstr(text, name)); text += n) {
		if (!isalnum((unsigned char)text[n]) && text[n] != '_')
			return true;
	}
	return false;
}

/* Numbers after a name in time_in_reason. */
enum number { TOTAL, LAST, OBSERVED };

/* Return a number in ms, LAST as a time of CLOCK_BOOTTIME; 0 if unknown. */
static unsigned long long number_of(const struct scope *s, const char *name, enum number which)
{
	unsigned long long number = 0;
	const char *text;
	char want[40];
	int error;

	text = file_of(s, "time_in_reason", &error);
	if (error)
		fault("%s: time_in_reason: %s", s->name, strerror(error));
	snprintf(want, sizeof(want), "\n%s ", name);
	text = strstr(text, want);
	if (text)
		sscanf(text + strlen(want), which == TOTAL ? "%llu" : which == LAST ?
		       "%*s %llu" : "%*s %*s %*s %*s %llu", &number);
	else
		fault("%s: time_in_reason has no line %s", s->name, name);
	return number;
}

static unsigned long long total_of(const struct scope *s, const char *name)
{
	return number_of(s, name, TOTAL);
}

static void open_scope(struct scope *s, const struct die *d, const char *name)
{
	char path[112];

	snprintf(s->name, sizeof(s->name), "%u/%u/%s (%s)", d->pkg, d->dom, name, d->name);
	snprintf(s->path, sizeof(s->path), PMON "/pkg%u-dom%u/plr/%s", d->pkg, d->dom, name);
	snprintf(path, sizeof(path), "%s/active", s->path);
	s->active = open(path, O_RDONLY);
	if (s->active < 0)
		fault("%s: %s", path, strerror(errno));
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void open_modules(struct die *d)
{
	int number[MODULES];
	char path[64], name[24];
	struct dirent *e;
	DIR *dir;
	unsigned int i;

	snprintf(path, sizeof(path), PMON "/pkg%u-dom%u/plr", d->pkg, d->dom);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		if (d->modules < MODULES && sscanf(e->d_name, "core%d", &number[d->modules]) == 1)
			d->modules++;
	}
	if (dir)
		closedir(dir);
	qsort(number, d->modules, sizeof(number[0]), by_number);
	for (i = 0; i < d->modules; i++) {
		snprintf(name, sizeof(name), "core%d", number[i]);
		open_scope(&d->core[i], d, name);
		d->core[i].module = number[i];
	}
	if (!d->modules) {
		fault("%s: no module", path);
		return;
	}
	d->hot = number[d->modules - 1];
	d->core[d->modules - 1].limited = true;
}

static void open_dies(const char *file)
{
	FILE *f = fopen(file, "r");
	char line[256], flags[200];

	if (!f)
		die(file);
	while (num_dies < DIES && fgets(line, sizeof(line), f)) {
		struct die *d = &dies[num_dies++];

		flags[0] = '\0';
		if (sscanf(line, "%u/%u %39s %199[^\n]", &d->pkg, &d->dom, d->name, flags) < 3)
			die(line);
		d->frequency = has_name(flags, "frequency");
		d->mesh = has_name(flags, "mesh");
		d->dead = has_name(flags, "dead");
		d->late = has_name(flags, "late");
		open_modules(d);
		open_scope(&d->whole, d, "die");
		d->whole.limited = true;
	}
	fclose(f);
}

/* Call a function for each module of each die, and for each die. */
static void each_scope(void (*call)(struct die *d, struct scope *s))
{
	unsigned int i, k;

	for (i = 0; i < num_dies; i++) {
		for (k = 0; k < dies[i].modules; k++)
			call(&dies[i], &dies[i].core[k]);
		call(&dies[i], &dies[i].whole);
	}
}

/* ---- active ---------------------------------------------------------------------- */

/* Read the active reasons of a scope; return an error, or 0. */
static int active(const struct scope *s, char *text, size_t room)
{
	ssize_t n = pread(s->active, text, room - 1, 0);

	text[n < 0 ? 0 : n] = '\0';
	return n < 0 ? errno : 0;
}

static unsigned int unwatched;

static void look_unwatched(struct die *d, struct scope *s)
{
	char text[2048];

	(void)d;
	unwatched += active(s, text, sizeof(text)) != 0;
}

/* Start to poll all dies; return after the first poll of each. */
static void watch(unsigned int interval)
{
	int64_t until = now_ms() + 4000;
	char text[16];
	unsigned int i;

	snprintf(text, sizeof(text), "%u\n", interval);
	for (i = 0; i < num_dies; i++)
		if (!write_text(text, "%s/../interval_ms", dies[i].whole.path))
			die("interval_ms");
	do {
		sleep_ms(10);
		unwatched = 0;
		each_scope(look_unwatched);
	} while (interval && unwatched && now_ms() < until);
	if (interval && unwatched)
		fault("%u directories have no active after 4 s of watching", unwatched);
}

/*
 * Return how many ms late a file may show the begin or end of a reason: one
 * interval, or on a large die a round of readings, with two commands of 10 ms
 * for each module. There the reading of all modules every 10 s may have used up
 * the permitted commands.
 */
static unsigned int round_ms(const struct die *d)
{
	return d->modules > 8 ? 20 * d->modules : INTERVAL + JIFFY;
}

/* On a die with the flag "late" the die's own files change an interval later. */
static unsigned int more_ms(const struct die *d, const struct scope *s)
{
	return d->late && s == &d->whole ? INTERVAL + JIFFY : 0;
}

static void look(struct die *d, struct scope *s)
{
	int64_t before = now_ms(), after;
	char text[2048];
	int error = active(s, text, sizeof(text));

	after = now_ms();
	if (error) {
		fault("%s: active: %s", s->name, strerror(error));
		return;
	}
	if (!d->frequency && has_name(text, "FREQUENCY"))
		fault("%s: active has FREQUENCY, which is not in force", s->name);
	if (!has_name(text, "THERMAL"))
		return;
	s->shown = true;
	if (!s->limited)
		fault("%s: active has THERMAL, which another module has", s->name);
	else if (after < d->from || before > d->to + INTERVAL + JIFFY + round_ms(d) + LATE +
				       more_ms(d, s))
		fault("%s: active has THERMAL %lld ms from its begin, and %lld ms from its end",
		      s->name, (long long)(after - d->from), (long long)(before - d->to));
}

static void watch_until(int64_t until)
{
	while (now_ms() < until) {
		each_scope(look);
		sleep_ms(20);
	}
}

/* ---- pulses ---------------------------------------------------------------------- */

static void remember(struct die *d, struct scope *s)
{
	(void)d;
	s->shown = false;
	s->before = s->limited ? total_of(s, "THERMAL") : 0;
}

static void judge_pulse(struct die *d, struct scope *s)
{
	int64_t ms;

	if (!s->limited)
		return;
	ms = total_of(s, "THERMAL") - s->before;
	if (!s->shown)
		fault("%s: active never had THERMAL of %d ms", s->name, PULSE);
	/* Permit one or two rounds, each up to a jiffy longer; the first may be short. */
	if (ms < INTERVAL - 2 * JIFFY ||
	    ms > 2 * (round_ms(d) + JIFFY) + LATE + more_ms(d, s))
		fault("%s: THERMAL of %d ms counted %lld ms", s->name, PULSE, (long long)ms);
	if (s != &d->whole && d->pulses < 64)
		d->counted[d->pulses++] = ms;
}

static void pulse(int64_t rest)
{
	int64_t last = 0, start = now_ms() + rest, base;
	unsigned int i;

	each_scope(remember);
	/* The emulator counts a schedule's times from the command on. */
	base = now_ms();
	for (i = 0; i < num_dies; i++) {
		struct die *d = &dies[i];
		int64_t from = start - base + 20 + random() % INTERVAL;

		ask("plr schedule plr %u/%u/%u " THERMAL " %lld000000 %lld000000", d->pkg, d->dom,
		    d->hot, (long long)from, (long long)from + PULSE);
		/* Keep the earliest begin and the latest end, because the command takes time. */
		d->from = base + from;
		d->to = now_ms() + from + PULSE;
		if (d->to + round_ms(d) + more_ms(d, &d->whole) > last)
			last = d->to + round_ms(d) + more_ms(d, &d->whole);
	}
	watch_until(last + INTERVAL + JIFFY + LATE + 50);
	each_scope(judge_pulse);
}

static int by_value(const void *a, const void *b)
{
	unsigned long long x = *(const unsigned long long *)a;
	unsigned long long y = *(const unsigned long long *)b;

	return x < y ? -1 : x > y;
}

static void judge_median(struct die *d)
{
	unsigned long long median;
	unsigned int i;

	if (!d->pulses)
		return;
	qsort(d->counted, d->pulses, sizeof(d->counted[0]), by_value);
	median = d->counted[(d->pulses - 1) / 2];
	printf("# %u/%u %s: median %llu, of", d->pkg, d->dom, d->name, median);
	for (i = 0; i < d->pulses; i++)
		printf(" %llu", d->counted[i]);
	putchar('\n');
	if (median > 2 * (INTERVAL + JIFFY))
		fault("%u/%u (%s): the median of %u pulses is %llu ms", d->pkg, d->dom, d->name,
		      d->pulses, median);
}

/* ---- reasons that were not in force ----------------------------------------------- */

/* Test whether a reason was ever in force in a scope since the load of pmon_plr. */
static bool was_in_force(const struct die *d, const struct scope *s, const char *name)
{
	if (d->frequency && (!strcmp(name, "FREQUENCY") || !strcmp(name, "FREQUENCY_CDYN0")))
		return s != &d->whole || !strchr(name, '_');
	if (s->limited && (!strcmp(name, "THERMAL") || !strcmp(name, "THERMAL_PER_CORE")))
		return s != &d->whole || !strchr(name, '_');
	return false;
}

/* Check that time_in_reason has no time for reasons that were not in force. */
static void judge_times(struct die *d, struct scope *s)
{
	char name[64], total[32], last[32], since[32];
	unsigned int lines = 0;
	const char *line;
	int error;

	line = file_of(s, "time_in_reason", &error);
	for (; line && *line; line = strchr(line, '\n'), line += !!line) {
		int n = sscanf(line, "%63s %31s %31s %31s", name, total, last, since);

		if (!lines++ && strcmp(name, "observed"))
			fault("%s: time_in_reason begins with %s", s->name, name);
		if (!strcmp(name, "observed"))
			continue;
		if (n != 4)
			fault("%s: time_in_reason: %d words for %s", s->name, n, name);
		else if (!was_in_force(d, s, name) && strcmp(total, "0"))
			fault("%s: %s counted %s ms, and was never in force", s->name, name, total);
		else if (!was_in_force(d, s, name) && strcmp(since, "-"))
			fault("%s: %s is in force for %s ms, and never was", s->name, name, since);
	}
	if (lines < 2)
		fault("%s: time_in_reason has %u lines", s->name, lines);
}

/* Check that the file `reasons` has exactly the reasons since boot. */
static void judge_reasons(struct die *d, struct scope *s)
{
	bool thermal = s->limited, core = s != &d->whole;
	const char *latched = !core || s == &d->core[0] || d->frequency ? "FREQUENCY" : NULL;
	char want[200] = "";
	const char *text;
	int error;

	text = file_of(s, "reasons", &error);
	if (error) {
		fault("%s: reasons: %s", s->name, strerror(error));
		return;
	}
	if (latched)
		strcat(want, "FREQUENCY ");
	if (thermal)
		strcat(want, "THERMAL ");
	if (core && d->frequency)
		strcat(want, "FREQUENCY_CDYN0 ");
	if (core && thermal)
		strcat(want, "THERMAL_PER_CORE ");
	want[strlen(want) ? strlen(want) - 1 : 0] = '\n';
	if (strcmp(want, *want == '\n' ? "" : text) &&
	    !(*want == '\n' && !strcmp(text, "none\n")))
		fault("%s: reasons are %.*s, not %s", s->name, (int)strcspn(text, "\n"), text,
		      want);
}

static void pulses(const char *file, unsigned int n)
{
	unsigned int i, most = 0;

	open_dies(file);
	watch(INTERVAL);
	for (i = 0; i < num_dies; i++)
		most = dies[i].modules > most ? dies[i].modules : most;
	for (i = 0; i < n; i++)
		/*
		 * Once, in the middle, pause so long that no module was read for
		 * seconds. Otherwise wait for the commands of the last pulse: on
		 * a large die three for each module, 10 ms each.
		 */
		pulse(i == n / 2 ? 9300 : random() % 100 + (most > 8 ? 30 * most : 0));
	for (i = 0; i < num_dies; i++)
		judge_median(&dies[i]);
	each_scope(judge_times);
	each_scope(judge_reasons);
}

/* ---- rest: the cost of polls ---------------------------------------------------- */

static void remember_frequency(struct die *d, struct scope *s)
{
	s->before = d->frequency ? total_of(s, "FREQUENCY") : 0;
	s->last = d->frequency ? number_of(s, "FREQUENCY", LAST) : 0;
	s->observed = d->frequency ? number_of(s, "FREQUENCY", OBSERVED) : 0;
}

static unsigned int rested;

/*
 * Check that FREQUENCY, which is in force all the time, has all the observed
 * time. All modules are read every 10 s, so the time between the first and the
 * last reading may differ from @rested by 10 s and the delay of a late poll.
 */
static void judge_frequency(struct die *d, struct scope *s)
{
	char text[2048];
	unsigned long long ms, between, own;

	if (!d->frequency)
		return;
	if (!active(s, text, sizeof(text)) && !has_name(text, "FREQUENCY"))
		fault("%s: active has not FREQUENCY, which is in force", s->name);
	ms = total_of(s, "FREQUENCY") - s->before;
	own = number_of(s, "FREQUENCY", OBSERVED) - s->observed;
	between = s->last ? number_of(s, "FREQUENCY", LAST) - s->last : 0;
	if (!s->last)
		fault("%s: FREQUENCY was not on record before", s->name);
	else if (between + 11000 + slack < rested * 1000 || between > rested * 1000 + 11000 + slack)
		fault("%s: FREQUENCY: %llu ms between readings of %u s", s->name, between, rested);
	else if (!own || ms > own || ms + INTERVAL + slack < own)
		fault("%s: FREQUENCY counted %llu ms of %llu", s->name, ms, own);
}

/* Check each die's number of commands since `hw count reset`, and the most in a second. */
static void judge_commands(unsigned int seconds, unsigned int rate)
{
	unsigned long long commands, peak, most = 0, top = 0;
	const char *text;
	unsigned int i;

	for (i = 0; i < num_dies; i++) {
		text = ask("mailbox %u/%u", dies[i].pkg, dies[i].dom);
		commands = field(text, "commands");
		peak = field(text, "peak");
		if (commands > (unsigned long long)rate * seconds || peak > 200)
			fault("%u/%u (%s): %llu commands in %u s, %llu in one", dies[i].pkg,
			      dies[i].dom, dies[i].name, commands, seconds, peak);
		most = commands > most ? commands : most;
		top = peak > top ? peak : top;
	}
	printf("# at most %llu commands in %u s, and %llu in one of them\n", most, seconds, top);
}

static void rest(const char *file, unsigned int seconds, unsigned int rate)
{
	int64_t until;

	open_dies(file);
	watch(INTERVAL);
	ask("count reset");
	rested = seconds;
	each_scope(remember_frequency);
	until = now_ms() + seconds * 1000;
	while (now_ms() < until) {
		each_scope(look);
		sleep_ms(250);
	}
	judge_commands(seconds, rate);
	if (seconds > 20)
		each_scope(judge_frequency);
	each_scope(judge_times);
}

/* ---- a limit on all modules ------------------------------------------------------ */

static void start_power(struct die *d, struct scope *s)
{
	s->before = total_of(s, "POWER");
	if (s != &d->whole)
		ask("plr schedule plr %u/%u/%d 0x4 0 %u000000000", d->pkg, d->dom, s->module,
		    rested + 1);
}

/*
 * Check the time of POWER. The time between two readings counts if both have
 * the reason. A domain runs a command each 10 ms, and a module with a reason
 * needs two. So the uncounted time is at most one round of all modules, and a
 * few commands for other readers.
 */
static void judge_power(struct die *d, struct scope *s)
{
	unsigned long long ms = total_of(s, "POWER") - s->before;
	unsigned int turn = 20 * d->modules + 60;

	if (ms + turn + slack < rested * 1000 || ms > rested * 1000 + 500 + slack)
		fault("%s: POWER counted %llu ms of %u s", s->name, ms, rested);
}

static void limit(const char *file, unsigned int seconds)
{
	open_dies(file);
	watch(10);
	rested = seconds;
	each_scope(start_power);
	ask("count reset");
	sleep_ms(seconds * 1000);
	judge_commands(seconds, 200);
	each_scope(judge_power);
}

/* ---- limits that end, on all modules --------------------------------------------- */

static int64_t episode_from, episode_to;

/*
 * Check when POWER was last in force. This time may be after the end of the
 * limit, because modules are read in turn, with two commands of 10 ms each, and
 * a reading is in the file an interval later.
 */
static void judge_episode(struct die *d, struct scope *s)
{
	int64_t turn = 20 * d->modules + 3 * (INTERVAL + JIFFY) + LATE;
	int64_t last = number_of(s, "POWER", LAST);
	char text[2048];

	if (last < episode_from)
		fault("%s: POWER of %lld ms was not seen", s->name,
		      (long long)(episode_to - episode_from));
	if (last > episode_to + turn)
		fault("%s: POWER was seen %lld ms after its end", s->name,
		      (long long)(last - episode_to));
	if (active(s, text, sizeof(text)) || has_name(text, "POWER"))
		fault("%s: active is %s", s->name, text);
}

static void episode(int64_t length)
{
	unsigned int i, k;
	int64_t start = now_ms() + 400;

	episode_from = start;
	for (i = 0; i < num_dies; i++) {
		for (k = 0; k < dies[i].modules; k++) {
			int64_t from = start - now_ms();

			ask("plr schedule plr %u/%u/%d 0x0000040000000004 %lld000000 %lld000000",
			    dies[i].pkg, dies[i].dom, dies[i].core[k].module, (long long)from,
			   (long long)(from + length));
		}
	}
	/* The last limit begins at @start, or now if the commands took longer. */
	episode_to = now_ms() + length + (start > now_ms() ? start - now_ms() : 0);
	/* Wait until all modules were read, which happens every ten seconds. */
	sleep_ms(length + 12000);
	each_scope(judge_episode);
}

static void episodes(const char *file, unsigned int n)
{
	unsigned int i;

	open_dies(file);
	watch(INTERVAL);
	for (i = 0; i < n; i++)
		episode(i % 4 == 3 ? 1500 + random() % 100 : 10 + random() % 140);
}

/* ---- without capabilities ------------------------------------------------------- */

static void give_up_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { 0 };
	int cap;

	for (cap = 0; cap < 64; cap++)
		prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &head, none))
		die("capset");
}

static unsigned long files;
static bool judging;

/* Read a file to its end; if `judging`, report a name or text about energy. */
static int read_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
	static char text[1 << 20];
	const char *name = path + at->base;

	if (type != FTW_F || !(st->st_mode & 0444) || !read_lines(text, sizeof(text), "%s", path))
		return 0;
	files++;
	if (judging && (strcasestr(name, "energy") || strcasestr(name, "joule")))
		fault("%s", path);
	if (judging && (strcasestr(text, "energy") || strcasestr(text, "joule")))
		fault("%s has it in its text", path);
	return 0;
}

/* Walk a directory, or the target of a link. */
static void walk(const char *parent, const char *name)
{
	unsigned long before = files;
	char path[300];

	snprintf(path, sizeof(path), "%s/%s/.", parent, name);
	if (nftw(path, read_file, 8, FTW_PHYS) || files == before)
		fault("%s: no file can be read", path);
}

/* Walk all of the driver's sysfs. */
static void walk_all(void)
{
	DIR *dir = opendir(PMON);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (!strncmp(e->d_name, "pkg", 3))
			walk(PMON, e->d_name);
	if (dir)
		closedir(dir);
	walk(PMUS, "plr");
	walk("/sys/module", "pmon_plr");
}

static void readers(unsigned int seconds, bool bare)
{
	int64_t start = now_ms(), until = start + seconds * 1000;
	unsigned int i;

	ask("count reset");
	for (i = 0; i < 8; i++) {
		if (fork())
			continue;
		if (bare)
			give_up_capabilities();
		while (now_ms() < until)
			walk_all();
		_exit(!files);
	}
	for (i = 0; i < 8; i++) {
		int status;

		if (wait(&status) < 0 || status)
			fault("a reader has read nothing");
	}
	/* Use the elapsed time, because a walk over all files may end after @seconds. */
	judge_commands((now_ms() - start) / 1000 + 1, 200);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	slack = getenv("UNKIND_SLACK") ? atoi(getenv("UNKIND_SLACK")) : 0;
	srandom(44);
	if (!strcmp(command, "pulses") && argc == 4) {
		pulses(argv[2], atoi(argv[3]));
	} else if (!strcmp(command, "rest") && argc == 5) {
		rest(argv[2], atoi(argv[3]), atoi(argv[4]));
	} else if (!strcmp(command, "limit") && argc == 4) {
		limit(argv[2], atoi(argv[3]));
	} else if (!strcmp(command, "episodes") && argc == 4) {
		episodes(argv[2], atoi(argv[3]));
	} else if (!strcmp(command, "readers") && argc >= 4) {
		open_dies(argv[2]);
		readers(atoi(argv[3]), argc > 4);
	} else if (!strcmp(command, "bare") && argc > 2) {
		give_up_capabilities();
		execvp(argv[2], argv + 2);
		die(argv[2]);
	} else if (!strcmp(command, "walk") && argc == 2) {
		judging = true;
		walk_all();
		printf("# %lu files\n", files);
	} else {
		fprintf(stderr, "unkind: see the head of its source\n");
		return 64;
	}
	return wrong != 0;
}
