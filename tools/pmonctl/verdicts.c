// SPDX-License-Identifier: GPL-2.0-only
#include "verdicts.h"

#include <stdarg.h>
#include <stdlib.h>

#include "clock.h"
#include "output.h"
#include "signals.h"
#include "table.h"

/* A signal is noticed within this time. */
#define STEP_MS 100

static const char *const words[] = {
	[PASSED] = "PASS", [UNTESTED] = "-", [FAILED] = "FAIL",
};

void verdict_add(struct verdicts *v, enum judgement outcome, const char *test,
		 const char *fmt, ...)
{
	struct verdict one = { test, outcome, NULL };
	struct text t = { NULL, 0 };
	va_list ap;

	va_start(ap, fmt);
	text_vadd(&t, fmt, ap);
	va_end(ap);
	one.observed = t.s;
	v->verdict = xrealloc(v->verdict, (v->count + 1) * sizeof(one));
	v->verdict[v->count++] = one;
}

enum judgement verdicts_worst(const struct verdicts *v)
{
	enum judgement worst = PASSED;

	for (size_t i = 0; i < v->count; i++)
		if (v->verdict[i].outcome > worst)
			worst = v->verdict[i].outcome;
	return worst;
}

void verdicts_print(const struct verdicts *v)
{
	static const char *const head[] = {
		"VERDICT", "TEST", "OBSERVED", NULL
	};
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < v->count; i++) {
		table_cell(&t, "%s", words[v->verdict[i].outcome]);
		table_cell(&t, "%s", v->verdict[i].test);
		table_cell(&t, "%s", v->verdict[i].observed);
	}
	table_print(&t);
}

void verdicts_json(const struct verdicts *v)
{
	static const char *const names[] = {
		[PASSED] = "pass", [UNTESTED] = "untested", [FAILED] = "fail",
	};

	json_open("verdicts", '[');
	for (size_t i = 0; i < v->count; i++) {
		json_open(NULL, '{');
		json_text("test", v->verdict[i].test);
		json_text("verdict", names[v->verdict[i].outcome]);
		json_text("observed", v->verdict[i].observed);
		json_close('}');
	}
	json_close(']');
}

void verdicts_free(struct verdicts *v)
{
	for (size_t i = 0; i < v->count; i++)
		free(v->verdict[i].observed);
	free(v->verdict);
	*v = (struct verdicts){ NULL, 0, 0 };
}

bool verdicts_go_on(const struct verdicts *v)
{
	return !signals_waiting() && clock_ms() < v->end;
}

bool verdicts_pause(const struct verdicts *v, long long ms)
{
	long long end = clock_ms() + ms;

	while (verdicts_go_on(v)) {
		long long left = end - clock_ms();

		if (left <= 0)
			return true;
		clock_pause_ms(left < STEP_MS ? left : STEP_MS);
	}
	return false;
}
