/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls themselves: two traps. Of the kernel's own helpers none will do:
 * those of other groups store what they have read at the address that is the
 * register's number, or are not exported.
 */
#ifndef PMON_VFALLS_HCALL_H
#define PMON_VFALLS_HCALL_H

/* Both return the status; @value changes only when that is HV_EOK. */
unsigned long vfalls_get_perfreg(unsigned long reg, unsigned long *value);
unsigned long vfalls_set_perfreg(unsigned long reg, unsigned long value);

#endif
