// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's table of reasons in user space. The only file that sees the
 * stand-ins for kernel headers.
 */
#include "reasons.h"

#include <inttypes.h>
#include <pmon/plr_reasons.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "files.h"
#include "hardware.h"
#include "output.h"
#include "pmonctl.h"

/* The parts that the driver starts with: Granite Rapids. */
#define FAMILY 6
#define MODEL 0xad

static bool anything_is_recorded(void)
{
	struct names all FREED_BY(names_free) = sysfs_entries("/sys/class/pmon");
	bool any = false;

	for (size_t i = 0; i < all.count; i++)
		any = any || strstr(all.name[i], "-dom");
	return any;
}

void reasons_begin(void)
{
	long family = cpu_number("cpu family"), model = cpu_number("model");

	if (family >= 0 && model >= 0 &&
	    !plr_reasons_use_cpu((unsigned int)family, (unsigned int)model) &&
	    !anything_is_recorded())
		plr_reasons_use_cpu(FAMILY, MODEL);
}

const char *reason_name(unsigned int bit)
{
	return plr_reason_name(bit);
}

int reason_coarse(unsigned int bit)
{
	int coarse = plr_reason_coarse(bit);

	return coarse < 0 ? -1 : coarse;
}

bool reasons_parse(const char *text, uint64_t *mask)
{
	u64 value = 0;

	if (strcmp(text, "none") && plr_reasons_parse(text, strlen(text), &value))
		return false;
	*mask = value;
	return true;
}

char *reasons_text(uint64_t mask)
{
	char text[PLR_REASONS_SIZE];

	plr_reasons_format(mask, text, sizeof(text));
	return xstrdup(text);
}

uint64_t reasons_brief(uint64_t mask)
{
	uint64_t implied = 0;

	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		int coarse = reason_coarse(bit);

		if (mask >> bit & 1 && coarse >= 0 && (unsigned int)coarse != bit)
			implied |= 1ULL << coarse;
	}
	return mask & ~implied;
}

uint64_t reasons_of_turbo(void)
{
	uint64_t mask = 0;

	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		int coarse = reason_coarse(bit);

		if (coarse >= 0 && !strcmp(reason_name((unsigned int)coarse), "FREQUENCY"))
			mask |= 1ULL << bit;
	}
	return mask;
}

void json_reasons(const char *name, uint64_t mask)
{
	char *words FREED = reasons_text(mask);

	if (!mask)
		*words = '\0';
	json_strings(name, words);
}

/*
 * What the reasons mean, and where to look. Meanings are those of the PLR TPMI
 * interface, tables "Coarse Grained" and "Fine Grained PLR Bit Definition";
 * Documentation/admin-guide/plr.rst has them at length.
 */

#define FINE(bit) (32 + (bit))

/* Which limit of power, and through which interface it was set. */
#define PL(bit, whose, limit, interface) \
	[FINE(bit)] = { whose " power limit " limit ", set by " interface, \
			NULL }
#define MSR_TPMI "MSR or TPMI (software, firmware)"
#define MMIO "MMIO (software, firmware)"
#define PCS "PCS, out of band (BMC)"

/* A fine reason without a remedy of its own has that of its coarse one. */
static const struct {
	const char *meaning, *remedy;
} meanings[REASON_BITS] = {
	[0] = { "turbo ratio limit for this many active cores",
		"normal when many cores work; fewer active ones run faster" },
	[1] = { "maximum current of the package (ICCmax), or MT-Pmax",
		"heavy vector code on many cores: spread or shift the work" },
	[2] = { "power limit of the socket or the platform (RAPL)",
		"compare the limits in /sys/class/powercap with the part's TDP" },
	[3] = { "temperature: thermal throttling",
		"fans, air flow, heat sink; temperatures with: sensors, ipmitool sdr" },
	[4] = { "PROCHOT from the board, or a hot voltage regulator",
		"the BMC's event log: power supplies, regulators, their cooling" },
	[5] = { "a companion die, such as a PCH, limits the frequency",
		"the BMC's event log; firmware settings of the platform" },
	[6] = { "reliability: the frequency is lowered because of errors",
		"corrected errors: rasdaemon, mcelog, dmesg; replace the part" },
	[7] = { "out-of-band software, such as a BMC",
		"whoever manages the BMC: power capping, profiles" },
	[8] = { "Speed Select: core power, base or turbo frequency",
		"intel-speed-select perf-profile info; priorities of the cores" },
	[9] = { "dynamic frequency capping",
		"uncore limits: /sys/devices/system/cpu/intel_uncore_frequency" },
	[FINE(0)] = { "turbo ratio limit, index 0", NULL },
	[FINE(1)] = { "turbo ratio limit, index 1", NULL },
	[FINE(2)] = { "turbo ratio limit, index 2", NULL },
	[FINE(3)] = { "turbo ratio limit, index 3", NULL },
	[FINE(4)] = { "turbo ratio limit, index 4", NULL },
	[FINE(5)] = { "turbo ratio limit, index 5", NULL },
	[FINE(6)] = { "favoured core turbo: this core is not a favoured one",
		      "move what must be fast to a favoured core" },
	[FINE(7)] = { "turbo ratio limit set out of band (BMC)",
		      "whoever manages the BMC: turbo limits, profiles" },
	[FINE(8)] = { "MT-Pmax: peak power of many busy cores", NULL },
	[FINE(9)] = { "fast RAPL: power rose too steeply for the slow loop",
		      "short bursts; smooth the load, or raise power limit 2" },
	PL(10, "package", "1 (long term)", MSR_TPMI),
	PL(11, "package", "1 (long term)", MMIO),
	PL(12, "package", "1 (long term)", PCS),
	PL(13, "package", "2 (short term)", MSR_TPMI),
	PL(14, "package", "2 (short term)", MMIO),
	PL(15, "package", "2 (short term)", PCS),
	PL(16, "platform", "1 (long term)", MSR_TPMI),
	PL(17, "platform", "1 (long term)", MMIO),
	PL(18, "platform", "1 (long term)", PCS),
	PL(19, "platform", "2 (short term)", MSR_TPMI),
	PL(20, "platform", "2 (short term)", MMIO),
	PL(21, "platform", "2 (short term)", PCS),
	[FINE(23)] = { "temperature of this core", NULL },
	[FINE(24)] = { "uncore frequency scaling: dynamic frequency capping",
		       NULL },
	[FINE(25)] = { "PROCHOT: the board asked to slow down", NULL },
	[FINE(26)] = { "a voltage regulator is hot", NULL },
	[FINE(29)] = { "P-state limit set out of band (PCS, a BMC)", NULL },
};

/* What a bit means on a part that has another name for it. */
static const struct {
	const char *name, *meaning, *remedy;
} others[] = {
	{ "ICCMAX", "maximum current (ICCmax), by dynamic frequency capping",
	  "heavy vector code on many cores: spread or shift the work" },
	{ "POWER_PKG_PL1_CSR",
	  "package power limit 1 (long term), set by the BIOS", NULL },
	{ "POWER_PKG_PL2_CSR",
	  "package power limit 2 (short term), set by the BIOS", NULL },
	{ "POWER_PLATFORM_PL1_CSR",
	  "platform power limit 1 (long term), set by the BIOS", NULL },
	{ "POWER_PLATFORM_PL2_CSR",
	  "platform power limit 2 (short term), set by the BIOS", NULL },
	{ "CURRENT_RACL", "limit of the running average of the current",
	  NULL },
	{ "ICCMAX_MODULE_LEVEL",
	  "maximum current (ICCmax) of this module, by dynamic frequency capping",
	  NULL },
	{ "RAS_MODULE_LEVEL", "reliability, of this module", NULL },
};

#define OTHERS (sizeof(others) / sizeof(*others))

/* Its place in others[], or OTHERS. */
static size_t other(unsigned int bit)
{
	size_t i = 0;

	while (i < OTHERS && strcmp(others[i].name, reason_name(bit)))
		i++;
	return i;
}

/* A number: "COARSE9"; names end in a letter, or in a digit of their own. */
static bool is_number(const char *name)
{
	size_t stem = strcspn(name, "0123456789");

	return (stem == strlen("COARSE") && !strncmp(name, "COARSE", stem)) ||
	       (stem == strlen("FINE") && !strncmp(name, "FINE", stem));
}

const char *reason_meaning(unsigned int bit)
{
	size_t i = other(bit);

	if (i < OTHERS)
		return others[i].meaning;
	if (is_number(reason_name(bit)))
		return "not known of this CPU model";
	if (reason_coarse(bit) < 0 || !meanings[bit].meaning)
		return "no meaning in the public specification";
	return meanings[bit].meaning;
}

static const char *reason_remedy(unsigned int bit)
{
	int coarse = reason_coarse(bit);
	size_t i = other(bit);

	if (coarse < 0)
		return "please report it, with the CPU model";
	if (i < OTHERS && others[i].remedy)
		return others[i].remedy;
	if (i == OTHERS && meanings[bit].remedy)
		return meanings[bit].remedy;
	return (unsigned int)coarse == bit ? meanings[bit].remedy :
					     reason_remedy((unsigned int)coarse);
}

void reasons_add_meanings(struct text *t, uint64_t mask)
{
	for (unsigned int bit = 0; bit < REASON_BITS; bit++)
		if (mask >> bit & 1)
			text_add(t, "%s\n    %s\n    %s\n", reason_name(bit),
				 reason_meaning(bit), reason_remedy(bit));
}

/*
 * pmonctl explain: what a reason means, or those in a register that something else
 * has read.
 */

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
	struct text t FREED_BY(text_free) = { NULL, 0 };
	uint64_t one;

	if (!parse_reason(word, &one)) {
		char *names FREED = reasons_text(value);

		if (is_refusal(value))
			text_add(&t, "0x%016" PRIx64 ": no reasons: the device is gone, "
				 "or firmware has blocked reads\n", value);
		else
			text_add(&t, "0x%016" PRIx64 ": %s\n", value, names);
	}
	if (!is_refusal(value))
		reasons_add_meanings(&t, value);
	print_text(stdout, t.s);
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
		complain("explain: which value? For example: pmonctl explain 0x0000040000000004");
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < opt->words; i++)
		if (!parse(opt->word[i], &value))
			return STATUS_USAGE;
	if (opt->json) {
		json_document();
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
