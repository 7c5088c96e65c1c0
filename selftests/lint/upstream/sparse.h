/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operators of the newest compilers that sparse lacks: without them the kernel's Makefile
 * disables sparse, or an error silences its warnings.
 */
#define __has_include(header) 1
#define __typeof_unqual__ __typeof__
#define __builtin_strlen(string) (sizeof(string) - 1)
