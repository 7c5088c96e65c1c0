/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: nothing is to be replaced. */
