/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_STACKS_H
#define PMONCTL_STACKS_H

/*
 * The devices behind a stack of PCIe, "nvme 0000:16:00.0, mlx5_core
 * 0000:17:00.0": those with a driver, which are what moves data. NULL where there
 * is none, or where nothing says which root bus the stack has. The caller frees
 * it.
 */
char *stack_devices(unsigned int stack, long package);

#endif
