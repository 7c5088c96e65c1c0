/* SPDX-License-Identifier: GPL-2.0-only */
/* User space has readq() and writeq() in io.h. */
