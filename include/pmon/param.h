/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Module parameters that never keep a module from loading. A module whose
 * tracepoint exists must not fail to load: the kernel shows the tracepoint
 * before it looks at parameters, and frees it with the module although perf
 * may have opened it. So a parameter is kept as text, judged in the module's
 * init, and if it is bad the module says so and stays loaded without doing
 * anything.
 */
#ifndef PMON_PARAM_H
#define PMON_PARAM_H

#include <linux/moduleparam.h>

#include <pmon/mode.h>

/**
 * struct pmon_param - a parameter's text
 * @text: what was given, cut off at @size
 * @size: of @text
 */
struct pmon_param {
	char *text;
	unsigned int size;
};

/* Keep the text: the driver's init parses it, and fails if it is wrong. */
extern const struct kernel_param_ops pmon_param_ops;

/**
 * PMON_PARAM() - a parameter, as a string with its name and as a file
 * @_name: of the parameter and of the variable
 * @_size: longest text that is told apart, with its end
 * @_default: what it is when nothing is given; without a value it is "Y"
 * @_help: for modinfo
 */
#define PMON_PARAM(_name, _size, _default, _help)			\
	static char _name[_size] = _default;				\
	static const struct pmon_param pmon_param_##_name = {		\
		.text = _name, .size = sizeof(_name),			\
	};								\
	module_param_cb(_name, &pmon_param_ops,				\
			(void *)&pmon_param_##_name, 0444);		\
	MODULE_PARM_DESC(_name, _help)

bool pmon_judge_mode(const char *module, const char *text,
		     enum pmon_mode *mode);
bool pmon_judge_flag(const char *module, const char *name, const char *text,
		     bool *flag);

#endif /* PMON_PARAM_H */
