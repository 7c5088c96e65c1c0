// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl explain: what a reason means, or those in a register that something else
 * has read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "output.h"
#include "pmonctl.h"
#include "reasons.h"

/* Registers are dumped in hexadecimal, with or without the 0x. */
static bool is_register(const char *text)
{
	const char *digits = text;

	if (digits[0] == '0' && (digits[1] | 0x20) == 'x')
		digits += 2;
	return *digits && strlen(digits) <= 16 &&
	       strspn(digits, "0123456789abcdefABCDEF") == strlen(digits);
}

/* A name, in upper or lower case. */
static bool parse_reason(const char *text, uint64_t *value)
{
	for (unsigned int bit = 0; bit < REASON_BITS; bit++)
		if (!strcasecmp(text, reason_name(bit))) {
			*value = 1ULL << bit;
			return true;
		}
	return false;
}

static bool parse(const char *text, uint64_t *value)
{
	if (parse_reason(text, value))
		return true;
	if (is_register(text)) {
		*value = strtoull(text, NULL, 16);
		return true;
	}
	complain("%s is neither the name of a reason nor a register value: 1 to 16 hex "
		 "digits, such as 0x0000040000000004", text);
	return false;
}

/* What a device that is gone or blocked reads as. */
static bool is_refusal(uint64_t value)
{
	return value == UINT64_MAX;
}

static void print_value(const char *word, uint64_t value)
{
	struct text t = { NULL, 0 };
	uint64_t one;

	if (!parse_reason(word, &one)) {
		char *names = reasons_text(value);

		if (is_refusal(value))
			text_add(&t, "0x%016" PRIx64 ": no reasons: the device is gone, "
				 "or firmware has blocked reads\n", value);
		else
			text_add(&t, "0x%016" PRIx64 ": %s\n", value, names);
		free(names);
	}
	if (!is_refusal(value))
		reasons_add_meanings(&t, value);
	print_text(stdout, t.s);
	text_free(&t);
}

static void json_hex(const char *name, int digits, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%0*" PRIx64, digits, value);
	json_text(name, text);
}

static void json_reason(unsigned int bit)
{
	int coarse = reason_coarse(bit);

	json_open(NULL, '{');
	json_number("bit", (long)bit);
	json_text("name", reason_name(bit));
	json_text("coarse", coarse < 0 ? NULL :
					   reason_name((unsigned int)coarse));
	json_text("meaning", reason_meaning(bit));
	json_text("remedy", reason_remedy(bit));
	json_close('}');
}

static void json_value(uint64_t value)
{
	json_open(NULL, '{');
	json_hex("value", 16, value);
	if (is_refusal(value)) {
		json_text("error", "all ones");
	} else {
		json_hex("coarse", 8, value & UINT32_MAX);
		json_hex("fine", 8, value >> 32);
		json_open("reasons", '[');
		for (unsigned int bit = 0; bit < REASON_BITS; bit++)
			if (value >> bit & 1)
				json_reason(bit);
		json_close(']');
	}
	json_close('}');
}

enum status cmd_explain(const struct options *opt)
{
	enum status status = STATUS_FINE;
	uint64_t value;

	if (!opt->words) {
		complain("explain: which value? For example: pmonctl explain "
			 "0x0000040000000004");
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < opt->words; i++)
		if (!parse(opt->word[i], &value))
			return STATUS_USAGE;
	if (opt->json) {
		json_open(NULL, '{');
		json_number("format", 1);
		json_open("values", '[');
	}
	for (size_t i = 0; i < opt->words; i++) {
		parse(opt->word[i], &value);
		if (is_refusal(value))
			status = STATUS_DEGRADED;
		if (opt->json)
			json_value(value);
		else
			print_value(opt->word[i], value);
		if (!opt->json && i + 1 < opt->words)
			say_nothing();
	}
	if (opt->json) {
		json_close(']');
		json_close('}');
	}
	return status;
}
