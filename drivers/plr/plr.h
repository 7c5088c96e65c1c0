/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declare the parts of pmon_plr. A front end attaches TPMI devices. Each
 * responding PLR instance of a device has the registers of one power domain. A
 * domain stays until pmon_plr is unloaded, even after its device is detached.
 *
 * Locks, from the outermost to the innermost: the CPU hotplug lock; plr_lock
 * (lists of devices and domains, modules, CPUs, links); plr_domain.lock
 * (registers, mailbox, changes of records). None is held while the PMU is
 * registered or unregistered, or while sysfs waits for readers of a file.
 * No lock is taken by callbacks of perf, nor by files without register access.
 */
#ifndef PMON_PLR_H
#define PMON_PLR_H

#include <linux/auxiliary_bus.h>
#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/seqlock.h>
#include <linux/workqueue.h>

#include <pmon/mode.h>
#include <pmon/plr_reasons.h>
#include <pmon/tpmi.h>

#include "log.h"
#include "residency.h"

/* Range of interval_ms, in ms: about a tick of the kernel to a minute. */
#define PLR_MIN_MS	10
#define PLR_MAX_MS	60000
/* Longest poll interval for the tracepoint and for open perf events, in ms. */
#define PLR_EVENT_MS	100

enum plr_kind { PLR_DIE, PLR_MESH, PLR_MODULE };

struct plr_domain;
struct pmon_boxless_ops;

/* Directory of a die, mesh or module. Fields change under domain->lock. */
struct plr_scope {
	struct kobject kobj;
	struct plr_domain *domain;
	enum plr_kind kind;
	struct plr_record record;
	u64 cached;	/* last value read for a file */
	u64 cached_ns;	/* time of that read; 0: none */
	u64 cleared_ns;	/* end of the last clear; older reads are stale */
	u64 reported;	/* account.active of the last report */
	bool reported_valid;	/* account.active_valid of the last report */
	struct plr_residency residency;	/* PLR_MODULE */
	seqcount_t residency_seq;	/* for readers of @residency */
	struct kernfs_node *reasons, *active;
};

/* Return 1 if firmware blocks writes, 0 if not, or an error; may take 3 s. */
typedef int plr_blocked_t(struct auxiliary_device *auxdev);

/* A TPMI device: pkg<P>-tpmi<N>. */
struct plr_device {
	struct device dev;
	struct list_head node;
	struct pci_dev *pdev;
	struct auxiliary_device *auxdev;	/* NULL with front_pci.c */
	struct pmon_tpmi tpmi;
	phys_addr_t start;			/* address of all instances */
	size_t size;
	void __iomem *base;
	struct pmon_tpmi_region region;		/* offset, stride and count */
	struct delayed_work scan_work;		/* until an instance responds */
	bool logged_unresponsive;		/* "no PLR instance responds" */
	bool scanned;				/* CPUs' modules are known */
	plr_blocked_t *get_blocked;		/* NULL with front_pci.c */
	struct work_struct state_work;		/* calls get_blocked() */
	u64 state_ns;			/* last test of writes; 0: none */
	u64 requested_ns;		/* time of the last request of it */
	u64 request_ns;			/* least time to the next request */
	bool blocked;			/* firmware blocks writes */
};

/* A power domain with PLR: pkg<P>-dom<D>. */
struct plr_domain {
	struct device dev;
	struct list_head node;		/* in plr_domains until unloading */
	u16 package;
	u8 id;
	unsigned int minor;		/* minor version of the interface */
	struct mutex lock;		/* registers, changes of records */
	struct plr_device *device;	/* has the registers; NULL: none */
	struct pmon_regs regs;
	struct plr_mailbox mailbox;
	struct plr_monitor monitor;
	bool suspect;			/* all ones read, or PCI was offline */
	unsigned int interval_ms;	/* of file; 0: poll only for events */
	atomic_t events;		/* open perf events */
	atomic_t reason_events[PLR_REASON_BITS];	/* by gate bit */
	u32 gate;			/* file gate: coarse reasons */
	struct delayed_work work;
	u64 polled_ns;			/* end of the last poll; set by work */
	struct kobject *dir;
	struct plr_scope *die;
	struct plr_scope *mesh;
	struct plr_scope *modules[PLR_MODULES];	/* NULL: no CPU seen yet */
	struct plr_log log;
	char onset[PLR_REASONS_SIZE];	/* text of a trace event or log line */
	char ended[PLR_REASONS_SIZE];
};

/* state.c */
extern enum pmon_mode plr_mode;
extern unsigned int plr_default_ms;
extern bool plr_mesh;
void plr_parse(void);
extern struct mutex plr_lock;
extern struct list_head plr_domains;
struct plr_domain *plr_domain_find(u16 package, u8 id);
struct plr_scope *plr_cpu_module(unsigned int cpu);
void plr_cpu_set_module(unsigned int cpu, struct plr_scope *module);
int plr_cpus_print(char *buf, const struct plr_domain *domain,
		   const struct plr_scope *module);

/* domain.c */
extern const struct plr_wait plr_wait;
void plr_device_set_blocked(struct plr_device *device, bool blocked);
void plr_domain_kick(struct plr_domain *domain);
void plr_domains_kick(void);
void plr_domains_request(unsigned int code);
void plr_domains_release(unsigned int code);
bool plr_domains_are_polled(unsigned int code);
void plr_domain_update(struct plr_domain *domain);
void plr_domain_work(struct work_struct *work);
void plr_domain_report(struct plr_domain *domain);
void plr_scope_notify(struct plr_scope *scope);
int plr_scope_read(struct plr_scope *scope, u64 *value);
int plr_scope_clear(struct plr_scope *scope, u64 mask);

/* sysfs.c */
extern const struct attribute_group *plr_domain_groups[];
extern const struct attribute_group *plr_device_groups[];
extern const struct attribute_group plr_dir_group;
struct plr_scope *plr_scope_create(struct plr_domain *domain,
				   enum plr_kind kind, u8 id);
void plr_scope_remove(struct plr_scope *scope);

/* perf.c; codes of events are those of residency.h */
#define PLR_PERF_EVENT	GENMASK_ULL(6, 0)
void plr_perf_register(void);
void plr_perf_cpu_online(struct plr_scope *scope, int cpu);
void plr_perf_cpu_offline(struct plr_scope *scope, int cpu);

/* task.c */
extern const struct pmon_boxless_ops plr_task_ops;

/* hotplug.c */
int plr_cpus_start(void);
void plr_cpus_stop(void);
void plr_cpus_add(void);

/* device.c */
struct plr_device *plr_device_attach(struct pci_dev *pdev,
				     struct auxiliary_device *auxdev,
				     const struct resource *first,
				     plr_blocked_t *get_blocked);
struct plr_device *plr_device_find(const struct pci_dev *pdev);
void plr_device_detach(struct plr_device *device);
void plr_domains_remove(void);

/* front_tpmi.c or front_pci.c; delays before another try to attach */
#define PLR_RETRY_JIFFIES	(HZ / 10)	/* locked, or PCI error */
#define PLR_D3_JIFFIES		HZ		/* in D3 */
int plr_front_start(void);
void plr_front_stop(void);

#endif /* PMON_PLR_H */
