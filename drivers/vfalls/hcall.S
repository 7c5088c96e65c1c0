/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Make hypervisor calls of API group 0x205 (vf_perf_api 1.11, section 3.2). The
 * function number is in %o5, arguments in %o0 and %o1. The hypervisor returns a
 * status in %o0 and a value in %o1. Of other registers it may clobber %o2-%o5.
 */
#include <linux/linkage.h>

#include <asm/hypervisor.h>

#define VFALLS_GET_PERFREG	0x106
#define VFALLS_SET_PERFREG	0x107

	.section .note.GNU-stack, "", @progbits
	.text

/* %o0: register, %o1: pointer. The call changes %o1; %g1 keeps the pointer. */
ENTRY(vfalls_get_perfreg)
	mov	%o1, %g1
	mov	VFALLS_GET_PERFREG, %o5
	ta	HV_FAST_TRAP
	brz,a,pt %o0, 1f
	 stx	%o1, [%g1]
1:	retl
	 nop
ENDPROC(vfalls_get_perfreg)

/* %o0: register, %o1: value */
ENTRY(vfalls_set_perfreg)
	mov	VFALLS_SET_PERFREG, %o5
	ta	HV_FAST_TRAP
	retl
	 nop
ENDPROC(vfalls_set_perfreg)
