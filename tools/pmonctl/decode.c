// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl decode: the reasons in a register that something else has read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "pmonctl.h"
#include "reasons.h"
#include "table.h"

/* Registers are dumped in hexadecimal, with or without the 0x. */
static bool parse_register(const char *text, uint64_t *value)
{
	const char *digits = text;

	if (digits[0] == '0' && (digits[1] | 0x20) == 'x')
		digits += 2;
	if (!*digits || strlen(digits) > 16 ||
	    strspn(digits, "0123456789abcdefABCDEF") != strlen(digits)) {
		complain("%s: not a register; 1 to 16 hexadecimal digits are, "
			 "such as 0x0000040000000004", text);
		return false;
	}
	*value = strtoull(digits, NULL, 16);
	return true;
}

/* What a device that is gone or blocked reads as. */
static bool is_refusal(uint64_t value)
{
	return value == UINT64_MAX;
}

/* Several reasons may call for the same: it is said once, for the first. */
static void print_remedies(uint64_t value)
{
	const char *said[REASON_BITS];
	size_t count = 0, i;

	say_nothing();
	say("Look at");
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		if (!(value >> bit & 1))
			continue;
		said[count] = reason_remedy(bit);
		for (i = 0; strcmp(said[i], said[count]); i++)
			;
		if (i < count)
			continue;
		say("  %s: %s", reason_name(bit), said[count++]);
	}
}

static void print_meanings(uint64_t value)
{
	static const char *const head[] = { "BIT", "REASON", "MEANING", NULL };
	struct table t;

	table_start_headed(&t, head);
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		if (!(value >> bit & 1))
			continue;
		table_cell(&t, "%u", bit);
		table_cell(&t, "%s", reason_name(bit));
		table_cell(&t, "%s", reason_meaning(bit));
	}
	say_nothing();
	table_print(&t);
}

static void print_value(uint64_t value)
{
	char *names = reasons_text(value);

	if (is_refusal(value)) {
		say("0x%016" PRIx64 ": no reasons: the device is gone, or "
		    "firmware has blocked reads", value);
	} else {
		say("0x%016" PRIx64 ": %s", value, names);
		if (value) {
			print_meanings(value);
			print_remedies(value);
		}
	}
	free(names);
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

enum status cmd_decode(const struct options *opt)
{
	enum status status = STATUS_FINE;
	uint64_t value;

	if (!opt->words) {
		complain("decode: which value? For example: pmonctl decode "
			 "0x0000040000000004");
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < opt->words; i++)
		if (!parse_register(opt->word[i], &value))
			return STATUS_USAGE;
	if (opt->json) {
		json_open(NULL, '{');
		json_number("format", 1);
		json_open("values", '[');
	}
	for (size_t i = 0; i < opt->words; i++) {
		parse_register(opt->word[i], &value);
		if (is_refusal(value))
			status = STATUS_DEGRADED;
		if (opt->json)
			json_value(value);
		else
			print_value(value);
		if (!opt->json && i + 1 < opt->words)
			say_nothing();
	}
	if (opt->json) {
		json_close(']');
		json_close('}');
	}
	return status;
}
