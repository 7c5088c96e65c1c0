// SPDX-License-Identifier: GPL-2.0-only
/* Test which lines the kernel's log gets, and when the next poll is. */
#include <linux/kernel.h>

#include "../log.h"
#include "model.h"
#include "suites.h"

#define TEXT_SIZE	4000
#define ALL		MODEL_MOST
#define OF_THE_MESH	(MODEL_MOST + 1)

#define HOT		(THERMAL | BIT_ULL(55))
#define PROCHOT		(BIT_ULL(4) | BIT_ULL(57))
#define RAS		BIT_ULL(6)
#define MISC		BIT_ULL(7)
#define EVER		900000

struct line_case {
	const char *name;
	struct {
		unsigned int module, from, ms;	/* begin after 3 s of polls */
		u64 bits;
	} limits[5];
	unsigned int period_ms, until_ms;
	unsigned int modules;	/* 0: 43 */
	const char *lines;	/* "SECONDS TEXT" */
};

static const struct line_case line_cases[] = {
	{ "a limit of 5 ms is told at once, what begins within its minute after it",
	  { { 7, 0, 5, HOT }, { ALL, 2000, EVER, PROCHOT }, { 3, 2000, EVER, RAS } },
	  100, 600000, 0,
	  "0 core7 limited by THERMAL_PER_CORE\n"
	  "60 core3 limited by RAS; die: 43 of 43 modules limited by PLATFORM_PROCHOT\n" },
	{ "all modules are counted before the line",
	  { { ALL, 0, EVER, PROCHOT } }, 1000, 600000, 0,
	  "1 die: 43 of 43 modules limited by PLATFORM_PROCHOT\n" },
	{ "all modules are counted where the driver reads a few in each poll",
	  { { ALL, 0, EVER, POWER }, { ALL, 30000, EVER, PROCHOT } }, 100, 600000, 0,
	  "30 die: 43 of 43 modules limited by PLATFORM_PROCHOT\n" },
	{ "at long intervals modules are read every 100 ms until all were",
	  { { ALL, 30000, EVER, PROCHOT } }, 10000, 100000, 128,
	  "32 die: 128 of 128 modules limited by PLATFORM_PROCHOT\n" },
	{ "at long intervals a poll comes when the minute is over",
	  { { 7, 0, 5, HOT }, { 3, 26000, EVER, RAS } }, 25000, 200000, 0,
	  "25 core7 limited by THERMAL_PER_CORE\n"
	  "85 core3 limited by RAS\n" },
	{ "the die of one module",
	  { { ALL, 0, EVER, PROCHOT } }, 1000, 100000, 1,
	  "1 core0 limited by PLATFORM_PROCHOT\n" },
	{ "a few modules by the first of them",
	  { { 5, 0, EVER, HOT }, { 3, 0, EVER, HOT }, { 40, 0, EVER, HOT } },
	  100, 100000, 0, "0 core3 and 2 others limited by THERMAL_PER_CORE\n" },
	{ "a fault that ends before its line is told as ended, once",
	  { { 7, 0, EVER, HOT }, { 5, 5000, 700, MISC } }, 100, 600000, 0,
	  "0 core7 limited by THERMAL_PER_CORE\n"
	  "60 core5 limited by MISC (ended)\n" },
	{ "a fault that comes and goes is told once, and again after a minute without",
	  { { 7, 0, 500, HOT }, { 8, 20000, 500, HOT }, { 7, 50000, 500, HOT },
	    { 9, 200000, 500, HOT } }, 100, 600000, 0,
	  "0 core7 limited by THERMAL_PER_CORE\n"
	  "200 core9 limited by THERMAL_PER_CORE\n" },
	{ "what the die alone has",
	  { { OF_THE_MESH, 0, 5000, THERMAL } }, 100, 100000, 0,
	  "0 die limited by THERMAL\n" },
	{ "limits that are no faults are not told",
	  { { ALL, 0, EVER, POWER | BIT_ULL(42) }, { ALL, 0, EVER, FREQUENCY } },
	  100, 300000, 0, "" },
	{ "a limit set by a BMC",
	  { { ALL, 0, EVER, POWER | BIT_ULL(44) } }, 100, 100000, 0,
	  "0 die: 43 of 43 modules limited by POWER_PKG_PL1_PCS\n" },
};

static void line_case_desc(const struct line_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", c->name);
}

KUNIT_ARRAY_PARAM(line, line_cases, line_case_desc);

/* Poll as plr_domain_work() does; collect the lines after @begin_ns. */
static void poll_and_log(struct model *model, struct plr_log *log,
			 unsigned int period_ms, u64 begin_ns, u64 until_ns, char *text)
{
	static char line[PLR_REASONS_SIZE];
	unsigned int ms = period_ms;
	size_t len = strlen(text);

	while (model_now() < until_ns) {
		model_pass(model, ms * MS);
		plr_monitor_poll(&model->monitor, period_ms * MS);
		if (plr_log_line(log, &model->monitor, line, sizeof(line)))
			len += scnprintf(text + len, TEXT_SIZE - len, "%llu %s\n",
					 (model_now() - begin_ns) / (1000 * MS), line);
		ms = plr_next_ms(log, &model->monitor, period_ms);
		KUNIT_EXPECT_LE(model->test, ms, period_ms);
	}
}

static void lines_are_of_states(struct kunit *test)
{
	const struct line_case *c = test->param_value;
	struct model *model = model_new_die(test, c->modules ?: MODEL_MODULES);
	char *text = kunit_kzalloc(test, TEXT_SIZE, GFP_KERNEL);
	struct plr_log *log = kunit_kzalloc(test, sizeof(*log), GFP_KERNEL);
	struct model_limit limits[ARRAY_SIZE(c->limits)] = {};
	unsigned int i;
	u64 begin_ns;

	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_ASSERT_NOT_NULL(test, log);
	model->latency_ns = MS / 10;
	poll_and_log(model, log, c->period_ms, 0, model_now() + 3000 * MS, text);
	KUNIT_EXPECT_STREQ(test, text, "");
	begin_ns = model_now();
	for (i = 0; i < ARRAY_SIZE(limits) && c->limits[i].ms; i++) {
		limits[i].module = c->limits[i].module;
		limits[i].bits = c->limits[i].bits;
		limits[i].from_ns = begin_ns + MS + c->limits[i].from * MS;
		limits[i].to_ns = limits[i].from_ns + c->limits[i].ms * MS;
	}
	model->limits = limits;
	model->limit_count = i;
	poll_and_log(model, log, c->period_ms, begin_ns, begin_ns + c->until_ms * MS,
		     text);
	KUNIT_EXPECT_STREQ(test, text, c->lines);
}

static struct kunit_case plr_log_cases[] = {
	/* contract: log */
	KUNIT_CASE_PARAM(lines_are_of_states, line_gen_params),
	{}
};

struct kunit_suite plr_log_suite = {
	.name = "plr_log",
	.test_cases = plr_log_cases,
};
