// SPDX-License-Identifier: GPL-2.0-only
/*
 * From event terms to the words that a driver gets.
 */
#include "encoding.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

static bool parse_word(const char **s, unsigned int *word)
{
	static const char config[] = "config";

	if (strncmp(*s, config, strlen(config)))
		return false;
	*s += strlen(config);
	*word = 0;
	if (isdigit((unsigned char)**s))
		*word = (unsigned int)(*(*s)++ - '0');
	return *word < CONFIG_WORDS && *(*s)++ == ':';
}

static bool parse_bit(const char **s, unsigned long *bit)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return false;
	*bit = strtoul(*s, &end, 10);
	*s = end;
	return *bit < 64;
}

bool term_parse(struct term *t, const char *format)
{
	unsigned long first, last;

	*t = (struct term){ .bits = 0 };
	if (!parse_word(&format, &t->word))
		return false;
	for (;; format++) {
		if (!parse_bit(&format, &first))
			return false;
		last = first;
		if (*format == '-' && (format++, !parse_bit(&format, &last)))
			return false;
		for (; first <= last && t->bits < 64; first++)
			t->at[t->bits++] = (unsigned char)first;
		if (*format != ',')
			break;
	}
	return !*format;
}

bool term_includes(const struct term *b, const struct term *a,
		   unsigned int control_bits)
{
	for (unsigned int i = 0; i < a->bits; i++) {
		if (!a->word && a->at[i] >= control_bits)
			continue;
		if (i >= b->bits || a->at[i] != b->at[i])
			return false;
	}
	return a->word == b->word;
}

static bool put(const struct term *t, uint64_t value,
		uint64_t config[CONFIG_WORDS])
{
	if (t->bits < 64 && value >> t->bits)
		return false;
	for (unsigned int i = 0; i < t->bits; i++)
		config[t->word] |= (value >> i & 1) << t->at[i];
	return true;
}

/* A term without a value is 1 for perf; one that is no number is not known. */
static bool parse_value(const char *text, uint64_t *value)
{
	char *end;

	*value = 1;
	if (!text)
		return true;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

/* "config=0x1" and "config2=0x1" are whole words, which need no format. */
static bool put_word(const char *name, const char *value,
		     uint64_t config[CONFIG_WORDS])
{
	unsigned int word = 0;
	uint64_t number;

	if (strncmp(name, "config", strlen("config")))
		return false;
	name += strlen("config");
	if (*name >= '1' && *name <= '3')
		word = (unsigned int)(*name++ - '0');
	if (*name || !value || !parse_value(value, &number))
		return false;
	config[word] |= number;
	return true;
}

static bool put_term(const struct pmu *pmu, char *text,
		     uint64_t config[CONFIG_WORDS])
{
	char *value = strchr(text, '=');
	const char *format;
	uint64_t number;
	struct term t;

	if (value)
		*value++ = '\0';
	if (put_word(text, value, config))
		return true;
	format = entries_find(&pmu->format, text);
	return format && term_parse(&t, format) &&
	       parse_value(value, &number) && put(&t, number, config);
}

bool event_encode(const struct pmu *pmu, const char *event,
		  uint64_t config[CONFIG_WORDS])
{
	char *copy = xstrdup(event), *save, *term;
	bool good = true;

	memset(config, 0, CONFIG_WORDS * sizeof(*config));
	for (term = strtok_r(copy, ",", &save); term && good;
	     term = strtok_r(NULL, ",", &save))
		good = put_term(pmu, term, config);
	free(copy);
	return good;
}
