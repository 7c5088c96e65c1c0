/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model a PLR instance and firmware for tests: modules with limits in force, a
 * die level of one of three kinds, a mailbox with a latency and one of four
 * values of INTERFACE after a command. A read or write of any register but
 * INTERFACE, DATA and the die level fails the test.
 */
#ifndef PMON_PLR_MODEL_H
#define PMON_PLR_MODEL_H

#include <kunit/test.h>

#include "../monitor.h"

#define MODEL_MODULES	43
/* Size of arrays by module. In model_limit.module it means all modules. */
#define MODEL_MOST	128
#define MODEL_LOOP_NS	1000000ULL
#define MS		1000000ULL
/* Most commands that the contract permits in any second. */
#define MODEL_COMMANDS	200
/* Reasons */
#define FREQUENCY	0x1ULL
#define POWER		0x4ULL
#define THERMAL		0x8ULL

enum model_die { MODEL_COLLECTS, MODEL_COMPUTED, MODEL_LATCHES, MODEL_DIES };

enum model_echo { MODEL_FULL, MODEL_NONE, MODEL_ZEROED, MODEL_STATUS, MODEL_ECHOES };

/**
 * struct model_limit - a limit in force for a time
 * @module: module with the limit; MODEL_MOST: all, MODEL_MOST + 1: the mesh
 * @bits: reasons
 * @from_ns: begin
 * @to_ns: end
 */
struct model_limit {
	unsigned int module;
	u64 bits;
	u64 from_ns;
	u64 to_ns;
};

/**
 * struct model - an instance
 * @regs: registers of the model
 * @mailbox: mailbox under test, on @regs
 * @monitor: monitor under test, on @mailbox
 * @modules: number of modules
 * @record: record of the die
 * @core: records of the modules
 * @test: the test
 * @kind: kind of die level
 * @echo: value of INTERFACE after a command
 * @latency_ns: time of a command
 * @jitter_ns: longest random time added to @latency_ns
 * @lag_ns: period of updates of the die level, 0: each loop
 * @stuck: commands never end
 * @blocked: writes have no effect
 * @ones: the die level reads as all ones
 * @preempted_ns: time that the CPU is away after each read of INTERFACE
 * @preempted_ppm: chance that an access begins up to 5 ms late, in 1e-6
 * @other_ns: time of the next command of another agent, 0: none
 * @other_clears: the other agent clears the modules that it reads
 * @other_at: number of the other agent's commands so far
 * @agent: value that another agent writes to INTERFACE after each command, 0:
 *	none
 * @reads_first: another agent reads module 0 after the next command
 * @result: another agent's result, which the next read of DATA returns; the agent
 *	then starts a read of module 7; 0: none
 * @usurps: another agent replaces each command that clears, so none takes effect
 * @force: reasons in force, by module
 * @limits: limits in force for a time
 * @limit_count: number of @limits
 * @log: set bits, by module
 * @read: value of the last read, by module
 * @lost: bits that were cleared before any read showed them, by module
 * @mesh: set bits of the mesh
 * @mesh_limits: reasons of @limits in force on the mesh
 * @die: value of the die level
 * @dropped: bits that the driver has cleared in @die
 * @interface: value of INTERFACE; a write without RUN_BUSY is no command
 * @data: value of DATA
 * @busy_until_ns: end of the command
 * @loop_ns: time of the last loop of firmware
 * @lagged_ns: time of the last update of the die level
 * @lagged: bits for the next update of the die level
 * @commands: number of commands
 * @peak: not 0: some second had more than MODEL_COMMANDS commands
 * @given_ns: times of the last MODEL_COMMANDS commands
 * @accesses: number of register accesses
 * @seed: state of model_random()
 */
struct model {
	struct pmon_regs regs;
	struct plr_mailbox mailbox;
	struct plr_monitor monitor;
	struct plr_record record;
	unsigned int modules;
	struct plr_record core[MODEL_MOST];
	struct kunit *test;
	enum model_die kind;
	enum model_echo echo;
	u64 latency_ns;
	u64 jitter_ns;
	u64 lag_ns;
	bool stuck;
	bool blocked;
	bool ones;
	u64 preempted_ns;
	unsigned int preempted_ppm;
	u64 other_ns;
	bool other_clears;
	unsigned int other_at;
	u64 agent;
	bool reads_first;
	u64 result;
	bool usurps;
	u64 force[MODEL_MOST];
	const struct model_limit *limits;
	unsigned int limit_count;
	u64 log[MODEL_MOST];
	u64 read[MODEL_MOST];
	u64 lost[MODEL_MOST];
	u64 mesh;
	u64 mesh_limits;
	u64 die;
	u64 dropped;
	u64 interface;
	u64 data;
	u64 busy_until_ns;
	u64 loop_ns;
	u64 lagged_ns;
	u64 lagged;
	unsigned int commands;
	unsigned int peak;
	u64 given_ns[MODEL_COMMANDS];
	unsigned int accesses;
	u32 seed;
};

struct model *model_new(struct kunit *test);
struct model *model_new_die(struct kunit *test, unsigned int modules);
u32 model_random(struct model *model, u32 below);
u64 model_now(void);
unsigned int model_unnamed_fine(struct kunit *test);
void model_pass(struct model *model, u64 ns);
int model_poll(struct model *model, u64 period_ns);
void model_prime(struct model *model);

#endif /* PMON_PLR_MODEL_H */
