/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Define operators of the newest compilers for sparse, which lacks them. Without them the
 * kernel's Makefile disables sparse, or an error silences its warnings.
 */
#define __has_include(header) 1
#define __typeof_unqual__ __typeof__
#define __builtin_strlen(string) (sizeof(string) - 1)
