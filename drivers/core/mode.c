// SPDX-License-Identifier: GPL-2.0-only
/* What a leaf may do: the mode that was asked for, on the machine it is on. */
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

/* Is @text one of on, observe and off? Then @mode is set to it. */
bool pmon_mode_parse(const char *text, enum pmon_mode *mode)
{
	enum pmon_mode i;

	for (i = PMON_MODE_OFF; i <= PMON_MODE_ON; i++) {
		if (!strcmp(text, pmon_modes[i])) {
			*mode = i;
			return true;
		}
	}
	return false;
}

/**
 * pmon_mode_here() - what may be done of what was asked for
 * @requested: as pmon_mode_parse() gave it
 * @is_virtual: this is a virtual machine, and nothing says to serve it
 * @is_known: this CPU model is known, or not knowing it is no obstacle
 *
 * Return: @requested, or why nothing is served although that is PMON_MODE_ON.
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
 * pmon_mode_text() - the word for a mode, as files named mode show it
 * @mode: the mode
 *
 * Return: the word.
 */
const char *pmon_mode_text(enum pmon_mode mode)
{
	return pmon_modes[mode];
}
EXPORT_SYMBOL_GPL(pmon_mode_text);
