// SPDX-License-Identifier: GPL-2.0-only
/* contract: setup wrap groups */
/*
 * Check the core with models of several kinds of hardware. Events are added,
 * deleted and read at random, and each must count exactly like the model while
 * the event is on. Accesses that the hardware does not allow fail the test.
 */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "rig.h"
#include "suites.h"

#define MODEL_EVENTS	8
#define ROUNDS		2000

struct model {
	struct kunit *test;
	u64 reg[0x200];		/* by offset / 8 if offsets are bytes */
	u64 seed;
};

struct fit {
	struct model model;
	struct pmon_regs_ops ops;
	struct pmon_box_hw hw;
	struct pmon_hw_counter counter[8];
	struct counted ev[MODEL_EVENTS];
	u64 truth[MODEL_EVENTS];
	u64 rate[MODEL_EVENTS];	/* gain per unit of model time */
	bool on[MODEL_EVENTS];
};

/* Description of a kind of hardware. */
struct kind {
	const char *what;
	const struct pmon_layout *layout;
	const struct pmon_type *type;
	const struct pmon_regs_ops ops;
	void (*run)(struct model *model, u64 n);
	void (*left)(struct model *model, bool released);
	u64 (*config)(unsigned int i);
	u64 (*rate)(unsigned int i);
};

static u64 fit_random(struct model *model)
{
	model->seed = model->seed * 6364136223846793005ULL +
		      1442695040888963407ULL;
	return model->seed >> 33;
}

/* CXL 3.1, 8.2.7: counters with a fixed clock and a free-running counter. */
#define CPMU_BOX	0x18
#define CPMU_CFG(n)	(0x200 + 8 * (n))
#define CPMU_CTR(n)	(0xc00 + 8 * (n))
#define CPMU_ENABLE	0x100
#define CPMU_COUNTERS	5
#define CPMU_CLOCK	0x77
#define CPMU_LINK	0x88

static u64 cpmu_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	struct model *model = regs->priv;

	return model->reg[reg / 8];
}

/* While a counter runs, only a write that stops the counter is allowed. */
static int cpmu_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	struct model *model = regs->priv;
	unsigned int i = (reg - CPMU_CFG(0)) / 8;

	if (reg != CPMU_BOX) {
		KUNIT_EXPECT_LT(model->test, i, CPMU_COUNTERS - 1U);
		KUNIT_EXPECT_TRUE(model->test, model->reg[CPMU_BOX / 8] ||
				  !(model->reg[reg / 8] & val & CPMU_ENABLE));
	}
	model->reg[reg / 8] = val;
	return 0;
}

static void cpmu_release(const struct pmon_regs *regs)
{
	struct model *model = regs->priv;
	unsigned int i;

	for (i = 0; i < 4; i++)
		model->reg[CPMU_CFG(i) / 8] = 0;
	model->reg[CPMU_BOX / 8] = 0;
}

static void cpmu_run(struct model *model, u64 n)
{
	u64 cfg, *ctr = &model->reg[CPMU_CTR(0) / 8];
	unsigned int i;

	ctr[4] = (ctr[4] + 7 * n) & GENMASK_ULL(39, 0);
	if (model->reg[CPMU_BOX / 8])
		return;
	for (i = 0; i < 4; i++) {
		cfg = model->reg[CPMU_CFG(i) / 8];
		if (cfg & CPMU_ENABLE)
			ctr[i] = (ctr[i] + n * (i ? cfg >> 24 : 5)) &
				 GENMASK_ULL(47, 0);
	}
}

/* Check that nothing counts: the box is frozen, or all controls are off. */
static void cpmu_left(struct model *model, bool released)
{
	u64 box = model->reg[CPMU_BOX / 8];
	unsigned int i;

	for (i = 0; !box && i < 4; i++)
		KUNIT_EXPECT_EQ(model->test, model->reg[CPMU_CFG(i) / 8],
				0ULL);
	KUNIT_EXPECT_TRUE(model->test, box == (released ? 0 : box));
	KUNIT_EXPECT_TRUE(model->test, !box || box == ~0ULL);
}

static const struct pmon_protocol cpmu_protocol = {
	.freeze = ~0ULL, .reset = ~0ULL, .bytes = 8, .no_reset = true,
	.rate_log2 = 32,
};

static const struct pmon_counter cpmu_counters[CPMU_COUNTERS] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0),
	  .kind = PMON_COUNTER_FIXED, .config = CPMU_CLOCK,
	  .enable = CPMU_ENABLE },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1) },
	{ .width = 48, .ctl = CPMU_CFG(2), .ctr = CPMU_CTR(2) },
	{ .width = 48, .ctl = CPMU_CFG(3), .ctr = CPMU_CTR(3) },
	{ .width = 40, .ctr = CPMU_CTR(4), .kind = PMON_COUNTER_FREE_RUNNING,
	  .config = CPMU_LINK },
};

static const struct pmon_layout cpmu = {
	.protocol = &cpmu_protocol, .counter = cpmu_counters,
	.counters = CPMU_COUNTERS, .ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

static const struct pmon_protocol running_protocol = {
	.no_reset = true, .rate_log2 = 32,
};

static const struct pmon_layout cpmu_running = {
	.protocol = &running_protocol, .counter = cpmu_counters,
	.counters = CPMU_COUNTERS, .ctl_bytes = 8,
};

/* The control value differs from the config words. */
static int cpmu_encode(const struct pmon_layout *layout, const u64 *config,
		       struct pmon_encoding *encoding)
{
	if (config[0] == CPMU_CLOCK)
		encoding->allowed = BIT_ULL(0);
	else if (config[0] == CPMU_LINK)
		encoding->allowed = BIT_ULL(4);
	else
		encoding->allowed = GENMASK_ULL(3, 1);
	encoding->ctl = config[0] << 24 & 0xff000000;
	return 0;
}

static const struct pmon_type cpmu_type = {
	.ctl_event = 0xff000000, .ctl_set = CPMU_ENABLE, .encode = cpmu_encode,
};

static u64 cpmu_config(unsigned int i)
{
	if (i == 0)
		return CPMU_CLOCK;
	return i == 1 ? CPMU_LINK : i;
}

static u64 cpmu_rate(unsigned int i)
{
	if (i == 0)
		return 5;
	return i == 1 ? 7 : i;
}

/* R2PCIe of Ivy Town: an enable bit in each control, two bits always set. */
#define R2_BOX		0xf4
#define R2_CTL		0xd8
#define R2_CTR		0xa0
#define R2_ENABLE	BIT(22)

static u64 r2_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	struct model *model = regs->priv;

	return model->reg[reg];
}

static int r2_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	struct model *model = regs->priv;
	unsigned int i;

	KUNIT_EXPECT_EQ(model->test, bytes, 4);
	if (reg != R2_BOX) {
		KUNIT_EXPECT_GE(model->test, reg, R2_CTL);
		model->reg[reg] = val;
		return 0;
	}
	KUNIT_EXPECT_EQ(model->test, val & 0x30000, 0x30000ULL);
	for (i = 0; i < 4; i++) {
		if (val & 1)
			model->reg[R2_CTL + 4 * i] = 0;
		if (val & 2)
			model->reg[R2_CTR + 8 * i] = 0;
	}
	model->reg[reg] = val & ~3ULL;
	return 0;
}

static void r2_run(struct model *model, u64 n)
{
	unsigned int i;

	if (model->reg[R2_BOX] & BIT(8))
		return;
	for (i = 0; i < 4; i++) {
		u64 ctl = model->reg[R2_CTL + 4 * i];
		u64 *ctr = &model->reg[R2_CTR + 8 * i];

		if (ctl & R2_ENABLE)
			*ctr = (*ctr + n * (ctl & 0xff)) & GENMASK_ULL(43, 0);
	}
}

static void r2_left(struct model *model, bool released)
{
	KUNIT_EXPECT_EQ(model->test, model->reg[R2_BOX] & 0x30100,
			released ? 0x30000ULL : 0x30100ULL);
}

static const struct pmon_protocol r2_protocol = {
	.freeze = 0x30100, .reset = 0x30103, .run = 0x30000, .bytes = 4,
};

static const struct pmon_counter r2_counters[] = {
	{ .width = 44, .ctl = R2_CTL, .ctr = R2_CTR },
	{ .width = 44, .ctl = R2_CTL + 4, .ctr = R2_CTR + 8 },
	{ .width = 44, .ctl = R2_CTL + 8, .ctr = R2_CTR + 16 },
	{ .width = 44, .ctl = R2_CTL + 12, .ctr = R2_CTR + 24 },
};

static const struct pmon_layout r2 = {
	.protocol = &r2_protocol, .counter = r2_counters, .counters = 4,
	.ctl_bytes = 4, .box_ctl = R2_BOX,
};

static const struct pmon_type r2_type = {
	.ctl_event = 0xff04ffff, .ctl_set = R2_ENABLE,
};

static u64 r2_config(unsigned int i)
{
	return i + 1;
}

static u64 r2_rate(unsigned int i)
{
	return i + 1;
}

#define CPMU_OPS { cpmu_read, cpmu_write, .release = cpmu_release }

static const struct kind kinds[] = {
	{ "CPMU", &cpmu, &cpmu_type, CPMU_OPS, cpmu_run, cpmu_left, cpmu_config,
	  cpmu_rate },
	{ "CPMU that cannot be frozen", &cpmu_running, &cpmu_type,
	  { cpmu_read, cpmu_write, .release = cpmu_release }, cpmu_run, cpmu_left, cpmu_config,
	  cpmu_rate },
	{ "R2PCIe", &r2, &r2_type, { r2_read, r2_write, .split = true },
	  r2_run, r2_left, r2_config, r2_rate },
};

KUNIT_ARRAY_PARAM_DESC(kind, kinds, what);

static struct fit *fit;

static void fit_nothing(struct pmon_box_hw *hw)
{
}

static u64 fit_clock(void)
{
	return fake_time;
}

static const struct pmon_hw_ops fit_ops = {
	.count = offsetof(struct counted, count), .report = fit_nothing,
	.clock = fit_clock,
	.ticks = &fake_time,
	/* each event lasts longer than a second */
	.second = 1,
};

static void fit_encode(struct kunit *test, const struct kind *kind,
		       unsigned int i)
{
	const u64 config[PMON_CONFIG_WORDS] = { kind->config(i) };

	KUNIT_EXPECT_EQ(test, 0,
			pmon_event_encode(&fit->ev[i].event, kind->type,
					  &fit->hw.layout, config));
}

static void fit_setup(struct kunit *test, const struct kind *kind)
{
	struct pmon_regs regs;
	unsigned int i;

	fit = kunit_kzalloc(test, sizeof(*fit), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fit);
	fit->model.test = test;
	fit->model.seed = 1;
	for (i = 0; i < ARRAY_SIZE(fit->model.reg); i++)
		fit->model.reg[i] = fit_random(&fit->model) & 0xffff00ff;
	if (!kind->layout->protocol->bytes)
		fit->model.reg[CPMU_BOX / 8] = 0;
	fit->ops = kind->ops;
	regs = (struct pmon_regs) { .ops = &fit->ops, .priv = &fit->model };
	KUNIT_ASSERT_STREQ(test, pmon_layout_valid(kind->layout, 0) ?: "nothing",
			   "nothing");
	fit->hw.ops = &fit_ops;
	fit->hw.counter = fit->counter;
	fit->hw.ctl_event = kind->type->ctl_event | kind->type->ctl_set;
	pmon_hw_init(&fit->hw, kind->layout, &regs);
	for (i = 0; i < MODEL_EVENTS; i++) {
		fit_encode(test, kind, i);
		KUNIT_ASSERT_NE(test, fit->ev[i].event.allowed, 0ULL);
		fit->rate[i] = kind->rate(i);
	}
}

/* Add or delete event @i; changes wait for apply. */
static void fit_act(unsigned int i)
{
	struct pmon_event *event = &fit->ev[i].event;

	if (!fit->on[i]) {
		fit->on[i] = pmon_hw_add(&fit->hw, event);
	} else {
		pmon_hw_del(&fit->hw, event);
		fit->on[i] = false;
	}
}

static void fit_time(const struct kind *kind)
{
	u64 n = fit_random(&fit->model) % BIT(24) + 1;
	unsigned int i;

	fake_time += 1000000000;
	kind->run(&fit->model, n);
	for (i = 0; i < MODEL_EVENTS; i++)
		if (fit->on[i])
			fit->truth[i] += n * fit->rate[i];
}

static void fit_look(void)
{
	unsigned int i = fit_random(&fit->model) % MODEL_EVENTS;

	switch (fit_random(&fit->model) % 4) {
	case 0:
		pmon_hw_snapshot(&fit->hw, fit_random(&fit->model));
		break;
	case 1:
		pmon_hw_tick(&fit->hw);
		break;
	default:
		if (fit->ev[i].event.counted_on >= 0)
			pmon_hw_read(&fit->hw,
				     BIT_ULL(fit->ev[i].event.counted_on));
	}
	/* as the poll timer does, before a second wrap */
	pmon_hw_read(&fit->hw, fit->hw.active);
}

static void fit_is_exact(struct kunit *test)
{
	const struct kind *kind = test->param_value;
	unsigned int i, round;

	fit_setup(test, kind);
	for (round = 0; round < ROUNDS; round++) {
		for (i = fit_random(&fit->model) % 4; i; i--)
			fit_act(fit_random(&fit->model) % MODEL_EVENTS);
		pmon_hw_apply(&fit->hw);
		fit_time(kind);
		fit_look();
	}
	for (i = 0; i < MODEL_EVENTS; i++) {
		KUNIT_EXPECT_GT(test, fit->truth[i], 0ULL);
		KUNIT_EXPECT_EQ_MSG(test, fit->ev[i].count, fit->truth[i],
				    "event %u", i);
		if (fit->on[i])
			pmon_hw_del(&fit->hw, &fit->ev[i].event);
	}
	pmon_hw_apply(&fit->hw);
	kind->left(&fit->model, false);
	pmon_hw_release(&fit->hw);
	kind->left(&fit->model, true);
	KUNIT_EXPECT_EQ(test, fit->hw.disturbed, 0U);
	KUNIT_EXPECT_EQ(test, fit->hw.refused, 0U);
}

static struct kunit_case fit_tests[] = {
	KUNIT_CASE_PARAM(fit_is_exact, kind_gen_params),
	{ }
};

struct kunit_suite pmon_fit_suite = {
	.name = "pmon_fit",
	.test_cases = fit_tests,
};
