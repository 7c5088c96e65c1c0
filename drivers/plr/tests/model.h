/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of a PLR instance and of the firmware behind it, for tests: modules
 * with limits in force, a die level of one of three kinds, a mailbox that takes
 * its time and shows one of four things after a command. It fails a test when a
 * register is written that must not be.
 */
#ifndef PMON_PLR_MODEL_H
#define PMON_PLR_MODEL_H

#include <kunit/test.h>

#include "../monitor.h"

#define MODEL_MODULES	43
#define MODEL_LOOP_NS	1000000ULL
#define MS		1000000ULL
/* The most in any second, as the contract has it. */
#define MODEL_COMMANDS	200

enum model_die { MODEL_COLLECTS, MODEL_COMPUTED, MODEL_LATCHES, MODEL_DIES };

enum model_echo { MODEL_FULL, MODEL_NONE, MODEL_ZEROED, MODEL_STATUS, MODEL_ECHOES };

/**
 * struct model - an instance
 * @regs: its registers
 * @mailbox: on them
 * @monitor: on that
 * @record: of the die
 * @core: of the modules
 * @test: the test
 * @kind: what the die level does
 * @echo: what the interface reads after a command
 * @latency_ns: how long a command takes, where @jitter_ns is 0
 * @jitter_ns: a command takes @latency_ns and up to that
 * @lag_ns: the die level follows its modules that often only, if not 0
 * @skew_ns: a module's bits are set that long after those of the die
 * @stuck: commands never end
 * @blocked: no write reaches it
 * @ones: the die level reads as all ones
 * @agent: what another agent writes into the interface after each command, if
 *	not 0
 * @force: reasons in force, by module
 * @all: in force on all modules from @from_ns to @to_ns
 * @from_ns: see there
 * @to_ns: see there
 * @log: what hardware has on record, by module
 * @late: what is set next in @log, by module
 * @late_ns: when
 * @mesh: likewise, of the mesh
 * @die: the die level
 * @interface: the register; without RUN_BUSY a write is no command
 * @data: the register
 * @busy_until_ns: when the command is done
 * @loop_ns: when firmware's loop has run last
 * @lagged_ns: when the die level has followed last
 * @lagged: what it follows then
 * @commands: commands given
 * @peak: most commands in any second
 * @given_ns: when the last commands were given
 * @accesses: all accesses
 * @seed: for @jitter_ns
 */
struct model {
	struct pmon_regs regs;
	struct plr_mailbox mailbox;
	struct plr_monitor monitor;
	struct plr_record record;
	struct plr_record core[MODEL_MODULES];
	struct kunit *test;
	enum model_die kind;
	enum model_echo echo;
	u64 latency_ns;
	u64 jitter_ns;
	u64 lag_ns;
	u64 skew_ns;
	bool stuck;
	bool blocked;
	bool ones;
	u64 agent;
	u64 force[MODEL_MODULES];
	u64 all;
	u64 from_ns;
	u64 to_ns;
	u64 log[MODEL_MODULES];
	u64 late[MODEL_MODULES];
	u64 late_ns[MODEL_MODULES];
	u64 mesh;
	u64 die;
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
u64 model_now(void);
void model_pass(struct model *model, u64 ns);
int model_poll(struct model *model, u64 period_ns);
void model_prime(struct model *model);

#endif /* PMON_PLR_MODEL_H */
