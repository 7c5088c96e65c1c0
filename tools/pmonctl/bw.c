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
#include "event.h"
#include "output.h"
#include "present.h"
#include "screen.h"
#include "signals.h"
#include "sysfs.h"

enum status bw_complain(const struct bandwidth *b)
{
	if (!b->error)
		return STATUS_FINE;
	if (b->error == EACCES || b->error == EPERM)
		complain("%s: counting takes %s", b->refused, event_rights());
	else if (b->error == EBUSY)
		complain("%s: all counters are taken, or the box is frozen; "
			 "pmonctl who shows who counts", b->refused);
	else
		complain("%s: an event cannot be opened (%s); the kernel log "
			 "may say why", b->refused, error_name(b->error));
	return b->meters ? STATUS_DEGRADED : STATUS_BROKEN;
}

enum status bw_open(struct bandwidth *b, bool delays, bool json)
{
	bandwidth_open(b, delays);
	if (b->meters)
		return STATUS_FINE;
	if (b->error)
		return bw_complain(b);
	if (!sysfs_hardware_present() || !sysfs_exists(CLASS_DIR))
		return nothing_found(json);
	complain("no PMU has events for bandwidth; pmonctl list shows who "
		 "drives the boxes, and pmonctl adopt gives those of "
		 "intel_uncore names and events");
	return STATUS_BROKEN;
}

static void print_screen(const struct bandwidth *b, const struct options *opt,
			 double seconds)
{
	struct text text = { NULL, 0 };
	char *table = bw_table(b);

	if (!opt->columns)
		text_add(&text, "Over %.1f s\n\n", seconds);
	text_add(&text, "%s", table);
	if (opt->watch && screen_is())
		screen_draw(text.s);
	else
		screen_print(text.s, opt->watch ? 0 : screen_room());
	text_free(&text);
	free(table);
}

static void print(const struct bandwidth *b, const struct options *opt,
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
	fflush(stdout);
}

/* One interval, which a signal ends; false then. */
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
	print(b, opt, (double)(now - begin) / 1000);
	return !signals_stopped();
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
		if (opt->csv && !opt->bare)
			bw_csv_head();
		while (measure(&b, opt) && opt->watch)
			;
		status = bw_complain(&b);
	}
	bandwidth_close(&b);
	return status;
}
