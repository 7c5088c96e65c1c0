// SPDX-License-Identifier: GPL-2.0-only
#include "events.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "output.h"

/*
 * From event terms to the words that a driver gets.
 */

static bool parse_word(const char **s, unsigned int *word)
{
	static const char config[] = "config";

	if (strncmp(*s, config, strlen(config)))
		return false;
	*s += strlen(config);
	*word = 0;
	if (isdigit((unsigned char)**s))
		*word = (unsigned int)(*(*s)++ - '0');
	return *word < CONFIG_WORDS && *(*s)++ == ':';
}

static bool parse_bit(const char **s, unsigned long *bit)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return false;
	*bit = strtoul(*s, &end, 10);
	*s = end;
	return *bit < 64;
}

bool term_parse(struct term *t, const char *format)
{
	unsigned long first, last;

	*t = (struct term){ .bits = 0 };
	if (!parse_word(&format, &t->word))
		return false;
	for (;; format++) {
		if (!parse_bit(&format, &first))
			return false;
		last = first;
		if (*format == '-' && (format++, !parse_bit(&format, &last)))
			return false;
		for (; first <= last && t->bits < 64; first++)
			t->at[t->bits++] = (unsigned char)first;
		if (*format != ',')
			break;
	}
	return !*format;
}

bool term_includes(const struct term *b, const struct term *a,
		   unsigned int control_bits)
{
	for (unsigned int i = 0; i < a->bits; i++) {
		if (!a->word && a->at[i] >= control_bits)
			continue;
		if (i >= b->bits || a->at[i] != b->at[i])
			return false;
	}
	return a->word == b->word;
}

static bool put(const struct term *t, uint64_t value,
		uint64_t config[CONFIG_WORDS])
{
	if (t->bits < 64 && value >> t->bits)
		return false;
	for (unsigned int i = 0; i < t->bits; i++)
		config[t->word] |= (value >> i & 1) << t->at[i];
	return true;
}

/* A term without a value is 1 for perf; one that is no number is not known. */
static bool parse_value(const char *text, uint64_t *value)
{
	char *end;

	*value = 1;
	if (!text)
		return true;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

/* "config=0x1" and "config2=0x1" are whole words, which need no format. */
static bool put_word(const char *name, const char *value,
		     uint64_t config[CONFIG_WORDS])
{
	unsigned int word = 0;
	uint64_t number;

	if (strncmp(name, "config", strlen("config")))
		return false;
	name += strlen("config");
	if (*name >= '1' && *name <= '3')
		word = (unsigned int)(*name++ - '0');
	if (*name || !value || !parse_value(value, &number))
		return false;
	config[word] |= number;
	return true;
}

static bool put_term(const struct pmu *pmu, char *text,
		     uint64_t config[CONFIG_WORDS])
{
	char *value = strchr(text, '=');
	const char *format;
	uint64_t number;
	struct term t;

	if (value)
		*value++ = '\0';
	if (put_word(text, value, config))
		return true;
	format = entries_find(&pmu->format, text);
	return format && term_parse(&t, format) &&
	       parse_value(value, &number) && put(&t, number, config);
}

bool event_encode(const struct pmu *pmu, const char *event,
		  uint64_t config[CONFIG_WORDS])
{
	char *copy FREED = xstrdup(event);

	memset(config, 0, CONFIG_WORDS * sizeof(*config));
	for_each_part(term, copy, ",")
		if (!put_term(pmu, term, config))
			return false;
	return true;
}

/* Where a PMU counts, and its events there. */

#define PMUS "/sys/bus/event_source/devices"

bool opening_find(struct opening *o, const struct pmu *pmu)
{
	char *mask FREED = sysfs_read(PMUS "/%s/cpumask", pmu->name);
	bool good = mask && cpus_parse(&o->cpus, mask) == CPUS_FINE;

	o->type = sysfs_read_long(PMUS "/%s/type", pmu->name);
	return good;
}

bool opening_encode(struct opening *o, const struct pmu *pmu, const char *event)
{
	return o->type >= 0 && event_encode(pmu, event, o->config);
}

int opening_on(const struct opening *o, unsigned int cpu)
{
	return count_open(o->type, o->config, cpu);
}

long package_of(unsigned int cpu)
{
	return sysfs_read_long("/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
}

/*
 * Counting events without perf.
 */

/* Debian's levels above 2 ask for more, before any driver is asked. */
const char *event_rights(void)
{
	if (sysfs_read_long("/proc/sys/kernel/perf_event_paranoid") > 2)
		return "root, or CAP_SYS_ADMIN while kernel.perf_event_paranoid is above 2";
	return "root, or CAP_PERFMON";
}

/* What an event has counted since it was last read, through its failures. */

#define PATIENCE 2	/* readings without a counter */

#define AT_LEAST 64

void counting_retry(int fd, unsigned int failures)
{
	if (failures && (!(failures & (failures - 1)) ||
			 !(failures % AT_LEAST)))
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
	if (now.running_ns <= c->begin.running_ns) {
		if (++c->idle < PATIENCE)
			return false;
		c->unknown = true;
		c->begin = now;
		return false;
	}
	c->idle = 0;
	c->unknown = false;
	since->value = now.value - c->begin.value;
	since->enabled_ns = now.enabled_ns - c->begin.enabled_ns;
	since->running_ns = now.running_ns - c->begin.running_ns;
	c->begin = now;
	return true;
}

/* PMUs: those of perf's sysfs, and those of the driver's file `pmus`. */

static struct pmu *add_pmu(struct pmus *all, const char *name)
{
	append(all->pmu, all->count, (struct pmu){ .name = xstrdup(name) });
	return &all->pmu[all->count - 1];
}

static void add_entry(struct entries *e, const char *name, const char *text)
{
	append(e->entry, e->count, (struct entry){ xstrdup(name), xstrdup(text) });
}

static void entries_free(struct entries *e)
{
	for (size_t i = 0; i < e->count; i++) {
		free(e->entry[i].name);
		free(e->entry[i].text);
	}
	free(e->entry);
}

static void pmu_free(struct pmu *pmu)
{
	free(pmu->name);
	free(pmu->alias);
	entries_free(&pmu->format);
	entries_free(&pmu->events);
}

const char *entries_find(const struct entries *e, const char *name)
{
	for (size_t i = 0; i < e->count; i++)
		if (!strcmp(e->entry[i].name, name))
			return e->entry[i].text;
	return NULL;
}

const struct pmu *pmus_find(const struct pmus *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->pmu[i].name, name))
			return &all->pmu[i];
	return NULL;
}

static void read_entries(struct entries *e, const char *pmu, const char *dir)
{
	struct names names FREED_BY(names_free) = sysfs_entries(PMUS "/%s/%s", pmu, dir);

	for (size_t i = 0; i < names.count; i++) {
		char *text FREED = sysfs_read(PMUS "/%s/%s/%s", pmu, dir, names.name[i]);

		if (text)
			add_entry(e, names.name[i], text);
	}
}

static bool is_ours(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->units; i++)
		if (!strcmp(m->unit[i].pmu, name))
			return true;
	return false;
}

static void read_pmu(struct pmus *all, const char *name)
{
	struct pmu *pmu = add_pmu(all, name);

	pmu->alias = sysfs_read(PMUS "/%s/alias", pmu->name);
	read_entries(&pmu->format, pmu->name, "format");
	read_entries(&pmu->events, pmu->name, "events");
}

struct pmus pmus_present(bool (*wanted)(const char *name))
{
	struct names names FREED_BY(names_free) = sysfs_entries(PMUS);
	struct pmus all = { NULL, 0 };

	for (size_t i = 0; i < names.count; i++)
		if (wanted(names.name[i]))
			read_pmu(&all, names.name[i]);
	return all;
}

static bool is_uncore(const char *name)
{
	return !strncmp(name, "uncore_", strlen("uncore_"));
}

struct pmus pmus_of_others(const struct machine *m)
{
	struct pmus all = pmus_present(is_uncore);
	size_t n = 0;

	for (size_t i = 0; i < all.count; i++)
		if (is_ours(m, all.pmu[i].name))
			pmu_free(&all.pmu[i]);
		else
			all.pmu[n++] = all.pmu[i];
	all.count = n;
	return all;
}

/*
 * Lines "pmu NAME ALIAS", then "format NAME TEXT" and "event NAME TEXT" for
 * all of them; see Documentation/ABI/testing/sysfs-class-pmon-uncore.
 */
static bool parse_line(struct pmus *all, size_t *first, bool *in_pmus,
		       char *line)
{
	char *save, *kind = strtok_r(line, " ", &save);
	char *name = strtok_r(NULL, " ", &save);
	char *text = strtok_r(NULL, "", &save);
	struct pmu *pmu;

	if (!kind || !name || !text)
		return false;
	if (!strcmp(kind, "pmu")) {
		if (!*in_pmus)
			*first = all->count;
		*in_pmus = true;
		pmu = add_pmu(all, name);
		if (strcmp(text, "-"))
			pmu->alias = xstrdup(text);
		return true;
	}
	*in_pmus = false;
	if (strcmp(kind, "format") && strcmp(kind, "event"))
		return false;
	/* PMUs since the last block began share what follows. */
	for (size_t i = *first; i < all->count; i++)
		add_entry(strcmp(kind, "event") ? &all->pmu[i].format : &all->pmu[i].events,
			  name, text);
	return true;
}

static bool parse_offer(struct pmus *all, char *text)
{
	size_t first = all->count;
	bool in_pmus = false;

	for_each_part(line, text, "\n")
		if (!parse_line(all, &first, &in_pmus, line))
			return false;
	return true;
}

/* The tables of several packages name the same PMUs, which are alike. */
static void drop_doubles(struct pmus *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct pmus before = { all->pmu, n };

		if (!pmus_find(&before, all->pmu[i].name)) {
			all->pmu[n++] = all->pmu[i];
			continue;
		}
		pmu_free(&all->pmu[i]);
	}
	all->count = n;
}

/* A PMU's name ends in the number of its unit. */
static bool is_of(const struct pmu *pmu, const struct unit *u)
{
	const char *number = strrchr(pmu->name, '_');
	struct text stem FREED_BY(text_free) = { NULL, 0 };

	text_add(&stem, "uncore_%s_", u->name);
	return number && !strncmp(pmu->name, stem.s, stem.len) &&
	       pmu->name + stem.len == number + 1;
}

static void note_access(struct pmus *all, const struct machine *m)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t j = 0; j < m->units && !all->pmu[i].mmio; j++)
			all->pmu[i].mmio = !strcmp(m->unit[j].access, "mmio") &&
					   is_of(&all->pmu[i], &m->unit[j]);
}

bool pmus_offered(struct pmus *all, const struct machine *m)
{
	bool good = true;

	for (size_t i = 0; i < m->devices && good; i++) {
		char *path FREED = root_path(CLASS_DIR "/%s/pmus", m->device[i].name);
		char *text FREED = sysfs_read(CLASS_DIR "/%s/pmus", m->device[i].name);
		int error = text ? EINVAL : errno;

		good = text && parse_offer(all, text);
		if (!good)
			complain_file(path, error);
	}
	drop_doubles(all);
	note_access(all, m);
	return good;
}

void pmus_free(struct pmus *all)
{
	for (size_t i = 0; i < all->count; i++)
		pmu_free(&all->pmu[i]);
	free(all->pmu);
	*all = (struct pmus){ NULL, 0 };
}
