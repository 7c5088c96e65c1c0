// SPDX-License-Identifier: GPL-2.0-only
/* Learns from sysfs what PMUs there are and what they understand. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

bool pmu_is_ours(const char *name)
{
	return !strcmp(name, "plr") || !strncmp(name, "uncore_", 7);
}

/*
 * What runs at any place of the kernel that it is told; and tracepoints by
 * number, one of which is every function: others are opened by their names.
 */
static bool pmu_is_harmless(const char *name)
{
	return strcmp(name, "kprobe") && strcmp(name, "uprobe") &&
	       strcmp(name, "tracepoint");
}

/* "config1:0-7,32-35" */
static bool parse_field(struct field *field, const char *text)
{
	unsigned int from, to;
	const char *at;

	if (strncmp(text, "config", 6))
		return false;
	at = text + 6;
	field->word = *at >= '1' && *at <= '2' ? *at++ - '0' : 0;
	field->mask = 0;
	while (*at == ':' || *at == ',') {
		from = strtoul(at + 1, (char **)&at, 10);
		to = *at == '-' ? strtoul(at + 1, (char **)&at, 10) : from;
		for (; from <= to && from < 64; from++)
			field->mask |= 1ull << from;
	}
	return field->mask != 0;
}

/* The value's bits, from the lowest on, into the bits of the mask. */
static uint64_t deposit(uint64_t value, uint64_t mask)
{
	uint64_t out = 0;

	for (; mask; mask &= mask - 1, value >>= 1)
		if (value & 1)
			out |= mask & -mask;
	return out;
}

static void set_field(const struct pmu *pmu, const char *name, uint64_t value,
		      uint64_t *config)
{
	unsigned int i;

	for (i = 0; i < pmu->nr_fields; i++)
		if (!strcmp(pmu->field[i].name, name))
			config[pmu->field[i].word] |=
				deposit(value, pmu->field[i].mask);
}

/* "event=0x05,umask=0xcf,edge" */
static void parse_event(const struct pmu *pmu, char *text, uint64_t *config)
{
	char *term, *rest, *value;

	memset(config, 0, WORDS * sizeof(*config));
	for (term = strtok_r(text, ",", &rest); term;
	     term = strtok_r(NULL, ",", &rest)) {
		value = strchr(term, '=');
		if (value)
			*value++ = 0;
		set_field(pmu, term, value ? strtoull(value, NULL, 0) : 1,
			  config);
	}
}

static void learn_field(struct pmu *pmu, const char *name, char *text)
{
	struct field *field = &pmu->field[pmu->nr_fields];

	if (pmu->nr_fields == MAX_FIELDS || !parse_field(field, text))
		return;
	snprintf(field->name, sizeof(field->name), "%.15s", name);
	pmu->nr_fields++;
}

static void learn_event(struct pmu *pmu, const char *name, char *text)
{
	if (pmu->nr_events < MAX_EVENTS && !strchr(name, '.'))
		parse_event(pmu, text, pmu->event[pmu->nr_events++]);
}

static void each_file(struct pmu *pmu, const char *directory,
		      void (*learn)(struct pmu *pmu, const char *name, char *text))
{
	char path[128], text[128];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), PMUS "/%s/%s", pmu->name, directory);
	d = opendir(path);
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' &&
		    read_text(text, sizeof(text), "%s/%s", path, e->d_name))
			learn(pmu, e->d_name, text);
	if (d)
		closedir(d);
}

/* A list of CPUs as "0,12" or "0-3" */
static void learn_cpus(struct pmu *pmu)
{
	int from, to;
	char text[256];
	char *at = text;

	if (!read_text(text, sizeof(text), PMUS "/%s/cpumask", pmu->name))
		return;
	while (*at >= '0' && *at <= '9') {
		from = strtol(at, &at, 10);
		to = *at == '-' ? strtol(at + 1, &at, 10) : from;
		for (; from <= to && pmu->nr_cpus < MAX_CPUMASK; from++)
			pmu->cpu[pmu->nr_cpus++] = from;
		at += *at == ',';
	}
}

bool pmu_learn(struct pmu *pmu, const char *name)
{
	char text[32];

	memset(pmu, 0, sizeof(*pmu));
	snprintf(pmu->name, sizeof(pmu->name), "%.39s", name);
	pmu->ours = pmu_is_ours(name);
	if (!read_text(text, sizeof(text), PMUS "/%s/type", pmu->name))
		return false;
	pmu->type = strtoul(text, NULL, 10);
	each_file(pmu, "format", learn_field);
	each_file(pmu, "events", learn_event);
	learn_cpus(pmu);
	return true;
}

void pmus_learn(struct pmus *pmus)
{
	struct dirent *e;
	DIR *d;

	pmus->nr = 0;
	d = opendir(PMUS);
	while (d && (e = readdir(d)) && pmus->nr < MAX_PMUS)
		if (e->d_name[0] != '.' && pmu_is_harmless(e->d_name))
			pmus->nr += pmu_learn(&pmus->pmu[pmus->nr], e->d_name);
	if (d)
		closedir(d);
}

bool random_name(struct rng *r, const char *path, bool (*fits)(const char *name),
		 char *name, size_t size)
{
	DIR *d = opendir(path);
	unsigned int n = 0;
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && (!fits || fits(e->d_name)) &&
		    !rng_below(r, ++n))
			snprintf(name, size, "%.60s", e->d_name);
	if (d)
		closedir(d);
	return n != 0;
}

/* Of those that are there now. */
bool pmus_any_name(struct rng *r, char *name, size_t size)
{
	return random_name(r, PMUS, pmu_is_harmless, name, size);
}

static const struct pmu *find(const struct pmus *pmus, const char *name)
{
	unsigned int i;

	for (i = 0; i < pmus->nr; i++)
		if (!strcmp(pmus->pmu[i].name, name))
			return &pmus->pmu[i];
	return NULL;
}

/* One in five is the PMU of which there is one only. */
const struct pmu *pmus_pick(const struct pmus *pmus, struct rng *r, bool ours)
{
	const struct pmu *pmu = find(pmus, "plr");
	unsigned int tries = 32;

	if (ours && pmu && rng_odds(r, 20))
		return pmu;
	while (pmus->nr && tries--) {
		pmu = &pmus->pmu[rng_below(r, pmus->nr)];
		if (pmu->ours == ours)
			return pmu;
	}
	return NULL;
}

/* One that the PMU offers, or fields at random, or bits that it may not know. */
void pmu_random_config(const struct pmu *pmu, struct rng *r, uint64_t *config)
{
	unsigned int i, n;

	memset(config, 0, WORDS * sizeof(*config));
	if (pmu->nr_events && rng_odds(r, 50)) {
		i = rng_below(r, pmu->nr_events);
		memcpy(config, pmu->event[i], WORDS * sizeof(*config));
	} else {
		config[0] = 1 + rng_below(r, 32);
	}
	if (!pmu->nr_fields || rng_odds(r, 60))
		return;
	for (n = 1 + rng_below(r, 3); n; n--) {
		const struct field *field = &pmu->field[rng_below(r, pmu->nr_fields)];

		config[field->word] &= ~field->mask;
		config[field->word] |= rng_next(r) & field->mask;
	}
	if (rng_odds(r, 15))
		config[rng_below(r, WORDS)] ^= rng_odd_number(r);
}
