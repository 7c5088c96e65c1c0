// SPDX-License-Identifier: GPL-2.0-only
/* Adds limits as JSON: rows, power, and each part of each domain with its record. */
#include "reasons.h"

static void json_reasons(const char *name, uint64_t mask)
{
	json_list(name)
		for_each_reason(bit, mask)
			json_text(NULL, plr_reason_name(bit));
}

static void json_part(const struct scope *p, bool now_only)
{
	const struct history *h = &p->history;

	json_members("name %s ?cpus %s ?error %s", p->name, p->cpus,
		     p->error ? error_name(p->error) : NULL);
	if (!p->error && !now_only)
		json_reasons("reasons", p->reasons);
	if (p->known)
		json_reasons("now", p->now);
	if (p->monitored)
		json_reasons("active", p->active);
	if (p->cleared)
		json_reasons("cleared", p->cleared);
	if (h->seen)
		json_list("history")
			for_each_reason(bit, h->seen)
				json_element("reason %s last_ns %ld limited_ns %ld count %ld "
					     "since_ns %ld observed_ns %ld", plr_reason_name(bit),
					     (long)h->last[bit], (long)h->limited[bit],
					     h->counted ? (long)h->count[bit] : -1,
					     h->since[bit] ? (long)h->since[bit] : -1,
					     h->owned ? (long)h->observed[bit] : -1);
}

/* Adds a domain with its scopes, unless it has none. */
static void json_domain(const struct domain *d, const struct scopes *all)
{
	const struct scope *p = all->scope, *end = p + all->count;

	while (p < end && p->domain != d)
		p++;
	if (p == end)
		return;
	json_map(NULL) {
		json_domain_members(d);
		json_list("parts")
			for (; p < end; p++)
				if (p->domain == d)
					json_map(NULL)
						json_part(p, all->now_only);
	}
}

void plr_json(const struct machine *m, const struct scopes *all, struct powers *powers)
{
	long long now = clock_boot_ns();

	if (now)
		json_number("uptime_ns", (long)now);
	rows_json(all);
	powers_json(powers);
	json_list("domains")
		for_each_item(d, m->domain, m->domains)
			json_domain(d, all);
}
