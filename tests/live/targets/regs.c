// SPDX-License-Identifier: GPL-2.0-only
/*
 * regs.c - each instruction twice: `probed_X` for probes, `twin_X` without.
 *
 * Both are called with the same registers; registers, flags, vector registers,
 * the balance of the stack and memory must be the same afterwards.
 */
#include <stdint.h>
#include <string.h>

#include "target.h"

struct state {
	uint64_t gpr[16]; /* ax cx dx bx sp bp si di r8..r15 */
	uint64_t flags;
	unsigned char xmm[4][16];
};

long target_data[8] = { 11, 22, 33, 44, 55, 66, 77, 88 };
unsigned char target_from[64], target_to[64];
void (*target_pointer)(void);
uint32_t target_word = 0x3f800000;

void target_leaf(void);
ASM_FUNCTION(target_leaf, "lea 5(%rax),%rax\n ret");

/*
 * First instruction, then what makes it a function. popf is probed at +5.
 */
#define CASES(X)                                                      \
	X(nop, "nop", "ret")                                          \
	X(nop5, "nopl 0(%rax,%rax,1)", "ret")                         \
	X(endbr, "endbr64", "ret")                                    \
	X(push, "push %rbp", "pop %rdx\n ret")                        \
	X(push_r12, "push %r12", "pop %rdx\n ret")                    \
	X(push_sp, "push %rsp", "pop %rdx\n sub %rsp,%rdx\n ret")     \
	X(push_imm, "push $-77", "pop %rdx\n ret")                    \
	X(push_mem, "push target_data+8(%rip)", "pop %rdx\n ret")     \
	X(sub, "sub $8,%rsp", "add $8,%rsp\n ret")                    \
	X(xor, "xor %eax,%eax", "ret")                                \
	X(add, "add %rcx,%rax", "ret")                                \
	X(adc, "adc %rcx,%rax", "ret")                                \
	X(lea_rip, "lea target_data(%rip),%rax", "ret")               \
	X(load_rip, "mov target_data+16(%rip),%rax", "ret")           \
	X(load_rip_si, "mov target_data+16(%rip),%rsi", "ret")        \
	X(load_rip_r14, "mov target_data+24(%rip),%r14", "ret")       \
	X(cmp_rip, "cmpl $33,target_data+16(%rip)", "setl %al\n ret") \
	X(imm_rip, "movq $7,target_data+32(%rip)", "ret")             \
	X(cmov_rip, "cmovz target_data(%rip),%rdi", "ret")            \
	X(xmm_rip, "movups target_data(%rip),%xmm1", "ret")           \
	X(ss_rip, "movss target_word(%rip),%xmm2", "ret")             \
	X(pshufb_rip, "pshufd $0x1b,target_from(%rip),%xmm3", "ret")  \
	X(mul, "mul %rcx", "ret")                                     \
	X(div, "div %rbx", "ret")                                     \
	X(shl, "shl %cl,%rax", "ret")                                 \
	X(cqo, "cqo", "ret")                                          \
	X(cpuid_like, "xchg %rbx,%rcx", "ret")                        \
	X(call, "call target_leaf", "ret")                            \
	X(call_mem, "call *target_pointer(%rip)", "ret")              \
	X(call_reg, "call *%r11", "ret")                              \
	X(jmp, "jmp target_leaf", "ud2")                              \
	X(jmp_short, "jmp 1f\n ud2\n 1:", "inc %rax\n ret")           \
	X(jmp_mem, "jmp *target_pointer(%rip)", "ud2")                \
	X(jmp_reg, "jmp *%r11", "ud2")                                \
	X(jz, "jz 1f\n inc %rax\n 1:", "ret")                         \
	X(jnz, "jnz 1f\n inc %rax\n 1:", "ret")                       \
	X(jl, "jl 1f\n inc %rax\n 1:", "ret")                         \
	X(jrcxz, "jrcxz 1f\n inc %rax\n 1:", "ret")                   \
	X(loop, "loop 1f\n inc %rax\n 1:", "ret")                     \
	X(ret, "ret", "ud2")                                          \
	X(ret_n, "ret $0", "ud2")                                     \
	X(pushf, "pushf", "pop %rdx\n ret")                           \
	X(popf, "push $0x246\n popf", "cld\n ret")                    \
	X(std, "std", "cld\n ret")                                    \
	X(stc, "stc", "setc %al\n ret")                               \
	X(lahf, "lahf", "ret")                                        \
	X(enter, "enter $16,$0", "leave\n ret")                       \
	X(rep_movs, "rep movsb", "ret")                               \
	X(rep_stos, "rep stosb", "ret")                               \
	X(repe_cmps, "repe cmpsb", "sete %al\n ret")                  \
	X(bswap, "bswap %r15", "ret")                                 \
	X(bt, "bt %rcx,%rax", "setc %al\n ret")                       \
	X(pxor, "pxor %xmm0,%xmm0", "ret")                            \
	X(movd, "movq %rax,%xmm1", "ret")                             \
	X(vpcmpeqb, "vpcmpeqb %xmm1,%xmm0,%xmm2", "ret")              \
	X(vpor, "vpor %xmm1,%xmm0,%xmm3", "ret")                      \
	X(vmovdqu_rip, "vmovdqu target_from(%rip),%xmm3", "ret")      \
	X(vzeroupper, "vzeroupper", "ret")                            \
	X(cld, "cld", "ret")

#define DECLARE(name, first, rest)                     \
	void probed_##name(void), twin_##name(void);   \
	ASM_FUNCTION(probed_##name, first "\n " rest); \
	ASM_FUNCTION(twin_##name, first "\n " rest);
CASES(DECLARE)

/* void enter(void (*fn)(void), struct state *s); loads s, calls, stores s. */
void enter(void (*fn)(void), struct state *s);
ASM_FUNCTION(enter,
	     "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n"
	     "push %r15\n"
	     "mov %rsi,saved_state(%rip)\n"
	     "mov %rdi,saved_fn(%rip)\n"
	     "movups 136(%rsi),%xmm0\n movups 152(%rsi),%xmm1\n"
	     "movups 168(%rsi),%xmm2\n movups 184(%rsi),%xmm3\n"
	     "push 128(%rsi)\n popf\n"
	     "mov 0(%rsi),%rax\n mov 8(%rsi),%rcx\n mov 16(%rsi),%rdx\n"
	     "mov 24(%rsi),%rbx\n mov 40(%rsi),%rbp\n mov 56(%rsi),%rdi\n"
	     "mov 64(%rsi),%r8\n mov 72(%rsi),%r9\n mov 80(%rsi),%r10\n"
	     "mov 88(%rsi),%r11\n mov 96(%rsi),%r12\n mov 104(%rsi),%r13\n"
	     "mov 112(%rsi),%r14\n mov 120(%rsi),%r15\n mov 48(%rsi),%rsi\n"
	     "mov %rsp,saved_sp(%rip)\n"
	     "call *saved_fn(%rip)\n"
	     "mov %rsp,found_sp(%rip)\n"
	     "mov saved_sp(%rip),%rsp\n"
	     "push %rsi\n pushf\n cld\n"
	     "mov saved_state(%rip),%rsi\n"
	     "mov %rax,0(%rsi)\n mov %rcx,8(%rsi)\n mov %rdx,16(%rsi)\n"
	     "mov %rbx,24(%rsi)\n mov %rbp,40(%rsi)\n mov %rdi,56(%rsi)\n"
	     "mov %r8,64(%rsi)\n mov %r9,72(%rsi)\n mov %r10,80(%rsi)\n"
	     "mov %r11,88(%rsi)\n mov %r12,96(%rsi)\n mov %r13,104(%rsi)\n"
	     "mov %r14,112(%rsi)\n mov %r15,120(%rsi)\n"
	     "popq 128(%rsi)\n popq 48(%rsi)\n"
	     "movups %xmm0,136(%rsi)\n movups %xmm1,152(%rsi)\n"
	     "movups %xmm2,168(%rsi)\n movups %xmm3,184(%rsi)\n"
	     "mov found_sp(%rip),%rax\n sub saved_sp(%rip),%rax\n"
	     "mov %rax,32(%rsi)\n"
	     "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
	     "ret");

struct state *saved_state;
void (*saved_fn)(void);
uint64_t saved_sp, found_sp;

static void fill(struct state *s, unsigned int seed)
{
	static const uint64_t flags[] = { 0x202, 0x246, 0x293, 0xa97 };
	unsigned int i;

	for (i = 0; i < 16; i++)
		s->gpr[i] = 0x0101010101010101ull * (seed * 16 + i + 1);
	s->gpr[1] = seed % 8; /* cx: string length, shift, loop */
	s->gpr[2] = 0;	      /* dx: above the dividend */
	s->gpr[6] = (uintptr_t)target_from;
	s->gpr[7] = (uintptr_t)target_to;
	s->gpr[11] = (uintptr_t)target_leaf;
	s->flags = flags[seed % 4];
	for (i = 0; i < sizeof(s->xmm); i++)
		(&s->xmm[0][0])[i] = seed * 7 + i;
	for (i = 0; i < 8; i++)
		target_data[i] = 11 * (i + 1) * (seed + 1);
	for (i = 0; i < 64; i++) {
		target_from[i] = i + seed;
		target_to[i] = seed % 2 ? i + seed : 0;
	}
}

static void compare(const char *name, void (*probed)(void), void (*twin)(void))
{
	struct state a, b;
	long data[8];
	unsigned char to[64];
	unsigned int seed;

	for (seed = 0; seed < 12; seed++) {
		memset(&a, 0, sizeof(a));
		fill(&a, seed);
		b = a;
		enter(twin, &b);
		memcpy(data, target_data, sizeof(data));
		memcpy(to, target_to, sizeof(to));
		fill(&a, seed);
		enter(probed, &a);
		if (!memcmp(&a, &b, sizeof(a)) &&
		    !memcmp(data, target_data, sizeof(data)) &&
		    !memcmp(to, target_to, sizeof(to)))
			continue;
		fprintf(stderr, "%s: another state than its twin's, seed %u\n",
			name, seed);
		for (unsigned int i = 0; i < sizeof(a) / 8; i++)
			if (((uint64_t *)&a)[i] != ((uint64_t *)&b)[i])
				fprintf(stderr, "  word %u: %lx, not %lx\n", i,
					((uint64_t *)&a)[i],
					((uint64_t *)&b)[i]);
		_exit(1);
	}
}

int main(void)
{
	target_pointer = target_leaf;
#define COMPARE(name, first, rest) compare(#name, probed_##name, twin_##name);
	CASES(COMPARE)
	puts("all the same");
	return 0;
}
