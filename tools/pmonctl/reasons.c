// SPDX-License-Identifier: GPL-2.0-only
/* Explains reasons by the driver's table, compiled for user space with stand-in kernel headers. */
#include <inttypes.h>
#include <pmon/plr_reasons.h>
#include <strings.h>

#include "reasons.h"

/* Granite Rapids, whose reasons have the names of the specification. */
#define FAMILY 6
#define MODEL 0xad

void reasons_begin(void)
{
	long family = cpu_number("cpu family"), model = cpu_number("model");
	bool recorded = false;

	for_each_name(name, sysfs_entries("/sys/class/pmon"))
		recorded |= !!strstr(name, "-dom");
	if (family < 0 || model < 0 ||
	    (!plr_reasons_use_cpu((unsigned int)family, (unsigned int)model) && !recorded))
		plr_reasons_use_cpu(FAMILY, MODEL);
}

bool reasons_parse(const char *text, uint64_t *mask)
{
	u64 value = 0;

	if (strcmp(text, "none") && plr_reasons_parse(text, strlen(text), &value))
		return false;
	*mask = value;
	return true;
}

int reason_bit(const char *name)
{
	for (int bit = 0; bit < REASON_BITS; bit++)
		if (!strcasecmp(name, plr_reason_name((unsigned int)bit)))
			return bit;
	return -1;
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

	for_each_reason(bit, mask) {
		int coarse = plr_reason_coarse(bit);

		if (coarse >= 0 && (unsigned int)coarse != bit)
			implied |= 1ULL << coarse;
	}
	return mask & ~implied;
}

uint64_t reasons_of(const char *name)
{
	uint64_t mask = 0;

	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		int coarse = plr_reason_coarse(bit);

		if (coarse >= 0 && !strcmp(plr_reason_name((unsigned int)coarse), name))
			mask |= 1ULL << bit;
	}
	return mask;
}

uint64_t reasons_of_turbo(void)
{
	return plr_reasons_of_kind(PLR_NORMAL);
}

uint64_t reasons_of_faults(void)
{
	return plr_reasons_of_kind(PLR_FAULT);
}

static enum plr_reason_kind kind_of(unsigned int bit)
{
	return reasons_of_faults() >> bit & 1 ? PLR_FAULT :
	       reasons_of_turbo() >> bit & 1 ? PLR_NORMAL : PLR_LIMIT;
}

unsigned int reason_rank(unsigned int bit)
{
	int coarse = plr_reason_coarse(bit);

	return (PLR_FAULT - kind_of(bit)) * REASON_BITS +
	       (coarse < 0 ? bit : (unsigned int)coarse);
}

unsigned int reason_take_worst(uint64_t *mask)
{
	unsigned int worst = REASON_BITS;

	for_each_reason(bit, *mask)
		if (worst == REASON_BITS || reason_rank(bit) < reason_rank(worst))
			worst = bit;
	*mask &= ~(1ULL << worst);
	return worst;
}

/* Meanings from the PLR TPMI interface, tables "Coarse Grained" and "Fine Grained PLR Bit". */

/* Each power limit may be set through several interfaces. */
#define LIMIT(name, limit, by, interface, remedy) \
	{ "POWER_" name "_" by, limit ", set by " interface, remedy }
#define LIMITS(name, limit, remedy) \
	LIMIT(name, limit, "MSR_TPMI", "MSR or TPMI (software, firmware)", remedy), \
	LIMIT(name, limit, "MMIO", "MMIO (software, firmware)", remedy), \
	LIMIT(name, limit, "CSR", "the BIOS", remedy), \
	LIMIT(name, limit, "PCS", "PCS, out of band (BMC)", BMC)

#define TURBO(index) { "FREQUENCY_CDYN" index, "turbo ratio limit, index " index, NULL }
#define BMC	"ask who manages the BMC: power capping, turbo limits, profiles"
#define PLATFORM_POWER "the platform's budget (zone psys of powercap): power supplies, the BMC"
#define VECTORS	"heavy vector code on many cores: spread or shift the work"

/* For all CPU models. If a fine reason has no remedy, that of its coarse reason is used. */
static const struct meaning {
	const char *name, *meaning, *remedy;
} meanings[] = {
	{ "FREQUENCY", "turbo ratio limit for this many active cores",
	  "normal when many cores work; fewer active ones run faster" },
	{ "CURRENT", "maximum current of the package (ICCmax), or MT-Pmax", VECTORS },
	{ "POWER", "power limit of the socket or the platform (RAPL)",
	  "compare the limits in /sys/class/powercap with the part's TDP" },
	{ "THERMAL", "temperature: thermal throttling",
	  "fans, air flow, heat sink; temperatures with: sensors, ipmitool sdr" },
	{ "PLATFORM", "PROCHOT from the board, or a hot voltage regulator",
	  "the BMC's event log: power supplies, regulators, their cooling" },
	{ "MCP", "a companion die, such as a PCH, limits the frequency",
	  "the BMC's event log; firmware settings of the platform" },
	{ "RAS", "reliability: the frequency is lowered because of errors",
	  "corrected errors: rasdaemon, mcelog, dmesg; replace the part" },
	{ "MISC", "out-of-band software, such as a BMC", BMC },
	{ "QOS", "Speed Select: core power, base or turbo frequency",
	  "intel-speed-select perf-profile info; priorities of the cores" },
	{ "DFC", "dynamic frequency capping",
	  "uncore limits: /sys/devices/system/cpu/intel_uncore_frequency" },
	{ "ICCMAX", "maximum current (ICCmax), by dynamic frequency capping", VECTORS },
	TURBO("0"), TURBO("1"), TURBO("2"), TURBO("3"), TURBO("4"), TURBO("5"),
	{ "FREQUENCY_FCT", "favoured core turbo", NULL },
	{ "FREQUENCY_PCS_TRL", "turbo ratio limit set out of band (BMC)", BMC },
	{ "CURRENT_MTPMAX", "MT-Pmax: peak power of many busy cores", NULL },
	{ "CURRENT_RACL", "limit of the running average of the current", NULL },
	{ "POWER_FAST_RAPL", "fast RAPL: power rose too steeply for the slow loop",
	  "short bursts; smooth the load, or raise power limit 2" },
	LIMITS("PKG_PL1", "package power limit 1 (long term)", NULL),
	LIMITS("PKG_PL2", "package power limit 2 (short term)", NULL),
	LIMITS("PLATFORM_PL1", "platform power limit 1 (long term)", PLATFORM_POWER),
	LIMITS("PLATFORM_PL2", "platform power limit 2 (short term)", PLATFORM_POWER),
	{ "THERMAL_PER_CORE", "temperature of this core", NULL },
	{ "DFC_UFS", "uncore frequency scaling: dynamic frequency capping", NULL },
	{ "ICCMAX_MODULE_LEVEL",
	  "maximum current (ICCmax) of this module, by dynamic frequency capping", NULL },
	{ "PLATFORM_PROCHOT", "PROCHOT: the board asked to slow down", NULL },
	{ "PLATFORM_HOT_VR", "a voltage regulator is hot", NULL },
	{ "MISC_PCS_PSTATE", "P-state limit set out of band (PCS, a BMC)", NULL },
	{ "RAS_MODULE_LEVEL", "reliability, of this module", NULL },
};

/* Reasons of an unknown CPU model have numbers, such as "COARSE9". */
static const struct meaning *find_meaning(unsigned int bit)
{
	static const struct meaning numbered = { NULL, "not known of this CPU model", NULL };
	static const struct meaning reserved = { NULL, "no meaning in the specification", NULL };
	const char *name = plr_reason_name(bit);

	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (!strcmp(meanings[i].name, name))
			return &meanings[i];
	return strncmp(name, "RSVD_", strlen("RSVD_")) ? &numbered : &reserved;
}

const char *reason_meaning(unsigned int bit)
{
	return find_meaning(bit)->meaning;
}

const char *reason_remedy(unsigned int bit)
{
	const char *remedy = find_meaning(bit)->remedy;
	int coarse = plr_reason_coarse(bit);

	if (coarse < 0)
		return "please report it, with the CPU model";
	return remedy ? remedy : find_meaning((unsigned int)coarse)->remedy;
}

void reasons_add_meanings(struct text *t, uint64_t mask)
{
	for_each_worst(bit, mask)
		text_add(t, "%s\n    %s\n    %s\n", plr_reason_name(bit), reason_meaning(bit),
			 reason_remedy(bit));
}

/* pmonctl explain: meanings of reasons, or of a raw register value. */

/* A reason, or the reasons with @text in their names. Specifications write XX before PROCHOT. */
static uint64_t named(const char *text)
{
	int exact = reason_bit(text);
	uint64_t mask = exact < 0 ? 0 : 1ULL << exact;

	if (!strncasecmp(text, "XX", 2))
		text += 2;
	for (unsigned int bit = 0; bit < REASON_BITS && exact < 0 && strlen(text) > 2; bit++)
		if (strcasestr(plr_reason_name(bit), text))
			mask |= 1ULL << bit;
	return mask;
}

struct word {
	uint64_t value;
	bool named;
};

static bool parse(const char *text, struct word *word)
{
	/* Registers are dumped in hexadecimal, with or without the 0x. */
	const char *digits = text + (strncasecmp(text, "0x", 2) ? 0 : 2);
	size_t len = strspn(digits, "0123456789abcdefABCDEF");
	bool number = len && len <= 16 && !digits[len] && reason_bit(text) < 0;

	word->named = !number;
	word->value = number ? strtoull(text, NULL, 16) : named(text);
	return number || word->value ||
	       complain("%s is neither the name of a reason, or a part of one, nor a register "
			"value: 1 to 16 hex digits, such as 0x0000040000000004", text);
}

/* A register has this value if its device is gone or firmware blocks reads. */
#define ALL_ONES UINT64_MAX

static void print_value(const struct word *word)
{
	struct text t = { NULL, 0 };

	if (!word->named)
		text_add(&t, "0x%016" PRIx64 ": %s\n", word->value, word->value != ALL_ONES ?
			 reasons_text(word->value) :
			 "no reasons: the device is gone, or firmware has blocked reads");
	if (word->value != ALL_ONES)
		reasons_add_meanings(&t, word->value);
	print_lines(t.s);
}

static void json_reason(unsigned int bit)
{
	static const char *const kinds[] = { "normal", "limit", "fault" };
	int coarse = plr_reason_coarse(bit);

	json_element("bit %ld name %s coarse %s kind %s meaning %s remedy %s", (long)bit,
		     plr_reason_name(bit), coarse < 0 ? NULL :
		     plr_reason_name((unsigned int)coarse), kinds[kind_of(bit)],
		     reason_meaning(bit), reason_remedy(bit));
}

static void json_value(uint64_t value)
{
	json_open(NULL, '{');
	json_text("value", xasprintf("0x%016" PRIx64, value));
	if (value == ALL_ONES) {
		json_text("error", "all ones");
	} else {
		json_members("coarse %s fine %s", xasprintf("0x%08" PRIx32, (uint32_t)value),
			     xasprintf("0x%08" PRIx64, value >> 32));
		json_list("reasons")
			for_each_reason(bit, value)
				json_reason(bit);
	}
	json_close();
}

enum status cmd_explain(const struct options *opt)
{
	struct word *word = xcalloc(opt->words, sizeof(*word));
	enum status status = STATUS_FINE;

	for (unsigned int bit = 0; bit < REASON_BITS && !opt->words && !opt->json; bit++)
		if (find_meaning(bit)->name)
			print_line("%s: %s", plr_reason_name(bit), reason_meaning(bit));
	for (size_t i = 0; i < opt->words; i++) {
		if (!parse(opt->word[i], &word[i]))
			return STATUS_USAGE;
		status = word[i].value == ALL_ONES ? STATUS_DEGRADED : status;
	}
	if (opt->json) {
		json_document();
		json_list("values") {
			for (unsigned int bit = 0; bit < REASON_BITS && !opt->words; bit++)
				if (find_meaning(bit)->name)
					json_value(1ULL << bit);
			for (size_t i = 0; i < opt->words; i++)
				json_value(word[i].value);
		}
		json_close();
		return status;
	}
	for (size_t i = 0; i < opt->words; i++) {
		if (i)
			print_empty_line();
		print_value(&word[i]);
	}
	return status;
}
