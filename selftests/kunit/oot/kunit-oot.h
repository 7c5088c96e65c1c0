/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adapt KUnit to a kernel built with CONFIG_KUNIT=n. KUnit's core and each
 * suite include this file before all others.
 *
 * That kernel lacks a field in struct task_struct and two in struct module.
 * So include the headers with both structures as the running kernel has them,
 * and only then declare KUnit as present.
 */
#ifndef KUNIT_OOT_H
#define KUNIT_OOT_H
#ifndef __ASSEMBLY__

#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>

#define CONFIG_KUNIT_MODULE 1
#define CONFIG_KUNIT_DEBUGFS 1
#define CONFIG_KUNIT_DEFAULT_ENABLED 1

/* Use kthread_complete_and_exit(), since all kernels export it to modules. */
#undef kthread_exit
#define kthread_exit(code)	kthread_complete_and_exit(NULL, code)

struct kunit;

/* In place of current->kunit_test */
struct kunit *kunit_oot_current(void);
void kunit_oot_set_current(struct kunit *test);

#include <kunit/test.h>

/**
 * struct kunit_oot_module - a module's suites, which the loader cannot collect
 * @suites:	as the module lists them
 * @count:	number of @suites
 * @set:	the suites that the filters leave, set by kunit_oot_run()
 */
struct kunit_oot_module {
	struct kunit_suite *const *suites;
	int count;
	struct kunit_suite_set set;
};

int kunit_oot_run(struct kunit_oot_module *mod);
void kunit_oot_exit(struct kunit_oot_module *mod);

#undef kunit_test_suites
#define kunit_test_suites(...)						\
static struct kunit_suite *const kunit_oot_list[] = { __VA_ARGS__ };	\
static struct kunit_oot_module kunit_oot_this = {			\
	.suites = kunit_oot_list,					\
	.count = ARRAY_SIZE(kunit_oot_list),				\
};									\
static int __init kunit_oot_init(void)					\
{									\
	return kunit_oot_run(&kunit_oot_this);				\
}									\
module_init(kunit_oot_init);						\
static void __exit kunit_oot_fini(void)					\
{									\
	kunit_oot_exit(&kunit_oot_this);				\
}									\
module_exit(kunit_oot_fini)

#endif
#endif
