/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers for tests in the sparc64 guest: TAP, modules, files, events. */
#ifndef SPARC64_GUEST_H
#define SPARC64_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#define PMUS "/sys/bus/event_source/devices/"
#define CLASS "/sys/class/pmon/vfalls0/"

struct test {
	const char *name;
	void (*run)(void);
	bool stays;		/* modules stay loaded until the guest goes down */
};

extern const struct test tests[];

/* holds.c */
void test_holds(void);
void test_reboot(void);

__attribute__((format(printf, 2, 3)))
void check(bool good, const char *fmt, ...);
/* Check that two numbers are the same. */
__attribute__((format(printf, 3, 4)))
void is(uint64_t got, uint64_t want, const char *fmt, ...);

/* Return 0 or an errno. */
int load(const char *module, const char *parameters);
int unload(const char *module);
/* Load pmon and the driver. */
void load_ours(void);
void load_engine(void);
void unload_engine(void);
void unload_ours(void);

/* Return the first line of a file, or "" if there is no file. */
const char *line_of(const char *path);
bool exists(const char *path);
/* Test whether the kernel's log has the text. */
bool logged(const char *text);
/* Return the number of PMUs whose names begin with @prefix. */
unsigned int pmus(const char *prefix);

/* hv(): send a command to the fake hypervisor; hv_says(): read its state. */
__attribute__((format(printf, 1, 2)))
void hv(const char *fmt, ...);
__attribute__((format(printf, 2, 3)))
uint64_t hv_says(unsigned int column, const char *fmt, ...);

/* Open a disabled leader (@group -1) or a sibling. Return -errno on failure. */
int event(const char *pmu, uint64_t config, int group);
void on(int fd);
void off(int fd);
/* Return the count; ~0 for an event that has ended. */
uint64_t count(int fd);
/* Read the counts of a group of two. */
void count_both(int fd, uint64_t *counts);
void wait_ms(unsigned int ms);

#endif
