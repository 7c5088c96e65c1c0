// SPDX-License-Identifier: GPL-2.0-only
/* Reads PMUs and their events, turns terms into config words, and readings into counts. */
#include <fnmatch.h>
#include <limits.h>

#include "events.h"

/* Parses "config", "config1" to "config3"; returns the rest, or NULL. */
static const char *parse_word(const char *s, unsigned int *word)
{
	static const char config[] = "config";

	if (strncmp(s, config, strlen(config)))
		return NULL;
	s += strlen(config);
	*word = *s >= '1' && *s <= '3' ? (unsigned int)(*s++ - '0') : 0;
	return s;
}

bool term_parse(struct term *t, const char *format)
{
	*t = (struct term){ .bits = 0 };
	format = parse_word(format, &t->word);
	for (char before = ':'; format && *format == before; before = ',') {
		unsigned int first, last;
		int len = 0, n = sscanf(++format, "%2u%n-%2u%n", &first, &len, &last, &len);

		if (n == 1)
			last = first;
		if (n < 1 || first > 63 || last > 63)
			return false;
		for (; first <= last && t->bits < 64; first++)
			t->at[t->bits++] = (unsigned char)first;
		format += len;
	}
	return t->bits && !*format;
}

/* Adds a term to @config. The default value is 1, as in perf. False if it cannot be encoded. */
static bool put_term(const struct pmu *pmu, char *text, uint64_t config[CONFIG_WORDS])
{
	char *value = strchr(text, '=');
	const char *rest, *format;
	long long number = 1;
	struct term t;

	if (value)
		*value++ = '\0';
	if (value && !number_parse(value, 0, LLONG_MAX, &number))
		return false;
	/* "config=0x1" or "config2=0x1" gives a whole word, so it needs no format. */
	rest = parse_word(text, &t.word);
	if (rest && !*rest && value) {
		config[t.word] |= (uint64_t)number;
		return true;
	}
	format = entries_find(&pmu->format, text);
	if (!format || !term_parse(&t, format) || (t.bits < 64 && number >> t.bits))
		return false;
	for (unsigned int i = 0; i < t.bits; i++)
		config[t.word] |= (uint64_t)(number >> i & 1) << t.at[i];
	return true;
}

bool event_encode(const struct pmu *pmu, const char *event, uint64_t config[CONFIG_WORDS])
{
	memset(config, 0, CONFIG_WORDS * sizeof(*config));
	for_each_token(term, xstrdup(event), ",")
		if (!put_term(pmu, term, config))
			return false;
	return true;
}

bool opening_find(struct opening *o, const struct pmu *pmu)
{
	char *mask = sysfs_read(PMUS "/%s/cpumask", pmu->name);
	bool good = mask && cpus_parse(&o->cpus, mask);

	o->type = sysfs_read_long(PMUS "/%s/type", pmu->name);
	return good && o->type >= 0;
}

unsigned long long pmu_sum(const char *pmu, long package, const char *file)
{
	unsigned long long n = 0, one;
	long of;

	for_each_line(line, sysfs_read(PMUS "/%s/%s", pmu, file))
		if (sscanf(line, "%ld %llu", &of, &one) == 2 && (package < 0 || of == package))
			n = n + one < n ? n : n + one;
	return n;
}

/* Levels above 2, which Debian added, apply before any driver's check. */
const char *event_rights(void)
{
	if (sysfs_read_long("/proc/sys/kernel/perf_event_paranoid") > 2)
		return "root, or CAP_SYS_ADMIN while kernel.perf_event_paranoid is above 2";
	return "root, or CAP_PERFMON";
}

struct count count_since(const struct count *now, const struct count *begin)
{
	struct count since = {
		.value = now->value - begin->value,
		.enabled_ns = now->enabled_ns - begin->enabled_ns,
		.running_ns = now->running_ns - begin->running_ns,
	};

	for (int i = 0; i < GROUP_OTHERS; i++)
		since.other[i] = now->other[i] - begin->other[i];
	return since;
}

#define PATIENCE 2	/* reads in a row without a counter, after which c->unknown is set */

void counting_retry(int fd, unsigned int failures)
{
	if (failures && (!(failures & (failures - 1)) || !(failures % 64)))
		count_switch(fd, true);
}

bool counting_take(struct counting *c, struct count *since)
{
	struct count now;

	if (!count_read(c->fd, &now)) {
		c->failures++;
		c->unknown = true;
		return false;
	}
	c->failures = 0;
	c->ended = now.enabled_ns <= c->begin.enabled_ns;
	if (now.running_ns <= c->begin.running_ns) {
		if (++c->idle >= PATIENCE) {
			c->unknown = true;
			c->begin = now;
		}
		return false;
	}
	c->idle = 0;
	c->unknown = false;
	*since = count_since(&now, &c->begin);
	c->begin = now;
	return true;
}

void entries_add(struct entries *e, const char *name, const char *text)
{
	append(e->entry, e->count, (struct entry){ xstrdup(name), xstrdup(text) });
}

const char *entries_find(const struct entries *e, const char *name)
{
	for_each_item(one, e->entry, e->count)
		if (!strcmp(one->name, name))
			return one->text;
	return NULL;
}

/* Compares whole suffixes, as event names may have dots: "rxc_pack_buf_inserts.mem_data". */
bool is_event(const char *file)
{
	return fnmatch("*@(.scale|.unit|.per-pkg|.snapshot)", file, FNM_EXTMATCH);
}

const struct pmu *pmus_find(const struct pmus *all, const char *name)
{
	for_each_item(pmu, all->pmu, all->count)
		if (!strcmp(pmu->name, name))
			return pmu;
	return NULL;
}

static void read_entries(struct entries *e, const char *pmu, const char *dir)
{
	for_each_name(name, sysfs_entries(PMUS "/%s/%s", pmu, dir)) {
		char *text = sysfs_read(PMUS "/%s/%s/%s", pmu, dir, name);

		if (text)
			entries_add(e, name, text);
	}
}

void pmus_forget(struct pmus *all, const char *name)
{
	struct pmu *p = (struct pmu *)pmus_find(all, name);

	if (!p)
		return;
	free(p->format.entry);
	free(p->events.entry);
	*p = all->pmu[--all->count];
}

const struct pmu *pmus_read(struct pmus *all, const char *name)
{
	struct pmu pmu = { .name = xstrdup(name), .alias = sysfs_read(PMUS "/%s/alias", name) };

	read_entries(&pmu.format, name, "format");
	read_entries(&pmu.events, name, "events");
	pmus_forget(all, name);
	append(all->pmu, all->count, pmu);
	return &all->pmu[all->count - 1];
}

struct pmus pmus_present(bool (*selected)(const char *name))
{
	struct pmus all = { NULL, 0 };

	for_each_name(name, sysfs_entries(PMUS))
		if (selected(name))
			pmus_read(&all, name);
	return all;
}
