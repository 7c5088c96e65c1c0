/* SPDX-License-Identifier: GPL-2.0-only */
/* What a fuzz target offers: libFuzzer's name for it. */
#ifndef SELFTESTS_FUZZ_H
#define SELFTESTS_FUZZ_H

#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#endif
