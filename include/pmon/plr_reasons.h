/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Name the performance limit reasons, for sysfs, traces and tools.
 *
 * A PLR value has 64 bits: coarse reasons in the low half, fine reasons in the
 * high half (PLR TPMI interface, PLR_MAILBOX_DATA).
 */
#ifndef PMON_PLR_REASONS_H
#define PMON_PLR_REASONS_H

#include <linux/bits.h>
#include <linux/types.h>

#define PLR_REASON_BITS		64
#define PLR_COARSE_MASK		GENMASK_ULL(31, 0)
#define PLR_FINE_MASK		GENMASK_ULL(63, 32)

/* Buffer size for plr_reasons_format(): all names and a terminator fit. */
#define PLR_REASONS_SIZE	1280

/*
 * Kinds of reasons, the worst last: a turbo limit, normal on a loaded host; a
 * limit by design or by a setting; a fault, or a limit by somebody out of band.
 */
enum plr_reason_kind { PLR_NORMAL, PLR_LIMIT, PLR_FAULT };

bool plr_reasons_use_cpu(unsigned int family, unsigned int model);
const char *plr_reason_name(unsigned int bit);
int plr_reason_bit(const char *name, size_t len);
int plr_reason_coarse(unsigned int bit);
u64 plr_reasons_coarse(void);
u64 plr_reasons_of_kind(enum plr_reason_kind kind);
unsigned int plr_gate_bit(unsigned int bit);
u64 plr_gate_reasons(u64 gate);
int plr_reasons_parse(const char *text, size_t len, u64 *mask);
size_t plr_reasons_format(u64 value, char *buf, size_t size);

#endif /* PMON_PLR_REASONS_H */
