/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KUnit's interface in user space, for the suites of this tree: the same test
 * source runs here under sanitizers and in kernels as modules.
 */
#ifndef HOST_KUNIT_TEST_H
#define HOST_KUNIT_TEST_H

#include <setjmp.h>

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/types.h>

#define GFP_KERNEL 0
#define KUNIT_PARAM_DESC_SIZE 128

struct kunit_allocation;

struct kunit {
	void *priv;
	const char *name;
	const void *param_value;
	/* private: */
	bool failed;
	struct kunit_allocation *allocations;
	jmp_buf abort;
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
	const void *(*generate_params)(const void *prev, char *desc);
};

struct kunit_suite {
	const char name[256];
	int (*init)(struct kunit *test);
	void (*exit)(struct kunit *test);
	struct kunit_case *test_cases;
};

#define KUNIT_CASE(fn) { .run_case = fn, .name = #fn }
#define KUNIT_CASE_PARAM(fn, gen) \
	{ .run_case = fn, .name = #fn, .generate_params = gen }

#define KUNIT_ARRAY_PARAM(name, array, get_desc)			\
static const void *name##_gen_params(const void *prev, char *desc)	\
{									\
	typeof((array)[0]) *next =					\
		prev ? (typeof(next))prev + 1 : (array);		\
	void (*host_desc)(typeof(next), char *) = get_desc;		\
									\
	if (next >= (array) + ARRAY_SIZE(array))			\
		return NULL;						\
	if (host_desc)							\
		host_desc(next, desc);					\
	return next;							\
}

#define KUNIT_ARRAY_PARAM_DESC(name, array, member)			\
static void name##_get_desc(typeof((array)[0]) *param, char *desc)	\
{									\
	strscpy(desc, param->member, KUNIT_PARAM_DESC_SIZE);		\
}									\
KUNIT_ARRAY_PARAM(name, array, name##_get_desc)

extern struct kunit_suite *const host_suites[];

#define kunit_test_suites(...) \
	struct kunit_suite *const host_suites[] = { __VA_ARGS__, NULL }
/* Suites of tests/host, which run only in user space. */
#define kunit_host_test_suites(...) \
	struct kunit_suite *const more_host_suites[] = { __VA_ARGS__, NULL }

void host_fail(struct kunit *test, const char *file, int line,
	       const char *fmt, ...) __printf(4, 5);
void host_abort(struct kunit *test) __attribute__((noreturn));
/* Return the environment variable @name as a number; if unset, @usual. */
u64 host_setting(const char *name, u64 usual);
void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t gfp);

#define kunit_info(test, fmt, ...) printf("    # " fmt "\n", ##__VA_ARGS__)

#define HOST_CHECK(test, good, after, fmt, ...) do {			\
	if (!(good)) {							\
		host_fail(test, __FILE__, __LINE__, fmt, ##__VA_ARGS__);\
		after;							\
	}								\
} while (0)

#define HOST_BINARY(test, left, op, right, after, fmt, ...) do {	\
	typeof(left) host_left = (left);				\
	typeof(right) host_right = (right);				\
	HOST_CHECK(test, host_left op host_right, after,		\
		   "expected %s " #op " %s, but %lld (0x%llx) and "	\
		   "%lld (0x%llx)" fmt, #left, #right,			\
		   (long long)host_left, (long long)host_left,		\
		   (long long)host_right, (long long)host_right,	\
		   ##__VA_ARGS__);					\
} while (0)

#define HOST_PTR(test, left, op, right, after, fmt, ...) do {		\
	const void *host_left = (left);					\
	const void *host_right = (right);				\
	HOST_CHECK(test, host_left op host_right, after,		\
		   "expected %s " #op " %s, but %p and %p" fmt,		\
		   #left, #right, host_left, host_right, ##__VA_ARGS__);\
} while (0)

#define HOST_STR(test, left, op, right, after, fmt, ...) do {		\
	const char *host_left = (left);					\
	const char *host_right = (right);				\
	HOST_CHECK(test, host_left && host_right &&			\
		   (strcmp(host_left, host_right) op 0), after,		\
		   "expected %s " #op " %s, but \"%s\" and \"%s\"" fmt,	\
		   #left, #right, host_left ?: "(null)",		\
		   host_right ?: "(null)", ##__VA_ARGS__);		\
} while (0)

#define HOST_BOOL(test, good, after, want, fmt, ...)			\
	HOST_CHECK(test, good, after, "expected %s to be " want fmt,	\
		   #good, ##__VA_ARGS__)

#define GO_ON ((void)0)
#define STOP(test) host_abort(test)

#define KUNIT_FAIL(test, fmt, ...) \
	host_fail(test, __FILE__, __LINE__, fmt, ##__VA_ARGS__)

#define KUNIT_EXPECT_EQ(t, l, r) \
	HOST_BINARY(t, l, ==, r, GO_ON, "")
#define KUNIT_EXPECT_EQ_MSG(t, l, r, f, ...) \
	HOST_BINARY(t, l, ==, r, GO_ON, ": " f, ##__VA_ARGS__)
#define KUNIT_ASSERT_EQ(t, l, r) \
	HOST_BINARY(t, l, ==, r, STOP(t), "")
#define KUNIT_EXPECT_NE(t, l, r) \
	HOST_BINARY(t, l, !=, r, GO_ON, "")
#define KUNIT_EXPECT_NE_MSG(t, l, r, f, ...) \
	HOST_BINARY(t, l, !=, r, GO_ON, ": " f, ##__VA_ARGS__)
#define KUNIT_EXPECT_LT(t, l, r) \
	HOST_BINARY(t, l, <, r, GO_ON, "")
#define KUNIT_ASSERT_LT(t, l, r) \
	HOST_BINARY(t, l, <, r, STOP(t), "")
#define KUNIT_EXPECT_LE(t, l, r) \
	HOST_BINARY(t, l, <=, r, GO_ON, "")
#define KUNIT_EXPECT_LE_MSG(t, l, r, f, ...) \
	HOST_BINARY(t, l, <=, r, GO_ON, ": " f, ##__VA_ARGS__)
#define KUNIT_EXPECT_GT(t, l, r) \
	HOST_BINARY(t, l, >, r, GO_ON, "")
#define KUNIT_EXPECT_GE(t, l, r) \
	HOST_BINARY(t, l, >=, r, GO_ON, "")
#define KUNIT_EXPECT_GE_MSG(t, l, r, f, ...) \
	HOST_BINARY(t, l, >=, r, GO_ON, ": " f, ##__VA_ARGS__)
#define KUNIT_EXPECT_PTR_EQ(t, l, r) \
	HOST_PTR(t, l, ==, r, GO_ON, "")
#define KUNIT_EXPECT_STREQ(t, l, r) \
	HOST_STR(t, l, ==, r, GO_ON, "")
#define KUNIT_EXPECT_STREQ_MSG(t, l, r, f, ...) \
	HOST_STR(t, l, ==, r, GO_ON, ": " f, ##__VA_ARGS__)
#define KUNIT_EXPECT_STRNEQ_MSG(t, l, r, f, ...) \
	HOST_STR(t, l, !=, r, GO_ON, ": " f, ##__VA_ARGS__)

#define KUNIT_EXPECT_TRUE(t, c) \
	HOST_BOOL(t, (c), GO_ON, "true", "")
#define KUNIT_EXPECT_TRUE_MSG(t, c, f, ...) \
	HOST_BOOL(t, (c), GO_ON, "true", ": " f, ##__VA_ARGS__)
#define KUNIT_ASSERT_TRUE(t, c) \
	HOST_BOOL(t, (c), STOP(t), "true", "")
#define KUNIT_ASSERT_TRUE_MSG(t, c, f, ...) \
	HOST_BOOL(t, (c), STOP(t), "true", ": " f, ##__VA_ARGS__)
#define KUNIT_EXPECT_FALSE(t, c) \
	HOST_BOOL(t, !(c), GO_ON, "true", "")
#define KUNIT_EXPECT_FALSE_MSG(t, c, f, ...) \
	HOST_BOOL(t, !(c), GO_ON, "true", ": " f, ##__VA_ARGS__)
#define KUNIT_EXPECT_NULL KUNIT_EXPECT_FALSE
#define KUNIT_EXPECT_NULL_MSG KUNIT_EXPECT_FALSE_MSG
#define KUNIT_ASSERT_NULL(t, c) \
	HOST_BOOL(t, !(c), STOP(t), "true", "")
#define KUNIT_EXPECT_NOT_NULL(t, c) \
	HOST_BOOL(t, (c), GO_ON, "non-null", "")
#define KUNIT_ASSERT_NOT_NULL(t, c) \
	HOST_BOOL(t, (c), STOP(t), "non-null", "")
#define KUNIT_ASSERT_NOT_NULL_MSG(t, c, f, ...) \
	HOST_BOOL(t, (c), STOP(t), "non-null", ": " f, ##__VA_ARGS__)

#endif
