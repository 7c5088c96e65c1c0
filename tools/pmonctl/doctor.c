// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl doctor: everything on this host that keeps counters or limits from
 * being seen, and what to do about it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cxl_memory.h"
#include "discovery.h"
#include "doctor.h"
#include "doctor_boxes.h"
#include "doctor_cxl.h"
#include "doctor_host.h"
#include "doctor_nodes.h"
#include "findings.h"
#include "hardware.h"
#include "output.h"
#include "pci.h"
#include "pmonctl.h"
#include "present.h"
#include "sysfs.h"

#define PCI_DIR "/sys/bus/pci/devices"

/* A function that a virtual machine has, or that sleeps, is not touched. */
static void check_function(struct findings *f, const char *name)
{
	char *driver = sysfs_link_name(PCI_DIR "/%s/driver", name);
	char *power = sysfs_read(PCI_DIR "/%s/power_state", name);

	if (driver && (!strcmp(driver, "vfio-pci") ||
		       !strcmp(driver, "pci-stub")))
		found(f, PROBLEM, name, "openpmon does not touch it",
		      "bound to %s, for a virtual machine", driver);
	else if (power && !strncmp(power, "D3", 2))
		found(f, PROBLEM, name, "openpmon does not wake it",
		      "asleep (%s)", power);
	else
		found(f, FINE, name, NULL, "present, driver %s",
		      driver ? driver : "none");
	free(driver);
	free(power);
}

static void check_hardware(struct findings *f)
{
	struct names n = sysfs_children(PCI_DIR, "");

	for (size_t i = 0; i < n.count; i++)
		if (pci_is_discovery(n.name[i]) && !pci_on_root_bus(n.name[i]))
			found(f, NOTE, n.name[i], NULL, "on a card, such as a "
			      "GPU: what it lists is not of this host, and "
			      "ignored");
		else if (pci_is_discovery(n.name[i]))
			check_function(f, n.name[i]);
	names_free(&n);
}

static void check_owners(struct findings *f, const struct machine *m)
{
	size_t foreign = 0, ours = 0, nobody = 0;
	const char *who = NULL;

	for (size_t i = 0; i < m->units; i++) {
		const char *owner = m->unit[i].owner;

		if (!strcmp(owner, "-")) {
			nobody++;
		} else if (!strcmp(owner, "openpmon")) {
			ours++;
		} else {
			foreign++;
			who = owner;
		}
	}
	if (ours)
		found(f, FINE, "boxes", NULL, "%zu driven by openpmon", ours);
	if (foreign)
		found(f, NOTE, "boxes", "pmonctl adopt uncore hands them over",
		      "%zu left to %s", foreign, who);
	if (nobody)
		found(f, NOTE, "boxes", mode_meaning(m->device[0].mode),
		      "%zu listed, and not driven", nobody);
	if (m->rejects)
		found(f, PROBLEM, "boxes", "pmonctl list says why",
		      "%zu rejected", m->rejects);
}

/* Modules answer through the mailbox, so one of them stands for all. */
static int ask_module(const struct domain *d)
{
	char *text;
	int error;

	if (!d->modules)
		return 0;
	text = sysfs_read(CLASS_DIR "/%s/plr/core%u/reasons", d->name,
			  d->module[0]);
	error = text ? 0 : errno;
	free(text);
	return error;
}

static const char *module_remedy(int error)
{
	switch (error) {
	case ETIMEDOUT:
		return "firmware does not serve the mailbox; a restart of the "
		       "host, or of its BMC, may help";
	case EBUSY:
		return "another program holds the mailbox (pcm, a tool that "
		       "maps the registers); end it";
	case EOPNOTSUPP:
		return "firmware has blocked writes; look at its setup, and at "
		       "the BMC";
	case EIO:
		return "firmware has blocked reads; look at its setup, and at "
		       "the BMC";
	default:
		return "pmonctl plr says what to do";
	}
}

static void check_domain(struct findings *f, const struct domain *d)
{
	char *reasons = sysfs_read(CLASS_DIR "/%s/plr/die/reasons", d->name);
	int error = ask_module(d);

	if (error)
		found(f, PROBLEM, d->name, module_remedy(error),
		      "the modules cannot be read (%s)", error_name(error));
	if (!reasons)
		found(f, PROBLEM, d->name, "pmonctl plr says what to do",
		      "the reasons cannot be read");
	else if (!error)
		found(f, FINE, d->name, NULL, "%zu %s, the die says: %s",
		      d->modules, d->modules == 1 ? "module" : "modules",
		      reasons);
	free(reasons);
}

/* One register access for each die, and one mailbox command. */
static void check_limits(struct findings *f, const struct machine *m)
{
	for (size_t i = 0; i < m->domains; i++)
		check_domain(f, &m->domain[i]);
	if (m->domains)
		return;
	if (sysfs_exists("/sys/module/intel_plr_tpmi"))
		found(f, NOTE, "limits", "pmonctl adopt plr hands them over",
		      "left to intel_plr_tpmi");
	else if (m->tpmis)
		found(f, NOTE, "limits", mode_meaning(m->tpmi[0].mode),
		      "not shown");
}

/* A host may have one kind of device that counts, and none of the others. */
static void check_all(struct findings *f)
{
	struct machine m = { 0 };

	machine_read(&m);
	check_hardware(f);
	doctor_host(f, &m);
	check_owners(f, &m);
	doctor_boxes(f, &m);
	doctor_nodes(f, &m);
	check_limits(f, &m);
	doctor_rights(f, &m);
	machine_free(&m);
	doctor_cxl(f);
}

enum grade doctor_look(struct findings *f)
{
	check_all(f);
	return f->worst;
}

enum status cmd_doctor(const struct options *opt)
{
	struct findings f = { .finding = NULL };
	enum status status;

	if (!hardware_present() && !doctor_has_ring() &&
	    !cxl_memory_present())
		return nothing_found(opt->json);
	status = doctor_look(&f) == PROBLEM ? STATUS_DEGRADED : STATUS_FINE;
	if (opt->json)
		findings_json(&f);
	else
		findings_print(&f, opt->verbose);
	findings_free(&f);
	return status;
}
