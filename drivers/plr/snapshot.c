// SPDX-License-Identifier: GPL-2.0-only
/* The file plr/snapshot: the die and all modules of a domain in one read. */
#include <linux/build_bug.h>
#include <linux/ktime.h>
#include <linux/string.h>

#include <pmon/plr_snapshot.h>

#include "plr.h"

static_assert(PLR_SNAPSHOT_MODULES == PLR_MODULES);

static void plr_snapshot_note(struct plr_scope *scope, int ret, u64 value)
{
	scope->ret = ret;
	if (!ret)
		scope->shown = plr_log_shown(scope->log, value);
}

/* Note which modules to ask. A reader that comes later needs another access. */
static unsigned int plr_snapshot_aim(struct plr_domain *domain)
{
	unsigned int module, count = plr_domain_modules(domain);

	for (module = 0; module < count; module++) {
		plr_scope_begin(domain->watched[module]);
		domain->targets[module] =
			plr_scope_target(domain->watched[module]);
	}

	return count;
}

/* One pass: the die, then each module once. */
static int plr_snapshot_fetch(struct plr_domain *domain)
{
	unsigned int module, count, failed = 0;
	struct plr_pass pass;
	u64 value = 0;
	int ret;

	WRITE_ONCE(domain->snapshots, domain->snapshots + 1);
	plr_scope_begin(domain->die);
	ret = plr_die_read(&domain->mailbox, &value);
	plr_snapshot_note(domain->die, ret, value);
	if (ret)
		return ret;

	count = plr_snapshot_aim(domain);
	if (!count)
		return 0;
	plr_pass_begin(&pass, &domain->mailbox, domain->targets, count);
	plr_pass_run(&pass, domain->mailbox.wait);

	for (module = 0; module < count; module++) {
		struct plr_target *target = &domain->targets[module];

		plr_snapshot_note(domain->watched[module], target->ret,
				  target->value);
		failed += !!target->ret;
	}

	return failed == count ?
		       plr_domain_judge_writes(domain, domain->targets[0].ret,
					       false) :
		       0;
}

static size_t plr_snapshot_fill(struct plr_domain *domain, char *buf)
{
	struct plr_snapshot header = {
		.magic = PLR_SNAPSHOT_MAGIC,
		.size = sizeof(header),
		.package = domain->package,
		.domain = domain->id,
		.time_ns = domain->snapshot_ns,
		.die = domain->die->shown,
	};
	unsigned int module, bound = plr_domain_bound(domain);

	for (module = 0; module < bound; module++) {
		struct plr_scope *scope = plr_core(domain, module);
		u64 value = 0;

		if (scope) {
			header.count = module + 1;
			if (!scope->ret) {
				header.present[module / 64] |=
					BIT_ULL(module % 64);
				value = scope->shown;
			}
		}
		memcpy(buf + sizeof(header) + module * sizeof(value), &value,
		       sizeof(value));
	}
	memcpy(buf, &header, sizeof(header));

	return sizeof(header) + header.count * sizeof(u64);
}

/**
 * plr_snapshot_read() - what the file snapshot holds now
 * @domain: the domain
 * @buf: at least PLR_SNAPSHOT_SIZE bytes
 *
 * Readers that come while a pass is under way share the next one.
 *
 * Return: bytes, or an error when no module could be read.
 */
ssize_t plr_snapshot_read(struct plr_domain *domain, char *buf)
{
	u64 ticket = READ_ONCE(domain->snapshots);
	size_t len = 0;
	int ret;

	if (!plr_domain_reachable(domain))
		return -ENODEV;

	ret = mutex_lock_interruptible(&domain->lock);
	if (ret)
		return ret;
	if (domain->snapshots == ticket) {
		domain->snapshot_ret = plr_snapshot_fetch(domain);
		domain->snapshot_ns = ktime_get_boottime_ns();
	}
	ret = domain->snapshot_ret;
	if (!ret)
		len = plr_snapshot_fill(domain, buf);
	mutex_unlock(&domain->lock);

	return ret ? plr_domain_error(domain, ret) : len;
}
