// SPDX-License-Identifier: GPL-2.0-only
/*
 * code: change an instruction in one thread while another thread executes it in
 * a loop, each time after a serializing instruction.  The loop must then execute
 * the new instruction (Intel 64 and IA-32 Architectures Software Developer's
 * Manual, volume 3, "Handling Self- and Cross-Modifying Code").  The kernel
 * changes code in the same way, for example for software events and tracepoints.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define ROUNDS	200000
#define CALLS	1000	/* calls within which the new instruction must execute */

/*
 * The operand of the mov is aligned, so the store is atomic.  @returns never
 * changes, so the page always has translated code.
 */
static const uint8_t moves[] = { 0x90, 0x90, 0x90, 0xb8, 0, 0, 0, 0, 0xc3 };
static const uint8_t returns[] = { 0xc3 };

static uint8_t *page;
static atomic_bool over;
static _Atomic uint32_t seen, calls;

static uint32_t call(uint8_t *code)
{
	return ((uint32_t (*)(void))code)();
}

static void *execute(void *arg)
{
	uint32_t eax, ebx, ecx, edx;

	(void)arg;
	while (!over) {
		eax = 0;
		asm volatile("cpuid" : "+a" (eax), "=b" (ebx), "=c" (ecx),
			     "=d" (edx) : : "memory");
		seen = call(page);
		call(page + 64);
		calls++;
	}
	return NULL;
}

static bool sees(uint32_t value)
{
	uint32_t before = calls;

	while (seen != value) {
		if (calls - before > CALLS)
			return seen == value;
		sched_yield();
	}
	return true;
}

int main(void)
{
	_Atomic uint32_t *operand;
	pthread_t thread;
	uint32_t i, wrong = 0;

	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 1;
	memcpy(page, moves, sizeof(moves));
	memcpy(page + 64, returns, sizeof(returns));
	operand = (_Atomic uint32_t *)(page + 4);

	if (pthread_create(&thread, NULL, execute, NULL))
		return 1;
	for (i = 1; i <= ROUNDS; i++) {
		atomic_store_explicit(operand, i, memory_order_release);
		wrong += !sees(i);
	}
	over = true;
	pthread_join(thread, NULL);
	printf("%u wrong of %u\n", wrong, ROUNDS);
	return 0;
}
