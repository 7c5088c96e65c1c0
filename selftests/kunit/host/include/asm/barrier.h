/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#define smp_rmb()	__asm__ __volatile__("" : : : "memory")
#define smp_wmb()	__asm__ __volatile__("" : : : "memory")
