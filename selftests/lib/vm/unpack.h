/* SPDX-License-Identifier: GPL-2.0-only */
/* Unpack the files of a run: see unpack.c. */
#ifndef VM_UNPACK_H
#define VM_UNPACK_H

#define BENCH_LINK	"/run/bench"	/* to the bench's directory in sysfs */

int bench_find(void);
int unpack(void);

#endif
