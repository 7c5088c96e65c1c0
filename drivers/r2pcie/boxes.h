/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Define the boxes of Xeon E5 v1 to v4 and E7 v2 to v4: R2PCIe, between ring
 * and PCIe, and the link layer of QPI. Pure: no device is accessed.
 */
#ifndef PMON_R2PCIE_BOXES_H
#define PMON_R2PCIE_BOXES_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/box.h>

#define R2_COUNTERS	4
#define R2_BOX_CTL	0xf4

enum r2_kind {
	R2_KIND_R2PCIE,	/* between ring and PCIe; one per package */
	R2_KIND_QPI,	/* link layer of QPI; one per port */
};

#define R2_KINDS	2

/* QPI ports of a package, at most */
#define R2_PORTS	3

/* ov_rp: an overflow of R2PCIe was not cleared */
#define R2_STATUS_OVERFLOW	BIT(26)

/* The boxes of a processor generation; arrays are by kind */
struct r2_generation {
	const char *name;	/* v1 to v4, as in the names of processors */
	u16 ubox;	/* PCI device ID of the Ubox */
	u16 status;	/* MSR with %R2_STATUS_OVERFLOW, or 0 */
	u8 width[R2_KINDS];	/* bits of a counter */
	struct pmon_protocol box_control[R2_KINDS];
	const struct pmon_type *type[R2_KINDS];	/* events and terms */
};

/* A PCI function with the registers of a box */
struct r2_function {
	u16 device;	/* PCI device ID; 0 ends the table */
	const struct r2_generation *generation;
	enum r2_kind kind;
	u8 port;	/* below R2_PORTS; 0 for R2PCIe */
};

extern const struct r2_function r2_functions[];

const struct r2_function *r2_function_find(u16 device);
void r2_layout(const struct r2_function *function,
	       struct pmon_counter counter[R2_COUNTERS],
	       struct pmon_layout *layout);

/*
 * sockets.c: each socket has a Ubox, a PCI function with the socket's node ID
 * and a map of nodes to groups. Groups are numbered like packages.
 */

/* Offsets of Ubox registers in configuration space */
#define R2_UBOX_NODE	0x40
#define R2_UBOX_MAP	0x54

/* Groups in the map, three bits each */
#define R2_GROUPS	8
/* Further Uboxes are ignored. */
#define R2_UBOXES_MAX	16

/* Registers of a Ubox; all ones if unresponsive */
struct r2_ubox {
	u16 segment;
	u8 bus;
	u32 node;	/* node ID register */
	u32 map;	/* map register */
};

int r2_socket(const struct r2_ubox *ubox, unsigned int count, u16 segment,
	      u8 bus, const char **reason);

#endif
