/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_H
#define PMONCTL_DOCTOR_H

#include "findings.h"

/* All that doctor looks at; the worst of it. */
enum grade doctor_look(struct findings *f);

#endif
