/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Describe the boxes of Xeon E5 v1 to v4 and E7 v2 to v4: the interface between
 * ring and PCIe (R2PCIe) and the link layer of QPI. Pure.
 */
#ifndef PMON_R2PCIE_BOXES_H
#define PMON_R2PCIE_BOXES_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/box.h>

#define R2_COUNTERS	4
#define R2_BOX_CTL	0xf4

/**
 * enum r2_kind - kind of a box
 * @R2_KIND_R2PCIE: interface between ring and PCIe; one per package
 * @R2_KIND_QPI: link layer of QPI; one per port
 */
enum r2_kind {
	R2_KIND_R2PCIE,
	R2_KIND_QPI,
};

#define R2_KINDS	2

/* Number of QPI ports of a package, at most. */
#define R2_PORTS	3

/* ov_rp: an overflow of a counter of R2PCIe was not cleared. */
#define R2_STATUS_OVERFLOW	BIT(26)

/**
 * struct r2_generation - properties of all boxes of a processor generation
 * @name: version number by Intel
 * @ubox: PCI device ID of the Ubox
 * @status: address of the MSR with the bit %R2_STATUS_OVERFLOW, or 0
 * @width: width of counters in bits, by kind
 * @box_control: values of the box control, by kind
 * @type: events and terms, by kind
 */
struct r2_generation {
	const char *name;
	u16 ubox;
	u16 status;
	u8 width[R2_KINDS];
	struct pmon_protocol box_control[R2_KINDS];
	const struct pmon_type *type[R2_KINDS];
};

/**
 * struct r2_function - a PCI function with the registers of a box
 * @device: PCI device ID; 0 ends the table
 * @generation: generation of the processor
 * @kind: kind of the box
 * @port: QPI port, below R2_PORTS; 0 for R2PCIe
 */
struct r2_function {
	u16 device;
	const struct r2_generation *generation;
	enum r2_kind kind;
	u8 port;
};

extern const struct r2_function r2_functions[];

const struct r2_function *r2_function_find(u16 device);
void r2_layout(const struct r2_function *function,
	       struct pmon_counter counter[R2_COUNTERS],
	       struct pmon_layout *layout);

/*
 * sockets.c: find the socket of a bus. Each socket has a Ubox, a PCI function
 * with the node ID of the socket and a map of nodes to groups. Groups are
 * numbered like processor packages.
 */

/* Offsets of Ubox registers in configuration space: node ID, map. */
#define R2_UBOX_NODE	0x40
#define R2_UBOX_MAP	0x54

/* The map has eight groups, with a node ID of three bits each. */
#define R2_GROUPS	8
/* Further Uboxes are ignored. */
#define R2_UBOXES_MAX	16

/**
 * struct r2_ubox - registers of a Ubox
 * @segment: PCI segment of the Ubox
 * @bus: bus number of the Ubox
 * @node: value of the node ID register; all ones if unresponsive
 * @map: value of the map register; all ones if unresponsive
 */
struct r2_ubox {
	u16 segment;
	u8 bus;
	u32 node;
	u32 map;
};

int r2_socket(const struct r2_ubox *ubox, unsigned int count, u16 segment,
	      u8 bus, const char **reason);

#endif
