// SPDX-License-Identifier: GPL-2.0-only
/* Count and log register accesses; list the accesses that hardware forbids. */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/timer.h"
#include "hw/core/cpu.h"
#include "pmon.h"

#define ILLEGAL_LINES	200	/* most lines in the list; the count has no limit */

static const char *const class_name[PMON_CLASSES] = {
	[PMON_TABLE] = "table",
	[PMON_GLOBAL_CTL] = "global-ctl",
	[PMON_BOX_CTL] = "box-ctl",
	[PMON_EVENT_CTL] = "event-ctl",
	[PMON_COUNTER] = "counter",
	[PMON_FILTER] = "filter",
	[PMON_STATUS] = "status",
	[PMON_MAILBOX] = "mailbox",
	[PMON_PLR_DATA] = "plr-data",
	[PMON_DIE_LEVEL] = "die-level",
	[PMON_PLR_HEADER] = "plr-header",
	[PMON_PFS] = "pfs",
	[PMON_TPMI_INFO] = "tpmi-info",
	[PMON_TPMI_CONTROL] = "tpmi-control",
	[PMON_RAPL] = "rapl",
	[PMON_SST] = "sst",
	[PMON_CAPABILITY] = "capability",
	[PMON_CONFIG] = "config",
	[PMON_MSR] = "msr",
	[PMON_OTHER] = "other",
	[PMON_ILLEGAL] = "illegal",
};

static FILE *log_file;
static GString *illegal_text;
static unsigned int illegal_lines;

int64_t pmon_now(void)
{
	return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

int pmon_cpu(void)
{
	return current_cpu ? current_cpu->cpu_index : -1;
}

bool pmon_log_open(const char *path, Error **errp)
{
	log_file = fopen(path, "w");
	if (!log_file) {
		error_setg_errno(errp, errno, "access log %s", path);
		return false;
	}
	setvbuf(log_file, NULL, _IOFBF, 1 << 16);
	return true;
}

void pmon_log_flush(void)
{
	if (log_file)
		fflush(log_file);
}

void pmon_log_mark(const char *text)
{
	if (log_file)
		fprintf(log_file, "%" PRId64 " # %s\n", pmon_now(), text);
}

static void name_place(const struct pmon_access *a, char *buf, size_t size)
{
	if (!a->unit)
		snprintf(buf, size, "%s", a->where ? a->where : "-");
	else if (a->unit->global)
		snprintf(buf, size, "%u/global", a->unit->pkg);
	else
		snprintf(buf, size, "%u/%u/%u", a->unit->pkg, a->unit->type,
			 a->unit->id);
}

static void log_access(const struct pmon_access *a, const char *class)
{
	char place[64];

	if (!log_file)
		return;
	name_place(a, place, sizeof(place));
	fprintf(log_file, "%" PRId64 " %d %c %s %s 0x%" PRIx64 " %u 0x%" PRIx64 "\n",
		pmon_now(), pmon_cpu(), a->write ? 'w' : 'r', class, place,
		a->address, a->bytes, a->value);
}

static void tally(struct pmon_tally *t, enum pmon_class class,
		  const struct pmon_access *a)
{
	if (a->write)
		t->writes[class]++;
	else
		t->reads[class]++;
	t->bytes[class] += a->bytes;
}

/* Print a line for each class, even for one without accesses. */
void pmon_tally_print(const struct pmon_tally *t, GString *out)
{
	unsigned int i;

	for (i = 0; i < PMON_CLASSES; i++)
		g_string_append_printf(out, "class=%s reads=%" PRIu64 " writes=%"
				       PRIu64 " bytes=%" PRIu64 "\n",
				       class_name[i], t->reads[i],
				       t->writes[i], t->bytes[i]);
}

void pmon_account(const struct pmon_access *a)
{
	tally(&pmon_machine->tally, a->class, a);
	if (a->unit)
		tally(&a->unit->tally, a->class, a);
	if (a->dev)
		tally(&a->dev->tally, a->class, a);
	if (a->tally)
		tally(a->tally, a->class, a);
	log_access(a, class_name[a->class]);
}

/* Count and list an access as illegal, after pmon_account() has counted it. */
void pmon_illegal(const struct pmon_access *a, const char *why)
{
	char place[64];

	tally(&pmon_machine->tally, PMON_ILLEGAL, a);
	if (a->unit)
		tally(&a->unit->tally, PMON_ILLEGAL, a);
	if (a->tally)
		tally(a->tally, PMON_ILLEGAL, a);
	log_access(a, "illegal");

	if (!illegal_text)
		illegal_text = g_string_new(NULL);
	if (illegal_lines++ >= ILLEGAL_LINES)
		return;
	name_place(a, place, sizeof(place));
	g_string_append_printf(illegal_text,
			       "ns=%" PRId64 " cpu=%d %s unit=%s address=0x%" PRIx64
			       " bytes=%u value=0x%" PRIx64 " class=%s why=%s\n",
			       pmon_now(), pmon_cpu(), a->write ? "write" : "read",
			       place, a->address, a->bytes, a->value,
			       class_name[a->class], why);
}

const char *pmon_illegal_text(void)
{
	return illegal_text ? illegal_text->str : "";
}

void pmon_illegal_reset(void)
{
	illegal_lines = 0;
	if (illegal_text)
		g_string_truncate(illegal_text, 0);
}
