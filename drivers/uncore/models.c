// SPDX-License-Identifier: GPL-2.0-only
/* Which platform a CPU model of Intel's is. */
#include <linux/kernel.h>

#include "platform.h"

/* Family 6 has the others: uncore_platform_find_6(). */
static const struct {
	u8 family;
	u8 model;
	const struct uncore_platform *platform;
} other_models[] = {
	{ 19, 0x01, &uncore_platform_dmr },
	{ 6, 0xcc, &uncore_platform_ptl },	/* Panther Lake */
	{ 6, 0xe5, &uncore_platform_ptl },
	{ 6, 0xd5, &uncore_platform_ptl },	/* Wildcat Lake */
	{ 18, 0x01, &uncore_platform_nvl },	/* Nova Lake */
	{ 18, 0x03, &uncore_platform_nvl },
};

/*
 * Alder, Raptor, Meteor, Arrow and Lunar Lake, Gracemont: MSR 0x201e is among
 * the registers of boxes (ADL_UNC_CBO_0_PERFEVTSEL0 and MTL_UNC_HAC_ARB_CTRL in
 * arch/x86/events/intel/uncore_snb.c of Linux 7.3), and no table's address.
 */
static const u8 plain_models[] = {
	0x97, 0x9a, 0xbe, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xc5, 0xc6, 0xbd,
};

/**
 * uncore_platform_find() - the platform of a CPU model
 * @family: CPU family
 * @model: CPU model
 *
 * Return: NULL if the model is not known.
 */
const struct uncore_platform *uncore_platform_find(u8 family, u8 model)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(other_models); i++)
		if (other_models[i].family == family &&
		    other_models[i].model == model)
			return other_models[i].platform;
	return family == 6 ? uncore_platform_find_6(model) : NULL;
}

/**
 * uncore_platform_guess() - what a CPU model that is not known may be
 * @family: CPU family
 * @model: CPU model
 *
 * Return: a platform whose units have no names.
 */
const struct uncore_platform *uncore_platform_guess(u8 family, u8 model)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(plain_models); i++)
		if (family == 6 && plain_models[i] == model)
			return &uncore_platform_plain;
	return &uncore_platform_unknown;
}
