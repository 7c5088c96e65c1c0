/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_BANDWIDTH_H
#define PMONCTL_BANDWIDTH_H

#include "events.h"

enum flow_kind {
	FLOW_MEMORY, FLOW_HBM, FLOW_CXL, FLOW_PORT, FLOW_CXL_HOST, FLOW_UPI, FLOW_IIO, FLOW_KINDS,
};

/* FLOW_IN: reads of memory and CXL devices, and the data that links and PCIe stacks receive. */
enum flow_way {
	FLOW_IN, FLOW_OUT, FLOW_WAYS,
};

/*
 * METER_MOVED: an event that counts data. METER_DELAY: a group of events for latency: clock,
 * waiting requests, completed requests and, with four counters, clocks with a waiting request.
 * METER_CLOCK: cycles of the uncore, by a CHA of the package; a box of the package has the meter.
 */
enum meter_kind {
	METER_MOVED, METER_DELAY, METER_CLOCK, METER_KINDS,
};

/* A box that counts data: controller of DIMMs or HBM, link, PCIe stack, CXL device or CXL port. */
struct flow {
	enum flow_kind kind;
	const char *pmu;
	unsigned int number;
	unsigned int cpu;		/* for its events */
	long type[FLOW_WAYS];		/* perf type; a CXL host port has a PMU for each way */
	long package;			/* -1: none */
	long node;			/* of the memory; -1: not known */
	double rate[FLOW_WAYS];		/* bytes/s between the last two reads */
	double delay_ns[FLOW_WAYS];	/* average of a request; 0: no requests, -1: not known */
	char *devices;			/* behind a PCIe stack; NULL: not known */
	bool counted[FLOW_WAYS];	/* the driver has an event */
	bool off;			/* no CPU of the package is online, or reopening failed */
	bool gone, dropped;		/* the PMU or its device is gone, and events are closed */
	long long gone_ms;
	bool unopened;			/* off, or an event failed to open */
	bool unknown;			/* unopened, without a counter, frozen or unresponsive */
	/* CPMUs of a CXL device that count both ways count the same accesses. */
	size_t first;			/* index of the first one of the device */
	bool doubled;			/* another one counted more in the last interval */
	struct {			/* since the start, for metrics */
		struct total {
			double amount;	/* bytes, cycles, or seconds summed over requests */
			double requests;
		} total[METER_KINDS][FLOW_WAYS];
		double before[FLOW_WAYS];	/* bytes in @total at the last interval's end */
		double moved[FLOW_WAYS];	/* bytes of the box, or of the device's CPMUs */
	} sums;
	size_t was;			/* index before arrange() */
};

/* State of an event in pmonctl metrics, which lets the events of a box take turns. */
struct turn {
	unsigned int at, of;	/* in turn @at of @of; of 0: not started */
	bool alone;		/* the only event of the box, or needs no counter */
	struct total rate;	/* per ms, in the last turn */
	long long since;	/* the totals include counts up to here, in ms */
};

struct meter {
	size_t flow;
	enum meter_kind kind;
	enum flow_way way;
	double scale;			/* bytes per count */
	struct counting counting;
	long long read_ns;		/* time of the last bandwidth_read(), or of the open */
	int other[GROUP_OTHERS];	/* descriptors of a METER_DELAY's other events; -1: none */
	struct count proved;		/* counts at the last bandwidth_prove() */
	unsigned int proofs;		/* intervals in a row with a proof by delay_prove() */
	bool snapshot;			/* a METER_DELAY's counters are read at one moment */
	bool stopped;			/* had a counter, and counted nothing */
	bool named;			/* a METER_CLOCK's PMU has an event clockticks */
	struct turn turn;
};

struct bandwidth {
	struct machine m;
	struct pmus pmus;
	struct flow *flow;
	struct meter *meter;
	size_t flows, meters;
	size_t needed;			/* number of events, opened or not */
	int error;			/* of the first failed open, or 0 */
	const char *refused;		/* PMU of the failed open */
	char *lacking;			/* kinds that another driver serves without events */
	char *frozen;			/* see frozen_mark(); NULL: no box is */
	char *off, *reported;		/* message on offline sockets; last one printed; or NULL */
	struct cpus packages_off;	/* at bandwidth_open() */
	struct cpus clocked;		/* packages whose clocks were tried */
	const char *adopt;		/* command that adopts uncore; NULL: would not help */
	const char *remedy;		/* command for frozen or lacking, or NULL */
	bool delays;
	long package;			/* as given to bandwidth_open(), like @kinds */
	unsigned int kinds;
	long long list_ms;		/* when to list all boxes again */
};

/* A sum of boxes, or one box. CXL ports have no sum: ports on a path count the same accesses. */
struct bw_row {
	enum flow_kind kind;
	long package, node;		/* -1: none, or not known */
	const struct flow *box;		/* NULL: a sum */
	size_t boxes, unknown;
	double rate[FLOW_WAYS];		/* bytes/s */
	double moved[FLOW_WAYS];	/* bytes since the start, for metrics */
	bool counted[FLOW_WAYS];	/* each box has an event */
};

struct bw_rows {
	struct bw_row *row;
	size_t count;
};

/* Adds a box to the row of its kind, package and @node; @alone: to a new row. */
void bw_row_add(struct bw_rows *r, const struct flow *f, long node, bool alone);

#define ALL_KINDS (~0U)

/*
 * Opens bandwidth events of any driver, of one @package or of all (-1), for the kinds whose bits
 * are set in @kinds. @delays adds CXL latency, which needs up to eight counters per device.
 * Events stay open to the end of the program.
 */
void bandwidth_open(struct bandwidth *b, long package, unsigned int kinds, bool delays);

/* Computes rates since the last read, or since the open; marks boxes whose rates are not known. */
void bandwidth_read(struct bandwidth *b);

/* Closes the events of devices that are gone: of CXL flows (@all), or where a read failed. */
void bandwidth_close_gone(struct bandwidth *b, bool all);

/*
 * Opens events of boxes whose CPUs or device are back, and sets b->off. Once a minute adds boxes
 * that came later, and drops boxes that are gone for a minute, unless @fixed. True if there are
 * other boxes now. Call outside of a step.
 */
bool bandwidth_renew(struct bandwidth *b, bool fixed);

/* Sets flow.first, and flow.doubled from flow.rate. bandwidth_read() calls it. */
void doubled_mark(struct bandwidth *b);

/* Prints b->off if it has changed, or that all sockets are counted again. */
void bandwidth_report_off(struct bandwidth *b);

/* Why boxes are unknown, and a command against it, or NULL. */
struct trouble {
	char *text;
	const char *command;
	bool has_finding;		/* offline or unresponsive: doctor has a check for it */
};

struct trouble bandwidth_trouble(const struct bandwidth *b);

/* Notes whether an interval of a METER_DELAY proves that the device adds up requests. */
void delay_prove(struct meter *m, const struct count *since);
/* Calls delay_prove() with each device's new counts. bandwidth_read() calls bandwidth_prove(). */
void bandwidth_prove(struct bandwidth *b);
/* Sets @waiting, an average over clocks, and @requests. False if they give no valid latency. */
bool delay_is_known(const struct meter *m, const struct count *c, double *waiting,
		    double *requests);
/* The state of a package's clock; HIDDEN: not known, or @m is NULL. */
enum ticking { HIDDEN, TICKS, STOPPED } clock_ticking(const struct meter *m);
/* Free-running counters ignore the global control. */
#define flow_is_free(f)	(!!strstr((f)->pmu, "free_running"))
/* The name in options and output, such as "memory". */
const char *flow_kind_name(enum flow_kind kind);

/*
 * Marks a package's boxes, except free-running ones, unknown if all memory controllers counted
 * nothing and the clock does not tick or cannot be read, or without these if all boxes of a kind
 * counted nothing and the clock does not tick. Sets b->frozen to a message, or NULL.
 */
void frozen_mark(struct bandwidth *b);

#endif
