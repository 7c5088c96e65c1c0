// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run the suites of one driver (tests/suites.c, tests/host) in user space, and
 * print KTAP. The exit status is 1 after a failed case.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <kunit/test.h>

/* Memory of a case, freed after the case so that later uses are caught. */
struct kunit_allocation {
	struct kunit_allocation *next;
	void *data;
};

static int failures;

u64 host_setting(const char *name, u64 usual)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : usual;
}

void host_fail(struct kunit *test, const char *file, int line,
	       const char *fmt, ...)
{
	va_list args;

	test->failed = true;
	printf("    # %s: FAILED at %s:%d: ", test->name, file, line);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

void host_abort(struct kunit *test)
{
	longjmp(test->abort, 1);
}

void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t gfp)
{
	struct kunit_allocation *a = malloc(sizeof(*a));

	(void)gfp;
	a->data = calloc(1, size ?: 1);
	a->next = test->allocations;
	test->allocations = a;
	return a->data;
}

static void free_all(struct kunit *test)
{
	struct kunit_allocation *a;

	while ((a = test->allocations)) {
		test->allocations = a->next;
		free(a->data);
		free(a);
	}
}

static void run_protected(struct kunit_suite *suite, struct kunit_case *c,
			  struct kunit *test)
{
	if (setjmp(test->abort))
		return;
	if (suite->init && suite->init(test)) {
		host_fail(test, __FILE__, __LINE__, "init failed");
		return;
	}
	c->run_case(test);
}

static bool run_once(struct kunit_suite *suite, struct kunit_case *c,
		     const void *param)
{
	struct kunit test = { .name = c->name, .param_value = param };

	run_protected(suite, c, &test);
	if (!setjmp(test.abort) && suite->exit)
		suite->exit(&test);
	free_all(&test);
	return !test.failed;
}

static void result(int depth, bool good, int n, const char *name)
{
	printf("%*s%s %d %s\n", depth * 4, "", good ? "ok" : "not ok", n, name);
}

static bool run_params(struct kunit_suite *suite, struct kunit_case *c)
{
	char desc[KUNIT_PARAM_DESC_SIZE];
	const void *param = NULL;
	bool good = true, one;
	int n = 0;

	printf("        KTAP version 1\n        # Subtest: %s\n", c->name);
	for (;;) {
		desc[0] = '\0';
		param = c->generate_params(param, desc);
		if (!param)
			break;
		if (!desc[0])
			snprintf(desc, sizeof(desc), "param-%d", n);
		one = run_once(suite, c, param);
		result(2, one, ++n, desc);
		good &= one;
	}
	printf("        1..%d\n", n);
	return n && good;
}

static bool run_suite(struct kunit_suite *suite)
{
	struct kunit_case *c;
	bool good = true, one;
	int n = 0;

	printf("    KTAP version 1\n    # Subtest: %s\n", suite->name);
	for (c = suite->test_cases; c->run_case; c++) {
		one = c->generate_params ? run_params(suite, c) :
					   run_once(suite, c, NULL);
		result(1, one, ++n, c->name);
		good &= one;
		failures += !one;
	}
	printf("    1..%d\n", n);
	return good;
}

/* The list for drivers without suites in tests/host. */
__attribute__((weak)) struct kunit_suite *const more_host_suites[] = { NULL };

static int run_suites(struct kunit_suite *const *suites, int n)
{
	for (; *suites; suites++) {
		bool good = run_suite(*suites);

		result(0, good, ++n, (*suites)->name);
	}
	return n;
}

int main(void)
{
	int n;

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("KTAP version 1");
	n = run_suites(host_suites, 0);
	n = run_suites(more_host_suites, n);
	printf("1..%d\n", n);
	return failures ? 1 : 0;
}
