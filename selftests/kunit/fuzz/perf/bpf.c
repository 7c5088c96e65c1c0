// SPDX-License-Identifier: GPL-2.0-only
/*
 * A BPF program that reads events of ours where no system call could: at a
 * tick of a clock, in a switch of tasks, while the PMU goes. A kernel without
 * BPF, or one that does not let us, has none of it.
 */
#include <linux/bpf.h>
#include <sys/ioctl.h>

#include "events.h"

#define VALUE		(-24)

#define INSN(c, d, s, o, i) \
	{ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }
#define MAP(fd) \
	INSN(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, fd), \
	INSN(0, 0, 0, 0, 0)
#define NUMBER(r, n)	INSN(BPF_ALU | BPF_MOV | BPF_K, r, 0, 0, n)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##f)

static int map = -1, program[2] = { -1, -1 };

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int make_map(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	attr.key_size = 4;
	attr.value_size = 4;
	attr.max_entries = SLOTS;
	return bpf(BPF_MAP_CREATE, &attr);
}

/* Reads three entries of the map, each in its own way. */
static int load(int type)
{
	struct bpf_insn code[] = {
		MAP(map),
		NUMBER(BPF_REG_2, -1),		/* of this CPU */
		CALL(perf_event_read),
		MAP(map),
		NUMBER(BPF_REG_2, 1),
		CALL(perf_event_read),
		INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, VALUE, 0),
		INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, VALUE + 8, 0),
		INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, VALUE + 16, 0),
		MAP(map),
		NUMBER(BPF_REG_2, -1),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_3, BPF_REG_10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, VALUE),
		NUMBER(BPF_REG_4, sizeof(struct bpf_perf_event_value)),
		CALL(perf_event_read_value),
		NUMBER(BPF_REG_0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = ARRAY_SIZE(code);
	attr.license = (uintptr_t)"GPL";
	return bpf(BPF_PROG_LOAD, &attr);
}

void bpf_setup(void)
{
	if (switched_off("bpf"))
		return;
	map = make_map();
	program[0] = load(BPF_PROG_TYPE_PERF_EVENT);
	program[1] = load(BPF_PROG_TYPE_TRACEPOINT);
}

static int put(uint32_t key, int fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = (uintptr_t)&key;
	if (fd < 0)
		return bpf(BPF_MAP_DELETE_ELEM, &attr);
	attr.value = (uintptr_t)&fd;
	return bpf(BPF_MAP_UPDATE_ELEM, &attr);
}

/* The map keeps its events open. */
void bpf_drop(void)
{
	uint32_t key;

	for (key = 0; map >= 0 && key < SLOTS; key++)
		put(key, -1);
}

long op_bpf_put(void)
{
	unsigned int key = below(SLOTS);
	int slot = odds(75) ? random_slot() : -1;

	doing("bpf map entry %u is %d", key, slot);
	return map < 0 || shared->truce ? -1 : put(key, slot);
}

long op_bpf_attach(void)
{
	unsigned int which = below(2);
	int slot = random_slot();

	doing("bpf program %u to %d", which, slot);
	return ioctl(slot, PERF_EVENT_IOC_SET_BPF, program[which]);
}
