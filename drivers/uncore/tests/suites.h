/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_UNCORE_TESTS_SUITES_H
#define PMON_UNCORE_TESTS_SUITES_H

/* Number of CPU models in platform.c */
unsigned int cpu_model_at(unsigned int row);

extern struct kunit_suite table_suite;
extern struct kunit_suite resolve_suite;
extern struct kunit_suite platform_suite;
extern struct kunit_suite free_suite;
extern struct kunit_suite dmr_suite;
extern struct kunit_suite roots_suite;
extern struct kunit_suite ranges_suite;
extern struct kunit_suite client_suite;

#endif
