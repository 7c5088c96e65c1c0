/* SPDX-License-Identifier: GPL-2.0-only */
/* sparse lacks this operator. */
#define __has_include(header) 1
