// SPDX-License-Identifier: GPL-2.0-only
/* Decides which remedies are possible now on this host. */
#include "host.h"

/* Why openpmon's modules are kept out, or NULL. */
static const char *kept_out(void)
{
	char *text = sysfs_read("/proc/cmdline");

	for_each_token(word, text, "\n ")
		if (!strcmp(word, "openpmon.off"))
			return "boot without openpmon.off, which keeps openpmon's modules out";
	return !version_out() ? NULL :
	       "the service keeps openpmon's modules out; pmonctl doctor shows why";
}

struct remedy remedy_now(struct remedy r)
{
	const char *why = r.kind == REMEDY_OURS ? kept_out() : NULL;

	if (why)
		return (struct remedy){ .text = why, .is_barred = true };
	if (r.kind >= REMEDY_ROOT && r.command && !host_may_change())
		r.command = xasprintf("as root: %s", r.command);
	return r;
}

char *remedy_text(struct remedy r)
{
	return r.command ? xasprintf("%s%s%s", r.command, r.text ? " " : "", r.text ? r.text : "") :
	       r.text ? xstrdup(r.text) : NULL;
}

char *remedy_try(struct remedy r)
{
	struct remedy now = remedy_now(r);

	return xasprintf("%s%s", now.is_barred ? "" : "try: ", remedy_text(now));
}

bool has_dpkg(void)
{
	return sysfs_exists("/var/lib/dpkg/status");
}

struct remedy remedy_install(const char *kernel)
{
	if (!sysfs_exists("/var/lib/dpkg/info/openpmon-tools.list"))
		return TELL("in openpmon's sources: make install");
	return TELL(xasprintf("install openpmon-modules-%s, or openpmon-dkms", kernel));
}

struct remedy remedy_load(const char *modules)
{
	char *kernel = module_kernel(), *list = xstrdup(modules);
	struct text names = { NULL, 0 };

	/* A container has no modules.dep.bin, but the host may have the modules. */
	for_each_token(module, list, " ")
		if (module_is_installed(module) || !kernel ||
		    !sysfs_exists("/lib/modules/%s/modules.dep.bin", kernel))
			text_add(&names, " %s", module);
	if (!names.s)
		return remedy_install(kernel);
	return OURS(xasprintf("modprobe%s%s", strchr(names.s + 1, ' ') ? " -a" : "", names.s),
		    NULL);
}
