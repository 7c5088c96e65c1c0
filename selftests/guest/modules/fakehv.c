// SPDX-License-Identifier: GPL-2.0-only
/*
 * Emulate the hypervisor of a Victoria Falls machine inside the guest: answer
 * the trap instructions of API group 0x205 (vf_perf_api 1.11) and of version
 * negotiation. There are 90 registers; the counters among them run and wrap.
 *
 * UltraSPARC II has software traps of 7 bits, so `ta 0x80' and `ta 0xff' arrive
 * as unknown traps. For these the kernel calls its die notifiers first. While
 * pmon_vfalls detects the machine, tlb_type is sun4v's.
 *
 * /sys/kernel/debug/fakehv/do takes commands, one at a time: see commands[],
 * change() and do_write(). /sys/kernel/debug/fakehv/state has the results.
 */
#include <linux/debugfs.h>
#include <linux/kdebug.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/reboot.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include <asm/hypervisor.h>
#include <asm/pil.h>
#include <asm/spitfire.h>

#define CORE_TRAP	0x17f	/* ta 0xff */
#define FAST_TRAP	0x100	/* ta 0x80 */
#define CORE_SET_VER	0x00

#define GET_PERFREG	0x106
#define SET_PERFREG	0x107

#define REGS		90
#define DRAMS		8
#define UNITS		32
#define PCR_HT		8UL

/* A counter of a unit. @total has 64 bits, even if the counter has 31. */
struct counter {
	u64 total;
	u64 first;	/* @total at the first read since its select changed */
	u64 last;	/* @total at the last read */
	bool fresh;
};

static struct fake {
	long minor;		/* the highest minor version; -1: no API group */
	long nodes;
	long zambezi;		/* whether the machine has Zambezis */
	long deny_ht;
	long block;		/* number of Zambezi calls to refuse as blocked; -1: all */
	long live;		/* steps that pass by themselves in a microsecond */
	u64 live_since;
	unsigned long version;	/* negotiated version: 0x100 + minor; 0: none */
	u64 strand;
	u64 l2;
	u64 select[UNITS];
	struct counter counter[UNITS][2];
	bool deny_get[REGS];
	bool deny_set[REGS];
	unsigned long gets[REGS];
	unsigned long sets[REGS];
	unsigned long calls;
	unsigned long blocked;
	unsigned long illegal;	/* calls that no driver may make */
} fake = {
	.minor = 1, .nodes = 4, .zambezi = 1, .version = 0,
};

static DEFINE_RAW_SPINLOCK(lock);

/* Return the unit of a register, and the number of the register in it. */
static unsigned int unit_of(unsigned int reg, unsigned int *which)
{
	if (reg < 18) {
		*which = (reg - 2) & 1;
		return (reg - 2) >> 1;
	}
	*which = (reg - 18) % 3;
	return DRAMS + (reg - 18) / 3;
}

/* Return how much counter @i of a unit grows in a step. */
static u64 rate(unsigned int unit, unsigned int i)
{
	u64 select = fake.select[unit];

	if (unit < DRAMS)
		return (i ? select & 0xf : select >> 4 & 0xf) + 1;
	return i ? select >> 8 & 0xff : select & 0xff;
}

static void step(u64 n)
{
	unsigned int unit, i;

	for (unit = 0; unit < UNITS; unit++)
		for (i = 0; i < 2; i++)
			fake.counter[unit][i].total += n * rate(unit, i);
}

static void catch_up(void)
{
	u64 now = ktime_get_mono_fast_ns();
	u64 us = (now - fake.live_since) / 1000;

	fake.live_since += us * 1000;
	if (fake.live)
		step(us * fake.live);
}

static u64 look(unsigned int unit, unsigned int i)
{
	struct counter *counter = &fake.counter[unit][i];

	counter->last = counter->total;
	if (counter->fresh)
		counter->first = counter->total;
	counter->fresh = false;
	return counter->total;
}

/* Vary bits 31 and 63 of a pair, because they are undefined. */
static u64 look_at_pair(unsigned int unit)
{
	u64 noise = fake.calls & 1 ? BIT_ULL(63) | BIT_ULL(31) : 0;

	return (look(unit, 0) & GENMASK(30, 0)) << 32 |
	       (look(unit, 1) & GENMASK(30, 0)) | noise;
}

static u64 get(unsigned int reg)
{
	unsigned int unit, which;

	if (reg == 0)
		return fake.strand;
	if (reg == 1)
		return fake.l2;
	unit = unit_of(reg, &which);
	if (!which)
		return fake.select[unit];
	return unit < DRAMS ? look_at_pair(unit) : look(unit, which - 1);
}

/* Take a counter's @first again only if its own bits of the select change. */
static void select_events(unsigned int unit, u64 value)
{
	u64 change = fake.select[unit] ^ value;
	u64 mask0 = unit < DRAMS ? 0xf0 : 0xff;
	u64 mask1 = unit < DRAMS ? 0x0f : 0xff00;

	fake.counter[unit][0].fresh |= !!(change & mask0);
	fake.counter[unit][1].fresh |= !!(change & mask1);
	fake.illegal += !!(value & ~(mask0 | mask1));
	fake.select[unit] = value;
}

static void set(unsigned int reg, u64 value)
{
	unsigned int unit, which;

	if (reg == 0) {
		fake.strand = value;
	} else if (reg == 1) {
		fake.illegal += !!(value & ~3ULL);
		fake.l2 = value & 3;
	} else {
		unit = unit_of(reg, &which);
		/* Drivers have no reason to write a counter. */
		fake.illegal += !!which;
		if (!which)
			select_events(unit, value);
	}
}

static bool is_there(unsigned int reg)
{
	if (reg >= 18)
		return fake.zambezi;
	return reg < 2 || (reg - 2) / 4 < fake.nodes;
}

static bool blocks(unsigned int reg)
{
	if (reg < 18 || !fake.block)
		return false;
	if (fake.block > 0)
		fake.block--;
	fake.blocked++;
	return true;
}

static unsigned long judge(unsigned long reg, const bool *deny)
{
	if (reg >= REGS)
		return HV_EINVAL;
	/* Version 1.0 lacks these registers. */
	if (reg >= 18 && fake.version == 0x100) {
		fake.illegal++;
		return HV_EINVAL;
	}
	if (!is_there(reg))
		return HV_ENOTSUPPORTED;
	if (deny[reg])
		return HV_ENOACCESS;
	return blocks(reg) ? HV_EWOULDBLOCK : HV_EOK;
}

/* Change all registers that a call may change. */
static void clobber(unsigned long *u)
{
	u[UREG_I2] = 0xbad2;
	u[UREG_I3] = 0xbad3;
	u[UREG_I4] = 0xbad4;
	u[UREG_I5] = 0xbad5;
}

static void fast_trap(unsigned long *u)
{
	unsigned long reg = u[UREG_I0], value = u[UREG_I1], status;

	catch_up();
	fake.calls++;
	if (!fake.version)
		fake.illegal++;
	switch (u[UREG_I5]) {
	case GET_PERFREG:
		status = judge(reg, fake.deny_get);
		fake.gets[min(reg, REGS - 1UL)]++;
		u[UREG_I1] = status ? 0xdeadbeefdeadbeefUL : get(reg);
		break;
	case SET_PERFREG:
		status = judge(reg, fake.deny_set);
		/*
		 * The counters' interrupt must be blocked: it writes the PCR.
		 */
		if (!reg && arch_local_save_flags() != PIL_NMI)
			fake.illegal++;
		if (!status && !reg && fake.deny_ht && value & PCR_HT)
			status = HV_ENOACCESS;
		fake.sets[min(reg, REGS - 1UL)]++;
		if (!status)
			set(reg, value);
		break;
	default:
		status = HV_EBADTRAP;
	}
	u[UREG_I0] = status;
	clobber(u);
}

/* Change only %o0 and %o1, as the kernel keeps a pointer in %o4 across this call. */
static void core_trap(unsigned long *u)
{
	unsigned long minor = u[UREG_I2];

	if (u[UREG_I5] != CORE_SET_VER || u[UREG_I0] != HV_GRP_VF_CPU) {
		u[UREG_I0] = HV_EINVAL;
		return;
	}
	if (!u[UREG_I1]) {
		fake.version = 0;
		u[UREG_I0] = HV_EOK;
		return;
	}
	if (fake.minor < 0 || u[UREG_I1] != 1) {
		u[UREG_I0] = fake.minor < 0 ? HV_EINVAL : HV_ENOTSUPPORTED;
		return;
	}
	u[UREG_I0] = HV_EOK;
	u[UREG_I1] = min_t(unsigned long, minor, fake.minor);
	fake.version = 0x100 + u[UREG_I1];
}

/* The real TLB type, while the driver sees sun4v's. */
static enum ultra_tlb_layout real_tlb_type;
static bool pretends;

static void pretend(bool on)
{
	if (on == pretends)
		return;
	if (on)
		real_tlb_type = tlb_type;
	tlb_type = on ? hypervisor : real_tlb_type;
	pretends = on;
}

/*
 * True for a call by which the kernel switches tasks while tlb_type is sun4v's.
 * The call needs no work, as the guest has one program and kernel threads only.
 */
static bool is_the_kernels(const unsigned long *u)
{
	return pretends && u[UREG_I5] != GET_PERFREG &&
	       u[UREG_I5] != SET_PERFREG;
}

static void answer(unsigned long trapnr, unsigned long *u)
{
	unsigned long flags;

	if (trapnr == FAST_TRAP && is_the_kernels(u)) {
		u[UREG_I0] = HV_EOK;
		return;
	}
	pretend(false);
	raw_spin_lock_irqsave(&lock, flags);
	if (trapnr == FAST_TRAP)
		fast_trap(u);
	else
		core_trap(u);
	raw_spin_unlock_irqrestore(&lock, flags);
}

static int trap(struct notifier_block *nb, unsigned long why, void *data)
{
	struct die_args *args = data;
	struct pt_regs *regs = args->regs;

	if (why != DIE_TRAP || !(regs->tstate & TSTATE_PRIV) ||
	    (args->trapnr != FAST_TRAP && args->trapnr != CORE_TRAP))
		return NOTIFY_DONE;

	answer(args->trapnr, regs->u_regs);
	regs->tpc = regs->tnpc;
	regs->tnpc += 4;
	return NOTIFY_STOP;
}

static struct notifier_block trap_notifier = {
	.notifier_call = trap, .priority = INT_MAX,
};

static bool sun4v = true;
module_param(sun4v, bool, 0644);
MODULE_PARM_DESC(sun4v, "pretend to be a sun4v machine");

static int load(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *module = data;

	if (!strcmp(module->name, "pmon_vfalls"))
		pretend(sun4v && state == MODULE_STATE_COMING);
	return NOTIFY_DONE;
}

static struct notifier_block load_notifier = { .notifier_call = load };

static void reset(void)
{
	memset(fake.gets, 0, sizeof(fake.gets));
	memset(fake.sets, 0, sizeof(fake.sets));
	fake.calls = 0;
	fake.blocked = 0;
}

static int enlist(long minor)
{
	unsigned long m = minor;

	return sun4v_hvapi_register(HV_GRP_VF_CPU, 1, &m);
}

static int deny(const char *what, unsigned int reg, bool on)
{
	if (reg >= REGS)
		return -EINVAL;
	(strstr(what, "get") ? fake.deny_get : fake.deny_set)[reg] = on;
	return 0;
}

static const struct {
	const char *name;
	void *value;		/* of 64 bits */
} commands[] = {
	{ "minor", &fake.minor },
	{ "nodes", &fake.nodes }, { "zambezi", &fake.zambezi },
	{ "deny-ht", &fake.deny_ht }, { "block", &fake.block },
	{ "live", &fake.live },
	/* These emulate writes by the kernel or another guest. */
	{ "strand", &fake.strand }, { "l2", &fake.l2 },
};

static int change(const char *name, long value, int on)
{
	unsigned long flags;
	size_t i;
	int ret = -EINVAL;

	raw_spin_lock_irqsave(&lock, flags);
	catch_up();
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name)) {
			*(u64 *)commands[i].value = value;
			ret = 0;
		}
	if (!strcmp(name, "run") || !strcmp(name, "reset")) {
		ret = 0;
		if (name[1] == 'u')
			step(value);
		else
			reset();
	}
	/* Select other events, as another guest would. */
	if (!strcmp(name, "select") && value >= 0 && value < UNITS) {
		select_events(value, on);
		ret = 0;
	}
	if (strstarts(name, "deny-") && ret)
		ret = deny(name, value, on);
	raw_spin_unlock_irqrestore(&lock, flags);
	return ret;
}

static ssize_t do_write(struct file *file, const char __user *from,
			size_t size, loff_t *where)
{
	char text[64] = "", name[16];
	int on = 1;
	long value = 0;
	int ret;

	if (size >= sizeof(text) || copy_from_user(text, from, size))
		return -EINVAL;
	if (sscanf(text, "%15s %li %i", name, &value, &on) < 1)
		return -EINVAL;
	/* "enlist" and "delist" trap into this module, so do not take @lock. */
	if (!strcmp(name, "enlist")) {
		ret = enlist(value);
	} else if (!strcmp(name, "delist")) {
		sun4v_hvapi_unregister(HV_GRP_VF_CPU);
		ret = 0;
	} else {
		ret = change(name, value, on);
	}
	return ret ?: size;
}

static const struct file_operations do_fops = {
	.owner = THIS_MODULE, .write = do_write,
};

static int state_show(struct seq_file *s, void *v)
{
	unsigned int i, unit;

	seq_printf(s, "calls %lu\nblocked %lu\nillegal %lu\nversion 0x%lx\n",
		   fake.calls, fake.blocked, fake.illegal, fake.version);
	seq_printf(s, "strand 0x%llx\nl2 0x%llx\n", fake.strand, fake.l2);
	for (i = 0; i < REGS; i++)
		if (fake.gets[i] | fake.sets[i])
			seq_printf(s, "reg%u %lu %lu\n", i, fake.gets[i],
				   fake.sets[i]);
	for (unit = 0; unit < UNITS; unit++) {
		seq_printf(s, "select%u 0x%llx\n", unit, fake.select[unit]);
		for (i = 0; i < 2; i++)
			seq_printf(s, "counted%u.%u %llu\n", unit, i,
				   fake.counter[unit][i].last -
				   fake.counter[unit][i].first);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(state);

/* Log the registers after all other notifiers, when no program can check them. */
static int reboot(struct notifier_block *nb, unsigned long why, void *data)
{
	pr_emerg("fakehv: at the end l2 0x%llx strand 0x%llx\n", fake.l2,
		 fake.strand);
	return NOTIFY_DONE;
}

static struct notifier_block reboot_notifier = {
	.notifier_call = reboot, .priority = INT_MIN,
};

static struct dentry *dir;

static int __init fakehv_init(void)
{
	unsigned int unit;

	/* Begin as after firmware: events are selected, and counters soon wrap. */
	for (unit = 0; unit < UNITS; unit++) {
		fake.select[unit] = unit < DRAMS ? 0x67 : 0x0102;
		fake.counter[unit][0].total = unit < DRAMS ? 0x7ffffff0 : -16ULL;
		fake.counter[unit][1].total = unit < DRAMS ? 0x7ffffffe : -2ULL;
	}
	fake.strand = 0x71;
	fake.l2 = 1;
	fake.live_since = ktime_get_mono_fast_ns();
	dir = debugfs_create_dir("fakehv", NULL);
	debugfs_create_file("do", 0200, dir, NULL, &do_fops);
	debugfs_create_file("state", 0400, dir, NULL, &state_fops);
	register_module_notifier(&load_notifier);
	register_reboot_notifier(&reboot_notifier);
	return register_die_notifier(&trap_notifier);
}
module_init(fakehv_init);

static void __exit fakehv_exit(void)
{
	unregister_die_notifier(&trap_notifier);
	unregister_reboot_notifier(&reboot_notifier);
	unregister_module_notifier(&load_notifier);
	debugfs_remove_recursive(dir);
}
module_exit(fakehv_exit);

MODULE_DESCRIPTION("Fake hypervisor of a Victoria Falls machine");
MODULE_LICENSE("GPL");
