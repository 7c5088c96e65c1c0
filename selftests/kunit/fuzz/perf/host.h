/* SPDX-License-Identifier: GPL-2.0-only */
/* The host under the workers: modules, CPUs, devices, hardware. */
#ifndef FUZZ_HOST_H
#define FUZZ_HOST_H

#include "fuzz.h"

#define PCI	"/sys/bus/pci"

/* hotplug.c */
void cpus_setup(void);
void cpus_all_online(void);

/* devices.c */
void devices_setup(void);
void devices_restore(void);
bool devices_hold(void);
void devices_release(void);

/* hardware.c */
void hardware_mend(void);

#endif /* FUZZ_HOST_H */
