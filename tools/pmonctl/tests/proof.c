// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulate a device that counts clocks with any waiting request, and never their sum. Its counters
 * are read one after the other. Print in how many of 2000 runs of ten seconds it is proved a sum
 * where the reader alone makes requests, and after how many intervals of load a false proof ends.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bandwidth.h"

#define RUNS 2000
#define PROVED 2
#define BUSY (GROUP_OTHERS - 1)

static double drawn(void)
{
	return (rand() + 0.5) / (RAND_MAX + 1.0);
}

/* An interval in which a request waits in @all, or a moment later in @busy, of @clock clocks. */
static bool is_proved(struct meter *m, double clock, double all, double busy, double requests)
{
	struct count c = { .value = (uint64_t)clock };
	double shown[2];

	c.other[0] = (uint64_t)all;
	c.other[1] = (uint64_t)requests;
	c.other[BUSY] = (uint64_t)busy;
	delay_prove(m, &c);
	return delay_is_known(m, &c, &shown[0], &shown[1]);
}

static bool idle_run(void)
{
	struct meter m = { .kind = METER_DELAY };

	for (int i = 0; i < 20; i++) {
		double own = floor(drawn() * 8), more = floor(drawn() * 4);
		double late = floor(drawn() * 4);

		is_proved(&m, 5e8, 250 * (own + more), 250 * (own + late), own + more);
		if (m.proofs == PROVED)
			return true;
	}
	return false;
}

/* Loads that keep a request waiting in 30 to 99 % of the clocks. */
static int loaded_run(void)
{
	struct meter m = { .kind = METER_DELAY, .proofs = PROVED };
	int intervals = 0;
	double busy;

	do {
		busy = 1e9 * (1 - exp(-0.36 - drawn() * 4));
		intervals++;
	} while (is_proved(&m, 1e9, busy, busy, busy / 250) && intervals < 1000);
	return intervals;
}

int main(void)
{
	int proved = 0, longest = 0;

	for (int i = 0; i < RUNS; i++) {
		int intervals = loaded_run();

		proved += idle_run();
		longest = intervals > longest ? intervals : longest;
	}
	printf("proved %d, ended after %d\n", proved, longest);
}
