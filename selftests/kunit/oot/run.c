// SPDX-License-Identifier: GPL-2.0-only
/* Run a module's suites at load, in place of KUnit's module notifier. */
#include <kunit/attributes.h>
#include <linux/string.h>

/**
 * kunit_oot_run() - run the suites of a module that is being loaded
 * @mod:	its suites
 *
 * Return: 0, also when cases fail; an error if the filters are wrong.
 */
int kunit_oot_run(struct kunit_oot_module *mod)
{
	struct kunit_suite_set all = {
		.start = mod->suites,
		.end = mod->suites + mod->count,
	};
	const char *action = kunit_action();
	int err = 0;

	mod->set = kunit_filter_suites(&all, kunit_filter_glob() ?: "*.*",
				       kunit_filter(), kunit_filter_action(),
				       &err);
	if (err)
		return err;
	if (action && !strcmp(action, "list"))
		kunit_exec_list_tests(&mod->set, false);
	else
		kunit_exec_run_tests(&mod->set, false);
	return 0;
}
EXPORT_SYMBOL_GPL(kunit_oot_run);

/**
 * kunit_oot_exit() - release the suites that kunit_oot_run() has set up
 * @mod:	the module's suites
 */
void kunit_oot_exit(struct kunit_oot_module *mod)
{
	__kunit_test_suites_exit((struct kunit_suite **)mod->set.start,
				 mod->set.end - mod->set.start);
	kunit_free_suite_set(mod->set);
}
EXPORT_SYMBOL_GPL(kunit_oot_exit);
