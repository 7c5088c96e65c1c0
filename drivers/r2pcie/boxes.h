/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of the boxes: the interface between ring and PCIe (R2PCIe) of
 * the Xeon E5, versions 1 to 4, and E7, versions 2 to 4, and the link layer of
 * QPI beside it.
 * Pure.
 */
#ifndef PMON_R2PCIE_BOXES_H
#define PMON_R2PCIE_BOXES_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/box.h>

#define R2_COUNTERS	4
#define R2_BOX_CTL	0xf4

/**
 * enum r2_kind - a kind of box
 * @R2_KIND_R2PCIE: the interface between ring and PCIe; one in a package
 * @R2_KIND_QPI: the link layer of QPI; one for each port
 */
enum r2_kind {
	R2_KIND_R2PCIE,
	R2_KIND_QPI,
};

#define R2_KINDS	2

/* Ports of QPI. */
#define R2_PORTS	3

/* ov_rp: a counter of R2PCIe has overflowed, and this was not cleared. */
#define R2_STATUS_OVERFLOW	BIT(26)

/**
 * struct r2_generation - what is the same in all boxes of a generation
 * @name: as Intel numbers them
 * @ubox: device id of the function that says which socket a bus belongs to
 * @status: the MSR with the bit %R2_STATUS_OVERFLOW, or 0
 * @width: bits of a counter, by kind
 * @protocol: values of the box control, by kind
 * @type: what the boxes count, by kind
 */
struct r2_generation {
	const char *name;
	u16 ubox;
	u16 status;
	u8 width[R2_KINDS];
	struct pmon_protocol protocol[R2_KINDS];
	const struct pmon_type *type[R2_KINDS];
};

/**
 * struct r2_function - a PCI function that is a box
 * @device: its device id; 0 ends the table
 * @generation: of the processor
 * @kind: of the box
 * @port: of QPI
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
 * sockets.c: which socket a bus belongs to. Each socket has a Ubox, a PCI
 * function that has the number of its node and which node is which group;
 * groups are numbered as processor packages are.
 */

/* Registers of a Ubox in configuration space. */
#define R2_UBOX_NODE	0x40
#define R2_UBOX_MAP	0x54

/* The map has room for so many groups, and a node's number has three bits. */
#define R2_GROUPS	8
/* More Uboxes than that are not looked at. */
#define R2_UBOXES_MAX	16

/**
 * struct r2_ubox - what a Ubox says
 * @segment: its PCI segment
 * @bus: its bus
 * @node: register of the node's number
 * @map: register of the groups
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
