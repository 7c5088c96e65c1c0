// SPDX-License-Identifier: GPL-2.0-only
/*
 * What <compat/cleanup.h> has for kernels without <linux/cleanup.h>, which user
 * space does not have either. It must mean what the kernel's own means: see the
 * comments there.
 */
#include <kunit/test.h>

#include <compat/cleanup.h>

#define PASTE_1(a, b) a##b
#define PASTE(a, b) PASTE_1(a, b)
#define __UNIQUE_ID(name) PASTE(name, __COUNTER__)

static void a_guard_ends_with_its_scope(struct kunit *test)
{
	struct mutex mutex = { };
	spinlock_t spinlock = { };
	raw_spinlock_t raw = { };

	{
		guard(mutex)(&mutex);
		KUNIT_EXPECT_TRUE(test, mutex.held);
		guard(spinlock)(&spinlock);
		KUNIT_EXPECT_TRUE(test, spinlock.held);
		guard(raw_spinlock)(&raw);
		KUNIT_EXPECT_TRUE(test, raw.held);
		KUNIT_EXPECT_FALSE(test, host_irqs_off);
	}
	KUNIT_EXPECT_FALSE(test, mutex.held);
	KUNIT_EXPECT_FALSE(test, spinlock.held);
	KUNIT_EXPECT_FALSE(test, raw.held);
}

/* What is returned is computed before the lock is given back. */
static bool held_at_return(struct mutex *mutex)
{
	guard(mutex)(mutex);
	return mutex->held;
}

static void a_guard_ends_at_a_return(struct kunit *test)
{
	struct mutex mutex = { };

	KUNIT_EXPECT_TRUE(test, held_at_return(&mutex));
	KUNIT_EXPECT_FALSE(test, mutex.held);
}

/* Of two guards of one kind each gives its own lock back. */
static void two_guards_are_two(struct kunit *test)
{
	struct mutex outer = { }, inner = { };

	guard(mutex)(&outer);
	{
		guard(mutex)(&inner);
		KUNIT_EXPECT_TRUE(test, inner.held);
	}
	KUNIT_EXPECT_FALSE(test, inner.held);
	KUNIT_EXPECT_TRUE(test, outer.held);
}

/* Interrupts are as before, not on: the caller may have turned them off. */
static void interrupts_are_as_before(struct kunit *test)
{
	raw_spinlock_t outer = { }, inner = { };

	{
		guard(raw_spinlock_irqsave)(&outer);
		KUNIT_EXPECT_TRUE(test, outer.held);
		KUNIT_EXPECT_TRUE(test, host_irqs_off);
		scoped_guard(raw_spinlock_irqsave, &inner)
			KUNIT_EXPECT_TRUE(test, inner.held);
		KUNIT_EXPECT_FALSE(test, inner.held);
		KUNIT_EXPECT_TRUE(test, host_irqs_off);
	}
	KUNIT_EXPECT_FALSE(test, outer.held);
	KUNIT_EXPECT_FALSE(test, host_irqs_off);
}

static void interrupts_are_off_and_on(struct kunit *test)
{
	raw_spinlock_t lock = { };

	{
		guard(raw_spinlock_irq)(&lock);
		KUNIT_EXPECT_TRUE(test, lock.held);
		KUNIT_EXPECT_TRUE(test, host_irqs_off);
	}
	KUNIT_EXPECT_FALSE(test, lock.held);
	KUNIT_EXPECT_FALSE(test, host_irqs_off);
}

static void a_scope_is_run_once(struct kunit *test)
{
	struct mutex mutex = { };
	unsigned int runs = 0;

	scoped_guard(mutex, &mutex) {
		KUNIT_EXPECT_TRUE(test, mutex.held);
		runs++;
	}
	KUNIT_EXPECT_EQ(test, runs, 1U);
	KUNIT_EXPECT_FALSE(test, mutex.held);

	scoped_guard(mutex, &mutex)
		break;
	KUNIT_EXPECT_FALSE(test, mutex.held);
}

static bool held_in_scope(struct mutex *mutex)
{
	scoped_guard(mutex, mutex)
		return mutex->held;
	return false;
}

static void a_scope_ends_at_a_return(struct kunit *test)
{
	struct mutex mutex = { };

	KUNIT_EXPECT_TRUE(test, held_in_scope(&mutex));
	KUNIT_EXPECT_FALSE(test, mutex.held);
}

static void each_is_given_back_its_own_way(struct kunit *test)
{
	struct memory memory = { };
	struct device device = { };
	struct pci_dev pdev = { };

	{
		struct memory *m __free(kfree) = &memory;
		struct device *d __free(put_device) = &device;
		struct pci_dev *p __free(pci_dev_put) = &pdev;

		KUNIT_EXPECT_EQ(test, m->frees + d->puts + p->dev.puts, 0U);
	}
	KUNIT_EXPECT_EQ(test, memory.frees, 1U);
	KUNIT_EXPECT_EQ(test, device.puts, 1U);
	KUNIT_EXPECT_EQ(test, pdev.dev.puts, 1U);
}

/* Neither NULL nor an error is anything: a reference to them would crash. */
static void nothing_is_not_given_back(struct kunit *test)
{
	struct memory *none __free(kfree) = NULL;
	struct memory *error __free(kfree) = ERR_PTR(-ENOMEM);
	struct pci_dev *no_device __free(pci_dev_put) = NULL;

	KUNIT_EXPECT_NULL(test, none);
	KUNIT_EXPECT_TRUE(test, IS_ERR(error));
	KUNIT_EXPECT_NULL(test, no_device);
}

static struct memory *passed_on(struct memory *memory)
{
	struct memory *m __free(kfree) = memory;

	return_ptr(m);
}

static void what_is_passed_on_is_kept(struct kunit *test)
{
	struct memory memory = { };
	struct memory *taken;

	{
		struct memory *m __free(kfree) = &memory;

		taken = no_free_ptr(m);
		KUNIT_EXPECT_NULL(test, m);
	}
	KUNIT_EXPECT_PTR_EQ(test, taken, &memory);
	KUNIT_EXPECT_PTR_EQ(test, passed_on(&memory), &memory);
	KUNIT_EXPECT_EQ(test, memory.frees, 0U);
}

static struct kunit_case cleanup_tests[] = {
	KUNIT_CASE(a_guard_ends_with_its_scope),
	KUNIT_CASE(a_guard_ends_at_a_return),
	KUNIT_CASE(two_guards_are_two),
	KUNIT_CASE(interrupts_are_as_before),
	KUNIT_CASE(interrupts_are_off_and_on),
	KUNIT_CASE(a_scope_is_run_once),
	KUNIT_CASE(a_scope_ends_at_a_return),
	KUNIT_CASE(each_is_given_back_its_own_way),
	KUNIT_CASE(nothing_is_not_given_back),
	KUNIT_CASE(what_is_passed_on_is_kept),
	{ }
};

struct kunit_suite compat_cleanup_suite = {
	.name = "compat_cleanup",
	.test_cases = cleanup_tests,
};
