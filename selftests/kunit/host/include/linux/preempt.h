/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#define preempt_disable()	do { } while (0)
#define preempt_enable()	do { } while (0)
