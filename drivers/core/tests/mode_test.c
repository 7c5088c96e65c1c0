// SPDX-License-Identifier: GPL-2.0-only
/* contract: parameters unknown guest */
/* Check the texts of modes, and which modes a machine permits. */
#include <linux/kernel.h>

#include <pmon/mode.h>

#include "suites.h"

static void three_words_are_modes(struct kunit *test)
{
	enum pmon_mode mode;

	KUNIT_EXPECT_TRUE(test, pmon_mode_parse("on", &mode));
	KUNIT_EXPECT_EQ(test, mode, PMON_MODE_ON);
	KUNIT_EXPECT_TRUE(test, pmon_mode_parse("observe", &mode));
	KUNIT_EXPECT_EQ(test, mode, PMON_MODE_OBSERVE);
	KUNIT_EXPECT_TRUE(test, pmon_mode_parse("off", &mode));
	KUNIT_EXPECT_EQ(test, mode, PMON_MODE_OFF);
}

/* Reject all other texts, even the last two, which files named `mode` show. */
static void no_other_text_is_a_mode(struct kunit *test)
{
	static const char * const text[] = {
		"", "o", "onn", "on ", "On", "Y", "1", "offf", "observ",
		"observer", "hypervisor", "unknown-model",
	};
	enum pmon_mode mode = PMON_MODE_OBSERVE;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(text); i++)
		KUNIT_EXPECT_FALSE_MSG(test, pmon_mode_parse(text[i], &mode),
				       "\"%s\"", text[i]);
	KUNIT_EXPECT_EQ(test, mode, PMON_MODE_OBSERVE);
}

static void mode_follows_model_and_hypervisor(struct kunit *test)
{
	static const struct {
		enum pmon_mode requested;
		bool is_virtual;
		bool is_known;
		enum pmon_mode mode;
		const char *text;
	} row[] = {
		{ PMON_MODE_ON, false, true, PMON_MODE_ON, "on" },
		{ PMON_MODE_ON, false, false, PMON_MODE_UNKNOWN_MODEL,
		  "unknown-model" },
		{ PMON_MODE_ON, true, true, PMON_MODE_HYPERVISOR,
		  "hypervisor" },
		/* the model does not matter in a virtual machine */
		{ PMON_MODE_ON, true, false, PMON_MODE_HYPERVISOR,
		  "hypervisor" },
		{ PMON_MODE_OBSERVE, false, true, PMON_MODE_OBSERVE,
		  "observe" },
		{ PMON_MODE_OBSERVE, true, false, PMON_MODE_OBSERVE,
		  "observe" },
		{ PMON_MODE_OFF, false, true, PMON_MODE_OFF, "off" },
		{ PMON_MODE_OFF, true, false, PMON_MODE_OFF, "off" },
	};
	enum pmon_mode mode;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		mode = pmon_mode_here(row[i].requested, row[i].is_virtual,
				      row[i].is_known);
		KUNIT_EXPECT_EQ_MSG(test, mode, row[i].mode, "row %zu", i);
		KUNIT_EXPECT_STREQ(test, pmon_mode_text(mode), row[i].text);
	}
}

static struct kunit_case mode_cases[] = {
	KUNIT_CASE(three_words_are_modes),
	KUNIT_CASE(no_other_text_is_a_mode),
	KUNIT_CASE(mode_follows_model_and_hypervisor),
	{}
};

struct kunit_suite pmon_mode_suite = {
	.name = "pmon_mode",
	.test_cases = mode_cases,
};
