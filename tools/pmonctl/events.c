// SPDX-License-Identifier: GPL-2.0-only
#include "events.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "files.h"

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
	char *copy = xstrdup(event), *save, *term;
	bool good = true;

	memset(config, 0, CONFIG_WORDS * sizeof(*config));
	for (term = strtok_r(copy, ",", &save); term && good;
	     term = strtok_r(NULL, ",", &save))
		good = put_term(pmu, term, config);
	free(copy);
	return good;
}

/* Where a PMU counts, and its events there. */

#define PMUS "/sys/bus/event_source/devices"

bool opening_find(struct opening *o, const struct pmu *pmu)
{
	char *mask = sysfs_read(PMUS "/%s/cpumask", pmu->name);
	bool good = mask && cpus_parse(&o->cpus, mask) == CPUS_FINE;

	free(mask);
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
	return sysfs_read_long("/sys/devices/system/cpu/cpu%u/topology/"
			       "physical_package_id", cpu);
}

/*
 * Counting events without perf.
 */

/* Debian's levels above 2 ask for more, before any driver is asked. */
const char *event_rights(void)
{
	if (sysfs_read_long("/proc/sys/kernel/perf_event_paranoid") > 2)
		return "root, or CAP_SYS_ADMIN while "
		       "kernel.perf_event_paranoid is above 2";
	return "root, or CAP_PERFMON";
}

/* The PMU takes the events of several CPUs, of which each list names some. */
static int common_cpu(const char *a, const char *b)
{
	struct cpus x, y;
	unsigned int cpu;

	cpus_parse(&x, a);
	cpus_parse(&y, b);
	cpus_intersect(&x, &y);
	cpu = cpus_next(&x, 0);
	return cpu < CPUS_MAX ? (int)cpu : -1;
}

static int choose_cpu(const char *pmu, const char *cpus)
{
	char *mask = sysfs_read(PMUS "/%s/cpumask", pmu);
	int cpu = mask ? common_cpu(mask, cpus) : -1;

	free(mask);
	return cpu;
}

/* "event=0x40"; what plr counts needs no other term. */
static bool read_config(const char *pmu, const char *event, uint64_t *config)
{
	static const char term[] = "event=";
	char *text = sysfs_read(PMUS "/%s/events/%s", pmu, event);
	bool good = text && !strncmp(text, term, strlen(term));

	if (good)
		*config = strtoull(text + strlen(term), NULL, 0);
	free(text);
	return good;
}

int event_open_on(const char *pmu, const char *event, const char *cpus)
{
	long type = sysfs_read_long(PMUS "/%s/type", pmu);
	int cpu = choose_cpu(pmu, cpus);
	uint64_t config[3] = { 0 };

	if (type < 0 || cpu < 0 || !read_config(pmu, event, config)) {
		errno = ENODEV;
		return -1;
	}
	return count_open(type, config, (unsigned int)cpu);
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
