// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read intervals of a device that times requests: clocks, clocks with a waiting request, the same
 * a moment later above a threshold, and requests. A number of proofs before these begins a new
 * device. Print the proofs after each interval that the device adds up requests, and whether this
 * is known.
 */
#include <stdio.h>

#include "bandwidth.h"

int main(void)
{
	unsigned long long clocks, all, busy, requests;
	struct meter m = { .kind = METER_DELAY };
	double shown[2];
	int proofs;

	while (scanf("%d %llu %llu %llu %llu", &proofs, &clocks, &all, &busy, &requests) == 5) {
		struct count c = { .value = clocks };

		if (proofs >= 0)
			m = (struct meter){ .kind = METER_DELAY, .proofs = proofs };
		c.other[0] = all;
		c.other[1] = requests;
		c.other[GROUP_OTHERS - 1] = busy;
		delay_prove(&m, &c);
		printf("%d %d\n", m.proofs, delay_is_known(&m, &c, &shown[0], &shown[1]));
	}
}
