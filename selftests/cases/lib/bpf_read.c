// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpf_read [-q] PMU CONFIG CPU [TRACEPOINT [SECONDS]]: have a BPF program read
 * one event of a PMU: at each tick of CPU's clock event, or at each hit of a
 * tracepoint ("msr/read_msr") or of a probe of tracefs ("kprobes/NAME") on CPU.
 * With TRACEPOINT this process also reads the event, in a loop, unless -q is
 * given. Print the BPF helper's return value, the program's last value, and
 * the result of read() at the end.
 */
#include <linux/bpf.h>
#include <sys/ioctl.h>

#include "../../guest/guest.h"

#define TRACING		"/sys/kernel/tracing/events"
#define PERIOD_NS	1000000
#define CPUS_MAX	256
#define RUN_NS		100000000

/* Offsets from the frame pointer: the map's key, and the value after it. */
#define KEY		(-44)
#define VALUE		(-40)
#define COUNTER		(VALUE + 8)

#define INSN(c, d, s, o, i) \
	{ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }
#define MAP(r, fd) \
	INSN(BPF_LD | BPF_DW | BPF_IMM, r, BPF_PSEUDO_MAP_FD, 0, fd)
/* A load of a map takes two instructions. */
#define MAP_END		INSN(0, 0, 0, 0, 0)
#define SET(off, size) \
	INSN(BPF_ST | BPF_MEM | (size), BPF_REG_10, 0, off, 0)
#define FRAME(r)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, r, BPF_REG_10, 0, 0)
#define ADD(r, n)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, r, 0, 0, n)
#define NUMBER(r, n) \
	INSN(BPF_ALU | BPF_MOV | BPF_K, r, 0, 0, n)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##f)

struct result {
	int64_t error;
	struct bpf_perf_event_value read;
};

static int checked(int fd, const char *what)
{
	if (fd < 0)
		die(what);
	return fd;
}

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int make_map(int type, unsigned int size, unsigned int entries)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = size,
		.max_entries = entries,
	};

	return checked(bpf(BPF_MAP_CREATE, &attr), "map");
}

static int load(int events, int results, unsigned int type)
{
	struct bpf_insn program[] = {
		SET(KEY, BPF_W),
		SET(VALUE, BPF_DW), SET(VALUE + 8, BPF_DW),
		SET(VALUE + 16, BPF_DW), SET(VALUE + 24, BPF_DW),
		MAP(BPF_REG_1, events), MAP_END,
		NUMBER(BPF_REG_2, -1),		/* the event of this CPU */
		FRAME(BPF_REG_3), ADD(BPF_REG_3, COUNTER),
		NUMBER(BPF_REG_4, sizeof(struct bpf_perf_event_value)),
		CALL(perf_event_read_value),
		INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_0, VALUE, 0),
		/* Skip the update after an error, as on CPUs without the event. */
		INSN(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 8, 0),
		MAP(BPF_REG_1, results), MAP_END,
		FRAME(BPF_REG_2), ADD(BPF_REG_2, KEY),
		FRAME(BPF_REG_3), ADD(BPF_REG_3, VALUE),
		NUMBER(BPF_REG_4, 0),
		CALL(map_update_elem),
		NUMBER(BPF_REG_0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	static char log[16384];
	union bpf_attr attr = {
		.prog_type = type,
		.insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)log, .log_size = sizeof(log),
		.log_level = 1,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		fputs(log, stderr);
	return checked(fd, "program");
}

static void put(int map, const void *key, const void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)value;
	checked(bpf(BPF_MAP_UPDATE_ELEM, &attr), "value in the map");
}

static int open_event(struct perf_event_attr *attr, int cpu)
{
	attr->size = sizeof(*attr);
	return checked(event_on(attr, cpu, -1), "event");
}

/* Keep the CPU busy, because its clock event does not tick when idle. */
static void work(int cpu, int event, uint64_t ns)
{
	uint64_t end = now_ns() + ns, count;

	if (!pin(cpu))
		die("affinity");
	while (now_ns() < end)
		if (event >= 0 && read(event, &count, sizeof(count)) < 0)
			die("read");
}

/* Open the event that runs the program: the CPU's clock, or a tracepoint. */
static int open_trigger(const char *tracepoint, int cpu)
{
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
	};
	struct perf_event_attr trace = {
		.type = PERF_TYPE_TRACEPOINT, .sample_period = 1,
	};
	char id[16];

	if (!tracepoint)
		return open_event(&clock, cpu);
	if (!read_text(id, sizeof(id), TRACING "/%s/id", tracepoint))
		die(tracepoint);
	trace.config = atoi(id);
	return open_event(&trace, cpu);
}

/* Return the type of a BPF program for this trigger. */
static unsigned int program_type(const char *tracepoint)
{
	if (!tracepoint)
		return BPF_PROG_TYPE_PERF_EVENT;
	return strncmp(tracepoint, "kprobes/", 8) ? BPF_PROG_TYPE_TRACEPOINT :
						    BPF_PROG_TYPE_KPROBE;
}

int main(int argc, char **argv)
{
	struct perf_event_attr counter = { 0 };
	struct result result = { .error = -1 };
	int cpu, event, trigger, events, results, program;
	const char *tracepoint = NULL;
	uint64_t ns = RUN_NS;
	bool quiet = false;
	uint32_t key, zero = 0;
	union bpf_attr lookup;
	uint64_t count;

	if (argc > 1 && !strcmp(argv[1], "-q")) {
		quiet = true;
		argv++;
		argc--;
	}
	if (argc < 4 || argc > 6) {
		fputs("usage: bpf_read [-q] PMU CONFIG CPU [TRACEPOINT [SECONDS]]\n",
		      stderr);
		return 64;
	}
	if (argc > 4)
		tracepoint = argv[4];
	if (argc > 5)
		ns = strtoull(argv[5], NULL, 0) * 1000000000;
	counter.type = pmu_type_or_end(argv[1]);
	counter.config = strtoull(argv[2], NULL, 0);
	cpu = atoi(argv[3]);
	key = cpu;
	event = open_event(&counter, cpu);
	events = make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, sizeof(event), CPUS_MAX);
	results = make_map(BPF_MAP_TYPE_ARRAY, sizeof(result), 1);
	put(events, &key, &event);
	put(results, &zero, &result);
	trigger = open_trigger(tracepoint, cpu);
	program = load(events, results, program_type(tracepoint));
	checked(ioctl(trigger, PERF_EVENT_IOC_SET_BPF, program), "attaching");
	work(cpu, tracepoint && !quiet ? event : -1, ns);
	checked(ioctl(trigger, PERF_EVENT_IOC_DISABLE, 0), "disabling");
	memset(&lookup, 0, sizeof(lookup));
	lookup.map_fd = results;
	lookup.key = (uintptr_t)&zero;
	lookup.value = (uintptr_t)&result;
	checked(bpf(BPF_MAP_LOOKUP_ELEM, &lookup), "result");
	checked(ioctl(event, PERF_EVENT_IOC_DISABLE, 0), "disabling");
	if (read(event, &count, sizeof(count)) != sizeof(count))
		die("read");
	printf("returned=%lld bpf=%llu read=%llu\n", (long long)result.error,
	       (unsigned long long)result.read.counter,
	       (unsigned long long)count);
	return 0;
}
