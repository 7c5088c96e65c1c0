// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMUs: those of perf's sysfs, and those of the driver's file `pmus`.
 */
#include "pmus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "files.h"

#define PMUS "/sys/bus/event_source/devices"

static struct pmu *add_pmu(struct pmus *all, const char *name)
{
	struct pmu pmu = { .name = xstrdup(name) };

	all->pmu = xrealloc(all->pmu, (all->count + 1) * sizeof(pmu));
	all->pmu[all->count] = pmu;
	return &all->pmu[all->count++];
}

static void add_entry(struct entries *e, const char *name, const char *text)
{
	e->entry = xrealloc(e->entry, (e->count + 1) * sizeof(*e->entry));
	e->entry[e->count++] = (struct entry){ xstrdup(name), xstrdup(text) };
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
	struct names names = sysfs_entries(PMUS "/%s/%s", pmu, dir);

	for (size_t i = 0; i < names.count; i++) {
		char *text = sysfs_read(PMUS "/%s/%s/%s", pmu, dir, names.name[i]);

		if (text)
			add_entry(e, names.name[i], text);
		free(text);
	}
	names_free(&names);
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
	struct names names = sysfs_entries(PMUS);
	struct pmus all = { NULL, 0 };

	for (size_t i = 0; i < names.count; i++)
		if (wanted(names.name[i]))
			read_pmu(&all, names.name[i]);
	names_free(&names);
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

/* PMUs since the last block began share what follows. */
static void add_to_block(struct pmus *all, size_t first, bool event,
			 const char *name, const char *text)
{
	for (size_t i = first; i < all->count; i++)
		add_entry(event ? &all->pmu[i].events : &all->pmu[i].format,
			  name, text);
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
	add_to_block(all, *first, !strcmp(kind, "event"), name, text);
	return true;
}

static bool parse_offer(struct pmus *all, char *text)
{
	char *save, *line;
	size_t first = all->count;
	bool in_pmus = false, good = true;

	for (line = strtok_r(text, "\n", &save); line && good;
	     line = strtok_r(NULL, "\n", &save))
		good = parse_line(all, &first, &in_pmus, line);
	return good;
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
	struct text stem = { NULL, 0 };
	bool same;

	text_add(&stem, "uncore_%s_", u->name);
	same = number && !strncmp(pmu->name, stem.s, stem.len) &&
	       pmu->name + stem.len == number + 1;
	text_free(&stem);
	return same;
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
		char *text = sysfs_read(CLASS_DIR "/%s/pmus",
					m->device[i].name);

		if (text && !parse_offer(all, text))
			errno = EINVAL;
		else if (text)
			errno = 0;
		good = text && !errno;
		if (!good) {
			int error = errno;
			char *path = root_path(CLASS_DIR "/%s/pmus",
						m->device[i].name);

			complain_file(path, error);
			free(path);
		}
		free(text);
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
