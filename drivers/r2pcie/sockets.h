/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which socket a bus belongs to. Each socket has a Ubox, a PCI function that
 * knows the number of its node and which node is which group; groups are
 * numbered as processor packages are. Pure.
 */
#ifndef PMON_R2PCIE_SOCKETS_H
#define PMON_R2PCIE_SOCKETS_H

#include <linux/types.h>

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
