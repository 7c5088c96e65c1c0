// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the boxes have their registers, and what starts and stops them.
 *
 * Counters and their width are the manual's (Intel Xeon Processor E5-2600 v2
 * Uncore Performance Monitoring Reference Manual, 329468-002, 2.9.2). Its page
 * with the box's own registers was not at hand: offsets are those that the
 * kernel's driver has for all PCI boxes of these processors, and the bits of
 * the box control those of Cbos, home agents and memory controllers in the
 * manual (pages 33, 56 and 79), which are the same in all three.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "boxes.h"
#include "types.h"

#define R2_CTR0		0xa0
#define R2_CTL0		0xd8
#define R2_BOX_CTL	0xf4

/* The events "clockticks". */
#define R2_CLOCKTICKS		0x01
#define R2_QPI_CLOCKTICKS	0x14

/*
 * What counters 0 and 1 alone can count, or counter 0, is most of R2PCIe's
 * events. The manual's note has ring events on counters 2 and 3 (2.9.2).
 */
#define R2_PREFERRED	(BIT(2) | BIT(3))

#define R2_RESET_CTLS	BIT(0)
#define R2_RESET_CTRS	BIT(1)
#define R2_FREEZE	BIT(8)

/*
 * Versions 1, 3 and 4, as the kernel's driver writes it: the box takes part in
 * a freeze of all. On version 2 software must write 1 to both bits, or
 * behaviour is undefined (page 33).
 */
#define R2_TAKES_PART	BIT(16)
#define R2_MUST_BE_ONE	(BIT(16) | BIT(17))

/*
 * R2PCIe adds up to 31 in a cycle (2.9.2: 5 bits), which is 2^37 a second at
 * 4.4 GHz. QPI adds up to 128, at an eighth of the transfer rate. Another
 * program or firmware may reset a box that counts.
 */
#define R2_RATE_LOG2	37

#define R2_PROTOCOL(_always, _rate) {				\
	.freeze = (_always) | R2_FREEZE,			\
	.reset = (_always) | R2_FREEZE | R2_RESET_CTLS | R2_RESET_CTRS, \
	.run = (_always),					\
	.bytes = 4,						\
	.rate_log2 = (_rate),					\
}

#define R2_PROTOCOLS(_always) {					\
	[R2_KIND_R2PCIE] = R2_PROTOCOL(_always, R2_RATE_LOG2),	\
	[R2_KIND_QPI] = R2_PROTOCOL(_always, 0),		\
}

#define R2_WIDTHS(_r2pcie) {					\
	[R2_KIND_R2PCIE] = (_r2pcie), [R2_KIND_QPI] = 48,	\
}

static const struct r2_generation v1 = {
	.name = "v1", .ubox = 0x3ce0, .width = R2_WIDTHS(44),
	.protocol = R2_PROTOCOLS(R2_TAKES_PART),
	.type = { &r2_type_v1, &r2_qpi_type },
};

static const struct r2_generation v2 = {
	.name = "v2", .ubox = 0x0e1e, .status = 0xc01, .width = R2_WIDTHS(44),
	.protocol = R2_PROTOCOLS(R2_MUST_BE_ONE),
	.type = { &r2_type_v2, &r2_qpi_type_v2 },
};

static const struct r2_generation v3 = {
	.name = "v3", .ubox = 0x2f1e, .width = R2_WIDTHS(48),
	.protocol = R2_PROTOCOLS(R2_TAKES_PART),
	.type = { &r2_type_v3, &r2_qpi_type },
};

static const struct r2_generation v4 = {
	.name = "v4", .ubox = 0x6f1e, .width = R2_WIDTHS(48),
	.protocol = R2_PROTOCOLS(R2_TAKES_PART),
	.type = { &r2_type_v3, &r2_qpi_type },
};

/*
 * By device id. R2PCIe's function comes first of each version: it identifies
 * the processor.
 */
const struct r2_function r2_functions[] = {
	{ 0x3c43, &v1, R2_KIND_R2PCIE, 0 },
	{ 0x3c41, &v1, R2_KIND_QPI, 0 },
	{ 0x3c42, &v1, R2_KIND_QPI, 1 },
	{ 0x0e34, &v2, R2_KIND_R2PCIE, 0 },
	{ 0x0e32, &v2, R2_KIND_QPI, 0 },
	{ 0x0e33, &v2, R2_KIND_QPI, 1 },
	{ 0x0e3a, &v2, R2_KIND_QPI, 2 },
	{ 0x2f34, &v3, R2_KIND_R2PCIE, 0 },
	{ 0x2f32, &v3, R2_KIND_QPI, 0 },
	{ 0x2f33, &v3, R2_KIND_QPI, 1 },
	{ 0x2f3a, &v3, R2_KIND_QPI, 2 },
	{ 0x6f34, &v4, R2_KIND_R2PCIE, 0 },
	{ 0x6f32, &v4, R2_KIND_QPI, 0 },
	{ 0x6f33, &v4, R2_KIND_QPI, 1 },
	{ 0x6f3a, &v4, R2_KIND_QPI, 2 },
	{}
};

/**
 * r2_function_find() - what a PCI function of Intel's is
 * @device: its device id
 *
 * Return: the row, or NULL when it is none of these boxes.
 */
const struct r2_function *r2_function_find(u16 device)
{
	const struct r2_function *function;

	for (function = r2_functions; function->device; function++)
		if (function->device == device)
			return function;
	return NULL;
}

/**
 * r2_layout() - where a box has its registers
 * @function: the box
 * @counter: gets the counters
 * @layout: gets the layout; it points to @counter
 */
void r2_layout(const struct r2_function *function,
	       struct pmon_counter counter[R2_COUNTERS],
	       struct pmon_layout *layout)
{
	const struct r2_generation *generation = function->generation;
	unsigned int i;

	for (i = 0; i < R2_COUNTERS; i++)
		counter[i] = (struct pmon_counter){
			.ctr = R2_CTR0 + 8 * i, .ctl = R2_CTL0 + 4 * i,
			.width = generation->width[function->kind],
			.kind = PMON_COUNTER_ANY,
		};
	*layout = (struct pmon_layout){
		.protocol = &generation->protocol[function->kind],
		.counter = counter, .counters = R2_COUNTERS, .ctl_bytes = 4,
		.box_ctl = R2_BOX_CTL, .prefer = R2_PREFERRED,
		.clock = R2_ENABLE | (function->kind == R2_KIND_QPI ?
				      R2_QPI_CLOCKTICKS : R2_CLOCKTICKS),
	};
}
