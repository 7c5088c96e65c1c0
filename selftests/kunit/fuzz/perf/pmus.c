// SPDX-License-Identifier: GPL-2.0-only
/* Learns from sysfs what PMUs there are and what they understand. */
#include "fuzz.h"

static bool pmu_is_ours(const char *name)
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

/* One of the paths that fit, each as likely. */
bool random_path(char *path, size_t size, const char *pattern)
{
	glob_t g;

	if (glob(pattern, GLOB_NOSORT | GLOB_BRACE, NULL, &g))
		return false;
	snprintf(path, size, "%s", g.gl_pathv[below(g.gl_pathc)]);
	globfree(&g);
	return true;
}

/* "config1:0-7,32-35" */
static void learn_field(struct pmu *pmu, const char *text)
{
	struct field *field = &pmu->field[pmu->nr_fields];
	unsigned int from, to;
	char *at;

	field->mask = 0;
	if (sscanf(text, "config%u", &field->word) != 1)
		field->word = 0;
	for (at = strchr(text, ':'); at && *at; ) {
		from = strtoul(at + 1, &at, 10);
		to = *at == '-' ? strtoul(at + 1, &at, 10) : from;
		field->mask |= (2ull << to) - (1ull << from);
	}
	pmu->nr_fields += field->word < WORDS && pmu->nr_fields < MAX_FIELDS - 1;
}

/* Those of ours have these fields there, and others that fields get at random. */
static void learn_event(struct pmu *pmu, const char *text)
{
	unsigned int event, umask = 0;

	if (pmu->nr_events < MAX_EVENTS &&
	    sscanf(text, "event=%x,umask=%x", &event, &umask) > 0)
		pmu->event[pmu->nr_events++] = umask << 8 | event;
}

static void each_file(struct pmu *pmu, const char *directory,
		      void (*learn)(struct pmu *pmu, const char *text))
{
	char text[128];
	glob_t g;
	size_t i;

	snprintf(text, sizeof(text), PMUS "/%s/%s/*", pmu->name, directory);
	if (glob(text, GLOB_NOSORT, NULL, &g))
		return;
	for (i = 0; i < g.gl_pathc; i++)
		if (read_text(text, sizeof(text), "%s", g.gl_pathv[i]))
			learn(pmu, text);
	globfree(&g);
}

bool pmu_learn(struct pmu *pmu, const char *name)
{
	char text[128], *at;

	memset(pmu, 0, sizeof(*pmu));
	if (!pmu_is_harmless(name))
		return false;
	snprintf(pmu->name, sizeof(pmu->name), "%.39s", name);
	if (!read_text(text, sizeof(text), PMUS "/%s/type", pmu->name))
		return false;
	pmu->type = strtoul(text, NULL, 10);
	each_file(pmu, "format", learn_field);
	each_file(pmu, "events", learn_event);
	/* "0,16", or "0-3", whose ends will do. */
	if (read_text(text, sizeof(text), PMUS "/%s/cpumask", pmu->name))
		for (at = text; *at && pmu->nr_cpus < MAX_CPUMASK; at += *at != 0)
			pmu->cpu[pmu->nr_cpus++] = strtol(at, &at, 10);
	return true;
}

void pmus_learn(struct pmus *pmus)
{
	glob_t g;
	size_t i;

	if (glob(PMUS "/*", GLOB_NOSORT, NULL, &g))
		return;
	for (i = 0; i < g.gl_pathc && pmus->nr < MAX_PMUS; i++)
		pmus->nr += pmu_learn(&pmus->pmu[pmus->nr], strrchr(g.gl_pathv[i], '/') + 1);
	globfree(&g);
}

/* One in five of ours is the PMU of which there is one only. */
const struct pmu *pmus_pick(bool ours)
{
	bool plr = ours && odds(20);
	const struct pmu *pmu;
	unsigned int tries;

	for (tries = 0; me.pmus.nr && tries < 200; tries++) {
		pmu = &me.pmus.pmu[below(me.pmus.nr)];
		if (plr ? !strcmp(pmu->name, "plr") : pmu_is_ours(pmu->name) == ours)
			return pmu;
	}
	return NULL;
}

/* One that the PMU offers, or fields at random, or bits that it may not know. */
void pmu_random_config(const struct pmu *pmu, uint64_t *config)
{
	const struct field *field;
	unsigned int n;

	memset(config, 0, WORDS * sizeof(*config));
	config[0] = pmu->nr_events && odds(50) ? pmu->event[below(pmu->nr_events)] :
		    1 + below(32);
	if (!pmu->nr_fields || odds(60))
		return;
	for (n = 1 + below(3); n; n--) {
		field = &pmu->field[below(pmu->nr_fields)];
		config[field->word] &= ~field->mask;
		config[field->word] |= any_number() & field->mask;
	}
	if (odds(15))
		config[below(WORDS)] ^= odd_number();
}
