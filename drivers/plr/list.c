// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which TPMI devices and domains there are, by their numbers. Each is in the
 * list from before its first file is made until after its last one is deleted,
 * so that another device with the same numbers finds them taken.
 */
#include <linux/list.h>
#include <linux/mutex.h>

#include <compat/cleanup.h>

#include "plr.h"

/*
 * Protects the list, domain[], which domains are @placed, and of these core[];
 * the places of CPUs and their links. CPU hotplug callbacks take it.
 */
DEFINE_MUTEX(plr_lock);
static LIST_HEAD(plr_tpmis);

/**
 * plr_domain_find() - the domain with these numbers
 * @package: package id
 * @id: power domain
 *
 * With plr_lock held.
 *
 * Return: the domain, complete or not, or NULL.
 */
struct plr_domain *plr_domain_find(u8 package, u8 id)
{
	struct plr_tpmi *tpmi;
	unsigned int i;

	lockdep_assert_held(&plr_lock);
	list_for_each_entry(tpmi, &plr_tpmis, node) {
		if (tpmi->info.package != package)
			continue;
		for (i = 0; i < tpmi->count; i++)
			if (tpmi->domain[i] && tpmi->domain[i]->id == id)
				return tpmi->domain[i];
	}

	return NULL;
}

static struct plr_tpmi *plr_tpmi_find(u8 package, u8 partition)
{
	struct plr_tpmi *tpmi;

	lockdep_assert_held(&plr_lock);
	list_for_each_entry(tpmi, &plr_tpmis, node)
		if (tpmi->info.package == package &&
		    tpmi->info.partition == partition)
			return tpmi;

	return NULL;
}

/**
 * plr_domains_any() - is there a domain?
 *
 * Return: whether there is one that is complete.
 */
bool plr_domains_any(void)
{
	struct plr_tpmi *tpmi;
	unsigned int i;

	guard(mutex)(&plr_lock);
	list_for_each_entry(tpmi, &plr_tpmis, node)
		for (i = 0; i < tpmi->count; i++)
			if (tpmi->domain[i] && tpmi->domain[i]->placed)
				return true;

	return false;
}

/**
 * plr_domain_reserve() - take the numbers of a domain
 * @tpmi: its device
 * @instance: which of the device's
 * @domain: the domain; it is in domain[] from here on
 *
 * Return: 0, or -EEXIST when another domain has them.
 */
int plr_domain_reserve(struct plr_tpmi *tpmi, unsigned int instance,
		       struct plr_domain *domain)
{
	guard(mutex)(&plr_lock);
	if (plr_domain_find(domain->package, domain->id))
		return -EEXIST;
	tpmi->domain[instance] = domain;

	return 0;
}

/**
 * plr_domain_cancel() - undo plr_domain_reserve()
 * @tpmi: its device
 * @instance: which of the device's
 *
 * The reference that the caller has to the domain is dropped.
 */
void plr_domain_cancel(struct plr_tpmi *tpmi, unsigned int instance)
{
	struct plr_domain *domain = tpmi->domain[instance];

	scoped_guard(mutex, &plr_lock)
		tpmi->domain[instance] = NULL;
	put_device(&domain->dev);
}

/**
 * plr_tpmi_reserve() - take the numbers of a device
 * @tpmi: the device; it is in the list from here on
 *
 * Return: 0, or -EEXIST when another device has them.
 */
int plr_tpmi_reserve(struct plr_tpmi *tpmi)
{
	guard(mutex)(&plr_lock);
	if (plr_tpmi_find(tpmi->info.package, tpmi->info.partition))
		return -EEXIST;
	list_add_tail(&tpmi->node, &plr_tpmis);

	return 0;
}

/**
 * plr_tpmi_cancel() - undo plr_tpmi_reserve()
 * @tpmi: the device
 */
void plr_tpmi_cancel(struct plr_tpmi *tpmi)
{
	guard(mutex)(&plr_lock);
	list_del(&tpmi->node);
}
