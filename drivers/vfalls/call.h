/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of the hypervisor: version, status, trying again (vf_perf_api 1.11,
 * section 3.2). Pure.
 */
#ifndef PMON_VFALLS_CALL_H
#define PMON_VFALLS_CALL_H

#include <linux/types.h>

#define VFALLS_GROUP		0x205
#define VFALLS_GET_PERFREG	0x106
#define VFALLS_SET_PERFREG	0x107

/* Status of calls, numbered as sun4v hypervisors do. */
enum vfalls_status {
	VFALLS_EOK = 0,
	VFALLS_EINVAL = 6,
	VFALLS_EBADTRAP = 7,
	VFALLS_EWOULDBLOCK = 9,
	VFALLS_ENOACCESS = 10,
	VFALLS_ENOTSUPPORTED = 13,
};

/* How often a call is made that would block, before it is given up. */
#define VFALLS_TRIES		16

/**
 * struct vfalls_hv - how the hypervisor is called
 * @get: VFALLS_GET_PERFREG; what it returns is the status, and @value changes
 *	only with VFALLS_EOK
 * @set: VFALLS_SET_PERFREG, likewise
 * @blocked: a call would have blocked; @last: and was given up. In any context
 */
struct vfalls_hv {
	unsigned long (*get)(unsigned long reg, u64 *value);
	unsigned long (*set)(unsigned long reg, u64 value);
	void (*blocked)(bool last);
};

/* A status as a Linux error. */
int vfalls_error(unsigned long status);

/*
 * Read or write a register. Returns 0 or an error, which is -EAGAIN after
 * VFALLS_TRIES calls that would have blocked. In any context.
 */
int vfalls_get(const struct vfalls_hv *hv, unsigned int reg, u64 *value);
int vfalls_set(const struct vfalls_hv *hv, unsigned int reg, u64 value);

/**
 * vfalls_negotiate() - agree on a version of the API
 * @enlist: sun4v_hvapi_register()
 * @minor: gets the minor version; the major one is 1
 *
 * Asks for 1.1, and then for 1.0. Where another driver has the group already
 * its version is what there is, higher or lower.
 *
 * Return: 0 or -ENODEV; to be undone when it is 0.
 */
int vfalls_negotiate(int (*enlist)(unsigned long group, unsigned long major,
				   unsigned long *minor),
		     unsigned int *minor);

#endif
