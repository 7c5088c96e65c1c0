/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For sparse, which does not know these operators of the newest compilers: without
 * them the kernel's Makefile would leave it out, or an error silence its warnings.
 */
#define __has_include(header) 1
#define __typeof_unqual__ __typeof__
#define __builtin_strlen(string) (sizeof(string) - 1)
