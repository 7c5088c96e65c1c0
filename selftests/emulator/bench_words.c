// SPDX-License-Identifier: GPL-2.0-only
/* Find the objects that the words of bench commands name. */
#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "pmon.h"
#include "bench.h"

bool pmon_bench_number(const char *text, uint64_t *val, GString *out)
{
	if (text && !qemu_strtou64(text, NULL, 0, val))
		return true;
	g_string_append_printf(out, "error: \"%s\" is not a number\n", text ?: "");
	return false;
}

/* True if @which selects the unit: "free" free-running units, NULL all others. */
bool pmon_bench_of(const struct pmon_unit *u, const char *which)
{
	return u->free ? which && !strcmp(which, "free") : !which;
}

/* Find the unit PKG/TYPE/ID. */
struct pmon_unit *pmon_bench_unit(const char *text, GString *out)
{
	unsigned int pkg, type, id;
	struct pmon_unit *u = NULL;

	if (text && sscanf(text, "%u/%u/%u", &pkg, &type, &id) == 3)
		u = pmon_find_unit(pkg, type, id);
	if (!u)
		g_string_append_printf(out, "error: no unit %s (PKG/TYPE/ID)\n",
				       text ?: "");
	return u;
}

/* Find TPMI device @number of a package; other devices have no number. */
static struct pmon_tpmi *tpmi_of(unsigned int pkg, unsigned int number)
{
	struct pmon_dev *d;
	unsigned int i;

	for (i = 0; (d = pmon_find_dev(pkg, i)); i++) {
		if (d->tpmi && !number--)
			return d->tpmi;
	}
	return NULL;
}

/* Find the TPMI device PKG or PKG.NUMBER, and move *text past the number. */
struct pmon_tpmi *pmon_bench_tpmi(const char **text)
{
	unsigned int pkg, number = 0;
	int length = 0;

	if (sscanf(*text, "%u%n", &pkg, &length) != 1)
		return NULL;
	*text += length;
	if (sscanf(*text, ".%u%n", &number, &length) == 1)
		*text += length;
	return tpmi_of(pkg, number);
}

char *pmon_bench_plr_name(const struct pmon_dev *d, unsigned int dom)
{
	unsigned int number = 0, i;

	for (i = 0; i < d->index; i++)
		number += !!pmon_find_dev(d->pkg, i)->tpmi;
	return number ? g_strdup_printf("%u.%u/%u", d->pkg, number, dom) :
			g_strdup_printf("%u/%u", d->pkg, dom);
}

/* Find the PLR instance of PKG/DOM or, with @module, of PKG/DOM/MODULE. */
struct pmon_plr *pmon_bench_plr(const char *text, unsigned int *module, GString *out)
{
	const char *rest = text;
	struct pmon_tpmi *t = text ? pmon_bench_tpmi(&rest) : NULL;
	unsigned int dom, unused;
	int wanted = module ? 2 : 1;

	if (t && sscanf(rest, "/%u/%u", &dom, module ?: &unused) == wanted &&
	    dom < t->num_plr && (!module || *module < PMON_PLR_MODULES))
		return &t->plr[dom];
	g_string_append_printf(out, "error: no PLR instance at %s\n", text ?: "");
	return NULL;
}
