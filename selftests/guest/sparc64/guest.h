/* SPDX-License-Identifier: GPL-2.0-only */
/* What the cases in the sparc64 guest share: TAP, modules, files, events. */
#ifndef SPARC64_GUEST_H
#define SPARC64_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#define PMUS "/sys/bus/event_source/devices/"
#define CLASS "/sys/class/pmon/vfalls0/"

struct test {
	const char *name;
	void (*run)(void);
	bool stays;		/* the guest goes down with all that it loaded */
};

extern const struct test tests[];

/* holds.c */
void test_holds(void);
void test_reboot(void);

__attribute__((format(printf, 2, 3)))
void check(bool good, const char *fmt, ...);
/* Two numbers are the same. */
__attribute__((format(printf, 3, 4)))
void is(uint64_t got, uint64_t want, const char *fmt, ...);

/* Returns 0 or an errno. */
int load(const char *module, const char *parameters);
int unload(const char *module);
/* The engine and the driver. */
void load_ours(void);
void load_engine(void);
void unload_engine(void);
void unload_ours(void);

/* The first line of a file, "" when there is none. */
const char *line_of(const char *path);
bool exists(const char *path);
/* The kernel has said so. */
bool logged(const char *text);
/* How many PMUs have names that begin so. */
unsigned int pmus(const char *prefix);

/* A command to the fake hypervisor, and what it says of a word. */
__attribute__((format(printf, 1, 2)))
void hv(const char *fmt, ...);
__attribute__((format(printf, 2, 3)))
uint64_t hv_says(unsigned int column, const char *fmt, ...);

/* An event of a PMU, off; of @group's group, or -1. Returns -errno. */
int event(const char *pmu, uint64_t config, int group);
void on(int fd);
void off(int fd);
/* The count; ~0 when there is none, because the event has ended. */
uint64_t count(int fd);
/* The counts of a group of two. */
void count_both(int fd, uint64_t *counts);
void wait_ms(unsigned int ms);

#endif
