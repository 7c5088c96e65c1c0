// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl bw: the bandwidth of memory, links, PCIe stacks and CXL devices.
 */
#include "bw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bw_print.h"
#include "clock.h"
#include "cxl_memory.h"
#include "descriptors.h"
#include "doctor_host.h"
#include "event.h"
#include "frozen.h"
#include "hardware.h"
#include "holders.h"
#include "lacking.h"
#include "output.h"
#include "present.h"
#include "screen.h"
#include "signals.h"
#include "sysfs.h"

/* Files of a process beside its events: its output, files of sysfs. */
#define OTHERS 16

/* Why an event could not be opened. The caller frees it. */
static char *why_refused(const struct bandwidth *b)
{
	struct text why = { NULL, 0 };
	char *names;

	text_add(&why, "%s: ", b->refused);
	if (b->error == EACCES || b->error == EPERM)
		text_add(&why, "counting takes %s", event_rights());
	else if (b->error == EMFILE)
		text_add(&why, "too many open files: ulimit -n is %ld, and %zu "
			 "are needed", descriptors_most(), b->wanted + OTHERS);
	else if (b->error != EBUSY)
		text_add(&why, "an event cannot be opened (%s); the kernel log "
			 "may say why", error_name(b->error));
	if (b->error != EBUSY)
		return why.s;
	names = holders_names();
	text_add(&why, "all counters are taken, or the box is frozen%s%s",
		 *names ? "; these have perf events open: " : "", names);
	free(names);
	return why.s;
}

enum status bw_complain(const struct bandwidth *b)
{
	char *why;

	if (b->frozen)
		complain("%s", b->frozen);
	if (!b->error)
		return b->frozen ? STATUS_DEGRADED : STATUS_FINE;
	why = why_refused(b);
	complain("%s", why);
	free(why);
	return STATUS_DEGRADED;
}

/* A host may have no discovery table, and CXL memory or an older Xeon's boxes. */
static enum status nothing_to_count(bool json)
{
	bool tables = hardware_present();

	if (tables ? !sysfs_exists(CLASS_DIR) :
		     !cxl_memory_present() && !doctor_has_ring())
		return nothing_found(json);
	if (!tables && cxl_memory_present() && !sysfs_exists("/sys/module/pmon_cxl"))
		return nothing_shown(json, STATUS_BROKEN, "no PMU has events "
				     "for bandwidth, and pmon_cxl, which has "
				     "those of CXL memory, is not loaded; try: "
				     "modprobe pmon_cxl");
	return nothing_shown(json, STATUS_BROKEN, "no PMU has events for "
			     "bandwidth; pmonctl list shows who drives the "
			     "boxes, and pmonctl adopt gives those of "
			     "intel_uncore names and events");
}

enum status bw_open(struct bandwidth *b, bool delays, bool json)
{
	enum status status;
	char *why;

	bandwidth_open(b, delays);
	if (hardware_present())
		lacking_find(b);
	if (b->meters)
		return STATUS_FINE;
	if (!b->error)
		return nothing_to_count(json);
	why = why_refused(b);
	status = nothing_shown(json, STATUS_BROKEN, why);
	free(why);
	return status;
}

static void print_screen(const struct bandwidth *b, const struct options *opt,
			 double seconds)
{
	struct text text = { NULL, 0 };
	char *table = bw_table(b);

	if (!opt->columns)
		text_add(&text, "Over %.1f s\n\n", seconds);
	text_add(&text, "%s", table);
	if (opt->watch && b->frozen)
		text_add(&text, "\n%s\n", b->frozen);
	if (!opt->columns && b->lacking)
		text_add(&text, "\n%s\n", b->lacking);
	if (opt->watch && screen_is())
		screen_draw(text.s);
	else
		screen_print(text.s, opt->watch ? 0 : screen_room());
	text_free(&text);
	free(table);
}

/* False when it could not be written. */
static bool print(const struct bandwidth *b, const struct options *opt,
		  double seconds)
{
	if (opt->csv) {
		bw_csv(b);
	} else if (opt->json) {
		json_open(NULL, '{');
		bw_json(b, seconds);
		json_close('}');
	} else {
		print_screen(b, opt, seconds);
	}
	return output_flush();
}

/* One interval; false when a signal ended it, or no output gets through. */
static bool measure(struct bandwidth *b, const struct options *opt)
{
	long long begin = clock_ms(), now = begin;
	long long end = begin + (opt->seconds ? opt->seconds : 1) * 1000;

	while (now < end && !signals_stopped()) {
		clock_pause_ms(end - now);
		now = clock_ms();
	}
	if (now == begin)
		return false;
	bandwidth_read(b);
	frozen_mark(b);
	return print(b, opt, (double)(now - begin) / 1000) && !signals_stopped();
}

enum status cmd_bw(const struct options *opt)
{
	struct bandwidth b;
	enum status status;

	if (opt->csv && opt->json) {
		complain("--csv and --json do not go together");
		return STATUS_USAGE;
	}
	status = bw_open(&b, true, opt->json);
	if (status == STATUS_FINE) {
		signals_catch(false);
		if (opt->json && opt->watch)
			json_lines();
		if (b.lacking && (opt->csv || opt->json))
			complain("%s", b.lacking);
		if (opt->csv && !opt->bare)
			bw_csv_head();
		while (measure(&b, opt) && opt->watch)
			;
		status = bw_complain(&b);
	}
	bandwidth_close(&b);
	return status;
}
