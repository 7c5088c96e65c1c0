/* SPDX-License-Identifier: GPL-2.0-only */
/* Declare the function of a fuzz target, with libFuzzer's name. */
#ifndef SELFTESTS_FUZZ_H
#define SELFTESTS_FUZZ_H

#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#endif
