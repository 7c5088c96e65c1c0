// SPDX-License-Identifier: GPL-2.0-only
/* Parse a driver's requested mode. Replace a mode that the machine forbids. */
#include <linux/export.h>
#include <linux/string.h>

#include <pmon/mode.h>

static const char * const pmon_modes[] = {
	[PMON_MODE_OFF] = "off",
	[PMON_MODE_OBSERVE] = "observe",
	[PMON_MODE_ON] = "on",
	[PMON_MODE_HYPERVISOR] = "hypervisor",
	[PMON_MODE_UNKNOWN_MODEL] = "unknown-model",
};

/* Parse @text: on, observe or off. Sets @mode only if @text is valid. */
bool pmon_mode_parse(const char *text, enum pmon_mode *mode)
{
	enum pmon_mode i;

	for (i = PMON_MODE_OFF; i <= PMON_MODE_ON; i++)
		if (!strcmp(text, pmon_modes[i])) {
			*mode = i;
			return true;
		}
	return false;
}

/**
 * pmon_mode_here() - replace a requested mode that the machine forbids
 * @requested: result of pmon_mode_parse()
 * @is_virtual: the machine is virtual, and no parameter allows virtual machines
 * @is_known: the CPU model is known, or need not be known
 *
 * Return: @requested, or the mode that gives the reason against %PMON_MODE_ON.
 */
enum pmon_mode pmon_mode_here(enum pmon_mode requested, bool is_virtual,
			      bool is_known)
{
	if (requested != PMON_MODE_ON)
		return requested;
	if (is_virtual)
		return PMON_MODE_HYPERVISOR;
	return is_known ? PMON_MODE_ON : PMON_MODE_UNKNOWN_MODEL;
}
EXPORT_SYMBOL_GPL(pmon_mode_here);

/**
 * pmon_mode_text() - get the text of a mode, as in files named `mode`
 * @mode: the mode
 *
 * Return: the text.
 */
const char *pmon_mode_text(enum pmon_mode mode)
{
	return pmon_modes[mode];
}
EXPORT_SYMBOL_GPL(pmon_mode_text);
