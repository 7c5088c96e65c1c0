/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a run's own files come from: see unpack.c. */
#ifndef VM_UNPACK_H
#define VM_UNPACK_H

#define BENCH_LINK	"/run/bench"	/* to the bench's directory in sysfs */

int bench_find(void);
int unpack(void);

#endif
