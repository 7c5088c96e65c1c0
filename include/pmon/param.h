/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Define module parameters whose text never fails a load. A failed load frees
 * the tracepoints of the module, although perf may have opened one. So the
 * module's init parses the text. If the text is invalid, the module logs a line
 * and stays loaded, inactive.
 */
#ifndef PMON_PARAM_H
#define PMON_PARAM_H

#include <linux/moduleparam.h>

#include <pmon/mode.h>

/**
 * struct pmon_param - text of a parameter
 * @text: the text; if cut at @size, the last character is '?'
 * @size: size of @text
 */
struct pmon_param {
	char *text;
	unsigned int size;
};

extern const struct kernel_param_ops pmon_param_ops;

/**
 * PMON_PARAM() - define a parameter, as a string and as a file in sysfs
 * @_name: name of the parameter and of the variable
 * @_size: size of the variable; longer text is cut
 * @_default: default text; a parameter that is given without a value is "Y"
 * @_help: description for modinfo
 */
#define PMON_PARAM(_name, _size, _default, _help)			\
	static char _name[_size] = _default;				\
	static const struct pmon_param pmon_param_##_name = {		\
		.text = _name, .size = sizeof(_name),			\
	};								\
	module_param_cb(_name, &pmon_param_ops,				\
			(void *)&pmon_param_##_name, 0444);		\
	MODULE_PARM_DESC(_name, _help)

bool pmon_check_mode(const char *module, const char *text,
		     enum pmon_mode *mode);
bool pmon_check_flag(const char *module, const char *name, const char *text,
		     bool *flag);

#endif /* PMON_PARAM_H */
