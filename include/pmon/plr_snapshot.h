/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file plr/snapshot: all modules of a domain in one read. In the byte
 * order of the machine. This header compiles in user space, too.
 */
#ifndef PMON_PLR_SNAPSHOT_H
#define PMON_PLR_SNAPSHOT_H

#include <linux/types.h>

#define PLR_SNAPSHOT_MAGIC	0x31524c50	/* "PLR1" */
#define PLR_SNAPSHOT_MODULES	256

/**
 * struct plr_snapshot - what precedes one __u64 per module
 * @magic: PLR_SNAPSHOT_MAGIC
 * @size: bytes of this header, where the values begin
 * @count: values, indexed by module number
 * @package: package id
 * @domain: power domain in the package
 * @reserved: 0
 * @time_ns: boot time of the read
 * @die: reasons of the die
 * @present: bit n is set when value n is that of a module
 */
struct plr_snapshot {
	__u32 magic;
	__u32 size;
	__u32 count;
	__u32 package;
	__u32 domain;
	__u32 reserved;
	__u64 time_ns;
	__u64 die;
	__u64 present[PLR_SNAPSHOT_MODULES / 64];
};

#endif /* PMON_PLR_SNAPSHOT_H */
