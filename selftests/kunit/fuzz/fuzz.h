/* SPDX-License-Identifier: GPL-2.0-only */
/* The function of a fuzz target, by libFuzzer's name. */
#ifndef SELFTESTS_FUZZ_H
#define SELFTESTS_FUZZ_H

#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#endif
