// SPDX-License-Identifier: GPL-2.0-only
/*
 * flags: CMPXCHG8B and CMPXCHG16B change ZF and no other flag (Intel 64 and
 * IA-32 Architectures Software Developer's Manual, volume 2, CMPXCHG8B).
 * What the flags are before comes from the same subtraction without them.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#define ZF	(UINT64_C(1) << 6)

static uint64_t low, high;	/* in RAX and RDX: what is compared */
static _Alignas(16) uint64_t memory[2];

static uint64_t without(uint64_t a, uint64_t b)
{
	uint64_t flags;

	asm volatile("pushq $2; popfq; subq %[b], %[a]; pushfq; popq %[flags]"
		     : [a] "+r" (a), [flags] "=r" (flags)
		     : [b] "r" (b) : "cc", "memory");
	return flags;
}

static uint64_t with_16(uint64_t a, uint64_t b)
{
	uint64_t flags, rax = low, rdx = high;

	asm volatile("pushq $2; popfq; subq %[b], %[a];"
		     "lock cmpxchg16b %[memory]; pushfq; popq %[flags]"
		     : [a] "+r" (a), [flags] "=&r" (flags),
		       [memory] "+m" (memory), "+a" (rax), "+d" (rdx)
		     : [b] "r" (b), "b" (1ULL), "c" (2ULL) : "cc", "memory");
	return flags;
}

static uint64_t with_8(uint64_t a, uint64_t b)
{
	uint64_t flags, rax = low, rdx = high;

	asm volatile("pushq $2; popfq; subq %[b], %[a];"
		     "lock cmpxchg8b %[memory]; pushfq; popq %[flags]"
		     : [a] "+r" (a), [flags] "=&r" (flags),
		       [memory] "+m" (memory[0]), "+a" (rax), "+d" (rdx)
		     : [b] "r" (b), "b" (1ULL), "c" (2ULL) : "cc", "memory");
	return flags;
}

static const struct {
	const char *name;
	uint64_t (*with)(uint64_t a, uint64_t b);
} kinds[] = { { "cmpxchg16b", with_16 }, { "cmpxchg8b", with_8 } };

static const uint64_t values[] = {
	0, 1, 2, 0x7f, 0x80, 0x5a5a5a5a, 0x80000000, 0xffffffff,
	0x123456789abcdef0, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX,
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static int try(size_t kind, uint64_t a, uint64_t b, int equal)
{
	uint64_t want = without(a, b), got;

	memory[0] = 0;
	memory[1] = 0;
	low = !equal;
	high = 0;
	got = kinds[kind].with(a, b);
	want = equal ? want | ZF : want & ~ZF;
	if (got == want)
		return 0;
	printf("%s after 0x%" PRIx64 " - 0x%" PRIx64 ", %s: flags 0x%" PRIx64
	       ", not 0x%" PRIx64 "\n", kinds[kind].name, a, b,
	       equal ? "equal" : "different", got, want);
	return 1;
}

int main(void)
{
	int bad = 0;

	for (size_t kind = 0; kind < COUNT(kinds); kind++)
		for (size_t a = 0; a < COUNT(values); a++)
			for (size_t b = 0; b < COUNT(values); b++)
				for (int equal = 0; equal < 2; equal++)
					bad += try(kind, values[a], values[b],
						   equal);
	printf("%d wrong of %zu\n", bad,
	       2 * COUNT(kinds) * COUNT(values) * COUNT(values));
	return bad != 0;
}
