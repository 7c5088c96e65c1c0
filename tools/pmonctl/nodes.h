/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_NODES_H
#define PMONCTL_NODES_H

/*
 * The NUMA node whose memory a controller of a package has, by the controller's
 * number; -1 where that is not known.
 */
long node_of_controller(unsigned int number, long package);

#endif
