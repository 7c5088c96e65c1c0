/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_TIME64_H
#define HOST_LINUX_TIME64_H

#define NSEC_PER_SEC 1000000000L

#endif
