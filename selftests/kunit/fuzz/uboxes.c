// SPDX-License-Identifier: GPL-2.0-only
/* Fuzz target: Uboxes of Xeon E5 whose registers hold any bytes. */
#include <assert.h>
#include <string.h>

#include <linux/kernel.h>

#include "../../../drivers/r2pcie/boxes.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct r2_ubox ubox[R2_UBOXES_MAX];
	const char *reason = NULL;
	unsigned int count = min_t(size_t, size / 8, R2_UBOXES_MAX), i;
	int socket;

	if (!count)
		return 0;
	for (i = 0; i < count; i++) {
		const unsigned char *at = data + 8 * i;

		ubox[i].segment = at[0] & 1;
		ubox[i].bus = at[1];
		ubox[i].node = at[2] | (at[3] & 1 ? ~0U << 8 : 0);
		memcpy(&ubox[i].map, at + 4, 4);
	}
	for (i = 0; i < count; i++) {
		socket = r2_socket(ubox, count, data[8 * i] & 1,
				   data[8 * i + 1], &reason);
		assert(socket >= -1 && socket < R2_GROUPS);
		assert(!reason == (socket >= 0));
	}
	/* Segment 2 has no Ubox, so its buses are in no socket. */
	assert(r2_socket(ubox, count, 2, 0, &reason) == -1 && reason);
	return 0;
}
