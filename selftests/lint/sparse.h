/* SPDX-License-Identifier: GPL-2.0-only */
/* For sparse, whose preprocessor does not know this operator yet. */
#define __has_include(header) 1
